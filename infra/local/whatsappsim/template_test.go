package whatsappsim_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

func templateTo(to, name, language, components string) string {
	return fmt.Sprintf(
		`{"messaging_product":"whatsapp",%s,"type":"template","template":{"name":%q,"language":{"code":%q},`+
			`"components":%s}}`,
		to, name, language, components)
}

func params(texts ...string) string {
	var list []string
	for _, text := range texts {
		list = append(list, fmt.Sprintf(`{"type":"text","text":%q}`, text))
	}
	return `"parameters":[` + strings.Join(list, ",") + `]`
}

func TestTemplates(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	header := `{"type":"header",` + params("A-17") + `}`
	body := `{"type":"body",` + params("Asha", "₹450") + `}`
	track := `{"type":"button","sub_type":"url","index":"1",` + params("17") + `}`
	reply := `{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload","payload":"yes"}]}`
	image := `{"type":"header","parameters":[{"type":"image","image":{"id":"1"}}]}`
	named := `{"type":"body","parameters":[{"type":"text","parameter_name":"discount","text":"10%"},{"type":"text",` +
		`"parameter_name":"customer_name","text":"Asha"}]}`
	code := `{"type":"body",` + params("123456") + `},{"type":"button","sub_type":"url","index":0,` +
		params("123456") + `}`
	number, userID := `"to":"919812345678"`, `"recipient":"US.1"`
	for _, c := range []struct {
		rule, to, name, language, components string
		status, code                         int
	}{
		{"everything filled", number, "order_ready", "en", `[` + header + `,` + body + `,` + track + `,` + reply + `]`,
			200, 0},
		{"quick replies need no payload", number, "order_ready", "en", `[` + header + `,` + body + `,` + track + `]`,
			200, 0},
		{"named parameters in any order", number, "photo_offer", "hi", `[` + image + `,` + named + `]`, 200, 0},
		{"nothing to fill", number, "hello_world", "en_US", `[]`, 200, 0},
		{"to a BSUID", userID, "hello_world", "en_US", `[]`, 200, 0},
		{"currency fills a variable", number, "order_ready", "en",
			`[` + header +
				`,{"type":"body","parameters":[{"type":"text","text":"Asha"},{"type":"currency",` +
				`"currency":{"code":"INR","amount_1000":450000,"fallback_value":"₹450"}}]},` + track + `]`, 200, 0},
		{"one-time code to a number", number, "login_code", "en", `[` + code + `]`, 200, 0},

		{"one-time code to a BSUID", userID, "login_code", "en", `[` + code + `]`, 400, 131062},
		{"unknown name", number, "order_lost", "en", `[]`, 404, 132001},
		{"unknown language", number, "order_ready", "hi", `[]`, 404, 132001},
		{"body parameters missing", number, "order_ready", "en", `[` + header + `,` + track + `]`, 400, 132000},
		{"one parameter too many", number, "order_ready", "en",
			`[` + header + `,{"type":"body",` + params("a", "b", "c") + `},` + track + `]`, 400, 132000},
		{"header parameter missing", number, "order_ready", "en", `[` + body + `,` + track + `]`, 400, 132000},
		{"parameters for a text without variables", number, "hello_world", "en_US", `[` + body + `]`, 400, 132000},
		{"image header missing", number, "photo_offer", "hi", `[` + named + `]`, 400, 132012},
		{"text where an image goes", number, "photo_offer", "hi", `[` + header + `,` + named + `]`, 400, 132012},
		{"names missing", number, "photo_offer", "hi", `[` + image + `,` + body + `]`, 400, 131008},
		{"a name twice", number, "photo_offer", "hi",
			`[` + image + `,` + strings.Replace(named, "customer_name", "discount", 1) + `]`, 400, 131009},
		{"URL parameter missing", number, "order_ready", "en", `[` + header + `,` + body + `]`, 400, 131008},
		{"button of another type", number, "order_ready", "en",
			`[` + header + `,` + body + `,` + strings.Replace(track, `"url"`, `"quick_reply"`, 1) + `]`, 400, 131009},
		{"button that is not there", number, "order_ready", "en",
			`[` + header + `,` + body + `,` + strings.Replace(track, `"1"`, `"2"`, 1) + `]`, 400, 131009},
		{"empty parameter", number, "order_ready", "en",
			`[` + header + `,{"type":"body",` + params("", "b") + `},` + track + `]`, 400, 131008},
		{"line break in a parameter", number, "order_ready", "en",
			`[` + header + `,{"type":"body",` + params("a\nb", "b") + `},` + track + `]`, 400, 100},
		{"text too long when filled", number, "order_ready", "en",
			`[` + header + `,{"type":"body",` + params(strings.Repeat("x", 1024), "b") + `},` + track + `]`, 400,
			132005},
		{"unknown component", number, "order_ready", "en", `[{"type":"tail"}]`, 400, 131009},
	} {
		t.Run(c.rule, func(t *testing.T) {
			status, answer := sim.send(templateTo(c.to, c.name, c.language, c.components))
			if status != c.status || (c.code != 0 && errorCode(t, answer) != c.code) {
				t.Fatalf("%d, want %d with %d: %v", status, c.status, c.code, answer)
			}
			if status == http.StatusOK && at[string](t, answer, "messages", 0, "message_status") != "accepted" {
				t.Errorf("no message_status: %v", answer)
			}
		})
	}
}

