// Package answers owns what customers fill in: the answers of forms, and addresses. It reads them from messages.
package answers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Answers keeps filled-in forms and addresses.
type Answers struct {
	DB  *dynamo.Client
	Now func() time.Time
}

const maxText = 1024 // bytes of the name of a screen

// Subscription is the subscription that keeps what a customer has filled in. It claims nothing: a domain may act on the
// answers.
func (s *Answers) Subscription() inbound.Subscription {
	return inbound.Subscription{
		Domain: "answers",
		Wants:  func(m inbound.Message) bool { return m.Choice != nil && m.Choice.Kind == inbound.ChoiceFlow },
		React:  func(ctx context.Context, m inbound.Message) (bool, error) { return false, s.keep(ctx, m) },
	}
}

// keep stores the answers of a message. Its conditions are that the message is there, so that what is erased does not
// come back, and that the answers are not stored yet.
func (s *Answers) keep(ctx context.Context, m inbound.Message) error {
	entities, err := s.entitiesOf(ctx, m)
	if err != nil {
		return err
	}
	writes := []dynamo.Write{
		dynamo.Check{Table: tables.Messages, Key: keys.Message(m.ID), If: model.MessageStored}}
	for _, entity := range entities {
		item, err := dynamo.Marshal(entity)
		if err != nil {
			return err
		}
		writes = append(writes, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent})
	}
	err = s.DB.Transact(ctx, writes)
	var canceled *dynamo.TransactionCancelled
	if errors.As(err, &canceled) && canceled.AnyConditionFailed() {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep answers: %w", err)
	}
	return nil
}

// entitiesOf returns the items of a message's answers: an address, the response to a form, or both if a domain's form
// has asked for an address.
func (s *Answers) entitiesOf(ctx context.Context, m inbound.Message) (all []any, err error) {
	id, customer := model.Name(m.ID), m.Identifier()
	if sent := m.Address(); sent != nil {
		all = append(all, addressOf(*sent, m, id, customer))
	}
	if m.Choice.ID == inbound.AddressForm {
		return all, nil
	}
	flow, err := s.flowOf(ctx, m)
	if err != nil {
		return nil, err
	}
	data := whatsapp.Text(m.Choice.Answers).Object()
	return append(all, model.FlowResponse{
		PK: keys.FlowResponse(flow, id).Partition, ItemType: model.ItemFlowResponse, FlowID: string(flow),
		ResponseID:    string(id),
		CustomerPhone: string(customer), ScreenID: model.Truncate(data.Text("screen"), maxText),
		Data:        model.DocumentOf(m.Choice.Answers),
		CompletedAt: m.At, CreatedAt: m.At, PhoneNumberID: m.Phone,
	}), nil
}

// flowOf returns the id of the form that a message answers. Only the message that asked for it names it; otherwise it
// is WhatsApp's word.
func (s *Answers) flowOf(ctx context.Context, m inbound.Message) (model.Name, error) {
	fallback, err := model.Parse[model.Name](m.Choice.ID)
	if err != nil {
		fallback = "flow"
	}
	if m.InReplyTo == "" {
		return fallback, nil
	}
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.Message(m.InReplyTo)}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	var asked model.Message
	if err = errors.Join(err, dynamo.Unmarshal(ref.Found(found), &asked)); err != nil {
		return "", fmt.Errorf("read the form: %w", err)
	}
	var content whatsapp.Object
	_ = json.Unmarshal(asked.Content, &content)
	parameters := content.Object("interactive").Object("action").Object("parameters")
	if id, err := model.Parse[model.Name](
		cmp.Or(parameters.Text("flow_id"), parameters.Text("flow_name"))); err == nil &&
		strings.HasPrefix(asked.ConversationPK, keys.ConversationsOf(m.Phone)) {
		return id, nil
	}
	return fallback, nil
}

// addressOf returns the item of an address that a message has brought.
func addressOf(sent inbound.Address, m inbound.Message, id model.Name, customer model.CustomerID) model.Address {
	a := model.Address{
		PK: keys.Address(customer, id).Partition, ItemType: model.ItemAddress, CustomerPhone: string(customer),
		AddressID: string(id), Name: sent.Name, PhoneNumber: sent.PhoneNumber, Address: sent.Street, City: sent.City,
		State: sent.State, PostalCode: sent.PostalCode, Country: sent.Country, CreatedAt: m.At, PhoneNumberID: m.Phone,
		Version: 1,
	}
	if sent.Default {
		a.IsDefault, a.DefaultSince = true, m.At
	}
	return a
}
