package contacts_test

import (
	"errors"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	phone  = model.PhoneNumberID("106540352242922")
	number = model.CustomerID("919876543210") // was Asha's, and is Ravi's since noon
	asha   = number                           // in the key of her conversation
	ravi   = model.CustomerID("IN.7")
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// passedOn returns the contacts of a number that has passed from Asha to Ravi, an hour after it has.
func passedOn(t *testing.T) *contacts.Contacts {
	t.Helper()
	db := dynamotest.Start(t, tables.Messages)
	db.Seed(t, tables.Messages, model.Alias{
		PK: keys.Alias(phone, number).Partition, ItemType: model.ItemAlias, Version: 1,
		Owners: []model.Owner{{CustomerID: asha}, {CustomerID: ravi, Since: model.OrderOf(model.At(noon), 0)}},
	})
	db.Seed(t, tables.Messages, conversation(asha))
	db.Seed(t, tables.Messages, conversation(ravi))
	return &contacts.Contacts{DB: db.Client, Now: func() time.Time { return noon.Add(time.Hour) }}
}

func conversation(customer model.CustomerID) model.Conversation {
	return model.Conversation{
		PK: keys.Conversation(phone, customer).Partition, ItemType: model.ItemConversation, From: string(customer),
		FirstOrder: model.OrderOf(model.At(noon), 0), LastOrder: model.OrderOf(model.At(noon), 0),
	}
}

func TestAnAddressLeadsToThePersonWhoHadItThen(t *testing.T) {
	people := passedOn(t)
	for at, want := range map[time.Time]model.CustomerID{
		noon.Add(-time.Minute): asha, noon: ravi, noon.Add(time.Minute): ravi,
	} {
		if got, err := people.WhoHad(t.Context(), phone, number, model.At(at)); got != want || err != nil {
			t.Errorf("at %s: %q, %v, want %q", at, got, err, want)
		}
		named, err := people.NamedAt(t.Context(), []model.PhoneNumberID{phone}, "IN", "098765 43210", model.At(at))
		if named != want || err != nil {
			t.Errorf("named at %s: %q, %v, want %q", at, named, err, want)
		}
	}
	if _, err := people.Named(t.Context(), nil, "IN", "the milkman"); !errors.Is(err, contacts.ErrNobody) {
		t.Errorf("a text that names nobody: %v", err)
	}
}

func TestThePersonWhoGaveANumberUpIsFoundByIt(t *testing.T) {
	people := passedOn(t)
	for id, want := range map[model.CustomerID]model.CustomerID{number: asha, ravi: "", "917000000000": ""} {
		if got, err := people.FormerOwner(t.Context(), phone, id); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", id, got, err, want)
		}
	}
}

// The key of a conversation leads to its person for ever. The identifier in it may be somebody else's by then.
func TestAConversationKeepsItsPersonWhenTheNumberInItsKeyPassesOn(t *testing.T) {
	people := passedOn(t)
	to, theirs, err := people.StillTheirs(t.Context(), phone, asha, number)
	if to.Customer() != asha || theirs || to.Reachable() || err != nil {
		t.Errorf("Asha: %q, the number is theirs: %v, reachable: %v, %v", to.Customer(), theirs, to.Reachable(), err)
	}
	to, theirs, err = people.StillTheirs(t.Context(), phone, ravi, number)
	if to.Customer() != ravi || !theirs || err != nil {
		t.Errorf("Ravi: %q, the number is theirs: %v, %v", to.Customer(), theirs, err)
	}
}

func TestOnePersonIsComparedByWhoHadTheIdentifierThen(t *testing.T) {
	people := passedOn(t)
	before := model.OrderOf(model.At(noon.Add(-time.Minute)), 0)
	after := model.OrderOf(model.At(noon.Add(time.Minute)), 0)
	of := []model.CustomerID{number}
	for name, one := range map[string]struct {
		b    []model.CustomerID
		atB  model.Order
		want bool
	}{
		"the number at the same time":  {of, before, true},
		"the number after it passed":   {of, after, false},
		"somebody else's number":       {[]model.CustomerID{"917000000000"}, before, false},
		"the next owner's own user id": {[]model.CustomerID{ravi}, after, false},
	} {
		got, err := people.SamePerson(t.Context(), phone, of, before, one.b, one.atB)
		if got != one.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	got, err := people.SamePerson(t.Context(), phone, of, after, []model.CustomerID{ravi}, before)
	if !got || err != nil {
		t.Errorf("the number after it passed, and the next owner's user id: %v, %v", got, err)
	}
}

func TestAnIdentifierIsKnownIfItIsReachableOrStored(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	db.Seed(t, tables.Messages, conversation("GROUP-1"))
	people := &contacts.Contacts{DB: db.Client, Now: func() time.Time { return noon }}
	for id, want := range map[model.CustomerID]bool{
		asha: true, "917000000000": true, "US.1": true, "GROUP-1": true,
		"GROUP-2": false, "0" + asha: false, asha + "~x": false,
	} {
		if got, err := people.Knows(t.Context(), phone, id); got != want || err != nil {
			t.Errorf("%s: %v, %v", id, got, err)
		}
	}
}

// Merges that lead in a circle are a fault of the data: trying again does not help.
func TestMergesInACircleAreAPermanentFault(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	one, other := conversation(asha), conversation(ravi)
	one.MergedInto, other.MergedInto = other.PK, one.PK
	db.Seed(t, tables.Messages, one)
	db.Seed(t, tables.Messages, other)
	people := &contacts.Contacts{DB: db.Client, Now: func() time.Time { return noon }}
	if _, err := people.Current(t.Context(), phone, asha); !dynamo.Permanent(err) {
		t.Errorf("%v", err)
	}
}
