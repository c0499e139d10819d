package khataapi

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	reader "github.com/ledongthuc/pdf"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/tables"
)

// words returns what a PDF file says.
func words(t *testing.T, content []byte) string {
	t.Helper()
	file, err := reader.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for i := range file.NumPage() {
		for _, piece := range file.Page(i + 1).Content().Text {
			all.WriteString(piece.S)
		}
	}
	return all.String()
}

func TestAStatementIsAFileInTheLanguageAskedFor(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	path := "/v1/stores/" + b.store + "/khata/customers/" + b.customer +
		"/statement/export?from=2026-11-01&to=2026-11-30"
	for query, want := range map[string]struct {
		status     int
		kind, says string
	}{
		"":                             {http.StatusOK, "text/csv; charset=utf-8", "credit_sale,500.00"},
		"&format=pdf":                  {http.StatusOK, "application/pdf", "You owe now"},
		"&format=pdf&language=hi-Latn": {http.StatusOK, "application/pdf", "Ab baaki"},
		"&format=png":                  {http.StatusUnprocessableEntity, "application/problem+json", "query.format"},
		"&format=pdf&language=ta":      {http.StatusUnprocessableEntity, "application/problem+json", "query.language"},
	} {
		answer := w.call("auditor", http.MethodGet, path+query, "", "")
		said := answer.Body
		if want.kind == "application/pdf" && answer.Status == http.StatusOK {
			file, err := base64.StdEncoding.DecodeString(answer.Body)
			w.must(err)
			said = words(t, file)
		}
		if answer.Status != want.status || answer.Headers["content-type"] != want.kind ||
			!strings.Contains(said, want.says) {
			t.Errorf("%s: %d %s %.200s", query, answer.Status, answer.Headers["content-type"], said)
		}
	}
}

// A statement goes once for each request: as a document to who has written, else in the template, and not at all to who
// has opted out.
func TestAStatementIsSentOnWhatsApp(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	path := "/v1/stores/" + b.store + "/khata/customers/" + b.customer + "/statement/send"
	send := func(key, body string) answer { return w.call("cashier", http.MethodPost, path, key, body) }
	november := `{"from":"2026-11-01","to":"2026-11-30"}`
	var template, again, document sentStatement
	send("k1", november).Want(t, http.StatusAccepted, &template)
	send("k1", november).Want(t, http.StatusAccepted, &again)
	if template != again || template.Type != "template" ||
		template.ConversationID != b.phone+":"+strings.TrimPrefix(b.customer, "+") {
		t.Errorf("%+v, and then %+v", template, again)
	}
	w.conversation(b, func(c *model.Conversation) { c.WindowExpiresAt = model.At(noon.Add(time.Hour)) })
	send("k2", `{"from":"2026-11-01","to":"2026-11-30","language":"hi"}`).Want(t, http.StatusAccepted, &document)
	message, err := w.rooms.Message(t.Context(), model.MessageID(document.MessageID))
	w.must(err)
	if document.Type != "document" || !message.PrivateFile || string(message.MediaID) != document.MediaID ||
		!strings.Contains(message.Caption, "अब बाकी ₹379.50") {
		t.Errorf("%+v shows %+v", document, message)
	}
	if got := queued(t, w); got[sending.EventMessage] != 2 || got[media.EventUpload] != 2 {
		t.Errorf("the outbox holds %v", got)
	}
	var file bytes.Buffer
	w.must(objectstest.Bucket(w.rooms.Now).Get(t.Context(), media.Incoming+b.tenant+"/"+b.phone+"/"+template.MediaID,
		&file, 1<<20))
	if said := words(t, file.Bytes()); !strings.Contains(said, "You owe now") || !strings.Contains(said, "₹379.50") {
		t.Errorf("the file says %s", said)
	}
	for name, c := range map[string]struct {
		key, body, says string
		status          int
		before          func()
	}{
		"another body under the key": {
			"k1", `{"from":"2026-11-01","to":"2026-11-29"}`, "idempotency-key-reused",
			http.StatusUnprocessableEntity, nil},
		"an end before the beginning": {
			"k3", `{"from":"2026-11-30","to":"2026-11-01"}`, "body.to", http.StatusUnprocessableEntity, nil},
		"who has opted out": {"k4", november, "opted-out", http.StatusConflict, func() {
			w.conversation(b, func(c *model.Conversation) {
				c.Decisions, c.WindowExpiresAt = []model.Decision{
					{MessagePK: "MSG#wamid.stop", Order: model.OrderOf(model.At(noon), 0), OptOut: true}}, ""
			})
		}},
	} {
		if c.before != nil {
			c.before()
		}
		if a := send(c.key, c.body); a.Status != c.status || !strings.Contains(a.Body, c.says) ||
			strings.Contains(a.Body, b.customer) {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	if got := queued(t, w); got[sending.EventMessage] != 2 {
		t.Errorf("the outbox holds %v", got)
	}
}

// queued counts the outbox events by their type.
func queued(t *testing.T, w *world) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, item := range w.db.Items(t, tables.Outbox) {
		all[dynamo.Text(item, "eventType")]++
	}
	return all
}

// conversation changes the conversation with a customer as something that has happened there would.
func (w *world) conversation(b belongings, change func(c *model.Conversation)) {
	w.t.Helper()
	c, err := w.rooms.Conversation(w.t.Context(), model.PhoneNumberID(b.phone),
		model.CustomerID(strings.TrimPrefix(b.customer, "+")))
	w.must(err)
	change(&c)
	w.db.Seed(w.t, tables.Messages, c)
}
