package communities

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// errBanned is for somebody who is banned and wants to join again.
var errBanned = communitymodel.Forbidden("banned", "Banned", "You may not take part in this community.")

// put returns the write of a membership. Its condition is that the membership is as it was read.
func put(was, is communitymodel.Membership) (dynamo.Write, error) {
	item, err := dynamo.Marshal(is)
	write := dynamo.Put{Table: tables.Communities, Item: item, If: dynamo.IfAbsent, Values: dynamo.Item{}}
	if was.UserID != "" {
		write.If = dynamo.And(dynamo.SameText("#State", was.State, write.Values),
			dynamo.SameText("#Role", was.Role, write.Values), dynamo.SameText("JoinedAt", was.JoinedAt, write.Values),
			dynamo.SameText("BannedUntil", was.BannedUntil, write.Values))
	} else {
		write.Values = nil
	}
	return write, err
}

// Join makes somebody a member of a community that everybody may join. A member stays one.
func (s *Communities) Join(ctx context.Context, id model.Name, who communitymodel.User) (
	m communitymodel.Membership, err error) {
	return m, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.See(ctx, id, who)
		if err != nil {
			return err
		}
		m, err = s.join(ctx, id, who.ID, seen.Membership)
		return err
	})
}

// join makes somebody a member who may be one, with further writes.
func (s *Communities) join(ctx context.Context, id, user model.Name, was communitymodel.Membership,
	with ...dynamo.Write) (communitymodel.Membership, error) {
	switch {
	case was.May():
		return was, nil
	case s.bans(was):
		return was, errBanned
	}
	m := communitymodel.NewMembership(id, user)
	m.State, m.JoinedAt = communitymodel.Joined, s.now()
	write, err := put(was, m)
	if err != nil {
		return m, err
	}
	return m, dynamo.Conflict(s.DB.Transact(ctx, append(with, write)))
}

// Leave ends somebody's membership, and has them leave the community's chats. A founder hands the community over
// before.
func (s *Communities) Leave(ctx context.Context, id model.Name, who communitymodel.User) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if was, err := s.member(ctx, id, who.ID); err == nil && was.State == communitymodel.Left {
			return nil // of a private community, too, which they see no more
		}
		seen, leaving, err := s.seeLeaving(ctx, id, who.ID, who)
		if err != nil {
			return err
		}
		was := seen.Membership
		switch {
		case !was.May():
			return nil
		case was.Role == communitymodel.Founder:
			return communitymodel.Breaks("founder-stays", "Founder stays",
				"A founder makes another member the founder before they leave.")
		}
		is := was
		is.State, is.Role, is.LeftAt = communitymodel.Left, communitymodel.Member, s.now()
		listed, err := lists(seen.Community, was, is)
		if err != nil {
			return err
		}
		return s.change(ctx, was, is, append(leaving, listed...))
	})
}

// change writes a membership with further writes.
func (s *Communities) change(ctx context.Context, was, is communitymodel.Membership, with []dynamo.Write) error {
	write, err := put(was, is)
	if err != nil {
		return err
	}
	return dynamo.Conflict(s.DB.Transact(ctx, append(with, write)))
}

// Leaving is the payload of the event that has somebody leave the chats of a community.
type Leaving struct {
	Community model.Name `json:"communityId"`
	User      model.Name `json:"userId"`
}

// LeavingType is the type of that event.
const LeavingType = "community.leaving"

// seeLeaving is See for somebody whose membership ends, and the writes of the event that has them leave the chats.
func (s *Communities) seeLeaving(ctx context.Context, id, user model.Name, by communitymodel.User) (
	Seen, []dynamo.Write, error) {
	seen, err := s.See(ctx, id, by)
	if err != nil {
		return seen, nil, err
	}
	sequence := outbox.SequenceRef(seen.TenantID, keys.EntityChat, string(user))
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return seen, nil, err
	}
	payload, err := json.Marshal(Leaving{id, user})
	if err != nil {
		return seen, nil, err
	}
	_, writes, err := s.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: LeavingType, Tenant: seen.TenantID, EntityType: keys.EntityChat, EntityID: string(user),
		Payload: payload,
	})
	return seen, writes, err
}

