package reconcile

import (
	"context"
	"log/slog"
	"time"

	"github.com/haatline/haatline/shared/telemetry"
)

// Findings counts what does not hold. There should be none, ever.
var Findings = telemetry.Metric{Name: "LedgerFindings", Unit: "Count", Series: telemetry.PerStage}

// reserve is how much of the invocation is left for the page that is being worked on.
const reserve = 30 * time.Second

// Nightly checks all books and mends balances. What does not hold is logged, without anybody's number, and counted. It goes on for as long
// as there is time: a schedule that needs longer than its function lives has to run more often.
func (b *Books) Nightly(ctx context.Context, logger *slog.Logger) error {
	more := func() bool {
		deadline, limited := ctx.Deadline()
		return !limited || time.Until(deadline) > reserve
	}
	all, err := b.All(ctx, more, true)
	for _, f := range all.Findings {
		logger.ErrorContext(ctx, "the books do not hold", "kind", f.Kind, "store", f.Store, "about", f.About, "detail", f.Detail, "mended", f.Mended)
	}
	if len(all.Findings) > 0 {
		telemetry.Count(ctx, Findings, float64(len(all.Findings)))
	}
	logger.InfoContext(ctx, "books checked", "customers", all.Customers, "entries", all.Entries, "orders", all.Orders, "records", all.Records, "findings", len(all.Findings))
	return err
}

// All checks everything once.
func (b *Books) All(ctx context.Context, more func() bool, mend bool) (Checked, error) {
	all, _, err := b.Everybody(ctx, "", more, mend)
	if err != nil {
		return all, err
	}
	orders, _, err := b.AllOrders(ctx, "", more)
	if all.add(orders); err != nil {
		return all, err
	}
	records, err := b.Records(ctx, more)
	all.add(records)
	return all, err
}
