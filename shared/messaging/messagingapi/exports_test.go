package messagingapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/httpapi/apitest"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// exportsOf reads a person's export, by pages.
func (w *world) exportsOf(by *caller, address, limit string) (all []exportedRecord, leftOut []keptOfThem) {
	w.t.Helper()
	query := url.Values{"limit": {limit}}
	for {
		var page exportPersonOutput
		w.do(apitest.Request{
			By: by, Method: http.MethodPost, Path: "/v1/exports", Query: query,
			Body: `{"address":"` + address + `","reason":"asked for it"}`,
		}).Want(w.t, http.StatusOK, &page.Body)
		if all = append(all, page.Body.Items...); page.Body.Cursor == "" {
			return all, page.Body.LeftOut
		}
		if page.Body.LeftOut != nil {
			w.t.Error("a page that is not the last says what is left out")
		}
		query.Set("cursor", page.Body.Cursor)
	}
}

func TestAPersonIsExportedByAnAddress(t *testing.T) {
	w := open(t)
	traces(w)
	for _, address := range []string{"", "12345", "@asha"} {
		body := wt.Object{"address": address, "reason": "asked for it"}
		w.post(operator(shop), "/v1/exports", body).WantProblem(t, http.StatusUnprocessableEntity)
	}
	by := operator(shop)
	by.Subject = "user-7"
	for _, limit := range []string{"1", "3", "100"} {
		records, leftOut := w.exportsOf(by, "0091 98765-43210", limit)
		kinds := map[string]int{}
		for _, r := range records {
			kinds[r.Kind]++
			if strings.Contains(string(r.Data), "Ravi") || strings.Contains(string(r.Data), "918888888888") ||
				string(r.PhoneNumberID) != number &&
					!slices.Contains([]string{"paymentOrder", "refund", "campaign"}, r.Kind) {
				t.Errorf("%s at %s: %s", r.Kind, r.PhoneNumberID, r.Data)
			}
		}
		for kind, want := range map[string]int{
			"conversation": 2, "message": 7, "call": 1, "group": 1, "paymentOrder": 1, "refund": 1, "campaign": 1,
			"outboxEvent": 4} {
			if kinds[kind] != want {
				t.Errorf("by %s: %d of %s, want %d", limit, kinds[kind], kind, want)
			}
		}
		if len(leftOut) == 0 {
			t.Error("the last page does not say what is left out")
		}
	}
	done := slices.DeleteFunc(w.records(operator(shop), "conversationId", number+":"+asha),
		func(r auditRecord) bool { return r.Action != "export-person" })
	if len(done) != 3 {
		t.Fatalf("%d records of three exports: %+v", len(done), done)
	}
	if one := done[0]; one.By != "user-7" || one.Reason != "asked for it" ||
		strings.Contains(one.TargetID, asha) {
		t.Errorf("%+v", one)
	}
}

// A cursor goes on in the export of its person alone.
func TestACursorOfAnExportIsGoodForItsPersonAlone(t *testing.T) {
	w := open(t)
	traces(w)
	request := func(address, cursor string) apitest.Request {
		return apitest.Request{
			By: operator(shop), Method: http.MethodPost, Path: "/v1/exports",
			Query: url.Values{"limit": {"1"}, "cursor": {cursor}},
			Body:  `{"address":"` + address + `","reason":"asked for it"}`,
		}
	}
	var page exportPersonOutput
	w.do(request("+"+asha, "")).Want(t, http.StatusOK, &page.Body)
	w.do(request("+918888888888", page.Body.Cursor)).WantProblem(t, http.StatusBadRequest)
	w.do(request("+"+asha, page.Body.Cursor)).Want(t, http.StatusOK, &page.Body)
}

// The export of a person takes the same right as their erasure.
func TestWhoMayNotEraseMayNotExport(t *testing.T) {
	w := open(t)
	by := operator(shop)
	by.Groups = []string{"tenant:" + shop, "supervisor"}
	body := wt.Object{"address": "+" + asha, "reason": "asked for it"}
	for _, path := range []string{"/v1/exports", "/v1/erasures"} {
		w.post(by, path, body).WantProblem(t, http.StatusForbidden)
	}
}
