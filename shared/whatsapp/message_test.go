package whatsapp_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/haatline/haatline/shared/whatsapp"
)

func message(t *testing.T, text string) whatsapp.Message {
	t.Helper()
	m, err := whatsapp.DecodeMessage([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

func TestOnlyAnObjectIsAMessageOrAStatus(t *testing.T) {
	for _, text := range []string{"", "null", "[]", `"x"`, "7", "true", "{", `[{"id":"1"}]`} {
		if m, err := whatsapp.DecodeMessage([]byte(text)); err == nil {
			t.Errorf("%q is the message %+v", text, m)
		}
		if s, err := whatsapp.DecodeStatus([]byte(text)); err == nil {
			t.Errorf("%q is the status %+v", text, s)
		}
	}
}

// previews has a message of every type and its preview.
var previews = map[string]string{
	`{"type":"text","text":{"body":"2 kg ` +
		`rice chahiye"}}`: "2 kg rice chahiye",
	`{"type":"text","text":{"body":""}}`: "[text]",
	`{"type":"text"}`:                    "[text]",
	`{"type":"text","text":"hello"}`:     "[text]",
	`{"type":"image","image":{"id":"1",` +
		`"caption":"the bill"}}`: "📷 the bill",
	`{"type":"image","image":{"id":"1"}}`:         "📷 Photo",
	`{"type":"image","errors":[{"code":131052}]}`: "📷 Photo",
	`{"type":"video","video":{"id":"1"}}`:         "🎥 Video",
	`{"type":"video","video":{"id":"1",` +
		`"caption":"look"}}`: "🎥 look",
	`{"type":"audio","audio":{"id":"1",` +
		`"voice":true}}`: "🎤 Voice message",
	`{"type":"audio","audio":{"id":"1",` +
		`"voice":false}}`: "🎵 Audio",
	`{"type":"voice","voice":{"id":"1"}}`: "🎤 Voice message",
	`{"type":"document","document":{"id":"1","filename":"Rechnung ` +
		`März.pdf"}}`: "📄 Rechnung März.pdf",
	`{"type":"document","document":{"id":"1","filename":"a.pdf",` +
		`"caption":"for you"}}`: "📄 for you",
	`{"type":"document","document":{"id":"1"}}`: "📄 Document",
	`{"type":"sticker","sticker":{"id":"1",` +
		`"animated":true}}`: "Sticker",
	`{"type":"location","location":{"latitude":1.5,` +
		`"longitude":2}}`: "📍 Location",
	`{"type":"location","location":{"name":"Shop",` +
		`"address":"Main St"}}`: "📍 Shop",
	`{"type":"location","location":{"address":"Main St"}}`:                    "📍 Main St",
	`{"type":"contacts","contacts":[{"name":{"formatted_name":"Asha Rao"}}]}`: "👤 Asha Rao",
	`{"type":"contacts","contacts":[{"name":{"first_name":"Asha"}},{},{}]}`:   "👤 Asha and 2 more",
	`{"type":"contacts","contacts":[]}`:                                       "👤 Contact",
	`{"type":"contacts","contacts":["x"]}`:                                    "👤 Contact",
	`{"type":"reaction","reaction":{"message_id":"1",` +
		`"emoji":"👍🏽"}}`: "Reacted 👍🏽",
	`{"type":"reaction","reaction":{"message_id":"1",` +
		`"emoji":""}}`: "Removed a reaction",
	`{"type":"reaction","reaction":{"message_id":"1"}}`: "Removed a reaction",
	`{"type":"interactive","interactive":{"type":"button_reply","button_reply":{"id":"yes","title":"Yes,` +
		` please"}}}`: "Yes, please",
	`{"type":"interactive","interactive":{"type":"button_reply",` +
		`"button_reply":{"id":"yes"}}}`: "yes",
	`{"type":"interactive","interactive":{"type":"list_reply","list_reply":{"id":"7",` +
		`"title":"Atta 5 kg"}}}`: "Atta 5 kg",
	`{"type":"interactive","interactive":{"type":"nfm_reply","nfm_reply":{"name":"flow",` +
		`"response_json":"{\"a\":1}"}}}`: "📝 Answered a form",
	`{"type":"interactive","interactive":{"type":"nfm_reply",` +
		`"nfm_reply":{"name":"flow"}}}`: "📝 Answered a form",
	`{"type":"interactive","interactive":{"type":"nfm_reply",` +
		`"nfm_reply":{"response_json":"not json"}}}`: "📝 Answered a form",
	`{"type":"interactive","interactive":{"type":"call_permission_reply",` +
		`"call_permission_reply":{"response":"accept"}}}`: "📞 Call permission: accept",
	`{"type":"interactive",` +
		`"interactive":{"type":"call_permission_reply"}}`: "📞 Call permission: answered",
	`{"type":"interactive","interactive":{"type":"hologram",` +
		`"body":{"text":"Look"}}}`: "Look",
	`{"type":"media_placeholder"}`: "📎 File",
	`{"type":"interactive"}`:       "Answered a message",
	`{"type":"button","button":{"text":"Approve",` +
		`"payload":"a:1"}}`: "Approve",
	`{"type":"button"}`: "[button]",
	`{"type":"order","order":{"product_items":[{"quantity":2}]}}`: "🛒 Order, 1 item",
	`{"type":"order","order":{"product_items":[{},{}]}}`:          "🛒 Order, 2 items",
	`{"type":"order"}`: "🛒 Order, 0 items",
	`{"type":"system","system":{"body":"User A changed from 1 to 2",` +
		`"type":"user_changed_number"}}`: "User A changed from 1 to 2",
	`{"type":"system"}`: "The customer's account changed",
	`{"type":"edit","edit":{"original_message_id":"1","message":{"type":"text",` +
		`"text":{"body":"3 kg"}}}}`: "Edited: 3 kg",
	`{"type":"edit","edit":{"message":{"type":"image",` +
		`"image":{"caption":"new"}}}}`: "Edited: 📷 new",
	`{"type":"edit","edit":{"message":{"type":"edit",` +
		`"edit":{"message":{"type":"text"}}}}}`: "Edited a message",
	`{"type":"edit","edit":{}}`: "Edited a message",
	`{"type":"edit"}`:           "Edited a message",
	`{"type":"revoke","revoke":{"original_message_id":"1"}}`:        "Deleted a message",
	`{"type":"unsupported","unsupported":{"type":"poll"}}`:          "📊 Poll, which WhatsApp does not hand over",
	`{"type":"unsupported","errors":[{"code":131051}]}`:             "Unsupported message",
	`{"type":"request_welcome"}`:                                    "Opened the chat",
	`{"type":"hologram","hologram":{"depth":3}}`:                    "[hologram]",
	`{"text":{"body":"no type"}}`:                                   "no type",
	`{"image":{"id":"1"}}`:                                          "📷 Photo",
	`{"button":{"text":"Approve"}}`:                                 "Approve",
	`{}`:                                                            "[unknown]",
	`{"type":"ephemeral"}`:                                          "Disappearing message",
	`{"type":"ephemeral","text":{"body":"hi"}}`:                     "hi",
	`{"type":"poll","poll":{"name":"Lunch?"}}`:                      "📊 Poll: Lunch?",
	`{"type":"event","event":{"title":"Diwali"}}`:                   "📅 Event: Diwali",
	`{"type":"group_invite"}`:                                       "👥 Invitation to a group",
	`{"type":"unsupported","unsupported":{"type":"poll_creation"}}`: "📊 Poll, which WhatsApp does not hand over",
	`{"type":["text"]}`:                                             "[unknown]",
	`{"type":5}`:                                                    "[5]",
}

func TestEveryTypeOfMessageHasAPreview(t *testing.T) {
	for text, want := range previews {
		if got := message(t, text).Preview(); got != want {
			t.Errorf("%s shows %q, want %q", text, got, want)
		}
	}
}

func TestAPreviewIsOneLineOfAtMost120Characters(t *testing.T) {
	exact := strings.Repeat("क", 120)
	for text, want := range map[string]string{
		"":                                    "",
		" \r\n\t ":                            "",
		"  two\n\n lines \t here  ":           "two lines here",
		"a\x00b\u0085c\u2028d":                "a b c d",
		"שלום\nעולם":                          "שלום עולם",
		exact:                                 exact,
		exact + " \n":                         exact,
		exact + "ख":                           exact + "…",
		exact + " ख":                          exact + "…",
		strings.Repeat("a", 119) + " b":       strings.Repeat("a", 119) + "…",
		strings.Repeat("a", 118) + " b":       strings.Repeat("a", 118) + " b",
		strings.Repeat("a", 118) + " b c":     strings.Repeat("a", 118) + " b…",
		strings.Repeat("🛒", 500):              strings.Repeat("🛒", 120) + "…",
		"a\xffb":                              "a\uFFFDb",
		strings.Repeat("a", 119) + "\xf0\x9f": strings.Repeat("a", 119) + "\uFFFD…",
	} {
		got := whatsapp.PreviewOf(text)
		if got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
		if count := utf8.RuneCountInString(strings.TrimSuffix(got, "…")); !utf8.ValidString(got) || count > 120 {
			t.Errorf("%q is shown in %d characters: %q", text, count, got)
		}
	}
	caption := message(t, `{"type":"image","image":{"caption":"`+strings.Repeat("ü", 300)+`"}}`).Preview()
	if !utf8.ValidString(caption) || !strings.HasSuffix(caption, "ü…") {
		t.Errorf("a long caption is shown as %q", caption)
	}
	kind := message(t, `{"type":"a\nb`+strings.Repeat("^", 300)+`"}`).Preview()
	if utf8.RuneCountInString(kind) != 121 || !strings.HasPrefix(kind, "[a b^") {
		t.Errorf("a long type is shown as %q", kind)
	}
}

func TestCommonMessageFieldsAreDecoded(t *testing.T) {
	got := message(t,
		`{"id":"wamid.1","type":"text","timestamp":"1732183200","from":"919876543210","from_user_id":"IN.1",
		"from_parent_user_id":"IN.ENT.1","to":"15550001111","to_user_id":"US.2","group_id":"g-1","text":{"body":"hi"},
		"context":{"id":"wamid.0"},"errors":[{"code":131051,"title":"T","message":"M","error_data":{"details":"D"}},7,{"code":"130501","details":"d"}]}`)
	want := whatsapp.Message{
		ID: "wamid.1", Type: "text", Timestamp: "1732183200", From: "919876543210", FromUserID: "IN.1",
		FromParentID: "IN.ENT.1",
		To:           "15550001111", ToUserID: "US.2", GroupID: "g-1", Text: "hi", Context: []byte(`{"id":"wamid.0"}`),
		Errors: []whatsapp.Error{{Code: 131051, Title: "T", Message: "M", Details: "D"}, {Code: 130501, Details: "d"}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(whatsapp.Message{}, "Content")); diff != "" {
		t.Error(diff)
	}
	if at := got.At(); at.Unix() != 1732183200 {
		t.Errorf("at %s", at)
	}
}

func TestNumbersAndTextsAreInterchangeable(t *testing.T) {
	got := message(t,
		`{"id":1,"type":"text","timestamp":1732183200,"from":919876543210,"group_id":12,"text":{"body":42}}`)
	want := whatsapp.Message{
		ID: "1", Type: "text", Timestamp: "1732183200", From: "919876543210", GroupID: "12", Text: "42",
		Content: whatsapp.Object{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for timestamp, want := range map[string]int64{
		`"1732183200"`: 1732183200, `1732183200`: 1732183200, `"1732183200123"`: 1732183200,
		`1732183200123`: 1732183200,
	} {
		if at := message(t, `{"timestamp":`+timestamp+`}`).At(); at.Unix() != want {
			t.Errorf("timestamp %s is %s", timestamp, at)
		}
	}
	for _, timestamp := range []string{
		`""`, `"soon"`, `-5`, `0`, `1.5`, `1e9`, `null`, `[1]`, `9223372036854775807`, `99999999999999999999`,
		`"253402300800000"`} {
		if at := message(t, `{"timestamp":`+timestamp+`}`).At(); !at.IsZero() {
			t.Errorf("timestamp %s is %s", timestamp, at)
		}
	}
}

func TestTypeSpecificContentIsKept(t *testing.T) {
	for text, want := range map[string][]string{
		`{"id":"1","type":"text","text":{"body":"hi"}}`:       {},
		`{"type":"text","text":{"body":"hi","style":"bold"}}`: {"text"},
		`{"type":"text","text":{"boddy":"hi"}}`:               {"text"},
		`{"type":"text","text":"hi"}`:                         {"text"},
		`{"type":"image","image":{"id":"1"},"referral":{"source_id":"ad"},"new":true}`: {
			"image", "new", "referral"},
		`{"type":"hologram","hologram":{"depth":3}}`: {"hologram"},
		`{"from_parent_user_id":"IN.ENT.1","identity":{"hash":"x"},"username":"@a"}`: {
			"from_parent_user_id", "identity", "username"},
		`{"type":"interactive","interactive":{"type":"nfm_reply","nfm_reply":{"body":"S"}}}`: {"interactive"},
	} {
		got := message(t, text)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got.Content)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		for name, raw := range got.Content {
			if string(raw) != string(all[name]) {
				t.Errorf("%s: %s became %s", text, name, raw)
			}
		}
	}
}

func TestOnlyAMediaObjectWithAnIDIsMedia(t *testing.T) {
	for text, want := range map[string]whatsapp.Media{
		`{"type":"image","image":{"mime_type":"image/jpeg"}}`: {},
		`{"type":"image","image":"1"}`:                        {},
		`{"type":"text","image":{"id":"1"}}`:                  {},
		`{"type":"location","location":{"id":"1"}}`:           {},
		`{"type":"image","image":{"id":7,"mime_type":"image/jpeg","sha256":"s","caption":"c"}}`: {
			ID: "7", MimeType: "image/jpeg", SHA256: "s", Caption: "c"},
		`{"type":"document","document":{"id":"1","filename":"März.pdf"}}`: {
			ID: "1", Filename: "März.pdf"},
		`{"type":"audio","audio":{"id":"1","voice":true}}`:  {ID: "1", Voice: true},
		`{"type":"audio","audio":{"id":"1","voice":"yes"}}`: {ID: "1"},
		`{"type":"voice","voice":{"id":"1"}}`:               {ID: "1", Voice: true},
		`{"type":"sticker","sticker":{"id":"1"}}`:           {ID: "1"},
	} {
		got, ok := message(t, text).Media()
		if ok != (want.ID != "") || ok && got != want {
			t.Errorf("%s: %+v, %v", text, got, ok)
		}
	}
}

func TestANoticeFromWhatsAppDoesNotOpenTheWindow(t *testing.T) {
	for kind, opens := range map[string]bool{
		"system": false, "edit": false, "revoke": false, "reaction": false, "request_welcome": true, "text": true,
		"ephemeral": true, "unsupported": true, "hologram": true,
	} {
		if got := message(t, `{"type":"`+kind+`"}`).OpensWindow(); got != opens {
			t.Errorf("%s opens the window: %v", kind, got)
		}
	}
}
