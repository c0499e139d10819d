package messagingapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/keys"
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
