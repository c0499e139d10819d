package mailaddress_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/mailaddress"
)

func TestAnAddressHasOneForm(t *testing.T) {
	for text, want := range map[string]string{
		" Asha.Rao+cv@Example.COM ": "asha.rao+cv@example.com", "a@b.co": "a@b.co",
		"": "", "asha": "", "asha@": "", "@example.com": "", "asha@localhost": "", "asha@127.0.0.1": "",
		"asha@example..com": "", "asha@-example.com": "", "Asha <asha@example.com>": "", "asha@[127.0.0.1]": "",
		"a@b.co\nBcc: x@y.z": "", "\"a b\"@example.com": "", "आशा@example.com": "",
		strings.Repeat("a", 65) + "@example.com":         "",
		"a@" + strings.Repeat("b.", 130) + "example.com": "",
	} {
		have, err := mailaddress.Parse(text)
		if have != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v", text, have, err)
		}
	}
}
