package sending

import (
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// toPay returns the order that the message asks to be paid. A message that is sent again has it already.
func (out Outgoing) toPay() (content.Order, bool) {
	if out.replays != nil {
		return content.Order{}, false
	}
	return content.ToPay(out.Content)
}

// payRefs returns the item of the order that the message asks to be paid.
func (out Outgoing) payRefs() []dynamo.Ref {
	order, is := out.toPay()
	if !is {
		return nil
	}
	return []dynamo.Ref{payments.Ref(out.Phone, order.ReferenceID)}
}

// askToPay adds to a prepared message the writes of the order that it asks to be paid. It returns
// payments.ErrReferenceUsed.
func (s *Sender) askToPay(ready *Prepared, out Outgoing, found dynamo.Found) error {
	order, is := out.toPay()
	if !is {
		return nil
	}
	writes, err := payments.Writes(s.Outbox(), s.Now(), payments.Asked{
		Tenant: out.Tenant, Phone: out.Phone, Customer: out.Customer, Message: ready.MessageID, Purpose: out.Purpose,
		Order: order}, found)
	ready.Writes = append(ready.Writes, writes...)
	return err
}
