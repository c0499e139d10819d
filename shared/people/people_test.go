package people_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/people"
	"github.com/haatline/haatline/shared/tables"
)

const asha = "b1c2d3e4-0000-4000-8000-000000000001"

type world struct {
	*people.Directory
	t   *testing.T
	now time.Time
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	w.Directory = &people.Directory{
		DB: dynamotest.Start(t, tables.Messages).Client, Now: func() time.Time { return w.now }}
	return w
}

func (w *world) enter(p people.Person) {
	w.t.Helper()
	if err := w.Put(w.t.Context(), p); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) want(want map[string]people.Person, subjects ...string) {
	w.t.Helper()
	got, err := w.Find(w.t.Context(), subjects...)
	if err != nil {
		w.t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Error(diff)
	}
}

func TestOnlyPeopleInTheDirectoryAreFound(t *testing.T) {
	w := newWorld(t)
	w.enter(people.Person{Subject: asha, Name: "Asha Rao", Email: "asha@acme.example"})
	w.enter(people.Person{Subject: "local-operator", Email: "o@acme.example"})
	w.want(map[string]people.Person{
		asha:             {Subject: asha, Name: "Asha Rao", Email: "asha@acme.example"},
		"local-operator": {Subject: "local-operator", Email: "o@acme.example"},
	}, asha, "local-operator", asha, "nobody", "", "a#b")
	w.want(map[string]people.Person{})
}

func TestAPersonsDisplayNameIsTheNameOrElseTheAddress(t *testing.T) {
	for want, p := range map[string]people.Person{
		"Asha":           {Subject: asha, Name: "Asha", Email: "a@acme.example"},
		"a@acme.example": {Subject: asha, Email: "a@acme.example"},
		"":               {},
	} {
		if got := p.Called(); got != want {
			t.Errorf("%+v is shown as %q", p, got)
		}
	}
}

func TestAnEntryWithoutANameKeepsTheStoredName(t *testing.T) {
	w := newWorld(t)
	w.enter(people.Person{Subject: asha, Name: "Asha", Email: "asha@acme.example"})
	w.enter(people.Person{Subject: asha, Email: "asha.rao@acme.example"})
	w.want(map[string]people.Person{asha: {Subject: asha, Name: "Asha", Email: "asha.rao@acme.example"}}, asha)
}

// A changed name is seen after ten minutes and a new person after one. Until then nothing is read.
func TestTheDirectoryCachesWhatItRead(t *testing.T) {
	w := newWorld(t)
	w.want(map[string]people.Person{}, asha)
	w.enter(people.Person{Subject: asha, Name: "Asha", Email: "a@acme.example"})
	w.want(map[string]people.Person{}, asha)
	w.now = w.now.Add(time.Minute)
	first := map[string]people.Person{asha: {Subject: asha, Name: "Asha", Email: "a@acme.example"}}
	w.want(first, asha)
	w.enter(people.Person{Subject: asha, Name: "Asha Rao", Email: "a@acme.example"})
	w.now = w.now.Add(10*time.Minute - time.Second)
	w.want(first, asha)
	w.now = w.now.Add(time.Second)
	w.want(map[string]people.Person{asha: {Subject: asha, Name: "Asha Rao", Email: "a@acme.example"}}, asha)
}

func TestASubjectThatCannotBeAKeyIsNotWritten(t *testing.T) {
	w := newWorld(t)
	for _, subject := range []string{"", "a#b"} {
		if err := w.Put(t.Context(), people.Person{Subject: subject, Email: "a@acme.example"}); err == nil {
			t.Errorf("%q was written", subject)
		}
	}
}
