package numbers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp"
)

// kind is a sort of what Meta keeps of a number: where Meta has it, and what Meta can be asked about it.
type kind struct {
	name   model.Name
	edge   string // where Meta has it, behind the number; "" for the number itself
	fields string // that are asked for; "" for all
	inside string // the member of Meta's answer that holds it; "" for the answer itself
	// check names every fault of what is wanted; nil if nothing can be wanted.
	check  func(wanted model.Document) []problem.Field
	also   string // what is wanted beside what somebody sets, as JSON; "" for nothing
	wishes []wish
	// named returns the name of an entry by what Meta lists of it; nil if a number has only one.
	named func(phone model.PhoneNumberID, has whatsapp.Object) model.Name
	// query names an entry to Meta, which lists none; nil if Meta lists them, or if a number has only one.
	query func(of model.NumberSetting) url.Values
}

// wish is a change that Meta is asked for. Its body is what is wanted, or the value that comes with the wish.
type wish struct {
	name    string
	method  string // POST if it is empty
	edge    string // behind the number; {code} stands for Meta's id of an entry
	wrap    string // the member of the body that holds it; "" for the body itself
	product bool   // the body names WhatsApp
	secret  string // the member of the body that holds the secret; "" for none
	once    bool   // Meta cannot tell two such requests apart, or counts them: it is asked once
	tells   bool   // Meta's answer is what Meta has then
	ends    bool   // the entry ends
	// body makes the body in another way; nil for this one.
	body func(of model.NumberSetting) map[string]any
}

// What Meta is asked.
const (
	Sync        = "sync" // to say what it has
	Put         = "put"  // to have what is wanted
	Delete      = "delete"
	Register    = "register"
	Deregister  = "deregister"
	SetPIN      = "set_pin"
	RequestCode = "request_code"
	VerifyCode  = "verify_code"
	RequestName = "request_name"
)

// kinds are all of them. A setting more is one more literal here, and its type.
var kinds = []kind{
	{
		name: KindProfile, edge: "whatsapp_business_profile", inside: "data", check: checkProfile,
		fields: "about,address,description,email,profile_picture_url,websites,vertical",
		wishes: []wish{{name: Put, edge: "whatsapp_business_profile", product: true}},
	},
	{
		name: KindComponents, fields: "conversational_automation", inside: "conversational_automation",
		check: checkComponents, wishes: []wish{{name: Put, edge: "conversational_automation"}},
	},
	{
		name: KindCalling, edge: "settings", inside: "calling", check: checkCalling,
		wishes: []wish{{name: Put, edge: "settings", wrap: "calling"}},
	},
	{
		name: KindCommerce, edge: "whatsapp_commerce_settings", inside: "data", check: checkCommerce,
		wishes: []wish{{name: Put, edge: "whatsapp_commerce_settings"}},
	},
	{
		name: KindEncryption, edge: "whatsapp_business_encryption", inside: "data", check: checkEncryption,
		also: keyIsValid, wishes: []wish{{name: Put, edge: "whatsapp_business_encryption", body: bodyOfKey}},
	},
	{
		name: KindState,
		fields: "status,code_verification_status,verified_name,name_status,new_display_name,new_name_status," +
			"quality_rating,throughput,is_pin_enabled,health_status",
		wishes: []wish{
			{name: Register, edge: "register", product: true, secret: "pin", once: true},
			{name: Deregister, edge: "deregister", product: true, once: true},
			{name: SetPIN, secret: "pin", once: true},
			{name: RequestCode, edge: "request_code", once: true},
			{name: VerifyCode, edge: "verify_code", secret: "code", once: true},
			{name: RequestName, once: true},
		},
	},
	{
		name: KindQRCodes, edge: "message_qrdls", inside: "data", check: checkQRCode, named: namedByCode,
		fields: "code,prefilled_message,deep_link_url,qr_image_url.format(SVG)",
		wishes: []wish{
			{name: Put, edge: "message_qrdls", once: true, tells: true, body: bodyOfCode},
			{name: Delete, method: http.MethodDelete, edge: "message_qrdls/{code}", ends: true, body: noBody},
		},
	},
	{
		name: KindBlocked, edge: "block_users", inside: "data", named: namedByPerson,
		wishes: []wish{
			{name: Put, edge: "block_users", product: true, body: bodyOfPerson},
			{name: Delete, method: http.MethodDelete, edge: "block_users", product: true, ends: true,
				body: bodyOfPerson},
		},
	},
	{name: KindCallPermission, edge: "call_permissions", query: queryOfPerson},
}

