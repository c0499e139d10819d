package writing_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// onItsWay is a template of the library.
func onItsWay(name string) writing.Draft {
	return writing.Draft{
		Name: name, Language: "en_US", Category: "UTILITY", Library: &model.LibraryTemplate{
			Name: "delivery_update_sample", Body: model.Document(`{"add_contact_number":true}`),
			Buttons: []model.Document{
				model.Document(`{"type":"URL","url":{"base_url":"https://shop.example/{{1}}"}}`)}}}
}

func TestATemplateOfTheLibraryIsTaken(t *testing.T) {
	s := newShop(t)
	ctx := t.Context()
	wrong := onItsWay("Bill")
	wrong.Category = "MARKETING"
	if _, err := s.rooms.Writing.CreateFromLibrary(ctx, of, wrong); codes(err) != "body.namebody.category" {
		t.Error(codes(err))
	}
	for range 2 { // a repetition asks for nothing more
		if _, err := s.rooms.Writing.CreateFromLibrary(ctx, of, onItsWay("bill")); err != nil {
			t.Fatal(err)
		}
	}
	s.meta.loses = true // Meta makes it, and the answer is lost
	s.runs()
	s.runs()
	one, err := s.rooms.TemplateCache.Get(ctx, wt.WABA, "bill", "en_US")
	if err != nil || one.Status != "APPROVED" || one.Asked.Problem != "" || one.Asked.AnsweredAt == "" {
		t.Errorf("%+v %+v, %v", one, one.Asked, err)
	}
	if len(s.meta.drafts) != 1 || len(writing.Differences(one)) != 0 {
		t.Errorf("%d drafts, %v", len(s.meta.drafts), writing.Differences(one))
	}
	if _, err := s.rooms.Writing.CreateFromLibrary(ctx, of, onItsWay("bill")); !errors.Is(err, writing.ErrExists) {
		t.Error(err)
	}
	draft, _ := json.Marshal(s.meta.drafts[0])
	const want = `{"name":"bill","language":"en_US","category":"UTILITY",` +
		`"library_template_name":"delivery_update_sample","library_template_button_inputs":` +
		`[{"type":"URL","url":{"base_url":"https://shop.example/{{1}}"}}],` +
		`"library_template_body_inputs":{"add_contact_number":true}}`
	if string(draft) != want {
		t.Errorf("Meta is asked for %s", draft)
	}
}

// What Meta has written is known as soon as Meta has taken it.
func TestATemplateOfTheLibrarySaysWhatMetaWrites(t *testing.T) {
	s := newShop(t)
	s.meta.writes = []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"It is on its way."}`)}
	if _, err := s.rooms.Writing.CreateFromLibrary(t.Context(), of, onItsWay("bill")); err != nil {
		t.Fatal(err)
	}
	s.runs()
	one, err := s.rooms.TemplateCache.Get(t.Context(), wt.WABA, "bill", "en_US")
	if err != nil || len(one.Components) != 1 {
		t.Errorf("%+v, %v", one, err)
	}
}

// The simulated WhatsApp takes the request, lists the template, and refuses what Meta refuses.
func TestTheSimulatedLibraryIsAskedOverHTTP(t *testing.T) {
	sim := simulated.Start(t, noon)
	of := whatsapp.TemplateDraft{
		Name: "bill", Language: "en_US", Category: "UTILITY", LibraryTemplate: "delivery_update_sample",
		LibraryButtons: []json.RawMessage{[]byte(`{"type":"URL","url":{"base_url":"https://shop.example/{{1}}"}}`)}}
	made, err := sim.Graph.CreateTemplate(t.Context(), wt.WABA, of)
	if err != nil || made.Status != "APPROVED" {
		t.Fatalf("%+v, %v", made, err)
	}
	found, has, err := sim.Graph.FindTemplate(t.Context(), wt.WABA, "bill", "en_US")
	if err != nil || !has || found.Library != "delivery_update_sample" || len(found.Components) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
	unfilled, unknown := of, of
	unfilled.Name, unfilled.LibraryButtons = "bill_2", nil
	unknown.Name, unknown.LibraryTemplate = "bill_3", "nothing"
	for i, wrong := range []whatsapp.TemplateDraft{of, unfilled, unknown} {
		_, err := sim.Graph.CreateTemplate(t.Context(), wt.WABA, wrong)
		var refused *whatsapp.SendError
		if !errors.As(err, &refused) || refused.HTTP != http.StatusBadRequest {
			t.Error(fmt.Sprint(i), err)
		}
	}
}
