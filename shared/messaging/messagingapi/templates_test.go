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
)

func TestTemplatesAreFilteredAndRendered(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	for name, category := range map[string]string{"bill": "UTILITY", "offer": "MARKETING"} {
		w.db.Seed(t, tables.Messages, model.Template{
			PK: keys.TemplateMeta(waba, model.Name(name), "en_US").Partition, ItemType: model.ItemTemplateMeta,
			WABAMetaID: waba, TemplateName: name,
			Language: "en_US", Status: "PAUSED", Category: category, Version: 1,
			Components: []model.Document{
				model.Document(`{"type":"HEADER","format":"TEXT","text":"For {{1}}"}`),
				model.Document(`{"type":"BODY","text":"{{1}} owes {{2}}."}`)},
		})
	}
	for query, want := range map[string][]string{
		"category=UTILITY": {"bill"}, "category=MARKETING&language=en-US": {"offer"},
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
