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
	"github.com/haatline/haatline/shared/tables"
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

// counts counts what the lists show, for one of the colleagues.
func (o *onlooker) counts(d *messaging.Domain) inbox.Counts {
	o.t.Helper()
	n, err := d.CountInbox(o.t.Context(), []model.PhoneNumberID{wt.Phone}, "person-1")
	if err != nil {
		o.t.Fatal(err)
	}
	return n
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
				anew := messaging.New(messaging.Config{DB: db.Client, Now: w.Now})
				if want, got := o.counts(anew), o.counts(w.Domain); cmp.Diff(want, got) != "" {
					t.Fatalf("step %d, counted anew (-) and by what has changed (+):\n%s", step, cmp.Diff(want, got))
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
		assignee := fmt.Sprint("person-", random.IntN(3))
		states := []model.WorkState{model.WorkOpen, model.WorkResolved, model.WorkWaiting, model.WorkSnoozed}
		work := inbox.Work{Assignee: &assignee, State: &states[random.IntN(len(states))], Labels: []string{assignee}}
		if *work.State == model.WorkSnoozed {
			work.SnoozedUntil = model.At(now.Add(time.Minute))
		}
		err = o.SetWork(o.t.Context(), wt.Phone, customer, work)
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

// A shop with six hundred conversations counts them for a few units, again and again, and a page of the list is cheap.
func TestCountingAndListingAreCheap(t *testing.T) {
	db := dynamotest.StartWhole(t, used...)
	for i := range 600 {
		customer := model.CustomerID(fmt.Sprintf("9198%08d", i))
		c := talking(wt.Phone, customer, ago(i))
		c.SenderName, c.LastPreview = "Asha Verma", "Please send two kilos of rice and the bill to the old address"
		c.Labels, c.Assignee = []string{"vip", "wholesale"}, "8a1c3f5e-7b2d-4c6a-9e0f-112233445566"
		db.Seed(t, tables.Messages, c)
	}
	client, meter := db.Metered(t)
	now := noon
	d := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return now }})
	phones := []model.PhoneNumberID{wt.Phone}
	count := func() float64 {
		meter.Reset()
		n, err := d.CountInbox(t.Context(), phones, "")
		if err != nil || n.All != 600 || !n.Complete {
			t.Fatalf("%+v, %v", n, err)
		}
		return dynamotest.Total(meter.Cost().Read)
	}
	first := count()
	now = now.Add(time.Minute)
	again := count()
	meter.Reset()
	if rows, _, err := d.Conversations(t.Context(), phones, inbox.Filter{}, 50, inbox.Position{}); len(rows) != 50 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	page := dynamotest.Total(meter.Cost().Read)
	t.Logf("counting: %v units in a new process, %v again; a page of 50: %v", first, again, page)
	if first > 40 || again > 10 || page > 60 {
		t.Errorf("counting: %v units in a new process, %v again; a page of 50: %v", first, again, page)
	}
}
