package teamwork_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	phone model.PhoneNumberID = "106540352242922"
	asha  model.CustomerID    = "919876543210"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func rooms(db *dynamo.Client) *messaging.Domain {
	return messaging.New(messaging.Config{DB: db, Now: func() time.Time { return noon }})
}

func start(t *testing.T) (*dynamotest.DB, *messaging.Domain) {
	t.Helper()
	db := dynamotest.Start(t, tables.Messages)
	return db, rooms(db.Client)
}

func customer(t *testing.T, d *messaging.Domain, of model.CustomerID) contacts.Customer {
	t.Helper()
	found, err := d.FindCustomer(t.Context(), phone, of)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func conversation(of model.CustomerID, change func(c *model.Conversation)) model.Conversation {
	c := model.Conversation{
		PK: keys.Conversation(phone, of).Partition, ItemType: model.ItemConversation, From: string(of)}
	change(&c)
	return c
}

// A note of a conversation that was merged into another one is a note of the customer.
func TestNotesFollowTheCustomerIntoTheOlderConversation(t *testing.T) {
	db, d := start(t)
	db.Seed(t, tables.Messages, conversation("IN.7", func(*model.Conversation) {}))
	if _, err := d.Teamwork.PutNote(t.Context(), customer(t, d, "IN.7"), "n1", teamwork.NoteFacts{Text: "one"},
		"meera"); err != nil {
		t.Fatal(err)
	}
	db.Seed(t, tables.Messages,
		conversation(asha, func(c *model.Conversation) {
			c.MergedFrom = []string{keys.Conversation(phone, "IN.7").Partition}
		}),
		conversation("IN.7", func(c *model.Conversation) { c.MergedInto = keys.Conversation(phone, asha).Partition }))
	of := customer(t, d, asha)
	changed, err := d.Teamwork.PutNote(t.Context(), of, "n1", teamwork.NoteFacts{Text: "two"}, "ravi")
	if err != nil || changed.Text != "two" || changed.WrittenBy != "meera" || changed.ChangedBy != "ravi" {
		t.Errorf("%+v, %v", changed, err)
	}
	all, err := d.Teamwork.Notes(t.Context(), of)
	if err != nil || len(all) != 1 || all[0].Text != "two" {
		t.Errorf("%+v, %v", all, err)
	}
	if err := d.Teamwork.EraseNotes(t.Context(), of, func(string, int) []dynamo.Write { return nil }); err != nil {
		t.Fatal(err)
	}
	if all, err := d.Teamwork.Notes(t.Context(), of); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// Who is named in a note learns of it, until they look. Who is named no more is left alone.
func TestANoteNamesColleagues(t *testing.T) {
	db, d := start(t)
	db.Seed(t, tables.Messages, conversation("IN.7", func(*model.Conversation) {}))
	of := customer(t, d, "IN.7")
	notes := func(id model.Name, mentions ...string) {
		t.Helper()
		if _, err := d.Teamwork.PutNote(t.Context(), of, id, teamwork.NoteFacts{Text: "look", Mentions: mentions},
			"meera"); err != nil {
			t.Fatal(err)
		}
	}
	named := func() string {
		t.Helper()
		text := ""
		for _, subject := range []model.Name{"asif", "ravi", "tara"} {
			all, err := d.Teamwork.Mentioning(t.Context(), phone, subject)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) > 0 {
				text += string(subject) + ":" + string(all[0]) + " "
			}
		}
		return strings.TrimSpace(text)
	}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { notes("n1", "asif", "ravi") }, "asif:IN.7 ravi:IN.7"},
		{func() { notes("n1", "asif", "ravi") }, "asif:IN.7 ravi:IN.7"},
		{func() { notes("n2", "ravi") }, "asif:IN.7 ravi:IN.7"},
		{func() { _ = d.Teamwork.Seen(t.Context(), of, "asif") }, "ravi:IN.7"},
		{func() { notes("n1", "asif", "tara") }, "ravi:IN.7 tara:IN.7"}, // n2 names ravi still
		{func() { _ = d.Teamwork.RemoveNote(t.Context(), of, "n2") }, "tara:IN.7"},
		{func() { notes("n3", "asif") }, "asif:IN.7 tara:IN.7"},
		{func() { // they turn out to be somebody whom the shop knows longer
			db.Seed(t, tables.Messages,
				conversation(asha, func(c *model.Conversation) {
					c.MergedFrom = []string{keys.Conversation(phone, "IN.7").Partition}
				}),
				conversation("IN.7", func(c *model.Conversation) {
					c.MergedInto = keys.Conversation(phone, asha).Partition
				}))
			of = customer(t, d, asha)
		}, "asif:IN.7 tara:IN.7"},
		{func() { _ = d.Teamwork.Seen(t.Context(), of, "asif") }, "tara:IN.7"},
	} {
		if step.do(); named() != step.want {
			t.Errorf("%q, want %q", named(), step.want)
		}
	}
	living, err := d.Living(t.Context(), phone, []model.CustomerID{"IN.7", "nobody", asha})
	if err != nil || len(living) != 1 || living[0].PK != keys.Conversation(phone, asha).Partition {
		t.Errorf("%+v, %v", living, err)
	}
	if err := d.Teamwork.EraseNotes(t.Context(), of, func(string, int) []dynamo.Write { return nil }); err != nil {
		t.Fatal(err)
	}
	if left := named(); left != "" {
		t.Errorf("an erasure leaves %s", left)
	}
}