// Ban says who is banned, until when ("" for ever), and why.
type Ban struct {
	User   model.Name
	Until  model.Time
	Reason string
}

// Ban ends a member's membership and keeps them from joining again. Their messages stay. It returns
// dynamo.ErrNotFound for somebody who has never been a member.
func (s *Communities) Ban(ctx context.Context, id model.Name, by communitymodel.User, ban Ban,
	actor audit.Actor) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		if _, err := s.SeeAsModerator(ctx, id, by); err != nil {
			return err
		}
		seen, leaving, err := s.seeLeaving(ctx, id, ban.User, by)
		if err != nil {
			return err
		}
		was, err := s.member(ctx, id, ban.User)
		if err != nil {
			return err
		}
		if was.Role == communitymodel.Founder || was.Role == communitymodel.Moderator && !leads(seen.Membership, by) {
			return communitymodel.Breaks("moderator-stays", "Moderator stays",
				"A founder bans moderators, and nobody bans the founder.")
		}
		if was.State == communitymodel.Banned && was.BannedUntil == ban.Until && was.Reason == ban.Reason {
			return nil
		}
		is := was
		is.State, is.Role, is.LeftAt = communitymodel.Banned, communitymodel.Member, s.now()
		is.BannedUntil, is.Reason = ban.Until, ban.Reason
		told, err := s.tell(ban.User, communitymodel.NoticeBan, communitymodel.Target{Community: id})
		if err != nil {
			return err
		}
		record, err := s.record("community-member.ban", seen.Community, actor, ban.Reason,
			map[string]any{"userId": ban.User, "state": was.State},
			map[string]any{"userId": ban.User, "state": is.State, "until": is.BannedUntil})
		if err != nil {
			return err
		}
		listed, err := lists(seen.Community, was, is)
		if err != nil {
			return err
		}
		return s.change(ctx, was, is, slices.Concat(leaving, listed, []dynamo.Write{told, record}))
	})
}

// leads reports whether somebody may decide about moderators.
func leads(m communitymodel.Membership, by communitymodel.User) bool {
	return m.Role == communitymodel.Founder || by.Role == communitymodel.RoleModerator
}

// tell returns the write of a notification of now.
func (s *Communities) tell(user model.Name, kind communitymodel.NotificationType,
	target communitymodel.Target) (dynamo.Write, error) {
	return s.Notifications.To(user, s.Notifications.New(kind, target))
}

// record returns the write of the audit record of a moderator's act.
func (s *Communities) record(action string, c communitymodel.Community, by audit.Actor, reason string,
	before, after any) (dynamo.Write, error) {
	_, write, err := s.Audit.CompletedRecord(audit.Draft{
		Action: action, Target: audit.Target{Type: "community", ID: string(c.ID)}, Tenant: c.TenantID, By: by,
		Reason: reason,
	}, before, after)
	return write, err
}

// Unban lets somebody join again. They are no member until they do.
func (s *Communities) Unban(ctx context.Context, id model.Name, by communitymodel.User, user model.Name,
	actor audit.Actor) error {
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.SeeAsModerator(ctx, id, by)
		if err != nil {
			return err
		}
		was, err := s.member(ctx, id, user)
		if err != nil || was.State != communitymodel.Banned {
			return err
		}
		is := was
		is.State, is.BannedUntil, is.Reason = communitymodel.Left, "", ""
		record, err := s.record("community-member.unban", seen.Community, actor, "",
			map[string]any{"userId": user, "state": was.State}, map[string]any{"userId": user, "state": is.State})
		if err != nil {
			return err
		}
		return s.change(ctx, was, is, []dynamo.Write{record})
	})
}

