package chat

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/problem"
)

// command writes an entry down that the owner asks for, and answers with the new balance.
func (t talk) command(ctx context.Context, c Command) error {
	if err := t.readAhead(ctx, c); err != nil {
		return err
	}
	w, question, err := t.wantedOf(ctx, c)
	if err != nil {
		return err
	}
	if len(w.among) > 1 {
		return t.choose(ctx, c.words, w.among, w.picked)
	}
	if question != "" {
		return t.replyText(ctx, question)
	}
	return t.enter(ctx, w)
}

// isCallingCode reports whether the amount of a command is the calling code of the number behind it: +91 98765 43210 is
// a number, and no sale of 91.
func (t talk) isCallingCode(c Command) bool {
	number, _ := c.Customer(t.shop.Country)
	national, err := phonenumber.Parse(number, t.shop.Country)
	whole, errWhole := phonenumber.Parse("+"+c.Amount.String()+number, t.shop.Country)
	return c.Sale && err == nil && errWhole == nil && national == whole
}

// readAhead reads in one call what an entry of a customer needs who is named by a number, and its answer.
func (t talk) readAhead(ctx context.Context, c Command) error {
	number, _ := c.Customer(t.shop.Country)
	customer, err := contacts.AddressOf(number, t.shop.Country)
	if err != nil {
		return nil // a name
	}
	w := wanted{sale: c.Sale, amount: c.Amount, to: customer}
	request, err := ledger.Request(t.shop, idempotency.Command, string(t.m.ID), nil)
	if err != nil {
		return err
	}
	answer := sending.Either(sending.Outgoing{Tenant: t.shop.Tenant, Phone: t.m.Phone, Customer: t.m.Customer},
		t.said("", writtenKey(c.Sale), nil)...)
	_, err = t.DB.BatchGet(ctx, slices.Concat(t.Contacts.AddressRefs(t.m.Phone, customer),
		t.Ledger.Refs(t.shop, t.draft(w), request), answer.Refs(t.Sender)))
	return err
}

// named returns the key of the customer whom a command names: the person who had the number when the owner wrote. It
// returns contacts.ErrNobody.
func (t talk) named(ctx context.Context, c Command) (model.CustomerID, error) {
	number, _ := c.Customer(t.shop.Country)
	return t.Contacts.NamedAt(ctx, []model.PhoneNumberID{t.m.Phone}, t.shop.Country, number, t.m.At)
}

const (
	source  = "chat" // of an entry
	maxNote = 200
)

// write adds an entry. Where a rule forbids it, the shop is told which.
func (t talk) write(ctx context.Context, d ledger.Draft, request idempotency.Request) error {
	_, err := t.Ledger.Add(ctx, t.shop, d, request)
	return t.tellRule(ctx, err)
}

// tellRule tells the shop which rule has kept an entry from being written. It returns any other error.
func (t talk) tellRule(ctx context.Context, err error) error {
	var rule *problem.Error
	if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, dynamo.ErrNotFound) {
		return t.reply(ctx, "refused", map[string]string{"rule": rule.Detail})
	}
	return ignoreTold(err)
}
