// Package orders owns the orders of stores: what they cost, which states they pass, and who may find them. What follows
// from an order (stock, figures, what the customer is told) is done by the orders table's stream.
package orders

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/codes"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The rules that an order may break.
var (
	ErrLines   = errors.New("the lines of the order are wrong")
	ErrStock   = errors.New("not enough in stock")
	ErrClosed  = errors.New("the store takes no orders")
	ErrMinimum = errors.New("below the store's minimum")
	ErrMove    = errors.New("an order cannot make this move")
	ErrStale   = errors.New("changed since it was read")
	ErrDetails = errors.New("the details of the order are wrong")
	ErrCredit  = errors.New("not on credit")
)

// ByAutomatic says that the store's settings have confirmed an order, and nobody else.
const ByAutomatic = "automatic"

// OnCredit is the payment method of an order that goes into the credit book when the customer has it.
const OnCredit = "credit"

// Credit is the credit book, which limits what a customer may buy on credit.
type Credit interface {
	// Count returns the writes by which an open order counts against its customer's limit, with what it comes to. Zero
	// ends that. It returns a problem for an order that is beyond the limit.
	Count(ctx context.Context, store, customer, order model.Name, amount model.Amount) ([]dynamo.Write, error)
}

// Orders reads and writes orders.
type Orders struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Credit Credit // nil if there is no credit book
}

// CountCredit returns the writes by which an order that changes, or is made, counts against what its customer may owe,
// for the transaction that writes the order. An open order on credit counts. One that the customer has got counts until
// the credit book has its sale, which ends that. It returns ErrCredit for an order that is beyond the limit.
func (o *Orders) CountCredit(ctx context.Context, was, is commercemodel.Order) ([]dynamo.Write, error) {
	got := !StateOf(is.Status).Open() && StateOf(is.Status).Taken
	before, now := onCredit(was), onCredit(is)
	if o.Credit == nil || got || before.Equal(now.Decimal) {
		return nil, nil
	}
	writes, err := o.Credit.Count(ctx, is.StoreID, is.CreditAccount(), is.ID, now)
	var rule *problem.Error
	if errors.As(err, &rule) {
		return nil, fmt.Errorf("%w: %w", ErrCredit, err)
	}
	return writes, err
}

// onCredit returns what an order counts against what its customer may owe.
func onCredit(order commercemodel.Order) model.Amount {
	if order.PaymentMethod != OnCredit || !StateOf(order.Status).Open() {
		return model.Amount{}
	}
	return order.TotalAmount
}

// Who names the customer of an order.
type Who struct {
	Customer model.CustomerID // as in the conversation's key
	Name     string
	Phone    model.PhoneNumberID // the number that they write to; "" for none
}

// Draft is an order to make.
type Draft struct {
	Who
	Wanted          []Wanted
	Channel         commercemodel.Channel
	Language        string
	Intent          string
	Confidence      *model.Amount
	Entities        []commercemodel.Entity
	PaymentMethod   string // "" for the store's first
	DeliveryAddress string
	DeliveryNotes   string
	Fulfilment      string // delivery or pickup; "" if nobody has said it
	WantedAt        string // when the customer wants it, in their words
	// the time in which the store brings it; nil for none
	Slot          *commercemodel.TakenSlot
	CustomerGSTIN string // of a customer who buys for a business; "" for none
	CodeName      string // of a discount code, for Create, which reads it; "" for none
	// Code is what takes something off the order; nil for none.
	Code    *commercemodel.UsedCode
	By      string          // a person's subject, or customer
	Waits   bool            // for the shop to confirm it, even where the store confirms at once
	Message model.MessageID // that confirmed it; "" for none
	// Seed makes the id: a repeated draft has the id of the first. Its day is that of At.
	Seed string
	At   time.Time
}

// CustomerPhone returns how orders and sessions name a customer: by the number in E.164, or by Meta's user id.
func CustomerPhone(customer model.CustomerID) model.Name {
	if digits := whatsapp.Digits(string(customer)); digits == string(customer) {
		return model.Name("+" + digits)
	}
	return model.Name(customer)
}

// CustomerID returns the id of a tenant's customer. The number cannot be read in it.
func CustomerID(tenant model.TenantID, customer model.CustomerID) model.Name {
	return model.Name("CUST-" + keys.Code(8, string(tenant), string(customer)))
}

// ID returns the id of an order that is made of a seed.
func ID(store commercemodel.Store, seed string, at time.Time) model.Name {
	return keys.OrderNumber(at.In(stores.Zone(store)).Format("20060102"), keys.Code(8, string(store.ID), seed))
}

