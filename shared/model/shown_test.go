package model_test

import (
	"encoding/json"
	"testing"

	"github.com/haatline/haatline/shared/model"
)

func TestWhatIsShownIsWhatIsThere(t *testing.T) {
	for text, want := range map[string][2]string{
		"Bill.pdf":                       {"Bill.pdf", "Bill.pdf"},
		"invoice\u202efdp.exe":           {"invoicefdp.exe", "invoicefdp.exe"},
		"\u2067a\u2069\u202ab\u202c":     {"ab", "ab"},
		"Asha\x00\x1b[31m Rao\u0085\x7f": {"Asha[31m Rao", "Asha[31m Rao"},
		"two\nlines\tand\r\nmore":        {"two\nlines\tand\nmore", "two lines and more"},
		"आशा राव 👩‍🌾":                    {"आशा राव 👩‍🌾", "आशा राव 👩‍🌾"},
		"أشا\u200f 5":                    {"أشا\u200f 5", "أشا\u200f 5"},
		"":                               {"", ""},
	} {
		if got := [2]string{model.Shown(text), model.ShownLine(text)}; got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestAShownDocumentIsADocument(t *testing.T) {
	for document, want := range map[string]string{
		`{"filename":"invoice\u202efdp.exe"}`:                       `{"filename":"invoicefdp.exe"}`,
		"{\"caption\":\"a\u2067b\\u0000\\u001b[31m\\r\\n\\u000A\"}": "{\"caption\":\"ab[31m\\r\\n\\u000A\"}",
		`{"a":"\\u202e","b":"\"\\","c":"\ud83d\ude00 \u0022"}`: `{"a":"\\u202e","b":"\"\\",` +
			`"c":"\ud83d\ude00 \u0022"}`,
		`{"name":"आशा","n":12345678901234567890.10, "e":[1e3]}`: `{"name":"आशा","n":12345678901234567890.10,` +
			` "e":[1e3]}`,
		`"\u20`: `"\u20`,
		"":      "",
	} {
		got := string(model.ShownJSON([]byte(document)))
		if got != want || json.Valid([]byte(document)) != json.Valid([]byte(got)) {
			t.Errorf("%s is shown as %s, want %s", document, got, want)
		}
	}
}

func FuzzShownJSON(f *testing.F) {
	f.Add([]byte(`{"a":"\u202e\\u202e\ud83d\ude00"}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		shown := model.ShownJSON(document)
		var was, is any
		if json.Unmarshal(document, &was) != nil {
			return
		}
		if err := json.Unmarshal(shown, &is); err != nil {
			t.Fatalf("%s is shown as %s: %v", document, shown, err)
		}
		if again := model.ShownJSON(shown); string(again) != string(shown) {
			t.Errorf("%s is shown as %s, and that as %s", document, shown, again)
		}
	})
}
