package whatsapp_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/haatline/haatline/shared/whatsapp"
)

// envelope returns a body with the entries given as JSON.
func envelope(entries string) string {
	return `{"object":"whatsapp_business_account","entry":` + entries + `}`
}

// posted returns a body with one change of a field in one entry.
func posted(field, value string) []byte {
	return []byte(
		envelope(`[{"id":"1020","time":1732183200,"changes":[{"field":"` + field + `","value":` + value + `}]}]`))
}

func decode(t *testing.T, body []byte) []whatsapp.Entry {
	t.Helper()
	entries, err := whatsapp.DecodeWebhook(body)
	if err != nil {
		t.Fatalf("%.200s: %v", body, err)
	}
	return entries
}

func TestABodyThatIsNotJSONIsRefused(t *testing.T) {
	for _, text := range []string{
		"", " ", "{", "object=whatsapp", `{"a":1}}`, `{"a":1}{"a":1}`, "\ufeff{}", "nul", `{'a':1}`, "\x00"} {
		if entries, err := whatsapp.DecodeWebhook([]byte(text)); !errors.Is(err, whatsapp.ErrNotJSON) ||
			entries != nil {
			t.Errorf("%q: %v, %v", text, entries, err)
		}
	}
}

func TestAMalformedBodyIsKeptWithAReason(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                     "the body is not an object",
		`[]`:                       "the body is not an object",
		`"x"`:                      "the body is not an object",
		` 12 `:                     "the body is not an object",
		`[` + envelope(`[]`) + `]`: "the body is not an object",
		`{}`:                       "the object is not whatsapp_business_account",
		`{"object":"page"}`:        "the object is not whatsapp_business_account",
		`{"object":["page"]}`:      "the object is not whatsapp_business_account",
		`{"Object":"whatsapp_business_account","entry":[{}]}`: "the object is not whatsapp_business_account",
		`{"object":"whatsapp_business_account"}`:              "no entry",
		envelope(`[]`):                                        "no entry",
		envelope(`{}`):                                        "no entry",
		envelope(`null`):                                      "no entry",
		envelope(`"x"`):                                       "no entry",
		envelope(`7`):                                         "no entry",
		`{"object":"whatsapp_business_account","Entry":[{}]}`: "no entry",
	} {
		want := []whatsapp.Entry{{Kind: whatsapp.KindUnknown, Value: []byte(text), Malformed: want}}
		if diff := cmp.Diff(want, decode(t, []byte(text)), cmpopts.IgnoreFields(whatsapp.Entry{}, "ID")); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
}

func TestAMalformedEntryOrChangeIsKeptAndAffectsNoOther(t *testing.T) {
	const good = `{"id":"1020","time":1732183200,"changes":[{"field":"messages",` +
		`"value":{"messages":[{"id":"wamid.1"}]}}]}`
	unknown := func(value, malformed string) whatsapp.Entry {
		return whatsapp.Entry{Kind: whatsapp.KindUnknown, Value: []byte(value), Malformed: malformed}
	}
	of1020 := func(entry whatsapp.Entry, field string) whatsapp.Entry {
		entry.WABAID, entry.EntryTime, entry.Field = "1020", 5, field
		return entry
	}
	message := whatsapp.Entry{
		Kind: whatsapp.KindMessage, Field: "messages", WABAID: "1020", EntryTime: 1732183200,
		Value: []byte(`{"messages":[{"id":"wamid.1"}]}`),
	}
	for bad, want := range map[string]whatsapp.Entry{
		`{}`:             unknown(`{}`, "an entry without changes"),
		`null`:           unknown(`null`, "an entry without changes"),
		`[]`:             unknown(`[]`, "an entry without changes"),
		`"x"`:            unknown(`"x"`, "an entry without changes"),
		`{"changes":""}`: unknown(`{"changes":""}`, "an entry without changes"),
		`{"id":"1020","time":"5","changes":[]}`: of1020(
			unknown(`{"id":"1020","time":"5","changes":[]}`, "an entry without changes"), ""),
		`{"id":1020,"time":5,"changes":[7]}`:    of1020(unknown(`7`, "a change without a value"), ""),
		`{"id":"1020","time":5,"changes":[[]]}`: of1020(unknown(`[]`, "a change without a value"), ""),
		`{"id":"1020","time":5,"changes":[{"field":"calls"}]}`: of1020(
			unknown(`{"field":"calls"}`, "a change without a value"), "calls"),
		`{"id":"1020","time":5,"changes":[{"value":[1]}]}`: of1020(
			unknown(`{"value":[1]}`, "a change without a value"), ""),
		`{"id":"1020","time":5,"changes":[{"value":"x"}]}`: of1020(
			unknown(`{"value":"x"}`, "a change without a value"), ""),
		`{"id":"1020","time":5,"changes":[{"Value":{"a":1}}]}`: of1020(
			unknown(`{"Value":{"a":1}}`, "a change without a value"), ""),
		`{"id":"1020","time":5,"changes":{"field":7,"value":{}}}`: of1020(unknown(`{}`, ""), "7"),
		`{"id":"1020","time":5,"changes":[{"value":{}}]}`:         of1020(unknown(`{}`, ""), ""),
		`{"id":["1020"],"time":"soon","changes":[{"value":{}}]}`:  unknown(`{}`, ""),
	} {
		got := decode(t, []byte(envelope(`[`+good+`,`+bad+`,`+good+`]`)))
		last := message
		want.Position, last.Position = 1, 2
		if diff := cmp.Diff([]whatsapp.Entry{message, want, last}, got,
			cmpopts.IgnoreFields(whatsapp.Entry{}, "ID")); diff != "" {
			t.Errorf("%s:\n%s", bad, diff)
		}
	}
}

