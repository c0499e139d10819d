// Package identity decides which person an identifier belonged to at which time. A phone number or a user id can pass
// from one person to another and back, so an identifier has one owner at a time. The facts are notices of a change, and
// messages that show several identifiers together.
//
// The result depends on which facts are known, and never on the order in which they became known.
package identity

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// Segment is the time in which an identifier belongs to one person, between two changes of owner.
type Segment struct {
	ID           model.CustomerID
	Since, Until model.Order // from Since (inclusive) to Until (exclusive); "" if unbounded
	Person       int         // the same for all segments of one person
}

// Holds reports whether the segment contains a place in the order of events.
func (s Segment) Holds(at model.Order) bool { return s.Since <= at && (s.Until == "" || at < s.Until) }

// People says who has had which identifiers, and when.
type People struct {
	segments map[model.CustomerID][]Segment
	subjects map[string]int // the person of each fact, by Key
}

// Resolve returns the people that the facts imply. ids are additional identifiers to include, even if no fact mentions
// them.
func Resolve(facts []model.IdentityFact, ids []model.CustomerID) People {
	k := knowledge{cuts: map[model.CustomerID][]model.Order{}}
	for _, f := range facts {
		ids = slices.Concat(ids, Identifiers(f))
	}
	slices.Sort(ids)
	k.ids = slices.Compact(ids)
	k.read(facts)
	for {
		s := k.segments()
		for _, f := range k.notices {
			s.joinNotice(f)
		}
		id, at, divides := s.joinSightings(k.sightings)
		if !divides {
			return s.people(facts)
		}
		k.cut(id, at)
	}
}

// Segments returns the segments of an identifier, in order.
func (p People) Segments(id model.CustomerID) []Segment { return p.segments[id] }

// At returns the segment of an identifier at a place in the order. For an unknown identifier its Person is -1.
func (p People) At(id model.CustomerID, at model.Order) Segment {
	for _, s := range p.segments[id] {
		if s.Holds(at) {
			return s
		}
	}
	return Segment{ID: id, Person: -1}
}

// Subject returns the person whom a fact is about. The fact must be one of those given to Resolve.
func (p People) Subject(f model.IdentityFact) int { return p.subjects[FactKey(f)] }

// Where returns the segments of a fact's shown identifiers, as text that changes when a segment begins elsewhere.
func (p People) Where(f model.IdentityFact) string {
	var places []string
	for _, id := range f.Shows {
		places = append(places, string(id)+" since "+string(p.At(id, f.At).Since))
	}
	slices.Sort(places)
	return strings.Join(places, ",")
}

// Second returns the place in the order at which a notice takes effect: the beginning of its second. A repeated notice
// of the same second has the same place.
func Second(at model.Order) model.Order { return beginningOf(at) }

// Identifiers returns the identifiers in a fact.
func Identifiers(f model.IdentityFact) []model.CustomerID {
	return slices.Concat(f.Gives, f.Takes, f.Shows, f.Divides)
}

// FactKey returns a text that identifies a fact. The same fact may be stored in several places.
func FactKey(f model.IdentityFact) string {
	return string(f.At) + " " + signature(f) + " " + sortedText(f.Shows) + " " + sortedText(f.Divides)
}

// signature returns what a notice changes, without its time, because the same notice may be sent again later.
func signature(f model.IdentityFact) string { return sortedText(f.Gives) + ">" + sortedText(f.Takes) }

func sortedText(ids []model.CustomerID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}

// IsNumber reports whether an identifier is a phone number. Phone numbers change owners more often than user ids.
func IsNumber(id model.CustomerID) bool { return strings.Trim(string(id), "0123456789") == "" }

// knowledge is what the facts say, in the order of their times.
type knowledge struct {
	ids                []model.CustomerID
	notices, sightings []model.IdentityFact
	cuts               map[model.CustomerID][]model.Order // where identifiers change owners
}

func (k *knowledge) read(facts []model.IdentityFact) {
	sorted := slices.Clone(facts)
	sorting.Func(sorted, func(a, b model.IdentityFact) int {
		return cmp.Or(cmp.Compare(beginningOf(a.At), beginningOf(b.At)), cmp.Compare(signature(a), signature(b)),
			cmp.Compare(FactKey(a), FactKey(b)))
	})
	for _, f := range sorted {
		switch {
		case len(f.Takes) == 0 || k.repeats(f):
			f.Shows = slices.Concat(f.Shows, f.Takes)
			k.sightings = append(k.sightings, f)
		default:
			k.notices = append(k.notices, f)
			for _, id := range f.Takes {
				k.cut(id, beginningOf(f.At))
			}
			for _, id := range f.Gives {
				k.cut(id, endOf(f.At))
			}
		}
		for _, id := range f.Divides {
			k.cut(id, f.At)
		}
	}
}

// repeats reports whether a notice repeats an earlier one, and the identifiers that it gives the person have not
// changed owners meanwhile. The person then still has them, but what they gave up may belong to somebody else by now.
func (k *knowledge) repeats(f model.IdentityFact) bool {
	for _, earlier := range slices.Backward(k.notices) {
		if signature(earlier) == signature(f) {
			return true
		}
		for _, id := range f.Takes {
			if slices.Contains(earlier.Gives, id) || slices.Contains(earlier.Takes, id) {
				return false
			}
		}
	}
	return false
}

func (k *knowledge) cut(id model.CustomerID, at model.Order) {
	if i, found := slices.BinarySearch(k.cuts[id], at); !found {
		k.cuts[id] = slices.Insert(k.cuts[id], i, at)
	}
}

// Meta's times are whole seconds. During the second of a notice the person has both the identifiers they give up and
// those they take. Nobody else has any of them within that second.

func beginningOf(at model.Order) model.Order { return secondOf(at, 0) }

func endOf(at model.Order) model.Order { return secondOf(at, time.Second) }

func secondOf(at model.Order, plus time.Duration) model.Order {
	if at.At() == "" {
		return at
	}
	return model.OrderOf(model.At(at.At().Go().Truncate(time.Second).Add(plus)), 0)
}
