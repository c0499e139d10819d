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

// Hour is when digests are due, in UTC: late in the morning in India, and early in Europe.
const Hour = 6

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

// next returns when a digest is due that is due after an instant.
func next(after time.Time) model.Time {
	after = after.UTC()
	due := time.Date(after.Year(), after.Month(), after.Day(), Hour, 0, 0, 0, time.UTC)
	if !due.After(after) {
		due = due.AddDate(0, 0, 1)
	}
	return model.At(due)
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
	if err := d.check(ctx, person, by); err != nil {
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
			_, err := d.DB.Update(ctx, dynamo.Update{
				Table: tables.CommunityNotifications, Key: keys.Digest(person.ID), Do: "SET DigestBy = :by",
				If: "DueAt = :was", Values: dynamo.Item{":by": dynamo.S(by), ":was": dynamo.S(was.DueAt)},
			})
			return dynamo.Conflict(err)
		}
		return d.begin(ctx, person, by)
	})
}

// check returns ErrField for a way by which a person cannot be told.
func (d *Digests) check(ctx context.Context, person communitymodel.User, by communitymodel.DigestBy) error {
	switch by {
	case communitymodel.DigestNone:
		return nil
	case communitymodel.DigestEmail:
		if person.Email == "" {
			return wrong("you have no address of email")
		}
		return nil
	case communitymodel.DigestWhatsApp:
		of, err := d.Settings.Get(ctx, person.TenantID)
		switch {
		case err != nil:
			return err
		case person.PhoneE164 == "":
			return wrong("you have no phone number")
		case of.WhatsAppNumber == "":
			return wrong("messages are sent by email alone here")
		}
		return nil
	}
	return wrong("none, email or whatsapp")
}

func wrong(detail string) error { return problem.Wrong(ErrField, "body.digest", "%s", detail) }

// begin stores the first choice of a person. The condition is that they have made none.
func (d *Digests) begin(ctx context.Context, person communitymodel.User, by communitymodel.DigestBy) error {
	due := next(d.Now())
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
