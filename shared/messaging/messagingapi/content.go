package messagingapi

import (
	"encoding/json"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// forwarded says that a message was not written for this conversation.
type forwarded struct {
	ManyTimes bool `json:"manyTimes" doc:"Whether it has been forwarded more than five times."`
}

// source is what the customer looked at when they wrote.
type source struct {
	Kind      string `json:"kind" enum:"product,ad,post" doc:"A product of a catalogue, an advertisement, or a post."`
	CatalogID string `json:"catalogId,omitempty" doc:"The product's catalogue."`
	ProductID string `json:"productId,omitempty" doc:"The product's id in the catalogue."`
	ID        string `json:"id,omitempty" doc:"Meta's id of the advertisement or the post."`
	URL       string `json:"url,omitempty" doc:"Where the advertisement or the post leads."`
	Headline  string `json:"headline,omitempty" doc:"Its headline."`
	Text      string `json:"text,omitempty" doc:"What it says."`
	ClickID   string `json:"clickId,omitempty" doc:"Meta's id of the click on the advertisement (ctwa_clid), by which Meta counts conversions."`
}

// cart is an order from a catalogue.
type cart struct {
	CatalogID string     `json:"catalogId,omitempty" doc:"The catalogue it was ordered from."`
	Text      string     `json:"text,omitempty" doc:"What the customer wrote with the order."`
	Lines     []cartLine `json:"lines" doc:"What was ordered."`
	Total     string     `json:"total,omitempty" example:"85" doc:"The sum of all lines, a decimal number. Absent if a line has no price, or if there are several currencies."`
	Currency  string     `json:"currency,omitempty" example:"INR" doc:"The currency of the total."`
}

type cartLine struct {
	ProductID string `json:"productId" doc:"The product's id in the catalogue."`
	Quantity  int64  `json:"quantity" doc:"How many of it; 0 if WhatsApp does not say."`
	Price     string `json:"price,omitempty" example:"30" doc:"The price of one, a decimal number."`
	Currency  string `json:"currency,omitempty" example:"INR" doc:"The currency of the price."`
}

// form is a form that the customer has filled in.
type form struct {
	Name    string `json:"name,omitempty" doc:"What kind of form it is, such as flow or address_message."`
	Answers any    `json:"answers" doc:"What the customer has filled in, by the names that the form gives."`
}

// chosen is what the customer has chosen in a message that lets them choose.
type chosen struct {
	Kind        string `json:"kind" enum:"button,list,quick_reply" doc:"A button of a message, a row of a list, or a button of a template."`
	ID          string `json:"id,omitempty" doc:"What you gave the button or the row; the payload of a template's button."`
	Title       string `json:"title,omitempty" doc:"What the customer saw."`
	Description string `json:"description,omitempty" doc:"What the customer saw below the title of a row."`
}

// callPermission is the customer's answer to whether the business may call.
type callPermission struct {
	Granted   bool   `json:"granted" doc:"Whether the business may call."`
	Permanent bool   `json:"permanent,omitempty" doc:"Whether the permission lasts until the customer takes it back."`
	ExpiresAt string `json:"expiresAt,omitempty" doc:"Until when, if the permission ends."`
}

func callPermissionOf(content whatsapp.Object) *callPermission {
	reply := content.Object("interactive").Object("call_permission_reply")
	if reply == nil {
		return nil
	}
	shown := &callPermission{Granted: reply.Text("response") == "accept"}
	shown.Permanent = shown.Granted && reply.Bool("is_permanent")
	if until := whatsapp.Text(reply.Text("expiration_timestamp")).Seconds(); shown.Granted && !until.IsZero() {
		shown.ExpiresAt = string(model.At(until))
	}
	return shown
}

// paymentMethod is how the customer has chosen to pay an order.
type paymentMethod struct {
	Method         string `json:"method,omitempty" example:"offsite_card_pay" doc:"The way to pay, in Meta's words."`
	ReferenceID    string `json:"referenceId,omitempty" doc:"The business's own reference of the order."`
	CredentialID   string `json:"credentialId,omitempty" doc:"The business's own id of the card."`
	LastFourDigits string `json:"lastFourDigits,omitempty" doc:"The end of the card's number."`
	ChosenAt       string `json:"chosenAt,omitempty" doc:"When they chose it, by Meta's clock."`
}

func paymentMethodOf(content whatsapp.Object) *paymentMethod {
	reply := content.Object("interactive").Object("payment_method")
	if reply == nil {
		return nil
	}
	shown := &paymentMethod{
		Method: reply.Text("payment_method"), ReferenceID: reply.Text("reference_id"),
		CredentialID:   reply.Text("credential_id"),
		LastFourDigits: reply.Text("last_four_digits"),
	}
	if at := whatsapp.Text(reply.Text("payment_timestamp")).Seconds(); !at.IsZero() {
		shown.ChosenAt = string(model.At(at))
	}
	return shown
}

// showContext shows what a message's context and content say beside its text.
func showContext(shown *message, m model.Message) {
	var context, content whatsapp.Object
	_ = json.Unmarshal(m.Context, &context)
	_ = json.Unmarshal(m.Content, &content)
	shown.ReplyTo = context.Text("id")
	if many := context.Bool("frequently_forwarded"); many || context.Bool("forwarded") {
		shown.Forwarded = &forwarded{ManyTimes: many}
	}
	if product := context.Object("referred_product"); product != nil {
		shown.Source = &source{
			Kind: "product", CatalogID: product.Text("catalog_id"), ProductID: product.Text("product_retailer_id")}
	}
	if referral := content.Object("referral"); referral != nil {
		kind := "ad"
		if referral.Text("source_type") == "post" {
			kind = "post"
		}
		shown.Source = &source{
			Kind: kind, ID: referral.Text("source_id"), URL: referral.Text("source_url"),
			Headline: referral.Text("headline"),
			Text:     referral.Text("body"), ClickID: referral.Text("ctwa_clid"),
		}
	}
	shown.CallPermission, shown.PaymentMethod = callPermissionOf(content), paymentMethodOf(content)
	said := inbound.Of(m, nil, false)
	if said.Cart != nil {
		shown.Order = showCart(*said.Cart)
	}
	switch c := said.Choice; {
	case c == nil:
	case c.Kind == inbound.ChoiceFlow:
		shown.Form = &form{Name: c.ID, Answers: c.Answers}
	default:
		shown.Choice = &chosen{Kind: c.Kind, ID: c.ID, Title: c.Title, Description: c.Description}
	}
}

func showCart(c inbound.Cart) *cart {
	shown := &cart{CatalogID: c.CatalogID, Text: c.Text, Lines: []cartLine{}}
	total, whole := decimal.Decimal{}, len(c.Lines) > 0
	for i, line := range c.Lines {
		shown.Lines = append(shown.Lines,
			cartLine{ProductID: line.RetailerID, Quantity: line.Quantity, Price: line.Price, Currency: line.Currency})
		price, err := decimal.NewFromString(line.Price)
		whole = whole && err == nil && line.Quantity > 0 && line.Currency != "" &&
			line.Currency == c.Lines[max(i-1, 0)].Currency
		if whole {
			total = total.Add(price.Mul(decimal.NewFromInt(line.Quantity)))
		}
	}
	if whole {
		shown.Total, shown.Currency = total.String(), c.Lines[0].Currency
	}
	return shown
}
