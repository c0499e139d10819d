package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// spellings are things that people write of, each in some spellings of its word. None begins another.
var spellings = [][]string{
	{"cheeni", "chini", "चीनी", "CHEENI"}, {"chawal", "चावल", "chaawal"}, {"namak", "नमक", "Namak"},
	{"அரிசி"}, {"soap", "Soap"}, {"ghee", "घी", "ghi"}, {"tomorrow"}, {"ভাত"},
}

// small are sizes with which segments are written, filled and split often.
var small = search.Sizes{Least: 3, Most: 5, Segment: 400}

// shop is a number whose messages are searched, with a clock.
type shop struct {
	*fixture
	now    time.Time
	random *rand.Rand
}

func newShop(t *testing.T, seed uint64) *shop {
	s := &shop{fixture: fixtureOn(t, dynamotest.Start(t, used...)), now: noon, random: rand.New(rand.NewPCG(seed, 28))}
	s.Domain = s.rooms(s.db.Client)
	return s
}

// rooms are those of a process.
func (s *shop) rooms(client *dynamo.Client) *messaging.Domain {
	d := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return s.now }})
	d.Search.Sizes = small
	return d
}

// text returns a text about some things, in any spelling.
func (s *shop) text() string {
	var words []string
	for range 1 + s.random.IntN(3) {
		of := spellings[s.random.IntN(len(spellings))]
		words = append(words, of[s.random.IntN(len(of))])
	}
	return strings.Join(words, []string{" ", ", ", "! "}[s.random.IntN(3)])
}

// happens has one thing happen.
func (s *shop) happens(step int) {
	s.t.Helper()
	who := fmt.Sprintf("91987654321%d", s.random.IntN(5))
	customer, id := model.CustomerID(who), fmt.Sprintf("wamid.%s.%d", who, step)
	late := time.Duration(s.random.IntN(3)*s.random.IntN(3)) * time.Duration(s.random.IntN(2000)) * time.Minute
	says := func(contact wt.Object) {
		m := wt.Text(who, id, s.text(), s.now.Add(-late))
		if userID, is := contact["user_id"]; is {
			m["from_user_id"] = userID
		}
		s.must(s.post(wt.Messages(wt.List{contact}, m)))
	}
	of, err := s.FindCustomer(s.t.Context(), wt.Phone, customer)
	s.must(err)
	if !of.HasConversation() {
		says(wt.Contact(who, s.text()))
		return
	}
	switch s.random.IntN(12) {
	case 0, 1, 2:
		says(wt.Contact(who, s.text()))
	case 3: // a conversation without a number, and then the person's number
		contact := wt.Contact(who, s.text())
		contact["user_id"] = "IN.7" + who[len(who)-1:]
		if s.random.IntN(2) == 0 {
			delete(contact, "wa_id")
			m := wt.Text("", id, s.text(), s.now.Add(-late))
			delete(m, "from")
			m["from_user_id"] = contact["user_id"]
			s.must(s.post(wt.Messages(wt.List{contact}, m)))
			return
		}
		says(contact)
	case 4:
		if m, some := s.some(); some {
			_ = s.post(wt.Messages(nil, wt.Message(m.From, id, "edit", s.now, wt.Object{"edit": wt.Object{
				"original_message_id": strings.TrimPrefix(m.PK, "MSG#"),
				"message":             wt.Object{"type": "text", "text": wt.Object{"body": s.text()}},
			}})))
		}
	case 5:
		if m, some := s.some(); some {
			_ = s.post(wt.Messages(nil, wt.Message(m.From, id, "revoke", s.now, wt.Object{"revoke": wt.Object{
				"original_message_id": strings.TrimPrefix(m.PK, "MSG#")}})))
		}
	case 6:
		_, err := s.Teamwork.PutNote(s.t.Context(), of, model.Name(fmt.Sprint("n", s.random.IntN(3))),
			teamwork.NoteFacts{Text: s.text()}, "meera")
		s.must(err)
	case 7:
		s.must(s.Teamwork.RemoveNote(s.t.Context(), of, model.Name(fmt.Sprint("n", s.random.IntN(3)))))
	case 8:
		labels := []string{strings.Fields(s.text())[0]}
		s.must(s.SetWork(s.t.Context(), wt.Phone, customer, inbox.Work{Labels: labels}))
	case 9: // another person has the number now
		s.must(s.post(wt.Messages(nil, wt.Message(who, id, "system", s.now, wt.Object{"system": wt.Object{
			"type": "user_changed_number", "wa_id": fmt.Sprintf("91987654321%d", s.random.IntN(5)),
			"body": "changed"}}))))
	case 10:
		if s.random.IntN(3) == 0 {
			s.erases(customer)
		}
	case 11:
		s.now = s.now.Add(time.Duration(s.random.IntN(20*24)) * time.Hour)
	}
}

