package community

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/pictures"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Names of the counts of an erasure.
const (
	countUsers         = "communityUsers"
	countMemberships   = "communityMemberships"
	countNotifications = "communityNotifications"
	countGroup         = "groupChatMessages"
	countPrivate       = "privateChatMessages"
	countRequests      = "chatRequests"
)

var counts = []string{
	countUsers, countMemberships, countNotifications, countGroup, countPrivate, countRequests}

// kept is what an erasure keeps.
var kept = []erasure.Kept{{
	What: "the places of deleted messages, memberships that have ended, mentions and reports, under an id that names " +
		"nobody",
	Why: "the conversations of others would lose their order and their count",
}, {
	What: "Meta's ids of what was written in a bridged WhatsApp group, in which the number can be read, for 45 days",
	Why:  "Meta may send the messages again",
}, {
	What: "audit records of bans and disabled accounts, with the moderator's reason and network address",
	Why:  "a decision against somebody must stay provable, also by them",
}}

// people returns the ids of a tenant's people who are known by the addresses of a customer.
func (d *Domain) people(ctx context.Context, of erasure.Subject) (all []model.Name, err error) {
	for _, address := range addresses(of) {
		var claim communitymodel.Claim
		ref := address.Ref(of.Tenant)
		err := d.DB.Get(ctx, ref.Table, ref.Key, &claim)
		if errors.Is(err, dynamo.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, claim.UserID) {
			all = append(all, claim.UserID)
		}
	}
	return all, nil
}

// erase makes nobody of a person: their messages become tombstones, their reactions and requests go, their memberships
// end. The claims of the address and of the number, by which all is found, go last.
func (d *Domain) erase(ctx context.Context, of erasure.Subject, count func(string, int) []dynamo.Write) (
	func(model.CustomerID) []dynamo.Write, error) {
	for _, address := range addresses(of) {
		if err := d.DB.Transact(ctx, users.Codes(of.Tenant, address.Text())); err != nil {
			return nil, dynamo.Conflict(err)
		}
	}
	people, err := d.people(ctx, of)
	if err != nil {
		return nil, err
	}
	if err := d.eraseGuests(ctx, of, count); err != nil {
		return nil, err
	}
	// Memberships of communities end first: who is in none comes into no chat, and asks for none, behind what erases
	// that, also by a request that has begun before.
	for _, user := range people {
		e := &eraser{d, of.Tenant, user, of.Accounts, count}
		for _, step := range []func(context.Context) error{
			e.closes, e.told, e.memberships, e.chats, e.requests, e.notifications, e.user} {
			if err := step(ctx); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// guests returns the ids that a customer has as a guest of the chats that are bridged to groups of the number.
func guests(of erasure.Subject) []model.Name {
	all := make([]model.Name, len(of.Identifiers))
	for i, identifier := range of.Identifiers {
		all[i] = keys.GuestID(of.Phone, identifier)
	}
	return all
}

// eraseGuests makes tombstones of what a customer has written as a guest of chats. What they have written in the
// WhatsApp group before now does not come again.
func (d *Domain) eraseGuests(ctx context.Context, of erasure.Subject, count func(string, int) []dynamo.Write) error {
	chats, err := d.Bridges.Chats(ctx, of.Tenant, of.Phone)
	if err != nil {
		return err
	}
	for _, chat := range chats {
		for _, guest := range guests(of) {
			if err := d.Bridges.CloseTo(ctx, chat, guest); err != nil {
				return err
			}
			counted := func(n int) []dynamo.Write { return count(countGroup, n) }
			if err := d.Messages.Erase(ctx, of.Tenant, chat, guest, counted); err != nil {
				return err
			}
		}
	}
	return nil
}

// addresses returns the addresses of email and the phone numbers of a customer. A number that has passed on to somebody
// else is not among their identifiers.
func addresses(of erasure.Subject) (all []users.Address) {
	for _, identifier := range of.Identifiers {
		switch {
		case strings.Contains(string(identifier), "@"):
			all = append(all, users.Address{Email: string(identifier)})
		case identity.IsNumber(identifier):
			all = append(all, users.Address{Phone: string(model.PhoneOf(identifier))})
		}
	}
	return all
}

// eraser erases one person.
type eraser struct {
	*Domain
	tenant   model.TenantID
	id       model.Name
	accounts []model.CustomerID
	count    func(string, int) []dynamo.Write
}

// closes keeps the person from doing anything while they are erased.
func (e *eraser) closes(ctx context.Context) error { return e.Users.Close(ctx, e.id) }

// told empties what bridges have told WhatsApp groups in the person's words. What a bridge was about to tell was told
// before the person was closed, or is not told at all.
func (e *eraser) told(ctx context.Context) error {
	user, err := e.Users.Of(ctx, e.tenant, e.id)
	if err != nil {
		return err
	}
	return e.Config.Told.EraseTold(ctx, e.tenant, append(users.ToldAs(user), e.accounts...), e.count)
}

// chats ends the person's membership of chats, and erases what they have written there. The membership ends first: a
// request of theirs that still runs writes nothing more behind the erasure, and nothing tells them of messages.
func (e *eraser) chats(ctx context.Context) error {
	members, err := e.Chats.Memberships(ctx, e.id)
	if err != nil {
		return err
	}
	for _, m := range members {
		ref := communitymodel.ChatOf(m.PK)
		name := countGroup
		if ref.Kind == communitymodel.Private {
			name = countPrivate
		}
		if m.State == communitymodel.Joined {
			err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				return e.Domain.Chats.Ends(ctx, ref, e.id, communitymodel.Left, model.At(e.Now()))
			})
			if err != nil {
				return err
			}
		}
		count := func(n int) []dynamo.Write { return e.count(name, n) }
		if err := e.Messages.Erase(ctx, e.tenant, ref, e.id, count); err != nil {
			return err
		}
	}
	return nil
}

// requests deletes both sides of the person's requests.
func (e *eraser) requests(ctx context.Context) error {
	return e.Requests.Erase(ctx, e.id, func(n int) []dynamo.Write { return e.count(countRequests, n) })
}

// memberships ends the person's memberships of communities, without what was said about them.
func (e *eraser) memberships(ctx context.Context) error {
	return e.Communities.Erase(ctx, e.id, func(n int) []dynamo.Write { return e.count(countMemberships, n) })
}

// notifications deletes what the person was told and what waits to be posted, has no digest be due, and has the
// pictures go that they have uploaded for themself.
func (e *eraser) notifications(ctx context.Context) error {
	if err := e.Digests.Erase(ctx, e.id); err != nil {
		return err
	}
	if err := e.Pictures.DropAll(ctx, e.tenant, pictures.Owner{User: e.id}); err != nil {
		return err
	}
	return e.Notifications.Erase(ctx, e.id, func(n int) []dynamo.Write { return e.count(countNotifications, n) })
}

// user makes the person nobody.
func (e *eraser) user(ctx context.Context) error {
	user, err := e.Users.Of(ctx, e.tenant, e.id)
	if err != nil {
		return err
	}
	nobody, err := e.Users.Nobody(user)
	if err != nil {
		return err
	}
	return dynamo.Conflict(e.DB.Transact(ctx, append(e.count(countUsers, 1), nobody...)))
}
