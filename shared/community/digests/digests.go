// Package digests tells people once a day how much they have not read, if they want to be told: by email or over
// WhatsApp, with counts, and nothing that anybody said.
//
// Who gets one has two items. One says what they have chosen and when the next digest is due. The other one is in a
// list of all who get one, in the order in which theirs are due, so that nobody is searched for. Both change in one
// transaction, with the message: a digest that is due is sent once, or moves on to the next day without one.
package digests

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/notifications"
	"github.com/haatline/haatline/shared/community/settings"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// ErrField is the rule that a choice may break.
var ErrField = errors.New("a choice about the digest is wrong")

// Mailing prepares emails: mailing.Mailing.
type Mailing interface {
	Prepare(ctx context.Context, email mailing.Email, found dynamo.Found) (event string, writes []dynamo.Write,
		err error)
}

// Digests keeps what people have chosen, and sends what is due.
type Digests struct {
	DB            *dynamo.Client
	Now           func() time.Time
	Domain        string // in the purpose of messages
	Notifications *notifications.Notifications
	Settings      *settings.Settings
	Numbers       settings.Numbers
	Sender        sending.Preparer
	Mailing       Mailing
}

// next returns when a digest of a tenant is due that is due after an instant: at the tenant's hour. An hour that a day
// has not, because the clocks go forward, is the one beside it.
func next(of communitymodel.Settings, after time.Time) model.Time {
	zone := of.Zone()
	year, month, day := after.In(zone).Date()
	for ; ; day++ {
		if due := time.Date(year, month, day, of.DigestHour(), 0, 0, 0, zone); due.After(after) {
			return model.At(due)
		}
	}
}

// isDue reports whether an instant is one at which digests of a tenant are due. It is none if the tenant has chosen
// another hour since.
func isDue(of communitymodel.Settings, at model.Time) bool {
	return next(of, at.Go().Add(-time.Millisecond)) == at
}

func ref(user model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CommunityNotifications, Key: keys.Digest(user)}
}

// Of returns what a person has chosen; the zero Digest for none.
func (d *Digests) Of(ctx context.Context, user model.Name) (is communitymodel.Digest, err error) {
	err = d.DB.Get(ctx, tables.CommunityNotifications, keys.Digest(user), &is)
	if errors.Is(err, dynamo.ErrNotFound) {
		return communitymodel.Digest{}, nil
	}
	return is, err
}

// Set stores what a person chooses. A repeated request changes nothing. The conditions are that what they have chosen
// before is as it was read. It returns ErrField for a way by which the person cannot be told.
func (d *Digests) Set(ctx context.Context, person communitymodel.User, by communitymodel.DigestBy) error {
	of, err := d.check(ctx, person, by)
	if err != nil {
		return err
	}
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		was, err := d.Of(ctx, person.ID)
		switch {
		case err != nil:
			return err
		case by == communitymodel.DigestNone:
			return d.end(ctx, was)
		case was.By == by:
			return nil
		case was.By != "":
			err := d.DB.Update(ctx, dynamo.Update{
				Table: tables.CommunityNotifications, Key: keys.Digest(person.ID), Do: "SET DigestBy = :by",
				If: "DueAt = :was", Values: dynamo.Item{":by": dynamo.S(by), ":was": dynamo.S(was.DueAt)},
			})
			return dynamo.Conflict(err)
		}
		return d.begin(ctx, person, by, next(of, d.Now()))
	})
}

// check returns the settings of a person's tenant, or ErrField for a way by which the person cannot be told.
func (d *Digests) check(ctx context.Context, person communitymodel.User, by communitymodel.DigestBy) (
	of communitymodel.Settings, err error) {
	if by == communitymodel.DigestNone {
		return of, nil
	}
	of, err = d.Settings.Get(ctx, person.TenantID)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return of, err
	}
	switch {
	case by == communitymodel.DigestEmail && person.Email == "":
		return of, wrong("you have no address of email")
	case by == communitymodel.DigestEmail:
		return of, nil
	case by != communitymodel.DigestWhatsApp:
		return of, wrong("none, email or whatsapp")
	case person.PhoneE164 == "":
		return of, wrong("you have no phone number")
	case of.WhatsAppNumber == "":
		return of, wrong("messages are sent by email alone here")
	}
	return of, nil
}

func wrong(detail string) error { return problem.Wrong(ErrField, "body.digest", "%s", detail) }

// begin stores the first choice of a person. The condition is that they have made none.
func (d *Digests) begin(ctx context.Context, person communitymodel.User, by communitymodel.DigestBy,
	due model.Time) error {
	var writes []dynamo.Write
	for _, entity := range []any{
		communitymodel.NewDigest(person, by, due, model.At(d.Now())), communitymodel.NewDigestDue(person.ID, due)} {
		item, err := dynamo.Marshal(entity)
		if err != nil {
			return err
		}
		writes = append(writes, dynamo.Put{Table: tables.CommunityNotifications, Item: item, If: dynamo.IfAbsent})
	}
	return dynamo.Conflict(d.DB.Transact(ctx, writes))
}

// end deletes what a person has chosen. The condition is that it is as it was read.
func (d *Digests) end(ctx context.Context, was communitymodel.Digest) error {
	if was.UserID == "" {
		return nil
	}
	return dynamo.Conflict(d.DB.Transact(ctx, []dynamo.Write{
		dynamo.Delete{
			Table: tables.CommunityNotifications, Key: keys.Digest(was.UserID), If: "DueAt = :was",
			Values: dynamo.Item{":was": dynamo.S(was.DueAt)}},
		taken(was.UserID, was.DueAt),
	}))
}

// taken returns the write that takes a person out of the list of who gets a digest at an instant.
func taken(user model.Name, at model.Time) dynamo.Delete {
	return dynamo.Delete{
		Table: tables.CommunityNotifications, Key: keys.DigestDue(user, at),
		If: dynamo.Unconditional, // what the person has chosen is the condition
	}
}

// Erase deletes what a person has chosen.
func (d *Digests) Erase(ctx context.Context, user model.Name) error {
	was, err := d.Of(ctx, user)
	if err != nil {
		return err
	}
	return d.end(ctx, was)
}

// The references of the messages of digests begin so. The instant at which one was made follows.
const referencePrefix = "digest@"

// reference returns the reference of the message of a digest that is due at an instant.
func reference(due model.Time) string { return referencePrefix + string(due) }

// late is after which time a digest is not sent any more: the next one is near.
const late = 12 * time.Hour

// Late is why a digest is not sent any more that has waited.
const Late = "late"

// Still returns why the message of a digest is not sent any more; "" for one that is, and for any other message. Who
// writes anything else than START after a STOP is answered, and gets no digest. conversation is theirs; nil for none,
// and for an email.
func Still(reference string, now time.Time, conversation *model.Conversation) string {
	due, is := strings.CutPrefix(reference, referencePrefix)
	switch {
	case !is:
		return ""
	case now.Sub(model.Time(due).Go()) >= late:
		return Late
	case conversation != nil && conversation.OptedOutAt != "":
		return sending.OptedOut
	}
	return ""
}
