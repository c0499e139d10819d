package keys

import (
	"strconv"

	"github.com/haatline/haatline/shared/model"
)

// The item types of the messages table that are in use. The contract lists 25; the others follow with their domains.
// PHONE, SENDER, SUPPRESSION, RECEIVED, ALIAS, ERASED, PERSON, MEMBER, ACCOUNT, ABOUT, NUMBER_SETTING, RESPONSE_TIMES,
// FLOW, NOTE, QUICK_REPLY, LIBRARY_SEARCH, LIBRARY_PAGE, SEARCH, SEARCH_SEGMENT, WEBHOOK_CHUNK, WEBHOOK_SOURCE,
// PUSH_DEVICE, PUSH_KEY and EVENT_SUBSCRIPTION are additions.
var (
	message       = Pattern{"MESSAGE", []string{"MSG", "{waMessageId}"}}
	conversation  = Pattern{"CONVERSATION", []string{"CONV", "{phoneArnSuffix}", "{customerWaId}"}}
	tenant        = Pattern{"TENANT", []string{"TENANT", "{tenantId}"}}
	webhookConfig = Pattern{"WEBHOOK_CONFIG", []string{"WEBHOOK_CONFIG", "{wabaId}"}}
	responseTimes = Pattern{"RESPONSE_TIMES", []string{"RESPONSE_TIMES", "{phoneNumberId}", "{date}"}}
	analytics     = Pattern{"ANALYTICS", []string{"ANALYTICS", "{wabaId}", "{date}"}}
	infra         = Pattern{"CONFIG", []string{"CONFIG", "INFRA"}}
	media         = Pattern{"MEDIA", []string{"MEDIA", "{mediaId}"}}
	mediaTypes    = Pattern{"CONFIG", []string{"CONFIG", "MEDIA_TYPES"}}
	webhookEvent  = Pattern{"WEBHOOK_EVENT", []string{"WEBHOOK", "{eventId}"}}
	webhookChunk  = Pattern{"WEBHOOK_CHUNK", []string{"WEBHOOK", "{eventId}", "CHUNK", "{number}"}}
	webhookSource = Pattern{"WEBHOOK_SOURCE", []string{"WEBHOOK_SOURCE", "{wabaId}", "{kind}"}}
	idempotency   = Pattern{"IDEMPOTENCY", []string{"IDEMPOTENCY", "{requestId}"}}
	phone         = Pattern{"PHONE", []string{"PHONE", "{phoneNumberId}"}}
	sender        = Pattern{"SENDER", []string{"SENDER", "{number}"}}
	suppression   = Pattern{"SUPPRESSION", []string{"SUPPRESSION", "{tenantId}", "{hash}"}}
	received      = Pattern{"RECEIVED", []string{"RECEIVED", "{eventId}"}}
	alias         = Pattern{"ALIAS", []string{"ALIAS", "{phoneArnSuffix}", "{identifier}"}}
	erasedItem    = Pattern{"ERASED", []string{"ERASED", "{phoneArnSuffix}", "{hash}"}}
	person        = Pattern{"PERSON", []string{"PERSON", "{subject}"}}
	member        = Pattern{"MEMBER", []string{"MEMBER", "{subject}", "{tenantId}"}}
	account       = Pattern{"ACCOUNT", []string{"ACCOUNT", "{wabaId}"}}
	call          = Pattern{"CALL", []string{"CALL", "{callId}"}}
	flowResponse  = Pattern{"FLOW_RESPONSE", []string{"FLOW_RESPONSE", "{flowId}", "{responseId}"}}
	address       = Pattern{"ADDRESS", []string{"ADDRESS", "{customerPhone}", "{addressId}"}}
	group         = Pattern{"GROUP", []string{"GROUP", "{groupId}"}}
	paymentOrder  = Pattern{"PAYMENT_ORDER", []string{"ORDER", "{phoneNumberId}", "{referenceId}"}}
	refund        = Pattern{"REFUND", []string{"REFUND", "{refundId}"}}
	paymentConfig = Pattern{"PAYMENT_CONFIG", []string{"TENANT", "{tenantId}", "PAYCFG", "{configName}"}}
	quality       = Pattern{"QUALITY_RATING", []string{"QUALITY", "{phoneNumberId}"}}
	about         = Pattern{"ABOUT", []string{"ABOUT", "{messageId}", "{customerWaId}"}}
	profile       = Pattern{"BUSINESS_PROFILE", []string{"PROFILE", "{phoneNumberId}"}}
	numberSetting = Pattern{"NUMBER_SETTING", []string{"SETTING", "{phoneNumberId}", "{kind}"}}
	numberEntry   = Pattern{"NUMBER_SETTING", []string{"SETTING", "{phoneNumberId}", "{kind}", "{name}"}}
	catalog       = Pattern{"CATALOG", []string{"CATALOG", "{catalogId}"}}
	flow          = Pattern{"FLOW", []string{"FLOW", "{flowId}"}}
	librarySearch = Pattern{"LIBRARY_SEARCH", []string{"LIBRARY", "{wabaId}", "{search}"}}
	libraryPage   = Pattern{"LIBRARY_PAGE", []string{"LIBRARY", "{wabaId}", "{search}", "PAGE", "{at}", "{number}"}}
	catalogItem   = Pattern{"PRODUCT", []string{"PRODUCT", "{catalogId}", "{retailerId}"}}
	note          = Pattern{"NOTE", []string{"NOTE", "{phoneNumberId}", "{customerWaId}", "{noteId}"}}
	quickReply    = Pattern{"QUICK_REPLY", []string{"QUICK_REPLY", "{tenantId}", "{shortcut}"}}
	searchIndex   = Pattern{"SEARCH", []string{"SEARCH", "{phoneNumberId}"}}
	searchSegment = Pattern{"SEARCH_SEGMENT", []string{"SEARCH", "{phoneNumberId}", "SEGMENT", "{number}"}}
	mention       = Pattern{"MENTION", []string{"MENTION", "{phoneNumberId}", "{subject}", "{customerWaId}"}}
	draft         = Pattern{"DRAFT", []string{"DRAFT", "{phoneNumberId}", "{customerWaId}"}}
	savedFilters  = Pattern{"FILTERS", []string{"FILTERS", "{tenantId}", "{subject}"}}
	openForm      = Pattern{"FORM", []string{"FORM", "{token}"}}
	templateEUM   = Pattern{"TEMPLATE_EUM", []string{"TEMPLATE_EUM", "{wabaId}", "{templateName}", "{language}"}}
	templateMedia = Pattern{"TEMPLATE_MEDIA", []string{"TEMPLATE_MEDIA", "{mediaId}"}}
	templateMeta  = Pattern{"TEMPLATE_META", []string{"TEMPLATE_META", "{wabaId}", "{templateName}", "{language}"}}
	campaign      = Pattern{"CAMPAIGN", []string{"CAMPAIGN", "{campaignId}"}}
	campaignPart  = Pattern{"CAMPAIGN_PART", []string{"CAMPAIGN", "{campaignId}", "PART", "{listId}", "{number}"}}
	campaignUse   = Pattern{"CAMPAIGN_USE", []string{"CAMPAIGN_USE", "{wabaId}"}}
	// what of a tenant is told to one place outside
	eventSubscription = Pattern{"EVENT_SUBSCRIPTION",
		[]string{"EVENT_SUBSCRIPTION", "{tenantId}", "{subscriptionId}"}}
	pushDevice = Pattern{"PUSH_DEVICE", []string{"PUSH_DEVICE", "{tenantId}", "{subject}", "{deviceId}"}}
	pushKey    = Pattern{"PUSH_KEY", []string{"PUSH_KEY", "{tenantId}"}}
	// what has become of the recipients of a part
	campaignProgress = Pattern{"CAMPAIGN_PROGRESS",
		[]string{"CAMPAIGN", "{campaignId}", "PROGRESS", "{listId}", "{number}"}}
)

