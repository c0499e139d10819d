package messagingapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/domain"
)

// Nobody sends a button, a row or a quick reply in a domain's name.
func TestWhatADomainAsksIsAskedByNobodyElse(t *testing.T) {
	for name, c := range map[string]struct{ path, body, field string }{
		"a button": {
			"button", `{"body":"Send it?","buttons":[{"id":"1","title":"No"},{"id":"approvals:yes","title":"Yes"}]}`,
			"body.buttons[1].id"},
		"a row": {
			"list", `{"body":"Which?","button":"Choose","sections":[{"rows":[{"id":"approvals:yes","title":"Yes"}]}]}`,
			"body.sections[0].rows[0].id"},
		"a quick reply": {
			"template", `{"name":"offer","language":"en","buttons":[{"index":0,"type":"quick_reply",` +
				`"value":"approvals:yes"}]}`,
			"body.buttons[0].value"},
		"a card": {"carousel",
			`{"body":"Look","cards":[` +
				`{"header":{"type":"image","link":"https://example.com/1.jpg"},"body":"One",` +
				`"buttons":[{"id":"approvals:yes","title":"Yes"}]},` +
				`{"header":{"type":"image","link":"https://example.com/2.jpg"},"body":"Two","buttons":[{"id":"2",` +
				`"title":"Yes"}]}]}`, "body.cards[0].buttons[0].id"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.rooms.Join(domain.Part{Name: "approvals", Choices: []string{"approvals:"}})
			got := w.do(request{
				By: operator(shop), Method: http.MethodPost, Path: toAsha + "/messages/" + c.path, Body: c.body})
			if got.Status != http.StatusBadRequest && got.Status != http.StatusUnprocessableEntity ||
				!strings.Contains(got.Body, `"`+c.field+`"`) {
				t.Errorf("%d %s", got.Status, got.Body)
			}
			if len(w.sendings()) > 0 {
				t.Error("it is sent")
			}
			free := strings.ReplaceAll(c.body, "approvals:yes", "yes")
			w.do(request{
				By: operator(shop), Method: http.MethodPost, Path: toAsha + "/messages/" + c.path, Body: free}).Want(t,
				http.StatusAccepted, &accepted{})
		})
	}
}
