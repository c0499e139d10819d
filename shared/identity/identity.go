// Package identity tells people apart by what is known of their identifiers. A number, and a user id, can pass from one
// person to another and back, so an identifier has one owner at a time. What a person has is known from notices of a
// change, and from messages that show several identifiers at once.
//
// The answer depends on what is known, and never on the order in which it became known.
package identity

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// Segment is an identifier between two of its changes of hands. Within it the identifier is one person's.
type Segment struct {
	ID           model.CustomerID
	Since, Until model.Order // from Since on, and before Until; "" for no beginning and for no end
	Person       int         // the same number for all segments of one person
}

// Holds reports whether a place in the order lies in the segment.
func (s Segment) Holds(at model.Order) bool { return s.Since <= at && (s.Until == "" || at < s.Until) }

// People is who has had which identifiers, and when.
type People struct {
	segments map[model.CustomerID][]Segment
	subjects map[string]int // the person of each fact
}

// Tell tells people apart by facts. ids are identifiers that matter, also where no fact mentions them.
func Tell(facts []model.IdentityFact, ids []model.CustomerID) People {
	k := knowledge{cuts: map[model.CustomerID][]model.Order{}}
	for _, f := range facts {
		ids = slices.Concat(ids, Mentioned(f))
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

// Of returns the segments of an identifier, in their order.
func (p People) Of(id model.CustomerID) []Segment { return p.segments[id] }

// At returns who has an identifier at a place in the order.
func (p People) At(id model.CustomerID, at model.Order) Segment {
	for _, s := range p.segments[id] {
		if s.Holds(at) {
			return s
		}
	}
	return Segment{ID: id, Person: -1}
}

// Subject returns the person whom a fact is about: one of the facts that were told.
func (p People) Subject(f model.IdentityFact) int { return p.subjects[Key(f)] }

// Where tells between which changes of hands a fact shows its identifiers.
func (p People) Where(f model.IdentityFact) string {
	var places []string
	for _, id := range f.Shows {
		places = append(places, string(id)+" since "+string(p.At(id, f.At).Since))
	}
	slices.Sort(places)
	return strings.Join(places, ",")
}

// Second returns the place in the order at which a notice counts. The same notice that comes again counts at the same.
func Second(at model.Order) model.Order { return beginningOf(at) }

// Mentioned returns the identifiers that a fact is about.
func Mentioned(f model.IdentityFact) []model.CustomerID {
	return slices.Concat(f.Gives, f.Takes, f.Shows, f.Divides)
}

// Key tells facts apart. The same fact may be known from several places.
func Key(f model.IdentityFact) string {
	return string(f.At) + " " + signature(f) + " " + joined(f.Shows) + " " + joined(f.Divides)
}

// signature is what changes by a notice. The same notice may come again, at another time.
func signature(f model.IdentityFact) string { return joined(f.Gives) + ">" + joined(f.Takes) }

func joined(ids []model.CustomerID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}

// IsNumber reports whether an identifier is a phone number. A number passes from one person to another more easily than a
// user id.
func IsNumber(id model.CustomerID) bool { return strings.Trim(string(id), "0123456789") == "" }

// knowledge is what facts say, in the order of their times.
type knowledge struct {
	ids                []model.CustomerID
	notices, sightings []model.IdentityFact
	cuts               map[model.CustomerID][]model.Order // where identifiers change hands
}

func (k *knowledge) read(facts []model.IdentityFact) {
	sorted := slices.Clone(facts)
	slices.SortFunc(sorted, func(a, b model.IdentityFact) int {
		return cmp.Or(cmp.Compare(beginningOf(a.At), beginningOf(b.At)), cmp.Compare(signature(a), signature(b)), cmp.Compare(Key(a), Key(b)))
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

// repeats reports whether a notice says what an earlier one has said, and nothing has happened meanwhile to what the person
// took: they have it still, and what they gave up may be somebody else's by now.
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

// The platform tells the time in whole seconds. In the second of a notice the person has both what they give up and what they
// take: nobody else gets the one, or has had the other, within that second.

func beginningOf(at model.Order) model.Order { return secondOf(at, 0) }

func endOf(at model.Order) model.Order { return secondOf(at, time.Second) }

func secondOf(at model.Order, plus time.Duration) model.Order {
	if at.At() == "" {
		return at
	}
	return model.OrderOf(model.At(at.At().Go().Truncate(time.Second).Add(plus)), 0)
}
