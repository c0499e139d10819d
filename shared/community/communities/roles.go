package communities

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// MaxModerators bounds the moderators of a community: each is told of every report.
const MaxModerators = 50

// errModerators is for one more moderator than a community may have, also for a founder who becomes one.
var errModerators = communitymodel.Breaks("too-many-moderators", "Too many moderators",
	"A community has at most %d moderators.", MaxModerators)

// SetRole makes a member a moderator, a plain member, or the founder in place of the one who says so.
func (s *Communities) SetRole(ctx context.Context, id model.Name, by communitymodel.User, user model.Name,
	role communitymodel.MemberRole, actor audit.Actor) (is communitymodel.Membership, err error) {
	return is, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.SeeAsMember(ctx, id, by)
		if err != nil {
			return err
		}
		if seen.Membership.Role != communitymodel.Founder {
			return communitymodel.Forbidden("not-the-founder", "Not the founder", "Only the founder may do this.")
		}
		was, err := s.member(ctx, id, user)
		switch {
		case err != nil:
			return err
		case !was.May():
			return dynamo.ErrNotFound
		}
		if is = was; was.Role == role {
			return nil
		}
		if was.Role == communitymodel.Founder {
			return communitymodel.Breaks("founder-stays", "Founder stays", "Make another member the founder instead.")
		}
		is.Role = role
		record, err := s.record("community-member.role", seen.Community, actor, "",
			map[string]any{"userId": user, "role": was.Role}, map[string]any{"userId": user, "role": role})
		if err != nil {
			return err
		}
		told, err := s.tell(user, communitymodel.NoticeRole, communitymodel.Target{Community: id})
		if err != nil {
			return err
		}
		var follows []dynamo.Write
		if role == communitymodel.Founder {
			follows, err = handOver(seen, user)
		} else {
			follows, err = lists(seen.Community, was, is)
		}
		if err != nil {
			return err
		}
		return s.change(ctx, was, is, append(follows, record, told))
	})
}

// handOver returns the writes by which a community has another founder, and its former one is a moderator.
func handOver(seen Seen, to model.Name) ([]dynamo.Write, error) {
	former := seen.Membership
	former.Role = communitymodel.Moderator
	member, err := put(seen.Membership, former)
	if err != nil {
		return nil, err
	}
	c := seen.Community
	c.Founder = to
	c.Moderators = append(without(c.Moderators, to), former.UserID)
	if len(c.Moderators) > MaxModerators { // else reports would become too many writes for one transaction
		return nil, errModerators
	}
	whole, err := dynamo.PutVersion(tables.Communities, &c)
	return []dynamo.Write{member, whole}, err
}

// lists returns the writes by which a community lists its moderators after somebody's membership has changed; none if
// it lists the same. It returns an error if there would be too many.
func lists(c communitymodel.Community, was, is communitymodel.Membership) ([]dynamo.Write, error) {
	before, after := was.Role == communitymodel.Moderator, is.Role == communitymodel.Moderator
	switch {
	case before == after:
		return nil, nil
	case before:
		c.Moderators = without(c.Moderators, was.UserID)
	case len(c.Moderators) >= MaxModerators:
		return nil, errModerators
	default:
		c.Moderators = append(without(c.Moderators, is.UserID), is.UserID)
	}
	whole, err := dynamo.PutVersion(tables.Communities, &c)
	return []dynamo.Write{whole}, err
}

// without returns people without one of them.
func without(people []model.Name, user model.Name) []model.Name {
	return slices.DeleteFunc(slices.Clone(people), func(p model.Name) bool { return p == user })
}

// without returns the writes by which a community goes on without somebody who is erased: it has another founder, or
// lists them as a moderator no more.
func (s *Communities) without(ctx context.Context, of communitymodel.Membership) ([]dynamo.Write, error) {
	switch of.Role {
	case communitymodel.Founder:
		return s.inherited(ctx, of)
	case communitymodel.Moderator:
		c, err := s.Get(ctx, of.CommunityID)
		if err != nil {
			return nil, err
		}
		return lists(c, of, communitymodel.Membership{})
	}
	return nil, nil
}

// inherited returns the writes by which a community has another founder in place of one who is erased, and tell them:
// the moderator who is a member for longest, or else the member; none if there is no other member. It reads all
// members, once in the life of a founder.
func (s *Communities) inherited(ctx context.Context, of communitymodel.Membership) ([]dynamo.Write, error) {
	c, err := s.Get(ctx, of.CommunityID)
	if err != nil {
		return nil, err
	}
	var heir communitymodel.Membership
	for after := ""; ; {
		some, next, err := s.Members(ctx, of.CommunityID, false, membersAtOnce, after)
		if err != nil {
			return nil, err
		}
		for _, m := range some {
			if m.UserID != of.UserID && (heir.UserID == "" || inherits(m, heir)) {
				heir = m
			}
		}
		if after = next; after == "" {
			break
		}
	}
	if heir.UserID == "" {
		return nil, nil
	}
	is := heir
	is.Role, c.Founder, c.Moderators = communitymodel.Founder, heir.UserID, without(c.Moderators, heir.UserID)
	member, err := put(heir, is)
	if err != nil {
		return nil, err
	}
	whole, err := dynamo.PutVersion(tables.Communities, &c)
	if err != nil {
		return nil, err
	}
	told, err := s.tell(heir.UserID, communitymodel.NoticeRole, communitymodel.Target{Community: c.ID})
	return []dynamo.Write{member, whole, told}, err
}

// inherits reports whether a member becomes the founder before another one.
func inherits(m, other communitymodel.Membership) bool {
	if m.Moderates() != other.Moderates() {
		return m.Moderates()
	}
	return m.JoinedAt < other.JoinedAt
}

// membersAtOnce is how many members are read before the next ones.
const membersAtOnce = 1000
