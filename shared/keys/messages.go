package keys

import "github.com/haatline/haatline/shared/model"

// The item types of the messages table that have a user. The contract lists 25: the others come with their domains. PHONE,
// ALIAS, ERASED, PERSON, WEBHOOK_CHUNK and WEBHOOK_SOURCE are additions.
var (
	message       = Pattern{"MESSAGE", []string{"MSG", "{waMessageId}"}}
	conversation  = Pattern{"CONVERSATION", []string{"CONV", "{phoneArnSuffix}", "{customerWaId}"}}
	tenant        = Pattern{"TENANT", []string{"TENANT", "{tenantId}"}}
	media         = Pattern{"MEDIA", []string{"MEDIA", "{mediaId}"}}
	webhookEvent  = Pattern{"WEBHOOK_EVENT", []string{"WEBHOOK", "{eventId}"}}
	webhookChunk  = Pattern{"WEBHOOK_CHUNK", []string{"WEBHOOK", "{eventId}", "CHUNK", "{number}"}}
	webhookSource = Pattern{"WEBHOOK_SOURCE", []string{"WEBHOOK_SOURCE", "{wabaId}", "{kind}"}}
	idempotency   = Pattern{"IDEMPOTENCY", []string{"IDEMPOTENCY", "{requestId}"}}
	phone         = Pattern{"PHONE", []string{"PHONE", "{phoneNumberId}"}}
	alias         = Pattern{"ALIAS", []string{"ALIAS", "{phoneArnSuffix}", "{identifier}"}}
	erasedItem    = Pattern{"ERASED", []string{"ERASED", "{phoneArnSuffix}", "{hash}"}}
	person        = Pattern{"PERSON", []string{"PERSON", "{subject}"}}
)

// MessagesPatterns lists every key form of the messages table.
func MessagesPatterns() []Pattern {
	return []Pattern{
		message, conversation, tenant, media, webhookEvent, webhookChunk, webhookSource, idempotency, phone, alias, erasedItem, person,
	}
}

// LogPrefixes are what the keys of the webhook log begin with: its entries and their chunks, and its sources. Who appends
// to the log needs no other item.
func LogPrefixes() []string {
	return []string{webhookEvent.Parts[0] + "#", webhookSource.Parts[0] + "#"}
}

// PK names the partition key of the messages table.
const PK = "pk"

// ByPK returns the key of an item of the messages table whose pk is known, for example from a row of an index.
func ByPK(pk string) Key { return Key{PartitionName: PK, Partition: pk} }

func Message(id model.MessageID) Key { return ByPK(message.with(string(id))) }
func Conversation(phone model.PhoneNumberID, customer model.CustomerID) Key {
	return ByPK(conversation.with(string(phone), string(customer)))
}
func Tenant(id model.TenantID) Key           { return ByPK(tenant.with(string(id))) }
func Media(id model.MediaID) Key             { return ByPK(media.with(string(id))) }
func WebhookEvent(id model.EventID) Key      { return ByPK(webhookEvent.with(string(id))) }
func Idempotency(requestHash model.Name) Key { return ByPK(idempotency.with(string(requestHash))) }
func Phone(id model.PhoneNumberID) Key       { return ByPK(phone.with(string(id))) }
func Person(subject model.Name) Key          { return ByPK(person.with(string(subject))) }

// WebhookChunk is the key of one raw piece of a logged value that does not fit into an item. The number has fixed width.
func WebhookChunk(id model.EventID, number model.Name) Key {
	return ByPK(webhookChunk.with(string(id), string(number)))
}

// WebhookSource is the key of how far one kind of an account's log has been swept.
func WebhookSource(waba model.WABAID, kind model.Name) Key {
	return ByPK(webhookSource.with(string(waba), string(kind)))
}

// WebhookSourceIDs takes a source's key apart.
func WebhookSourceIDs(pk string) (waba model.WABAID, kind string, ok bool) {
	ids, ok := webhookSource.ids(pk)
	if !ok {
		return "", "", false
	}
	return model.WABAID(ids[0]), ids[1], true
}

// Alias is the key of another identifier of a customer whose conversation has a different one in its key.
func Alias(phone model.PhoneNumberID, identifier model.CustomerID) Key {
	return ByPK(alias.with(string(phone), string(identifier)))
}

// Erased is the key of when a customer was erased. It holds a hash, and anybody who knows the identifier finds it.
func Erased(phone model.PhoneNumberID, identifier model.CustomerID) Key {
	return ByPK(erasedItem.with(string(phone), shortHash(string(phone)+"#"+string(identifier))))
}

// ConversationIDs takes a conversation's key apart.
func ConversationIDs(pk string) (model.PhoneNumberID, model.CustomerID, bool) {
	ids, ok := conversation.ids(pk)
	if !ok {
		return "", "", false
	}
	return model.PhoneNumberID(ids[0]), model.CustomerID(ids[1]), true
}

// ConversationsOf is what the keys of all conversations of a number begin with.
func ConversationsOf(phone model.PhoneNumberID) string { return Conversation(phone, "").Partition }

// MessageIDOf takes a message's key apart.
func MessageIDOf(pk string) (model.MessageID, bool) {
	ids, ok := message.ids(pk)
	if !ok {
		return "", false
	}
	return model.MessageID(ids[0]), true
}

// PhoneIDOf takes a number's key apart.
func PhoneIDOf(pk string) (model.PhoneNumberID, bool) {
	ids, ok := phone.ids(pk)
	if !ok {
		return "", false
	}
	return model.PhoneNumberID(ids[0]), true
}

// InboxMessages is the partition of a number's messages in gsi_inbox.
func InboxMessages(phone model.PhoneNumberID) string { return string(phone) }

// InboxConversations is the partition of a number's conversations in gsi_inbox, apart from its messages: a page of
// conversations would otherwise read past every message.
func InboxConversations(phone model.PhoneNumberID) string { return string(phone) + "#CONVERSATIONS" }

// WebhookEventType is the partition of one kind of a WABA's log in gsi_webhook_event.
func WebhookEventType(waba model.WABAID, kind string) string { return string(waba) + "#" + kind }

// WebhookSources is the partition of gsi_webhook_event that lists every source there is.
const WebhookSources = "SOURCES"

// AttentionAside is the partition of gsi_webhook_attention that holds what one consumer of the log has set aside.
func AttentionAside(consumer string) string { return "aside#" + consumer }

// AttentionFailed is the partition of gsi_webhook_attention that holds an account's entries of the log that could not be dealt
// with, or a part of which could not.
func AttentionFailed(waba model.WABAID) string { return "failed#" + string(waba) }
