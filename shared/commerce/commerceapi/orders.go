package commerceapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/owner"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/problem"
)

func (o *service) orders() {
	const path = "/v1/stores/{storeId}/orders"
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-order", Method: http.MethodPost, Path: path, Tags: []string{ordersTag},
		Summary: "Make an order",
		Description: "At today's prices. It is confirmed at once where the store says so. The customer is told by " +
			"WhatsApp, if they have a conversation with one of the store's numbers.",
		Security: httpapi.Needs(httpapi.OrdersWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *createOrderInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetStore, in.StoreID)
	}, o.createOrder)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-orders", Method: http.MethodGet, Path: path, Tags: []string{ordersTag},
		Summary:     "List a store's orders, newest first",
		Description: "In a state, of a customer, between two times. It may take a moment until a change shows.",
		Security:    httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listOrders)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-order", Method: http.MethodGet, Path: path + "/{orderId}", Tags: []string{ordersTag},
		Summary: "Get an order", Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *OrderInput) (*orderOutput, error) {
		store, id, err := o.order(ctx, in)
		if err != nil {
			return nil, err
		}
		order, err := o.shop.Orders.Get(ctx, store.ID, id)
		return o.answer(ctx, order, err)
	})
	operations.Read(o.Registry, huma.Operation{
		OperationID: "find-order", Method: http.MethodGet, Path: "/v1/orders/{orderId}", Tags: []string{ordersTag},
		Summary: "Find an order by its number", Description: "It may take a moment until a new order is found.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.findOrder)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "edit-order", Method: http.MethodPatch, Path: path + "/{orderId}", Tags: []string{ordersTag},
		Summary: "Change an order that is not being prepared yet",
		Description: "What is left out stays as it is. The lines get today's prices. The lines before stay in " +
			"the history.",
		Security: httpapi.Needs(httpapi.OrdersWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *editOrderInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetOrder, in.OrderID)
	}, o.editOrder)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "move-order", Method: http.MethodPost, Path: path + "/{orderId}/move", Tags: []string{ordersTag},
		Summary: "Bring an order into another state",
		Description: "pending, confirmed, preparing, ready, out_for_delivery, delivered; cancelled and refunded " +
			"need a reason. The customer is told by WhatsApp.",
		Security: httpapi.Needs(httpapi.OrdersWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *moveOrderInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetOrder, in.OrderID)
	}, o.moveOrder)
}

// OrderInput names a store's order.
type OrderInput struct {
	StoreInput
	OrderID string `path:"orderId" maxLength:"64" example:"ORD-20240115-AB12CD34" doc:"The order's number."`
}

// order finds the store whose order a request names, and the order's id.
func (o *service) order(ctx context.Context, in *OrderInput) (commercemodel.Store, model.Name, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return store, "", err
	}
	id, err := name(in.OrderID)
	return store, id, err
}

// OrderedItem is one thing that is ordered.
type OrderedItem struct {
	ProductID string           `json:"productId" minLength:"1" maxLength:"64" pattern:"^[^#/]+$" doc:"Which product."`
	SKU       string           `json:"sku,omitempty" maxLength:"64" pattern:"^[^#/]*$" doc:"Which variant of it."`
	Quantity  Quantity         `json:"quantity,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,6})?$" example:"2" doc:"How many units or packs."`
	Worth     operations.Money `json:"worth,omitempty" pattern:"^[0-9]{1,8}(\\.[0-9]{1,2})?$" doc:"So much money's worth of what is sold loose, in place of a quantity."`
}

// wanted returns what a request orders.
func wanted(items []OrderedItem) ([]orders.Wanted, error) {
	all := make([]orders.Wanted, len(items))
	for i, item := range items {
		all[i] = orders.Wanted{Product: model.Name(item.ProductID), SKU: model.Name(item.SKU)}
		if item.Quantity != "" {
			q, err := decimal.NewFromString(string(item.Quantity))
			if err != nil {
				return nil, httpapi.Invalid("body.items", "not a number")
			}
			all[i].Quantity = model.Amount{Decimal: q}
		}
		if item.Worth != "" {
			worth, err := item.Worth.Amount("body.items.worth")
			if err != nil {
				return nil, err
			}
			all[i].Worth = &worth
		}
	}
	return all, nil
}

