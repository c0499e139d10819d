package identity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/model"
)

const (
	a, b, c = model.CustomerID("910000000001"), model.CustomerID("910000000002"),
		model.CustomerID("910000000003")
	one, two, nine = model.CustomerID("IN.1"), model.CustomerID("IN.2"), model.CustomerID("IN.9")
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(minute int) model.Order {
	return model.OrderOf(model.At(noon.Add(time.Duration(minute)*time.Minute)), 0)
}

func notice(minute int, gives, takes model.CustomerID, shows ...model.CustomerID) model.IdentityFact {
	return model.IdentityFact{
		At: at(minute), Gives: []model.CustomerID{gives}, Takes: []model.CustomerID{takes}, Shows: shows}
}

func sighting(minute int, shows ...model.CustomerID) model.IdentityFact {
	return model.IdentityFact{At: at(minute), Shows: shows}
}

func division(minute int, id model.CustomerID) model.IdentityFact {
	return model.IdentityFact{At: at(minute), Divides: []model.CustomerID{id}}
}

// senders returns the person of each message, as a letter. messages lists "identifier minute" in order.
func senders(p People, messages string) string {
	letters := map[int]string{}
	var told []string
	for _, text := range strings.Split(messages, ", ") {
		var id model.CustomerID
		var minute int
		if _, err := fmt.Sscanf(text, "%s %d", &id, &minute); err != nil {
			panic(err)
		}
		person := p.At(id, at(minute)).Person
		if letters[person] == "" {
			letters[person] = string(rune('A' + len(letters)))
		}
		told = append(told, letters[person])
	}
	return strings.Join(told, "")
}

func text(format string) string {
	return strings.NewReplacer("a ", string(a)+" ", "b ", string(b)+" ", "c ", string(c)+" ", "1 ", "IN.1 ", "2 ",
		"IN.2 ", "9 ", "IN.9 ").Replace(format)
}

func TestIdentifiersAreAssignedToPeople(t *testing.T) {
	for name, tc := range map[string]struct {
		facts    []model.IdentityFact
		messages string
		want     string
	}{
		"nothing is known": {nil, "a 1, b 1", "AB"},
		"shown together": {
			[]model.IdentityFact{sighting(5, a, one)}, "a 1, 1 9, b 1", "AAB"},
		"a number changes": {
			[]model.IdentityFact{notice(5, a, b)}, "a 1, b 9, a 9, b 1", "AABC"},
		"within the second of the notice": {[]model.IdentityFact{notice(5, a, b)}, "a 5, b 5", "AA"},
		"a number comes back": {
			[]model.IdentityFact{notice(5, a, b), notice(15, b, a)}, "a 1, b 9, a 9, a 20, b 20", "AABAC"},
		"two people swap numbers": {
			[]model.IdentityFact{notice(5, a, c), notice(10, b, a), notice(15, c, b)}, "a 1, b 1, a 12, b 20, c 7",
			"ABBAA"},
		"a chain before anybody writes": {
			[]model.IdentityFact{notice(5, one, two), notice(10, two, nine)}, "9 20, 1 1, 2 7, 2 20, 1 20", "AAABC"},
		"a user id changes, and the number stays": {
			[]model.IdentityFact{notice(5, one, two, a)}, "a 1, a 9, 1 1, 2 9, 1 9", "AAAAB"},
		"the notice comes again later": {
			[]model.IdentityFact{notice(5, a, b), notice(15, a, b)}, "a 1, b 9, a 9, a 20, b 20", "AABBA"},
		"the next owner makes the same change": {
			[]model.IdentityFact{notice(5, a, b), notice(10, b, c), notice(15, a, b)}, "a 1, c 12, a 12, b 20", "AABB"},
		"somebody returns to a number": {
			[]model.IdentityFact{sighting(1, a, one), notice(5, a, b), sighting(15, a, one)},
			"a 1, a 9, a 20, 1 9, b 9", "ABAAA"},
		"and the stranger had shown who they are": {
			[]model.IdentityFact{sighting(1, a, one), notice(5, a, b), sighting(9, a, nine), sighting(15, a, one)},
			"a 1, a 10, 9 20, a 20", "ABBA"},
		"the notice of an erased customer": {
			[]model.IdentityFact{division(5, a), sighting(1, a, one)}, "a 1, 1 1, a 9", "AAB"},
		"two user ids of one number": {
			[]model.IdentityFact{sighting(1, a, one), sighting(9, a, two)}, "a 1, 1 1, 2 1", "AAA"},
		"two people who each show one number of two": {
			[]model.IdentityFact{sighting(1, a, one), sighting(1, b, nine), notice(5, a, b)}, "a 1, b 9, 1 9, b 1, 9 9",
			"AAABB"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, facts := range permutations(tc.facts) {
				if got := senders(Resolve(facts, []model.CustomerID{a, b, c, one, two, nine}),
					text(tc.messages)); got != tc.want {
					t.Errorf("%s by %+v, want %s", got, facts, tc.want)
				}
			}
		})
	}
}

