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
	IndexTemplateWABA     = "gsi_template_waba"
	IndexTemplateName     = "gsi_template_name"
	IndexOrder            = "gsi_order"
	IndexPaymentStatus    = "gsi_payment_status"
	IndexCampaign         = "gsi_campaign"
	IndexWebhookEvent     = "gsi_webhook_event"
	IndexWebhookAttention = "gsi_webhook_attention"
	IndexChanges          = "gsi_changes"
)

// Messages is the only table of the WhatsApp contract: 25 item types, the contract's 16 global indexes, and two of our
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
		{Name: IndexOrder, Partition: s("orderId"), Sort: s("createdAt"), Projection: ProjectKeys},
		{Name: IndexTenant, Partition: s("tenantId"), Sort: s("itemType"), Projection: ProjectKeys},
		{Name: IndexPaymentStatus, Partition: s("paymentStatus"), Sort: s("createdAt"), Projection: ProjectKeys},
		{Name: IndexTemplateWABA, Partition: s("wabaId"), Sort: s("templateStatus"), Projection: ProjectKeys},
		{Name: IndexTemplateName, Partition: s("templateName"), Sort: s("templateLanguage"), Projection: ProjectKeys},
		{Name: IndexCampaign, Partition: s("campaignId"), Sort: s("sentAt"), Projection: ProjectKeys},
		{Name: IndexWebhookEvent, Partition: s("webhookEventType"), Sort: s("receivedAt"), Projection: ProjectKeys},
		// Sparse: it contains only log entries that were set aside, so a healthy entry pays nothing.
		{Name: IndexWebhookAttention, Partition: s("attentionPk"), Sort: s("attentionAt"), Projection: ProjectSome,
			Attributes: []string{"firstFailedAt"}},
		// Conversations that have changed without a new message. A message pays nothing for it.
		{Name: IndexChanges, Partition: s("changesPk"), Sort: s("changedAt"), Projection: ProjectKeys},
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
	// What teams add.
	"assignee", "labels", "state", "snoozedUntil", "waitingSince", "priority",
}

func init() { register(&Messages) }
