// Package communities owns communities, who belongs to them, and who moderates them.
package communities

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// Communities reads and writes communities and their members.
type Communities struct {
	DB            *dynamo.Client
	Now           func() time.Time
	NewID         func() string
	NewSecret     func() string // of invitations
	Audit         *audit.Log
	Outbox        *outbox.Outbox
	Notifications *notifications.Notifications
}

func (s *Communities) now() model.Time { return model.At(s.Now()) }

// About is what a community says of itself.
type About struct {
	Name, Description, Topic, AvatarURL, CoverPhotoURL string
	Location                                           communitymodel.Place
	Private                                            bool
}

// set puts what a community says of itself into it.
func (a About) set(c *communitymodel.Community) {
	c.Name, c.Description, c.Topic, c.Private = a.Name, a.Description, a.Topic, a.Private
	c.AvatarURL, c.CoverPhotoURL, c.Location = a.AvatarURL, a.CoverPhotoURL, a.Location
	c.SetKeys()
}

// check returns the error of a text that cannot be shown as it is, and of a part of a place that cannot be part of a
// key.
func (a About) check() error {
	lines := []struct{ field, text, shown string }{
		{"body.name", a.Name, model.ShownLine(a.Name)}, {"body.topic", a.Topic, model.ShownLine(a.Topic)},
		{"body.description", a.Description, model.Shown(a.Description)},
	}
	for _, line := range lines {
		if line.text != line.shown {
			return communitymodel.Wrong(line.field, "holds a character that controls how the text is shown")
		}
	}
	if Folded(a.Name) == "" {
		return communitymodel.Wrong("body.name", "has no letter and no digit")
	}
	parts := map[string]string{
		"body.location.country": a.Location.Country, "body.location.state": a.Location.State,
		"body.location.city": a.Location.City}
	for field, text := range parts {
		if strings.Contains(text, "#") || strings.TrimSpace(text) != text {
			return communitymodel.Wrong(field, "holds a # or begins or ends with a blank")
		}
	}
	return nil
}

// Folded returns the form in which names are compared and listed: small letters, digits and single blanks.
func Folded(name string) string {
	folded := strings.ToLower(norm.NFKC.String(name))
	words := strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
	})
	text := strings.Join(words, " ")
	for utf8.RuneCountInString(text) > maxFolded {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// maxFolded bounds the name in a key, in characters.
const maxFolded = 80

// made is what the record of a request says.
type made struct {
	ID model.Name `json:"id"`
}

// Found founds a community of a person's tenant. A repeated request gets the first one's community.
func (s *Communities) Found(ctx context.Context, founder communitymodel.User, about About,
	request idempotency.Request) (c communitymodel.Community, err error) {
	if err := about.check(); err != nil {
		return c, err
	}
	id := model.Name(s.NewID())
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, request.Refs())
		if err != nil {
			return err
		}
		var earlier made
		if done, err := request.Earlier(found, s.Now(), &earlier); err != nil || done {
			if err == nil {
				c, err = s.Get(ctx, earlier.ID)
			}
			return err
		}
		c = communitymodel.Community{ID: id, CreatedAt: s.now(), Founder: founder.ID, TenantID: founder.TenantID}
		about.set(&c)
		member := communitymodel.NewMembership(id, founder.ID)
		member.Role, member.State, member.JoinedAt = communitymodel.Founder, communitymodel.Joined, s.now()
		writes, err := request.Writes(s.Now(), made{id})
		if err != nil {
			return err
		}
		put, err := dynamo.PutVersion(tables.Communities, &c)
		if err != nil {
			return err
		}
		listed, err := newItem(listedAs(c))
		if err != nil {
			return err
		}
		joined, err := newItem(member)
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, put, listed, joined)))
	})
	return c, err
}

// newItem returns the write of a new item of the communities' table.
func newItem(entity any) (dynamo.Put, error) {
	item, err := dynamo.Marshal(entity)
	return dynamo.Put{Table: tables.Communities, Item: item, If: dynamo.IfAbsent}, err
}

// listedAs returns the item by which a community is listed by name.
func listedAs(c communitymodel.Community) communitymodel.Listed {
	key := nameKey(c, c.Name)
	return communitymodel.Listed{PK: key.Partition, SK: key.Sort, CommunityID: c.ID}
}

