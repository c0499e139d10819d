package content

import (
	"strings"
)

// Amount is an amount of money in hundredths of its currency.
type Amount int64

func (a Amount) graph() any { return object{"value": int64(a), "offset": 100} }

// Charge is an amount with what it is for.
type Charge struct {
	Amount      Amount `json:"amount" minimum:"0" maximum:"1000000000000" doc:"The amount, in hundredths of the currency."`
	Description string `json:"description,omitempty" maxLength:"60" doc:"What it is for."`
}

func (c Charge) graph() any { return with(c.Amount.graph().(object), "description", c.Description) }

// Discount is what is taken off an order.
type Discount struct {
	Amount      Amount `json:"amount" minimum:"0" maximum:"1000000000000" doc:"The amount, in hundredths of the currency."`
	Description string `json:"description,omitempty" maxLength:"60" doc:"What it is for."`
	Program     string `json:"program,omitempty" maxLength:"60" doc:"The name of the program that it belongs to."`
}

func (d Discount) graph() any {
	return with(Charge{d.Amount, d.Description}.graph().(object), "discount_program_name", d.Program)
}

// OrderItem is an item of an order.
type OrderItem struct {
	RetailerID      string  `json:"retailerId,omitempty" maxLength:"200" doc:"Your own id of the product."`
	Name            string  `json:"name" minLength:"1" maxLength:"60" doc:"What it is."`
	Amount          Amount  `json:"amount" minimum:"0" maximum:"1000000000000" doc:"The price of one, in hundredths of the currency."`
	SaleAmount      *Amount `json:"saleAmount,omitempty" minimum:"0" maximum:"1000000000000" doc:"The reduced price of one, which then counts."`
	Quantity        int     `json:"quantity" minimum:"1" maximum:"1000000" doc:"How many."`
	CountryOfOrigin string  `json:"countryOfOrigin,omitempty" maxLength:"100" doc:"Where it was made."`
	ImporterName    string  `json:"importerName,omitempty" maxLength:"200" doc:"Who imported it."`
}

// Order is an order to be paid. Its amounts add up.
type Order struct {
	ReferenceID          string           `json:"referenceId" minLength:"1" maxLength:"35" pattern:"^[A-Za-z0-9_.-]+$" doc:"Your own id of the order, by which its payment is reported. An id is used once."`
	Goods                string           `json:"goods" enum:"digital_goods,physical_goods" doc:"Whether something is shipped."`
	Currency             string           `json:"currency" pattern:"^[A-Z]{3}$" doc:"The currency, such as INR." example:"INR"`
	PaymentType          string           `json:"paymentType,omitempty" maxLength:"100" doc:"How it is paid, in WhatsApp's words, such as upi."`
	PaymentConfiguration string           `json:"paymentConfiguration,omitempty" maxLength:"60" doc:"The name of the payment configuration of the account."`
	PaymentSettings      []map[string]any `json:"paymentSettings,omitempty" maxItems:"10" doc:"Settings of payments, as WhatsApp writes them."`
	Items                []OrderItem      `json:"items" minItems:"1" maxItems:"999" doc:"What is ordered."`
	CatalogID            string           `json:"catalogId,omitempty" maxLength:"200" doc:"The catalog that the items are in."`
	Subtotal             Amount           `json:"subtotal" minimum:"0" maximum:"1000000000000" doc:"The sum of all items, in hundredths of the currency."`
	Tax                  Charge           `json:"tax" doc:"The tax; an amount of 0 if there is none."`
	Shipping             *Charge          `json:"shipping,omitempty" doc:"What shipping costs."`
	Discount             *Discount        `json:"discount,omitempty" doc:"What is taken off."`
	Total                Amount           `json:"total" minimum:"0" maximum:"1000000000000" doc:"What is to be paid: subtotal, tax and shipping without the discount."`
}

func (o Order) rules() (found Faults) {
	var items Amount
	for _, item := range o.Items {
		price := item.Amount
		if item.SaleAmount != nil {
			price = *item.SaleAmount
		}
		items += price * Amount(item.Quantity)
	}
	total := o.Subtotal + o.Tax.Amount
	if o.Shipping != nil {
		total += o.Shipping.Amount
	}
	if o.Discount != nil {
		total -= o.Discount.Amount
	}
	found.unless(items == o.Subtotal, "subtotal", "is not the sum of the items")
	found.unless(total == o.Total, "total", "is not the subtotal with tax and shipping, without the discount")
	return found
}

func (o Order) graph() any {
	order := object{
		"status": "pending", "items": listOf(o.Items, func(_ int, i OrderItem) any { return plain(i) }),
		"subtotal": o.Subtotal.graph(), "tax": o.Tax.graph(),
	}
	with(order, "catalog_id", o.CatalogID)
	if o.Shipping != nil {
		order["shipping"] = o.Shipping.graph()
	}
	if o.Discount != nil {
		order["discount"] = o.Discount.graph()
	}
	parameters := object{
		"reference_id": o.ReferenceID, "type": strings.ReplaceAll(o.Goods, "_", "-"), "currency": o.Currency,
		"total_amount": o.Total.graph(), "order": order,
	}
	with(parameters, "payment_type", o.PaymentType)
	with(parameters, "payment_configuration", o.PaymentConfiguration)
	return with(parameters, "payment_settings", o.PaymentSettings)
}

// OrderDetails is a message with an order to be paid.
type OrderDetails struct {
	Frame
	Order Order `json:"order" doc:"The order."`
}

func (c OrderDetails) graph() any {
	return c.around("order_details", named("review_and_pay", c.Order.graph().(object)))
}

func (c OrderDetails) rules() (found Faults) {
	found.unless(c.Header == nil || c.Header.Type == "image", "header.type", "an order takes a picture only")
	return found
}

// OrderStatus says how an order goes on.
type OrderStatus struct {
	Body        string `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
	Footer      string `json:"footer,omitempty" maxLength:"60" doc:"Stands below the text, in small letters."`
	ReferenceID string `json:"referenceId" minLength:"1" maxLength:"100" doc:"The id under which the order was sent."`
	Status      string `json:"status" enum:"pending,processing,partially_shipped,shipped,completed,canceled" doc:"How far the order has come."`
	Description string `json:"description,omitempty" maxLength:"120" doc:"More about it."`
}

func (c OrderStatus) graph() any {
	order := with(object{"status": c.Status}, "description", c.Description)
	return interactive("order_status", c.Body, c.Footer,
		named("review_order", object{"reference_id": c.ReferenceID, "order": order}))
}