type createOrderInput struct {
	StoreInput
	operations.Keyed
	Body struct {
		Customer        string        `json:"customer" minLength:"1" maxLength:"131" example:"+919876543210" doc:"The customer's number with its country code, or Meta's user id."`
		CustomerName    string        `json:"customerName,omitempty" maxLength:"120" doc:"What the customer is called."`
		CustomerGSTIN   string        `json:"customerGstin,omitempty" maxLength:"15" example:"27AAPFU0939F1ZV" doc:"The GSTIN of a customer who buys for a business. A supply into another state has IGST."`
		Items           []OrderedItem `json:"items" minItems:"1" maxItems:"100" doc:"What is ordered."`
		Channel         string        `json:"channel,omitempty" enum:"whatsapp,sms,web,rcs" default:"web" doc:"Where the order comes from."`
		PaymentMethod   string        `json:"paymentMethod,omitempty" enum:"cod,upi,card,credit" doc:"One that the store takes; its first where it is left out."`
		DeliveryAddress string        `json:"deliveryAddress,omitempty" maxLength:"500" doc:"Where to."`
		DeliveryNotes   string        `json:"deliveryNotes,omitempty" maxLength:"500" doc:"What else to know."`
		Fulfilment      string        `json:"fulfilment,omitempty" enum:"delivery,pickup" doc:"Whether it is brought or fetched."`
		WantedAt        string        `json:"wantedAt,omitempty" maxLength:"80" example:"tomorrow at 10" doc:"When the customer wants it, in their words."`
		Code            string        `json:"code,omitempty" maxLength:"20" doc:"A discount code. One that does not count refuses the order; one that takes nothing off is not used."`
	}
}

type orderLine struct {
	ProductID string           `json:"productId" doc:"Which product."`
	SKU       string           `json:"sku,omitempty" doc:"Which variant."`
	Name      string           `json:"name" doc:"What it was called."`
	Quantity  Quantity         `json:"quantity" doc:"How many units or packs."`
	Unit      string           `json:"unit" doc:"Of what."`
	Price     operations.Money `json:"price" doc:"Of one, when it was ordered."`
	Amount    operations.Money `json:"amount" doc:"What the line costs."`
	TaxRate   Quantity         `json:"taxRate,omitempty" doc:"GST in per cent, when it was ordered."`
	HSN       string           `json:"hsn,omitempty" doc:"The code of the good for GST, when it was ordered."`
}

type orderChange struct {
	At        string           `json:"at" doc:"When."`
	By        string           `json:"by" doc:"A person's subject, customer, or automatic."`
	AllowedBy string           `json:"allowedBy,omitempty" doc:"Who has allowed it, where it took a second person."`
	Status    string           `json:"status,omitempty" doc:"The state that it came into."`
	Reason    string           `json:"reason,omitempty" doc:"Why."`
	Items     []orderLine      `json:"itemsBefore,omitempty" doc:"What was ordered before."`
	Total     operations.Money `json:"totalBefore,omitempty" doc:"What it cost before."`
	Version   int64            `json:"version" doc:"The version that the change made."`
}

type orderShortage struct {
	ProductID string   `json:"productId" doc:"Which product."`
	SKU       string   `json:"sku,omitempty" doc:"Which variant."`
	Name      string   `json:"name" doc:"What it is called."`
	Missing   Quantity `json:"missing" doc:"How much of it the stock lacked."`
}

