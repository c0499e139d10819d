package whatsapp_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

// value is what the tests read from a part.
type value struct {
	Product  string            `json:"messaging_product"`
	Contacts []json.RawMessage `json:"contacts"`
	Messages []json.RawMessage `json:"messages"`
	Statuses []json.RawMessage `json:"statuses"`
}

func read(t *testing.T, entry whatsapp.Entry) value {
	t.Helper()
	var v value
	if err := json.Unmarshal(entry.Value, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// elements returns n list elements of about size bytes, each with its own id.
func elements(prefix string, n, size int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"id":"%s.%d","body":"%s"}`, prefix, i, strings.Repeat("x", size))
	}
	return list
}

func text(list []json.RawMessage) []string {
	texts := make([]string, len(list))
	for i, raw := range list {
		texts[i] = string(raw)
	}
	return texts
}

func TestAValueWithMessagesAndStatusesIsSplit(t *testing.T) {
	got := decode(t,
		posted("messages",
			`{"messaging_product":"whatsapp","metadata":{"phone_number_id":"1055"},"contacts":[{"wa_id":"9"}],
		"messages":[{"id":"m1"},{"id":"m2"}],"statuses":[{"id":"s1"}]}`))
	if len(got) != 2 || got[0].Kind != whatsapp.KindMessage || got[1].Kind != whatsapp.KindStatus {
		t.Fatalf("%+v", got)
	}
	messages, statuses := read(t, got[0]), read(t, got[1])
	if diff := cmp.Diff([]string{`{"id":"m1"}`, `{"id":"m2"}`}, text(messages.Messages)); diff != "" ||
		messages.Statuses != nil {
		t.Errorf("the messages' part: %s\n%s", got[0].Value, diff)
	}
	if diff := cmp.Diff([]string{`{"id":"s1"}`}, text(statuses.Statuses)); diff != "" || statuses.Messages != nil {
		t.Errorf("the statuses' part: %s\n%s", got[1].Value, diff)
	}
	for _, part := range got {
		if v := read(t, part); v.Product != "whatsapp" || len(v.Contacts) != 1 || part.PhoneNumberID != "1055" ||
			part.Malformed != "" {
			t.Errorf("a part lost what both need: %+v", part)
		}
	}
}

func TestALargeListIsSplitWithoutLosingOrDoublingElements(t *testing.T) {
	for name, c := range map[string]struct {
		messages, statuses []string
		parts              int
	}{
		"a thousand statuses":            {nil, elements("s", 1000, 500), 2},
		"messages in three parts":        {elements("m", 8, 100<<10), nil, 4},
		"both, one of them large":        {elements("m", 3, 10), elements("s", 700, 500), 3},
		"each alone larger than a part":  {elements("m", 3, whatsapp.MaxPart+1), nil, 3},
		"one larger, and small ones":     {append(elements("m", 2, 10), elements("n", 1, whatsapp.MaxPart)...), nil, 2},
		"small ones behind a larger one": {append(elements("n", 1, whatsapp.MaxPart), elements("m", 2, 10)...), nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			list := func(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }
			body := posted("messages", `{"messages":`+list(c.messages)+`,"statuses":`+list(c.statuses)+`}`)
			var messages, statuses []string
			ids := map[string]bool{}
			got := decode(t, body)
			for _, part := range got {
				v := read(t, part)
				if len(v.Messages) > 0 && len(v.Statuses) > 0 || len(v.Messages)+len(v.Statuses) == 0 {
					t.Errorf("a part with %d messages and %d statuses", len(v.Messages), len(v.Statuses))
				}
				if (part.Kind == whatsapp.KindMessage) != (len(v.Messages) > 0) {
					t.Errorf("a part of %d messages is of the kind %s", len(v.Messages), part.Kind)
				}
				if len(v.Messages)+len(v.Statuses) > 1 && len(part.Value) > whatsapp.MaxPart+100 {
					t.Errorf("a part of %d bytes could have been smaller", len(part.Value))
				}
				messages, statuses = append(messages, text(v.Messages)...), append(statuses, text(v.Statuses)...)
				ids[part.ID] = true
			}
			if len(got) != c.parts || len(ids) != c.parts {
				t.Errorf("%d parts with %d ids, want %d", len(got), len(ids), c.parts)
			}
			if !slices.Equal(c.messages, messages) {
				t.Errorf("%d messages came out as %d", len(c.messages), len(messages))
			}
			if !slices.Equal(c.statuses, statuses) {
				t.Errorf("%d statuses came out as %d", len(c.statuses), len(statuses))
			}
			if !reflect.DeepEqual(got, decode(t, body)) {
				t.Error("not the same parts again")
			}
		})
	}
}

func TestALargeValueThatCannotBeSplitStaysUnsplit(t *testing.T) {
	padding := strings.Repeat("x", whatsapp.MaxPart)
	for name, body := range map[string][]byte{
		"one message":      posted("messages", `{"messages":[{"id":"1","text":"`+padding+`"}]}`),
		"one status":       posted("messages", `{"statuses":[{"id":"1","text":"`+padding+`"}]}`),
		"imported history": posted("history", `{"history":[{"a":"`+padding+`"},{"b":1}]}`),
		"an unknown field": posted("news", `{"messages":[{"id":"1"},{"id":"2"}],"a":"`+padding+`"}`),
		"a template":       posted("message_template_status_update", `{"reason":"`+padding+`"}`),
	} {
		if got := decode(t, body); len(got) != 1 || len(got[0].Value) <= whatsapp.MaxPart {
			t.Errorf("%s became %d entries", name, len(got))
		}
	}
}

func TestAValueOfExactlyOnePartIsNotSplit(t *testing.T) {
	build := func(size int) string {
		const frame = `{"statuses":[{"id":"1"},{"id":"2"}],"pad":""}`
		return strings.Replace(frame, `"pad":"`, `"pad":"`+strings.Repeat("x", size-len(frame)), 1)
	}
	if got := decode(t, posted("messages", build(whatsapp.MaxPart))); len(got) != 1 ||
		string(got[0].Value) != build(whatsapp.MaxPart) {
		t.Errorf("a value of one part became %d entries", len(got))
	}
	if got := decode(t, posted("messages", build(whatsapp.MaxPart+1))); read(t, got[0]).Statuses == nil ||
		len(got) != 1 {
		t.Errorf("a value with short lists became %d entries", len(got))
	}
}
