package messagingapi

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// hasArrival gives a tenant an email that has come in with a file.
func (w *world) hasArrival(tenant model.TenantID, id model.EventID, text string) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Received{
		PK: keys.Received(id).Partition, ItemType: model.ItemReceived, FromPK: keys.ReceivedFrom(tenant, gone),
		TenantID: tenant, Channel: model.ChannelEmail, Business: "jobs@haat.example", Person: gone, CustomerID: gone,
		ReceivedAt: model.At(minutesAgo(4)), Subject: text, Text: text, Held: "forged", Outcome: "held",
		AttentionPK: keys.AttentionArrivals(tenant, arrivals.Held), AttentionAt: model.At(minutesAgo(4)),
		Files: []model.Attached{
			{Name: "cv.pdf", Type: "application/pdf", Size: 3, Key: "files/" + string(tenant) + "/email/1/0"},
			{Name: "page.txt", Type: "text/plain", Size: 3, Key: "files/" + string(tenant) + "/email/1/1"}},
		LeftOut: []model.LeftOut{{Name: "x.exe", Reason: "type"}}})
}

// A reader of the inbox sees every email that has come in, also a held one, and gets links to its files. Only files
// that cannot run a script open in a browser.
func TestAnEmailThatHasComeInIsShown(t *testing.T) {
	w := open(t)
	w.hasArrival(shop, "email.1", "Hello\u202e")
	var got arrivalShown
	w.get(operator(shop), "/v1/arrivals/email.1", nil).Want(t, http.StatusOK, &got)
	if got.From != gone || got.Held != "forged" || got.Outcome != "held" || strings.Contains(got.Text, "\u202e") ||
		len(got.Files) != 2 || len(got.LeftOut) != 1 || got.LeftOut[0].Reason != "type" {
		t.Errorf("%+v", got)
	}
	for i, how := range []string{"inline", "attachment"} {
		if link := got.Files[i].URL; !strings.Contains(link, "/files/"+shop+"/email/1/") ||
			!strings.Contains(link, "response-content-disposition="+how) || got.Files[i].ExpiresAt == "" {
			t.Errorf("%s", link)
		}
	}
}

// What nobody has got is listed by what has become of it, page by page, the newest first.
func TestWhatNobodyHasGotIsListed(t *testing.T) {
	w := open(t)
	for i, id := range []model.EventID{"email.1", "email.2", "email.3"} {
		w.hasArrival(shop, id, "Hello\u202e")
		write := dynamo.Update{
			Table: tables.Messages, Key: keys.Received(id), If: dynamo.IfPresent, Do: "SET attentionAt = :at",
			Values: dynamo.Item{":at": dynamo.S(model.At(minutesAgo(9 - i)))}}
		if err := w.db.Write(t.Context(), []dynamo.Write{write}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for cursor := ""; len(got) < 9; {
		var page httpapi.List[arrivalRow]
		query := url.Values{"outcome": {"held"}, "limit": {"2"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		w.get(operator(shop), "/v1/tenants/"+shop+"/arrivals", query).Want(t, http.StatusOK, &page)
		for _, row := range page.Items {
			if row.From != gone || row.Held != "forged" || row.Files != 2 || row.Preview != "Hello" {
				t.Errorf("%+v", row)
			}
			got = append(got, row.ID)
		}
		if cursor = page.Cursor; cursor == "" {
			break
		}
		erased := dynamo.Delete{Table: tables.Messages, Key: keys.Received("email.2"), If: dynamo.Unconditional}
		if err := w.db.Write(t.Context(), []dynamo.Write{erased}); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(got, " ") != "email.3 email.2 email.1" {
		t.Errorf("%v", got)
	}
	var none httpapi.List[arrivalRow]
	w.get(operator(shop), "/v1/tenants/"+shop+"/arrivals", nil).Want(t, http.StatusOK, &none)
	if len(none.Items) != 0 {
		t.Errorf("%+v", none)
	}
}