// nameKey returns the key by which a community is listed under a name.
func nameKey(c communitymodel.Community, name string) keys.Key {
	return keys.CommunityName(c.TenantID, model.Name(Folded(name)), c.ID)
}

// Get returns a community, or dynamo.ErrNotFound.
func (s *Communities) Get(ctx context.Context, id model.Name) (c communitymodel.Community, err error) {
	return c, s.DB.Get(ctx, tables.Communities, keys.Community(id), &c)
}

// Seen is a community as somebody sees it, with their membership: the zero Membership if they have never joined.
type Seen struct {
	communitymodel.Community
	Membership communitymodel.Membership
}

// See returns a community of a person's tenant, and their membership. A private community is there for its members
// alone: it returns dynamo.ErrNotFound for others, for another tenant's, and for who is banned.
func (s *Communities) See(ctx context.Context, id model.Name, by communitymodel.User) (seen Seen, err error) {
	whole := dynamo.Ref{Table: tables.Communities, Key: keys.Community(id)}
	member := MemberRef(id, by.ID)
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{whole, member})
	if err != nil {
		return seen, err
	}
	if whole.Found(found) == nil {
		return seen, dynamo.ErrNotFound
	}
	if err := dynamo.Unmarshal(whole.Found(found), &seen.Community); err != nil {
		return seen, err
	}
	if seen.Membership, err = MemberIn(found, member); err != nil {
		return seen, err
	}
	if seen.TenantID != by.TenantID || seen.DeletedAt != "" || seen.Private && !seen.Membership.May() ||
		s.bans(seen.Membership) {
		return Seen{}, dynamo.ErrNotFound
	}
	return seen, nil
}

// SeeAsMember is See for what only members may see.
func (s *Communities) SeeAsMember(ctx context.Context, id model.Name, by communitymodel.User) (Seen, error) {
	seen, err := s.See(ctx, id, by)
	if err == nil && !seen.Membership.May() {
		err = communitymodel.ErrNoMember
	}
	return seen, err
}

// SeeAsModerator is See for what only moderators may do. A moderator of the tenant moderates all its communities that
// they are a member of.
func (s *Communities) SeeAsModerator(ctx context.Context, id model.Name, by communitymodel.User) (Seen, error) {
	seen, err := s.SeeAsMember(ctx, id, by)
	if err == nil && !seen.Membership.Moderates() && by.Role != communitymodel.RoleModerator {
		err = communitymodel.ErrNoModerator
	}
	return seen, err
}

// Ended returns the writes by which a community is closed: nobody finds it any more. The condition is that it is as it
// was read.
func Ended(c communitymodel.Community, at model.Time) ([]dynamo.Write, error) {
	name := nameKey(c, c.Name)
	c.DeletedAt = at
	c.SetKeys()
	put, err := dynamo.PutVersion(tables.Communities, &c)
	return []dynamo.Write{put, dynamo.Delete{Table: tables.Communities, Key: name, If: dynamo.Unconditional}}, err
}

// MemberRef refers to somebody's membership.
func MemberRef(community, user model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Communities, Key: keys.CommunityMember(community, user)}
}

// MemberIn returns the membership that a batch has read; the zero Membership if there is none.
func MemberIn(found dynamo.Found, ref dynamo.Ref) (m communitymodel.Membership, err error) {
	if item := ref.Found(found); item != nil {
		err = dynamo.Unmarshal(item, &m)
	}
	return m, err
}

// bans reports whether a ban holds now.
func (s *Communities) bans(m communitymodel.Membership) bool {
	return m.State == communitymodel.Banned && (m.BannedUntil == "" || m.BannedUntil > s.now())
}

// IsMember returns the condition, for another transaction, that somebody is a member.
func IsMember(community, user model.Name) dynamo.Check {
	return dynamo.Check{
		Table: tables.Communities, Key: keys.CommunityMember(community, user), If: "#State = :joined",
		Values: dynamo.Item{":joined": dynamo.S(communitymodel.Joined)},
	}
}

// Ref refers to a community.
func Ref(id model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Communities, Key: keys.Community(id)}
}

