package papers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// EventType is the type of the outbox events that have a paper made and sent.
const EventType = "whatsapp.paper"

// Asked is a paper that a customer has asked for. It is the payload of the outbox event: it holds no texts and no
// names.
type Asked struct {
	Tenant   model.TenantID      `json:"-"`
	Kind     string              `json:"kind"` // the domain that makes it, a dot, and what it is
	Store    model.Name          `json:"store"`
	Of       model.Name          `json:"of,omitempty"` // the order that it is about; "" for the customer's account
	Phone    model.PhoneNumberID `json:"phoneNumberId"`
	Customer model.CustomerID    `json:"customer"`  // in the conversation's key
	Message  model.MessageID     `json:"messageId"` // the message that asks for it
	Language string              `json:"language,omitempty"`
}

// message returns the id of the message that brings the paper. It follows from the message that asks, so that a paper
// is sent once.
func (a Asked) message() model.MessageID {
	return model.MessageID(idempotency.Hash("paper", string(a.Message)))
}

func (a Asked) entity() outbox.Entity { return entity(a.Tenant, a.Phone, a.Customer) }

func entity(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) outbox.Entity {
	return outbox.Entity{Tenant: tenant, Type: keys.EntityPaper, ID: keys.WhatsAppEntityID(phone, customer)}
}

// Desk takes what customers ask for.
type Desk struct {
	DB     *dynamo.Client
	Outbox *outbox.Outbox
}

// Ask returns the writes that have a paper made and sent, for the transaction of the answer to the message that asks.
// Their condition is that the customer has asked for no other paper meanwhile.
func (d *Desk) Ask(ctx context.Context, of Asked) ([]dynamo.Write, error) {
	payload, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	to := of.entity()
	sequence := outbox.SequenceRef(to.Tenant, to.Type, to.ID)
	found, err := d.DB.BatchGet(ctx, []dynamo.Ref{sequence})
	if err != nil {
		return nil, fmt.Errorf("ask for a paper: %w", err)
	}
	_, writes, err := d.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: EventType, Tenant: to.Tenant, EntityType: to.Type, EntityID: to.ID, Payload: payload,
	})
	return writes, err
}

// Erase removes the papers that customers have asked for. count returns the writes by which an erasure counts them. It
// returns outbox.ErrLeased while a paper is being made.
func (d *Desk) Erase(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	customers []model.CustomerID, count func(name string, n int) []dynamo.Write) error {
	for _, customer := range customers {
		_, err := d.Outbox.Erase(ctx, entity(tenant, phone, customer),
			func(_ context.Context, removed []model.OutboxEvent) ([]dynamo.Write, error) {
				return count(sending.CountEvents, len(removed)), nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// Contacts knows who somebody is now. contacts.Contacts implements it.
type Contacts interface {
	StillTheirs(
		ctx context.Context, phone model.PhoneNumberID, customer, address model.CustomerID,
	) (to contacts.Addressee, theirs bool, err error)
}

// Maker makes papers of one kind. It returns ErrGone for a paper that cannot be made any more.
type Maker func(ctx context.Context, of Asked) (Paper, error)

// ErrGone means that what a paper is about is not there any more.
var ErrGone = errors.New("what the paper is about is not there any more")

// domainOf returns the domain that makes a kind of paper.
func domainOf(kind string) string {
	domain, _, _ := strings.Cut(kind, ".")
	return domain
}

// Handlers returns the handler of the events. It is one of the slow lane. makers are by the kind of the paper.
func (p *Post) Handlers(makers map[string]Maker) map[string]outbox.Handler {
	return map[string]outbox.Handler{EventType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			of := Asked{Tenant: event.EcosystemID}
			if err := json.Unmarshal(event.Payload, &of); err != nil || makers[of.Kind] == nil {
				return "", &outbox.Failure{Reason: "the stored request cannot be read", Attempts: 1}
			}
			err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error { return p.send(ctx, of, makers[of.Kind]) })
			if err != nil && !sending.IsRefusal(err) && !errors.Is(err, ErrGone) {
				return "", &outbox.Failure{
					Reason: "the paper could not be made", Class: "paper", Attempts: 10, Wait: time.Minute}
			}
			return "", nil // a paper that may not be sent is not sent
		},
	}}
}

// send makes one attempt. It sends nothing if the message that asks was erased, and nothing twice.
func (p *Post) send(ctx context.Context, of Asked, maker Maker) error {
	asked := dynamo.Ref{Table: tables.Messages, Key: keys.Message(of.Message)}
	sent := dynamo.Ref{Table: tables.Messages, Key: keys.Message(of.message())}
	found, err := p.DB.BatchGet(ctx, []dynamo.Ref{asked, sent})
	if err != nil || !inbox.IsMessage(asked.Found(found)) || sent.Found(found) != nil {
		return err
	}
	to, _, err := p.Contacts.StillTheirs(ctx, of.Phone, of.Customer, of.Customer)
	if err != nil {
		return err
	}
	of.Customer = to.Customer() // a person may have got another key meanwhile
	paper, err := maker(ctx, of)
	if err != nil {
		return err
	}
	prepared, _, err := p.Prepare(ctx, &Letter{
		Paper: paper, Tenant: of.Tenant, Phone: of.Phone, Customer: of.Customer, By: domainOf(of.Kind),
		MessageID: of.message(), MediaID: model.MediaID(of.message())})
	if err != nil {
		return err
	}
	return dynamo.Conflict(p.DB.Transact(ctx, prepared.Writes))
}