func (s *shop) must(err error) {
	s.t.Helper()
	if err != nil && !dynamo.Permanent(err) {
		s.t.Fatal(err)
	}
}

// some returns some message that came in.
func (s *shop) some() (model.Message, bool) {
	var all []model.Message
	for _, item := range s.db.Items(s.t, tables.Messages) {
		var m model.Message
		if dynamo.Text(item, "itemType") == model.ItemMessage && dynamo.Unmarshal(item, &m) == nil &&
			m.Direction == model.Inbound && m.From != "" {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return model.Message{}, false
	}
	slices.SortFunc(all, func(a, b model.Message) int { return strings.Compare(a.PK, b.PK) })
	return all[s.random.IntN(len(all))], true
}

// erases erases a customer, and finds nothing of them in what search keeps.
func (s *shop) erases(customer model.CustomerID) {
	s.t.Helper()
	of, err := s.FindCustomer(s.t.Context(), wt.Phone, customer)
	s.must(err)
	s.mustErase(customer)
	for _, word := range s.indexed() {
		for _, key := range of.Keys() {
			if word.Customer == string(key) && !s.stands(word) {
				s.t.Fatalf("%s is erased, and search keeps %+v", customer, word)
			}
		}
	}
}

// stands reports whether what search keeps leads to a message that has moved to somebody else.
func (s *shop) stands(e search.Indexed) bool {
	var m model.Message
	err := s.DB.Get(s.t.Context(), tables.Messages, keys.Message(model.MessageID(e.ID)), &m)
	return err == nil && m.ConversationPK != "" && !strings.HasSuffix(m.ConversationPK, "#"+e.Customer)
}

func (s *shop) indexed() []search.Indexed {
	s.t.Helper()
	all, err := search.Entries(s.t.Context(), s.rooms(s.db.Client).Search, wt.Phone)
	s.must(err)
	return all
}

// stored returns what the tables have that says a thing, as search names it.
func (s *shop) stored(thing []string) (found []string) {
	s.t.Helper()
	items := map[string]dynamo.Item{}
	for _, item := range s.db.Items(s.t, tables.Messages) {
		items[dynamo.Text(item, keys.PK)] = item
	}
	says := func(texts ...string) bool {
		for _, text := range texts {
			for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(` ,!"{}`, r) }) {
				if slices.ContainsFunc(thing, func(t string) bool { return strings.EqualFold(t, word) }) {
					return true
				}
			}
		}
		return false
	}
	for pk, item := range items {
		switch dynamo.Text(item, "itemType") {
		case model.ItemMessage:
			var m model.Message
			s.must(dynamo.Unmarshal(item, &m))
			if m.InboxPK != "" && m.RevokedAt == "" && items[m.ConversationPK] != nil &&
				m.ReceivedAt >= model.At(s.now.Add(-search.Kept)) && says(m.TextBody, m.Caption, string(m.Content)) {
				found = append(found, pk)
			}
		case model.ItemNote:
			var n model.Note
			s.must(dynamo.Unmarshal(item, &n))
			if says(n.Text) {
				found = append(found, pk)
			}
		case model.ItemConversation:
			var c model.Conversation
			s.must(dynamo.Unmarshal(item, &c))
			if c.InboxPK != "" && says(append(slices.Clone(c.Labels), c.SenderName)...) {
				found = append(found, pk)
			}
		}
	}
	slices.Sort(found)
	return found
}