// IsOpen returns the condition, for another transaction, that a community is not closed: what is added to one that is
// would stay behind its deletion.
func IsOpen(id model.Name) dynamo.Check {
	return dynamo.Check{
		Table: tables.Communities, Key: keys.Community(id),
		If: "attribute_exists(pk) AND attribute_not_exists(DeletedAt)",
	}
}

// Edit changes what a community says of itself. The condition is its version.
func (s *Communities) Edit(ctx context.Context, id model.Name, by communitymodel.User,
	change func(*About) error) (c communitymodel.Community, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		seen, err := s.SeeAsModerator(ctx, id, by)
		if err != nil {
			return err
		}
		c = seen.Community
		about := About{
			c.Name, c.Description, c.Topic, c.AvatarURL, c.CoverPhotoURL, c.Location, c.Private,
		}
		before := about
		if err := change(&about); err != nil || about == before {
			return err
		}
		if err := about.check(); err != nil {
			return err
		}
		was := listedAs(c)
		about.set(&c)
		put, err := dynamo.PutVersion(tables.Communities, &c)
		if err != nil {
			return err
		}
		writes := []dynamo.Write{put}
		if is := listedAs(c); is != was {
			listed, err := newItem(is)
			if err != nil {
				return err
			}
			writes = append(writes, listed, dynamo.Delete{
				Table: tables.Communities, Key: nameKey(c, before.Name), If: dynamo.IfPresent,
			})
		}
		return dynamo.Conflict(s.DB.Transact(ctx, writes))
	})
	return c, err
}

// ByLocation returns up to limit communities of a tenant in a country, in a state and in a city where they are given,
// from behind a place, and the place behind the last one; "" at the end. A page may be short. Private communities are
// not listed.
func (s *Communities) ByLocation(ctx context.Context, tenant model.TenantID, at communitymodel.Place, limit int,
	after string) (all []communitymodel.Community, next string, err error) {
	q := dynamo.Query{
		Table: tables.Communities, Index: tables.IndexCommunityLocations, Where: "locationPk = :country",
		Filter: "TenantId = :tenant AND attribute_not_exists(#Private)",
		Values: dynamo.Item{
			":country": dynamo.S(keys.CommunityCountry(model.Name(at.Country))), ":tenant": dynamo.S(tenant)},
	}
	switch {
	case at.City != "":
		q.Where += " AND locationSk = :city"
		q.Values[":city"] = dynamo.S(keys.CommunityCity(model.Name(at.State), model.Name(at.City)))
	case at.State != "":
		q.Where += " AND begins_with(locationSk, :city)"
		q.Values[":city"] = dynamo.S(keys.CommunityCity(model.Name(at.State), ""))
	}
	rows, next, err := s.DB.Some(ctx, q, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("communities by location: %w", err)
	}
	if all, err = dynamo.Entities[communitymodel.Community](rows); err != nil {
		return nil, "", err
	}
	return all, next, nil
}

// ByName returns up to limit communities of a tenant whose name begins with a text, by name, from behind a place, and
// the place behind the last one; "" at the end. A page may be short. all includes private communities.
func (s *Communities) ByName(ctx context.Context, tenant model.TenantID, begins string, all bool, limit int,
	after string) (found []communitymodel.Community, next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Communities, Where: "pk = :tenant AND begins_with(sk, :name)",
		Values: dynamo.Item{
			":tenant": dynamo.S(keys.CommunityName(tenant, "a", "a").Partition),
			":name":   dynamo.S(keys.CommunityNames + Folded(begins)),
		},
	}, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("communities by name: %w", err)
	}
	found, err = s.many(ctx, rows)
	if !all {
		found = slices.DeleteFunc(found, func(c communitymodel.Community) bool { return c.Private })
	}
	return found, next, err
}

// many reads the communities that rows name, in their order.
func (s *Communities) many(ctx context.Context, rows []dynamo.Item) (all []communitymodel.Community, err error) {
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{
			Table: tables.Communities, Key: keys.Community(model.Name(dynamo.Text(row, "CommunityId")))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		item := ref.Found(found)
		if item == nil {
			continue
		}
		var c communitymodel.Community
		if err := dynamo.Unmarshal(item, &c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}
