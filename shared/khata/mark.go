package khata

import (
	"context"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
)

// mark marks those who owe the store of a number something, by how much.
func (d *Domain) mark() beside.Mark {
	return beside.Mark{Name: "owed", Scope: "khata.read", Of: d.owedBy, Page: d.debtors}
}

func (d *Domain) owedBy(ctx context.Context, number model.Phone,
	customers []model.CustomerID) (map[model.CustomerID]string, error) {
	if number.StoreID == "" || len(customers) == 0 {
		return nil, nil
	}
	refs := make([]dynamo.Ref, len(customers))
	for i, customer := range customers {
		refs[i] = ledger.BalanceRef(number.StoreID, model.PhoneOf(customer))
	}
	found, err := d.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	owed := map[model.CustomerID]string{}
	for i, customer := range customers {
		var b khatamodel.Balance
		item := refs[i].Found(found)
		if item == nil {
			continue
		}
		if err := dynamo.Unmarshal(item, &b); err != nil {
			return nil, err
		}
		if b.JoinedInto != "" { // they have another account by now
			if b, err = d.Ledger.Balance(ctx, number.StoreID, b.JoinedInto); err != nil {
				return nil, err
			}
		}
		if b.OutstandingBalance.IsPositive() {
			owed[customer] = b.OutstandingBalance.StringFixed(2)
		}
	}
	return owed, nil
}

// debtors returns the customers of a number's store who owe something, the largest dues first.
func (d *Domain) debtors(ctx context.Context, number model.Phone, limit int, after string) (all []model.CustomerID,
	next string, err error) {
	if number.StoreID == "" {
		return nil, "", nil
	}
	page, err := d.Ledger.Largest(ctx, number.StoreID, limit, after)
	for _, b := range page {
		all = append(all, model.ParseCustomers(string(b.CustomerPhone))...)
	}
	if len(page) == limit {
		next = ledger.DuePlace(page[limit-1])
	}
	return all, next, err
}
