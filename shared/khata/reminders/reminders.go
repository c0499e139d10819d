// Package reminders reminds customers who owe. Planning finds whose reminder comes up, in an index of balances, and
// writes it down; sending finds what is due, in an index of reminders, and decides anew: what is owed then is what the
// customer is told. A customer has one reminder for each period, because its id follows from the store, the customer
// and the period.
package reminders

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/tenancy"
)

// Sender prepares WhatsApp messages: sending.Sender.
type Sender interface {
	sending.Preparer
	Outbox() *outbox.Outbox
}

// Texting prepares messages by SMS: texting.Texting.
type Texting interface {
	Prepare(ctx context.Context, text texting.Text, found dynamo.Found) (eventID string, writes []dynamo.Write,
		err error)
}

// Contacts knows the people behind addresses: contacts.Contacts.
type Contacts interface {
	AddressRefs(phone model.PhoneNumberID, customer model.CustomerID) []dynamo.Ref
	Address(
		ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID, found dynamo.Found,
	) (contacts.Addressee, error)
}

// Reminders plans and sends reminders.
type Reminders struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Domain   string // in the purpose of messages
	Shops    shop.Shops
	Sender   Sender
	Texting  Texting
	Contacts Contacts
	Numbers  tenancy.StoreFinder
	Codes    *Codes // nil if no reminder shows a QR code
}

// Codes has reminders show links to pay as QR codes.
type Codes struct {
	Post papers.Post
	Draw func(link string) ([]byte, error) // returns a PNG picture: paycode.PNG
}

// The metrics of reminders.
var (
	Planned = telemetry.Metric{Name: "RemindersPlanned", Unit: "Count", Series: telemetry.LogOnly}
	// handed over for sending
	Sent      = telemetry.Metric{Name: "RemindersSent", Unit: "Count", Series: telemetry.LogOnly}
	Cancelled = telemetry.Metric{Name: "RemindersCancelled", Unit: "Count", Series: telemetry.LogOnly}
	// given up, or refused by WhatsApp
	Failed = telemetry.Metric{Name: "RemindersFailed", Unit: "Count", Series: telemetry.PerStage}
)

// Lifetime is how long a reminder is kept after the time for which it was scheduled first.
const Lifetime = 7 * 24 * time.Hour

// newReminder returns a reminder that is to be sent from an instant on.
func newReminder(s shop.Shop, b khatamodel.Balance, f khatamodel.Frequency, slot, at,
	now time.Time) khatamodel.Reminder {
	r := khatamodel.Reminder{
		ReminderID: keys.ReminderID(s.ID, b.CustomerPhone, string(f), s.Period(f, slot)), StoreID: s.ID,
		CustomerPhone: b.CustomerPhone, TenantID: s.Tenant,
		OutstandingAmount: b.OutstandingBalance, Status: khatamodel.Scheduled, Frequency: f, SlotAt: model.At(slot),
		ScheduledAt:  model.At(at),
		ReminderType: channel(s, b), Language: language(s, b), GSI1PK: keys.StoreScope(s.ID), CreatedAt: model.At(now),
		TTL:       at.Add(Lifetime).Unix(),
		DueBucket: keys.DueBucket(s.ID, b.CustomerPhone),
	}
	r.MessageTemplate = templateOf(s, b.OutstandingBalance, r.ReminderType)
	key := keys.Reminder(r.ReminderID)
	r.PK, r.SK, r.GSI1SK = key.Partition, key.Sort, keys.ReminderStatus(string(r.Status), r.ScheduledAt)
	return r
}

// ref refers to a reminder.
func ref(id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.PaymentReminders, Key: keys.Reminder(id)}
}

// Get returns a reminder of a store, or dynamo.ErrNotFound.
func (r *Reminders) Get(ctx context.Context, store, id model.Name) (one khatamodel.Reminder, err error) {
	at := ref(id)
	if err := r.DB.Get(ctx, at.Table, at.Key, &one); err != nil {
		return one, err
	}
	if one.StoreID != store {
		return khatamodel.Reminder{}, dynamo.ErrNotFound
	}
	return one, nil
}

