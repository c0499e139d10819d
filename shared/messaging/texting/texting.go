// Package texting sends messages by SMS: the second channel beside WhatsApp. A text goes through the outbox's slow
// lane. The domain that has it sent is asked and told through the same hook as for its WhatsApp messages.
package texting

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventType is the type of the outbox events that send texts.
const EventType = "sms.message"

// CountTexts is the count of an erasure's removed texts.
const CountTexts = "texts"

// Text is one text. It is the payload of its outbox event.
type Text struct {
	Tenant  model.TenantID `json:"-"`
	Purpose model.Purpose  `json:"purpose"` // the domain that has it sent, and its reference
	// Customer is the key of the person. The texts to one person of a tenant keep their order.
	Customer model.CustomerID `json:"customer"`
	// Phone is the WhatsApp number that knows the person: the text is not sent if To has passed to somebody else there.
	// It is "" if the tenant has no such number.
	Phone model.PhoneNumberID `json:"phone,omitempty"`
	To    string              `json:"to"` // E.164
	// Wording and Language name the fixed text that Body is made from.
	Wording  string `json:"wording"`
	Language string `json:"language"`
	Body     string `json:"body"`

	// From is the company's own sender; "" for the tenant's, or else the stage's. Company is the company; "" for none.
	From    string     `json:"from,omitempty"`
	Company model.Name `json:"company,omitempty"`
	// Prepare fills these in: the ids of a registration in India.
	EntityID   string `json:"entityId,omitempty"`
	TemplateID string `json:"templateId,omitempty"`
}

// ErrNoSender means that a text names a sender that is not the company's, or not any more.
var ErrNoSender = errors.New("the sender is not the company's")

// Contacts knows whose a number is: contacts.Contacts.
type Contacts interface {
	StillTheirs(
		ctx context.Context, phone model.PhoneNumberID, customer, address model.CustomerID,
	) (to contacts.Addressee, theirs bool, err error)
}

// Texting accepts texts and sends them.
type Texting struct {
	Sender   *sending.Sender // its outbox takes the texts, and its hooks are told about them
	Contacts Contacts
}

// Refs returns the items that Prepare needs: the sequence of the texts to one person of a tenant, the tenant, and
// whether texts go to a number in E.164.
func Refs(tenant model.TenantID, customer model.CustomerID, to string) []dynamo.Ref {
	return []dynamo.Ref{sequenceRef(tenant, customer), tenantRef(tenant), suppression.Ref(tenant, to)}
}

func sequenceRef(tenant model.TenantID, customer model.CustomerID) dynamo.Ref {
	return outbox.SequenceRef(tenant, keys.EntitySMS, string(customer))
}

// Prepare returns the writes that have a text sent, and the id of its outbox event. found holds the items of Refs, and
// that of tenancy.SenderRef for a text that names its sender. It returns ErrNotRegistered for a text to India that is
// not registered there, ErrNoSender for a sender that is not the company's, and sending.ErrLeft if the person has asked
// to stop.
func (t *Texting) Prepare(ctx context.Context, text Text,
	found dynamo.Found) (eventID string, writes []dynamo.Write, err error) {
	if text.From != "" &&
		!tenancy.Sends(tenancy.SenderRef(model.Name(text.From)).Found(found), text.Tenant, text.Company) {
		return "", nil, ErrNoSender
	}
	if suppression.Of(suppression.Ref(text.Tenant, text.To).Found(found)) != "" {
		return "", nil, sending.ErrLeft
	}
	if err := register(&text, tenantRef(text.Tenant).Found(found)); err != nil {
		return "", nil, err
	}
	payload, err := json.Marshal(text)
	if err != nil {
		return "", nil, err
	}
	last := sequenceRef(text.Tenant, text.Customer).Found(found)
	event, writes, err := t.Sender.Outbox().Append(ctx, last, outbox.Draft{
		Type: EventType, Tenant: text.Tenant, EntityType: keys.EntitySMS, EntityID: string(text.Customer),
		Payload: payload,
	})
	return event.EventID, writes, err
}

// Client sends texts: sms.Client.
type Client interface {
	// Send returns the provider's id of the text.
	Send(ctx context.Context, text sms.Text) (id string, err error)
	// Sender returns from whom texts go that name no sender.
	Sender() string
}

// Handlers returns the handler of the outbox events that send texts. It is one of the slow lane.
func (t *Texting) Handlers(client Client) map[string]outbox.Handler {
	return map[string]outbox.Handler{EventType: {
		Send:  func(ctx context.Context, event model.OutboxEvent) (string, error) { return send(ctx, client, event) },
		Pace:  func(event model.OutboxEvent) outbox.Pace { return pace(client, event) },
		Still: t.still, Inform: t.inform,
	}}
}