func permutations(facts []model.IdentityFact) [][]model.IdentityFact {
	if len(facts) == 0 {
		return [][]model.IdentityFact{nil}
	}
	var all [][]model.IdentityFact
	for i := range facts {
		rest := slices.Delete(slices.Clone(facts), i, i+1)
		for _, more := range permutations(rest) {
			all = append(all, append([]model.IdentityFact{facts[i]}, more...))
		}
	}
	return all
}

// In random lives people change numbers, others take over the old numbers, user ids are shown now and then, and notices
// are repeated. All facts together must tell who wrote each message.
func TestRandomFactsIdentifyEveryMessagesSender(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type person struct{ number, userID model.CustomerID }
		free := []model.CustomerID{}
		for i := range 6 {
			free = append(free, model.CustomerID(fmt.Sprint("91000000010", i)))
		}
		var people []*person
		for i := range 3 {
			people = append(people, &person{free[0], model.CustomerID(fmt.Sprint("IN.", i))})
			free = free[1:]
		}
		var facts []model.IdentityFact
		type said struct {
			by     *person
			id     model.CustomerID
			minute int
		}
		var all []said
		for minute := range rapid.IntRange(5, 30).Draw(t, "minutes") {
			p := people[rapid.IntRange(0, 2).Draw(t, "who")]
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				i := rapid.IntRange(0, len(free)-1).Draw(t, "to")
				facts = append(facts, notice(minute, p.number, free[i]))
				p.number, free[i] = free[i], p.number
			case 1:
				facts = append(facts, sighting(minute, p.number, p.userID))
			case 2:
				if n := len(facts); n > 0 && len(facts[n-1].Takes) > 0 && facts[n-1].Takes[0] == p.number {
					again := facts[n-1]
					again.At = at(minute)
					facts = append(facts, again)
				}
			}
			all = append(all, said{p, p.number, minute})
		}
		for _, p := range people { // in the end everybody's user id is known
			facts = append(facts, sighting(100, p.number, p.userID))
		}
		shuffled := rapid.Permutation(facts).Draw(t, "order")
		told := Resolve(shuffled, nil)
		for _, s := range all {
			if got, want := told.At(s.id, at(s.minute)).Person, told.At(s.by.userID,
				at(s.minute)).Person; got != want && told.Segments(s.id) != nil {
				t.Fatalf("what %s said by %s in minute %d is somebody else's", s.by.userID, s.id, s.minute)
			}
		}
		for i, p := range people {
			for _, other := range people[:i] {
				if told.At(p.userID, at(50)).Person == told.At(other.userID, at(50)).Person {
					t.Fatalf("%s and %s are taken for one", p.userID, other.userID)
				}
			}
		}
	})
}

func TestAFactThatIsStoredInSeveralPlacesCountsOnce(t *testing.T) {
	f := notice(5, a, b, one)
	other := notice(5, a, b, one)
	if FactKey(f) != FactKey(other) || FactKey(f) == FactKey(notice(6, a, b, one)) ||
		FactKey(f) == FactKey(notice(5, a, b)) {
		t.Error("facts are not told apart as they should be")
	}
	p := Resolve([]model.IdentityFact{f, other}, nil)
	if p.Subject(f) != p.At(b, at(9)).Person {
		t.Error("a notice is about who has what it takes")
	}
}