// A conversation has one draft: who has not read the latest one changes nothing.
func TestColleaguesShareOneDraft(t *testing.T) {
	db, d := start(t)
	db.Seed(t, tables.Messages, conversation("IN.7", func(*model.Conversation) {}))
	of := customer(t, d, "IN.7")
	put := func(text, by string, version int64) (model.Draft, error) {
		return d.Teamwork.PutDraft(t.Context(), of, text, by, version)
	}
	first, err := put("Your rice", "meera", 0)
	if err != nil || first.Version == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := put("Your rice", "meera", 0); err != nil || again.Version != first.Version {
		t.Errorf("a repeated call: %+v, %v", again, err)
	}
	if _, err := put("Your tea", "ravi", 0); !errors.Is(err, teamwork.ErrStaleDraft) {
		t.Errorf("somebody who has not read it: %v", err)
	}
	second, err := put("Your rice is ready", "ravi", first.Version)
	if err != nil || second.Version <= first.Version {
		t.Errorf("%+v, %v", second, err)
	}
	if writes, err := d.Teamwork.Sent(t.Context(), of, first.Version); err != nil || len(writes) != 0 {
		t.Errorf("what ravi has gone on with is sent: %v, %v", writes, err)
	}
	// They turn out to be somebody whom the shop knows longer.
	db.Seed(t, tables.Messages,
		conversation(asha, func(c *model.Conversation) {
			c.MergedFrom = []string{keys.Conversation(phone, "IN.7").Partition}
		}),
		conversation("IN.7", func(c *model.Conversation) { c.MergedInto = keys.Conversation(phone, asha).Partition }))
	of = customer(t, d, asha)
	third, err := put("Your rice is ready!", "meera", second.Version)
	if stored, readErr := d.Teamwork.Draft(t.Context(), of); err != nil || readErr != nil ||
		stored.Text != third.Text || stored.PK != keys.Draft(phone, asha).Partition {
		t.Errorf("%+v, %v, %v", stored, err, readErr)
	}
	if err := d.Teamwork.RemoveDraft(t.Context(), of, second.Version); !errors.Is(err, teamwork.ErrStaleDraft) {
		t.Errorf("%v", err)
	}
	writes, err := d.Teamwork.Sent(t.Context(), of, third.Version)
	if err != nil || len(writes) != 1 {
		t.Fatalf("%v, %v", writes, err)
	}
	if err := db.Write(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	if _, err := put("late", "meera", third.Version); !errors.Is(err, teamwork.ErrStaleDraft) {
		t.Errorf("a draft that was sent: %v", err)
	}
	if _, err := put("Next", "meera", 0); err != nil {
		t.Error(err)
	}
	counted := 0
	if err := d.Teamwork.EraseDrafts(t.Context(), of, func(_ string, n int) []dynamo.Write {
		counted += n
		return nil
	}); err != nil || counted != 1 {
		t.Errorf("%d, %v", counted, err)
	}
	if _, err := d.Teamwork.Draft(t.Context(), of); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("an erasure leaves it: %v", err)
	}
}

