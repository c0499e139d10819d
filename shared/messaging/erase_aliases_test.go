package messaging_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// alias reads the alias item of an identifier.
func (w *fixture) alias(id model.CustomerID) model.Alias {
	w.t.Helper()
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Alias(wt.Phone, id)}
	found, err := w.DB.BatchGet(w.t.Context(), []dynamo.Ref{ref})
	if err != nil {
		w.t.Fatal(err)
	}
	var alias model.Alias
	if err := dynamo.Unmarshal(ref.Found(found), &alias); err != nil {
		w.t.Fatal(err)
	}
	return alias
}

// A number passes from one person to another. Whichever of them is erased, the other keeps their conversation and their
// identifiers.
func TestOwnersOfOneNumberStayApartWhicheverOfThemIsErased(t *testing.T) {
	const number, after = asha, "917000000001"
	passed := func(w *fixture, known string) (stranger model.CustomerID) {
		w.shows(number, known, "wamid.1", 30)
		w.system("wamid.sys", 20, number, wt.Object{"type": "user_changed_number", "wa_id": after})
		w.shows(number, "", "wamid.2", 9) // the next owner, with the old number
		return w.inbox()[0]
	}
	person := func(w *fixture, stranger model.CustomerID) model.CustomerID {
		for _, id := range w.inbox() {
			if id != stranger {
				return id
			}
		}
		return ""
	}
	t.Run("the one who had it", func(t *testing.T) {
		w := newFixture(t)
		stranger := passed(w, "")
		before := w.conversation(stranger)
		done := w.mustErase(person(w, stranger))
		if diff := cmp.Diff(before, w.conversation(stranger)); diff != "" {
			t.Errorf("the stranger's conversation:\n%s", diff)
		}
		if a := w.alias(number); len(a.Owners) != 2 || a.Owners[0].CustomerID == number ||
			a.Owners[1].CustomerID != stranger {
			t.Errorf("the alias: %+v", a)
		}
		w.shows(number, "", "wamid.3", 5)
		if got := w.timeline(stranger); !slices.Equal(got, []model.MessageID{"wamid.3", "wamid.2"}) {
			t.Errorf("the stranger's timeline: %v", got)
		}
		if again := w.erase(number); !reflect.DeepEqual(again, done) {
			t.Errorf("the number's owner was erased by the same call: %+v", again)
		}
		if diff := cmp.Diff([]model.MessageID{"wamid.3", "wamid.2"}, w.timeline(stranger)); diff != "" {
			t.Errorf("the stranger's timeline:\n%s", diff)
		}
		w.shows(number, "", "wamid.late", 25) // from before, delivered late
		if got := w.timeline(stranger); len(got) != 2 {
			t.Errorf("the stranger's timeline: %v", got)
		}
		w.mustErase(stranger)
		if a := w.alias(number); a.PK != "" {
			t.Errorf("nobody needs the alias any more: %+v", a)
		}
	})
	t.Run("a number that is nobody's by itself", func(t *testing.T) {
		w := newFixture(t)
		w.shows("", "IN.7", "wamid.0", 40)
		stranger := passed(w, "IN.7")
		if _, err := w.Erase(t.Context(),
			erasure.Request{Tenant: "demo", Phone: wt.Phone, Customer: number}); !errors.Is(err,
			inbox.ErrNoConversation) {
			t.Errorf("it may mean either: %v", err)
		}
		w.mustErase("IN.7")
		if got := w.inbox(); !slices.Equal(got, []model.CustomerID{stranger}) {
			t.Errorf("inbox: %v", got)
		}
		w.wantsNothingOf([]string{"IN.7", after})
	})
	t.Run("the stranger", func(t *testing.T) {
		w := newFixture(t)
		stranger := passed(w, "")
		first := person(w, stranger)
		before := w.conversation(first)
		w.mustErase(stranger)
		if diff := cmp.Diff(before, w.conversation(first)); diff != "" {
			t.Errorf("the person's conversation:\n%s", diff)
		}
		w.shows(number, "", "wamid.3", 5) // the next owner again
		w.shows(after, "", "wamid.4", 4)
		if got := w.timeline(first); !slices.Equal(got, []model.MessageID{"wamid.4", "wamid.sys", "wamid.1"}) {
			t.Errorf("the person's timeline: %v", got)
		}
		w.mustErase(stranger)
		w.mustErase(first)
		if a := w.alias(number); a.PK != "" {
			t.Errorf("nobody needs the alias any more: %+v", a)
		}
		w.wantsNothingOf([]string{number, after})
	})
	t.Run("the one who had it, before the stranger wrote", func(t *testing.T) {
		w := newFixture(t)
		w.shows(number, "IN.7", "wamid.1", 30)
		w.system("wamid.sys", 20, number, wt.Object{"type": "user_changed_number", "wa_id": after})
		w.mustErase("IN.7")
		w.wantsNothingOf([]string{number, after, "IN.7"})
		w.anHourLater()
		w.shows(number, "", "wamid.2", -30)
		if got := w.inbox(); !slices.Equal(got, []model.CustomerID{number}) {
			t.Errorf("inbox: %v", got)
		}
	})
}

