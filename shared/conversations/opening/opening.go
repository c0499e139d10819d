// Package opening begins conversations: it checks a request, prepares the opening message by its channel, and stores
// the conversation together with the outbox event that sends the message. What becomes of the message settles into the
// conversation.
package opening

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// Version is that of the rules by which conversations are routed and their messages processed.
const Version = "1.0.0"

// Texting prepares messages by SMS: texting.Texting.
type Texting interface {
	Prepare(ctx context.Context, text texting.Text, found dynamo.Found) (eventID string, writes []dynamo.Write,
		err error)
}

// Mailing prepares emails: mailing.Mailing.
type Mailing interface {
	Prepare(ctx context.Context, email mailing.Email, found dynamo.Found) (eventID string, writes []dynamo.Write,
		err error)
}

// Contacts knows the people behind addresses: contacts.Contacts.
type Contacts interface {
	WhoHad(ctx context.Context, phone model.PhoneNumberID, address model.CustomerID,
		at model.Time) (model.CustomerID, error)
}

// Opening begins conversations.
type Opening struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Domain   string // in the purpose of messages
	Talks    *talks.Talks
	Sender   sending.Preparer
	Texting  Texting
	Mailing  Mailing
	Contacts Contacts
}

// Request asks for a conversation.
type Request struct {
	Tenant              model.TenantID
	Company, Project    model.Name
	ID                  model.Name
	Channel             model.Channel
	Tel, Email          model.Name // "" for none
	FirstName, LastName string
	Data                model.Document
	Consent             bool
	At                  string // when the caller's own system was asked; "" if it does not say
}

// ErrRefused means that a request breaks a rule.
var ErrRefused = errors.New("the conversation is refused")

func refused(code, title, detail string, values ...any) error {
	return problem.Breaks(ErrRefused, code, title, detail, values...)
}

// Open begins a conversation. A request that is repeated with its key finds the conversation that it has begun. It
// returns ErrRefused, the errors of sending.Sender.Prepare, and dynamo.ErrNotFound if there is no such company or
// project.
func (o *Opening) Open(ctx context.Context, r Request,
	key idempotency.Request) (c conversationsmodel.Conversation, err error) {
	if err := check(r); err != nil {
		return c, err
	}
	return c, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		d := draft{Opening: o, request: r}
		refs := append(key.Refs(), companies.Ref(r.Company), companies.ProjectRef(r.Company, r.Project), d.ref())
		found, err := o.DB.BatchGet(ctx, refs)
		if err != nil {
			return err
		}
		if again, err := key.Earlier(found, o.Now(), &struct{}{}); again || err != nil {
			if err == nil {
				err = decode(found, d.ref(), &c) // it may have been erased since
			}
			return err
		}
		if err := d.read(found); err != nil {
			return err
		}
		writes, err := d.writes(ctx)
		if err != nil {
			return err
		}
		record, err := key.Writes(o.Now(), struct{}{})
		if err != nil {
			return err
		}
		c = d.talk
		return dynamo.Conflict(o.DB.Transact(ctx, append(writes, record...)))
	})
}

// check returns why a request is refused, by what it says itself.
func check(r Request) error {
	switch {
	case !r.Consent:
		return refused("no-consent", "No consent", "The person has not consented to be written to.")
	case address(r) == "":
		return refused("no-recipient-address", "No address of the person",
			"The request names no address of the person on the channel %s.", r.Channel)
	}
	return companies.CheckMap("projectData", r.Data)
}

// address returns the person's address on the channel of a request; "" for none.
func address(r Request) model.Name {
	if r.Channel == model.ChannelEmail {
		return r.Email
	}
	return r.Tel
}

// draft is a conversation that is about to begin.
type draft struct {
	*Opening
	request Request
	company conversationsmodel.Company
	project conversationsmodel.Project
	talk    conversationsmodel.Conversation
}

func (d *draft) ref() dynamo.Ref {
	return talks.Ref(keys.Talk(d.request.Company, d.request.Project, d.request.ID, address(d.request)))
}

