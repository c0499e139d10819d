package whatsapp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/lazy"
)

// Kinds of log entries. The inbound function processes messages; the status function processes every other kind.
const (
	KindMessage    = "message" // messages, echoes of the business's own phone app, imported history
	KindStatus     = "status"
	KindError      = "error"
	KindTemplate   = "template"
	KindQuality    = "quality"
	KindAccount    = "account"
	KindCall       = "call"
	KindGroup      = "group"
	KindPreference = "preference"
	KindUserID     = "user_id"
	KindPayment    = "payment"
	KindContact    = "contact"
	KindFlow       = "flow"
	KindGateway    = "gateway" // what payment gateways post of payments
	KindUnknown    = "unknown"
)

// kindOfField maps a change's field to a kind. For the field messages the content decides: messages, statuses or
// errors.
var kindOfField = lazy.Of[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"messages":                            KindMessage,
		"smb_message_echoes":                  KindMessage,
		"message_echoes":                      KindMessage,
		"history":                             KindMessage,
		"standby":                             KindMessage, // what another sender of the number handles
		"message_template_status_update":      KindTemplate,
		"message_template_quality_update":     KindTemplate,
		"message_template_components_update":  KindTemplate,
		"template_category_update":            KindTemplate,
		"template_correct_category_detection": KindTemplate,
		"phone_number_quality_update":         KindQuality,
		"phone_number_name_update":            KindAccount,
		"account_update":                      KindAccount,
		"account_alerts":                      KindAccount,
		"account_review_update":               KindAccount,
		"account_settings_update":             KindAccount,
		"business_capability_update":          KindAccount,
		"business_status_update":              KindAccount,
		"business_username_update":            KindAccount,
		"partner_solutions":                   KindAccount,
		"security":                            KindAccount,
		"calls":                               KindCall,
		"group_lifecycle_update":              KindGroup,
		"group_participants_update":           KindGroup,
		"group_settings_update":               KindGroup,
		"group_status_update":                 KindGroup,
		"user_preferences":                    KindPreference,
		"user_id_update":                      KindUserID,
		"payment_configuration_update":        KindPayment,
		"smb_app_state_sync":                  KindContact,
		"flows":                               KindFlow,
	}
}}

// unsubscribable are the known fields that an account cannot subscribe to: another name of smb_message_echoes, and one
// that Meta has withdrawn. Old bodies have them.
var unsubscribable = []string{"message_echoes", "user_id_update"}

// Fields returns the webhook fields to subscribe to, in order: all that are known. Entries of other fields are kept,
// too.
func Fields() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(kindOfField.Get())),
		func(field string) bool { return slices.Contains(unsubscribable, field) })
}

// Kinds returns the kinds that log entries may have.
func Kinds() []string {
	return []string{
		KindMessage, KindStatus, KindError, KindTemplate, KindQuality, KindAccount, KindCall, KindGroup,
		KindPreference, KindUserID, KindPayment, KindContact, KindFlow,
		KindGateway, KindUnknown,
	}
}

// Entry is one item of the webhook log: a change value, a part of one, or a malformed piece of a body.
type Entry struct {
	ID            string // a hash: a redelivered change has the same id, a change that recurs later has another
	Kind          string
	Field         string
	WABAID        string
	PhoneNumberID string
	EntryTime     int64
	Position      int // index among the body's entries: with the time of receipt it gives the order of arrival
	Value         json.RawMessage
	Malformed     string // what is wrong with a malformed entry, which is stored but not processed
}

// ErrNotJSON means that a signed body is not JSON.
var ErrNotJSON = errors.New("the body is not JSON")

// MaxPart is how many bytes of a value one entry may hold. A longer list of messages or statuses is split.
const MaxPart = 300 << 10

// DecodeWebhook splits a posted body into entries. Every change becomes an entry, whether its kind is known or not. An
// entry or change of the wrong shape is kept whole and says what is wrong. The only error is ErrNotJSON. Names are
// matched exactly, unlike in Go's decoding of structs: "Messages" is an unknown name and not the list of messages.
func DecodeWebhook(body []byte) ([]Entry, error) {
	if !json.Valid(body) {
		return nil, ErrNotJSON
	}
	envelope := objectOf(body)
	list := envelope.List("entry")
	switch {
	case envelope == nil:
		return []Entry{malformed(body, "", 0, "the body is not an object")}, nil
	case envelope.Text("object") != "whatsapp_business_account":
		return []Entry{malformed(body, "", 0, "the object is not whatsapp_business_account")}, nil
	case len(list) == 0:
		return []Entry{malformed(body, "", 0, "no entry")}, nil
	}
	return decodeEntries(list), nil
}

// DecodeEntry splits one element of a body's list of entries, as DecodeWebhook does. AWS passes these on one by one.
func DecodeEntry(entry []byte) ([]Entry, error) {
	if !json.Valid(entry) {
		return nil, ErrNotJSON
	}
	return decodeEntries(List{entry}), nil
}

