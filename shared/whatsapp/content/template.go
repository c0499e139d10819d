package content

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/whatsapp"
)

// Template names an approved template and fills it.
type Template struct {
	Name     string              `json:"name" minLength:"1" maxLength:"512" doc:"The approved template's name."`
	Language string              `json:"language" minLength:"2" maxLength:"15" doc:"Its language." example:"en_US"`
	Category string              `json:"category,omitempty" enum:"marketing,utility,authentication" doc:"Its category, if you know it: its rules are then checked before it is sent."`
	Header   *TemplateHeader     `json:"header,omitempty" doc:"Fills the header."`
	Body     []TemplateParameter `json:"body,omitempty" maxItems:"64" doc:"Fill the body's variables, in order."`
	Buttons  []TemplateButton    `json:"buttons,omitempty" maxItems:"10" doc:"Fill the buttons that take something."`
	Cards    []TemplateCard      `json:"cards,omitempty" maxItems:"10" doc:"Fill the cards of a carousel."`
	// OfferExpiresAt is the end of a limited-time offer.
	OfferExpiresAt string `json:"offerExpiresAt,omitempty" format:"date-time" maxLength:"64" doc:"When a limited-time offer ends."`
	// OrderStatus fills a template that says how an order goes on.
	OrderStatus *TemplateOrderStatus `json:"orderStatus,omitempty" doc:"How an order goes on, for a template of order statuses."`
	TapTarget   *TapTarget           `json:"tapTarget,omitempty" doc:"Makes the whole message a link, under another title. Only verified accounts may."`

	// These hold if the number sends marketing messages by the way of their own.
	ProductPolicy   string `json:"productPolicy,omitempty" enum:"cloud_api_fallback,strict" doc:"For a marketing template: whether it goes the common way if the way of marketing messages cannot take it."`
	ActivitySharing *bool  `json:"activitySharing,omitempty" doc:"For a marketing template: whether Meta may use what the customer does with it to improve who gets such messages; the account's setting if it is left out."`
}

// TemplateOrderStatus says how an order goes on.
type TemplateOrderStatus struct {
	ReferenceID string `json:"referenceId" minLength:"1" maxLength:"100" doc:"The id under which the order was sent."`
	Status      string `json:"status" enum:"pending,processing,partially_shipped,shipped,completed,canceled" doc:"How far the order has come."`
	Description string `json:"description,omitempty" maxLength:"120" doc:"More about it."`
}

// TapTarget is where a tap on a message leads.
type TapTarget struct {
	URL   string `json:"url" minLength:"1" maxLength:"2000" format:"uri" doc:"The page that it opens: the one of the template's first button of type url."`
	Title string `json:"title" minLength:"1" maxLength:"60" doc:"What stands above the address."`
}

func (t TapTarget) rules() (found Faults) {
	found.unless(isWebAddress(t.URL), "url", "must be an address that begins with https:// or http://")
	return found
}

// TemplateHeader fills the header with a text, a file, a place, or a product.
type TemplateHeader struct {
	Type     string   `json:"type" enum:"text,image,video,document,location,product" doc:"What the header holds."`
	Name     string   `json:"name,omitempty" maxLength:"64" doc:"Of a named variable."`
	Text     string   `json:"text,omitempty" maxLength:"60" doc:"What a text header's variable is filled with."`
	MediaID  string   `json:"mediaId,omitempty" maxLength:"512" doc:"The id of a file that was uploaded with upload-media."`
	MetaID   string   `json:"metaId,omitempty" maxLength:"512" doc:"Meta's id of a file that was uploaded to Meta without haatline."`
	Link     string   `json:"link,omitempty" maxLength:"2000" format:"uri" doc:"Where Meta fetches the file."`
	Filename string   `json:"filename,omitempty" maxLength:"240" doc:"The name under which the customer sees a document."`
	Location *Place   `json:"location,omitempty" doc:"The place in a header of type location."`
	Product  *Product `json:"product,omitempty" doc:"The product in a header of type product."`
}

func (h TemplateHeader) rules() (found Faults) {
	switch h.Type {
	case "text":
		found.unless(h.Text != "", "text", "required for a header of type text")
	case "location":
		found.unless(h.Location != nil, "location", "required for a header of type location")
		found.unless(h.Location == nil || h.Location.Name != "" && h.Location.Address != "", "location.name",
			"a template's place has a name and an address")
	case "product":
		found.unless(h.Product != nil, "product", "required for a header of type product")
	default:
		return File{h.MediaID, h.MetaID, h.Link}.rules()
	}
	return found
}

