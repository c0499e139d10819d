package search

import (
	"context"

	"github.com/haatline/haatline/shared/model"
)

// Indexed is what a segment has of a thing.
type Indexed struct {
	Kind                Kind
	ID, Customer, Words string
}

// Entries lists what the segments of a number have, for those who prove that something is not there.
func Entries(ctx context.Context, s *Search, phone model.PhoneNumberID) ([]Indexed, error) {
	x, err := s.index(ctx, phone)
	if err != nil {
		return nil, err
	}
	segments, err := s.loadEntries(ctx, phone, x.refs)
	var all []Indexed
	for _, segment := range segments {
		for _, e := range segment {
			all = append(all, Indexed{kindsOf[e.kind], e.id, e.customer, e.line})
		}
	}
	return all, err
}
