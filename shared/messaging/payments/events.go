package payments

import (
	"context"
	"strconv"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
)

// EventCompleted is the kind of the events of orders that are paid.
const EventCompleted = "payment.completed"

// Events are the kinds of events that are published of payments.
var Events = []publishing.Kind{
	{Name: EventCompleted, Means: "A customer has paid an order through WhatsApp, as much as was asked."},
}

// toldOutside returns the writes that publish that an order is paid; none where nobody outside is told.
func (s *Payments) toldOutside(ctx context.Context, o model.PaymentOrder) ([]dynamo.Write, error) {
	if s.Publisher == nil {
		return nil, nil
	}
	tenant, err := s.Numbers.SubscribedTo(ctx, o.PhoneNumberID)
	if err != nil || tenant == "" {
		return nil, err
	}
	write, err := s.Publisher.Write(ctx, publishing.Event{
		Tenant: tenant, Kind: EventCompleted, At: model.At(s.Now()),
		Of: string(o.PhoneNumberID) + "#" + o.ReferenceID + "#" + strconv.FormatInt(o.Version, 10),
		Data: struct {
			PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
			ReferenceID   string              `json:"referenceId"`
		}{o.PhoneNumberID, o.ReferenceID},
	})
	return []dynamo.Write{write}, err
}