type orderShown struct {
	ID              string           `json:"id" doc:"The order's number."`
	StoreID         string           `json:"storeId" doc:"Of which store."`
	Version         int64            `json:"version" doc:"Increases with every change."`
	Status          string           `json:"status" enum:"pending,confirmed,preparing,ready,out_for_delivery,delivered,cancelled,refunded" doc:"How far it is."`
	Next            []string         `json:"next" doc:"The states that it may come into."`
	Reason          string           `json:"reason,omitempty" doc:"Why it came into its state."`
	CustomerID      string           `json:"customerId" doc:"Stands for the customer."`
	Customer        string           `json:"customer,omitempty" doc:"The customer's number or user id."`
	CustomerName    string           `json:"customerName,omitempty" doc:"What the customer is called."`
	PaidAt          string           `json:"paidAt,omitempty" doc:"When it was paid through WhatsApp."`
	PaidAmount      string           `json:"paidAmount,omitempty" doc:"What was paid then."`
	CustomerGSTIN   string           `json:"customerGstin,omitempty" doc:"The GSTIN of a customer who buys for a business."`
	Items           []orderLine      `json:"items" doc:"What is ordered."`
	Total           operations.Money `json:"total" doc:"What it costs."`
	Bill            *billShown       `json:"bill,omitempty" doc:"How the total comes about, where it is not that of the lines alone."`
	Channel         string           `json:"channel" enum:"whatsapp,sms,web,rcs" doc:"Where it comes from."`
	Language        string           `json:"language,omitempty" doc:"In which the customer wrote."`
	Intent          string           `json:"intent,omitempty" doc:"What the customer's words were taken for."`
	Confidence      Quantity         `json:"confidence,omitempty" doc:"How sure that is, from 0 to 1."`
	PaymentMethod   string           `json:"paymentMethod,omitempty" doc:"How it is paid."`
	DeliveryAddress string           `json:"deliveryAddress,omitempty" doc:"Where to."`
	DeliveryNotes   string           `json:"deliveryNotes,omitempty" doc:"What else to know."`
	Fulfilment      string           `json:"fulfilment,omitempty" enum:"delivery,pickup" doc:"Whether it is brought or fetched."`
	WantedAt        string           `json:"wantedAt,omitempty" doc:"When the customer wants it, in their words."`
	Slot            *orderSlot       `json:"slot,omitempty" doc:"When the store brings it, where it has such times."`
	TrackingID      string           `json:"trackingId,omitempty" doc:"By which the delivery can be followed."`
	OpensAt         string           `json:"opensAt,omitempty" doc:"When the store opens, for an order that came while it was closed."`
	Oversold        []orderShortage  `json:"oversold,omitempty" doc:"What the stock lacked when it was confirmed."`
	History         []orderChange    `json:"history" doc:"What happened to it."`
	CreatedAt       string           `json:"createdAt" doc:"When it was made."`
	UpdatedAt       string           `json:"updatedAt" doc:"When it changed last."`
	ExpiresAt       string           `json:"expiresAt,omitempty" doc:"When it is deleted."`
}

type orderOutput struct{ Body orderShown }

func showLines(lines []commercemodel.Line) []orderLine {
	all := make([]orderLine, len(lines))
	for i, l := range lines {
		all[i] = orderLine{
			ProductID: string(l.ProductID), SKU: string(l.SKU), Name: l.Name, Quantity: Quantity(l.Quantity.String()),
			Unit:  l.Unit,
			Price: operations.MoneyOf(l.Price), Amount: operations.MoneyOf(l.Amount),
			TaxRate: shown(l.TaxRate), HSN: l.HSN,
		}
	}
	return all
}

// answer returns an answer with an order.
func (o *service) answer(ctx context.Context, order commercemodel.Order, err error) (*orderOutput, error) {
	if err != nil {
		return nil, err
	}
	customer, err := o.shop.Shown(ctx, order)
	if err != nil {
		return nil, err
	}
	return &orderOutput{showOrder(order, customer(order))}, nil
}