// MessagesPatterns lists every key form of the messages table.
func MessagesPatterns() []Pattern {
	return []Pattern{
		message, conversation, tenant, media, mediaTypes, infra, analytics, responseTimes, webhookConfig,
		webhookEvent, webhookChunk, webhookSource, idempotency, phone,
		sender, alias, erasedItem, suppression, received, person, member,
		account, address, call, flowResponse, group, paymentOrder, refund, quality, templateMeta, templateEUM,
		templateMedia,
		paymentConfig, about, profile, numberSetting, numberEntry,
		campaign, campaignPart, campaignProgress, campaignUse,
		catalog, catalogItem, openForm, flow, librarySearch, libraryPage, note, mention, draft,
		quickReply, savedFilters,
		searchIndex, searchSegment, eventSubscription, pushDevice, pushKey,
	}
}

// PeoplePrefixes returns the prefixes of the keys of people who sign in. A function that makes their tokens reads no
// other item: an index tells it their tenants.
func PeoplePrefixes() []string { return []string{person.Parts[0] + "#"} }

// MemberPrefixes returns the prefixes of the partitions of gsi_from with the tenants that people work for.
func MemberPrefixes() []string { return []string{member.Parts[0] + "#"} }

func Message(id model.MessageID) Key { return ByPK(message.with(string(id))) }
func Conversation(phone model.PhoneNumberID, customer model.CustomerID) Key {
	return ByPK(conversation.with(string(phone), string(customer)))
}
func Tenant(id model.TenantID) Key           { return ByPK(tenant.with(string(id))) }
func Media(id model.MediaID) Key             { return ByPK(media.with(string(id))) }
func Idempotency(requestHash model.Name) Key { return ByPK(idempotency.with(string(requestHash))) }
func Phone(id model.PhoneNumberID) Key       { return ByPK(phone.with(string(id))) }

