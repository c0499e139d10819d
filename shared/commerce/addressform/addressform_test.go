package addressform

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// one knows one store, and no address.
type one struct{ store commercemodel.Store }

func (o one) Get(_ context.Context, id model.Name) (commercemodel.Store, error) {
	if id != o.store.ID {
		return commercemodel.Store{}, dynamo.ErrNotFound
	}
	return o.store, nil
}

func (o one) DefaultAddress(context.Context, model.PhoneNumberID, model.CustomerID) (model.Address, error) {
	return model.Address{}, dynamo.ErrNotFound
}

// fill answers what a customer's WhatsApp asks for, in a language.
func fill(t *testing.T, store commercemodel.Store, language string, ask forms.Ask) map[string]any {
	t.Helper()
	form := New(one{store}, one{store})
	next, err := form(t.Context(), model.OpenForm{About: store.ID, Language: language}, ask)
	if err != nil || next.Name != screen {
		t.Fatalf("%+v, %v", next, err)
	}
	return next.Data
}

// flow is template-samples/flows/address.json, as far as it shows texts.
type flow struct {
	Screens []struct {
		ID     string
		Data   map[string]struct{ Type string }
		Layout struct {
			Children []struct{ Children []component }
		}
	}
}

type component struct{ Type, Name, Label, Text string }

func readFlow(t *testing.T) (f flow) {
	t.Helper()
	text, err := os.ReadFile("../../../template-samples/flows/address.json")
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil || len(f.Screens) != 1 || f.Screens[0].ID != screen {
		t.Fatalf("%+v, %v", f, err)
	}
	return f
}

// mostOf is how many characters WhatsApp shows of a component's text.
var mostOf = map[string]int{"TextInput": 20, "OptIn": 120, "Footer": 35, "TextSubheading": 80}

const mostOfAnError = 30

// The screen speaks every language of the wording, and each text is as long as WhatsApp takes it.
func TestTheFormSpeaksEveryLanguage(t *testing.T) {
	f := readFlow(t)
	store := commercemodel.Store{ID: "STR-1", Settings: commercemodel.Settings{Currency: "INR"}}
	names := slices.Sorted(maps.Keys(f.Screens[0].Data))
	said := map[string][]string{} // the texts of a component by language
	for _, language := range wording.Languages {
		data := fill(t, store, language, forms.Ask{Action: forms.Init})
		if diff := cmp.Diff(names, slices.Sorted(maps.Keys(data))); diff != "" {
			t.Errorf("%s: the flow declares (-) what the screen gets (+):\n%s", language, diff)
		}
		for _, c := range f.Screens[0].Layout.Children[0].Children {
			name, dynamic := strings.CutPrefix(c.Label+c.Text, "${data.")
			text, is := data[strings.TrimSuffix(name, "}")].(string)
			if !dynamic || !is || text == "" || utf8.RuneCountInString(text) > mostOf[c.Type] {
				t.Errorf("%s: %+v shows %q", language, c, text)
			}
			said[c.Name+c.Type] = append(said[c.Name+c.Type], text)
		}
		long := strings.Repeat("a", 500)
		wrong, _ := fill(t, store, language, forms.Ask{Action: forms.Exchange, Screen: screen, Data: whatsapp.ObjectOf(
			[]byte(`{"name":"` + long + `","phone_number":"x","city":"","postal_code":"1"}`))})["error_messages"].(map[string]any)
		for _, name := range []string{"name", "phone_number", "address", "city", "postal_code"} {
			text, is := wrong[name].(string)
			if !is || text == "" || utf8.RuneCountInString(text) > mostOfAnError {
				t.Errorf("%s: what is wrong with %s is %q", language, name, wrong[name])
			}
		}
	}
	for name, all := range said { // Hindi is not shown as English
		if all[0] == all[1] {
			t.Errorf("%s is %q in English and in Hindi", name, all[0])
		}
	}
}

// A store's own words stand in place of the standard ones.
func TestAFormShowsTheStoresOwnWords(t *testing.T) {
	store := commercemodel.Store{ID: "STR-1", Settings: commercemodel.Settings{
		Texts: map[string]map[string]string{"form.send": {"hi": "ऑर्डर भेजें"}}}}
	for language, want := range map[string]string{"hi": "ऑर्डर भेजें", "en": "Send", "": "Send", "xx": "Send"} {
		if got := fill(t, store, language, forms.Ask{Action: forms.Init})["label_send"]; got != want {
			t.Errorf("%q: %q", language, got)
		}
	}
	form := New(one{store}, one{store})
	_, err := form(t.Context(), model.OpenForm{About: "STR-2"}, forms.Ask{Action: forms.Init})
	if !errors.Is(err, forms.ErrUnknown) {
		t.Error("of a store that is gone:", err)
	}
}
