package filling

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

const offer = `{"name":"offer","language":"en",` +
	`"header":{"type":"image","link":"https://shop.example/{{ Picture }}.png"},` +
	`"body":[{"text":"{{name|friend \"of ours\"}}"},{"text":"{{What}} until {{until}}"}]}`

func TestATemplateIsFilledFromColumns(t *testing.T) {
	if diff := cmp.Diff([]string{"picture", "what", "until"}, Columns(model.Document(offer))); diff != "" {
		t.Error(diff)
	}
	columns := []string{"until", "name", "what", "picture"}
	for _, c := range []struct {
		values  []string
		texts   []string
		missing string
	}{
		{[]string{"Friday", "Asha", `1" pipe \ 2`, "p"}, []string{"Asha", `1" pipe \ 2 until Friday`}, ""},
		{[]string{"Friday", "", "{{name}}", "p"}, []string{`friend "of ours"`, "{{name}} until Friday"}, ""},
		{[]string{"Friday", "Asha", "", "p"}, nil, "what"},
		{[]string{"Friday"}, nil, "picture"},
	} {
		got, missing, err := Fill(model.Document(offer), columns, c.values)
		if err != nil || missing != c.missing {
			t.Fatalf("%v: %q, %v", c.values, missing, err)
		}
		var texts []string
		for _, p := range got.Body {
			texts = append(texts, p.Text)
		}
		if diff := cmp.Diff(c.texts, texts); diff != "" {
			t.Errorf("%v:\n%s", c.values, diff)
		}
		if missing == "" && got.Header.Link != "https://shop.example/p.png" {
			t.Errorf("%+v", got.Header)
		}
	}
}

func TestASampleShowsWhatIsFixed(t *testing.T) {
	got, err := Sample(model.Document(offer))
	if err != nil || len(content.Check(got)) > 0 {
		t.Errorf("%+v, %v, %v", got, content.Check(got), err)
	}
}

// Whatever a cell holds, it stays one text of the template.
func FuzzFill(f *testing.F) {
	f.Add(`"},{"text":"x`)
	f.Add("{{until}}\x00\u2028")
	f.Fuzz(func(t *testing.T, cell string) {
		columns := []string{"picture", "what", "until", "name"}
		got, missing, err := Fill(model.Document(offer), columns, []string{"p", "w", "u", cell})
		if err != nil || missing != "" || len(got.Body) != 2 || got.Name != "offer" {
			t.Fatalf("%+v, %q, %v", got, missing, err)
		}
	})
}
