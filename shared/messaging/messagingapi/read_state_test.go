package messagingapi

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/messaging"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// shows is the conversation as the API shows it.
func (w *world) shows(id string) conversation {
	w.t.Helper()
	var c conversation
	w.get(operator(shop), "/v1/conversations/"+id, nil).Want(w.t, http.StatusOK, &c)
	return c
}

func TestReadingSendsOneReceiptForTheLastMessageOfTheCustomer(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA2", "and sugar", minutesAgo(0)))
	w.post(operator(shop), sendPath, wt.Object{"body": "noted"}).Want(t, http.StatusAccepted)
	if n := w.shows(ashas).UnreadCount; n != 2 {
		t.Errorf("%d unread", n)
	}
	for range 3 {
		if got := w.post(operator(shop), toAsha+"/read", nil); got.Status != http.StatusNoContent || got.Body != "" {
			t.Errorf("answered %d: %s", got.Status, got.Body)
		}
	}
	if n := w.shows(ashas).UnreadCount; n != 0 {
		t.Errorf("%d unread", n)
	}
	if got := receipts(w); len(got) != 1 || !strings.Contains(got[0], `"message_id":"wamid.ASHA2"`) {
		t.Errorf("receipts: %v", got)
	}
}

// receipts are the read receipts in the outbox.
func receipts(w *world) []string {
	w.t.Helper()
	var found []string
	for _, body := range w.sendings() {
		if strings.Contains(string(body), `"status":"read"`) {
			found = append(found, string(body))
		}
	}
	return found
}

func TestPeopleReadingAtOnceSendOneReceipt(t *testing.T) {
	w := open(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got, err := w.try(t.Context(), request{By: operator(shop), Method: http.MethodPost, Path: toAsha + "/read"})
			if err != nil || got.Status != http.StatusNoContent {
				t.Errorf("answered %d, %v", got.Status, err)
			}
		})
	}
	group.Wait()
	if got := receipts(w); len(got) != 1 {
		t.Errorf("receipts: %v", got)
	}
}

// Nobody has seen what arrives while a conversation is being marked.
func TestWhatArrivesWhileReadingStaysUnread(t *testing.T) {
	w := open(t)
	elsewhere := worldOn(t, w.db, w.db.Client)
	var once sync.Once
	*w.rooms = *w.rooms.With(func(c *messaging.Config) {
		c.Now = func() time.Time { // asked for between the reading and the writing of the conversation
			once.Do(func() {
				elsewhere.receives(number, waba, wt.Contact(asha, "Asha"),
					wt.Text(asha, "wamid.ASHA2", "and sugar", minutesAgo(0)))
			})
			return noon
		}
	})
	w.post(operator(shop), toAsha+"/read", nil).Want(t, http.StatusNoContent)
	if n := elsewhere.shows(ashas).UnreadCount; n != 1 {
		t.Errorf("%d unread", n)
	}
	if got := receipts(w); len(got) != 1 || !strings.Contains(got[0], `"message_id":"wamid.ASHA1"`) {
		t.Errorf("receipts: %v", got)
	}
}

func TestWhatArrivesAfterReadingIsUnreadAndReadAgain(t *testing.T) {
	w := open(t)
	w.post(operator(shop), toAsha+"/read", nil).Want(t, http.StatusNoContent)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA2", "and sugar", minutesAgo(0)))
	if n := w.shows(ashas).UnreadCount; n != 1 {
		t.Errorf("%d unread", n)
	}
	w.post(operator(shop), toAsha+"/read", nil).Want(t, http.StatusNoContent)
	if got := receipts(w); len(got) != 2 {
		t.Errorf("receipts: %v", got)
	}
}

func TestMarkingUnreadKeepsACountThatIsThere(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA2", "and sugar", minutesAgo(0)))
	for _, c := range []struct {
		mark string
		want int
	}{{"unread", 2}, {"read", 0}, {"unread", 1}, {"unread", 1}, {"read", 0}} {
		w.post(operator(shop), toAsha+"/"+c.mark, nil).Want(t, http.StatusNoContent)
		if n := w.shows(ashas).UnreadCount; n != c.want {
			t.Errorf("%d unread after marking it %s, want %d", n, c.mark, c.want)
		}
	}
}

func TestArchivingIsUndoneByTheCustomerOnly(t *testing.T) {
	w := open(t)
	for _, c := range []struct {
		mark string
		want bool
	}{{"archive", true}, {"archive", true}, {"unarchive", false}, {"unarchive", false}, {"archive", true}} {
		w.post(operator(shop), toAsha+"/"+c.mark, nil).Want(t, http.StatusNoContent)
		if got := w.shows(ashas).Archived; got != c.want {
			t.Errorf("archived: %v after %s", got, c.mark)
		}
	}
	w.post(operator(shop), sendPath, wt.Object{"body": "bye"}).Want(t, http.StatusAccepted)
	if !w.shows(ashas).Archived {
		t.Error("the shop's own message took it out of the archive")
	}
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA2", "one more thing", minutesAgo(0)))
	if w.shows(ashas).Archived {
		t.Error("the customer's message did not bring it back")
	}
}

func TestMarkingWhatIsNotThereIsNotFound(t *testing.T) {
	w := open(t)
	for _, mark := range []string{"read", "unread", "archive", "unarchive"} {
		w.post(operator(shop), "/v1/conversations/"+number+":1/"+mark, nil).WantProblem(t, http.StatusNotFound)
	}
}