func TestACustomerWithMoreIdentifiersThanOneTransactionHoldsIsErased(t *testing.T) {
	w := newFixture(t)
	const names = 70
	for i := range names {
		w.shows(asha, fmt.Sprintf("IN.%03d", i), fmt.Sprint("wamid.", i), 100-i)
	}
	for i := range 3 { // and merged conversations
		w.shows("", fmt.Sprintf("IN.9%02d", i), fmt.Sprint("wamid.m", i), 20-i)
		w.shows(asha, fmt.Sprintf("IN.9%02d", i), fmt.Sprint("wamid.n", i), 10-i)
	}
	if c := w.conversation(asha); len(c.Aliases) != names+3 || len(c.MergedFrom) != 3 {
		t.Fatalf("%d aliases, %d merged", len(c.Aliases), len(c.MergedFrom))
	}
	done := w.mustErase("IN.042")
	if done.Counts["conversations"] != 4 || done.Counts["messages"] != names+6 {
		t.Errorf("%+v", done)
	}
	w.wantsNothingOf([]string{asha, "IN.", "Asha"})
	for _, id := range []model.CustomerID{"IN.001", "IN.902", asha} {
		if again := w.erase(id); !reflect.DeepEqual(again, done) {
			t.Errorf("by %s: %+v", id, again)
		}
	}
}

func TestErasingAGroupErasesAllOfItAndErasingAPersonKeepsTheirGroups(t *testing.T) {
	w := newFixture(t)
	group := wt.Object{"group_id": "GROUP-1", "text": wt.Object{"body": "hi all"}}
	w.says(asha, "wamid.0", "SECRET", 3)
	err := w.post(wt.Messages(wt.List{wt.Contact(asha, "Asha"), wt.Contact(ravi, "Ravi")},
		wt.Message(asha, "wamid.1", "text", ago(2), group), wt.Message(ravi, "wamid.2", "text", ago(1), group)))
	if err != nil {
		t.Fatal(err)
	}
	w.mustErase(asha)
	if got := w.timeline("GROUP-1"); len(got) != 2 {
		t.Errorf("the group: %v", got)
	}
	w.mustErase("GROUP-1")
	w.wantsNothingOf([]string{asha, ravi, "GROUP-1", "hi all"})
}

func TestAConversationNamesTheAliasesThatLeadToIt(t *testing.T) {
	w := newFixture(t)
	w.shows(asha, "IN.1", "wamid.1", 9)
	for range 2 {
		if err := w.ApplyNotice(t.Context(), wt.Phone,
			model.IdentityFact{
				At: w.now(), Gives: []model.CustomerID{"IN.1"}, Takes: []model.CustomerID{"IN.2"}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.conversation(asha).Aliases; !slices.Equal(got, []string{"IN.1", "IN.2"}) {
		t.Errorf("aliases: %v", got)
	}
	var group sync.WaitGroup // concurrent writers lose no alias
	for i := range 6 {
		group.Go(func() {
			taken := []model.CustomerID{model.CustomerID(fmt.Sprint("IN.x", i))}
			if err := w.ApplyNotice(t.Context(), wt.Phone,
				model.IdentityFact{At: w.now(), Takes: taken, Shows: []model.CustomerID{asha}}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := w.conversation(asha).Aliases; len(got) != 8 {
		t.Errorf("aliases: %v", got)
	}
}
