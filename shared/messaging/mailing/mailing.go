// Package mailing takes messages to be sent by email: the third channel, beside WhatsApp and SMS. An email goes through
// the outbox's slow lane. The domain that has it sent is asked and told through the same hook as for its WhatsApp
// messages. Package posting sends.
package mailing

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// EventType is the type of the outbox events that send emails.
const EventType = "email.message"

// CountEmails is the count of an erasure's removed emails.
const CountEmails = "emails"

// Email is one email. It is the payload of its outbox event.
type Email struct {
	Tenant  model.TenantID `json:"-"`
	Purpose model.Purpose  `json:"purpose"` // the domain that has it sent, and its reference
	// From is an address of the company, to which people reply.
	From     string `json:"from"`
	FromName string `json:"fromName,omitempty"`
	// To is the person's address, and the key of the person. The emails of a tenant to one person keep their order.
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	// ReplyOf is the Message-ID that is answered, and Thread those of the conversation; "" and nil for none.
	ReplyOf string   `json:"replyOf,omitempty"`
	Thread  []string `json:"thread,omitempty"`
	// Automatic says that no person has written it.
	Automatic bool `json:"automatic,omitempty"`
	// Secret says that the text is for the person alone, such as a code by which they sign in. Operators do not see it.
	Secret bool `json:"secret,omitempty"`
}

// Mailing takes emails.
type Mailing struct {
	Sender *sending.Sender   // its outbox takes the emails, and its hooks are told about them
	List   *suppression.List // to whom none are sent
	// Returned publishes that an email has come back. It may be called again.
	Returned func(ctx context.Context, event model.OutboxEvent) error
}

// IsAddress reports whether the key of a person is an email address. No number and no user id has an @.
func IsAddress(person model.CustomerID) bool { return strings.Contains(string(person), "@") }

// EntityOf returns the outbox's entity of the emails of a tenant to one person.
func EntityOf(tenant model.TenantID, person model.CustomerID) outbox.Entity {
	return outbox.Entity{Tenant: tenant, Type: keys.EntityEmail, ID: string(person)}
}

// Refs returns the items that Prepare needs: the sequence of the emails to one person of a tenant, and whether their
// address is suppressed.
func Refs(tenant model.TenantID, to string) []dynamo.Ref {
	return []dynamo.Ref{outbox.SequenceRef(tenant, keys.EntityEmail, to), suppression.Ref(tenant, to)}
}

// Prepare returns the writes that have an email sent, and the id of its outbox event. found holds the items of Refs. It
// returns ErrSuppressed, and sending.ErrLeft if the person has asked to stop.
func (m *Mailing) Prepare(ctx context.Context, email Email,
	found dynamo.Found) (eventID string, writes []dynamo.Write, err error) {
	refs := Refs(email.Tenant, email.To)
	if err := refusals[suppression.Of(refs[1].Found(found))]; err != nil {
		return "", nil, err
	}
	payload, err := json.Marshal(email)
	if err != nil {
		return "", nil, err
	}
	event, writes, err := m.Sender.Outbox().Append(ctx, refs[0].Found(found), outbox.Draft{
		Type: EventType, Tenant: email.Tenant, EntityType: keys.EntityEmail, EntityID: email.To, Payload: payload,
	})
	return event.EventID, writes, err
}

// Of returns the email that an event sends.
func Of(event model.OutboxEvent) (email Email, err error) {
	err = json.Unmarshal(event.Payload, &email)
	return email, err
}

// Shown returns what an event holds as operators see it: without what an email or a WhatsApp message says that is for
// the person alone.
func Shown(event model.OutboxEvent) model.Document {
	email, err := Of(event)
	switch {
	case event.EventType != EventType:
		return sending.Shown(event)
	case err != nil || !email.Secret:
		return event.Payload
	}
	email.Text = ""
	shown, _ := json.Marshal(email) // texts and truth values can always be encoded
	return shown
}

// Still returns why an email is not sent any more, "" to send it.
func (m *Mailing) Still(ctx context.Context, event model.OutboxEvent) (why string, err error) {
	email, err := Of(event)
	if err != nil {
		return "", nil // the send says so
	}
	ref := suppression.Ref(event.EcosystemID, email.To)
	found, err := m.Sender.DB.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return "", err
	}
	if reason := suppression.Of(ref.Found(found)); reason != "" {
		return unwanted[reason], nil
	}
	hook, reference := sending.HookOf(m.Sender.Hooks, email.Purpose)
	if hook == nil || hook.Still == nil {
		return "", nil
	}
	return hook.Still(ctx, reference, event, contacts.Addressee{})
}

// Inform returns the writes of the domain that has an email sent.
func (m *Mailing) Inform(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	email, err := Of(event)
	if err != nil {
		return nil, nil // nobody can know whose it was
	}
	return m.Sender.InformOf(ctx, model.ChannelEmail, email.Purpose, event, outcome)
}

// Erase removes what was or is to be sent to people of a tenant by email. count returns the writes by which an erasure
// counts it. It returns outbox.ErrLeased while an email is being sent.
func (m *Mailing) Erase(
	ctx context.Context, tenant model.TenantID, people []model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	for _, person := range people {
		if !IsAddress(person) {
			continue
		}
		_, err := m.Sender.Outbox().Erase(ctx, EntityOf(tenant, person),
			func(_ context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
				return count(CountEmails, len(removed)), nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}
