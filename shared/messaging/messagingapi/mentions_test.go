package messagingapi

import (
	"net/http"
	"net/url"
	"testing"
)

// Who is named in a note lists the conversation until they have looked. Nobody else does.
func TestWhoIsNamedInANoteListsTheConversation(t *testing.T) {
	w := open(t)
	w.named("operator-of-"+shop, "Meera")
	by := operator(shop)
	other := *by
	other.Subject = "somebody-else"
	listed := func(as *caller, query url.Values) []conversation {
		t.Helper()
		query.Set("marked", markMentions)
		var page conversationList
		w.get(as, "/v1/conversations", query).Want(t, http.StatusOK, &page)
		return page.Items
	}
	if all := listed(by, url.Values{}); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	var written note
	w.do(request{By: by, Method: http.MethodPut, Path: toAsha + "/notes/n1",
		Body: `{"text":"@Meera look","mentions":["me"]}`}).Want(t, http.StatusOK, &written)
	for name, query := range map[string]url.Values{"all numbers": {}, "one": {"phoneNumberId": {string(number)}}} {
		if all := listed(by, query); len(all) != 1 || all[0].CustomerID != string(asha) {
			t.Errorf("%s: %+v", name, all)
		}
	}
	if marks := listed(by, url.Values{"marks": {"true"}})[0].Marks; marks[markMentions] == "" {
		t.Errorf("%v", marks)
	}
	if all := listed(&other, url.Values{}); len(all) != 0 {
		t.Errorf("somebody else: %+v", all)
	}
	mixed := w.get(by, "/v1/conversations", url.Values{"marked": {markMentions}, "unread": {"true"}})
	if mixed.Status != http.StatusUnprocessableEntity {
		t.Errorf("%+v", mixed)
	}
	seen := request{Method: http.MethodPost, Path: toAsha + "/mentions-seen"}
	for _, as := range []*caller{&other, by} {
		if all := listed(by, url.Values{}); len(all) != 1 {
			t.Errorf("what somebody else has seen: %+v", all)
		}
		seen.By = as
		if a := w.do(seen); a.Status != http.StatusNoContent {
			t.Errorf("%+v", a)
		}
	}
	if all := listed(by, url.Values{}); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}
