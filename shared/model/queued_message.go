package model

import (
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A message that WhatsApp has not taken yet is stored without its direction and its inbox key, so that the indexes with
// few keys, gsi_direction and gsi_inbox, get it once, when it is sent. Its conversation has it from the beginning. One
// that WhatsApp has taken is stored without a state until WhatsApp tells of one, so that gsi_status gets it then.

// Conditions on whether a message is stored under an id.
const (
	MessageStored = "(attribute_exists(direction) OR attribute_exists(conversationPk))"
	NoMessage     = "attribute_not_exists(direction) AND attribute_not_exists(conversationPk)"
)

// Waits reports whether the message is one of ours that WhatsApp has not taken yet.
func (m Message) Waits() bool {
	return m.Direction == Outbound && m.DeliveryStatus == Queued && m.QueuedID == "" && m.OutboxEventID != "" &&
		m.ConversationPK != ""
}

// stored is a message as its item has it.
type stored Message

// MarshalDynamoDBAttributeValue implements attributevalue.Marshaler.
func (m Message) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	switch {
	case m.Waits():
		m.Direction, m.InboxPK = "", ""
	case m.taken() && m.DeliveryStatus == Queued:
		m.DeliveryStatus = ""
	}
	return attributevalue.Marshal(stored(m))
}

// UnmarshalDynamoDBAttributeValue implements attributevalue.Unmarshaler. Whatever is in a conversation without a
// direction waits to be sent.
func (m *Message) UnmarshalDynamoDBAttributeValue(item types.AttributeValue) error {
	if err := attributevalue.Unmarshal(item, (*stored)(m)); err != nil {
		return err
	}
	if m.Direction == "" && m.ConversationPK != "" {
		m.Direction = Outbound
	}
	if m.taken() && m.DeliveryStatus == "" {
		m.DeliveryStatus = Queued
	}
	return nil
}

// taken reports whether WhatsApp has taken the message, which has another id since then.
func (m Message) taken() bool { return m.Direction == Outbound && m.QueuedID != "" }