// Ref refers to an order.
func Ref(store, id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Orders, Key: keys.Order(store, id)}
}

// In returns the order that a batch has read, or dynamo.ErrNotFound.
func In(found dynamo.Found, store, id model.Name) (order commercemodel.Order, err error) {
	item := Ref(store, id).Found(found)
	if item == nil {
		return order, dynamo.ErrNotFound
	}
	return order, dynamo.Unmarshal(item, &order)
}

// Prepare returns an order and the write that makes it, for the caller's transaction. Its condition is that there is no
// order with its id. It returns ErrClosed, ErrLines, ErrStock, ErrMinimum and ErrDetails.
func (o *Orders) Prepare(store commercemodel.Store, articles Articles,
	d Draft) (commercemodel.Order, dynamo.Write, error) {
	var order commercemodel.Order
	if store.Status != commercemodel.StoreActive {
		return order, nil, problem.Breaks(ErrClosed, "store-closed", "Store closed", "The store takes no orders.")
	}
	lines, total, err := articles.Price(d.Wanted)
	if err != nil {
		return order, nil, err
	}
	if err := articles.InStock(lines); err != nil {
		return order, nil, err
	}
	if err := minimum(store, total); err != nil {
		return order, nil, err
	}
	payment, err := payment(store, d.PaymentMethod)
	if err != nil {
		return order, nil, err
	}
	at := model.At(d.At)
	order = commercemodel.Order{
		StoreID: store.ID, ID: ID(store, d.Seed, d.At), CustomerID: CustomerID(store.TenantID, d.Customer),
		CustomerPhone: CustomerPhone(d.Customer), CustomerName: d.Name,
		Items: lines, TotalAmount: total, Status: pending, Channel: d.Channel, Language: d.Language, Intent: d.Intent,
		Confidence: d.Confidence, Entities: d.Entities,
		PaymentMethod: payment, DeliveryAddress: strings.TrimSpace(d.DeliveryAddress),
		DeliveryNotes: strings.TrimSpace(d.DeliveryNotes),
		Fulfilment:    d.Fulfilment, WantedAt: strings.TrimSpace(d.WantedAt),
		CreatedAt: at, UpdatedAt: at, TenantID: store.TenantID, Date: stores.Date(store, d.At), PhoneNumberID: d.Phone,
		Customer: d.Customer, MessageID: d.Message,
		History: []commercemodel.Change{{At: at, By: d.By, Status: pending, Version: 1}},
	}
	order.OrderNumber, order.Code, order.Slot = order.ID, d.Code, d.Slot
	order.CustomerGSTIN = strings.ToUpper(d.CustomerGSTIN)
	if order.CustomerGSTIN != "" && !stores.IsGSTIN(order.CustomerGSTIN) {
		return order, nil, problem.Wrong(ErrDetails, "body.customerGstin", "not a GSTIN")
	}
	bill(store, &order, total)
	if order.Bill == nil || order.Bill.Code == "" {
		order.Code = nil // it takes nothing off, and is not used
	}
	if store.Settings.Confirmation == commercemodel.ConfirmAutomatic && !d.Waits {
		order.Status = confirmed
		order.History = append(order.History,
			commercemodel.Change{At: at, By: ByAutomatic, Status: confirmed, Version: 1})
	}
	if !stores.Open(store, d.At) {
		if opens := stores.OpensAt(store, d.At); !opens.IsZero() {
			order.OpensAt = model.At(opens)
		}
	}
	if days := store.Settings.OrderDays; days > 0 {
		order.TTL = d.At.AddDate(0, 0, days).Unix()
	}
	setKeys(&order)
	put, err := dynamo.PutVersion(tables.Orders, &order)
	put.If = "attribute_not_exists(id)"
	return order, put, err
}

// setKeys sets an order's index keys.
func setKeys(o *commercemodel.Order) {
	o.GSI1PK, o.GSI1SK = "", ""
	if o.CustomerPhone != "" {
		o.GSI1PK, o.GSI1SK = keys.OrdersOfCustomer(o.CustomerPhone), o.CreatedAt
	}
	o.GSI2PK, o.GSI2SK = keys.OrdersOfDay(o.StoreID, o.Date), o.CreatedAt
	o.GSI3PK, o.GSI3SK = keys.OrdersInState(o.StoreID, string(o.Status)), o.CreatedAt
}

