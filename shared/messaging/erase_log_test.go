package messaging_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestCustomersWhoShareAnEntryMayBeErasedAtOnce(t *testing.T) {
	w := newFixture(t)
	const people = 6
	var list []wt.Object
	contacts := wt.List{}
	for i := range people {
		number := fmt.Sprintf("9190000000%02d", i)
		contacts = append(contacts, wt.Contact(number, "SECRET"))
		list = append(list, wt.Text(number, fmt.Sprint("wamid.", i), "SECRET", ago(i+1)))
	}
	if err := w.post(wt.Messages(contacts, list...)); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range people {
		group.Go(func() {
			of := erasure.Request{
				Tenant: "demo", Phone: wt.Phone, Customer: model.CustomerID(fmt.Sprintf("9190000000%02d", i)),
				Reason: "r", By: audit.Actor{Subject: "u"}}
			for range 10 {
				if done, err := w.Erase(t.Context(), of); err == nil && done.CompletedAt != "" {
					return
				}
			}
			t.Error("never complete")
		})
	}
	group.Wait()
	w.wantsNothingOf([]string{"9190000000", "SECRET"})
	if got := w.events()[0]; got.Erasures < 1 || len(got.Payload) > 0 {
		t.Errorf("the entry: %+v", got)
	}
}

func TestRemovingFromAnEntryKeepsWhetherItIsParkedOrProcessed(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "SECRET", 9)
	w.says(asha, "wamid.2", "SECRET", 8)
	events := w.events()
	if err := w.MarkProcessed(t.Context(), events[0].EventID); err != nil {
		t.Fatal(err)
	}
	if err := w.MarkFailed(t.Context(), events[1].EventID, "", "no such order"); err != nil {
		t.Fatal(err)
	}
	w.mustErase(asha)
	for i, event := range events {
		got, err := w.Entry(t.Context(), event.EventID)
		if err != nil {
			t.Fatal(err)
		}
		if (got.ProcessedAt != "") != (i == 0) || (got.ProcessingError != "") != (i == 1) ||
			got.ErasedAt != model.At(noon) || len(got.Payload) > 0 {
			t.Errorf("entry %d: %+v", i, got)
		}
	}
}

// Two customers who share an entry are erased one after the other.
func TestAnEntryLosesOnlyTheErasedCustomersMessages(t *testing.T) {
	w := newFixture(t)
	err := w.post(wt.Messages(wt.List{wt.Contact(asha, "Asha"), wt.Contact(ravi, "Ravi")},
		wt.Text(asha, "wamid.1", "SECRET", ago(2)), wt.Text(ravi, "wamid.2", "hello", ago(1))))
	if err != nil {
		t.Fatal(err)
	}
	w.mustErase(asha)
	w.wantsNothingOf([]string{asha, "Asha", "SECRET"})
	if got := w.events()[0]; got.Erasures != 1 || len(got.Payload) == 0 {
		t.Errorf("%+v", got)
	}
	w.mustErase(ravi)
	w.wantsNothingOf([]string{ravi, "Ravi", "hello"})
	if got := w.events()[0]; got.Erasures != 2 || len(got.Payload) != 0 {
		t.Errorf("%+v", got)
	}
}

// An erased message that is posted again in another body is logged again, and removed from the log when it is
// processed.
func TestAnErasedMessageThatIsPostedAgainIsRemovedFromTheLog(t *testing.T) {
	w := newFixture(t)
	w.says(asha, "wamid.1", "SECRET", 9)
	w.mustErase(asha)
	err := w.post(wt.Messages(wt.List{wt.Contact(asha, "Asha"), wt.Contact(ravi, "Ravi")},
		wt.Text(asha, "wamid.1", "SECRET", ago(9)), wt.Text(ravi, "wamid.2", "hello", ago(8))))
	if err != nil {
		t.Fatal(err)
	}
	w.wantsNothingOf([]string{asha, "Asha", "SECRET"})
	if c := w.conversation(ravi); c.UnreadCount != 1 {
		t.Errorf("Ravi: %+v", c)
	}
}
