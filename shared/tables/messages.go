package tables

// Names of the indexes that queries of the messages table use.
const (
	IndexDirection        = "gsi_direction"
	IndexStatus           = "gsi_status"
	IndexInbox            = "gsi_inbox"
	IndexConversation     = "gsi_conversation"
	IndexFrom             = "gsi_from"
	IndexCustomerPhone    = "gsi_customer_phone"
	IndexWABAItemType     = "gsi_waba_itemtype"
	IndexGroup            = "gsi_group"
	IndexCatalog          = "gsi_catalog"
	IndexTenant           = "gsi_tenant"
	IndexCampaign         = "gsi_campaign"
	IndexWebhookEvent     = "gsi_webhook_event"
	IndexWebhookAttention = "gsi_webhook_attention"
)

// Messages is the only table of the WhatsApp contract: 25 item types, the contract's 16 global indexes, and one of our
// own. The indexes for conversations and timelines contain what these lists show. The others contain only keys, because
// every change of a projected attribute costs a write unit.
var Messages = Table{
	ID:        "Messages",
	name:      "base-wecare-digital-whatsapp",
	Partition: s("pk"),
	Global: []Index{
		{Name: IndexDirection, Partition: s("direction"), Sort: s("receivedAt"), Projection: ProjectKeys,
			FewValues: true},
		{Name: IndexFrom, Partition: s("fromPk"), Sort: s("receivedAt"), Projection: ProjectKeys},
		{Name: IndexInbox, Partition: s("inboxPk"), Sort: s("receivedAt"), Projection: ProjectSome,
			Attributes: inboxRow},
		{Name: IndexConversation, Partition: s("conversationPk"), Sort: s("receivedAt"), Projection: ProjectAll},
		{Name: IndexStatus, Partition: s("deliveryStatus"), Sort: s("sentAt"), Projection: ProjectKeys,
			FewValues: true},
		{Name: IndexWABAItemType, Partition: s("wabaMetaId"), Sort: s("itemType"), Projection: ProjectKeys},
		{Name: IndexCustomerPhone, Partition: s("customerPhone"), Sort: s("createdAt"), Projection: ProjectKeys},
		{Name: IndexGroup, Partition: s("groupId"), Sort: s("sentAt"), Projection: ProjectKeys},
		{Name: IndexCatalog, Partition: s("catalogId"), Sort: s("retailerId"), Projection: ProjectKeys},
		{Name: "gsi_order", Partition: s("orderId"), Sort: s("createdAt"), Projection: ProjectKeys, Unread: true},
		{Name: IndexTenant, Partition: s("tenantId"), Sort: s("itemType"), Projection: ProjectKeys},
		{Name: "gsi_payment_status", Partition: s("paymentStatus"), Sort: s("createdAt"), Projection: ProjectKeys,
			Unread: true},
		{Name: "gsi_template_waba", Partition: s("wabaId"), Sort: s("templateStatus"), Projection: ProjectKeys,
			Unread: true},
		{Name: "gsi_template_name", Partition: s("templateName"), Sort: s("templateLanguage"), Projection: ProjectKeys,
			Unread: true},
		{Name: IndexCampaign, Partition: s("campaignId"), Sort: s("sentAt"), Projection: ProjectKeys},
		{Name: IndexWebhookEvent, Partition: s("webhookEventType"), Sort: s("receivedAt"), Projection: ProjectKeys},
		// Sparse: it contains only log entries that were set aside, so a healthy entry pays nothing.
		{Name: IndexWebhookAttention, Partition: s("attentionPk"), Sort: s("attentionAt"), Projection: ProjectSome,
			Attributes: []string{"firstFailedAt"}},
	},
	TTL:      "ttl",
	Stream:   NewImage,
	Recovery: durable,
}

// inboxRow lists what a row of the inbox shows. It leaves out the delivery status, which changes three times per
// message; each change would cost another write unit.
var inboxRow = []string{
	"itemType", "from", "senderName", "direction", "type", "preview", "conversationPk",
	"unreadCount", "lastMessagePk", "lastType", "lastPreview", "archived", "windowExpiresAt",
	"userId", "username", "groupId", "optedOutAt", "mergedInto", "wabaMetaId", "businessAccountName",
	"needsPersonSince",
	// What teams add. An index keeps its projection for good, so waitingSince is in it before anything writes it.
	"assignee", "labels", "state", "snoozedUntil", "waitingSince", "priority",
}

func init() { register(&Messages) }
