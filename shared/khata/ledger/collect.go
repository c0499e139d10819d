package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Collect adds a payment that came through WhatsApp, which happens once for its reference, whenever it is asked for.
func (l *Ledger) Collect(ctx context.Context, s shop.Shop, d Draft) error {
	request, err := Request(s, idempotency.Order, "payment "+d.Reference, d.Reference)
	if err != nil {
		return err
	}
	reference, err := model.Parse[model.Name](d.Reference)
	if err != nil {
		return err
	}
	guard := keys.PaymentOf(s.ID, reference)
	_, err = l.add(ctx, s, d, request, &guard)
	if errors.Is(err, ErrSold) {
		return nil
	}
	return err
}

// errTakenBack means that a payment was taken back already, so that none of it counts.
var errTakenBack = errors.New("the payment is reversed")

// GiveBack adds to what is owed what has gone back of a payment that came through WhatsApp. It happens once for the
// refund, whenever it is asked for. Of a payment that somebody has reversed nothing counts, so nothing is added. It
// returns dynamo.ErrNotFound while the payment is not in the ledger.
func (l *Ledger) GiveBack(ctx context.Context, s shop.Shop, d Draft, refund model.Name) error {
	reference, err := model.Parse[model.Name](d.Reference)
	if err != nil {
		return err
	}
	var payment khatamodel.Mark
	if err := l.DB.Get(ctx, tables.KhataTransactions, keys.PaymentOf(s.ID, reference), &payment); err != nil {
		return err
	}
	request, err := Request(s, idempotency.Order, "refund "+string(refund), refund)
	if err != nil {
		return err
	}
	d.Type, d.Received = khatamodel.Adjustment, true
	// Both a refund and a reversal change the balance of the account, so that neither misses the other.
	d.With = func(ctx context.Context, _ khatamodel.Transaction) ([]dynamo.Write, error) {
		_, err := l.ReversalOf(ctx, s.ID, payment.TransactionID)
		if err == nil {
			return nil, errTakenBack
		}
		if errors.Is(err, dynamo.ErrNotFound) {
			err = nil
		}
		return nil, err
	}
	guard := keys.RefundOf(payment.TransactionID, refund)
	_, err = l.add(ctx, s, d, request, &guard)
	if errors.Is(err, ErrSold) || errors.Is(err, errTakenBack) {
		return nil
	}
	return err
}

// unrefunded returns what has a reversal commit with what with returns, if nothing has gone back of the payment that is
// reversed: that is owed again already. It returns ErrReversal.
func (l *Ledger) unrefunded(payment khatamodel.Transaction,
	with func(context.Context, khatamodel.Transaction) ([]dynamo.Write, error),
) func(context.Context, khatamodel.Transaction) ([]dynamo.Write, error) {
	return func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
		page, err := l.DB.Query(ctx, dynamo.Query{
			Table: tables.KhataTransactions, Where: "pk = :pk AND begins_with(sk, :refund)", Limit: 1,
			Values: dynamo.Item{
				":pk":     dynamo.S(keys.KhataEntryOf(payment.TransactionID)),
				":refund": dynamo.S(keys.RefundsOfPayment)},
		})
		if err != nil {
			return nil, fmt.Errorf("refunds of a payment: %w", err)
		}
		if len(page.Items) > 0 {
			return nil, problem.Breaks(ErrReversal, "payment-refunded", "Given back already",
				"What was given back of the payment is owed again. Adjust the balance for the rest.")
		}
		if with == nil {
			return nil, nil
		}
		return with(ctx, entry)
	}
}
