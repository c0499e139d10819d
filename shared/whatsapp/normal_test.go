package whatsapp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

// ids returns the ids of a body's entries.
func ids(t *testing.T, body string) (all []string) {
	t.Helper()
	entries, err := whatsapp.DecodeWebhook([]byte(body))
	if err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	for _, entry := range entries {
		all = append(all, entry.ID)
	}
	return all
}

// said returns a body with a text as it is escaped in JSON.
func said(text string) string {
	return `{"object":"whatsapp_business_account","entry":[{"id":"1022","changes":[{"field":"messages","value":` +
		`{"messages":[{"id":"wamid.1","text":{"body":"` + text + `"}}]}}]}]}`
}

func TestAValueHasOneIDHoweverItIsWritten(t *testing.T) {
	escaped := said(`\u0939\u093e\u0901 \ud83d\ude00 a\/b \u0022c\u0022 & \n`)
	for _, other := range []string{
		said(`हाँ 😀 a/b \"c\" \u0026 \u000a`),
		strings.ReplaceAll(strings.ReplaceAll(escaped, `":`, `" : `), `,"`, ",\n\t\""),
	} {
		if diff := cmp.Diff(ids(t, escaped), ids(t, other)); diff != "" {
			t.Errorf("%s:\n%s", other, diff)
		}
	}
}

func TestAnotherValueHasAnotherID(t *testing.T) {
	all := map[string]string{}
	for _, text := range []string{
		`a b`, `ab`, `a  b`, `a\\u0020b`, `a\"},{\"b`, `a\\`, `a\\\\`, `é`, `\\u00e9`, `e\u0301`, `\u2028`, ``, ` `,
	} {
		id := ids(t, said(text))[0]
		if was, taken := all[id]; taken {
			t.Errorf("%q has the id of %q", text, was)
		}
		all[id] = text
	}
}
