package whatsapp_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/whatsapp"
)

// plain decodes JSON into plain Go values, without the package's own types.
func plain(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return value
}

// list returns a member as a list. A single object that is not empty counts as a list of one.
func list(object any, name string) []any {
	members, _ := object.(map[string]any)
	switch member := members[name].(type) {
	case []any:
		return member
	case map[string]any:
		if len(member) > 0 {
			return []any{member}
		}
	}
	return nil
}

// pieces returns the values that a body's entries must contain, in order.
func pieces(body any) []any {
	object, ok := body.(map[string]any)
	entries := list(body, "entry")
	if !ok || object["object"] != "whatsapp_business_account" || len(entries) == 0 {
		return []any{body}
	}
	var all []any
	for _, entry := range entries {
		changes := list(entry, "changes")
		if len(changes) == 0 {
			all = append(all, entry)
		}
		for _, change := range changes {
			members, _ := change.(map[string]any)
			if value, ok := members["value"].(map[string]any); ok {
				all = append(all, value)
			} else {
				all = append(all, change)
			}
		}
	}
	return all
}

// FuzzDecodeWebhook checks that no body causes a panic, that every value of a valid body is in the entries, whole or in
// parts that together have each message and status once, and that the same body always gives the same ids.
func FuzzDecodeWebhook(f *testing.F) {
	for _, seed := range []string{
		``, `{`, `null`, `[]`, `{}`, envelope(`[]`), envelope(`[{}]`), envelope(`{"changes":{"value":{}}}`),
		envelope(`[null,[],7,"x",{"changes":[1]}]`),
		string(posted("messages",
			`{"metadata":{"phone_number_id":"1055"},"contacts":[{"wa_id":"9"}],"messages":[{"id":"1",`+
				`"text":{"body":"hi"}}]}`)),
		string(posted("messages",
			`{"messages":[{"id":"1"},{"id":"2"}],"statuses":[{"id":"3"},7,null],"errors":[{"code":1}]}`)),
		string(posted("messages", `{"messages":{"id":"<&>\u2028"},"statuses":{"id":"\ud83d"},"Messages":[1]}`)),
		string(posted("calls", `{"messages":[{}],"statuses":[{}]}`)),
		string(posted("", `{"messages":"x","metadata":"y","history":[{}]}`)),
		`{"object":"whatsapp_business_account","entry":[{"id":1.5,"time":1e3,"changes":[{"field":{},"value":{"a":1,` +
			`"a":2}}]}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := whatsapp.DecodeWebhook(body)
		if err != nil {
			if !errors.Is(err, whatsapp.ErrNotJSON) || json.Valid(body) {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		again, _ := whatsapp.DecodeWebhook(body)
		if !reflect.DeepEqual(got, again) {
			t.Fatalf("%q: not the same entries again", body)
		}
		byID := map[string]whatsapp.Entry{}
		for _, entry := range got {
			if other, taken := byID[entry.ID]; taken && !reflect.DeepEqual(entry, other) {
				t.Fatalf("%q: %+v and %+v share an id", body, entry, other)
			}
			byID[entry.ID] = entry
			if entry.Malformed != "" && entry.Kind != whatsapp.KindUnknown {
				t.Fatalf("%q: a malformed entry of the kind %s", body, entry.Kind)
			}
		}
		rest := got
		for _, piece := range pieces(plain(t, body)) {
			rest = consume(t, piece, rest)
		}
		if len(rest) > 0 {
			t.Fatalf("%q: %d entries too many", body, len(rest))
		}
	})
}

// consume removes the entries of one piece from the front: one entry that has it whole, or several that have its parts.
func consume(t *testing.T, piece any, entries []whatsapp.Entry) []whatsapp.Entry {
	t.Helper()
	if len(entries) == 0 {
		t.Fatalf("nothing holds %v", piece)
	}
	if reflect.DeepEqual(plain(t, entries[0].Value), piece) {
		return entries[1:]
	}
	messages, statuses := list(piece, "messages"), list(piece, "statuses")
	for len(messages)+len(statuses) > 0 {
		if len(entries) == 0 {
			t.Fatalf("of %v, %d messages and %d statuses are in no part", piece, len(messages), len(statuses))
		}
		part := plain(t, entries[0].Value)
		messages = without(t, messages, list(part, "messages"))
		statuses = without(t, statuses, list(part, "statuses"))
		for name, member := range piece.(map[string]any) {
			if name != "messages" && name != "statuses" && !reflect.DeepEqual(part.(map[string]any)[name], member) {
				t.Fatalf("a part of %v lost %s", piece, name)
			}
		}
		entries = entries[1:]
	}
	return entries
}

func without(t *testing.T, all, front []any) []any {
	t.Helper()
	if len(front) > len(all) || len(front) > 0 && !reflect.DeepEqual(all[:len(front)], front) {
		t.Fatalf("%v does not go on with %v", all, front)
	}
	return all[len(front):]
}

// FuzzDecodeMessage checks that no message causes a panic, that its preview is one short line, and that no content is
// lost.
func FuzzDecodeMessage(f *testing.F) {
	for seed := range previews {
		f.Add([]byte(seed))
	}
	f.Add([]byte(
		`{"id":1,"timestamp":99999999999999,"errors":{"code":"1"},"text":{"body":"\ud800\u0000\n"},"type":"edit",` +
			`"edit":{"message":{"type":"edit"}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return // messages are always parts of a valid body
		}
		m, err := whatsapp.DecodeMessage(raw)
		members, isObject := plain(t, raw).(map[string]any)
		if (err == nil) != isObject {
			t.Fatalf("%q: %v", raw, err)
		}
		if err != nil {
			return
		}
		preview := m.Preview()
		if preview == "" || !utf8.ValidString(preview) || utf8.RuneCountInString(preview) > 121 ||
			strings.ContainsAny(preview, "\n\r\x00") {
			t.Fatalf("%q shows %q", raw, preview)
		}
		if at := m.At(); at.Year() > 9999 || at.Year() < 1 {
			t.Fatalf("%q is of %s", raw, at)
		}
		if media, ok := m.Media(); ok && media.ID == "" {
			t.Fatalf("%q has media without an id", raw)
		}
		own := []string{
			"id", "type", "timestamp", "from", "from_user_id", "to", "to_user_id", "group_id", "context", "errors",
			"text"}
		for name, member := range members {
			if kept, ok := m.Content[name]; ok && !reflect.DeepEqual(plain(t, kept), member) {
				t.Fatalf("%q: %s became %q", raw, name, kept)
			} else if !ok && !strings.Contains(" "+strings.Join(own, " ")+" ", " "+name+" ") {
				t.Fatalf("%q lost %q", raw, name)
			}
		}
		if _, err := whatsapp.DecodeStatus(raw); err != nil {
			t.Fatalf("%q as a status: %v", raw, err)
		}
	})
}

