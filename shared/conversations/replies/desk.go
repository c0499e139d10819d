package replies

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Texting prepares messages by SMS: texting.Texting.
type Texting = opening.Texting

// Mailing prepares emails: mailing.Mailing.
type Mailing = opening.Mailing

// Answer sends a text of a person of the company into a conversation. A request that is repeated with its key sends
// nothing twice. It returns the errors of sending.Sender.Prepare, talks.ErrOver, and dynamo.ErrNotFound.
func (r *Replies) Answer(ctx context.Context, key keys.Key, by, text string,
	request idempotency.Request) (c conversationsmodel.Conversation, err error) {
	return c, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := r.DB.BatchGet(ctx, append(request.Refs(), talks.Ref(key)))
		if err != nil {
			return err
		}
		is := false
		if c, is, err = talks.In(found, key); err != nil || !is {
			return orNotFound(err)
		}
		if again, err := request.Earlier(found, r.Now(), &struct{}{}); again || err != nil {
			return err
		}
		if !c.Status.MayGoOn() {
			return talks.Over(c)
		}
		id, message, err := r.Prepare(ctx, c, Saying{By: by, Text: text})
		if err != nil {
			return err
		}
		if !c.HandOffToHuman {
			if _, err := talks.Move(&c, conversationsmodel.AwaitingReply); err != nil {
				return err
			}
		}
		c.Pending = ""
		own, err := r.Talks.Write(&c, conversationsmodel.Entry{
			EntryID: id, MessageTimestamp: model.At(r.Now()), Role: conversationsmodel.Assistant, Content: text,
			SentBy: by})
		if err != nil {
			return err
		}
		record, err := request.Writes(r.Now(), struct{}{})
		if err != nil {
			return err
		}
		return dynamo.Conflict(r.DB.Transact(ctx, append(append(own, message...), record...)))
	})
}

func orNotFound(err error) error {
	if err == nil {
		return dynamo.ErrNotFound
	}
	return err
}

// Saying is a message to the person of a conversation.
type Saying struct {
	ID      model.MessageID // of a message by WhatsApp; "" for a new one
	By      string
	Text    string
	Buttons []Button // that a channel shows which has buttons; the text says the same
}

// Button is an answer that the person may give by tapping it. The reply brings back the pick.
type Button struct{ Pick, Title string }

// content returns a message in WhatsApp's form: with its buttons, unless its text is too long to have any.
func (s Saying) content() content.Content {
	buttons := content.Buttons{Frame: content.Frame{Body: s.Text}}
	for _, b := range s.Buttons {
		buttons.Buttons = append(buttons.Buttons, content.Button{ID: PickPrefix + b.Pick, Title: b.Title})
	}
	if len(s.Buttons) == 0 || utf8.RuneCountInString(s.Text) > longestWithButtons {
		return content.Text{Body: s.Text}
	}
	return buttons
}

// longestWithButtons is how many characters WhatsApp takes above buttons.
const longestWithButtons = 1024

// Prepare returns the id and the writes of a message to the person of a conversation. Its errors are those of
// sending.Sender.Prepare.
func (r *Replies) Prepare(ctx context.Context, c conversationsmodel.Conversation, say Saying) (id string,
	writes []dynamo.Write, err error) {
	purpose := model.PurposeOf(r.Domain, c.Reference())
	if c.ChannelMethod == model.ChannelSMS {
		text := opening.Text(c, purpose, c.GSICompanySMS, "en", say.Text)
		return opening.PrepareText(ctx, r.DB, r.Texting, text)
	}
	if c.ChannelMethod == model.ChannelEmail {
		found, err := r.DB.BatchGet(ctx, mailing.Refs(c.TenantID, string(c.RecipientEmail)))
		if err != nil {
			return "", nil, err
		}
		return r.Mailing.Prepare(ctx, opening.Email(c, purpose, say.Text, say.By == r.Domain), found)
	}
	company, tenant, err := r.Numbers.CompanyOf(ctx, c.PhoneNumberID)
	if err != nil {
		return "", nil, err
	}
	if company != c.CompanyID || tenant != c.TenantID {
		return "", nil, opening.NoAddress(c.ChannelMethod)
	}
	out := sending.Outgoing{
		Tenant: c.TenantID, Phone: c.PhoneNumberID, Customer: c.Customer, SentBy: say.By, ID: say.ID,
		Purpose: purpose, Content: say.content(),
	}
	found, err := r.DB.BatchGet(ctx, r.Sender.Refs(out))
	if err != nil {
		return "", nil, err
	}
	prepared, err := r.Sender.Prepare(ctx, out, found)
	return string(prepared.MessageID), prepared.Writes, err
}

