package library_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim/simulated"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/templates/library"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var (
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	used = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}
	of   = templates.Sync{Tenant: "demo", WABA: wt.WABA, Phone: wt.Phone}

	theNumber = model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA}
)

// meta has so many pages of two templates each, or refuses.
type meta struct {
	pages   int
	refuses error
	asked   messagingtest.Asked
}

func (m *meta) TemplateLibrary(_ context.Context, _ string, of whatsapp.LibrarySearch, after string) (
	whatsapp.LibraryPage, error) {
	m.asked.Add(of.Text + after)
	at, _ := strconv.Atoi(after)
	page := whatsapp.LibraryPage{}
	for i := range 2 {
		page.Entries = append(page.Entries, whatsapp.LibraryEntry{
			Name: fmt.Sprintf("t%d", 2*at+i), Language: "en_US", Samples: []string{"Asha"}, Types: []string{"TEXT"}})
	}
	if at+1 < m.pages {
		page.After = strconv.Itoa(at + 1)
	}
	return page, m.refuses
}

func roomsOn(client *dynamo.Client, now func() time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{DB: client, Now: now, NewToken: func() string { return "token" }})
}

// shop has an account.
type shop struct {
	*testing.T
	db    *dynamotest.DB
	rooms *messaging.Domain
	now   time.Time
}

func newShop(t *testing.T) *shop {
	s := &shop{T: t, db: dynamotest.Start(t, used...), now: noon}
	s.rooms = roomsOn(s.db.Client, func() time.Time { return s.now })
	s.db.Seed(t, tables.Messages, theNumber)
	return s
}

// asks searches, and has Meta asked in so many attempts.
func (s *shop) asks(at *meta, f model.LibraryFilters, attempts int) {
	s.Helper()
	is, err := s.rooms.Library.Search(s.Context(), of, f, "user-1")
	if err != nil {
		s.Fatal(err)
	}
	s.tries(at, is, attempts)
}

// tries has Meta asked for a search.
func (s *shop) tries(at *meta, is model.LibrarySearch, attempts int) {
	s.Helper()
	event, err := s.rooms.Outbox().Get(s.Context(), keys.OutboxEventID(keys.InLane(keys.LaneSlow,
		keys.OutboxSequenceID(keys.OutboxEntityKey("demo", keys.EntityLibrary, wt.WABA))), 1))
	if err != nil {
		s.Fatal(err)
	}
	payload := strings.Replace(string(event.Payload), string(model.At(noon)), string(is.At), 1)
	for range attempts {
		_, err := s.rooms.Library.Handler(at, sending.AsFailure).Send(s.Context(), model.OutboxEvent{
			EcosystemID: "demo", Payload: []byte(payload)})
		var later *outbox.Later
		if err != nil && !errors.As(err, &later) {
			s.Fatal(err)
		}
	}
}

// found are the names of all templates that a search has found, read in pages.
func (s *shop) found(f model.LibraryFilters, limit int) (is model.LibrarySearch, names []string) {
	s.Helper()
	after := ""
	for {
		is, page, next, err := s.rooms.Library.Found(s.Context(), wt.WABA, f, limit, after)
		if err != nil || len(page) > limit {
			s.Fatal(len(page), err)
		}
		for _, e := range page {
			names = append(names, e.Name)
		}
		if after = next; next == "" {
			return is, names
		}
	}
}

func TestASearchIsReadToItsEndAndListedInPagesOfAnySize(t *testing.T) {
	s, at, f := newShop(t), &meta{pages: 7}, model.LibraryFilters{Text: "bill"}
	s.asks(at, f, 1)
	if is, names := s.found(f, 4); is.AnsweredAt != "" || len(names) != 10 {
		t.Errorf("while it is read: %+v %v", is, names)
	}
	s.asks(at, f, 1) // the search is under way, and goes on
	for _, limit := range []int{1, 3, 4, 14, 100} {
		is, names := s.found(f, limit)
		if is.AnsweredAt == "" || is.Count != 14 || is.More || len(names) != 14 || names[0] != "t0" ||
			names[13] != "t13" {
			t.Errorf("by %d: %+v %v", limit, is, names)
		}
	}
	if len(at.asked.All()) != 7 || at.asked.All()[6] != "bill6" {
		t.Error(at.asked.All())
	}
	if _, _, _, err := s.rooms.Library.Found(t.Context(), wt.WABA, model.LibraryFilters{Topic: "bill"}, 5,
		""); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error("another search has found something:", err)
	}
	s.now = s.now.Add(library.Lifetime)
	if _, _, _, err := s.rooms.Library.Found(t.Context(), wt.WABA, f, 5, ""); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error("after a day:", err)
	}
}

