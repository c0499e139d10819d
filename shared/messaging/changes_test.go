package messaging_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// row is what a list shows of a conversation, as far as this test changes it.
type row struct {
	Unread, Notes                        int
	Archived                             bool
	Last, Preview, Assignee, NeedsPerson string
	State                                model.WorkState
}

// onlooker keeps a list by asking what has changed.
type onlooker struct {
	*fixture
	until model.Time
	rows  map[string]row
}

// look asks what has changed, or reads the list if it has to.
func (o *onlooker) look() {
	o.t.Helper()
	phones := []model.PhoneNumberID{wt.Phone}
	changes, err := o.ChangedSince(o.t.Context(), phones, o.until)
	if err != nil {
		o.t.Fatal(err)
	}
	if o.until == "" || changes.Anew {
		o.rows = o.list()
	}
	o.until = changes.Until
	for _, pk := range changes.Gone {
		delete(o.rows, pk)
	}
	for _, c := range changes.Conversations {
		o.rows[c.PK] = o.rowOf(c)
	}
}

// list returns what the lists show now.
func (o *onlooker) list() map[string]row {
	o.t.Helper()
	all := map[string]row{}
	for _, archived := range []bool{false, true} {
		rows, _, err := o.Conversations(o.t.Context(), []model.PhoneNumberID{wt.Phone},
			inbox.Filter{Archived: archived}, 100, inbox.Position{})
		if err != nil {
			o.t.Fatal(err)
		}
		for _, c := range rows {
			all[c.PK] = o.rowOf(c)
		}
	}
	return all
}

func (o *onlooker) rowOf(c model.Conversation) row {
	o.t.Helper()
	phone, customer, _ := keys.ConversationIDs(c.PK)
	of, err := o.FindCustomer(o.t.Context(), phone, customer)
	if err != nil {
		o.t.Fatal(err)
	}
	notes, err := o.Teamwork.Notes(o.t.Context(), of)
	if err != nil {
		o.t.Fatal(err)
	}
	return row{c.UnreadCount, len(notes), c.Archived, c.LastMessagePK, c.LastPreview, c.Assignee,
		string(c.NeedsPersonSince), c.State}
}

// A page that only asks what has changed shows the same as the lists, however seldom it asks: after messages that are
// on time or late, after edits, and after everything that people do.
func TestAPageThatAsksForChangesShowsWhatTheListsShow(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random, now := rand.New(rand.NewPCG(seed, 28)), noon
			db := dynamotest.Start(t, used...)
			w := fixtureOn(t, db)
			w.Domain = messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return now }})
			o := &onlooker{fixture: w}
			o.look()
			for step := range 60 {
				now = now.Add(time.Duration(random.IntN(30_000)) * time.Millisecond)
				o.happens(random, now, step)
				if random.IntN(4) > 0 {
					continue
				}
				if o.look(); cmp.Diff(o.list(), o.rows) != "" {
					t.Fatalf("step %d, the lists (-) and who asks (+):\n%s", step, cmp.Diff(o.list(), o.rows))
				}
			}
		})
	}
}

// happens has one thing happen to one of five customers.
func (o *onlooker) happens(random *rand.Rand, now time.Time, step int) {
	o.t.Helper()
	who := fmt.Sprintf("91987654321%d", random.IntN(5))
	customer, id := model.CustomerID(who), fmt.Sprintf("wamid.%s.%d", who, step)
	says := func() {
		late := time.Duration(random.IntN(4)*random.IntN(30)) * time.Second
		if err := o.post(wt.Messages(wt.List{wt.Contact(who, "Asha")},
			wt.Text(who, id, fmt.Sprint("text ", step), now.Add(-late)))); err != nil {
			o.t.Fatal(err)
		}
	}
	c, err := o.Domain.Conversation(o.t.Context(), wt.Phone, customer)
	if err != nil {
		says()
		return
	}
	switch random.IntN(9) {
	case 0, 1:
		says()
	case 2:
		last, _ := keys.MessageIDOf(c.LastMessagePK)
		edit := editOf(string(last), fmt.Sprint("edited ", step))
		err = o.post(wt.Messages(nil, wt.Message(who, id, "edit", now, edit)))
	case 3:
		err = o.MarkRead(o.t.Context(), "demo", wt.Phone, customer)
	case 4:
		err = o.MarkUnread(o.t.Context(), wt.Phone, customer)
	case 5:
		err = o.SetArchived(o.t.Context(), wt.Phone, customer, random.IntN(2) == 0)
	case 6:
		assignee, state := fmt.Sprint("person-", random.IntN(3)), model.WorkResolved
		err = o.SetWork(o.t.Context(), wt.Phone, customer, inbox.Work{Assignee: &assignee, State: &state})
	case 7:
		if err = o.NeedsPerson(o.t.Context(), wt.Phone, customer); random.IntN(2) == 0 {
			err = o.PersonDone(o.t.Context(), wt.Phone, customer)
		}
	case 8:
		of, found := o.FindCustomer(o.t.Context(), wt.Phone, customer)
		if found != nil {
			o.t.Fatal(found)
		}
		_, err = o.Teamwork.PutNote(o.t.Context(), of, model.Name(id), teamwork.NoteFacts{Text: "a note"}, "person-1")
	}
	if err != nil {
		o.t.Fatal(err)
	}
}
