package assistant

import (
	"context"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/invoices"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/messaging/papers"
)

// InvoicePaper is the kind of the paper that a customer gets who asks for a bill.
const InvoicePaper = "commerce.invoice"

// Papers takes what customers ask for. papers.Desk implements it.
type Papers interface {
	Ask(ctx context.Context, of papers.Asked) ([]dynamo.Write, error)
}

// sendWords ask for something that can be kept, and not only told.
var sendWords = lazy.Words(
	"bhejo bhej bhejna bhejiye bhejiyega bhejdo send pdf statement file share chahiye भेजो भेज भेजना भेजिए " +
		"स्टेटमेंट चाहिए")

// asked returns what the customer asks for with this message.
func (t *turn) asked() papers.Asked {
	return papers.Asked{
		Tenant: t.store.TenantID, Store: t.store.ID, Phone: t.m.Phone, Customer: t.m.Customer, Message: t.m.ID,
		Language: t.context.Language}
}

// askStatement has the customer's statement made and sent as a file, if the message asks for one to be sent.
func (t *turn) askStatement(ctx context.Context) error {
	if !t.hasWord(sendWords.List()) {
		return nil
	}
	writes, err := t.assistant.Credit.AskStatement(ctx, t.asked())
	t.writes = append(t.writes, writes...)
	return err
}

// maxBilled is how many of a customer's latest orders are looked at for one that may have an invoice.
const maxBilled = 20

// bill has the invoice made and sent of the customer's latest order that may have one. If the message names an order,
// it is of that one. If none may have one yet, the answer says so.
func (t *turn) bill(ctx context.Context) error {
	if t.assistant.Papers == nil {
		t.leaveToPerson("bill", "handed_over")
		return nil
	}
	all, err := t.assistant.Orders.List(ctx, orders.Filter{Store: t.store.ID, Phone: t.s.CustomerPhone}, maxBilled, "")
	if err != nil {
		return err
	}
	if all, err = t.withLast(ctx, all); err != nil {
		return err
	}
	words := strings.ToUpper(t.words)
	named := slices.DeleteFunc(slices.Clone(all),
		func(o commercemodel.Order) bool { return !strings.Contains(words, string(o.OrderNumber)) })
	if len(named) > 0 {
		all = named
	}
	at := slices.IndexFunc(all, invoices.Due)
	switch {
	case len(all) == 0:
		t.answer("no_order", nil)
		return nil
	case at < 0:
		t.answer("bill_early", t.ofOrder(all[0]))
		return nil
	}
	of := t.asked()
	of.Kind, of.Of = InvoicePaper, all[at].ID
	writes, err := t.assistant.Papers.Ask(ctx, of)
	if err != nil {
		return err
	}
	t.writes = append(t.writes, writes...)
	t.answer("bill_coming", t.ofOrder(all[at]))
	return nil
}