// Sender returns the key of a number in E.164 that sends SMS.
func Sender(number model.Name) Key { return ByPK(sender.with(string(number))) }

func Person(subject model.Name) Key { return ByPK(person.with(string(subject))) }

// Member returns the key of the item that says that a person works for a tenant.
func Member(subject model.Name, tenant model.TenantID) Key {
	return ByPK(member.with(string(subject), string(tenant)))
}

// MemberIDs returns the ids in such a key.
func MemberIDs(pk string) (subject model.Name, tenant model.TenantID, ok bool) {
	ids, ok := member.ids(pk)
	if !ok {
		return "", "", false
	}
	return model.Name(ids[0]), model.TenantID(ids[1]), true
}

// TenantsOf returns the partition of gsi_from with the tenants that a person works for. No message has it.
func TenantsOf(subject model.Name) string { return member.Parts[0] + "#" + string(subject) }

func Account(waba model.WABAID) Key { return ByPK(account.with(string(waba))) }

// Tenants is the partition of gsi_from with all tenants, and WebhookConfigs that with the accounts that have a
// configuration of webhooks. No message has them.
const (
	Tenants        = "TENANTS"
	WebhookConfigs = "WEBHOOK_CONFIGS"
)

// Campaign returns the key of a campaign.
func Campaign(id model.Name) Key { return ByPK(campaign.with(string(id))) }

// CampaignPart returns the key of a part of a campaign's list of recipients.
func CampaignPart(id, list model.Name, number int) Key {
	return ByPK(campaignPart.with(string(id), string(list), strconv.Itoa(number)))
}

// CampaignProgress returns the key of what has become of the recipients of such a part.
func CampaignProgress(id, list model.Name, number int) Key {
	return ByPK(campaignProgress.with(string(id), string(list), strconv.Itoa(number)))
}

// CampaignUse returns the key of how many messages of campaigns an account has sent lately.
func CampaignUse(waba model.WABAID) Key { return ByPK(campaignUse.with(string(waba))) }

// Analytics returns the key of what an account has sent and got in a day, yyyy-mm-dd.
func Analytics(waba model.WABAID, date model.Name) Key {
	return ByPK(analytics.with(string(waba), string(date)))
}

// ResponseTimes returns the key of how long the customers of a number have waited in a day of UTC, yyyy-mm-dd.
func ResponseTimes(phone model.PhoneNumberID, date model.Name) Key {
	return ByPK(responseTimes.with(string(phone), string(date)))
}

// Infra returns the key of what the platform's operators note of its infrastructure.
func Infra() Key { return ByPK(infra.with()) }

// MediaTypes returns the key of the types of files that may be uploaded.
func MediaTypes() Key { return ByPK(mediaTypes.with()) }

// Call returns the key of a call.
func Call(id model.Name) Key { return ByPK(call.with(string(id))) }

// CallsOf returns the partition of gsi_from with the calls of a conversation. No message has it.
func CallsOf(phone model.PhoneNumberID, customer model.CustomerID) string {
	return "CALLS#" + string(phone) + "#" + string(customer)
}

// About returns the key of the item that leads from a customer to a message that tells somebody else of them.
func About(id model.MessageID, customer model.CustomerID) Key {
	return ByPK(about.with(string(id), string(customer)))
}

