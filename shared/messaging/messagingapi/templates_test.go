package messagingapi

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestTemplatesAreFilteredAndRendered(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	for name, category := range map[string]string{"bill": "UTILITY", "offer": "MARKETING"} {
		w.db.Seed(t, tables.Messages, model.Template{
			PK: keys.TemplateMeta(waba, model.Name(name), "en_US").Partition, ItemType: model.ItemTemplateMeta,
			WABAMetaID: waba, TemplateName: name,
			Language: "en_US", Status: "PAUSED", Category: category, Version: 1,
			WABAID: waba, TemplateStatus: "PAUSED", TemplateLanguage: "en_US",
			Components: []model.Document{
				model.Document(`{"type":"HEADER","format":"TEXT","text":"For {{1}}"}`),
				model.Document(`{"type":"BODY","text":"{{1}} owes {{2}}."}`)},
		})
	}
	for query, want := range map[string][]string{
		"category=UTILITY": {"bill"}, "category=MARKETING&language=en-US": {"offer"},
		"name=bill": {"bill"}, "name=bill&status=APPROVED": nil, "name=nothing": nil,
		"status=PAUSED": {"bill", "offer"}, "status=APPROVED": nil, "language=hi": nil, "": {"bill", "offer"},
	} {
		values, _ := url.ParseQuery(query)
		var list templateList
		w.get(operator(shop), "/v1/templates", values).Want(t, http.StatusOK, &list)
		var got []string
		for _, item := range list.Items {
			got = append(got, item.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	var shown wholeTemplate
	w.get(operator(shop), "/v1/templates/"+waba+":bill:en_US",
		url.Values{"header": {"Asha, Ravi"}, "body": {`Asha\, or Ravi,₹1\,450`}}).Want(t, http.StatusOK, &shown)
	want := templates.Content{
		Header: &templates.Part{
			Format: "TEXT", Text: "For {{1}}", Variables: []string{"1"}, Rendered: "For Asha, Ravi"},
		Body: &templates.Part{
			Text: "{{1}} owes {{2}}.", Variables: []string{"1", "2"}, Rendered: "Asha, or Ravi owes ₹1,450."},
		Buttons: []templates.PartButton{},
	}
	if diff := cmp.Diff(want, shown.Content); diff != "" || shown.Sendable {
		t.Error(diff)
	}
}

// A sample is a file that somebody of the business has uploaded. Nobody can tell a file of another business from none.
func TestASampleIsAFileOfOnesOwn(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.ours("other", "70000000000009", "80000000000009")
	for id, phone := range map[model.MediaID]model.PhoneNumberID{"own": number, "foreign": "70000000000009"} {
		w.db.Seed(t, tables.Messages, model.Media{
			PK: keys.Media(id).Partition, ItemType: model.ItemMedia, MediaID: id, PhoneNumberID: phone, S3Key: "k",
			ContentType: "image/png", ContentLength: 7, UploadedBy: "somebody", UploadedAt: model.At(noon)})
	}
	create := func(file string) wt.Object {
		return wt.Object{"wabaId": waba, "name": "photo", "language": "en", "category": "UTILITY",
			"components": wt.List{wt.Object{"type": "BODY", "text": "Your bill is ready."}, wt.Object{
				"type": "HEADER", "format": "IMAGE", "example": wt.Object{"header_handle": wt.List{"media:" + file}}}}}
	}
	answers := map[string]string{}
	for _, file := range []string{"foreign", "none"} {
		answer := w.post(operator(shop), "/v1/templates", create(file))
		answer.Want(t, http.StatusUnprocessableEntity)
		answers[file] = answer.Body
	}
	if answers["foreign"] != answers["none"] {
		t.Error(answers)
	}
	var shown CachedTemplate
	w.post(operator(shop), "/v1/templates", create("own")).Want(t, http.StatusAccepted, &shown)
	if shown.Asked == nil || shown.Asked.Change != "create" || shown.Asked.AnsweredAt != "" || shown.Status != "" ||
		shown.Sendable || len(shown.Asked.Components) != 2 {
		t.Errorf("%+v", shown)
	}
	var list templateList
	w.get(operator(shop), "/v1/templates", nil).Want(t, http.StatusOK, &list)
	if len(list.Items) != 1 || list.Items[0].Asked == nil {
		t.Errorf("%+v", list)
	}
	wrong := wt.Object{"wabaId": waba, "name": "Bad name", "language": "en", "category": "NEWS", "components": wt.List{
		wt.Object{"type": "BODY", "text": "{{1}}"}}}
	var told struct{ Errors []struct{ Location string } }
	w.post(operator(shop), "/v1/templates", wrong).Want(t, http.StatusUnprocessableEntity, &told)
	if len(told.Errors) != 5 { // the name, the category, a beginning, an end, and no sample
		t.Errorf("%+v", told)
	}
}

// fillsIn ends a body that fills in a template of Meta's library.
const fillsIn = `"buttons":[{"type":"URL","url":{"base_url":"https://shop.example/{{1}}",` +
	`"url_suffix_example":"https://shop.example/1"}}],"body":{"add_contact_number":true}}`