// Assisted reports whether an assistant may still answer in a conversation: its company and its project are active, and
// the project has one. A conversation keeps the settings that it began with, and the owner can stop them all.
func (r *Replies) Assisted(ctx context.Context, c conversationsmodel.Conversation) (bool, error) {
	company, project := companies.Ref(c.CompanyID), companies.ProjectRef(c.CompanyID, c.ProjectID)
	found, err := r.DB.BatchGet(ctx, []dynamo.Ref{company, project})
	if err != nil {
		return false, err
	}
	var of conversationsmodel.Company
	var p conversationsmodel.Project
	if company.Found(found) == nil || project.Found(found) == nil {
		return false, nil
	}
	err = errors.Join(dynamo.Unmarshal(company.Found(found), &of), dynamo.Unmarshal(project.Found(found), &p))
	if err != nil {
		return false, err
	}
	return of.TenantID == c.TenantID && of.Active && p.ProjectStatus == conversationsmodel.ProjectActive &&
		conversationsmodel.AssistantIn(p.AIConfig) != "", nil
}

// Waiting has the inbox show that a conversation waits for a person of the company.
func (r *Replies) Waiting(ctx context.Context, c conversationsmodel.Conversation) error {
	if c.PhoneNumberID == "" {
		return nil
	}
	return orNone(r.Inbox.NeedsPerson(ctx, c.PhoneNumberID, c.Customer))
}

// orNone returns no error if the person has neither written nor got a message on WhatsApp.
func orNone(err error) error {
	if errors.Is(err, inbox.ErrNoConversation) {
		return nil
	}
	return err
}

// Complete ends a conversation.
func (r *Replies) Complete(ctx context.Context, key keys.Key) (conversationsmodel.Conversation, error) {
	return r.change(ctx, key, func(c *conversationsmodel.Conversation) (bool, error) {
		return talks.Move(c, conversationsmodel.Completed)
	})
}

// HandOver has a person of the company go on with a conversation.
func (r *Replies) HandOver(ctx context.Context, key keys.Key, reason string) (conversationsmodel.Conversation, error) {
	return r.change(ctx, key, func(c *conversationsmodel.Conversation) (bool, error) {
		return talks.HandOff(c, reason)
	})
}

// HandBack ends that a person goes on with a conversation.
func (r *Replies) HandBack(ctx context.Context, key keys.Key) (conversationsmodel.Conversation, error) {
	return r.change(ctx, key, talks.HandBack)
}

// change changes a conversation, and has the inbox show whether it waits for a person. Both are repeated by a request
// that comes again.
func (r *Replies) change(ctx context.Context, key keys.Key,
	decide func(c *conversationsmodel.Conversation) (bool, error)) (conversationsmodel.Conversation, error) {
	c, err := r.Talks.Change(ctx, key, decide)
	if err != nil || c.PhoneNumberID == "" {
		return c, err
	}
	if c.Status == conversationsmodel.WithPerson {
		return c, r.Inbox.NeedsPerson(ctx, c.PhoneNumberID, c.Customer)
	}
	if waits, err := r.othersWait(ctx, c); err != nil || waits {
		return c, err
	}
	return c, orNone(r.Inbox.PersonDone(ctx, c.PhoneNumberID, c.Customer))
}

// othersWait reports whether another conversation of the company with the same person waits for a person of it. The
// inbox has one conversation for all of them.
func (r *Replies) othersWait(ctx context.Context, c conversationsmodel.Conversation) (bool, error) {
	const enough = 20
	list := talks.ByStatus(c.CompanyID, c.PrimaryChannel, conversationsmodel.WithPerson)
	waiting, _, err := r.Talks.Page(ctx, list, enough, "")
	return slices.ContainsFunc(waiting, func(other conversationsmodel.Conversation) bool {
		return other.ConversationID != c.ConversationID && other.Customer == c.Customer
	}), err
}