func TestAnEntryThatIsNoListCountsAsOne(t *testing.T) {
	got := decode(t,
		[]byte(envelope(`{"id":"1020","changes":{"field":"messages","value":{"statuses":{"id":"wamid.1"}}}}`)))
	if len(got) != 1 || got[0].Kind != whatsapp.KindStatus || got[0].Malformed != "" {
		t.Errorf("%+v", got)
	}
}

func TestTheKindComesFromTheFieldOrForMessagesFromTheContent(t *testing.T) {
	for _, c := range []struct{ field, value, kind string }{
		{"messages", `{"messages":[{"id":"1"}]}`, whatsapp.KindMessage},
		{"messages", `{"messages":[{"id":"1"}],"errors":[{"code":1}]}`, whatsapp.KindMessage},
		{"messages", `{"statuses":[{"id":"1"}]}`, whatsapp.KindStatus},
		{"messages", `{"errors":[{"code":131000}]}`, whatsapp.KindError},
		{"messages", `{"contacts":[{"wa_id":"1"}]}`, whatsapp.KindUnknown},
		{"messages", `{"Messages":[{"id":"1"}]}`, whatsapp.KindUnknown},
		{"messages", `{"messages":[],"statuses":[{"id":"1"}]}`, whatsapp.KindStatus},
		{"messages", `{"messages":"x","statuses":7,"errors":{}}`, whatsapp.KindUnknown},
		{"", `{"messages":[{"id":"1"}]}`, whatsapp.KindMessage},
		{"", `{"statuses":[{"id":"1"}]}`, whatsapp.KindStatus},
		{"", `{}`, whatsapp.KindUnknown},
		{"smb_message_echoes", `{"message_echoes":[{"id":"1"}]}`, whatsapp.KindMessage},
		{"history", `{"history":[{"threads":[]}]}`, whatsapp.KindMessage},
		{"history", `{"history":[{"errors":[{"code":2593109}]}]}`, whatsapp.KindMessage},
		{"calls", `{"calls":[{"id":"1"}]}`, whatsapp.KindCall},
		{"calls", `{"messages":[{"id":"1"}],"statuses":[{"id":"1"}]}`, whatsapp.KindCall},
		{"message_template_status_update", `{"event":"APPROVED"}`, whatsapp.KindTemplate},
		{"phone_number_quality_update", `{"event":"FLAGGED"}`, whatsapp.KindQuality},
		{"account_update", `{"event":"PARTNER_ADDED"}`, whatsapp.KindAccount},
		{"group_participants_update", `{"groups":[]}`, whatsapp.KindGroup},
		{"user_preferences", `{"user_preferences":[{"timestamp":1732183200}]}`, whatsapp.KindPreference},
		{"user_id_update", `{"user_id_update":[]}`, whatsapp.KindUserID},
		{"payment_configuration_update", `{"configuration_name":"upi"}`, whatsapp.KindPayment},
		{"smb_app_state_sync", `{"state_sync":[]}`, whatsapp.KindContact},
		{"flows", `{"event":"FLOW_STATUS_CHANGE"}`, whatsapp.KindFlow},
		{"teleportation_update", `{"a":1}`, whatsapp.KindUnknown},
		{"teleportation_update", `{"messages":[{"id":"1"}],"statuses":[{"id":"2"}]}`, whatsapp.KindUnknown},
		{"Messages", `{"messages":[{"id":"1"}]}`, whatsapp.KindUnknown},
	} {
		got := decode(t, posted(c.field, c.value))
		want := []whatsapp.Entry{
			{Kind: c.kind, Field: c.field, WABAID: "1020", EntryTime: 1732183200, Value: []byte(c.value)}}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(whatsapp.Entry{}, "ID")); diff != "" {
			t.Errorf("%s %s:\n%s", c.field, c.value, diff)
		}
		if !slices.Contains(whatsapp.Kinds(), c.kind) {
			t.Errorf("Kinds does not list %s", c.kind)
		}
	}
}

