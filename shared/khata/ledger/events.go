package ledger

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
)

// EventPosted is the kind of the events of entries.
const EventPosted = "khata.entry.posted"

// Events are the kinds of events that are published of the credit book.
var Events = []publishing.Kind{
	{Name: EventPosted, Means: "An entry was written into the credit book: a sale on credit, a payment, an " +
		"adjustment or a reversal. An entry never changes."},
}

// publish returns the writes that publish an entry; none where nobody outside is told.
func (l *Ledger) publish(ctx context.Context, s shop.Shop, entry khatamodel.Transaction) ([]dynamo.Write, error) {
	if l.Publisher == nil || !s.Subscribed {
		return nil, nil
	}
	write, err := l.Publisher.Write(ctx, publishing.Event{
		Tenant: s.Tenant, Kind: EventPosted, At: entry.CreatedAt, Of: string(s.ID) + "#" + string(entry.TransactionID),
		Data: struct {
			StoreID       model.Name      `json:"storeId"`
			TransactionID model.Name      `json:"transactionId"`
			Type          khatamodel.Type `json:"type"`
			Amount        string          `json:"amount"`
			OrderID       model.Name      `json:"orderId,omitempty"`
			Reverses      model.Name      `json:"reverses,omitempty"`
		}{s.ID, entry.TransactionID, entry.Type, entry.Amount.StringFixed(2), entry.OrderID, entry.Reverses},
	})
	return []dynamo.Write{write}, err
}