func showOrder(o commercemodel.Order, customer string) orderShown {
	all := orderShown{
		ID: string(o.ID), StoreID: string(o.StoreID), Version: o.Version, Status: string(o.Status), Next: []string{},
		Reason:     o.Reason,
		CustomerID: string(o.CustomerID), Customer: customer, CustomerName: model.ShownLine(o.CustomerName),
		Items: showLines(o.Items), Total: operations.MoneyOf(o.TotalAmount), Bill: showBill(o.Bill),
		Channel: string(o.Channel), Language: o.Language, Intent: o.Intent, Confidence: shown(o.Confidence),
		PaymentMethod:   o.PaymentMethod,
		CustomerGSTIN:   o.CustomerGSTIN,
		DeliveryAddress: o.DeliveryAddress, DeliveryNotes: o.DeliveryNotes, Fulfilment: o.Fulfilment,
		WantedAt: o.WantedAt, TrackingID: o.TrackingID, OpensAt: string(o.OpensAt),
		Slot:    showOrderSlot(o.Slot),
		History: []orderChange{}, CreatedAt: string(o.CreatedAt), UpdatedAt: string(o.UpdatedAt),
		ExpiresAt: expires(o.TTL),
	}
	if o.Paid != nil {
		all.PaidAt, all.PaidAmount = string(o.Paid.At), o.Paid.Amount.StringFixed(2)
	}
	for _, next := range orders.StateOf(o.Status).Next {
		all.Next = append(all.Next, string(next))
	}
	for _, s := range o.Oversold {
		all.Oversold = append(all.Oversold,
			orderShortage{string(s.ProductID), string(s.SKU), s.Name, Quantity(s.Missing.String())})
	}
	for _, c := range o.History {
		change := orderChange{
			At: string(c.At), By: c.By, AllowedBy: c.AllowedBy, Status: string(c.Status), Reason: c.Reason,
			Version: c.Version}
		if c.Lines != nil {
			change.Items = showLines(c.Lines)
		}
		if c.Total != nil {
			change.Total = operations.MoneyOf(*c.Total)
		}
		all.History = append(all.History, change)
	}
	return all
}

func (o *service) createOrder(ctx context.Context, in *createOrderInput,
	found commercemodel.Store) (*orderOutput, error) {
	customer, err := o.customer(ctx, found, in.Body.Customer, "body.customer")
	if err != nil {
		return nil, err
	}
	items, err := wanted(in.Body.Items)
	if err != nil {
		return nil, err
	}
	request, err := in.RequestOf(ctx, found.TenantID, string(found.ID), "create-order", []any{in.StoreID, in.Body})
	if err != nil {
		return nil, err
	}
	draft := orders.Draft{
		Who: orders.Who{Customer: customer, Name: in.Body.CustomerName}, Wanted: items,
		Channel:       commercemodel.Channel(in.Body.Channel),
		PaymentMethod: in.Body.PaymentMethod, DeliveryAddress: in.Body.DeliveryAddress,
		DeliveryNotes: in.Body.DeliveryNotes,
		Fulfilment:    in.Body.Fulfilment, WantedAt: in.Body.WantedAt, CodeName: in.Body.Code,
		CustomerGSTIN: in.Body.CustomerGSTIN,
		By:            httpapi.CallerOf(ctx).Subject,
		Seed:          request.ID(), At: o.shop.Now(),
	}
	if len(found.PhoneNumberIDs) > 0 {
		draft.Phone = found.PhoneNumberIDs[0]
	}
	order, err := o.shop.Orders.Create(ctx, found, draft, request)
	return o.answer(ctx, order, err)
}

func (o *service) findOrder(ctx context.Context, in *struct {
	OrderID string `path:"orderId" maxLength:"64" example:"ORD-20240115-AB12CD34" doc:"The order's number."`
}) (*orderOutput, error) {
	id, err := name(in.OrderID)
	if err != nil {
		return nil, err
	}
	order, err := o.shop.Orders.ByID(ctx, id)
	if err == nil && !httpapi.CallerOf(ctx).Sees(order.TenantID) {
		err = dynamo.ErrNotFound
	}
	return o.answer(ctx, order, err)
}

