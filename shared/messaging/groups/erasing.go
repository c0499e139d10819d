package groups

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// CountGroups names the count of groups from which an erased customer was removed.
const CountGroups = "groups"

// Erase removes a customer from the groups of a number: as one who is in it, asks to join it, or is to leave it. Meta
// does not. count returns the writes by which an audit record counts.
func (s *Groups) Erase(
	ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	all, err := s.Of(ctx, phone)
	if err != nil {
		return err
	}
	for _, group := range all {
		if without(&group, who) == 0 {
			continue
		}
		err := s.change(ctx, model.Name(group.GroupID), func(g *model.Group) ([]dynamo.Write, bool, error) {
			return count(CountGroups, 1), without(g, who) > 0, nil
		})
		if err != nil {
			return fmt.Errorf("erase from group: %w", err)
		}
	}
	return nil
}

// without removes people from a group, and returns how many places they had.
func without(g *model.Group, who []model.CustomerID) int {
	isThem := func(id model.CustomerID) bool { return slices.Contains(who, id) }
	before := len(g.Participants) + len(g.JoinRequests)
	g.Participants = slices.DeleteFunc(g.Participants, func(p model.Participant) bool { return isThem(p.ID) })
	g.JoinRequests = slices.DeleteFunc(g.JoinRequests, func(j model.JoinRequest) bool { return isThem(j.CustomerID) })
	removed := before - len(g.Participants) - len(g.JoinRequests)
	if g.Asked != nil && slices.ContainsFunc(g.Asked.People, isThem) {
		a := *g.Asked
		a.People = slices.DeleteFunc(a.People, isThem)
		g.Asked = &a
		removed++
	}
	return removed
}

// Place is a place that somebody has in a group.
type Place struct {
	Group       model.Group
	JoinRequest model.Name // of somebody who asks to join; "" for somebody who is or was in it
	Who         model.CustomerID
	At          model.Order
	Left        bool // they are not in it any more
}

// Places returns the places that somebody has in the groups of a number.
func (s *Groups) Places(ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID) (all []Place,
	err error) {
	groups, err := s.Of(ctx, phone)
	for _, g := range groups {
		for _, p := range g.Participants {
			if slices.Contains(who, p.ID) {
				all = append(all, Place{g, "", p.ID, p.Order, p.Left})
			}
		}
		for _, j := range g.JoinRequests {
			if slices.Contains(who, j.CustomerID) {
				all = append(all, Place{g, j.ID, j.CustomerID, j.Order, false})
			}
		}
	}
	return all, err
}
