package communities

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Invitation is how often and how long an invitation can be used.
type Invitation struct {
	Uses  int64
	Valid time.Duration
}

// hashOf returns the id of an invitation by its secret. The secret has 128 bits, so that no salt is needed.
func hashOf(secret string) model.Name {
	sum := sha256.Sum256([]byte(secret))
	return model.Name(hex.EncodeToString(sum[:16]))
}

// Invite makes an invitation. Its code is returned once: only a hash of it is stored.
func (s *Communities) Invite(ctx context.Context, id model.Name, by communitymodel.User, of Invitation) (
	invite communitymodel.Invite, code string, err error) {
	if _, err := s.SeeAsModerator(ctx, id, by); err != nil {
		return invite, "", err
	}
	secret := s.NewSecret()
	key := keys.CommunityInvite(id, hashOf(secret))
	invite = communitymodel.Invite{
		PK: key.Partition, SK: key.Sort, Hash: hashOf(secret), CommunityID: id, CreatedBy: by.ID, CreatedAt: s.now(),
		Left: of.Uses, ExpiresAt: s.Now().Add(of.Valid).Unix(),
	}
	item, err := dynamo.Marshal(invite)
	if err != nil {
		return invite, "", err
	}
	if err := s.DB.PutOnce(ctx, tables.Communities, item); err != nil {
		return invite, "", fmt.Errorf("invite: %w", err)
	}
	return invite, string(id) + "." + secret, nil
}

// Invites returns the invitations of a community that can be used.
func (s *Communities) Invites(ctx context.Context, id model.Name, by communitymodel.User) (
	all []communitymodel.Invite, err error) {
	if _, err := s.SeeAsModerator(ctx, id, by); err != nil {
		return nil, err
	}
	rows, err := s.DB.Rows(ctx, dynamo.Query{
		Table: tables.Communities, Where: "pk = :community AND begins_with(sk, :invites)",
		Filter: "ExpiresAt > :now AND UsesLeft > :none",
		Values: dynamo.Item{
			":community": dynamo.S(keys.Community(id).Partition), ":invites": dynamo.S(keys.CommunityInvites),
			":now": dynamo.N(s.Now().Unix()), ":none": dynamo.N(0)},
	})
	if err != nil {
		return nil, fmt.Errorf("invites: %w", err)
	}
	return dynamo.Entities[communitymodel.Invite](rows)
}

// Revoke ends an invitation. One that is not there has ended already.
func (s *Communities) Revoke(ctx context.Context, id model.Name, by communitymodel.User, hash model.Name) error {
	if _, err := s.SeeAsModerator(ctx, id, by); err != nil {
		return err
	}
	return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Communities, Key: keys.CommunityInvite(id, hash), If: dynamo.Unconditional}}))
}

// Accept makes somebody a member by the code of an invitation. One use is taken in the same transaction, and none from
// somebody who is a member already. It returns dynamo.ErrNotFound for a code that is none, has been used up, has
// expired, was made by somebody who is banned, is of a deleted community, or is another tenant's: they look alike.
func (s *Communities) Accept(ctx context.Context, code string, who communitymodel.User) (
	m communitymodel.Membership, err error) {
	community, secret, found := strings.Cut(code, ".")
	id, err := model.Parse[model.Name](community)
	if !found || err != nil {
		return m, dynamo.ErrNotFound
	}
	whole := dynamo.Ref{Table: tables.Communities, Key: keys.Community(id)}
	invite := dynamo.Ref{Table: tables.Communities, Key: keys.CommunityInvite(id, hashOf(secret))}
	member := MemberRef(id, who.ID)
	return m, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		items, err := s.DB.BatchGet(ctx, []dynamo.Ref{whole, invite, member})
		if err != nil {
			return err
		}
		item := invite.Found(items)
		if item == nil || model.TenantID(dynamo.Text(whole.Found(items), "TenantId")) != who.TenantID ||
			dynamo.Text(whole.Found(items), "DeletedAt") != "" ||
			dynamo.Int(item, "UsesLeft") < 1 || dynamo.Int(item, "ExpiresAt") <= s.Now().Unix() {
			return dynamo.ErrNotFound
		}
		maker, err := s.member(ctx, id, model.Name(dynamo.Text(item, "CreatedBy")))
		if err != nil {
			return err
		}
		if s.bans(maker) { // their friends would come in for them
			return dynamo.ErrNotFound
		}
		was, err := MemberIn(items, member)
		if err != nil {
			return err
		}
		m, err = s.join(ctx, id, who.ID, was, dynamo.Update{
			Table: tables.Communities, Key: invite.Key, Do: "SET UsesLeft = UsesLeft - :one",
			If:     "UsesLeft >= :one AND ExpiresAt > :now",
			Values: dynamo.Item{":one": dynamo.N(1), ":now": dynamo.N(s.Now().Unix())},
		})
		return err
	})
}