// An erasure that runs at the same moment takes the conversation away. No note comes after it.
func TestNobodyNotesAnythingAboutAnErasedCustomer(t *testing.T) {
	db, d := start(t)
	db.Seed(t, tables.Messages, conversation(asha, func(*model.Conversation) {}))
	of := customer(t, d, asha)
	if err := db.Write(t.Context(), []dynamo.Write{
		dynamo.Delete{Table: tables.Messages, Key: keys.Conversation(phone, asha)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Teamwork.PutNote(t.Context(), of, "n1", teamwork.NoteFacts{Text: "late"}, "meera"); err == nil {
		t.Error("it is noted")
	}
	if all, err := d.Teamwork.Notes(t.Context(), of); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestNotesAndQuickRepliesAreBounded(t *testing.T) {
	db, d := start(t)
	db.Seed(t, tables.Messages, conversation(asha, func(*model.Conversation) {}))
	for i := range 200 {
		id := model.Name(fmt.Sprintf("n%03d", i))
		db.Seed(t, tables.Messages, model.Note{
			PK: keys.Note(phone, asha, id).Partition, ItemType: model.ItemNote, NoteID: id, Text: "x",
			ConversationPK: keys.NotesOf(phone, asha), ReceivedAt: model.At(noon), Version: 1})
	}
	of := customer(t, d, asha)
	if _, err := d.Teamwork.PutNote(t.Context(), of, "more", teamwork.NoteFacts{Text: "x"}, "meera"); !errors.Is(err,
		teamwork.ErrTooManyNotes) {
		t.Errorf("%v", err)
	}
	if _, err := d.Teamwork.PutNote(t.Context(), of, "n007", teamwork.NoteFacts{Text: "y"}, "meera"); err != nil {
		t.Errorf("one that is there: %v", err)
	}
}

func TestAQuickReplyIsFilled(t *testing.T) {
	values := map[string]string{"name": "Asha Rao", "agent": ""}
	for text, want := range map[string]struct {
		filled   string
		unfilled []string
	}{
		"Thank you!":                    {"Thank you!", nil},
		"Namaste {{name}}, {{ name }}!": {"Namaste Asha Rao, Asha Rao!", nil},
		"I am {{agent|your shop}}.":     {"I am your shop.", nil},
		"I am {{agent}}, {{order}}":     {"I am {{agent}}, {{order}}", []string{"agent", "order"}},
		"{{name|{{agent}}}} {name}":     {"{{name|{{agent}}}} {name}", []string{"agent"}},
	} {
		filled, unfilled := teamwork.Fill(text, values)
		if filled != want.filled || !reflect.DeepEqual(unfilled, want.unfilled) {
			t.Errorf("%q: %q %v", text, filled, unfilled)
		}
	}
}

// A filter replaces the one with its name, and everybody has their own.
func TestFiltersAreSavedByName(t *testing.T) {
	_, d := start(t)
	s, ctx := d.Teamwork, t.Context()
	put := func(subject, name model.Name, label string) error {
		return s.PutFilter(ctx, "demo", subject, model.SavedFilter{Name: name, Label: label})
	}
	for _, f := range [][3]string{
		{"a", "late", "late"}, {"a", "cash", "1"}, {"a", "cash", "cash"}, {"b", "vip", "vip"}} {
		if err := put(model.Name(f[0]), model.Name(f[1]), f[2]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RemoveFilter(ctx, "demo", "a", "vip"); err != nil {
		t.Errorf("one that is not there: %v", err)
	}
	all, err := s.Filters(ctx, "demo", "a")
	if want := []model.SavedFilter{{Name: "cash", Label: "cash"}, {Name: "late", Label: "late"}}; err != nil ||
		!reflect.DeepEqual(all, want) {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.RemoveFilter(ctx, "demo", "a", "cash"); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if err = put("a", model.Name(fmt.Sprint("f", i)), ""); err != nil {
			break
		}
	}
	if !errors.Is(err, teamwork.ErrTooManyFilters) {
		t.Errorf("51 filters: %v", err)
	}
	if others, err := s.Filters(ctx, "other", "a"); err != nil || len(others) != 0 {
		t.Errorf("of another tenant: %v, %v", others, err)
	}
}