func (h TemplateHeader) graph() any {
	switch h.Type {
	case "text":
		return textParameter(h.Name, h.Text)
	case "location":
		return object{"type": "location", "location": plain(*h.Location)}
	case "product":
		return object{"type": "product", "product": plain(*h.Product)}
	}
	return Header{h.Type, "", h.MediaID, h.MetaID, h.Link, h.Filename}.graph()
}

func textParameter(name, text string) object {
	return with(object{"type": "text", "text": text}, "parameter_name", name)
}

// TemplateParameter fills one variable of a body, by position or by name: with a text, an amount or a time.
type TemplateParameter struct {
	Name     string            `json:"name,omitempty" maxLength:"64" doc:"Of a named variable."`
	Text     string            `json:"text,omitempty" minLength:"1" maxLength:"1024" doc:"What the variable is filled with."`
	Currency *TemplateCurrency `json:"currency,omitempty" doc:"An amount of money, instead of a text."`
	DateTime *TemplateDateTime `json:"dateTime,omitempty" doc:"A time, instead of a text."`
}

// TemplateCurrency is an amount of money that WhatsApp writes as the customer is used to.
type TemplateCurrency struct {
	FallbackValue string `json:"fallbackValue" minLength:"1" maxLength:"1024" doc:"What is shown where WhatsApp cannot write it."`
	Code          string `json:"code" pattern:"^[A-Z]{3}$" doc:"The currency, such as INR." example:"INR"`
	Thousandths   int64  `json:"thousandths" graph:"amount_1000" doc:"The amount, in thousandths of the currency."`
}

// TemplateDateTime is a time that WhatsApp shows.
type TemplateDateTime struct {
	FallbackValue string `json:"fallbackValue" minLength:"1" maxLength:"1024" doc:"The time as it is shown."`
	Calendar      string `json:"calendar,omitempty" pattern:"^(GREGORIAN|SOLAR_HIJRI)$" doc:"The calendar: GREGORIAN or SOLAR_HIJRI."`
	DayOfWeek     int    `json:"dayOfWeek,omitempty" minimum:"1" maximum:"7" doc:"The day of the week, from Monday, which is 1."`
	Year          int    `json:"year,omitempty" minimum:"1" maximum:"9999" doc:"The year."`
	Month         int    `json:"month,omitempty" minimum:"1" maximum:"12" doc:"The month."`
	DayOfMonth    int    `json:"dayOfMonth,omitempty" minimum:"1" maximum:"31" doc:"The day."`
	Hour          *int   `json:"hour,omitempty" minimum:"0" maximum:"23" doc:"The hour."`
	Minute        *int   `json:"minute,omitempty" minimum:"0" maximum:"59" doc:"The minute."`
}

func (p TemplateParameter) rules() (found Faults) {
	given := 0
	for _, has := range []bool{p.Text != "", p.Currency != nil, p.DateTime != nil} {
		if has {
			given++
		}
	}
	found.unless(given == 1, "text", "exactly one of text, currency and dateTime is required")
	found.unless(!strings.ContainsAny(p.Text, "\n\r\t") && !strings.Contains(p.Text, "     "), "text",
		"must not have line ends, tabs, or five spaces in a row")
	return found
}

func (p TemplateParameter) graph() any {
	switch {
	case p.Currency != nil:
		return with(object{"type": "currency", "currency": plain(*p.Currency)}, "parameter_name", p.Name)
	case p.DateTime != nil:
		return with(object{"type": "date_time", "date_time": plain(*p.DateTime)}, "parameter_name", p.Name)
	}
	return textParameter(p.Name, p.Text)
}

// TemplateCard fills one card of a carousel.
type TemplateCard struct {
	Header  *TemplateHeader     `json:"header,omitempty" doc:"Fills the header."`
	Body    []TemplateParameter `json:"body,omitempty" maxItems:"64" doc:"Fill the body's variables, in order."`
	Buttons []TemplateButton    `json:"buttons,omitempty" maxItems:"2" doc:"Fill the buttons that take something."`
}

