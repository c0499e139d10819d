package sending

import (
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// toPay returns the order that the message asks to be paid. A message that is sent again has it already.
func (out Outgoing) toPay() (content.Order, bool) {
	if out.replays != nil {
		return content.Order{}, false
	}
	return content.ToPay(out.Content)
}

// payRefs returns the item of the order that the message asks to be paid, and the payment configuration that it names.
func (out Outgoing) payRefs() []dynamo.Ref {
	order, is := out.toPay()
	if !is {
		return nil
	}
	refs := []dynamo.Ref{payments.Ref(out.Phone, order.ReferenceID)}
	if by, named := out.paidBy(order); named {
		refs = append(refs, by)
	}
	return refs
}

// paidBy returns the item of the tenant's payment configuration by which an order is paid. It reports false if the
// order names none.
func (out Outgoing) paidBy(order content.Order) (dynamo.Ref, bool) {
	name, err := model.Parse[model.Name](order.Configuration())
	return dynamo.Ref{Table: tables.Messages, Key: keys.PaymentConfig(out.Tenant, name)}, err == nil
}

// throughGateway returns the message with what its payment gateway is to keep of the order, if it goes through one.
func (out Outgoing) throughGateway(found dynamo.Found) Outgoing {
	order, is := out.toPay()
	if !is {
		return out
	}
	if by, named := out.paidBy(order); named {
		provider := dynamo.Text(by.Found(found), "provider")
		out.Content = content.WithOrder(out.Content, order.ThroughGateway(provider, string(out.Phone)))
	}
	return out
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
