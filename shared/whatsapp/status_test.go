package whatsapp_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestAStatusWithMissingFieldsIsDecoded(t *testing.T) {
	for text, want := range map[string]whatsapp.Status{
		`{}`: {},
		`{"id":"wamid.1","status":"deleted","errors":[{"code":1}]}`: {
			ID: "wamid.1", Status: "deleted", Errors: []whatsapp.Error{{Code: 1}}},
		`{"id":["wamid.1"],"status":null,"timestamp":{}}`: {},
		`{"id":"wamid.1","status":"read","timestamp":1732183200,"recipient_id":919876543210}`: {
			ID: "wamid.1", Status: "read", Timestamp: "1732183200", RecipientID: "919876543210",
		},
		`{"id":"wamid.1","status":"sent","recipient_user_id":"IN.1"}`: {
			ID: "wamid.1", Status: "sent", RecipientUserID: "IN.1"},
		`{"status":"read","recipient_id":"g-1","recipient_participant_id":"91"}`: {
			Status: "read", RecipientID: "g-1", Participant: "91"},
		`{"status":"read","recipient_id":"g-1","participant_recipient_id":"91"}`: {
			Status: "read", RecipientID: "g-1", Participant: "91"},
		`{"status":"read","recipient_participant_user_id":"IN.2"}`: {Status: "read", Participant: "IN.2"},
		`{"status":"sent","biz_opaque_callback_data":"5e9-0000000007","pricing":{"billable":true}}`: {
			Status: "sent", CallbackData: "5e9-0000000007", Pricing: json.RawMessage(`{"billable":true}`),
		},
		`{"type":"payment","status":"captured","payment":{"reference_id":"r"}}`: {
			Type: "payment", Status: "captured", Payment: json.RawMessage(`{"reference_id":"r"}`),
		},
		`{"status":"failed","errors":[{"code":"131026","title":"T","message":"M","error_data":{"details":"D"}},` +
			`null,"x",{"code":{}}]}`: {
			Status: "failed", Errors: []whatsapp.Error{{Code: 131026, Title: "T", Message: "M", Details: "D"}, {}},
		},
		`{"status":"failed","errors":{"code":131026}}`: {Status: "failed", Errors: []whatsapp.Error{{Code: 131026}}},
		`{"status":"failed","errors":"x"}`:             {Status: "failed"},
	} {
		got, err := whatsapp.DecodeStatus([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
}

func TestAContactWithMissingFieldsIsDecoded(t *testing.T) {
	var list whatsapp.List
	const text = `[{"wa_id":"919876543210","profile":{"name":"Asha"}}, 7, null, {}, "x",
		{"user_id":"IN.1","parent_user_id":"IN.ENT.1","profile":{"name":"R","username":"@r"}}, {"wa_id":91,"username":"@top","profile":"x"}]`
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	want := []whatsapp.Contact{
		{WAID: "919876543210", Name: "Asha"}, {},
		{UserID: "IN.1", ParentUserID: "IN.ENT.1", Name: "R", Username: "@r"}, {WAID: "91", Username: "@top"},
	}
	if diff := cmp.Diff(want, whatsapp.DecodeContacts(list)); diff != "" {
		t.Error(diff)
	}
	if got := whatsapp.DecodeContacts(nil); got != nil {
		t.Errorf("no contacts are %v", got)
	}
}

func TestTheLenientTypesAcceptEveryForm(t *testing.T) {
	for text, want := range map[string]struct {
		Text whatsapp.Text
		List int
		Obj  bool
	}{
		`"a\u00e4"`: {Text: "aä"}, `"12"`: {Text: "12"}, `12`: {Text: "12"}, `-1.50e3`: {Text: "-1.50e3"},
		`12345678901234567890123`: {Text: "12345678901234567890123"},
		`true`:                    {}, `null`: {}, `[]`: {}, `{}`: {Obj: true}, `[1,{},null]`: {List: 3},
		`{"a":1}`: {List: 1, Obj: true},
		`""`:      {},
	} {
		var all struct {
			T whatsapp.Text
			L whatsapp.List
			O whatsapp.Object
		}
		all.T, all.L, all.O = "before", whatsapp.List{nil}, whatsapp.Object{"before": nil}
		if err := json.Unmarshal([]byte(`{"T": `+text+` ,"L": `+text+` ,"O": `+text+` }`), &all); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if all.T != want.Text || len(all.L) != want.List || (all.O != nil) != want.Obj {
			t.Errorf("%s is the text %q, a list of %d, the object %v", text, all.T, len(all.L), all.O)
		}
	}
}

func TestAMemberOfAnotherTypeCountsAsMissing(t *testing.T) {
	o := whatsapp.Object{
		"text": []byte(`"a"`), "number": []byte(` 7 `), "float": []byte(`7.5`), "object": []byte(`{"a":1}`),
		"list": []byte(`[1]`),
		"true": []byte(`true`), "digits": []byte(`"131047"`), "huge": []byte(`99999999999999999999`),
	}
	for name := range o {
		for kind, have := range map[string]bool{
			"text":   o.Text(name) != "",
			"int":    o.Int(name) != 0,
			"object": o.Object(name) != nil,
			"bool":   o.Bool(name),
		} {
			want := map[string][]string{
				"text": {"text", "number", "float", "digits", "huge"}, "int": {"number", "digits"},
				"object": {"object"}, "bool": {"true"},
			}[kind]
			if has := slices.Contains(want, name); has != have {
				t.Errorf("%s is a %s: %v, want %v", o[name], kind, have, has)
			}
		}
	}
	var none whatsapp.Object
	if none.Text("a") != "" || none.Int("a") != 0 || none.Object("a") != nil || none.List("a") != nil ||
		none.Bool("a") {
		t.Error("no object has members")
	}
}