// ToldOf returns the partition of gsi_from with these items of a customer. No message has it.
func ToldOf(tenant model.TenantID, customer model.CustomerID) string {
	return "ABOUT#" + string(tenant) + "#" + string(customer)
}

// Group returns the key of a group.
func Group(id model.Name) Key { return ByPK(group.with(string(id))) }

// PaymentConfig returns the key of a way in which a tenant's customers pay through WhatsApp.
func PaymentConfig(tenant model.TenantID, name model.Name) Key {
	return ByPK(paymentConfig.with(string(tenant), string(name)))
}

// PaymentOrder returns the key of an order that is paid through WhatsApp. A business chooses its references itself, so
// two may choose the same.
func PaymentOrder(phone model.PhoneNumberID, reference model.Name) Key {
	return ByPK(paymentOrder.with(string(phone), string(reference)))
}

// Refund returns the key of money that goes back to a customer.
func Refund(id model.Name) Key { return ByPK(refund.with(string(id))) }

// IsRefund reports whether a key is that of a refund.
func IsRefund(pk string) bool {
	_, is := refund.ids(pk)
	return is
}

// PaymentOrdersOf returns the partition of gsi_from with the orders that a tenant's customers pay through a number. No
// message has it.
func PaymentOrdersOf(tenant model.TenantID, phone model.PhoneNumberID) string {
	return "ORDERS#" + string(tenant) + "#" + string(phone)
}

// Quality returns the key of a number's quality.
func Quality(id model.PhoneNumberID) Key { return ByPK(quality.with(string(id))) }

// Profile returns the key of the business profile of a number.
func Profile(id model.PhoneNumberID) Key { return ByPK(profile.with(string(id))) }

// NumberSetting returns the key of what Meta keeps of a number, of one kind.
func NumberSetting(id model.PhoneNumberID, kind model.Name) Key {
	return ByPK(numberSetting.with(string(id), string(kind)))
}

// NumberEntry returns the key of one of several that Meta keeps of a number, such as a QR code.
func NumberEntry(id model.PhoneNumberID, kind, name model.Name) Key {
	return ByPK(numberEntry.with(string(id), string(kind), string(name)))
}

// NumberEntriesOf returns the partition of gsi_from with the entries of a number of one kind. No message has it.
func NumberEntriesOf(id model.PhoneNumberID, kind model.Name) string {
	return "SETTINGS#" + string(id) + "#" + string(kind)
}

// Blocked returns the name of the entry of a person whom a number has blocked. It is a hash, so that it names nobody.
func Blocked(id model.PhoneNumberID, customer model.CustomerID) model.Name {
	return model.Name(shortHash(string(id) + "#" + string(customer)))
}

// Catalog returns the key of a product catalogue.
func Catalog(id model.Name) Key { return ByPK(catalog.with(string(id))) }

// CatalogItem returns the key of a product of a catalogue.
func CatalogItem(id, retailer model.Name) Key {
	return ByPK(catalogItem.with(string(id), string(retailer)))
}

// Flow returns the key of a flow.
func Flow(id model.Name) Key { return ByPK(flow.with(string(id))) }

// NewFlowPrefix begins the id of a flow that Meta has not created yet.
const NewFlowPrefix = "new-"

// NewFlow returns the id of a flow that Meta has not created yet. Names of flows are unique in an account, so a flow
// that is asked for twice has one id. Meta's own ids are digits.
func NewFlow(waba model.WABAID, name string) model.Name {
	return model.Name(NewFlowPrefix + shortHash(string(waba)+"#"+name))
}

// LibrarySearch returns the key of a search in Meta's library of templates that an account has asked for. search is a
// hash of the filters.
func LibrarySearch(waba model.WABAID, search model.Name) Key {
	return ByPK(librarySearch.with(string(waba), string(search)))
}

// LibraryPage returns the key of a page of what a search has found that was asked for at a time.
func LibraryPage(waba model.WABAID, search model.Name, at model.Time, number int) Key {
	return ByPK(libraryPage.with(string(waba), string(search), string(at), strconv.Itoa(number)))
}

// TemplateMedia returns the key of a file that was shown to Meta as the sample of a template.
func TemplateMedia(id model.MediaID) Key { return ByPK(templateMedia.with(string(id))) }

// TemplateEUM returns the key of a template of an account at AWS, by AWS's id of the account.
func TemplateEUM(account, name, language model.Name) Key {
	return ByPK(templateEUM.with(string(account), string(name), string(language)))
}

