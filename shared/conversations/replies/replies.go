// Package replies finds the conversation to which a person's message belongs, and lets people of the company answer in
// conversations, end them, and hand them over and back.
package replies

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// Contacts knows the people behind addresses: contacts.Contacts.
type Contacts interface {
	Current(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (*model.Conversation, error)
}

// Inbox shows which conversations wait for a person: inbox.Inbox.
type Inbox interface {
	NeedsPerson(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
	PersonDone(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) error
}

// Numbers knows which company's conversations go by a number: tenancy.Numbers.
type Numbers interface {
	CompanyOf(ctx context.Context, phone model.PhoneNumberID) (company model.Name, tenant model.TenantID, err error)
}

// Turns has an assistant answer.
type Turns interface {
	// Queue returns the writes by which an assistant gets a person's message to answer. They commit with the message.
	// It returns none if no assistant answers in the conversation.
	Queue(ctx context.Context, c conversationsmodel.Conversation, said conversationsmodel.Entry) ([]dynamo.Write, error)
}

// Replies takes what people write, and what people of the company answer.
type Replies struct {
	DB        *dynamo.Client
	Now       func() time.Time
	Domain    string // in the purpose of messages
	Talks     *talks.Talks
	Companies *companies.Companies
	Sender    sending.Preparer
	Texting   Texting
	Mailing   Mailing
	Contacts  Contacts
	Inbox     Inbox
	Numbers   Numbers
	// Turns is nil if there is no assistant. Then every reply waits for a person.
	Turns Turns
}

// Why a conversation waits for a person whom nobody has asked for.
const noAssistant = "no assistant answers"

// Subscription reacts to what people write to a company's number or address. A message by WhatsApp that belongs to no
// conversation stays in the inbox, and one by SMS or email in the log.
func (r *Replies) Subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: r.Domain, Claims: true, React: r.react,
		Channels: []model.Channel{model.ChannelWhatsApp, model.ChannelSMS, model.ChannelEmail},
		Wants: func(m inbound.Message) bool {
			changes := m.Kind == "edit" || m.Kind == "revoke"
			return m.Live && m.Business != "" && m.Kind != "reaction" && changes == (m.Retracts != "")
		},
	}
}

// arrived is a message that has come to a company's number.
type arrived struct {
	*Replies
	inbound.Message
	company  conversationsmodel.Company
	marker   conversationsmodel.Reply // that says that the person has changed it; the zero value if there is none
	editedAt model.Time
}

func (r *Replies) react(ctx context.Context, m inbound.Message) (claimed bool, err error) {
	if m.Retracts != "" {
		return false, r.follow(ctx, m)
	}
	id, tenant, err := r.companyOf(ctx, m)
	if err != nil || id == "" {
		return false, err
	}
	var talk conversationsmodel.Conversation
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		marker := replyRef(m.ID)
		found, err := r.DB.BatchGet(ctx, []dynamo.Ref{marker, companies.Ref(id)})
		if err != nil {
			return err
		}
		a := arrived{Replies: r, Message: m}
		if err := dynamo.Unmarshal(marker.Found(found), &a.marker); err != nil {
			return err
		}
		if a.marker.Talk != "" {
			talk, claimed, err = r.before(ctx, a.marker)
			return err
		}
		item := companies.Ref(id).Found(found)
		if item == nil || dynamo.Text(item, "tenant_id") != string(tenant) {
			return nil
		}
		if err := dynamo.Unmarshal(item, &a.company); err != nil {
			return err
		}
		talk, claimed, err = a.receive(ctx)
		return err
	})
	if err != nil || !claimed || !waits(talk, m.ID) {
		return claimed, err
	}
	if m.Channel != model.ChannelWhatsApp {
		return true, r.Waiting(ctx, talk)
	}
	return true, r.Inbox.NeedsPerson(ctx, m.Phone, m.Customer)
}

// companyOf returns the company that has the number or the address to which a message has come, and its tenant; "" for
// none.
func (r *Replies) companyOf(ctx context.Context, m inbound.Message) (company model.Name, tenant model.TenantID,
	err error) {
	if m.Channel == model.ChannelWhatsApp {
		return r.Numbers.CompanyOf(ctx, m.Phone)
	}
	if tenant, err = m.Tenant(ctx); err != nil {
		return "", "", err
	}
	if m.Channel == model.ChannelEmail {
		company, of, err := companies.MailboxOf(ctx, r.DB, m.Business)
		if err != nil || of != tenant {
			return "", "", err // another tenant's company has the address by now
		}
		return company, tenant, nil
	}
	sender, err := tenancy.SenderOf(ctx, r.DB, model.Name(m.Business))
	if err != nil || sender.TenantID != tenant {
		return "", "", err // the number has moved to another tenant since
	}
	return sender.CompanyID, tenant, nil
}

