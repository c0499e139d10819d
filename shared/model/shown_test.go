package model_test

import (
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
