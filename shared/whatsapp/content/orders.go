package content

import (
	"fmt"
	"strconv"
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
	RetailerID string  `json:"retailerId,omitempty" maxLength:"200" doc:"Your own id of the product."`
	Name       string  `json:"name" minLength:"1" maxLength:"60" doc:"What it is."`
	Amount     Amount  `json:"amount" minimum:"0" maximum:"1000000000000" doc:"The price of one, in hundredths of the currency."`
	SaleAmount *Amount `json:"saleAmount,omitempty" minimum:"0" maximum:"1000000000000" doc:"The reduced price of one, which then counts."`
	Quantity   int     `json:"quantity" minimum:"1" maximum:"1000000" doc:"How many."`
	ImageLink  string  `json:"imageLink,omitempty" maxLength:"2000" format:"uri" doc:"Where Meta fetches a picture of it."`

	// India asks for these if the order names no catalog.
	CountryOfOrigin string           `json:"countryOfOrigin,omitempty" maxLength:"100" doc:"Where it was made."`
	ImporterName    string           `json:"importerName,omitempty" maxLength:"200" doc:"Who imported it, or made it."`
	ImporterAddress *ImporterAddress `json:"importerAddress,omitempty" doc:"Their address."`
}

// ImporterAddress is the address of the company that has imported or made an item.
type ImporterAddress struct {
	Street      string `json:"street" graph:"address_line1" minLength:"1" maxLength:"200" doc:"The house and the street."`
	Area        string `json:"area,omitempty" graph:"address_line2" maxLength:"200" doc:"What is near, or more of the address."`
	City        string `json:"city" minLength:"1" maxLength:"120" doc:"The city."`
	ZoneCode    string `json:"zoneCode,omitempty" maxLength:"20" doc:"The code of the state."`
	PostalCode  string `json:"postalCode,omitempty" maxLength:"20" doc:"The postal code."`
	CountryCode string `json:"countryCode" pattern:"^[A-Z]{2}$" doc:"The country: two letters, such as IN." example:"IN"`
}

func (i OrderItem) rules() (found Faults) {
	found.unless(i.ImageLink == "" || isWebAddress(i.ImageLink), "imageLink",
		"must be an address that begins with https:// or http://")
	return found
}

func (i OrderItem) graph() any {
	item := object{"name": i.Name, "amount": i.Amount.graph(), "quantity": i.Quantity}
	with(with(with(item, "retailer_id", i.RetailerID), "country_of_origin", i.CountryOfOrigin), "importer_name",
		i.ImporterName)
	if i.SaleAmount != nil {
		item["sale_amount"] = i.SaleAmount.graph()
	}
	if i.ImageLink != "" {
		item["image"] = object{"link": i.ImageLink}
	}
	if i.ImporterAddress != nil {
		item["importer_address"] = plain(*i.ImporterAddress)
	}
	return item
}