// found returns what rooms find by a text, page by page.
func found(t *testing.T, d *messaging.Domain, text string, limit int, phones ...model.PhoneNumberID) (all []string) {
	t.Helper()
	q, err := search.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	ask := search.Ask{Query: q, Phones: phones, Limit: limit}
	for page := 0; ; page++ {
		results, err := d.Search.Find(t.Context(), ask)
		if err != nil || !results.Complete || page > 1000 {
			t.Fatalf("page %d: %v, complete %v", page, err, results.Complete)
		}
		for _, r := range results.Items {
			switch r.Kind {
			case search.Messages:
				all = append(all, r.Message.PK)
			case search.Notes:
				all = append(all, r.Note.PK)
			case search.Conversations:
				all = append(all, r.Conversation.PK)
			}
		}
		if ask.After = results.Next; ask.After == (search.Position{}) {
			return all
		}
	}
}

// After whatever has happened to customers, and wherever runs that gather words have died, a search finds what a scan
// of the tables finds: in a process that has searched before, and in a new one.
func TestASearchFindsWhatTheTablesHold(t *testing.T) {
	gathered := 0
	for seed := range uint64(16) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newShop(t, seed)
			for step := range 90 {
				s.now = s.now.Add(time.Duration(s.random.IntN(200)) * time.Second)
				s.happens(step)
				switch s.random.IntN(6) {
				case 0:
					if err := s.Search.Gather(t.Context(), wt.Phone); err != nil {
						t.Fatal(err)
					}
				case 1:
					dying := s.rooms(s.db.Failing(1 + s.random.IntN(12)))
					_ = dying.Search.Gather(t.Context(), wt.Phone)
				}
				if s.random.IntN(3) > 0 {
					continue
				}
				thing := spellings[s.random.IntN(len(spellings))]
				query := thing[s.random.IntN(len(thing))]
				want := s.stored(thing)
				for name, d := range map[string]*messaging.Domain{"warm": s.Domain, "new": s.rooms(s.db.Client)} {
					got := found(t, d, query, 1+s.random.IntN(4), wt.Phone)
					if slices.Sort(got); !cmp.Equal(want, got) {
						t.Fatalf("step %d, %s: what %q finds in the tables (-) and by search (+):\n%s", step, name,
							query, cmp.Diff(want, got))
					}
				}
			}
			gathered += len(s.indexed())
		})
	}
	if gathered < 100 {
		t.Errorf("only %d things were gathered", gathered)
	}
}

func TestGatheringSurvivesEveryCrashPoint(t *testing.T) {
	gathered := 0
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages, someAccount()...)
			for i := range 9 {
				db.Seed(t, tables.Messages, said(wt.Phone, asha, fmt.Sprintf("wamid.%d", i), "2 kg cheeni", ago(60-i)))
			}
			db.Seed(t, tables.Messages, talking(wt.Phone, asha, ago(50)))
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			d := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon }})
			d.Search.Sizes = small
			err := d.Search.GatherAll(ctx)
			if all, read := search.Entries(ctx, d.Search, wt.Phone); err == nil && read == nil {
				gathered = max(gathered, len(all))
			}
			return err
		},
	})
	if t.Logf("%d crash points", points); gathered < 9 {
		t.Errorf("%d things were gathered", gathered)
	}
}

// someAccount is an account that WhatsApp has told of, with a number of a tenant.
func someAccount() []any {
	return []any{
		model.WebhookSource{PK: keys.WebhookSource(wt.WABA, "message").Partition, ItemType: model.ItemWebhookSource,
			WebhookEventType: keys.WebhookSources, ReceivedAt: model.At(noon), SweptTo: model.At(noon)},
		model.Phone{PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone,
			TenantID: "demo", WABAMetaID: wt.WABA},
	}
}

