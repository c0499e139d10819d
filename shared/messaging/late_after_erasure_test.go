package messaging_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A message from before an erasure that arrives after it is erased too, whether the log had it already or not. A later
// message opens a new conversation.
func TestLateMessagesOfAnErasedCustomerAreErasedToo(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "SECRET", 30)
	w.mustErase(asha)
	w.anHourLater()
	photo := wt.Object{"image": wt.Object{"id": "media-1", "mime_type": "image/jpeg", "caption": "SECRET"}}
	for _, body := range []wt.Object{
		wt.Messages(wt.List{wt.Contact(asha, "SECRET Asha")}, wt.Text(asha, "wamid.late", "SECRET", ago(20))),
		wt.Messages(wt.List{wt.Contact(asha, "SECRET Asha")}, wt.Message(asha, "wamid.photo", "image", ago(10), photo),
			wt.Text("918888888888", "wamid.ravi", "hello", ago(9))),
	} {
		if err := w.post(body); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.inbox(); len(got) != 1 || got[0] != "918888888888" {
		t.Errorf("inbox: %v", got)
	}
	w.wantsNothingOf([]string{asha, "SECRET"})

	w.says(asha, "wamid.new", "hello", -30)
	w.says(asha, "wamid.later", "SECRET", 5) // the customer writes again
	if got := w.timeline(asha); len(got) != 1 || got[0] != "wamid.new" {
		t.Errorf("timeline: %v", got)
	}
	if c := w.conversation(asha); c.UnreadCount != 1 || c.ErasedBefore != model.At(noon) {
		t.Errorf("conversation: %+v", c)
	}
}

// An operator who writes first does not let earlier messages back in.
func TestAConversationOpenedByTheBusinessKeepsTheTimeOfTheErasure(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "SECRET", 30)
	w.mustErase(asha)
	w.anHourLater()
	w.accept(asha)
	w.says(asha, "wamid.late", "SECRET", 5)
	w.wantsNothingOf([]string{"SECRET"})
}

// A message that is logged twice, by itself and in an import, is removed from both entries.
func TestAMessageThatWasLoggedTwiceIsRemovedFromBothEntries(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "SECRET", 30)
	for range 2 {
		both := wt.Messages(wt.List{wt.Contact(asha, "Asha"), wt.Contact("918888888888", "Ravi")},
			wt.Text(asha, "wamid.1", "SECRET", ago(30)), wt.Text("918888888888", "wamid.2", "hello", ago(20)))
		if err := w.post(both); err != nil {
			t.Fatal(err)
		}
	}
	if done := w.mustErase(asha); done.Counts["logEntries"] != 2 || done.Counts["messages"] != 1 {
		t.Errorf("%+v", done)
	}
	w.wantsNothingOf([]string{asha, "SECRET"})
}

// An orphan status expires, unless its message arrives and takes it over.
func TestAnOrphanStatusExpires(t *testing.T) {
	w := newFixture(t)
	status := wt.Statuses(wt.Status("wamid.ours", "sent", asha, ago(3), nil))
	if err := w.post(status); err != nil {
		t.Fatal(err)
	}
	if item := w.dump()["Messages"]["MSG#wamid.ours"]; item["ttl"] == nil {
		t.Errorf("%v", item)
	}
	w.says(asha, "wamid.ours", "hello", 4)
	if item := w.dump()["Messages"]["MSG#wamid.ours"]; item["ttl"] != nil || item["direction"] == nil {
		t.Errorf("%v", item)
	}
}

// lagging is a transport that has something happen after so many questions to an index.
type lagging struct {
	asked atomic.Int64
	after int64
	show  func()
}

func (l *lagging) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".Query") && l.asked.Add(1) == l.after {
		l.show()
	}
	return response, err
}

// An erasure waits for a lagging index: it finds a message that the index shows only after the last question of one
// that does not wait.
func TestAnErasureWaitsForTheIndex(t *testing.T) {
	questions := int64(0)
	for _, lag := range []time.Duration{0, time.Millisecond} {
		w := newFixture(t)
		w.says(asha, "wamid.1", "SECRET", 9)
		late := &lagging{after: questions, show: func() {
			err := w.db.Put(t.Context(), dynamo.Put{Table: tables.Messages, If: dynamo.Unconditional, Item: dynamo.Item{
				"pk": dynamo.S("MSG#wamid.2"), "itemType": dynamo.S(model.ItemMessage),
				"direction":  dynamo.S(model.Inbound),
				"receivedAt": dynamo.S(model.At(noon)), "textBody": dynamo.S("SECRET"),
				"conversationPk": dynamo.S(keys.Conversation(wt.Phone, asha).Partition),
			}})
			if err != nil {
				t.Error(err)
			}
		}}
		w.set(func(c *messaging.Config) { c.IndexLag, c.DB = lag, w.db.Through(late) })
		done := w.mustErase(asha)
		if questions = late.asked.Load(); lag == 0 {
			continue
		}
		if done.Counts["messages"] != 2 {
			t.Errorf("%+v", done)
		}
		w.wantsNothingOf([]string{asha, "SECRET"})
	}
}
