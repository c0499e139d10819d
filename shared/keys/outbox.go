package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// OutboxEvent returns the key of an outbox event.
func OutboxEvent(eventID string) Key { return Key{PartitionName: "eventId", Partition: eventID} }

// OutboxSequence returns the key of an entity's sequence.
func OutboxSequence(sequenceID string) Key {
	return Key{PartitionName: "sequenceId", Partition: sequenceID}
}

// OutboxEntityKey returns the text that identifies a sequence's entity: {ecosystemId}:{entityType}:{entityId}.
func OutboxEntityKey(tenant model.TenantID, entityType, entityID string) string {
	return string(tenant) + ":" + entityType + ":" + entityID
}

// OutboxSequenceID returns the hash of an entity key, 32 hex digits.
func OutboxSequenceID(entityKey string) string { return shortHash(entityKey) }

// The lanes. Each has a function of its own, and one more function sends the events that are in no lane.
const (
	// LaneSlow is the lane of what takes long, each for up to a minute: files, papers, listings of templates, SMS,
	// emails, the answers of assistants by rules, calls of companies' own servers, and events that subscriptions are
	// told; and of what may come some minutes late: the ends of conversations.
	LaneSlow = "slow"
	// LaneModel is the lane of questions to language models. A model may hang for most of a minute, and many may hang
	// at once, so nothing else waits for them.
	LaneModel = "model"
)

// lanes says in which lane the events of an entity are, by the type of the entity. One that is not there is in none.
var lanes = map[string]string{
	EntityFile: LaneSlow, EntityTemplates: LaneSlow, EntitySMS: LaneSlow, EntityEmail: LaneSlow, EntityPaper: LaneSlow,
	EntityAnalytics: LaneSlow, EntityCampaign: LaneSlow, EntityLibrary: LaneSlow,
	EntityPayment: LaneSlow, EntityTenant: LaneSlow, EntityWebhooks: LaneSlow,
	EntityNumber:  LaneSlow,
	EntityCatalog: LaneSlow,
	EntityGroup:   LaneSlow, EntityWhatsAppCall: LaneSlow,
	EntityFlow:      LaneSlow,
	EntityTurn:      LaneSlow,
	EntityExpiry:    LaneSlow,
	EntityCall:      LaneSlow,
	EntityAssigning: LaneSlow,
	EntityEvent:     LaneSlow, EntityDelivery: LaneSlow, EntitySubscriptions: LaneSlow, EntityPush: LaneSlow,
	EntityModel: LaneModel,
}

// LaneFor returns the lane of an entity's events, by its type; "" for none.
func LaneFor(entityType string) string { return lanes[entityType] }

// EntitiesWithLanes returns the types of the entities whose events are in a lane, sorted.
func EntitiesWithLanes() []string { return slices.Sorted(maps.Keys(lanes)) }

// The types of entities: a file, an account's templates, what it looks for in Meta's library of templates, an SMS to a
// customer, an email to a person, a paper that a customer has asked for, a turn of a conversation that an assistant
// answers, the question to a language model that follows from it, the end of a conversation in which nobody writes any
// more, a call of a company's own server, what
// follows from a chat of a community, what a bridge mirrors in one direction, the end of a chat or a community, what
// somebody has written in a chat and that waits to be posted, a tenant that is disabled or enabled, the webhooks of an
// account, an order that a customer pays through WhatsApp, or a way in which they do, the count of the messages of a
// day, what Meta keeps of a number, a product catalogue or a flow at Meta, and what a store sells.
const (
	EntityAnalytics = "analytics"
	EntityAssigning = "assigning" // a message in a conversation that is to get a colleague
	// EntityCampaign is a campaign that sends or counts, EntityCampaignDue one that waits until it is time to.
	EntityCampaign    = "campaign"
	EntityCampaignDue = "campaign.due"
	EntityBridge      = "bridge"
	EntityCall        = "call"
	EntityChat        = "chat"
	EntityClosing     = "closing"
	EntityDraft       = "draft"
	EntityExpiry      = "expiry"
	EntityNumber      = "number"
	EntityPayment     = "payment"
	EntityTenant      = "tenant"
	EntityTurn        = "turn"
	EntityWebhooks    = "webhooks"
	EntityModel       = "model"
	EntityFile        = "file"
	EntitySMS         = "sms"
	EntityEmail       = "email"
	EntityPaper       = "paper"
	EntityTemplates   = "whatsapp.templates"
	EntityLibrary     = "whatsapp.library"
	EntityCatalog     = "catalog"
	EntityFlow        = "flow"
	EntityShelf       = "shelf"
	// EntityGroup is a group of WhatsApp, EntityWhatsAppCall a customer whose calls through WhatsApp are ended.
	EntityGroup        = "group"
	EntityWhatsAppCall = "whatsapp.call"
	// EntityEvent is an event that is told outside, EntityDelivery one that is told to one subscription, and
	// EntitySubscriptions the subscriptions of a tenant, of which the domains have to know.
	EntityEvent         = "event"
	EntityDelivery      = "event.delivery"
	EntitySubscriptions = "event.subscriptions"
	// EntityPush is an event of which one browser is notified.
	EntityPush = "event.push"
)

// InLane returns the id of a sequence whose events belong to a lane. "" is the lane of everything that has none of its
// own.
func InLane(lane, sequenceID string) string {
	if lane == "" {
		return sequenceID
	}
	return lane + "." + sequenceID
}

// LaneOf returns the lane in the id of a sequence or an event.
func LaneOf(id string) string {
	lane, _, found := strings.Cut(id, ".")
	if !found {
		return ""
	}
	return lane
}

// shortHash returns a hash of a text, 32 hex digits.
func shortHash(text string) string {
	sum := hashOf(text)
	return hex.EncodeToString(sum[:16])
}

func hashOf(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// OutboxEventID returns the id of an event from its sequence and number, so that reading the next event of an entity is
// a get, not a query.
func OutboxEventID(sequenceID string, number int64) string {
	return fmt.Sprintf("%s-%010d", sequenceID, number)
}

// WhatsAppEntityID returns the entity id of everything sent from one number to one customer, in every domain.
func WhatsAppEntityID(phone model.PhoneNumberID, customer model.CustomerID) string {
	return string(phone) + ":" + string(customer)
}

// WhatsAppEntity returns the ids in the entity id of a WhatsApp event. It returns false for any other entity id.
func WhatsAppEntity(id string) (phone model.PhoneNumberID, customer model.CustomerID, ok bool) {
	before, after, found := strings.Cut(id, ":")
	phone, err := model.ParsePhoneNumberID(before)
	return phone, model.CustomerID(after), found && err == nil && after != ""
}

// Joined returns the value of a composite index key: its parts joined by #. Every composite key is built here, so that
// the parts and the whole always agree.
func Joined(first model.Time, id string) string { return string(first) + "#" + id }
