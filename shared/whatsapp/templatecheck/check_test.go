package templatecheck

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	body  = `{"type":"BODY","text":"Hello {{1}}, your bill is ready.","example":{"body_text":[["Asha"]]}}`
	plain = `{"type":"BODY","text":"Your bill is ready."}`
	code  = `{"type":"BODY","add_security_recommendation":true}`
	otp   = `{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE","text":"Copy"}]}`
)

const (
	aProduct = `{"type":"HEADER","format":"PRODUCT"}`
	spm      = `{"type":"SPM","text":"View"}`
	offer    = `{"type":"LIMITED_TIME_OFFER","limited_time_offer":{"text":"Ends soon"}}`
	mayCall  = `{"type":"CALL_PERMISSION_REQUEST"}`
)

func kind(of string) string { return `{"type":"` + of + `","text":"See"}` }

func buttons(all ...string) string {
	return `{"type":"BUTTONS","buttons":[` + strings.Join(all, ",") + `]}`
}

func text(of string) string { return `{"type":"BODY","text":"` + of + `"}` }

func quick(label string) string { return `{"type":"QUICK_REPLY","text":"` + label + `"}` }

func link(url, sample string) string {
	return `{"type":"URL","text":"See","url":"` + url + `","example":["` + sample + `"]}`
}

func cardOf(format, button string) string {
	return `{"components":[{"type":"HEADER","format":"` + format + `","example":{"header_handle":["4::a"]}},` +
		buttons(button) + `]}`
}

func carousel(cards ...string) string {
	return `{"type":"CAROUSEL","cards":[` + strings.Join(cards, ",") + `]}`
}

