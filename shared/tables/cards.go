package tables

// Names of the indexes that queries of the outbox and the audit log use, and of the outbox indexes' sort keys.
const (
	IndexOutboxByStatus    = "OutboxByStatusCreatedAt"
	IndexOutboxByNextRetry = "OutboxByStatusNextRetryAt"
	IndexOutboxAttention   = "OutboxAttentionByTenant"
	IndexAuditByActor      = "AuditLogsByActor"
	SortCreatedAtEventID   = "createdAt#eventId"
	SortNextRetryAtEventID = "nextRetryAt#eventId"

	IndexUserByFirebaseUID           = "UserByFirebaseUid"
	IndexCardsByStatus               = "CardsByStatus"
	IndexRequestsByStatus            = "RequestsByStatusCreatedAt"
	IndexRequestsByTier              = "RequestsByTierCreatedAt"
	IndexRequestsByTenantStatus      = "RequestsByTenantStatus"
	IndexRequestsByTenantTier        = "RequestsByTenantTier"
	IndexNotificationsByEntity       = "NotificationsByRelatedEntity"
	IndexNotificationsByStatus       = "NotificationsByDeliveryStatusCreatedAt"
	IndexNotificationsByNextRetry    = "NotificationsByDeliveryStatusNextRetryAt"
	IndexNotificationsByTenantStatus = "NotificationsByTenantStatus"
	IndexNotificationsByRecipient    = "NotificationsByRecipient"
	IndexInboundBySender             = "InboundBySenderPhoneReceivedAt"
	IndexInboundByWPPMessageID       = "InboundByWppMessageId"
	IndexPendingApprovalsByExpiry    = "PendingApprovalsByStatusExpiresAt"
	SortCreatedAtRequestID           = "createdAt#requestId"
	SortCreatedAtNotificationID      = "createdAt#notificationId"
	SortNextRetryAtNotificationID    = "nextRetryAt#notificationId"
	SortExpiresAtRequestID           = "expiresAt#requestId"
	SortReceivedAtMessageID          = "receivedAt#messageId"
	SortStatusCardID                 = "status#cardId"
	PartitionRelatedEntity           = "relatedEntityType#relatedEntityId"
)