// Order is an order to be paid. Its amounts add up.
type Order struct {
	ReferenceID          string           `json:"referenceId" minLength:"1" maxLength:"35" pattern:"^[A-Za-z0-9_.-]+$" doc:"Your own id of the order, by which its payment is reported. An id is used once."`
	Goods                string           `json:"goods" enum:"digital_goods,physical_goods" doc:"Whether something is shipped."`
	Currency             string           `json:"currency" pattern:"^[A-Z]{3}$" doc:"The currency, such as INR." example:"INR"`
	PaymentType          string           `json:"paymentType,omitempty" maxLength:"100" doc:"How it is paid, in WhatsApp's words, such as upi."`
	PaymentConfiguration string           `json:"paymentConfiguration,omitempty" maxLength:"60" doc:"The name of the payment configuration of the account."`
	PaymentSettings      []map[string]any `json:"paymentSettings,omitempty" maxItems:"10" doc:"Settings of payments, as WhatsApp writes them."`
	QuickPay             bool             `json:"quickPay,omitempty" doc:"Whether WhatsApp leads straight to the payment, without a page with the items. The items may then be left out."`
	Items                []OrderItem      `json:"items,omitempty" maxItems:"999" doc:"What is ordered."`
	ExpiresAt            string           `json:"expiresAt,omitempty" format:"date-time" maxLength:"64" doc:"Until when the order can be paid."`
	ExpirationText       string           `json:"expirationText,omitempty" maxLength:"120" doc:"What the customer reads after that; required with expiresAt."`
	CatalogID            string           `json:"catalogId,omitempty" maxLength:"200" doc:"The catalog that the items are in."`
	Subtotal             Amount           `json:"subtotal" minimum:"0" maximum:"1000000000000" doc:"The sum of all items, in hundredths of the currency."`
	Tax                  Charge           `json:"tax" doc:"The tax; an amount of 0 if there is none."`
	Shipping             *Charge          `json:"shipping,omitempty" doc:"What shipping costs."`
	Discount             *Discount        `json:"discount,omitempty" doc:"What is taken off."`
	Total                Amount           `json:"total" minimum:"0" maximum:"1000000000000" doc:"What is to be paid: subtotal, tax and shipping without the discount."`
}

func (o Order) rules() (found Faults) {
	found.unless(len(o.Items) > 0 || o.QuickPay, "items", "at least one is required")
	if o.ExpiresAt != "" {
		found.unless(!timeOf(o.ExpiresAt).IsZero(), "expiresAt", notATime)
		found.unless(o.ExpirationText != "", "expirationText", "required with expiresAt")
	}
	found = append(found, o.india()...)
	if len(o.Items) == 0 {
		return append(found, o.sum()...)
	}
	var items Amount
	for _, item := range o.Items {
		price := item.Amount
		if item.SaleAmount != nil {
			price = *item.SaleAmount
		}
		items += price * Amount(item.Quantity)
	}
	found.unless(items == o.Subtotal, "subtotal", "is not the sum of the items")
	return append(found, o.sum()...)
}

// india returns the faults of an order that is paid in India: in INR.
func (o Order) india() (found Faults) {
	if o.Currency != "INR" {
		return nil
	}
	found.unless(o.PaymentConfiguration != "" || len(o.PaymentSettings) > 0, "paymentSettings",
		"required with INR, or a paymentConfiguration")
	if o.CatalogID != "" || o.Goods != "physical_goods" {
		return found
	}
	const why = "required for goods that are shipped in India if there is no catalogId"
	for i, item := range o.Items {
		at := fmt.Sprintf("items[%d].", i)
		found.unless(item.CountryOfOrigin != "", at+"countryOfOrigin", why)
		found.unless(item.ImporterName != "", at+"importerName", why)
		found.unless(item.ImporterAddress != nil, at+"importerAddress", why)
	}
	return found
}

// sum returns the fault of a total that its parts do not add up to.
func (o Order) sum() (found Faults) {
	total := o.Subtotal + o.Tax.Amount
	if o.Shipping != nil {
		total += o.Shipping.Amount
	}
	if o.Discount != nil {
		total -= o.Discount.Amount
	}
	found.unless(total == o.Total, "total", "is not the subtotal with tax and shipping, without the discount")
	return found
}

func (o Order) graph() any {
	order := object{"status": "pending", "subtotal": o.Subtotal.graph(), "tax": o.Tax.graph()}
	if len(o.Items) > 0 {
		order["items"] = listOf(o.Items, func(_ int, i OrderItem) any { return i.graph() })
	}
	with(order, "catalog_id", o.CatalogID)
	if o.QuickPay {
		order["type"] = "quick_pay"
	}
	if ends := timeOf(o.ExpiresAt); !ends.IsZero() {
		order["expiration"] = object{
			"timestamp": strconv.FormatInt(ends.Unix(), 10), "description": o.ExpirationText}
	}
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
