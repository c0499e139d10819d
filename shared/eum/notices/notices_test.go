package notices_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/eum/notices"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func bodies() map[string][]byte {
	contact, text := wt.List{wt.Contact("919876543210", "Asha")}, wt.Text("919876543210", "wamid.1", "हाँ, 2 kg", noon)
	sent := wt.Status("wamid.2", "sent", "919876543210", noon, nil)
	return map[string][]byte{
		"a message":             wt.Body(wt.Messages(contact, text)),
		"a status":              wt.Body(wt.Statuses(sent)),
		"both":                  wt.Body(wt.Messages(contact, text), wt.Statuses(sent)),
		"a template, with time": wt.BodyAt(noon, wt.TemplateStatus("order_ready", "en", "APPROVED")),
		"an unknown field":      wt.Body(wt.Change("something_new", wt.Object{"a": 1})),
		"no changes":            wt.Body(),
		"a change of no value":  wt.Body(wt.Object{"field": "messages", "value": 7}),
	}
}

func TestANoticeHoldsTheEntriesOfTheWebhook(t *testing.T) {
	for name, body := range bodies() {
		want, err := whatsapp.DecodeWebhook(body)
		if err != nil {
			t.Fatal(err)
		}
		notice := eumtest.Notice(eumtest.Entries(body)[0])
		for way, text := range map[string]string{"wrapped": eumtest.Wrapped(notice), "raw": notice} {
			got, err := notices.Read([]byte(text))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s, %s: %v\n%s", name, way, err, diff)
			}
		}
	}
}

// AWS may write Meta's JSON in its own way.
func TestAnEntryThatIsWrittenAgainHasTheSameID(t *testing.T) {
	body := bodies()["a message"]
	want, err := whatsapp.DecodeWebhook(body)
	if err != nil {
		t.Fatal(err)
	}
	entry := json.RawMessage(eumtest.Entries(body)[0])
	indented, err := json.MarshalIndent(entry, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got, err := notices.Read([]byte(eumtest.Notice(string(indented))))
	if err != nil || len(got) != 1 || got[0].ID != want[0].ID {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatIsNoNoticeIsUnreadable(t *testing.T) {
	for _, text := range []string{
		"", "hello", "{}", "[]", "7", `{"Type":"Notification"}`, eumtest.Wrapped("hello"), eumtest.Wrapped("{}"),
		`{"Type":"SubscriptionConfirmation","Message":"You have chosen to subscribe"}`,
		eumtest.Notice(""), eumtest.Notice(`{"id":`), `{"whatsAppWebhookEntry":{"id":"1"}}`,
	} {
		if got, err := notices.Read([]byte(text)); !errors.Is(err, notices.ErrUnreadable) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// Whatever comes, Read returns entries with ids, or says that it is no notice.
func FuzzRead(f *testing.F) {
	for _, body := range bodies() {
		notice := eumtest.Notice(eumtest.Entries(body)[0])
		f.Add(notice)
		f.Add(eumtest.Wrapped(notice))
	}
	f.Add(`{"whatsAppWebhookEntry":"7"}`)
	f.Add(`{"Type":"Notification","Message":7}`)
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := notices.Read([]byte(text))
		if err != nil && (!errors.Is(err, notices.ErrUnreadable) || entries != nil) || err == nil && len(entries) == 0 {
			t.Fatalf("%d entries, %v", len(entries), err)
		}
		for i, entry := range entries {
			if entry.ID == "" || entry.Kind == "" || entry.Position != i || !json.Valid(entry.Value) {
				t.Errorf("entry %d: %+v", i, entry)
			}
		}
	})
}