func FuzzDecodeTemplateEvent(f *testing.F) {
	f.Add(0, `{"event":"PAUSED","message_template_name":"a","message_template_language":"en-US",`+
		`"other_info":{"title":"FIRST_PAUSE"}}`)
	f.Add(1, `{"new_quality_score":"RED","message_template_id":7}`)
	f.Add(2, `{"message_template_element":"Hi","message_template_buttons":[{"message_template_button_type":"URL",`+
		`"message_template_button_url":"x"},7]}`)
	f.Add(3, `{"new_category":"UTILITY","correct_category":"MARKETING"}`)
	f.Fuzz(func(t *testing.T, field int, text string) {
		var value whatsapp.Object
		if json.Unmarshal([]byte(text), &value) != nil {
			return
		}
		name := whatsapp.TemplateFields[uint(field)%uint(len(whatsapp.TemplateFields))]
		for _, change := range whatsapp.DecodeTemplateEvent(name, value).Changes {
			if change.Aspect != whatsapp.TemplateCorrection && change.Value == "" && len(change.Components) == 0 {
				t.Errorf("%s: a change to nothing: %+v", text, change)
			}
			for _, component := range change.Components {
				if !json.Valid(component) {
					t.Errorf("%s: a component that is not JSON: %s", text, component)
				}
			}
		}
	})
}

func FuzzDecodeCalls(f *testing.F) {
	f.Add(`{"metadata":{"display_phone_number":"1555"},"contacts":[{"user_id":"US.1"}],"calls":[{"id":"c",` +
		`"from":1555,"to":"91","event":"connect","timestamp":1,"session":{"sdp":"x"}},7]}`)
	f.Add(`{"calls":{"id":"c","event":"terminate","status":"COMPLETED","duration":"-7","errors":[{}]},` +
		`"statuses":[{"id":"c","status":"ringing"}]}`)
	f.Add(`{"calls":[{"id":"c","event":"call_recording_available","call_recording":{"audio":{}}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var value whatsapp.Object
		if json.Unmarshal([]byte(text), &value) != nil {
			return
		}
		for _, call := range whatsapp.DecodeCalls(value) {
			if call.ID == "" || call.Duration < 0 || len(call.File) > 0 && !json.Valid(call.File) {
				t.Errorf("%s: %+v", text, call)
			}
		}
	})
}

func FuzzDecodePayment(f *testing.F) {
	f.Add(`{"reference_id":"r","amount":{"value":21050,"offset":"100"},"currency":"INR","transaction":{"id":"t"}}`)
	f.Add(`{"amount":{"value":"1e999999999","offset":100}}`)
	f.Add(`{"transaction":{"amount":{"value":-1,"offset":7}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		amount := whatsapp.DecodePayment(json.RawMessage(text)).Amount
		if len(amount.String()) > 60 || amount.Sign() < 0 {
			t.Errorf("%s: an amount of %d digits", text, len(amount.String()))
		}
	})
}
