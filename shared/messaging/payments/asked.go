package payments

import (
	"encoding/json"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// ErrReferenceUsed means that there is an order with the reference already.
var ErrReferenceUsed = problem.New("the reference of the order is used", problem.Error{
	Class: problem.Conflict, Code: "payment-reference-used", Title: "Reference used",
	Detail: "There is an order with this referenceId already. A reference is used once, by which its payment is " +
		"reported: choose another one.",
})

// Asked is an order that a message asks to be paid.
type Asked struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	Customer model.CustomerID
	Message  model.MessageID
	Purpose  model.Purpose
	Order    content.Order
}

// Ref returns the item of an order, which a caller of Writes has read.
func Ref(phone model.PhoneNumberID, reference string) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.PaymentOrder(phone, model.Name(reference))}
}

// hundredth is what an amount of a message counts in.
var hundredth = decimal.New(1, -2)

// Writes returns the writes of an order for the transaction of the message that asks for its payment. found holds the
// item of Ref. It returns ErrReferenceUsed. The condition is that there is no order with the reference.
func Writes(events *outbox.Outbox, now time.Time, of Asked, found dynamo.Found) ([]dynamo.Write, error) {
	if known := Ref(of.Phone, of.Order.ReferenceID).Found(found); known != nil {
		if dynamo.Text(known, "messageId") == string(of.Message) {
			return nil, nil // of this message, which is there as well: the transaction is refused because of it
		}
		return nil, ErrReferenceUsed
	}
	at := model.At(now)
	o := model.PaymentOrder{
		PK: keys.PaymentOrder(of.Phone, model.Name(of.Order.ReferenceID)).Partition, ItemType: model.ItemPaymentOrder,
		TenantID: of.Tenant, OrderID: of.Order.ReferenceID, ReferenceID: of.Order.ReferenceID,
		ConfigName: of.Order.Configuration(), CustomerPhone: string(of.Customer), Currency: of.Order.Currency,
		TotalAmount: model.Amount{Decimal: decimal.NewFromInt(int64(of.Order.Total)).Mul(hundredth)}, Status: pending,
		PaymentStatus: pending, CreatedAt: at, PhoneNumberID: of.Phone,
		FromPK: keys.PaymentOrdersOf(of.Tenant, of.Phone), ReceivedAt: at, MessageID: of.Message, Purpose: of.Purpose,
	}
	if ends := of.Order.Expires(); !ends.IsZero() {
		o.ExpiresAt = model.At(ends)
	}
	put, err := dynamo.PutVersion(tables.Messages, &o)
	if err != nil {
		return nil, err
	}
	put.If = dynamo.IfAbsent
	follow, err := plan(events, o, at)
	return []dynamo.Write{put, follow}, err
}

// EventFollow is the outbox event that looks at an order for which no payment has been told of, and EventPaid the one
// that tells the domains that an order is paid.
const (
	EventFollow = "payments.follow"
	EventPaid   = "payments.paid"
)

// named names an order in the payload of an event.
type named struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	ReferenceID   model.Name          `json:"referenceId"`
}

func nameOf(o model.PaymentOrder) named { return named{o.PhoneNumberID, model.Name(o.ReferenceID)} }

func entityOf(o model.PaymentOrder) outbox.Entity {
	return outbox.Entity{
		Tenant: o.TenantID, Type: keys.EntityPayment, ID: string(o.PhoneNumberID) + ":" + o.ReferenceID}
}

// plan returns the write that has an order looked at.
func plan(events *outbox.Outbox, o model.PaymentOrder, now model.Time) (dynamo.Write, error) {
	payload, err := json.Marshal(nameOf(o))
	if err != nil {
		return nil, err
	}
	of := entityOf(o)
	return events.Plan(outbox.Draft{
		Type: EventFollow, Tenant: of.Tenant, EntityType: of.Type, EntityID: of.ID, Payload: payload},
		model.At(nextLook(o, now.Go())))
}

// looks says how old an order is when it is looked at, until that happens once a day.
var looks = []time.Duration{15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}

// lasts is how long an order is looked at that says no end.
const lasts = 30 * 24 * time.Hour

// nextLook returns when an order is looked at next. It is looked at when it expires as well.
func nextLook(o model.PaymentOrder, now time.Time) time.Time {
	next := dueAfter(o.CreatedAt, now, looks)
	if ends := o.ExpiresAt.Go(); o.ExpiresAt != "" && ends.After(now) && ends.Before(next) {
		return ends
	}
	return next
}

// dueAfter returns the first time after now at which something has one of the ages, and a day from now after the last.
func dueAfter(since model.Time, now time.Time, ages []time.Duration) time.Time {
	for _, age := range ages {
		if at := since.Go().Add(age); at.After(now) {
			return at
		}
	}
	return now.Add(24 * time.Hour)
}