// run is one pass over what is due. It remembers the stores that it meets.
type run struct {
	*Reminders
	sends bool // so that it needs the stores' numbers
	mu    sync.Mutex
	shops map[model.Name]*met
}

// met is a store, and the number from which it reminds; "" if it has none.
type met struct {
	shop.Shop
	phone model.PhoneNumberID
	once  sync.Once
	err   error
}

// maxMet bounds the memory.
const maxMet = 1000

// shop returns a store with its number, or dynamo.ErrNotFound.
func (r *run) shop(ctx context.Context, id model.Name) (*met, error) {
	r.mu.Lock()
	one := r.shops[id]
	if one == nil {
		if r.shops == nil || len(r.shops) >= maxMet {
			r.shops = map[model.Name]*met{}
		}
		one = &met{}
		r.shops[id] = one
	}
	r.mu.Unlock()
	one.once.Do(func() {
		if one.Shop, one.err = r.Shops.Shop(ctx, id); one.err == nil && r.sends {
			if one.phone, one.err = one.Number(ctx, r.Numbers); errors.Is(one.err, shop.ErrNoNumber) {
				one.err = nil
			}
		}
	})
	return one, one.err
}

// failures counts what fails, and keeps the first failure, so that a hundred thousand take no memory.
type failures struct {
	mu    sync.Mutex
	count int
	first error
}

func (f *failures) add(err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count++; f.first == nil {
		f.first = err
	}
}

func (f *failures) error(doing string) error {
	if f.first == nil {
		return nil
	}
	return fmt.Errorf("%s reminders: %d failed, the first: %w", doing, f.count, f.first)
}

// end returns the update that ends a reminder, or that has it wait for another time. The condition is that it is as it
// was read.
func end(was, is khatamodel.Reminder) dynamo.Update {
	w := dynamo.Update{
		Table: tables.PaymentReminders, Key: keys.Reminder(was.ReminderID),
		If:     "#status = :was AND scheduled_at = :when",
		Values: dynamo.Item{":was": dynamo.S(was.Status), ":when": dynamo.S(was.ScheduledAt)},
	}
	var do dynamo.Do
	set := func(name string, value dynamo.AttributeValue) {
		do.Set = append(do.Set, "#"+name+" = :"+name)
		w.Values[":"+name] = value
	}
	set("status", dynamo.S(is.Status))
	set("gsi1sk", dynamo.S(keys.ReminderStatus(string(is.Status), is.ScheduledAt)))
	if is.ScheduledAt != was.ScheduledAt {
		set("scheduled_at", dynamo.S(is.ScheduledAt))
	}
	if is.RetryCount != was.RetryCount {
		set("retry_count", dynamo.N(is.RetryCount))
	}
	if is.Rounds != was.Rounds {
		set("rounds", dynamo.N(is.Rounds))
	}
	if is.FailureReason != nil {
		set("failure_reason", dynamo.S(*is.FailureReason))
	}
	if is.DueBucket != was.DueBucket {
		set("due_bucket", dynamo.S(is.DueBucket))
	}
	if is.SentAt != was.SentAt {
		set("sent_at", dynamo.S(*is.SentAt))
		set("outstanding_amount", dynamo.Number(is.OutstandingAmount.String()))
		set("reminder_type", dynamo.S(is.ReminderType))
		set("message_template", dynamo.S(is.MessageTemplate))
		set("language", dynamo.S(is.Language))
		set("outbox_event_id", dynamo.S(is.OutboxEventID))
		if is.MessageID != "" {
			set("message_id", dynamo.S(is.MessageID))
		}
	}
	if is.Status != khatamodel.Scheduled {
		do.Remove = append(do.Remove, "due_bucket")
	}
	w.Do = do.String()
	return w
}

// become writes what has become of a reminder. It returns dynamo.ErrConflict if it has changed since it was read.
func (r *Reminders) become(ctx context.Context, was, is khatamodel.Reminder) error {
	err := r.DB.Update(ctx, end(was, is))
	return dynamo.Conflict(err)
}

// isGone reports whether an error says that something is not there.
func isGone(err error) bool { return errors.Is(err, dynamo.ErrNotFound) }
