package whatsapp_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

func named(places ...string) map[string]bool {
	gone := map[string]bool{}
	for _, place := range places {
		gone[place] = true
	}
	return gone
}

func TestMessagesAreRemovedAndWhatOthersNeedStays(t *testing.T) {
	for name, c := range map[string]struct {
		value string
		gone  map[string]bool
		want  string
		left  int
	}{
		"of two people, one": {
			`{"metadata": {"phone_number_id":"1055"}, "contacts":[{"wa_id":"1","profile":{"name":"Asha"}},` +
				`{"wa_id":"2"}],"messages":[{"id":"a","from":"1"}, {"id":"b","from":"2","n":1.50}]}`,
			named("messages[0]"),
			`{"metadata":{"phone_number_id":"1055"},"contacts":[{"wa_id":"2"}],"messages":[{"id":"b","from":"2",` +
				`"n":1.50}]}`, 1,
		},
		"all": {
			`{"contacts":[{"wa_id":"1"}],"messages":[{"id":"a","from":"1"},{"id":"b","from":"1"}]}`,
			named("messages[0]", "messages[1]"),
			`{"contacts":[],"messages":[]}`, 0,
		},
		"one of two of the same person": {
			`{"contacts":[{"wa_id":"1"}],"messages":[{"id":"a","from":"1"},{"id":"b","from":"1"}]}`,
			named("messages[0]"),
			`{"contacts":[{"wa_id":"1"}],"messages":[{"id":"b","from":"1"}]}`, 1,
		},
		"a sole sender's number written differently": {
			`{"contacts":[{"wa_id":"5511988887777"}],"messages":[{"id":"a","from":"551188887777"},{"id":"b",` +
				`"from":"551188887777"}]}`, named("messages[1]"),
			`{"contacts":[{"wa_id":"5511988887777"}],"messages":[{"id":"a","from":"551188887777"}]}`, 1,
		},
		"by user id": {
			`{"contacts":[{"user_id":"IN.1"},{"user_id":"IN.2"}],"messages":[{"id":"a","from_user_id":"IN.1"},` +
				`{"id":"b","from_user_id":"IN.2"}]}`, named("messages[1]"),
			`{"contacts":[{"user_id":"IN.1"}],"messages":[{"id":"a","from_user_id":"IN.1"}]}`, 1,
		},
		"an echo": {
			`{"contacts":[{"wa_id":"1"},{"wa_id":"2"}],"message_echoes":[{"id":"a","to":"1"},{"id":"b","to":"2"}]}`,
			named("message_echoes[1]"),
			`{"contacts":[{"wa_id":"1"}],"message_echoes":[{"id":"a","to":"1"}]}`, 1,
		},
		"a lone message": {`{"messages":{"id":"a"},"x":1}`, named("messages[0]"), `{"messages":[],"x":1}`, 0},
		"a thread of an import": {
			`{"history":[{"metadata":{"phase":1},"threads":[{"id":"1","messages":[{"id":"a"},{"id":"b"}]},` +
				`{"id":"2","messages":[{"id":"c"},{"id":"d"}]}]}]}`,
			named("history[0].threads[0].messages[0]", "history[0].threads[0].messages[1]",
				"history[0].threads[1].messages[1]"),
			`{"history":[{"metadata":{"phase":1},"threads":[{"id":"2","messages":[{"id":"c"}]}]}]}`, 1,
		},
		"a name that stands twice": {
			`{"messages":[{"id":"old"}],"messages":[{"id":"a"},{"id":"b"}]}`, named("messages[0]"),
			`{"messages":[{"id":"b"}]}`, 1},
		"nothing":              {`{"messages": [ {"id":"a"} ]}`, nil, `{"messages": [ {"id":"a"} ]}`, 1},
		"of what is no object": {`[1]`, named("messages[0]"), `[1]`, 0},
		"of what is no JSON":   {`{"messages":[`, named("messages[0]"), `{"messages":[`, 0},
		"what is no message, either": {
			`{"messages":[7,null,{"id":"a"}]}`, named("messages[2]"), `{"messages":[7,null]}`, 2},
		"of a list that is a text": {`{"messages":"x"}`, named("messages[0]"), `{"messages":"x"}`, 0},
		"of threads that are missing": {
			`{"history":[{"a":1}]}`, named("history[0].threads[0].messages[0]"), `{"history":[{"a":1}]}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, left := whatsapp.RemoveMessages(json.RawMessage(c.value), c.gone)
			if diff := cmp.Diff(c.want, string(got)); diff != "" || left != c.left {
				t.Errorf("%d left, want %d:\n%s", left, c.left, diff)
			}
		})
	}
}

// everyMessage lists the messages of a value by path.
func everyMessage(value any) (places []string, messages map[string]any) {
	messages = map[string]any{}
	add := func(object any, name, path string) {
		for i, m := range list(object, name) {
			place := fmt.Sprintf("%s[%d]", path, i)
			places, messages[place] = append(places, place), m
		}
	}
	add(value, "messages", "messages")
	add(value, "message_echoes", "message_echoes")
	for i, chunk := range list(value, "history") {
		for j, thread := range list(chunk, "threads") {
			add(thread, "messages", fmt.Sprintf("history[%d].threads[%d].messages", i, j))
		}
	}
	return places, messages
}

// FuzzRemoveMessages checks that no value and no choice of messages causes a panic, that the result is JSON with every
// other message in order and every other member unchanged, and that nothing is left to remove.
func FuzzRemoveMessages(f *testing.F) {
	for _, seed := range []string{
		`{"contacts":[{"wa_id":"1"},{"user_id":"2"}],"messages":[{"id":"a","from":"1"},{"id":"b",` +
			`"from_user_id":"2"}],"x":[1.0,"\u2028"]}`,
		`{"messages":{"id":"a"},"message_echoes":[{"to":"1"},7],"contacts":{"wa_id":"1"}}`,
		`{"history":[{"threads":[{"id":"1","messages":[{},{}]},{"id":"2","messages":{"a":1}}]},` +
			`{"threads":{"messages":[1]}}]}`,
		`{"messages":[1],"messages":[2,3],"history":{"threads":{"messages":{"b":2}}}}`, `{"messages":[]}`, `{}`, `[]`,
		`null`, `{`,
	} {
		f.Add([]byte(seed), uint64(1))
		f.Add([]byte(seed), uint64(0xAAAA))
	}
	f.Fuzz(func(t *testing.T, value []byte, which uint64) {
		if !json.Valid(value) {
			if rest, left := whatsapp.RemoveMessages(value, named("messages[0]")); string(rest) != string(value) ||
				left != 0 {
				t.Fatalf("%q became %q", value, rest)
			}
			return
		}
		before := plain(t, value)
		object, _ := before.(map[string]any)
		places, messages := everyMessage(before)
		gone, want := map[string]bool{}, []any{}
		for i, place := range places {
			if which>>(i%64)&1 == 1 {
				gone[place] = true
			} else {
				want = append(want, messages[place])
			}
		}
		rest, left := whatsapp.RemoveMessages(value, gone)
		if !json.Valid(rest) {
			t.Fatalf("%q became %q", value, rest)
		}
		after := plain(t, rest)
		stay, kept := everyMessage(after)
		got := []any{}
		for _, place := range stay {
			got = append(got, kept[place])
		}
		if left != len(want) || !reflect.DeepEqual(want, got) {
			t.Fatalf("%q without %v: %d left in %q", value, gone, left, rest)
		}
		for name, member := range object {
			switch name {
			case "messages", "message_echoes", "history", "contacts":
			default:
				if !reflect.DeepEqual(member, after.(map[string]any)[name]) {
					t.Fatalf("%q lost %s: %q", value, name, rest)
				}
			}
		}
		if again, leftAgain := whatsapp.RemoveMessages(rest, nil); string(again) != string(rest) || leftAgain != left {
			t.Fatalf("%q: %d left, then %d", rest, left, leftAgain)
		}
	})
}
