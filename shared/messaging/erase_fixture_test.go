package messaging_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// wamidOf returns an id like Meta's: it contains the customer's number.
func wamidOf(number string, n int) string {
	return "wamid." + base64.StdEncoding.EncodeToString([]byte(number)) + fmt.Sprintf("%03d", n)
}

// erase erases a customer in one call.
func (w *fixture) erase(customer model.CustomerID) erasure.Progress {
	w.t.Helper()
	done, err := w.Erase(w.t.Context(), erasure.Request{
		Tenant: "demo", Phone: wt.Phone, Customer: customer,
		By: audit.Actor{Subject: "user-1", Name: "op", RequestID: "r1"}, Reason: "asked for it",
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

func (w *fixture) mustErase(customer model.CustomerID) erasure.Progress {
	w.t.Helper()
	done := w.erase(customer)
	if done.CompletedAt == "" {
		w.t.Fatalf("not complete: %+v", done)
	}
	return done
}

// relay returns a relay whose sends get a wamid as the answer, or are refused if it is "".
func (w *fixture) relay(answers func(customer string) string) *outbox.Relay {
	return &outbox.Relay{
		Outbox: outbox.Outbox{DB: w.DB, Now: w.Now}, Owner: "test", Log: slog.New(slog.DiscardHandler),
		Sleep:    func(context.Context, time.Duration) error { return context.Canceled },
		Handlers: w.Handlers(fakeWhatsApp(answers)),
	}
}

type fakeWhatsApp func(customer string) string

func (a fakeWhatsApp) Send(_ context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	var to struct{ To string }
	_ = json.Unmarshal(r.Body, &to)
	if id := a(strings.TrimPrefix(to.To, "+")); id != "" {
		return whatsapp.Taken{ID: id}, nil
	}
	return whatsapp.Taken{}, &whatsapp.SendError{Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 131026}}
}

func (w *fixture) relayAnswers(eventID string, answer func(customer string) string) {
	w.t.Helper()
	relay := w.relay(answer)
	event, err := relay.Get(w.t.Context(), eventID)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := relay.Deliver(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
}

// ofAsha lists everything that identifies Asha. Her messages all contain the word SECRET.
var ofAsha = []string{
	asha, "IN.77", "IN.88", "IN.99", "Asha", "asha.s", "SECRET", base64.StdEncoding.EncodeToString([]byte(asha))}

func ashaContact() wt.Object {
	contact := wt.Contact(asha, "Asha Sharma")
	contact["user_id"], contact["username"] = "IN.77", "asha.s"
	return contact
}

// seedCustomers stores everything that a customer can leave for Asha: two merged conversations, aliases, messages of
// every direction, a document, an opt-out, a log entry that she shares with Ravi, one in chunks, and in the outbox a
// sent message, a dead letter and pending ones. Ravi has some of the same. It returns the posted bodies.
func (w *fixture) seedCustomers() [][]wt.Object {
	w.t.Helper()
	big := strings.Repeat("x", 200<<10)
	text := func(from, userID string, n int, body string, minutesAgo int) wt.Object {
		m := wt.Text(from, wamidOf(from, n), body, ago(minutesAgo))
		if userID != "" {
			m["from_user_id"] = userID
		}
		return m
	}
	hidden := text("", "IN.88", 1, "SECRET one", 50)
	delete(hidden, "from")
	hidden["id"] = wamidOf(asha, 1)
	meta := wt.Object{"phone_number_id": wt.Phone, "display_phone_number": wt.Display}
	bodies := [][]wt.Object{
		{wt.Messages(wt.List{ashaContact()}, text(asha, "IN.77", 2, "SECRET two", 60))},
		{wt.Messages(wt.List{wt.Object{"user_id": "IN.88", "profile": wt.Object{"name": "Asha"}}}, hidden)},
		{wt.Messages(wt.List{wt.Object{"wa_id": asha, "user_id": "IN.88", "profile": wt.Object{"name": "Asha"}}},
			text(asha, "IN.88", 3, "SECRET three", 40))},
		{wt.Messages(wt.List{ashaContact(), wt.Contact(ravi, "Ravi")}, text(ravi, "", 4, "hello", 30),
			text(asha, "IN.77", 5, "SECRET four", 29), text(ravi, "", 6, "again", 28))},
		{wt.Messages(wt.List{ashaContact()}, wt.Message(asha, wamidOf(asha, 7), "document", ago(27), wt.Object{
			"document":     wt.Object{"id": "media-7", "mime_type": "application/pdf", "filename": "Asha SECRET.pdf"},
			"from_user_id": "IN.77",
		}))},
		{wt.Messages(wt.List{ashaContact()}, text(asha, "IN.77", 8, "stop", 26))},
		{wt.Change("history", wt.Object{"metadata": meta, "history": wt.List{wt.Object{"threads": wt.List{
			wt.Object{"id": ravi, "messages": wt.List{wt.Text(ravi, wamidOf(ravi, 9), big, ago(9000))}},
			wt.Object{"id": asha, "messages": wt.List{wt.Text(asha, wamidOf(asha, 10), "SECRET"+big, ago(9001))}},
		}}}})},
		{wt.Change("smb_message_echoes", wt.Object{"metadata": meta, "message_echoes": wt.List{
			wt.Message(wt.Display, wamidOf(asha, 11), "text", ago(25),
				wt.Object{"to": asha, "text": wt.Object{"body": "SECRET, from the phone"}}),
		}})},
		{wt.Change("user_id_update", wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone},
			"user_id_update": wt.List{wt.Object{"user_id": wt.Object{"previous": "IN.77", "current": "IN.99"}}}})},
	}
	for _, changes := range bodies {
		if err := w.post(changes...); err != nil {
			w.t.Fatal(err)
		}
	}
	sent := w.accept(asha)
	w.relayAnswers(sent.OutboxEventID, func(string) string { return wamidOf(asha, 20) })
	w.relayAnswers(w.accept(asha).OutboxEventID, func(string) string { return "" })
	w.accept(asha)
	w.accept("IN.99")
	w.relayAnswers(w.accept(ravi).OutboxEventID, func(string) string { return wamidOf(ravi, 21) })
	w.accept(ravi)
	if err := w.MarkRead(w.t.Context(), "demo", wt.Phone, asha); err != nil {
		w.t.Fatal(err)
	}
	return append(bodies, []wt.Object{wt.Statuses(
		wt.Status(wamidOf(asha, 20), "delivered", asha, ago(1),
			wt.Object{"biz_opaque_callback_data": sent.OutboxEventID + ".token"}),
		wt.Status(wamidOf(ravi, 21), "delivered", ravi, ago(1), nil),
	)})
}

func (w *fixture) dump() map[string]map[string]map[string]any { w.t.Helper(); return w.db.Dump(w.t) }

// containedIn returns the values that a text contains.
func containedIn(text string, values []string) []string {
	var found []string
	for _, value := range values {
		if strings.Contains(text, value) {
			found = append(found, value)
		}
	}
	return found
}

// wantsNothingOf fails the test if a table contains any of the values. Two places are exempt: Meta's ids in the keys of
// tombstones, and logged values that are not messages.
func (w *fixture) wantsNothingOf(values []string) {
	w.t.Helper()
	for table, items := range w.dump() {
		for key, item := range items {
			text := string(wt.Encode(item))
			if item["itemType"] == model.ItemWebhookEvent && item["eventType"] != whatsapp.KindMessage {
				continue
			}
			if item["erasedAt"] != nil && item["itemType"] == model.ItemMessage {
				if len(item) != 4 {
					w.t.Errorf("a tombstone holds %v", item)
				}
				text = "" // its key
			}
			if found := containedIn(text+key, values); len(found) > 0 && text != "" {
				w.t.Errorf("%s %s tells %v: %.400s", table, key, found, text)
			}
		}
	}
}