// waits reports whether a message is the one that a conversation with a person of the company waits to have answered.
func waits(c conversationsmodel.Conversation, message model.MessageID) bool {
	return c.Status == conversationsmodel.WithPerson && c.Pending == string(message)
}

// before returns the conversation to which a message was added before. It is the message's even if it is gone.
func (r *Replies) before(ctx context.Context,
	marker conversationsmodel.Reply) (c conversationsmodel.Conversation, is bool, err error) {
	key, _ := conversationsmodel.KeyOf(marker.Talk)
	if c, err = r.Talks.Get(ctx, key); errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	return c, true, err
}

func replyRef(id model.MessageID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Conversations, Key: keys.Reply(id)}
}

// receive adds the message to its conversation. It reports false if it belongs to none.
func (a arrived) receive(ctx context.Context) (c conversationsmodel.Conversation, is bool, err error) {
	if a.marker.Changes > 0 {
		if stays, err := a.reread(ctx); err != nil || !stays {
			return c, false, err
		}
	}
	if c, is, err = a.find(ctx); err != nil || !is {
		return c, false, err
	}
	entry := conversationsmodel.Entry{
		EntryID: string(a.ID), MessageTimestamp: a.At, Role: conversationsmodel.User, Content: said(a.Message),
		Pick: pick(a.Message), EditedAt: a.editedAt}
	c.Pending = entry.EntryID
	if a.Channel == model.ChannelEmail && len(a.EmailID) <= maxEmailID {
		c.EmailReplyOf = a.EmailID
	}
	more, err := a.answered(ctx, &c, entry)
	if err != nil {
		return c, false, err
	}
	own, err := a.Talks.Write(&c, entry)
	if err != nil {
		return c, false, err
	}
	marker, err := markerOf(conversationsmodel.Reply{Talk: c.Reference()}, a.ID, a.marker, a.Now())
	if err != nil {
		return c, false, err
	}
	return c, true, dynamo.Conflict(a.DB.Transact(ctx, slices.Concat(own, []dynamo.Write{marker}, more, a.Claim)))
}

// maxEmailID bounds the Message-ID that a conversation keeps of the person's email, in bytes: seven indexes copy it. An
// answer to an email with a longer one answers the company's first email.
const maxEmailID = 250

// markerLifetime is how long it is known to which conversation a message belongs: longer than the log can bring it
// again.
const markerLifetime = 37 * 24 * time.Hour

// changeLifetime is how long it is known that a message was changed which is in no conversation: whoever is adding it
// to one fails by it, and reads it again.
const changeLifetime = 24 * time.Hour

// markerOf returns the write of a message's marker. Its condition is that the message belongs to no conversation, and
// that the person has not changed it since the marker was read.
func markerOf(next conversationsmodel.Reply, id model.MessageID, was conversationsmodel.Reply,
	now time.Time) (dynamo.Put, error) {
	key := keys.Reply(id)
	next.PrimaryChannel, next.ConversationID, next.TTL = key.Partition, key.Sort, now.Add(markerLifetime).Unix()
	if next.Talk == "" {
		next.TTL = now.Add(changeLifetime).Unix()
	}
	item, err := dynamo.Marshal(next)
	put := dynamo.Put{Table: tables.Conversations, Item: item, If: "attribute_not_exists(primary_channel)"}
	if was.Changes > 0 {
		put.If = "attribute_not_exists(talk) AND changes = :changes"
		put.Values = dynamo.Item{":changes": dynamo.N(int64(was.Changes))}
	}
	return put, err
}

// answered has an assistant answer the message, or a person.
func (a arrived) answered(ctx context.Context, c *conversationsmodel.Conversation,
	entry conversationsmodel.Entry) ([]dynamo.Write, error) {
	if a.Turns != nil && !c.HandOffToHuman && c.Rules.Queues(c.PrimaryChannel) {
		writes, err := a.Turns.Queue(ctx, *c, entry)
		if err != nil {
			return nil, err
		}
		if len(writes) > 0 {
			_, err = talks.Move(c, conversationsmodel.AwaitingReply)
			return writes, err
		}
	}
	if c.HandOffToHuman {
		return nil, nil // a person goes on with it already
	}
	_, err := talks.HandOff(c, noAssistant)
	return nil, err
}

// said returns what a message says in words.
func said(m inbound.Message) string {
	text := cmp.Or(m.Text, m.Caption, m.Location.String())
	if text == "" && m.Choice != nil {
		text = m.Choice.Title
	}
	return cmp.Or(text, "["+m.Kind+"]")
}

// PickPrefix begins the ids of the buttons of conversations.
const PickPrefix = "conversations:"

// pick returns what a person has chosen by tapping a button of a conversation; "" for nothing.
func pick(m inbound.Message) string {
	if m.Choice == nil || m.Choice.Kind != inbound.ChoiceButton {
		return ""
	}
	if picked, own := strings.CutPrefix(m.Choice.ID, PickPrefix); own {
		return picked
	}
	return ""
}
