package eum_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/whatsapp"
)

const contents = `{"type":"BODY","text":"Your bill is ready."}`

func TestTheTemplatesOfAnAccountAreListedWithWhatTheySay(t *testing.T) {
	server := &eumtest.Server{}
	for i := range 5 {
		server.Templates = append(server.Templates, eumtest.Template{
			ID: fmt.Sprint(57227 + i), Name: fmt.Sprint("bill_", i), Language: "en", Status: "APPROVED",
			Category: "UTILITY", Components: []json.RawMessage{json.RawMessage(contents)}})
	}
	c := start(t, server)
	account, err := c.Account(t.Context(), number)
	if err != nil || account != eumtest.Account {
		t.Fatal(account, err)
	}
	var all []whatsapp.ListedTemplate
	for after, pages := "", 0; pages == 0 || after != ""; pages++ {
		page, err := c.Templates(t.Context(), account, after)
		if err != nil {
			t.Fatal(err)
		}
		all, after = append(all, page.Templates...), page.After
	}
	if len(all) != 5 || all[4].ID != "57231" || all[4].Status != "APPROVED" || all[4].Quality != "GREEN" ||
		len(all[4].Components) != 1 || all[4].AWSAccount != account {
		t.Errorf("%+v", all)
	}
}

func TestATemplateIsCreatedEditedAndDeletedByAWS(t *testing.T) {
	server := &eumtest.Server{}
	c, ctx, account := start(t, server), t.Context(), eumtest.Account
	draft := whatsapp.TemplateDraft{
		Name: "bill", Language: "en", Category: "UTILITY", ParameterFormat: "POSITIONAL",
		Components: []json.RawMessage{json.RawMessage(contents)}}
	if _, has, err := c.FindTemplate(ctx, account, "bill", "en"); has || err != nil {
		t.Error(has, err)
	}
	made, err := c.CreateTemplate(ctx, account, draft)
	if err != nil || made.ID != "57227" || made.Status != "PENDING" {
		t.Fatalf("%+v, %v", made, err)
	}
	_, err = c.CreateTemplate(ctx, account, draft)
	var refused *whatsapp.SendError
	if !errors.As(err, &refused) || refused.Class != whatsapp.Never {
		t.Errorf("one that exists: %v", err)
	}
	draft.Components = []json.RawMessage{json.RawMessage(strings.Replace(contents, "bill", "new bill", 1))}
	if err := c.EditTemplate(ctx, account, made.ID, draft); err != nil {
		t.Error(err)
	}
	found, has, err := c.FindTemplate(ctx, account, "bill", "en")
	if err != nil || !has || !strings.Contains(string(found.Components[0]), "new bill") {
		t.Errorf("%+v, %v", found, err)
	}
	draft.Components[0] = json.RawMessage(`{"type":"BODY","text":"` + strings.Repeat("x", 3000) + `"}`)
	err = c.EditTemplate(ctx, account, made.ID, draft)
	if !errors.As(err, &refused) || refused.Class != whatsapp.Never {
		t.Errorf("more than AWS takes: %v", err)
	}
	// AWS answers the same about an account that it does not have. Nothing is known of the template then.
	if _, _, err := c.FindTemplate(ctx, "waba-other", "bill", "en"); !errors.As(err, &refused) ||
		refused.Class != whatsapp.StopSender {
		t.Errorf("in an account that is not there: %v", err)
	}
	if err := c.DeleteTemplate(ctx, "waba-other", "bill", made.ID); !errors.As(err, &refused) {
		t.Errorf("in an account that is not there: %v", err)
	}
	for range 2 { // a repetition does no harm
		if err := c.DeleteTemplate(ctx, account, "bill", made.ID); err != nil || len(server.Templates) != 0 {
			t.Errorf("%v, %+v", err, server.Templates)
		}
	}
	if handle, err := c.Sample(ctx, account, "bucket", "incoming/a"); err != nil || handle != "4::bucket/incoming/a" {
		t.Error(handle, err)
	}
}

func TestATemplateOfTheLibraryIsTakenByAWS(t *testing.T) {
	var asked map[string]any
	server := &eumtest.Server{}
	c := start(t, recording(server, &asked))
	made, err := c.CreateTemplate(t.Context(), eumtest.Account, whatsapp.TemplateDraft{
		Name: "bill", Language: "en_US", Category: "UTILITY", LibraryTemplate: "delivery_update_1",
		LibraryButtons: []json.RawMessage{json.RawMessage(
			`{"type":"URL","url":{"base_url":"https://shop.example/{{1}}","url_suffix_example":"https://shop.example/1"}}`)},
		LibraryBody: json.RawMessage(`{"add_contact_number":true,"code_expiration_minutes":5}`)})
	if err != nil || made.Status != "APPROVED" || made.Library != "delivery_update_1" {
		t.Fatalf("%+v, %v", made, err)
	}
	said, _ := json.Marshal(asked["metaLibraryTemplate"])
	const want = `{"libraryTemplateBodyInputs":{"addContactNumber":true,"codeExpirationMinutes":5},` +
		`"libraryTemplateButtonInputs":[{"type":"URL","url":{"base_url":"https://shop.example/{{1}}",` +
		`"url_suffix_example":"https://shop.example/1"}}],"libraryTemplateName":"delivery_update_1",` +
		`"templateCategory":"UTILITY","templateLanguage":"en_US","templateName":"bill"}`
	if string(said) != want {
		t.Errorf("AWS is asked for %s", said)
	}
}

// recording keeps the last body that a server gets.
func recording(next http.Handler, last *map[string]any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, last)
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

func TestTheLibraryIsListedByAWS(t *testing.T) {
	var asked map[string]any
	c := start(t, recording(&eumtest.Server{}, &asked))
	var names []string
	for after := ""; ; {
		page, err := c.TemplateLibrary(t.Context(), eumtest.Account, whatsapp.LibrarySearch{}, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
			names = append(names, e.Name)
		}
		if after = page.After; after == "" {
			break
		}
	}
	if got := strings.Join(names, " "); got != "order_management payments" {
		t.Error(got)
	}
	page, err := c.TemplateLibrary(t.Context(), eumtest.Account, whatsapp.LibrarySearch{
		Text: "bill", Topic: "PAYMENTS", UseCase: "DUE", Industry: "SHOPS", Language: "hi"}, "")
	if err != nil || len(page.Entries) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	filters, _ := json.Marshal(asked["filters"])
	const want = `{"industry":"SHOPS","language":"hi","searchKey":"bill","topic":"PAYMENTS","usecase":"DUE"}`
	if string(filters) != want {
		t.Errorf("AWS is asked for %s", filters)
	}
	e := page.Entries[0]
	if e.Language != "hi" || e.Body != "Hi {{1}}." || e.Samples[0] != "Asha" || e.Industries[0] != "ANY" ||
		len(e.Buttons) != 1 || string(e.Buttons[0]) != `{"text":"Look","type":"URL"}` || e.ID == "" {
		t.Errorf("%+v", e)
	}
	var refused *whatsapp.SendError
	if _, err := c.TemplateLibrary(t.Context(), "waba-other", whatsapp.LibrarySearch{}, ""); !errors.As(err, &refused) {
		t.Error("of an account that is not there:", err)
	}
}
