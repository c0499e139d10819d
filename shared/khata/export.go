package khata

import (
	"context"

	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
)

// exporter exports what the eraser erases, and the ledgers, which it keeps.
func (d *Domain) exporter() *export.Exporter {
	return &export.Exporter{Domain: Name, Lists: []export.List{
		{Kind: "khataBalance", Read: d.exportBalances},
		{Kind: "khataEntry", Read: d.exportEntries},
		{Kind: "paymentClaim", Read: d.exportClaims},
		{Kind: "paymentReminder", Read: d.exportReminders},
	}}
}

func (d *Domain) exportBalances(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	balances, err := d.balances(ctx, of)
	if err != nil {
		return export.Rows{}, err
	}
	items, err := export.Stored(balances...)
	return export.Short(items, after, limit, "pk", "sk"), err
}

func (d *Domain) exportEntries(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, customer := range of.Accounts {
		q := ledger.EntriesOfCustomer(of.Tenant, model.PhoneOf(customer))
		parts = append(parts, export.Query{DB: d.DB, Of: q}.Under(string(customer)))
	}
	return export.Parts(ctx, parts, after, limit)
}

func (d *Domain) exportClaims(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, customer := range of.Accounts {
		q := claims.OfCustomer(of.Tenant, model.PhoneOf(customer))
		parts = append(parts, export.Query{DB: d.DB, Of: q}.Under(string(customer)))
	}
	return export.Parts(ctx, parts, after, limit)
}

func (d *Domain) exportReminders(
	ctx context.Context, of erasure.Subject, after string, limit int,
) (export.Rows, error) {
	balances, err := d.balances(ctx, of)
	if err != nil {
		return export.Rows{}, err
	}
	var parts []export.Part
	for _, b := range balances {
		read := func(ctx context.Context, after string, limit int) (export.Rows, error) {
			items, err := d.Reminders.Of(ctx, b)
			return export.Short(items, after, limit, "pk"), err
		}
		parts = append(parts, export.Part{ID: b.PK + " " + b.SK, Read: read})
	}
	return export.Parts(ctx, parts, after, limit)
}