// bucket is how fast texts go out from one sender. AWS takes 20 parts a second from most senders, and says so itself
// if a sender may send less.
var bucket = outbox.Bucket{Burst: 20, Every: 50 * time.Millisecond}

// SenderGroup returns the group of the outbox that holds all texts from a sender. A stop of it holds up nothing that
// goes by another channel or from another sender.
func SenderGroup(from string) string { return "sms:" + from }

func pace(client Client, event model.OutboxEvent) outbox.Pace {
	text, _ := textOf(event) // send says what cannot be read
	return outbox.Pace{Group: bucket, GroupKey: SenderGroup(cmp.Or(text.From, client.Sender()))}
}

// send sends one text. AWS cannot detect duplicates, so a text is not sent again if the result of an attempt is
// unknown. A person may replay it.
func send(ctx context.Context, client Client, event model.OutboxEvent) (string, error) {
	text, err := textOf(event)
	if err != nil {
		return "", &outbox.Failure{Reason: "the stored SMS cannot be read", Attempts: 1}
	}
	if event.PossibleDuplicate {
		return "", sending.Unknown("SMS")
	}
	id, err := client.Send(ctx, sms.Text{
		From: text.From, To: text.To, Body: text.Body, EntityID: text.EntityID, TemplateID: text.TemplateID,
	})
	var refused *sms.Refused
	switch {
	case err == nil:
		return id, nil
	case !errors.As(err, &refused):
		return "", sending.Unknown("SMS")
	}
	return "", refusals[refused.Meaning()].Failure(refused.Error(), event)
}

// refusals are what follows from AWS's refusals.
var refusals = map[sms.Meaning]sending.Refusal{
	sms.Never: sending.Never, sms.Later: sending.Later, sms.TooFast: sending.TooFast, sms.Stopped: sending.Stopped,
	sms.OptedOut: sending.Left,
}

func textOf(event model.OutboxEvent) (text Text, err error) {
	err = json.Unmarshal(event.Payload, &text)
	return text, err
}

// still returns why a text is not sent any more, "" to send it. An opt-out on WhatsApp counts for WhatsApp alone, and
// one by SMS for texts. AWS keeps who has opted out of texts, too, and refuses a text to them.
func (t *Texting) still(ctx context.Context, event model.OutboxEvent) (unwanted string, err error) {
	text, err := textOf(event)
	if err != nil {
		return "", nil // send says so
	}
	left, sender := suppression.Ref(event.EcosystemID, text.To), tenancy.SenderRef(model.Name(text.From))
	refs := []dynamo.Ref{left}
	if text.Company != "" {
		refs = append(refs, sender)
	}
	found, err := t.Sender.DB.BatchGet(ctx, refs)
	switch {
	case err != nil:
		return "", err
	case suppression.Of(left.Found(found)) != "":
		return sending.OptedOut, nil
	case text.Company != "" && !tenancy.Sends(sender.Found(found), event.EcosystemID, text.Company):
		return sending.NotOurs, nil
	}
	var to contacts.Addressee
	if text.Phone != "" {
		theirs := false
		to, theirs, err = t.Contacts.StillTheirs(ctx, text.Phone, text.Customer,
			model.CustomerID(whatsapp.Digits(text.To)))
		switch {
		case err != nil:
			return "", err
		case !theirs:
			return sending.PassedOn, nil
		}
	}
	hook, reference := sending.HookOf(t.Sender.Hooks, text.Purpose)
	if hook == nil || hook.Still == nil {
		return "", nil
	}
	return hook.Still(ctx, reference, event, to)
}

// inform returns the writes of the domain that has a text sent.
func (t *Texting) inform(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
	text, err := textOf(event)
	if err != nil {
		return nil, nil // nobody can know whose it was
	}
	return t.Sender.InformOf(ctx, model.ChannelSMS, text.Purpose, event, outcome)
}

// Erase removes what was or is to be sent to people of a tenant by SMS. count returns the writes by which an erasure
// counts it. It returns outbox.ErrLeased while a text is being sent.
func (t *Texting) Erase(
	ctx context.Context, tenant model.TenantID, customers []model.CustomerID,
	count func(name string, n int) []dynamo.Write,
) error {
	for _, customer := range customers {
		of := outbox.Entity{Tenant: tenant, Type: keys.EntitySMS, ID: string(customer)}
		_, err := t.Sender.Outbox().Erase(ctx, of,
			func(_ context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
				return count(CountTexts, len(removed)), nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}