func decodeEntries(list List) []Entry {
	var entries []Entry
	for _, raw := range list {
		entries = append(entries, decodeEntry(raw)...)
	}
	for i := range entries {
		entries[i].Position = i
	}
	return entries
}

func decodeEntry(raw json.RawMessage) []Entry {
	entry := objectOf(raw) // if raw is no object, it has no changes
	waba, time := entry.Text("id"), entry.Int("time")
	changes := entry.List("changes")
	if len(changes) == 0 {
		return []Entry{malformed(raw, waba, time, "an entry without changes")}
	}
	var entries []Entry
	for _, raw := range changes {
		change := objectOf(raw) // if raw is no object, it has no value
		field, value := change.Text("field"), change["value"]
		if firstByte(value) != '{' {
			entry := malformed(raw, waba, time, "a change without a value")
			entry.Field = field
			entries = append(entries, entry)
			continue
		}
		entries = append(entries, decodeChange(waba, time, field, value)...)
	}
	return entries
}

// decodeChange returns the entries of one value: a single one, unless the value mixes messages with statuses or is too
// large. A value of a field that is not about messages is never split.
func decodeChange(waba string, time int64, field string, value json.RawMessage) []Entry {
	members := objectOf(value)
	messages, statuses := members.List("messages"), members.List("statuses")
	base := Entry{Field: field, WABAID: waba, EntryTime: time}
	base.PhoneNumberID = members.Object("metadata").Text("phone_number_id")
	others := len(members.List("message_echoes")) + len(members.List("history"))
	base.Kind = kindOf(field, len(messages)+others, len(statuses), len(members.List("errors")))

	divisible := base.Kind == KindMessage || base.Kind == KindStatus
	mixed := len(messages) > 0 && len(statuses) > 0
	large := len(value) > MaxPart && len(messages)+len(statuses) > 1
	var imports []json.RawMessage
	if base.Kind == KindMessage {
		imports = historyParts(value, members)
	}
	if !divisible || !mixed && !large && imports == nil {
		base.Value = value
		base.ID = entryID(base, value, 0)
		return []Entry{base}
	}
	var parts []Entry
	if imports != nil { // imports are split by thread
		members = maps.Clone(members)
		delete(members, "history")
	}
	for _, list := range []struct {
		kind, name, other string
		elements          List
	}{{KindMessage, "messages", "statuses", messages}, {KindStatus, "statuses", "messages", statuses}} {
		for _, elements := range pack(list.elements) {
			part := base
			part.Kind = list.kind
			part.Value = replaceList(members, list.name, elements, list.other)
			part.ID = entryID(base, value, len(parts)+1)
			parts = append(parts, part)
		}
	}
	var digest json.RawMessage // computed once, because an import can have hundreds of parts
	if len(imports) > 0 {
		sum := sha256.New()
		writeNormal(sum, value)
		digest = fmt.Appendf(nil, "%x", sum.Sum(nil))
	}
	for _, imported := range imports {
		part := base
		part.Value = imported
		part.ID = entryID(base, digest, len(parts)+1)
		parts = append(parts, part)
	}
	return parts
}

// Time returns when Meta wrote the entry, given in seconds or milliseconds, or the zero time if it is unknown.
func (e Entry) Time() time.Time { return Text(strconv.FormatInt(e.EntryTime, 10)).Seconds() }

// kindOf returns the kind by field, and by content if the field is messages or missing.
func kindOf(field string, messages, statuses, errors int) string {
	kind, known := kindOfField.Get()[field]
	switch {
	case known && kind != KindMessage:
		return kind
	case !known && field != "":
		return KindUnknown
	case messages > 0:
		return KindMessage
	case statuses > 0:
		return KindStatus
	case errors > 0:
		return KindError
	}
	return KindUnknown
}

// pack groups elements into parts that fit into an entry. An element that is too large gets a part of its own.
func pack(elements List) []List {
	var parts []List
	size := MaxPart
	for _, element := range elements {
		if size += len(element) + 1; size > MaxPart {
			parts, size = append(parts, nil), len(element)
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], element)
	}
	return parts
}

// replaceList returns value with one list replaced and another one left out.
func replaceList(value Object, name string, elements List, other string) json.RawMessage {
	members := maps.Clone(value)
	members[name], _ = json.Marshal([]json.RawMessage(elements))
	delete(members, other)
	part, _ := json.Marshal(members)
	return part
}

func malformed(raw json.RawMessage, waba string, time int64, what string) Entry {
	entry := Entry{Kind: KindUnknown, WABAID: waba, EntryTime: time, Value: raw, Malformed: what}
	entry.ID = entryID(entry, raw, 0)
	return entry
}

// entryID returns the id of an entry with a value. A value has one id whoever passes it on: Meta itself, or AWS, which
// may write it with other spaces and escapes.
func entryID(e Entry, value []byte, part int) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s#%d#%s#%d#", e.WABAID, e.EntryTime, e.Field, part)
	writeNormal(hash, value)
	return hex.EncodeToString(hash.Sum(nil)[:16])
}