// TemplateMeta returns the key of a template in the cache of Meta's templates.
func TemplateMeta(waba model.WABAID, name, language model.Name) Key {
	return ByPK(templateMeta.with(string(waba), string(name), string(language)))
}

// Alias returns the key of an identifier whose owner's conversation has another identifier in its key.
func Alias(phone model.PhoneNumberID, identifier model.CustomerID) Key {
	return ByPK(alias.with(string(phone), string(identifier)))
}

// Received returns the key of what a person has sent by email or SMS. It has the id of its entry in the log.
func Received(id model.EventID) Key { return ByPK(received.with(string(id))) }

// ReceivedID returns the id in the key of such a message.
func ReceivedID(pk string) (model.EventID, bool) {
	ids, ok := received.ids(pk)
	if !ok {
		return "", false
	}
	return model.EventID(ids[0]), true
}

// ReceivedFrom returns the partition of gsi_from with what a person has sent to a tenant by email or SMS. No message
// has it.
func ReceivedFrom(tenant model.TenantID, customer model.CustomerID) string {
	return "RECEIVED#" + string(tenant) + "#" + string(customer)
}

// Suppression returns the key of the item that says that a tenant sends nothing to an email address, or to a number by
// SMS. It contains a hash, so that it can outlast the person's erasure.
func Suppression(tenant model.TenantID, address string) Key {
	return ByPK(suppression.with(string(tenant), shortHash(string(tenant)+"#"+address)))
}

// Erased returns the key of the erasure of an identifier's owner. It contains a hash, and can be found with the
// identifier.
func Erased(phone model.PhoneNumberID, identifier model.CustomerID) Key {
	return ByPK(erasedItem.with(string(phone), shortHash(string(phone)+"#"+string(identifier))))
}

// FlowResponse returns the key of a form that a customer has filled in.
func FlowResponse(flow, response model.Name) Key {
	return ByPK(flowResponse.with(string(flow), string(response)))
}

// Address returns the key of an address that a customer has sent.
func Address(customer model.CustomerID, id model.Name) Key {
	return ByPK(address.with(string(customer), string(id)))
}

// OpenForm returns the key of a form that a customer may open with a token. It contains a hash: who reads the table
// cannot open the form.
func OpenForm(token string) Key { return ByPK(openForm.with(Code(32, "form", token))) }

// IsAnswer reports whether a key is that of a form, filled in or not yet, or of an address.
func IsAnswer(pk string) bool {
	_, response := flowResponse.ids(pk)
	_, sent := address.ids(pk)
	_, asked := openForm.ids(pk)
	return response || sent || asked
}

// ConversationIDs returns the ids in a conversation's key.
func ConversationIDs(pk string) (model.PhoneNumberID, model.CustomerID, bool) {
	ids, ok := conversation.ids(pk)
	if !ok {
		return "", "", false
	}
	return model.PhoneNumberID(ids[0]), model.CustomerID(ids[1]), true
}

// ConversationID returns how the API names a conversation, by its key: {phoneNumberId}:{customerId}; "" for no key of a
// conversation.
func ConversationID(pk string) string {
	phone, customer, ok := ConversationIDs(pk)
	if !ok {
		return ""
	}
	return string(phone) + ":" + string(customer)
}

// ConversationsOf returns the prefix of the keys of a number's conversations.
func ConversationsOf(phone model.PhoneNumberID) string { return Conversation(phone, "").Partition }

// MessageIDOf returns the id in a message's key.
func MessageIDOf(pk string) (model.MessageID, bool) {
	ids, ok := message.ids(pk)
	if !ok {
		return "", false
	}
	return model.MessageID(ids[0]), true
}

// PhoneIDOf returns the id in a number's key.
func PhoneIDOf(pk string) (model.PhoneNumberID, bool) {
	ids, ok := phone.ids(pk)
	if !ok {
		return "", false
	}
	return model.PhoneNumberID(ids[0]), true
}

// InboxMessages returns the partition of a number's messages in gsi_inbox.
func InboxMessages(phone model.PhoneNumberID) string { return string(phone) }

// InboxConversations returns the partition of a number's conversations in gsi_inbox. It is not the messages' one,
// because a page of conversations would read past every message.
func InboxConversations(phone model.PhoneNumberID) string { return string(phone) + "#CONVERSATIONS" }
