package messagingapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func tokenExpired(string, json.RawMessage) (string, error) {
	return "", &whatsapp.SendError{
		Class: whatsapp.StopSender, HTTP: 401,
		Meta: whatsapp.Error{Code: 190, Message: "The access token has expired", Details: "of SECRET"}}
}

// stops has WhatsApp refuse a message, and everything else the number sends.
func (w *world) stops() {
	w.t.Helper()
	var first, second accepted
	w.post(operator(shop), templating, wt.Object{"name": "offer", "language": "en"}).Want(w.t, http.StatusAccepted,
		&first)
	w.relays(first.OutboxEventID, tokenExpired)
	w.post(operator(shop), "/v1/conversations/"+number+":917777777777/messages/template",
		wt.Object{"name": "offer", "language": "en"}).Want(w.t, http.StatusAccepted, &second)
	w.relays(second.OutboxEventID, tokenExpired)
}

func (w *world) numberOf(by *caller) numberState {
	w.t.Helper()
	var list numberList
	w.get(by, "/v1/numbers", nil).Want(w.t, http.StatusOK, &list)
	if len(list.Items) != 1 {
		w.t.Fatalf("%d numbers", len(list.Items))
	}
	return list.Items[0]
}

func TestAStoppedNumberShowsUntilWhenAndWhyAndIsResumed(t *testing.T) {
	w := open(t)
	if n := w.numberOf(operator(shop)); n.PhoneNumberID != number || n.TenantID != shop || n.WABAID != waba ||
		n.StoppedUntil != "" || n.Waiting != 0 {
		t.Errorf("before: %+v", n)
	}
	w.stops()
	if n := w.numberOf(operator(shop)); n.StoppedUntil <= "2026-11-21T12:00" ||
		n.StopReason != "190 The access token has expired" || n.Waiting != 2 {
		t.Errorf("stopped: %+v", n)
	}
	w.post(operator("other"), "/v1/numbers/"+number+"/resume", nil).WantProblem(t, http.StatusNotFound)
	w.post(operator(shop), "/v1/numbers/"+number+"/resume", nil).Want(t, http.StatusNoContent)
	if n := w.numberOf(operator(shop)); n.StoppedUntil != "" || n.StopReason != "" {
		t.Errorf("resumed: %+v", n)
	}
	w.post(operator(shop), "/v1/numbers/"+number+"/resume", nil).Want(t, http.StatusNoContent)
	w.get(operator("other"), "/v1/numbers", url.Values{"tenantId": {shop}}).WantProblem(t, http.StatusNotFound)
}

func TestNumbersAreListedPageByPage(t *testing.T) {
	w := open(t)
	want := []string{number}
	for _, phone := range []string{"300000000000003", "100000000000001", "200000000000002"} {
		w.ours(shop, phone, waba)
		want = append(want, phone)
	}
	slices.Sort(want)
	for _, limit := range []string{"1", "2", "4", "100"} {
		var got []string
		query := url.Values{"limit": {limit}}
		for pages := 0; pages < 10; pages++ {
			var list numberList
			w.get(operator(shop), "/v1/numbers", query).Want(t, http.StatusOK, &list)
			for _, n := range list.Items {
				got = append(got, n.PhoneNumberID)
			}
			if query.Set("cursor", list.Cursor); list.Cursor == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %s: %v, want %v", limit, got, want)
		}
	}
}
