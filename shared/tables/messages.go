package tables

// Messages is the one table of the WhatsApp contract: 25 item types, 16 global indexes, and one of our own.
// Conversations and timelines
// are read from indexes that carry what they show; the other indexes carry keys only, because every projected attribute
// is a write unit each time it changes.
var Messages = Table{
	ID:        "Messages",
	name:      "base-wecare-digital-whatsapp",
	Partition: s("pk"),
	Global: []Index{
		{Name: "gsi_direction", Partition: s("direction"), Sort: s("receivedAt"), Projection: ProjectKeys},
		{Name: "gsi_from", Partition: s("fromPk"), Sort: s("receivedAt"), Projection: ProjectKeys},
		{Name: "gsi_inbox", Partition: s("inboxPk"), Sort: s("receivedAt"), Projection: ProjectSome, Attributes: inboxRow},
		{Name: "gsi_conversation", Partition: s("conversationPk"), Sort: s("receivedAt"), Projection: ProjectAll},
		{Name: "gsi_status", Partition: s("deliveryStatus"), Sort: s("sentAt"), Projection: ProjectKeys},
		{Name: "gsi_waba_itemtype", Partition: s("wabaMetaId"), Sort: s("itemType"), Projection: ProjectKeys},
		{Name: "gsi_customer_phone", Partition: s("customerPhone"), Sort: s("createdAt"), Projection: ProjectKeys},
		{Name: "gsi_group", Partition: s("groupId"), Sort: s("sentAt"), Projection: ProjectKeys},
		{Name: "gsi_catalog", Partition: s("catalogId"), Sort: s("retailerId"), Projection: ProjectKeys},
		{Name: "gsi_order", Partition: s("orderId"), Sort: s("createdAt"), Projection: ProjectKeys},
		{Name: "gsi_tenant", Partition: s("tenantId"), Sort: s("itemType"), Projection: ProjectKeys},
		{Name: "gsi_payment_status", Partition: s("paymentStatus"), Sort: s("createdAt"), Projection: ProjectKeys},
		{Name: "gsi_template_waba", Partition: s("wabaId"), Sort: s("templateStatus"), Projection: ProjectKeys},
		{Name: "gsi_template_name", Partition: s("templateName"), Sort: s("templateLanguage"), Projection: ProjectKeys},
		{Name: "gsi_campaign", Partition: s("campaignId"), Sort: s("sentAt"), Projection: ProjectKeys},
		{Name: "gsi_webhook_event", Partition: s("webhookEventType"), Sort: s("receivedAt"), Projection: ProjectKeys},
		// Sparse: only entries of the log that have been set aside are in it, so that a healthy one pays nothing.
		{Name: "gsi_webhook_attention", Partition: s("attentionPk"), Sort: s("attentionAt"), Projection: ProjectSome, Attributes: []string{"firstFailedAt"}},
	},
	TTL:      "ttl",
	Stream:   NewImage,
	Recovery: durable,
}

// inboxRow is what one row of the inbox shows. The delivery status is not in it: it changes three times a message, and
// each change would be a write unit more.
var inboxRow = []string{
	"itemType", "from", "senderName", "direction", "type", "preview", "conversationPk",
	"unreadCount", "lastMessagePk", "lastType", "lastPreview", "archived", "windowExpiresAt",
	"userId", "username", "groupId", "optedOutAt", "mergedInto", "wabaMetaId", "businessAccountName",
}
