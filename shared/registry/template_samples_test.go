package registry_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/flowcheck"
)

const samplesDir = "../../template-samples"

// authentication is the category of templates that hold a code.
const authentication = "AUTHENTICATION"

// sample is a template as it is submitted to Meta.
type sample struct {
	Name, Language, Category string
	ParameterFormat          string `json:"parameter_format"`
	Components               []struct {
		Type, Format, Text string
		Buttons            []struct{ Type string }
	}
}

var placeholder = regexp.MustCompile(`\{\{([^}]*)\}\}`)

// A form is what WhatsApp shows of it: template-samples/flows/{name behind the domain's}.json.
func TestEveryFormHasItsFlow(t *testing.T) {
	var want []string
	for name := range registry.Open(messaging.Config{}).Screens() {
		domain, file, named := strings.Cut(name, ".")
		if !named || !slices.Contains(registry.Names(), domain) {
			t.Errorf("%s does not begin with its domain", name)
		}
		want = append(want, filepath.Join(samplesDir, "flows", file+".json"))
	}
	got, err := filepath.Glob(filepath.Join(samplesDir, "flows", "*"))
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || err != nil || len(want) == 0 {
		t.Errorf("forms, and the files of their flows: %v\n%s", err, diff)
	}
	for _, file := range got {
		text, err := os.ReadFile(file)
		if wrong := flowcheck.Faults(text); err != nil || len(wrong) > 0 {
			t.Errorf("%s: %v, %v", file, wrong, err)
		}
	}
}

// own returns the sample in the form in which the code describes its own templates.
func (s sample) own(t *testing.T) whatsapp.OwnTemplate {
	t.Helper()
	o := whatsapp.OwnTemplate{Name: s.Name, Languages: []string{s.Language}}
	for _, c := range s.Components {
		found := placeholder.FindAllStringSubmatch(c.Text, -1)
		switch {
		case c.Type == "BODY":
			// variables must be numbered in order, because the code fills them from a list
			for i, match := range found {
				if match[1] != fmt.Sprint(i+1) {
					t.Errorf("%s.%s: variable %d of the body is %s", s.Name, s.Language, i+1, match[0])
				}
			}
			o.Body = len(found)
			if s.Category == authentication { // Meta writes it, around the code
				o.Body = 1
			}
		case c.Type == "HEADER" && c.Format == "DOCUMENT":
			o.Document = true
		case c.Type == "HEADER" && c.Format == "IMAGE":
			o.Image = true
		case len(found) > 0 || c.Type == "HEADER" && c.Format != "TEXT":
			t.Errorf("%s.%s: the code does not fill in a %s", s.Name, s.Language, c.Type)
		}
		for _, button := range c.Buttons {
			if button.Type == "OTP" && s.Category == authentication {
				o.Code = true
				continue
			}
			if button.Type != "QUICK_REPLY" {
				t.Errorf("%s.%s: the code knows no button of type %s", s.Name, s.Language, button.Type)
			}
			o.Replies++
		}
	}
	return o
}

func TestTheCodeAndTheTemplateSamplesAgree(t *testing.T) {
	var files []string
	for _, want := range registry.Open(messaging.Config{}).Templates() {
		for _, language := range want.Languages {
			file := want.Name + "." + language + ".json"
			files = append(files, file)
			text, err := os.ReadFile(filepath.Join(samplesDir, file))
			if err != nil {
				t.Errorf("a template the code sends has no sample: %v", err)
				continue
			}
			var s sample
			if err := json.Unmarshal(text, &s); err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			category := "UTILITY"
			if want.Code {
				category = authentication
			}
			if s.ParameterFormat != "POSITIONAL" || s.Category != category {
				t.Errorf("%s: format %s, category %s", file, s.ParameterFormat, s.Category)
			}
			one := want
			one.Languages = []string{language}
			if diff := cmp.Diff(one, s.own(t)); diff != "" {
				t.Errorf("%s: the code, and the sample:\n%s", file, diff)
			}
		}
	}
	entries, err := os.ReadDir(samplesDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(files, entry.Name()) && !entry.IsDir() {
			t.Errorf("%s is a sample of no template the code sends", entry.Name())
		}
	}
}
