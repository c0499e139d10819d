package answers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/answers"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// shown returns the addresses of a customer by their ids; the default one with a star.
func shown(t *testing.T, s *answers.Answers, of contacts.Customer) map[string]string {
	t.Helper()
	all, err := s.Addresses(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, a := range all {
		found[a.AddressID] = a.Address + map[bool]string{true: "*"}[a.IsDefault]
	}
	return found
}

func TestOneAddressOfACustomerIsTheDefault(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	now := noon
	s := &answers.Answers{DB: db.Client, Now: func() time.Time { return now }}
	them := contacts.KnownByKey(wt.Phone, asha)
	put := func(id model.Name, text string) {
		t.Helper()
		a, err := s.PutAddress(t.Context(), them, id, answers.Place{Address: text, City: "Pune"})
		if err != nil || a.Address != text || a.CustomerPhone != asha {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	put("home", "12 MG Road")
	put("shop", "3 Station Road")
	if _, err := s.Default(t.Context(), them); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("no default: %v", err)
	}
	for _, id := range []model.Name{"home", "shop", "shop", "home"} {
		now = now.Add(time.Second)
		if _, err := s.MakeDefault(t.Context(), them, id); err != nil {
			t.Fatal(err)
		}
		if a, err := s.Default(t.Context(), them); err != nil || a.AddressID != string(id) {
			t.Errorf("%s: %+v, %v", id, a, err)
		}
	}
	put("home", "14 MG Road") // it stays the default
	if got := fmt.Sprint(shown(t, s, them)); got != "map[home:14 MG Road* shop:3 Station Road]" {
		t.Error(got)
	}
	for range 2 {
		if err := s.RemoveAddress(t.Context(), them, "home"); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(shown(t, s, them)); got != "map[shop:3 Station Road]" {
		t.Error(got)
	}
	other := contacts.KnownByKey("700000000000001", asha)
	_, err := s.MakeDefault(t.Context(), other, "shop")
	gone := s.RemoveAddress(t.Context(), other, "shop")
	if got := fmt.Sprint(shown(t, s, them)); !errors.Is(err, dynamo.ErrNotFound) || gone != nil || got == "map[]" {
		t.Errorf("an address of another number: %v, %v, %s", err, gone, got)
	}
	for i := range 49 {
		put(model.Name(fmt.Sprintf("more-%d", i)), "somewhere")
	}
	if _, err := s.PutAddress(t.Context(), them, "one-more", answers.Place{}); !errors.Is(err, answers.ErrTooMany) {
		t.Errorf("one more: %v", err)
	}
}

// A person who gets somebody else's number does not get their addresses.
func TestAnAddressStaysWithThePersonWhenTheNumberPassesOn(t *testing.T) {
	const next = "919876543299"
	db := dynamotest.Start(t, tables.Messages, tables.Outbox, tables.OutboxSequences)
	now := noon
	d := messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return now }})
	receives := func(id, from, kind string, content wt.Object) {
		t.Helper()
		now = now.Add(time.Hour)
		event := model.WebhookEvent{
			EventID: model.EventID(id), EventType: "message", PhoneNumberID: wt.Phone, ReceivedAt: model.At(now),
			Payload: wt.Encode(wt.Messages(nil, wt.Message(from, "wamid."+id, kind, now, content))["value"])}
		if err := d.MessageReader(d.Subscriptions()...).Apply(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	lives := func(id, where string) {
		t.Helper()
		receives(id, asha, "interactive", wt.Object{"interactive": wt.Object{
			"type": "nfm_reply", "nfm_reply": wt.Object{"name": "address_message",
				"response_json": `{"values":{"address":"` + where + `","default":"true"}}`}}})
	}
	sees := func(number model.CustomerID) (of contacts.Customer, all string) {
		t.Helper()
		key, err := d.Named(t.Context(), []model.PhoneNumberID{wt.Phone}, "", "+"+string(number))
		if err == nil {
			of, err = d.FindCustomer(t.Context(), wt.Phone, key)
		}
		if err != nil {
			t.Fatal(err)
		}
		return of, fmt.Sprint(shown(t, d.Answers, of))
	}
	lives("1", "hers")
	receives("2", asha, "system", wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": next}})
	lives("3", "theirs")
	if _, all := sees(next); all != "map[wamid.1:hers*]" {
		t.Errorf("who had the number sees %s", all)
	}
	of, all := sees(asha)
	if _, err := d.Answers.MakeDefault(t.Context(), of, "wamid.1"); all != "map[wamid.3:theirs*]" ||
		!errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("who has it now sees %s, %v", all, err)
	}
}

func TestMakingAnAddressTheDefaultSurvivesEveryCrashPoint(t *testing.T) {
	them := contacts.KnownByKey(wt.Phone, asha)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			for _, id := range []string{"a", "b"} {
				db.Seed(t, tables.Messages, model.Address{
					PK: keys.Address(asha, model.Name(id)).Partition, ItemType: model.ItemAddress, CustomerPhone: asha,
					AddressID: id, CreatedAt: model.At(noon), PhoneNumberID: wt.Phone, IsDefault: id == "a",
					Version: 1})
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			s := &answers.Answers{DB: client, Now: func() time.Time { return noon }}
			_, err := s.MakeDefault(ctx, them, "b")
			return err
		},
	})
	t.Logf("%d crash points", points)
}
