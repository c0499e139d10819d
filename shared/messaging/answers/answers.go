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
	"github.com/haatline/haatline/shared/identity"
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

// addressForm is the name of the form by which WhatsApp asks for an address.
const addressForm = "address_message"

const maxText = 1024 // bytes of one field of an address

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
	entity, err := s.entityOf(ctx, m)
	if err != nil {
		return err
	}
	item, err := dynamo.Marshal(entity)
	if err != nil {
		return err
	}
	err = s.DB.Transact(ctx, []dynamo.Write{
		dynamo.Check{Table: tables.Messages, Key: keys.Message(m.ID), If: model.MessageStored},
		dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent},
	})
	var canceled *dynamo.TransactionCancelled
	if errors.As(err, &canceled) && canceled.AnyConditionFailed() {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep answers: %w", err)
	}
	return nil
}

// entityOf returns the item of a message's answers: an address, or the response to a form.
func (s *Answers) entityOf(ctx context.Context, m inbound.Message) (any, error) {
	id, customer := model.Name(m.ID), numberOf(m)
	if m.Choice.ID == addressForm {
		return address(m, id, customer), nil
	}
	flow, err := s.flowOf(ctx, m)
	if err != nil {
		return nil, err
	}
	data := whatsapp.Text(m.Choice.Answers).Object()
	return model.FlowResponse{
		PK: keys.FlowResponse(flow, id).Partition, ItemType: model.ItemFlowResponse, FlowID: string(flow),
		ResponseID:    string(id),
		CustomerPhone: string(customer), ScreenID: model.Truncate(data.Text("screen"), maxText),
		Data:        model.DocumentOf(m.Choice.Answers),
		CompletedAt: m.At, CreatedAt: m.At, PhoneNumberID: m.Phone,
	}, nil
}

// numberOf returns the customer's number, or another identifier where they show none.
func numberOf(m inbound.Message) model.CustomerID {
	for _, id := range m.Customers {
		if identity.IsNumber(id) {
			return id
		}
	}
	return identity.IdentifierIn(m.Customer)
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

// address returns the address of a message. Countries name its parts differently: what is finer than the street goes
// before it.
func address(m inbound.Message, id model.Name, customer model.CustomerID) model.Address {
	answers := whatsapp.Text(m.Choice.Answers).Object()
	values := answers.Object("values")
	if values == nil {
		values = answers
	}
	text := func(names ...string) string {
		for _, name := range names {
			if value := values.Text(name); value != "" {
				return model.Truncate(value, maxText)
			}
		}
		return ""
	}
	var lines []string
	for _, name := range []string{
		"house_number", "floor_number", "tower_number", "building_name", "address", "landmark_area"} {
		if line := text(name); line != "" {
			lines = append(lines, line)
		}
	}
	return model.Address{
		PK: keys.Address(customer, id).Partition, ItemType: model.ItemAddress, CustomerPhone: string(customer),
		AddressID: string(id),
		Name:      text("name"), PhoneNumber: text("phone_number"), Address: strings.Join(lines, ", "),
		City:       text("city"),
		State:      text("state"),
		PostalCode: text("in_pin_code", "sg_post_code", "postal_code", "pin_code", "zip_code"),
		Country:    text("country"),
		CreatedAt:  m.At, PhoneNumberID: m.Phone,
	}
}
