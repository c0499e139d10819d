package identity

import (
	"cmp"
	"slices"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// joining merges segments into people.
type joining struct {
	knowledge *knowledge
	of        map[model.CustomerID][]int // indexes of an identifier's segments, in order
	all       []Segment
	parent    []int // a union-find forest
}

func (k *knowledge) segments() *joining {
	j := &joining{knowledge: k, of: map[model.CustomerID][]int{}}
	for _, id := range k.ids {
		since := model.Order("")
		for _, cut := range append(slices.Clone(k.cuts[id]), "") {
			j.of[id] = append(j.of[id], len(j.all))
			j.parent = append(j.parent, len(j.all))
			j.all = append(j.all, Segment{ID: id, Since: since, Until: cut})
			since = cut
		}
	}
	return j
}

func (j *joining) root(segment int) int {
	for j.parent[segment] != segment {
		segment = j.parent[segment]
	}
	return segment
}

func (j *joining) join(a, b int) {
	a, b = j.root(a), j.root(b)
	j.parent[max(a, b)] = min(a, b)
}

// at returns an identifier's segment at a place in the order. before returns the one just before that place.
func (j *joining) at(id model.CustomerID, at model.Order) int {
	found := j.of[id][0]
	for _, segment := range j.of[id] {
		if j.all[segment].Since <= at {
			found = segment
		}
	}
	return found
}

func (j *joining) before(id model.CustomerID, at model.Order) int {
	found := j.of[id][0]
	for _, segment := range j.of[id] {
		if j.all[segment].Since < at {
			found = segment
		}
	}
	return found
}

// joinNotice merges the segments that a notice ties to one person: what they give up, until then; what they take, from
// then on; and what they have before and after.
func (j *joining) joinNotice(f model.IdentityFact) {
	subject := j.subject(f)
	for _, id := range f.Gives {
		j.join(subject, j.before(id, endOf(f.At)))
	}
	for _, id := range f.Takes {
		j.join(subject, j.at(id, beginningOf(f.At)))
	}
	for _, id := range f.Shows {
		j.join(subject, j.at(id, f.At))
	}
}

// subject returns a segment of the person whom a fact is about.
func (j *joining) subject(f model.IdentityFact) int {
	switch {
	case len(f.Takes) > 0:
		return j.at(f.Takes[0], beginningOf(f.At))
	case len(f.Shows) > 0:
		return j.at(f.Shows[0], f.At)
	}
	return j.at(slices.Concat(f.Gives, f.Divides)[0], f.At)
}

// joinSightings merges identifiers that were shown together. Two people who have had the same identifier at different
// times must not become one: if one of them is shown with a user id of the other, the number has changed owners, though
// no notice said so. joinSightings then returns where the number changes owners, and must be called again after that
// cut.
func (j *joining) joinSightings(sightings []model.IdentityFact) (id model.CustomerID, at model.Order, divides bool) {
	for _, f := range sightings {
		shown := slices.Clone(f.Shows)
		sorting.Func(shown, mostPersonalFirst)
		for _, id := range shown[min(1, len(shown)):] {
			personal, other := j.at(shown[0], f.At), j.at(id, f.At)
			if j.all[other].Since != f.At && j.differentPeople(personal, other) {
				return id, f.At, true
			}
			j.join(personal, other)
		}
	}
	return "", "", false
}

func mostPersonalFirst(a, b model.CustomerID) int {
	switch {
	case IsNumber(a) == IsNumber(b):
		return cmp.Compare(a, b)
	case IsNumber(b):
		return -1
	}
	return 1
}

// differentPeople reports whether two segments belong to two different people, because both have had the same
// identifier.
func (j *joining) differentPeople(a, b int) bool {
	a, b = j.root(a), j.root(b)
	if a == b {
		return false
	}
	had := map[model.CustomerID]bool{}
	for i := range j.all {
		if j.root(i) == a {
			had[j.all[i].ID] = true
		}
	}
	for i := range j.all {
		if j.root(i) == b && had[j.all[i].ID] {
			return true
		}
	}
	return false
}

// people numbers the people in the order of their first segments.
func (j *joining) people(facts []model.IdentityFact) People {
	p := People{segments: map[model.CustomerID][]Segment{}, subjects: map[string]int{}}
	numbers := map[int]int{}
	for i, s := range j.all {
		root := j.root(i)
		if _, numbered := numbers[root]; !numbered {
			numbers[root] = len(numbers)
		}
		s.Person = numbers[root]
		p.segments[s.ID] = append(p.segments[s.ID], s)
	}
	for _, f := range facts {
		p.subjects[FactKey(f)] = numbers[j.root(j.subject(f))]
	}
	return p
}