// minimum returns ErrMinimum for a total below the store's minimum.
func minimum(store commercemodel.Store, total model.Amount) error {
	if m := store.Settings.MinOrderAmount; m != nil && total.LessThan(m.Decimal) {
		return problem.Breaks(ErrMinimum, "below-minimum", "Below the minimum",
			"The store takes orders from %s %s; this one comes to %s.",
			store.Settings.Currency, m.StringFixed(2), total.StringFixed(2))
	}
	return nil
}

// payment returns how an order is paid.
func payment(store commercemodel.Store, asked string) (string, error) {
	methods := store.Settings.PaymentMethods
	if asked == "" && len(methods) > 0 {
		return methods[0], nil
	}
	for _, method := range methods {
		if method == asked {
			return asked, nil
		}
	}
	return "", problem.Wrong(ErrDetails, "body.paymentMethod", "the store takes %s", strings.Join(methods, ", "))
}

// Create makes an order, with the discount code that the draft names. A repeated request gets the first one's answer.
func (o *Orders) Create(ctx context.Context, store commercemodel.Store, d Draft,
	request idempotency.Request) (order commercemodel.Order, err error) {
	return order, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		refs := append(append(request.Refs(), stores.Ref(store.ID)), ArticleRefs(store.ID, d.Wanted)...)
		name, ok := codes.Parse(d.CodeName)
		customer := CustomerID(store.TenantID, d.Customer)
		switch {
		case ok:
			refs = append(refs, codes.Refs(store.ID, name, customer)...)
		case d.CodeName != "":
			return problem.Wrong(ErrDetails, "body.code", "%s", faults[codes.Unknown])
		}
		found, err := o.DB.BatchGet(ctx, refs)
		if err != nil {
			return err
		}
		var made struct{ Order model.Name }
		if done, err := request.Earlier(found, o.Now(), &made); err != nil {
			return err
		} else if done {
			order, err = o.Get(ctx, store.ID, made.Order)
			return err
		}
		if store, err = stores.In(found, store.ID); err != nil {
			return err
		}
		articles, err := ArticlesIn(found, store.ID, d.Wanted)
		if err != nil {
			return err
		}
		var used commercemodel.Code
		if ok {
			if used, err = counting(found, store, name, customer, d.At); err != nil {
				return err
			}
			d.Code = used.Taken()
		}
		var put dynamo.Write
		if order, put, err = o.Prepare(store, articles, d); err != nil {
			return err
		}
		var uses []dynamo.Write
		if order.Code != nil {
			uses = codes.Use(used, customer)
		}
		counted, err := o.CountCredit(ctx, commercemodel.Order{}, order)
		if err != nil {
			return err
		}
		made.Order = order.ID
		record, err := request.Writes(o.Now(), made)
		if err != nil {
			return err
		}
		return dynamo.Conflict(o.DB.Write(ctx, slices.Concat(record, counted, uses, []dynamo.Write{put})))
	})
}

// counting returns a code that counts for a customer now, or ErrDetails.
func counting(found dynamo.Found, store commercemodel.Store, code, customer model.Name,
	at time.Time) (commercemodel.Code, error) {
	c, fault, err := codes.In(found, store.ID, code, customer, stores.Date(store, at))
	if err == nil && fault != "" {
		err = problem.Wrong(ErrDetails, "body.code", "%s", faults[fault])
	}
	return c, err
}

var faults = map[codes.Fault]string{
	codes.Unknown: "the store has no such code", codes.Early: "it does not count yet", codes.Expired: "it has expired",
	codes.UsedUp: "it is used up", codes.Yours: "this customer has used it already",
}

// Get returns a store's order, or dynamo.ErrNotFound.
func (o *Orders) Get(ctx context.Context, store, id model.Name) (order commercemodel.Order, err error) {
	return order, o.DB.Get(ctx, tables.Orders, keys.Order(store, id), &order)
}

// ByID returns an order of any store, or dynamo.ErrNotFound. The index may be behind by a moment.
func (o *Orders) ByID(ctx context.Context, id model.Name) (order commercemodel.Order, err error) {
	page, err := o.DB.Query(ctx, dynamo.Query{
		Table: tables.Orders, Index: tables.IndexOrderByID, Where: "id = :id", Values: dynamo.Item{":id": dynamo.S(id)},
		Limit: 1,
	})
	if err != nil {
		return order, fmt.Errorf("order by id: %w", err)
	}
	if len(page.Items) == 0 {
		return order, dynamo.ErrNotFound
	}
	return order, dynamo.Unmarshal(page.Items[0], &order)
}
