package content

import (
	"reflect"

	"github.com/haatline/haatline/shared/lazy"
)

const (
	anyMessage = "Free-form: possible within 24 hours of the customer's last message. " +
		"With replyTo it answers a message."
	forAnything = "Possible at any time, also to a customer who has never written. With replyTo it answers a message."
)

// Kinds are the kinds of messages that can be sent.
var Kinds = []Kind{
	{Name: "text", Type: "text", Summary: "Send a text", To: PeopleAndGroups, New: func() Content { return &Text{} }},
	{Name: "image", Type: "image", Summary: "Send a picture", To: PeopleAndGroups,
		New: func() Content { return &Image{} }},
	{Name: "video", Type: "video", Summary: "Send a video", To: PeopleAndGroups,
		New: func() Content { return &Video{} }},
	{Name: "audio", Type: "audio", Summary: "Send a sound file", To: PeopleAndGroups,
		New: func() Content { return &Audio{} }},
	{Name: "voice", Type: "audio", Summary: "Send a voice message", To: PeopleAndGroups,
		New:         func() Content { return &Voice{} },
		Description: "It is played in the chat. The file must be OGG with the codec Opus."},
	{Name: "document", Type: "document", Summary: "Send a document", To: PeopleAndGroups,
		New: func() Content { return &Document{} }},
	{Name: "sticker", Type: "sticker", Summary: "Send a sticker", To: PeopleAndGroups,
		New: func() Content { return &Sticker{} }},
	{Name: "location", Type: "location", Summary: "Send a place", New: func() Content { return &Location{} }},
	{Name: "contacts", Type: "contacts", Summary: "Send contacts", New: func() Content { return &Contacts{} }},
	{Name: "reaction", Type: "reaction", Summary: "React to a message, or take the reaction back", About: true,
		New: func() Content { return &Reaction{} }},
	{Name: "pin", Type: "pin", Sub: "pin", Summary: "Pin a message in a group", To: Groups, About: true, AnyTime: true,
		New: func() Content { return &Pin{} }},
	{Name: "unpin", Type: "pin", Sub: "unpin", Summary: "Unpin a message in a group", To: Groups, About: true,
		AnyTime: true, New: func() Content { return &Unpin{} }},
	{Name: "template", Type: "template", Summary: "Send a template", Description: forAnything, To: PeopleAndGroups,
		AnyTime: true,
		New:     func() Content { return &Template{} }},
	{Name: "button", Type: "interactive", Sub: "button", Summary: "Ask with buttons",
		New: func() Content { return &Buttons{} }},
	{Name: "list", Type: "interactive", Sub: "list", Summary: "Ask with a list",
		New: func() Content { return &List{} }},
	{Name: "cta-url", Type: "interactive", Sub: "cta_url", Summary: "Send a button that opens a page",
		New: func() Content { return &URLButton{} }},
	{Name: "flow", Type: "interactive", Sub: "flow", Summary: "Send a form (a flow)",
		New: func() Content { return &Flow{} }},
	{Name: "product", Type: "interactive", Sub: "product", Summary: "Send a product of the catalog",
		New: func() Content { return &SingleProduct{} }},
	{Name: "product-list", Type: "interactive", Sub: "product_list", Summary: "Send products of the catalog",
		New: func() Content { return &ProductList{} }},
	{Name: "catalog", Type: "interactive", Sub: "catalog_message", Summary: "Send the catalog",
		New: func() Content { return &Catalog{} }},
	{Name: "carousel", Type: "interactive", Sub: "carousel", Summary: "Send a row of cards",
		New: func() Content { return &Carousel{} }},
	{Name: "location-request", Type: "interactive", Sub: "location_request_message",
		Summary: "Ask for the customer's location",
		New:     func() Content { return &LocationRequest{} }},
	{Name: "address-request", Type: "interactive", Sub: "address_message", Summary: "Ask for an address",
		New: func() Content { return &AddressRequest{} }},
	{Name: "contact-request", Type: "interactive", Sub: "request_contact_info",
		Summary: "Ask for the customer's phone number",
		New:     func() Content { return &ContactRequest{} }},
	{Name: "call-permission-request", Type: "interactive", Sub: "call_permission_request",
		Summary: "Ask whether you may call",
		New:     func() Content { return &CallPermissionRequest{} }},
	{Name: "voice-call", Type: "interactive", Sub: "voice_call", Summary: "Send a button that calls you",
		New: func() Content { return &VoiceCall{} }},
	{Name: "order-details", Type: "interactive", Sub: "order_details", Summary: "Send an order to be paid",
		New: func() Content { return &OrderDetails{} }},
	{Name: "order-status", Type: "interactive", Sub: "order_status", Summary: "Say how an order goes on",
		New: func() Content { return &OrderStatus{} }},
}

// Doc returns the description of the kind for the API.
func (k Kind) Doc() string {
	switch {
	case k.Description == "":
		return anyMessage
	case k.AnyTime:
		return k.Description
	}
	return k.Description + " " + anyMessage
}

// kindOfType is made when something is first sent: most starts send nothing.
var kindOfType = lazy.Of[map[reflect.Type]Kind]{Make: func() map[reflect.Type]Kind {
	all := map[reflect.Type]Kind{}
	for _, k := range Kinds {
		all[reflect.TypeOf(k.New()).Elem()] = k
	}
	return all
}}

// kindOf returns the kind of a content.
func kindOf(c Content) (Kind, bool) {
	k, known := kindOfType.Get()[reflect.Indirect(reflect.ValueOf(c)).Type()]
	return k, known
}

// find returns the first kind of a type, and of the type that its content states.
func find(kind, sub string) (Kind, bool) {
	for _, k := range Kinds {
		if k.Type == kind && (k.Sub == "" || k.Sub == sub) {
			return k, true
		}
	}
	return Kind{}, false
}
