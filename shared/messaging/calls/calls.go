// Package calls owns the calls with customers: what Meta tells of each, in any order, the window that a call opens, and
// the answer to one that nobody takes.
package calls

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/tombstone"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Calls keeps calls.
type Calls struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Log      *webhooklog.Log
	Contacts *contacts.Contacts
	Inbox    *inbox.Inbox
	Outbox   *outbox.Outbox
	Numbers  *tenancy.Numbers
	Sender   *sending.Sender
}

// Reader returns the reader of Meta's events about calls.
func (s *Calls) Reader() webhooklog.Reader {
	return s.Log.ReaderOf(webhooklog.Fields("calls"), func(ctx context.Context, event webhooklog.Event) error {
		phone, err := model.ParsePhoneNumberID(string(event.Entry.PhoneNumberID))
		if err != nil {
			return nil // of no number: it stays in the log
		}
		for i, told := range whatsapp.DecodeCalls(event.Value) {
			at := event.Place(told.Timestamp, i)
			if err := s.apply(ctx, phone, event, told, at); err != nil {
				return err
			}
		}
		return nil
	})
}

// apply stores an event of a call, opens the window that it opens, and answers a call that nobody has taken. All of it
// may be repeated.
func (s *Calls) apply(ctx context.Context, phone model.PhoneNumberID, event webhooklog.Event, told whatsapp.CallEvent,
	at model.Order) error {
	id, err := model.Parse[model.Name](told.ID)
	who := model.ParseCustomers(told.CustomerIDs...)
	if err != nil || len(who) == 0 {
		return nil
	}
	erased, err := tombstone.ErasedUntil(ctx, s.DB, phone, who)
	if err != nil || at.At() <= erased || event.Entry.ReceivedAt <= erased {
		return err
	}
	customer, err := s.Contacts.KeyOf(ctx, phone, who)
	if err != nil {
		return err
	}
	ends := false
	err = s.change(ctx, id, func(c *model.Call) ([]dynamo.Write, bool, error) {
		if c.Version > 0 && c.PhoneNumberID != phone {
			return nil, false, nil // another number's: nobody else may change it
		}
		if c.Version == 0 {
			c.PK, c.ItemType, c.CallID, c.WABAMetaID = keys.Call(id).Partition, model.ItemCall, told.ID,
				event.Entry.WABAMetaID
			c.PhoneNumberID, c.CustomerID, c.FromPK, c.ReceivedAt = phone, customer, keys.CallsOf(phone, customer),
				at.At()
		}
		changed := apply(c, told, at.At())
		ends = isMissed(*c)
		return nil, s.ended(c) || changed, nil
	})
	opens := opensAt(told, at.At())
	if err != nil || opens == "" {
		return err
	}
	if err := s.Inbox.OpenWindow(ctx, phone, who, opens); err != nil || !ends {
		return err
	}
	return s.answer(ctx, phone, id)
}

// Query returns the query for the keys of the calls with a customer.
func Query(phone model.PhoneNumberID, customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :p",
		Values: dynamo.Item{":p": dynamo.S(keys.CallsOf(phone, customer))},
	}
}

// Of lists the calls of a conversation, whose customer has had the keys, in no particular order.
func (s *Calls) Of(ctx context.Context, phone model.PhoneNumberID, customers []model.CustomerID) ([]model.Call, error) {
	var rows []dynamo.Item
	for _, customer := range customers {
		more, err := s.DB.Rows(ctx, Query(phone, customer))
		if err != nil {
			return nil, fmt.Errorf("list calls: %w", err)
		}
		rows = append(rows, more...)
	}
	all, err := dynamo.Whole[model.Call](ctx, s.DB, tables.Messages, rows)
	if err != nil {
		return nil, fmt.Errorf("list calls: %w", err)
	}
	return all, nil
}

// CountCalls names the count of erased calls.
const CountCalls = "calls"

// Erase removes the calls of customers, and the events that end them. count returns the writes by which an audit record
// counts, for each transaction. A webhook that tells of such a call later stores nothing, because the erasure of
// the identifiers is recorded. It returns outbox.ErrLeased while Meta is asked to end a call.
func (s *Calls) Erase(
	ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID, customers []model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	all, err := s.Of(ctx, phone, customers)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(c model.Call) bool { return c.Asked != nil }) {
		if err := s.eraseEvents(ctx, tenant, phone, customers, count); err != nil {
			return err
		}
	}
	for batch := range slices.Chunk(all, 50) {
		writes := count(CountCalls, len(batch))
		for _, c := range batch {
			writes = append(writes, dynamo.Delete{Table: tables.Messages, Key: keys.ByPK(c.PK), If: dynamo.IfPresent})
		}
		if err := s.DB.Transact(ctx, writes); err != nil {
			return fmt.Errorf("erase calls: %w", dynamo.Conflict(err))
		}
	}
	return nil
}

// eraseEvents removes the events that end the calls with customers. It returns outbox.ErrLeased while Meta is asked.
func (s *Calls) eraseEvents(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	customers []model.CustomerID, count func(name string, n int) []dynamo.Write) error {
	for _, customer := range customers {
		_, err := s.Outbox.Erase(ctx, entity(tenant, phone, customer),
			func(_ context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
				return count(sending.CountEvents, len(removed)), nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}
