package reconcile

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
)

// openOrders checks that each order that counts against a customer's limit is on credit, and has no sale yet. An order
// that has expired stops counting, which is no finding.
func (b *Books) openOrders(ctx context.Context, balance khatamodel.Balance, mend bool, checked *Checked) error {
	for _, id := range slices.Sorted(maps.Keys(balance.OpenOrders)) {
		counts, gone, err := b.counts(ctx, balance.StoreID, id)
		if err != nil {
			return err
		}
		if counts {
			continue
		}
		mended := false
		if mend {
			after, err := b.Ledger.Uncount(ctx, balance, id)
			if err != nil && !errors.Is(err, dynamo.ErrConflict) { // one that changes is checked the next time
				return err
			}
			if mended = err == nil; mended {
				balance = after
			}
		}
		if !gone {
			checked.Findings = append(checked.Findings, Finding{
				Kind: NotOpen, Store: balance.StoreID, Customer: balance.CustomerPhone, About: string(id),
				Detail: "the order counts against the limit, and nothing is open of it", Mended: mended,
			})
		}
	}
	return nil
}

// counts reports whether an order has to count against its customer's limit, and whether there is no such order any
// more.
func (b *Books) counts(ctx context.Context, store, id model.Name) (counts, gone bool, err error) {
	onCredit, err := b.Orders.OnCredit(ctx, store, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return false, true, nil
	}
	if err != nil || !onCredit {
		return false, false, err
	}
	_, err = b.Ledger.SaleOf(ctx, store, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return true, false, nil
	}
	return false, false, err
}