type editOrderInput struct {
	OrderInput
	Body struct {
		Version         int64         `json:"version" minimum:"1" doc:"The version that you have read."`
		Items           []OrderedItem `json:"items,omitempty" maxItems:"100" doc:"What is ordered from now on."`
		PaymentMethod   *string       `json:"paymentMethod,omitempty" enum:"cod,upi,card,credit" doc:"One that the store takes."`
		DeliveryAddress *string       `json:"deliveryAddress,omitempty" maxLength:"500" doc:"Where to."`
		DeliveryNotes   *string       `json:"deliveryNotes,omitempty" maxLength:"500" doc:"What else to know."`
		Fulfilment      *string       `json:"fulfilment,omitempty" enum:"delivery,pickup" doc:"Whether it is brought or fetched."`
		WantedAt        *string       `json:"wantedAt,omitempty" maxLength:"80" doc:"When the customer wants it, in their words."`
	}
}

func (o *service) editOrder(ctx context.Context, in *editOrderInput, found commercemodel.Store) (*orderOutput, error) {
	id, err := name(in.OrderID)
	if err != nil {
		return nil, err
	}
	edit := orders.Edit{
		DeliveryAddress: in.Body.DeliveryAddress, DeliveryNotes: in.Body.DeliveryNotes,
		PaymentMethod: in.Body.PaymentMethod,
		Fulfilment:    in.Body.Fulfilment, WantedAt: in.Body.WantedAt, By: httpapi.CallerOf(ctx).Subject,
		Version: in.Body.Version,
	}
	if in.Body.Items != nil {
		if edit.Wanted, err = wanted(in.Body.Items); err != nil {
			return nil, err
		}
	}
	order, err := o.shop.Orders.Edit(ctx, found, id, edit)
	return o.answer(ctx, order, err)
}

type moveOrderInput struct {
	OrderInput
	Body struct {
		Status  string `json:"status" enum:"confirmed,preparing,ready,out_for_delivery,delivered,cancelled,refunded" doc:"The state that it comes into."`
		Reason  string `json:"reason,omitempty" maxLength:"500" doc:"Why. The customer is told it."`
		Version int64  `json:"version,omitempty" minimum:"0" doc:"The version that you have read; leave it out to move whatever is there."`
	}
}

func (o *service) moveOrder(ctx context.Context, in *moveOrderInput, found commercemodel.Store) (*orderOutput, error) {
	id, err := name(in.OrderID)
	if err != nil {
		return nil, err
	}
	if to := commercemodel.OrderStatus(in.Body.Status); to == commercemodel.OrderRefunded {
		if err := o.maySinglyRefund(ctx, found, id); err != nil {
			return nil, err
		}
	}
	order, err := o.shop.Orders.Move(ctx, found.ID, id, orders.Move{
		To: commercemodel.OrderStatus(in.Body.Status), Reason: in.Body.Reason, By: httpapi.CallerOf(ctx).Subject,
		Version: in.Body.Version,
	})
	return o.answer(ctx, order, err)
}

// maySinglyRefund returns a problem for an order whose refund takes two people. The chat asks the second one.
func (o *service) maySinglyRefund(ctx context.Context, store commercemodel.Store, id model.Name) error {
	if store.Settings.RefundLimit == nil {
		return nil
	}
	order, err := o.shop.Orders.Get(ctx, store.ID, id)
	if err != nil || order.Status == commercemodel.OrderRefunded || !owner.TakesTwo(store, order) {
		return err
	}
	return problem.Breaks(orders.ErrMove, "takes-two-people", "It takes two people",
		"Refunds over %s take a second person. Ask for it in the chat, from a number of the team: refund %s, and why.",
		store.Settings.RefundLimit.StringFixed(2), order.OrderNumber)
}