// An item that this release cannot read, such as one of a later release, is not found. All others of its number are.
func TestAnUnreadableMessageHoldsUpNoOther(t *testing.T) {
	s := newShop(t, 1)
	s.db.Seed(t, tables.Messages, talking(wt.Phone, asha, ago(50)))
	for i := range 9 {
		s.db.Seed(t, tables.Messages, said(wt.Phone, asha, fmt.Sprintf("wamid.%d", i), "2 kg cheeni", ago(60-i)))
	}
	m := said(wt.Phone, asha, "wamid.later", "3 kg cheeni", ago(30))
	item, err := dynamo.Marshal(m)
	s.must(err)
	item["arrival"] = dynamo.S("in another form")
	s.must(s.db.Put(t.Context(), dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}))
	for _, gathers := range []bool{false, true} {
		if gathers {
			s.must(s.Search.Gather(t.Context(), wt.Phone))
			if n := len(s.indexed()); n < 9 {
				t.Errorf("%d things are in segments", n)
			}
		}
		query, err := search.Parse("cheeni")
		s.must(err)
		found, err := s.Search.Find(t.Context(), search.Ask{
			Query: query, Phones: []model.PhoneNumberID{wt.Phone}, Kind: search.Messages, Limit: 20})
		if err != nil || len(found.Items) != 9 {
			t.Errorf("gathered %v: %d are found, %v", gathers, len(found.Items), err)
		}
	}
}

// A word that is in more messages than a page looks at leads to each of them once, page by page, the newest first.
func TestAWordOfManyMessagesFindsEachOfThem(t *testing.T) {
	db := dynamotest.Start(t, dynamotest.Indexed(tables.Messages, tables.IndexInbox, tables.IndexChanges))
	d := messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return noon }})
	d.Search.Sizes = search.Sizes{Least: 1, Most: 100, Segment: 4000}
	things := []any{talking(wt.Phone, "919876543210", noon.Add(-time.Hour))}
	want := make([]string, 1500)
	for i := range want {
		id := fmt.Sprintf("wamid.%04d", i)
		minutes := i/5*5 + i*7%5
		at := noon.Add(-time.Hour - time.Duration(minutes)*time.Minute)
		things = append(things, said(wt.Phone, "919876543210", id, "basmati", at))
		want[minutes] = "MSG#" + id
	}
	db.Seed(t, tables.Messages, things...)
	if err := d.Search.Gather(t.Context(), wt.Phone); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{7, 100} {
		if diff := cmp.Diff(want, found(t, d, "basmati", limit, wt.Phone)); diff != "" {
			t.Errorf("by %d: %s", limit, diff)
		}
	}
}

func said(phone model.PhoneNumberID, customer model.CustomerID, id, text string, at time.Time) model.Message {
	return model.Message{
		PK: keys.Message(model.MessageID(id)).Partition, ItemType: model.ItemMessage, Direction: model.Inbound,
		ReceivedAt: model.At(at), ConversationPK: keys.Conversation(phone, customer).Partition,
		InboxPK: keys.InboxMessages(phone), Type: "text", TextBody: text, From: string(customer)}
}

func talking(phone model.PhoneNumberID, customer model.CustomerID, at time.Time) model.Conversation {
	return model.Conversation{
		PK: keys.Conversation(phone, customer).Partition, ItemType: model.ItemConversation, From: string(customer),
		SenderName: "Asha Rao", InboxPK: keys.InboxConversations(phone), ReceivedAt: model.At(at)}
}

// A run that has read a customer's messages before they are erased puts no word of them back, whenever it commits.
func TestARunThatGathersDuringAnErasurePutsNothingBack(t *testing.T) {
	for at := 1; ; at++ {
		s := newShop(t, 1)
		s.now = noon.Add(time.Hour)
		s.db.Seed(t, tables.Messages, someAccount()...)
		for i := range 5 {
			s.says(asha, fmt.Sprintf("wamid.%d", i), "SECRET cheeni", 20-i)
		}
		reached := false
		client := s.db.Interrupted(at, func() {
			reached = true
			s.mustErase(asha)
		})
		err := s.rooms(client).Search.Gather(t.Context(), wt.Phone)
		if err != nil && !errors.Is(err, dynamo.ErrConflict) {
			t.Fatal(err)
		}
		if !reached {
			if at < 5 {
				t.Errorf("only %d calls", at)
			}
			return
		}
		if kept := s.indexed(); len(kept) > 0 {
			t.Fatalf("call %d: %+v", at, kept)
		}
	}
}