// The twelve tables of the cards contract. Composite index keys are real attributes with the contract's names,
// including the
// #. The outbox and its sequences serve every domain. The indexes by tenant and by recipient are our additions: the
// contract's
// indexes mix tenants, and a tenant's lists, and the erasure of a recipient, need partitions of their own.
var (
	CardUsers = Table{
		ID: "CardUsers", name: "tazco-users",
		Partition: key{"ecosystemId", String},
		Global: []Index{
			{Name: IndexUserByFirebaseUID, Partition: key{"firebaseUid", String}, Projection: ProjectAll}},
		Recovery: durable,
	}
	CardScores = Table{
		ID: "CardScores", name: "tazco-scores",
		Partition: key{"ecosystemId", String}, Sort: key{"timestampScoreId", String},
		Recovery: durable,
	}
	Cards = Table{
		ID: "Cards", name: "tazco-cards",
		Partition: key{"ecosystemId", String}, Sort: key{"cardId", String},
		Global: []Index{
			{Name: IndexCardsByStatus, Partition: key{"ecosystemId", String}, Sort: key{SortStatusCardID, String},
				Projection: ProjectKeys, Unread: true}},
		Recovery: durable,
	}
	CardRequests = Table{
		ID: "CardRequests", name: "tazco-card-requests",
		Partition: key{"ecosystemId", String}, Sort: key{"requestId", String},
		Global: []Index{
			{Name: IndexRequestsByStatus, Partition: key{"status", String}, Sort: key{SortCreatedAtRequestID, String},
				Projection: ProjectAll},
			{Name: IndexRequestsByTier, Partition: key{"tierAtRequest", String},
				Sort:       key{SortCreatedAtRequestID, String},
				Projection: ProjectAll},
			{Name: IndexRequestsByTenantStatus, Partition: key{"tenantStatus", String},
				Sort:       key{SortCreatedAtRequestID, String},
				Projection: ProjectKeys},
			{Name: IndexRequestsByTenantTier, Partition: key{"tenantTier", String},
				Sort:       key{SortCreatedAtRequestID, String},
				Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	CardTransactions = Table{
		ID: "CardTransactions", name: "tazco-transactions",
		Partition: key{"ecosystemIdCardId", String}, Sort: key{"transactionId", String},
		Recovery: durable,
	}
	CardIdempotency = Table{
		ID: "CardIdempotency", name: "tazco-idempotency",
		Partition: key{"ecosystemId", String}, Sort: key{"keyHash", String},
		TTL:      "expiresAtEpochSeconds",
		Recovery: durable,
	}
	// Outbox holds the events to be sent. OutboxAttentionByTenant is our addition: the contract's indexes mix tenants,
	// and a tenant's list of failed events needs a partition of its own. It is sparse and contains only failed events,
	// so a message that is sent at once never pays for it.
	Outbox = Table{
		ID: "Outbox", name: "tazco-outbox",
		Partition: key{"eventId", String},
		Global: []Index{
			{Name: IndexOutboxByStatus, Partition: key{"status", String}, Sort: key{SortCreatedAtEventID, String},
				Projection: ProjectKeys},
			{Name: IndexOutboxByNextRetry, Partition: key{"status", String}, Sort: key{SortNextRetryAtEventID, String},
				Projection: ProjectKeys},
			{Name: IndexOutboxAttention, Partition: key{"attentionPk", String}, Sort: key{SortCreatedAtEventID, String},
				Projection: ProjectKeys},
		},
		TTL:      "expiresAtEpochSeconds",
		Stream:   NewImage,
		Recovery: durable,
	}
	OutboxSequences = Table{
		ID: "OutboxSequences", name: "tazco-outbox-sequences",
		Partition: key{"sequenceId", String},
		Recovery:  durable,
	}
	AuditLogs = Table{
		ID: "AuditLogs", name: "tazco-audit-logs",
		Partition: key{"targetKey", String}, Sort: key{"timestampLogId", String},
		Global: []Index{
			{Name: IndexAuditByActor, Partition: key{"adminEcosystemId", String}, Sort: key{"timestampLogId", String},
				Projection: ProjectAll}},
		Recovery: durable,
	}
	WhatsAppNotifications = Table{
		ID: "WhatsappNotifications", name: "tazco-whatsapp-notifications",
		Partition: key{"notificationId", String},
		Global: []Index{
			{Name: IndexNotificationsByEntity, Partition: key{PartitionRelatedEntity, String},
				Sort: key{SortCreatedAtNotificationID, String}, Projection: ProjectAll},
			{Name: IndexNotificationsByStatus, Partition: key{"deliveryStatus", String},
				Sort:       key{SortCreatedAtNotificationID, String},
				Projection: ProjectKeys},
			{Name: IndexNotificationsByNextRetry, Partition: key{"deliveryStatus", String},
				Sort: key{SortNextRetryAtNotificationID, String}, Projection: ProjectKeys},
			{Name: IndexNotificationsByTenantStatus, Partition: key{"tenantStatus", String},
				Sort:       key{SortCreatedAtNotificationID, String},
				Projection: ProjectKeys},
			{Name: IndexNotificationsByRecipient, Partition: key{"recipientKey", String},
				Sort:       key{SortCreatedAtNotificationID, String},
				Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	WhatsAppInbound = Table{
		ID: "WhatsappInbound", name: "tazco-whatsapp-inbound",
		Partition: key{"messageId", String},
		Global: []Index{
			{Name: IndexInboundByWPPMessageID, Partition: key{"wppMessageId", String}, Projection: ProjectKeys,
				Unread: true},
			{Name: IndexInboundBySender, Partition: key{"senderPhone", String},
				Sort:       key{SortReceivedAtMessageID, String},
				Projection: ProjectAll},
		},
		Recovery: durable,
	}
	PendingApprovals = Table{
		ID: "PendingApprovals", name: "tazco-pending-approvals",
		Partition: key{"requestId", String},
		Global: []Index{
			{Name: IndexPendingApprovalsByExpiry, Partition: key{"approvalStatus", String},
				Sort:       key{SortExpiresAtRequestID, String},
				Projection: ProjectKeys}},
		Recovery: durable,
	}
)

func init() {
	register(
		&CardUsers, &CardScores, &Cards, &CardRequests, &CardTransactions, &CardIdempotency, &Outbox,
		&OutboxSequences, &AuditLogs, &WhatsAppNotifications, &WhatsAppInbound, &PendingApprovals)
}