// read takes over the company and the project, and checks the request by them.
func (d *draft) read(found dynamo.Found) error {
	r := d.request
	if err := decode(found, companies.Ref(r.Company), &d.company); err != nil {
		return err
	}
	if err := decode(found, companies.ProjectRef(r.Company, r.Project), &d.project); err != nil {
		return err
	}
	switch {
	case d.company.TenantID != r.Tenant:
		return dynamo.ErrNotFound
	case !d.company.Active:
		return refused("company-inactive", "Company inactive", "The company begins no conversations.")
	case d.project.ProjectStatus != conversationsmodel.ProjectActive:
		return refused("project-inactive", "Project inactive", "The project begins no conversations.")
	case !slices.Contains(d.project.AllowedChannels, r.Channel):
		return refused("channel-not-allowed", "Channel not allowed", "The project does not allow the channel %s.",
			r.Channel)
	case d.ref().Found(found) != nil:
		return refused("conversation-exists", "Conversation exists",
			"There is a conversation with this person for the request %s.", r.ID)
	}
	d.talk = Begin(d.company, d.project, d.Now())
	d.talk.RequestID, d.talk.ChannelMethod, d.talk.RecipientTel, d.talk.RecipientEmail = r.ID, r.Channel, r.Tel, r.Email
	d.talk.RecipientFirstName, d.talk.RecipientLastName, d.talk.ProjectData = r.FirstName, r.LastName, r.Data
	d.talk.CommsConsent, d.talk.RequestedAt = r.Consent, r.At
	d.talk.SetKeys()
	return nil
}

// decode decodes what a batch has read. It returns dynamo.ErrNotFound for what is not there.
func decode(found dynamo.Found, ref dynamo.Ref, entity any) error {
	item := ref.Found(found)
	if item == nil {
		return dynamo.ErrNotFound
	}
	return dynamo.Unmarshal(item, entity)
}

// Begin returns a conversation of a project, with what it copies of the company and the project.
func Begin(c conversationsmodel.Company, p conversationsmodel.Project, now time.Time) conversationsmodel.Conversation {
	return conversationsmodel.Conversation{
		TenantID: c.TenantID, CompanyID: c.Company, ProjectID: p.Project, Status: conversationsmodel.Processing,
		Messages: []conversationsmodel.Entry{}, CreatedAt: model.At(now), UpdatedAt: model.At(now),
		ProcessorVersion: Version, RouterVersion: Version,
		CompanyName: c.CompanyName, CompanyRep: c.CompanyRep, ChannelConfig: c.ChannelConfig,
		PhoneNumberID: c.PhoneNumberID, ProjectName: p.ProjectName, ProjectStatus: p.ProjectStatus,
		AllowedChannels: p.AllowedChannels, AIConfig: p.AIConfig, Rules: p.Rules,
		ExpiresAfterHours: p.ExpiresAfterHours,
	}
}

// writes returns the transaction that begins the conversation: the conversation and the message. It does not check that
// company and project are as they were read: all conversations of a company that begin at the same time would wait for
// each other.
func (d *draft) writes(ctx context.Context) ([]dynamo.Write, error) {
	send := map[model.Channel]func(context.Context) (string, []dynamo.Write, error){
		model.ChannelWhatsApp: d.whatsApp, model.ChannelSMS: d.sms, model.ChannelEmail: d.email,
	}[d.request.Channel] // a project allows no other
	said, message, err := send(ctx)
	if err != nil {
		return nil, err
	}
	own, err := d.Talks.Write(&d.talk, conversationsmodel.Entry{
		EntryID: string(d.messageID()), MessageTimestamp: d.talk.CreatedAt, Role: conversationsmodel.Assistant,
		Content: said, SentBy: d.Domain,
	})
	if err != nil {
		return nil, err
	}
	return append(own, message...), nil
}

// messageID returns the id of the opening message. It follows from the conversation, so there cannot be two.
func (d *draft) messageID() model.MessageID {
	return model.MessageID(idempotency.Hash("conversation", d.talk.ConversationID, string(d.talk.PrimaryChannel)))
}

func (d *draft) purpose() model.Purpose { return model.PurposeOf(d.Domain, d.talk.Reference()) }
