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
		Partition: s("ecosystemId"),
		Global:    []Index{{Name: IndexUserByFirebaseUID, Partition: s("firebaseUid"), Projection: ProjectAll}},
		Recovery:  durable,
	}
	CardScores = Table{
		ID: "CardScores", name: "tazco-scores",
		Partition: s("ecosystemId"), Sort: s("timestampScoreId"),
		Recovery: durable,
	}
	Cards = Table{
		ID: "Cards", name: "tazco-cards",
		Partition: s("ecosystemId"), Sort: s("cardId"),
		Global: []Index{
			{Name: IndexCardsByStatus, Partition: s("ecosystemId"), Sort: s(SortStatusCardID),
				Projection: ProjectKeys, Unread: true}},
		Recovery: durable,
	}
	CardRequests = Table{
		ID: "CardRequests", name: "tazco-card-requests",
		Partition: s("ecosystemId"), Sort: s("requestId"),
		Global: []Index{
			{Name: IndexRequestsByStatus, Partition: s("status"), Sort: s(SortCreatedAtRequestID),
				Projection: ProjectAll},
			{Name: IndexRequestsByTier, Partition: s("tierAtRequest"), Sort: s(SortCreatedAtRequestID),
				Projection: ProjectAll},
			{Name: IndexRequestsByTenantStatus, Partition: s("tenantStatus"), Sort: s(SortCreatedAtRequestID),
				Projection: ProjectKeys},
			{Name: IndexRequestsByTenantTier, Partition: s("tenantTier"), Sort: s(SortCreatedAtRequestID),
				Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	CardTransactions = Table{
		ID: "CardTransactions", name: "tazco-transactions",
		Partition: s("ecosystemIdCardId"), Sort: s("transactionId"),
		Recovery: durable,
	}
	CardIdempotency = Table{
		ID: "CardIdempotency", name: "tazco-idempotency",
		Partition: s("ecosystemId"), Sort: s("keyHash"),
		TTL:      "expiresAtEpochSeconds",
		Recovery: durable,
	}
	// Outbox holds the events to be sent. OutboxAttentionByTenant is our addition: the contract's indexes mix tenants,
	// and a tenant's list of failed events needs a partition of its own. It is sparse and contains only failed events,
	// so a message that is sent at once never pays for it.
	Outbox = Table{
		ID: "Outbox", name: "tazco-outbox",
		Partition: s("eventId"),
		Global: []Index{
			{Name: IndexOutboxByStatus, Partition: s("status"), Sort: s(SortCreatedAtEventID), Projection: ProjectKeys},
			{Name: IndexOutboxByNextRetry, Partition: s("status"), Sort: s(SortNextRetryAtEventID),
				Projection: ProjectKeys},
			{Name: IndexOutboxAttention, Partition: s("attentionPk"), Sort: s(SortCreatedAtEventID),
				Projection: ProjectKeys},
		},
		TTL:      "expiresAtEpochSeconds",
		Stream:   NewImage,
		Recovery: durable,
	}
	OutboxSequences = Table{
		ID: "OutboxSequences", name: "tazco-outbox-sequences",
		Partition: s("sequenceId"),
		Recovery:  durable,
	}
	AuditLogs = Table{
		ID: "AuditLogs", name: "tazco-audit-logs",
		Partition: s("targetKey"), Sort: s("timestampLogId"),
		Global: []Index{
			{Name: IndexAuditByActor, Partition: s("adminEcosystemId"), Sort: s("timestampLogId"),
				Projection: ProjectAll}},
		Recovery: durable,
	}
	WhatsAppNotifications = Table{
		ID: "WhatsappNotifications", name: "tazco-whatsapp-notifications",
		Partition: s("notificationId"),
		Global: []Index{
			{Name: IndexNotificationsByEntity, Partition: s(PartitionRelatedEntity),
				Sort: s(SortCreatedAtNotificationID), Projection: ProjectAll},
			{Name: IndexNotificationsByStatus, Partition: s("deliveryStatus"), Sort: s(SortCreatedAtNotificationID),
				Projection: ProjectKeys},
			{Name: IndexNotificationsByNextRetry, Partition: s("deliveryStatus"),
				Sort: s(SortNextRetryAtNotificationID), Projection: ProjectKeys},
			{Name: IndexNotificationsByTenantStatus, Partition: s("tenantStatus"), Sort: s(SortCreatedAtNotificationID),
				Projection: ProjectKeys},
			{Name: IndexNotificationsByRecipient, Partition: s("recipientKey"), Sort: s(SortCreatedAtNotificationID),
				Projection: ProjectKeys},
		},
		Recovery: durable,
	}
	WhatsAppInbound = Table{
		ID: "WhatsappInbound", name: "tazco-whatsapp-inbound",
		Partition: s("messageId"),
		Global: []Index{
			{Name: IndexInboundByWPPMessageID, Partition: s("wppMessageId"), Projection: ProjectKeys, Unread: true},
			{Name: IndexInboundBySender, Partition: s("senderPhone"), Sort: s(SortReceivedAtMessageID),
				Projection: ProjectAll},
		},
		Recovery: durable,
	}
	PendingApprovals = Table{
		ID: "PendingApprovals", name: "tazco-pending-approvals",
		Partition: s("requestId"),
		Global: []Index{
			{Name: IndexPendingApprovalsByExpiry, Partition: s("approvalStatus"), Sort: s(SortExpiresAtRequestID),
				Projection: ProjectKeys}},
		Recovery: durable,
	}
)

func init() {
	register(
		&CardUsers, &CardScores, &Cards, &CardRequests, &CardTransactions, &CardIdempotency, &Outbox,
		&OutboxSequences, &AuditLogs, &WhatsAppNotifications, &WhatsAppInbound, &PendingApprovals)
}