// faults are the paths that are named, each once.
func faults(category string, components ...string) string {
	var raw []json.RawMessage
	for _, c := range components {
		raw = append(raw, json.RawMessage(c))
	}
	var paths []string
	for _, f := range Faults(Template{Name: "bill", Language: "en", Category: category, Components: raw}) {
		if !slices.Contains(paths, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	return strings.Join(paths, " ")
}

// one is a template of some components, and the paths of its faults.
type one struct {
	category   string
	components []string
	want       string
}

const (
	inText  = "components[0].text"
	samples = "components[0].example"
)

func names(t *testing.T, all map[string]one) {
	t.Helper()
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, faults(c.category, c.components...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEveryFaultOfATextIsNamed(t *testing.T) {
	long := strings.Repeat("é", 1025)
	names(t, map[string]one{
		"a body":             {Utility, []string{body}, ""},
		"with names":         {Utility, []string{`{"type":"BODY","text":"Hi {{who}}!","example":{"body_text_named_params":[{"param_name":"who","example":"Asha"}]}}`}, ""},
		"no body":            {Utility, nil, "components"},
		"two bodies":         {Utility, []string{plain, plain}, "components[1].type"},
		"no component":       {Utility, []string{plain, `"x"`, `{"type":"X"}`}, "components[1] components[2].type"},
		"too long":           {Utility, []string{text(long)}, inText},
		"longest":            {Utility, []string{text(long[:2048])}, ""},
		"a gap":              {Utility, []string{`{"type":"BODY","text":"a {{2}} b","example":{"body_text":[["x"]]}}`}, inText},
		"out of order":       {Utility, []string{`{"type":"BODY","text":"a {{2}} b {{1}} c","example":{"body_text":[["x","y"]]}}`}, inText},
		"at the beginning":   {Utility, []string{`{"type":"BODY","text":"{{1}} b","example":{"body_text":[["x"]]}}`}, inText},
		"at the end":         {Utility, []string{`{"type":"BODY","text":"a {{1}} ","example":{"body_text":[["x"]]}}`}, inText},
		"side by side":       {Utility, []string{`{"type":"BODY","text":"a {{1}} {{2}} b","example":{"body_text":[["x","y"]]}}`}, inText},
		"no samples":         {Utility, []string{text("a {{1}} b")}, samples},
		"an empty sample":    {Utility, []string{`{"type":"BODY","text":"a {{1}} b","example":{"body_text":[[""]]}}`}, samples},
		"a bad name":         {Utility, []string{text("a {{Who}} b")}, inText + " " + samples},
		"a half variable":    {Utility, []string{text("a {{1} b")}, inText},
		"numbers and names":  {Utility, []string{`{"type":"HEADER","format":"TEXT","text":"A {{x}}","example":{"header_text_named_params":[{"param_name":"x","example":"y"}]}}`, body}, "components"},
		"a header":           {Utility, []string{body, `{"type":"HEADER","format":"TEXT","text":"For {{1}}","example":{"header_text":["Asha"]}}`}, ""},
		"a long header":      {Utility, []string{`{"type":"HEADER","format":"TEXT","text":"` + strings.Repeat("a", 61) + `"}`, plain}, inText},
		"a header of two":    {Utility, []string{`{"type":"HEADER","format":"TEXT","text":"{{1}} a {{2}}","example":{"header_text":["x","y"]}}`, plain}, inText},
		"a picture":          {Utility, []string{plain, `{"type":"HEADER","format":"IMAGE","example":{"header_handle":["4::a"]}}`}, ""},
		"without a sample":   {Utility, []string{plain, `{"type":"HEADER","format":"IMAGE"}`}, "components[1].example.header_handle"},
		"a place":            {Utility, []string{plain, `{"type":"HEADER","format":"LOCATION","text":"x"}`}, "components[1].text"},
		"a sound":            {Utility, []string{plain, `{"type":"HEADER","format":"AUDIO"}`}, "components[1].format"},
		"a footer":           {Utility, []string{plain, `{"type":"FOOTER","text":"Reply STOP"}`}, ""},
		"a footer with one":  {Utility, []string{plain, `{"type":"FOOTER","text":"For {{1}}"}`}, "components[1].text"},
		"an expiring footer": {Utility, []string{plain, `{"type":"FOOTER","text":"x","code_expiration_minutes":5}`}, "components[1].code_expiration_minutes"},
	})
}

func TestEveryFaultOfButtonsCodesAndCardsIsNamed(t *testing.T) {
	names(t, map[string]one{
		"buttons":    {Utility, []string{plain, buttons(quick("Yes"), quick("No"), link("https://example.com/{{1}}", "a"), `{"type":"PHONE_NUMBER","text":"Call","phone_number":"+919876543210"}`, `{"type":"COPY_CODE","example":"OFF10"}`)}, ""},
		"no buttons": {Utility, []string{plain, buttons()}, "components[1].buttons"},
		"mingled": {Utility, []string{plain, buttons(quick("Yes"), link("https://example.com/{{1}}", "a"),
			quick("No"))},
			"components[1].buttons"},
		"three links": {Utility, []string{plain, buttons(link("https://a.in/{{1}}", "a"),
			link("https://a.in/{{1}}", "a"), link("https://a.in/{{1}}", "a"))},
			"components[1].buttons[2].type"},
		"eleven": {Utility, []string{plain, buttons(slices.Repeat([]string{quick("Yes")}, 11)...)},
			"components[1].buttons components[1].buttons[10].type"},
		"a variable within": {Utility, []string{plain, buttons(link("https://a.in/{{1}}/b", ""))},
			"components[1].buttons[0].url"},
		"no address": {Utility, []string{plain, buttons(link("a.in", ""))}, "components[1].buttons[0].url"},
		"no sample of a link": {Utility, []string{plain, buttons(link("https://a.in/{{1}}", ""))},
			"components[1].buttons[0].example"},
		"a long label": {Utility, []string{plain, buttons(quick(strings.Repeat("a", 26)))},
			"components[1].buttons[0].text"},
		"no number":           {Utility, []string{plain, buttons(`{"type":"PHONE_NUMBER","text":"Call","phone_number":"12"}`)}, "components[1].buttons[0].phone_number"},
		"a code elsewhere":    {Utility, []string{plain, otp}, "components[1].buttons[0].type"},
		"a code":              {Authentication, []string{code, `{"type":"FOOTER","code_expiration_minutes":90}`, otp}, ""},
		"a code for too long": {Authentication, []string{code, `{"type":"FOOTER","code_expiration_minutes":91}`, otp}, "components[1].code_expiration_minutes"},
		"a code with a text":  {Authentication, []string{plain, otp}, inText},
		"without its button":  {Authentication, []string{code}, "components"},
		"with another":        {Authentication, []string{code, buttons(quick("Yes"))}, "components[1].buttons"},
		"with a header":       {Authentication, []string{code, otp, `{"type":"HEADER","format":"LOCATION"}`}, "components[2].type"},
		"without its app":     {Authentication, []string{code, buttons(`{"type":"OTP","otp_type":"ONE_TAP"}`)}, "components[1].buttons[0].supported_apps"},
		"cards": {Marketing, []string{plain, carousel(cardOf("IMAGE", quick("A")), cardOf("IMAGE", quick("B")))},
			""},
		"one card": {Marketing, []string{plain, carousel(cardOf("IMAGE", quick("A")))},
			"components[1].cards"},
		"cards in a bill": {Utility, []string{plain,
			carousel(cardOf("IMAGE", quick("A")), cardOf("IMAGE", quick("B")))}, "components[1].type"},
		"bare cards": {Marketing, []string{plain, carousel("{}", "{}")},
			"components[1].cards[0].components components[1].cards[1].components"},
		"unlike cards": {Marketing, []string{plain, carousel(cardOf("IMAGE", quick("A")), cardOf("VIDEO", quick("B")))},
			"components[1].cards[1]"},
		"cards and a footer":    {Marketing, []string{plain, carousel(cardOf("IMAGE", quick("A")), cardOf("IMAGE", quick("B"))), `{"type":"FOOTER","text":"x"}`}, "components"},
		"a product":             {Marketing, []string{aProduct, plain, buttons(spm)}, ""},
		"a product in a bill":   {Utility, []string{aProduct, plain, buttons(spm)}, "components"},
		"a product and no view": {Marketing, []string{aProduct, plain}, "components"},
		"two views":             {Marketing, []string{aProduct, plain, buttons(spm, quick("No"))}, "components"},
		"a view of nothing":     {Marketing, []string{plain, buttons(spm)}, "components"},
		"much about a product": {Marketing, []string{aProduct, text(strings.Repeat("a", 161)), buttons(spm)},
			"components"},
		"most about a product":  {Marketing, []string{aProduct, text(strings.Repeat("a", 160)), buttons(spm)}, ""},
		"a product with a text": {Marketing, []string{`{"type":"HEADER","format":"PRODUCT","text":"x"}`, plain, buttons(spm)}, inText},
		"cards of products": {Marketing, []string{plain, carousel(cardOf("PRODUCT", spm), cardOf("PRODUCT", spm))},
			""},
		"cards that lead away": {Marketing, []string{plain, carousel(cardOf("PRODUCT", link("https://a.in/{{1}}", "a")),
			cardOf("product", link("https://a.in/{{1}}", "a")))}, ""},
		"cards that answer": {Marketing, []string{plain, carousel(cardOf("PRODUCT", quick("A")),
			cardOf("PRODUCT", quick("A")))},
			"components[1].cards[0].components components[1].cards[1].components"},
		"pictures to view": {Marketing, []string{plain, carousel(cardOf("IMAGE", spm), cardOf("IMAGE", spm))},
			"components[1].cards[0].components components[1].cards[1].components"},
		"a catalogue":           {Marketing, []string{plain, buttons(kind("CATALOG"))}, ""},
		"a catalogue in a bill": {Utility, []string{plain, buttons(kind("CATALOG"))}, "components"},
		"a catalogue and more":  {Marketing, []string{plain, buttons(kind("CATALOG"), quick("No"))}, "components"},
		"products":              {Marketing, []string{plain, buttons(kind("MPM"))}, ""},
		"an offer in a bill":    {Utility, []string{plain, offer}, "components"},
		"an offer and a footer": {Marketing, []string{plain, offer, `{"type":"FOOTER","text":"x"}`}, "components"},
		"an offer with a title": {Marketing, []string{plain, offer, `{"type":"HEADER","format":"TEXT","text":"New"}`}, "components"},
		"a long offer":          {Marketing, []string{text(strings.Repeat("a", 601)), offer}, "components"},
		"an offer with its code": {Marketing, []string{plain, offer,
			buttons(`{"type":"COPY_CODE","example":"OFF10"}`, link("https://a.in/{{1}}", "a"))}, ""},
		"a code at the end": {Marketing, []string{plain, offer,
			buttons(link("https://a.in/{{1}}", "a"), `{"type":"COPY_CODE","example":"OFF10"}`)}, "components"},
		"an offer with replies": {Marketing, []string{plain, offer, buttons(quick("No"))}, "components"},
		"may we call":           {Utility, []string{plain, mayCall}, ""},
		"may we call, or else":  {Utility, []string{plain, mayCall, buttons(quick("No"))}, "components"},
		"a code and a call":     {Authentication, []string{code, otp, mayCall}, "components[2].type"},
		"a limited offer":       {Marketing, []string{plain, `{"type":"LIMITED_TIME_OFFER","limited_time_offer":{"text":"Ends soon"}}`}, ""},
		"no offer":              {Marketing, []string{plain, `{"type":"LIMITED_TIME_OFFER"}`}, "components[1].limited_time_offer.text"},
		"several at once":       {"NEWS", []string{text("{{1}}"), `{"type":"FOOTER","text":""}`}, "category " + inText + " " + samples + " components[1].text"},
	})
}

func TestNamesAndLanguages(t *testing.T) {
	for _, c := range []struct{ name, language, want string }{
		{"bill_2", "en_US", ""}, {strings.Repeat("a", 512), "fil", ""}, {strings.Repeat("a", 513), "hi", "name"},
		{"Bill", "en-US", "namelanguage"}, {"", "", "namelanguage"},
	} {
		got := ""
		for _, f := range Faults(Template{c.name, c.language, Utility, []json.RawMessage{json.RawMessage(plain)}}) {
			got += f.Path
		}
		if got != c.want {
			t.Errorf("%q in %q: %s", c.name, c.language, got)
		}
	}
}

// sample is a file of template-samples.
type sample struct {
	Name, Language, Category string
	Components               []json.RawMessage
}

func TestTheSamplesHaveNoFault(t *testing.T) {
	files, err := filepath.Glob("../../../template-samples/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		var s sample
		if err == nil {
			err = json.Unmarshal(raw, &s)
		}
		if found := Faults(Template(s)); err != nil || len(found) > 0 {
			t.Errorf("%s: %v %v", filepath.Base(file), found, err)
		}
	}
}

// Nothing that somebody posts breaks the check, and what it names is within what was posted.
func FuzzFaults(f *testing.F) {
	for _, seed := range []string{body, code, otp, carousel(cardOf("IMAGE", quick("A"))), `{"text":{}}`, "[", ""} {
		f.Add(Utility, seed)
		f.Add(Authentication, seed)
	}
	f.Fuzz(func(t *testing.T, category, component string) {
		for _, fault := range Contents(category, []json.RawMessage{json.RawMessage(component)}) {
			if !strings.HasPrefix(fault.Path, "components") || fault.Detail == "" {
				t.Error(fmt.Sprint(fault))
			}
		}
	})
}