// kindOf returns a kind by its name, and reports whether there is one.
func kindOf(name model.Name) (kind, bool) {
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if at < 0 {
		return kind{}, false
	}
	return kinds[at], true
}

// wish returns a wish by its name, and reports whether the kind has it.
func (k kind) wish(name string) (wish, bool) {
	at := slices.IndexFunc(k.wishes, func(w wish) bool { return w.name == name })
	if at < 0 {
		return wish{}, false
	}
	return k.wishes[at], true
}

// reading returns the request that asks what Meta has of an item.
func (k kind) reading(it item) whatsapp.NumberCall {
	call := whatsapp.NumberCall{Edge: k.edge}
	if entry, is := it.(*model.NumberSetting); is && k.query != nil {
		call.Query = k.query(*entry)
	}
	if k.fields != "" {
		call.Query = url.Values{"fields": {k.fields}}
	}
	return call
}

// has returns what Meta has by its answer, in the words of haatline. A list is as its first element.
func (k kind) has(answer whatsapp.Object) model.Document {
	if k.inside != "" {
		list := answer.List(k.inside).Objects()
		answer = whatsapp.Object{}
		if len(list) > 0 {
			answer = list[0]
		}
	}
	return tidy(answer)
}

// tidy returns an object of Meta's in the words of haatline, without what says nothing.
func tidy(o whatsapp.Object) model.Document {
	for _, name := range []string{"id", "messaging_product"} {
		delete(o, name)
	}
	text, err := json.Marshal(o)
	if err != nil {
		return model.Document("{}")
	}
	return model.Document(renamed(text, camel))
}

func namedByCode(_ model.PhoneNumberID, has whatsapp.Object) model.Name {
	return model.Name(has.Text("code"))
}

func namedByPerson(phone model.PhoneNumberID, has whatsapp.Object) model.Name {
	return keys.Blocked(phone, personIn(has))
}

// personIn returns the identifier of a person whom Meta lists: their number, or their user id.
func personIn(has whatsapp.Object) model.CustomerID {
	for _, name := range []string{"waId", "userId"} {
		if id := has.Text(name); id != "" {
			return model.CustomerID(id)
		}
	}
	return ""
}

func noBody(model.NumberSetting) map[string]any { return nil }

// bodyOfCode is what Meta takes for a new code, and for another message of one.
func bodyOfCode(of model.NumberSetting) map[string]any {
	var wanted QRCode
	_ = json.Unmarshal(of.Wanted, &wanted) // it was checked
	if code := codeOf(of.Meta); code != "" {
		return map[string]any{"code": code, "prefilled_message": wanted.Message}
	}
	return map[string]any{"prefilled_message": wanted.Message, "generate_qr_image": "SVG"}
}

// codeOf returns Meta's id of an entry; "" if Meta does not have it.
func codeOf(has model.Document) string { return whatsapp.ObjectOf(json.RawMessage(has)).Text("code") }

// bodyOfPerson names a person by the number, or by the user id of somebody without a number.
func bodyOfPerson(of model.NumberSetting) map[string]any {
	name, id := "user", string(of.CustomerID)
	if strings.Trim(id, "0123456789") != "" {
		name = "user_id"
	}
	return map[string]any{"block_users": []any{map[string]string{name: id}}}
}

// queryOfPerson names a person by the number, or by the user id of somebody without a number.
func queryOfPerson(of model.NumberSetting) url.Values {
	name, id := "user_wa_id", string(of.CustomerID)
	if strings.Trim(id, "0123456789") != "" {
		name = "recipient"
	}
	return url.Values{name: {id}}
}