func TestTemplatesAreListedAsApproved(t *testing.T) {
	sim := start(t, whatsappsim.Options{WABAID: "4711"})
	_, answer := sim.call("GET", "/v25.0/4711/message_templates", "")
	if n := len(at[[]any](t, answer, "data")); n != 15 {
		t.Errorf("%d templates, want those of the folder and hello_world", n)
	}
	_, answer = sim.call("GET", "/v25.0/4711/message_templates?name=order_ready", "")
	if n := len(at[[]any](t, answer, "data")); n != 1 || at[string](t, answer, "data", 0, "status") != "APPROVED" ||
		at[string](t, answer, "data", 0, "language") != "en" {
		t.Errorf("order_ready is listed as %v", answer)
	}
	if at[string](t, answer, "data", 0, "components", 3, "buttons", 1, "url") != "https://example.com/orders/{{1}}" {
		t.Errorf("components are not listed: %v", answer)
	}
}

func TestTemplatesAreListedInPages(t *testing.T) {
	sim := start(t, whatsappsim.Options{WABAID: "4711"})
	seen, after := map[string]bool{}, ""
	listed := 0
	for more := true; more && listed < 100; {
		_, answer := sim.call("GET", "/v25.0/4711/message_templates?fields=name,quality_score&limit=2&after="+after, "")
		listed += len(at[[]any](t, answer, "data"))
		for i := range at[[]any](t, answer, "data") {
			seen[at[string](t, answer, "data", i, "name")+" "+at[string](t, answer, "data", i, "id")] = true
		}
		if fields := at[map[string]any](t, answer, "data", 0); len(fields) != 3 {
			t.Errorf("more than what was asked for: %v", fields)
		}
		after = at[string](t, answer, "paging", "cursors", "after")
		more = at[map[string]any](t, answer, "paging")["next"] != nil
	}
	if _, all := sim.call("GET", "/v25.0/4711/message_templates?limit=1000", ""); len(seen) < 3 ||
		listed != len(seen) || len(seen) != len(at[[]any](t, all, "data")) {
		t.Errorf("the pages list %d: %v", listed, seen)
	}
	for _, wrong := range []string{"limit=0", "limit=x", "after=%25"} {
		if status, answer := sim.call("GET", "/v25.0/4711/message_templates?"+wrong,
			""); status != http.StatusBadRequest {
			t.Errorf("%s: %d %v", wrong, status, answer)
		}
	}
}

func TestTemplatesMetaWouldNotCreate(t *testing.T) {
	good := `{"name":"a","language":"en","category":"UTILITY","components":[{"type":"BODY","text":"Hi {{1}}.",` +
		`"example":{"body_text":[["x"]]}}]}`
	for name, c := range map[string]struct{ file, content, complaint string }{
		"file of another name": {"b.en.json", good, "belongs in a.en.json"},
		"no JSON":              {"a.en.json", `{`, "unexpected end"},
		"examples missing": {
			"a.en.json", strings.Replace(good, `[["x"]]`, `[]`, 1), "1 variables and examples for 0"},
		"variable at the end": {
			"a.en.json", strings.Replace(good, `}}.`, `}}`, 1), "start or end with a variable"},
		"unknown category": {"a.en.json", strings.Replace(good, "UTILITY", "SERVICE", 1), "category"},
		"no body": {
			"a.en.json", `{"name":"a","language":"en","category":"UTILITY","components":[]}`, "1 to 1024"},
		"button text beyond 25 signs": {
			"a.en.json",
			strings.TrimSuffix(good, `]}`) + `,{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"` +
				strings.Repeat("x", 26) + `"}]}]}`, "button"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := whatsappsim.New(whatsappsim.Options{AppSecret: secret, TemplatesDir: dir})
			if err == nil || !strings.Contains(err.Error(), c.complaint) {
				t.Errorf("error %v, want one about %q", err, c.complaint)
			}
		})
	}
	if _, err := whatsappsim.New(whatsappsim.Options{
		AppSecret: secret, TemplatesDir: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a missing folder was taken")
	}
	if _, err := whatsappsim.New(whatsappsim.Options{WebhookURL: "nowhere"}); err == nil ||
		!strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("not everything wrong was reported: %v", err)
	}
}

// The templates the project sends are creations WhatsApp would take.
func TestTemplateSamples(t *testing.T) {
	sim, err := whatsappsim.New(whatsappsim.Options{AppSecret: secret, TemplatesDir: "../../../template-samples"})
	if err != nil {
		t.Fatal(err)
	}
	sim.Close()
}
