package opening

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

type conversation = conversationsmodel.Conversation

// Ended is why an opening message is not sent whose conversation has come to its end.
const Ended = "conversation_over"

// maxReason bounds the bytes of the reason that a conversation shows.
const maxReason = 512

// Hook is told how the messages of conversations end.
func (o *Opening) Hook() *sending.Hook {
	return &sending.Hook{Domain: o.Domain, Still: o.still, Settle: o.settle, Status: o.noteStatus}
}

// read returns the conversation that a reference names. It reports false for one that is not there.
func (o *Opening) read(ctx context.Context, reference string) (c conversation, is bool, err error) {
	key, is := conversationsmodel.KeyOf(reference)
	if !is {
		return c, false, nil
	}
	c, err = o.Talks.Get(ctx, key)
	if errors.Is(err, dynamo.ErrNotFound) {
		return c, false, nil
	}
	return c, err == nil, err
}

// opens reports whether an event sends the opening message of a conversation, or sends it again.
func opens(c conversation, event model.OutboxEvent) bool {
	return c.OutboxEventID != "" && (event.EventID == c.OutboxEventID || event.ReplayOf == c.OutboxEventID)
}

// still returns why the opening message of a conversation is not sent any more, "" to send it. The rooms have found
// that the person has not opted out.
func (o *Opening) still(ctx context.Context, reference string, event model.OutboxEvent,
	_ contacts.Addressee) (unwanted string, err error) {
	c, is, err := o.read(ctx, reference)
	switch {
	case err != nil:
		return "", err
	case !is:
		return sending.Erased, nil
	case opens(c, event) && !c.Status.Open():
		return Ended, nil
	case event.EventType == mailing.EventType:
		return o.mailbox(ctx, c)
	}
	return "", nil
}

// mailbox returns sending.NotOurs for a conversation whose company does not have its email address any more.
func (o *Opening) mailbox(ctx context.Context, c conversation) (unwanted string, err error) {
	company, _, err := companies.MailboxOf(ctx, o.DB, c.GSICompanyEmail)
	if err == nil && company != c.CompanyID {
		unwanted = sending.NotOurs
	}
	return unwanted, err
}

// settle returns the write by which a conversation says what has become of its opening message. Its condition is that
// the conversation is as it was read.
func (o *Opening) settle(ctx context.Context, reference string, event model.OutboxEvent,
	outcome outbox.Outcome) ([]dynamo.Write, error) {
	c, is, err := o.read(ctx, reference)
	if err != nil || !is || !opens(c, event) || outcome.Copy {
		return nil, err
	}
	was := c
	c.OutboxEventID = event.EventID
	switch {
	case outcome.Cancelled != "":
		fail(&c, outcome.Cancelled)
	case outcome.Failure != nil:
		fail(&c, outcome.Failure.Reason)
	default:
		sent(&c, model.MessageID(outcome.ExternalID), o.Now())
	}
	if dynamo.StoredAlike(was, c) {
		return nil, nil
	}
	return o.Talks.Write(&c)
}

// fail notes why the opening message was not sent. A conversation in which the person has written goes on.
func fail(c *conversation, reason string) {
	c.FailureReason = model.Truncate(reason, maxReason)
	if c.Status.MayBecome(conversationsmodel.Failed) {
		c.Status = conversationsmodel.Failed
	}
}

// sent notes that the opening message was sent: the task is complete, once.
func sent(c *conversation, id model.MessageID, now time.Time) {
	c.OpeningID, c.FailureReason = id, ""
	if c.ChannelMethod == model.ChannelEmail && c.EmailID == nil {
		first := string(id)
		c.EmailID = &first
	}
	if c.Status.MayBecome(conversationsmodel.InitialMessageSent) {
		c.Status = conversationsmodel.InitialMessageSent
	}
	if c.TaskComplete == 0 {
		c.TaskComplete = 1
		c.ProcessingTimeMS = max(now.Sub(c.CreatedAt.Go()).Milliseconds(), 1)
		c.ProcessorVersion = Version
	}
}

// noteStatus records that WhatsApp could not deliver the opening message.
func (o *Opening) noteStatus(ctx context.Context, reference string, message model.MessageID,
	status model.DeliveryStatus, problem *model.Problem) error {
	key, is := conversationsmodel.KeyOf(reference)
	if status != model.Failed || !is {
		return nil
	}
	_, err := o.Talks.Change(ctx, key, func(c *conversation) (bool, error) {
		if c.OpeningID != message || c.Status != conversationsmodel.InitialMessageSent {
			return false, nil
		}
		reason := "failed"
		if problem != nil {
			reason = fmt.Sprintf("%d %s", problem.Code, problem.Title)
		}
		fail(c, reason)
		return true, nil
	})
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	return err
}

// Rekey has the conversations of a person who was known under one key belong to another of theirs. What is known at one
// number says nothing of a person at another one.
func (o *Opening) Rekey(ctx context.Context, of contacts.Rekeyed) error {
	all, err := o.Talks.Of(ctx, of.Tenant, of.From)
	if err != nil {
		return err
	}
	for _, c := range all {
		if c.PhoneNumberID != of.Phone {
			continue
		}
		_, err := o.Talks.Change(ctx, keys.Talk(c.CompanyID, c.ProjectID, c.RequestID, c.PrimaryChannel),
			func(c *conversation) (bool, error) {
				changed := c.Customer == of.From
				c.Customer = of.To
				return changed, nil
			})
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
	}
	return nil
}
