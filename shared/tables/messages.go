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
	Partition: key{"pk", String},
	Global: []Index{
		{Name: IndexDirection, Partition: key{"direction", String},
			Sort: key{"receivedAt", String}, Projection: ProjectKeys,
			FewValues: true},
		{Name: IndexFrom, Partition: key{"fromPk", String}, Sort: key{"receivedAt", String}, Projection: ProjectKeys},
		{Name: IndexInbox, Partition: key{"inboxPk", String}, Sort: key{"receivedAt", String}, Projection: ProjectSome,
			Attributes: inboxRow},
		{Name: IndexConversation, Partition: key{"conversationPk", String}, Sort: key{"receivedAt", String},
			Projection: ProjectAll},
		{Name: IndexStatus, Partition: key{"deliveryStatus", String},
			Sort: key{"sentAt", String}, Projection: ProjectKeys,
			FewValues: true},
		{Name: IndexWABAItemType, Partition: key{"wabaMetaId", String}, Sort: key{"itemType", String},
			Projection: ProjectKeys},
		{Name: IndexCustomerPhone, Partition: key{"customerPhone", String}, Sort: key{"createdAt", String},
			Projection: ProjectKeys},
		{Name: IndexGroup, Partition: key{"groupId", String}, Sort: key{"sentAt", String}, Projection: ProjectKeys},
		{Name: IndexCatalog, Partition: key{"catalogId", String},
			Sort: key{"retailerId", String}, Projection: ProjectKeys},
		{Name: IndexOrder, Partition: key{"orderId", String}, Sort: key{"createdAt", String}, Projection: ProjectKeys},
		{Name: IndexTenant, Partition: key{"tenantId", String}, Sort: key{"itemType", String}, Projection: ProjectKeys},
		{Name: IndexPaymentStatus, Partition: key{"paymentStatus", String}, Sort: key{"createdAt", String},
			Projection: ProjectKeys},
		{Name: IndexTemplateWABA, Partition: key{"wabaId", String}, Sort: key{"templateStatus", String},
			Projection: ProjectKeys},
		{Name: IndexTemplateName, Partition: key{"templateName", String}, Sort: key{"templateLanguage", String},
			Projection: ProjectKeys},
		{Name: IndexCampaign, Partition: key{"campaignId", String},
			Sort: key{"sentAt", String}, Projection: ProjectKeys},
		{Name: IndexWebhookEvent, Partition: key{"webhookEventType", String}, Sort: key{"receivedAt", String},
			Projection: ProjectKeys},
		// Sparse: it contains only log entries that were set aside, so a healthy entry pays nothing.
		{Name: IndexWebhookAttention, Partition: key{"attentionPk", String}, Sort: key{"attentionAt", String},
			Projection: ProjectSome,
			Attributes: []string{"firstFailedAt"}},
		// Conversations that have changed without a new message. A message pays nothing for it.
		{Name: IndexChanges, Partition: key{"changesPk", String},
			Sort: key{"changedAt", String}, Projection: ProjectKeys},
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