// A business finds nothing of another one, and nothing of a number that it does not ask about.
func TestASearchStaysWithItsNumbers(t *testing.T) {
	const other model.PhoneNumberID = "777"
	w := newFixture(t)
	w.db.Seed(t, tables.Messages, someAccount()...)
	for i, phone := range []model.PhoneNumberID{wt.Phone, other} {
		w.db.Seed(t, tables.Messages, talking(phone, asha, ago(9)),
			said(phone, asha, fmt.Sprint("wamid.", i), "rice", ago(9)))
	}
	w.Search.Sizes = small
	for range 2 {
		for i, phone := range []model.PhoneNumberID{wt.Phone, other} {
			want := []string{keys.Conversation(phone, asha).Partition}
			if got := found(t, w.Domain, asha, 5, phone); !cmp.Equal(want, got) {
				t.Errorf("%s: %v", phone, got)
			}
			if got := found(t, w.Domain, "rice", 5, phone); !cmp.Equal([]string{fmt.Sprint("MSG#wamid.", i)}, got) {
				t.Errorf("%s: %v", phone, got)
			}
			w.must(w.Search.Gather(t.Context(), phone))
		}
	}
	if got := found(t, w.Domain, "rice", 5, wt.Phone, other); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

func (w *fixture) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// A message that tells somebody else of an erased customer is found by its old words no more.
func TestWhatWasToldOfAnErasedCustomerIsNotFound(t *testing.T) {
	s := newShop(t, 1)
	s.db.Seed(t, tables.Messages, someAccount()...)
	s.db.Seed(t, tables.Messages, talking(wt.Phone, asha, ago(9)), talking(wt.Phone, ravi, ago(9)))
	for i := range 4 {
		m := said(wt.Phone, ravi, fmt.Sprint("wamid.", i), fmt.Sprint("SECRET of asha ", i), ago(20-i))
		m.Direction, m.About = model.Outbound, []model.CustomerID{asha}
		s.db.Seed(t, tables.Messages, m, model.About{
			PK: keys.About(model.MessageID(fmt.Sprint("wamid.", i)), asha).Partition, ItemType: model.ItemAbout,
			FromPK: keys.ToldOf("demo", asha), ReceivedAt: model.At(noon),
			Messages: []model.MessageID{model.MessageID(fmt.Sprint("wamid.", i))}})
	}
	s.must(s.Search.Gather(t.Context(), wt.Phone))
	if got := found(t, s.Domain, "secret", 9, wt.Phone); len(got) != 4 || len(s.indexed()) < 6 {
		t.Fatalf("%v, %+v", got, s.indexed())
	}
	s.mustErase(asha)
	for _, e := range s.indexed() {
		if strings.Contains(e.Words, "secret") || e.Customer == asha {
			t.Errorf("kept %+v", e)
		}
	}
}

// An erasure that dies anywhere and is repeated leaves no word of the customer, and all words of others.
func TestAnErasureOfWordsSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages, someAccount()...)
			db.Seed(t, tables.Messages, talking(wt.Phone, asha, ago(50)), talking(wt.Phone, ravi, ago(50)))
			for i := range 6 {
				db.Seed(t, tables.Messages,
					said(wt.Phone, []model.CustomerID{asha, ravi}[i%2], fmt.Sprint("wamid.", i), "cheeni", ago(60-i)))
			}
			d := messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return noon }})
			d.Search.Sizes = small
			if err := d.Search.Gather(t.Context(), wt.Phone); err != nil {
				t.Fatal(err)
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			d := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon },
				NewID: func() string { return "audit-1" }})
			d.Search.Sizes = small
			_, err := d.Erase(ctx, erasure.Request{Tenant: "demo", Phone: wt.Phone, Customer: asha,
				By: audit.Actor{Subject: "user-1", RequestID: "r1"}, Reason: "asked for it"})
			if err != nil {
				return err
			}
			left, err := search.Entries(ctx, d.Search, wt.Phone)
			if len(left) != 3 || slices.ContainsFunc(left, func(e search.Indexed) bool { return e.Customer == asha }) {
				return fmt.Errorf("left %+v, %v", left, err)
			}
			return err
		},
	})
	t.Logf("%d crash points", points)
}