func TestMalformedMetadataAffectsNothingElse(t *testing.T) {
	for metadata, phone := range map[string]string{
		`{"phone_number_id":"1055"}`: "1055", `{"phone_number_id":1055}`: "1055",
		`"1055"`: "", `[]`: "", `7`: "", `null`: "", `{}`: "", `{"phone_number_id":{"id":1}}`: "",
		`{"phone_number_id":true}`: "",
	} {
		got := decode(t, posted("messages", `{"metadata":`+metadata+`,"messages":[{"id":"1"}]}`))
		if len(got) != 1 || got[0].Kind != whatsapp.KindMessage || got[0].PhoneNumberID != phone {
			t.Errorf("metadata %s: %+v", metadata, got)
		}
	}
}

func TestAValueIsKeptUnchanged(t *testing.T) {
	const value = `{ "messages" : [ {"text":{"body":"Gr\u00fc\u00dfe \/ <b>&amp;</b>"} , "n":1.50, ` +
		`"n2":12345678901234567890} ] }`
	got := decode(t, posted("messages", value))
	if len(got) != 1 || string(got[0].Value) != value {
		t.Errorf("%s", got[0].Value)
	}
}

// A redelivery must be recognised, and an event that really happens twice must not be taken for a redelivery.
func TestOnlyIdenticalBodiesHaveTheSameIDs(t *testing.T) {
	const value = `{"messages":[{"id":"1"}],"statuses":[{"id":"2"}]}`
	ids := map[string]string{}
	for name, text := range map[string]string{
		"the body":     envelope(`[{"id":"1020","time":5,"changes":[{"field":"messages","value":` + value + `}]}]`),
		"a later time": envelope(`[{"id":"1020","time":6,"changes":[{"field":"messages","value":` + value + `}]}]`),
		"no time":      envelope(`[{"id":"1020","changes":[{"field":"messages","value":` + value + `}]}]`),
		"another WABA": envelope(`[{"id":"1021","time":5,"changes":[{"field":"messages","value":` + value + `}]}]`),
		"no field":     envelope(`[{"id":"1020","time":5,"changes":[{"value":` + value + `}]}]`),
		"a value more": envelope(`[{"id":"1020","time":5,"changes":[{"field":"messages","value":` +
			strings.Replace(value, `"2"`, `"3"`, 1) + `}]}]`),
		"a lone message": envelope(
			`[{"id":"1020","time":5,"changes":[{"field":"messages","value":{"messages":[{"id":"1"}]}}]}]`),
		"malformed":   envelope(`[{"id":"1020","time":5,"changes":[]}]`),
		"a later one": envelope(`[{"id":"1020","time":6,"changes":[]}]`),
	} {
		first, again := decode(t, []byte(text)), decode(t, []byte(text))
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("%s, decoded again:\n%s", name, diff)
		}
		for i, entry := range first {
			if len(entry.ID) != 32 {
				t.Errorf("%s has the id %q", name, entry.ID)
			}
			if other, taken := ids[entry.ID]; taken {
				t.Errorf("part %d of %s has the id of %s", i, name, other)
			}
			ids[entry.ID] = fmt.Sprintf("part %d of %s", i, name)
		}
	}
}