func TestALibraryThatIsLargerThanIsKeptSaysSo(t *testing.T) {
	s, at, f := newShop(t), &meta{pages: 100}, model.LibraryFilters{}
	s.asks(at, f, 9)
	if is, names := s.found(f, 100); is.AnsweredAt == "" || !is.More || len(names) != 40 || len(at.asked.All()) != 20 {
		t.Errorf("%+v, %d templates, %d requests", is, len(names), len(at.asked.All()))
	}
}

func TestARefusalIsKeptAndTheSearchMayBeRepeated(t *testing.T) {
	s, f := newShop(t), model.LibraryFilters{Topic: "NONE"}
	at := &meta{pages: 1, refuses: &whatsapp.SendError{
		Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 100, Message: "Invalid topic"}}}
	s.asks(at, f, 1)
	if is, names := s.found(f, 5); is.AnsweredAt == "" || !strings.Contains(is.Problem, "Invalid topic") ||
		len(names) > 0 {
		t.Errorf("%+v %v", is, names)
	}
	s.now = s.now.Add(time.Minute)
	at.refuses = nil
	s.asks(at, f, 1)
	if is, names := s.found(f, 5); is.Problem != "" || is.AnsweredAt == "" || len(names) != 2 {
		t.Errorf("%+v %v", is, names)
	}
}

func TestMetaIsNotAskedWithTheTokenOfAnotherTenant(t *testing.T) {
	s, at, f := newShop(t), &meta{pages: 1}, model.LibraryFilters{}
	is, err := s.rooms.Library.Search(t.Context(), of, f, "user-1")
	if err != nil {
		t.Fatal(err)
	}
	moved := theNumber
	moved.TenantID = "other"
	s.db.Seed(t, tables.Messages, moved)
	s.tries(at, is, 1)
	if is, _ := s.found(f, 5); is.Problem != asking.ProblemMoved || len(at.asked.All()) > 0 {
		t.Errorf("%+v %v", is, at.asked.All())
	}
}

func TestASearchSurvivesEveryCrashPoint(t *testing.T) {
	key := keys.LibrarySearch(wt.WABA, "9F86")
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			db.Seed(t, tables.Messages, theNumber, model.LibrarySearch{
				PK: key.Partition, ItemType: model.ItemLibrarySearch, At: model.At(noon), TTL: noon.Unix() + 1,
				Version: 1})
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := roomsOn(client, func() time.Time { return noon })
			_, err := rooms.Library.Handler(&meta{pages: 3}, sending.AsFailure).Send(ctx, model.OutboxEvent{
				EcosystemID: "demo", Payload: []byte(`{"wabaId":"` + wt.WABA + `","search":"9F86","phoneNumberId":"` +
					wt.Phone + `","askedAt":"` + string(model.At(noon)) + `"}`)})
			return err
		},
	})
	t.Logf("%d crash points", points)
}

// The simulated WhatsApp is asked over HTTP.
func TestTheLibraryIsAskedAsMetaDocumentsIt(t *testing.T) {
	sim := simulated.Start(t, noon)
	for name, c := range map[string]struct {
		search whatsapp.LibrarySearch
		want   string
	}{
		"all":            {whatsapp.LibrarySearch{}, "delivery_update_sample payment_reminder_sample"},
		"by a word":      {whatsapp.LibrarySearch{Text: "due on"}, "payment_reminder_sample"},
		"by topic":       {whatsapp.LibrarySearch{Topic: "ORDER_MANAGEMENT"}, "delivery_update_sample"},
		"by use case":    {whatsapp.LibrarySearch{UseCase: "DELIVERY_UPDATE"}, "delivery_update_sample"},
		"by industry":    {whatsapp.LibrarySearch{Industry: "E_COMMERCE"}, "delivery_update_sample"},
		"by language":    {whatsapp.LibrarySearch{Language: "hi"}, ""},
		"by two of them": {whatsapp.LibrarySearch{Topic: "PAYMENTS", Industry: "E_COMMERCE"}, ""},
	} {
		page, err := sim.Graph.TemplateLibrary(t.Context(), c.search, "")
		var names []string
		for _, e := range page.Entries {
			names = append(names, e.Name)
			if e.Body == "" || len(e.Samples) != len(e.Types) || e.Language != "en_US" || len(e.Industries) != 1 {
				t.Errorf("%+v", e)
			}
		}
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}