// member returns a membership, or dynamo.ErrNotFound.
func (s *Communities) member(ctx context.Context, id, user model.Name) (m communitymodel.Membership, err error) {
	return m, s.DB.Get(ctx, tables.Communities, keys.CommunityMember(id, user), &m)
}

// Members returns up to limit members of a community, from behind a place, and the place behind the last one; "" at
// the end. A page may be short. all includes those who have left or are banned.
func (s *Communities) Members(ctx context.Context, id model.Name, all bool, limit int, after string) (
	members []communitymodel.Membership, next string, err error) {
	q := dynamo.Query{
		Table: tables.Communities, Where: "pk = :community AND begins_with(sk, :members)",
		Values: dynamo.Item{
			":community": dynamo.S(keys.Community(id).Partition), ":members": dynamo.S(keys.CommunityMembers)},
	}
	if !all {
		q.Filter, q.Values[":joined"] = "#State = :joined", dynamo.S(communitymodel.Joined)
	}
	rows, next, err := s.DB.Some(ctx, q, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("members: %w", err)
	}
	if members, err = dynamo.Entities[communitymodel.Membership](rows); err != nil {
		return nil, "", err
	}
	return members, next, nil
}

// Of returns up to limit of the communities that somebody is a member of, with their membership, from behind a place,
// and the place behind the last one; "" at the end. A page may be short. The index may be behind by a moment.
func (s *Communities) Of(ctx context.Context, user model.Name, limit int, after string) (
	all []Seen, next string, err error) {
	rows, next, err := s.DB.Some(ctx, memberships(user), limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("communities of a person: %w", err)
	}
	members, err := dynamo.Whole[communitymodel.Membership](ctx, s.DB, tables.Communities, rows)
	if err != nil {
		return nil, "", err
	}
	members = slices.DeleteFunc(members, func(m communitymodel.Membership) bool { return !m.May() })
	refs := make([]dynamo.Ref, len(members))
	for i, m := range members {
		refs[i] = dynamo.Ref{Table: tables.Communities, Key: keys.Community(m.CommunityID)}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, "", err
	}
	for i, m := range members {
		if item := refs[i].Found(found); item != nil {
			seen := Seen{Membership: m}
			if err := dynamo.Unmarshal(item, &seen.Community); err != nil {
				return nil, "", err
			}
			if seen.DeletedAt == "" {
				all = append(all, seen)
			}
		}
	}
	return all, next, nil
}

// memberships returns the query for all that somebody is or was a member of.
func memberships(user model.Name) dynamo.Query {
	return dynamo.Query{
		Table: tables.Communities, Index: tables.IndexCommunityMembers, Where: "memberPk = :user",
		Values: dynamo.Item{":user": dynamo.S(keys.CommunityUser(user).Partition)},
	}
}

// Memberships returns all memberships of a person, also of communities that they have left.
func (s *Communities) Memberships(ctx context.Context, user model.Name) ([]communitymodel.Membership, error) {
	rows, err := s.DB.Rows(ctx, memberships(user))
	if err != nil {
		return nil, err
	}
	return dynamo.Whole[communitymodel.Membership](ctx, s.DB, tables.Communities, rows)
}

// Erase ends a person's memberships, and forgets why they were banned. Its condition is that each is as it was read. A
// community that they have founded has another founder. count returns the writes that count them. It may run again.
func (s *Communities) Erase(ctx context.Context, user model.Name, count func(int) []dynamo.Write) error {
	all, err := s.Memberships(ctx, user)
	if err != nil {
		return err
	}
	for _, was := range all {
		if was.State == communitymodel.Left && was.Reason == "" {
			continue
		}
		writes, err := s.without(ctx, was)
		if err != nil {
			return err
		}
		writes = append(writes, count(1)...)
		is := was
		is.State, is.Role, is.LeftAt = communitymodel.Left, communitymodel.Member, s.now()
		is.BannedUntil, is.Reason = "", ""
		if err := s.change(ctx, was, is, writes); err != nil {
			return err
		}
	}
	return nil
}