func (c TemplateCard) rules() Faults { return distinctIndexes(c.Buttons) }

func distinctIndexes(buttons []TemplateButton) (found Faults) {
	var seen []int
	for _, b := range buttons {
		found.unless(!slices.Contains(seen, b.Index), "buttons", "two parameters fill one button")
		seen = append(seen, b.Index)
	}
	return found
}

func (t Template) rules() (found Faults) {
	found = distinctIndexes(t.Buttons)
	named := 0
	for _, p := range t.Body {
		if p.Name != "" {
			named++
		}
	}
	found.unless(named == 0 || named == len(t.Body), "body",
		"variables are filled either all by name or all by position")
	if t.OfferExpiresAt != "" {
		found.unless(!timeOf(t.OfferExpiresAt).IsZero(), "offerExpiresAt", notATime)
	}
	if t.Category != "" && t.Category != "marketing" {
		found.unless(t.ProductPolicy == "", "productPolicy", "goes with a marketing template")
		found.unless(t.ActivitySharing == nil, "activitySharing", "goes with a marketing template")
	}
	if t.Category == "authentication" {
		found.unless(t.Header == nil && len(t.Cards) == 0, "header",
			"an authentication template has a body and a button only")
	}
	return found
}

// authenticates reports whether the template carries a code, which goes to a phone number only.
func (t Template) authenticates() bool {
	return t.Category == "authentication" ||
		slices.ContainsFunc(t.Buttons, func(b TemplateButton) bool { return b.Type == "otp" })
}

// plain reports whether the template holds nothing but text and media.
func (t Template) plain() bool {
	special := t.Header != nil && (t.Header.Type == "location" || t.Header.Type == "product")
	return !special && len(t.Buttons) == 0 && len(t.Cards) == 0 && t.OfferExpiresAt == "" && t.OrderStatus == nil &&
		t.TapTarget == nil && !t.authenticates()
}

func (t Template) graph() any {
	content := object{"name": t.Name, "language": object{"code": t.Language}}
	components := componentsOf(t.Header, t.Body, t.Buttons)
	if status := t.OrderStatus; status != nil {
		order := with(object{"status": status.Status}, "description", status.Description)
		components = append(components, ofOneParameter("order_status",
			object{"reference_id": status.ReferenceID, "order": order}))
	}
	if t.TapTarget != nil {
		components = append(components, ofOneParameter("tap_target_configuration", []any{plain(*t.TapTarget)}))
	}
	if ends := timeOf(t.OfferExpiresAt); !ends.IsZero() {
		components = append(components, ofOneParameter("limited_time_offer",
			object{"expiration_time_ms": ends.UnixMilli()}))
	}
	if len(t.Cards) > 0 {
		cards := listOf(t.Cards, func(i int, c TemplateCard) any {
			return object{"card_index": i, "components": componentsOf(c.Header, c.Body, c.Buttons)}
		})
		components = append(components, object{"type": "carousel", "cards": cards})
	}
	if len(components) > 0 {
		content["components"] = components
	}
	return content
}

// ofOneParameter returns a component whose one parameter has its name, as all three have it.
func ofOneParameter(name string, value any) object {
	return object{"type": name, "parameters": []any{object{"type": name, name: value}}}
}

// componentsOf returns the components of a template or of one of its cards.
func componentsOf(header *TemplateHeader, body []TemplateParameter, buttons []TemplateButton) []any {
	components := []any{}
	if header != nil {
		components = append(components, object{"type": "header", "parameters": []any{header.graph()}})
	}
	if len(body) > 0 {
		components = append(components,
			object{"type": "body",
				"parameters": listOf(body, func(_ int, p TemplateParameter) any { return p.graph() })})
	}
	for _, button := range buttons {
		components = append(components, button.graph())
	}
	return components
}

// sentPlain reports whether a composed template holds nothing but text and media.
func sentPlain(sent json.RawMessage) bool {
	for _, component := range whatsapp.ObjectOf(sent).List("components").Objects() {
		if kind := component.Text("type"); kind != "body" && kind != "header" {
			return false
		}
		for _, parameter := range component.List("parameters").Objects() {
			if kind := parameter.Text("type"); kind == "location" || kind == "product" {
				return false
			}
		}
	}
	return true
}
