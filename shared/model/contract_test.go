package model_test

import (
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// attributes are names by DynamoDB type: S, N, BOOL, L, M, B.
type attributes map[string][]string

// entity is one entity with what the contract says of it, spelled out: its attributes, those this project adds, those
// that stand even when empty, and the indexes a whole one is in.
type entity struct {
	of        any
	table     tables.Table
	contract  attributes
	additions attributes
	always    []string
	indexes   []string
}

// loopEntities are those the message loop works with.
var loopEntities = map[string]entity{
	"MESSAGE": {
		of: model.Message{},
		contract: attributes{
			"S": {"pk", "itemType", "direction", "receivedAt", "sentAt", "waTimestamp", "from", "fromPk", "to",
				"senderName",
				"conversationPk", "type", "preview", "textBody", "caption", "mediaId", "mimeType", "s3Bucket", "s3Key",
				"deliveryStatus", "inboxPk"},
			"L": {"deliveryStatusHistory"},
		},
		additions: attributes{
			"S": {"windowExpiresAt", "sentBy", "groupId", "campaignId", "eventId", "outboxEventId", "queuedId",
				"waMessageId", "replayOf", "correlationId", "purpose", "erasedAt", "fromUserId", "failedAt", "editedAt",
				"revokedAt", "attachedTo", "emptiedAt", "changesPk", "changedAt"},
			"N": {"deliveryRank", "arrival", "ttl", "contentLength"}, "M": {"content", "context", "look"},
			"L":    {"errors", "alsoLogged", "customerIds", "versions", "reactions", "about"},
			"BOOL": {"possibleDuplicate", "privateFile", "standby", "quiet"},
		},
		always: []string{"pk", "itemType"},
		indexes: []string{
			"gsi_direction", "gsi_from", "gsi_inbox", "gsi_conversation", "gsi_status", "gsi_group", "gsi_campaign",
			"gsi_changes"},
	},
	"CONVERSATION": {
		of: model.Conversation{},
		contract: attributes{
			"S": {"pk", "itemType", "inboxPk", "from", "receivedAt", "lastMessagePk", "lastType", "lastPreview",
				"wabaMetaId",
				"businessAccountName"},
			"N": {"unreadCount"}, "BOOL": {"archived"},
		},
		additions: attributes{
			"S": {"senderName", "userId", "username", "identityKeyHash", "identityChangedAt", "identityAcknowledgedAt",
				"groupId", "contactOrder", "firstOrder", "lastOrder", "shownOrder", "unsettledSince", "windowExpiresAt",
				"lastInboundPk", "lastInboundOrder",
				"mergedInto", "optedOutAt", "marketingStoppedAt", "marketingOrder", "needsPersonSince",
				"archiveChangedAt", "erasedBefore", "assignee", "state", "snoozedUntil", "priority",
				"changesPk", "changedAt", "waitingSince"},
			"BOOL": {"undecided"},
			"L":    {"mergedFrom", "aliases", "optOutDecisions", "labels", "resolutions"},
			"N":    {"identityRevision", "unreadTotal", "lateArrivals"},
		},
		always:  []string{"pk", "itemType", "unreadCount", "archived"},
		indexes: []string{"gsi_changes", "gsi_inbox", "gsi_waba_itemtype"},
	},
	"TENANT": {
		of: model.Tenant{},
		contract: attributes{
			"S": {"pk", "itemType", "tenantId", "displayName", "wabaId", "phoneE164", "mcc", "purposeCode",
				"defaultPaymentConfig", "createdAt"}},
		additions: attributes{"L": {"phoneNumberIds", "subscriptionIds"}, "M": {"sms"},
			"S": {"fromPk", "receivedAt", "disabledAt", "disabledBy"}},
		always:  []string{"pk", "itemType", "tenantId"},
		indexes: []string{"gsi_from", "gsi_tenant"},
	},
	"WEBHOOK_CONFIG": {
		of: model.WebhookConfig{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "verifyToken", "appSecret", "updatedAt"}, "BOOL": {"enabled"}},
		additions: attributes{
			"S": {"formerAppSecret", "formerVerifyToken", "formerUntil", "fromPk", "receivedAt"}, "M": {"asked"},
			"N": {"version"}},
		always:  []string{"pk", "itemType", "wabaMetaId", "enabled", "updatedAt", "fromPk", "receivedAt", "version"},
		indexes: []string{"gsi_from", "gsi_waba_itemtype"},
	},
	"CAMPAIGN": {
		of: model.Campaign{},
		contract: attributes{
			"S": {"pk", "itemType", "campaignId", "wabaMetaId", "name", "templateName", "status", "createdAt",
				"scheduledAt"},
			"N": {"totalRecipients", "sentCount", "deliveredCount", "readCount"}},
		additions: attributes{
			"S": {"tenantId", "phoneNumberId", "createdBy", "countedAt", "waitsFor", "waitsUntil", "startedAt",
				"pausedAt", "handedAt", "completedAt", "problem"},
			"N": {"part", "position", "aside", "run", "queued", "failed", "cancelled", "replied", "version"},
			"M": {"test", "hours", "markets", "skipped", "counting"}, "L": {"variants", "lists"},
			"BOOL": {"skipsNotNow"}},
		always: []string{
			"pk", "itemType", "campaignId", "name", "status", "totalRecipients", "sentCount",
			"deliveredCount", "readCount", "createdAt", "tenantId", "phoneNumberId", "createdBy", "variants", "part",
			"position", "aside", "run", "queued", "failed", "cancelled", "replied", "version"},
		indexes: []string{"gsi_tenant", "gsi_waba_itemtype"},
	},
	"CAMPAIGN#PART": {
		of: model.CampaignPart{},
		additions: attributes{
			"S": {"pk", "itemType"}, "L": {"columns", "recipients"}, "N": {"ttl", "version"}},
		always: []string{"pk", "itemType", "recipients", "ttl", "version"},
	},
	"CAMPAIGN#PROGRESS": {
		of: model.CampaignProgress{},
		additions: attributes{
			"S": {"pk", "itemType"}, "L": {"aside", "counts"}, "M": {"skipped"}, "N": {"handed", "ttl", "version"},
			"BOOL": {"final"}},
		always: []string{"pk", "itemType", "handed", "ttl", "version"},
	},
	"CAMPAIGN_USE": {
		of:        model.CampaignUse{},
		additions: attributes{"S": {"pk", "itemType"}, "M": {"hours"}, "N": {"version"}},
		always:    []string{"pk", "itemType", "hours", "version"},
	},
	"ANALYTICS": {
		of: model.Analytics{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "date"},
			"N": {"messagesSent", "messagesDelivered", "messagesRead", "messagesFailed"}, "M": {"templatesUsed"}},
		additions: attributes{
			"S": {"countedAt"}, "N": {"messagesReceived", "version"}, "M": {"kinds", "prices", "counting", "meta"},
			"BOOL": {"partial"}},
		always: []string{
			"pk", "itemType", "wabaMetaId", "date", "messagesSent", "messagesDelivered", "messagesRead",
			"messagesFailed", "templatesUsed", "messagesReceived", "kinds", "prices", "version"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"RESPONSE_TIMES": {
		of: model.ResponseTimes{},
		additions: attributes{
			"S": {"pk", "itemType", "phoneNumberId", "date", "countedAt"}, "N": {"opened", "untold", "version"},
			"M": {"replies", "resolutions", "counting"}, "BOOL": {"partial"}},
		always: []string{
			"pk", "itemType", "phoneNumberId", "date", "opened", "replies", "resolutions", "untold", "version"},
	},
	"CONFIG#INFRA": {
		of: model.Infra{},
		contract: attributes{
			"S": {"pk", "itemType", "vpcEndpoint", "serviceLinkedRole", "updatedAt"}},
		always: []string{"pk", "itemType", "updatedAt"},
	},
	"MEDIA": {
		of: model.Media{},
		contract: attributes{
			"S": {"pk", "itemType", "mediaId", "s3Bucket", "s3Key", "contentType", "uploadedAt", "expiresAt",
				"wabaMetaId"},
			"N": {"contentLength"},
		},
		additions: attributes{
			"S": {"phoneNumberId", "sha256", "filename", "detectedType", "fetchFailure", "forgottenAt", "erasedAt",
				"uploadedBy", "uploadFailure"}, "N": {"ttl"}, "M": {"uploads", "look"}},
		always:  []string{"pk", "itemType", "mediaId"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"CONFIG": {
		of:       model.MediaTypes{},
		contract: attributes{"S": {"pk", "itemType", "updatedAt"}, "M": {"supportedTypes"}},
		always:   []string{"pk", "itemType", "supportedTypes"},
	},
	"WEBHOOK_EVENT": {
		of: model.WebhookEvent{},
		contract: attributes{
			"S": {"pk", "itemType", "webhookEventType", "eventId", "eventType", "wabaMetaId", "processedAt",
				"receivedAt"},
			"M": {"payload"},
		},
		additions: attributes{
			"S": {"field", "phoneNumberId", "processingError", "replayedAt", "erasedAt", "lastError",
				"firstFailedAt", "attentionPk", "attentionAt"},
			"N":    {"entryTime", "position", "chunks", "erasures", "ttl", "failures"},
			"BOOL": {"stale"},
		},
		always:  []string{"pk", "itemType", "webhookEventType", "eventId", "eventType", "receivedAt"},
		indexes: []string{"gsi_waba_itemtype", "gsi_webhook_attention", "gsi_webhook_event"},
	},
	"IDEMPOTENCY": {
		of:        model.Idempotency{},
		contract:  attributes{"S": {"pk", "itemType", "requestId", "processedAt"}, "N": {"ttl"}, "M": {"result"}},
		additions: attributes{"S": {"requestHash"}},
		always:    []string{"pk", "itemType", "requestId", "processedAt", "ttl", "result", "requestHash"},
	},
	"PHONE": {
		of: model.Phone{},
		additions: attributes{"S": {"pk", "itemType", "phoneNumberId", "tenantId", "wabaMetaId", "displayPhoneNumber",
			"accessTokenRef", "assignBy", "assignTo",
			"awsPhoneNumberId", "windowPolicy", "createdAt", "releasedAt", "releasedFrom", "storeId",
			"companyId",
			"verifiedName", "verifiedNameOrder", "qualityRating", "qualityRatingOrder", "messagingLimit",
			"messagingLimitOrder", "throughput", "throughputOrder", "historyProblem", "historyProblemAt"},
			"BOOL": {"coexistence", "marketingMessages", "sendsOnce", "subscribed"}, "N": {"assignTurn"}},
		always:  []string{"pk", "itemType", "phoneNumberId"},
		indexes: []string{"gsi_waba_itemtype", "gsi_tenant"},
	},
	"PERSON": {
		of: model.Person{},
		additions: attributes{
			"S": {"pk", "itemType", "subject", "name", "email", "updatedAt"}, "L": {"roles"}, "N": {"tenants"}},
		always: []string{"pk", "itemType", "subject"},
	},
	"MEMBER": {
		of: model.Member{},
		additions: attributes{
			"S": {"pk", "itemType", "subject", "tenantId", "fromPk", "receivedAt", "givenAt", "givenBy"}},
		always:  []string{"pk", "itemType", "subject", "tenantId", "fromPk", "receivedAt", "givenAt", "givenBy"},
		indexes: []string{"gsi_from", "gsi_tenant"},
	},
	"ABOUT": {
		of:        model.About{},
		additions: attributes{"S": {"pk", "itemType", "fromPk", "receivedAt"}, "L": {"messages"}},
		always:    []string{"pk", "itemType", "fromPk", "receivedAt", "messages"},
		indexes:   []string{"gsi_from"},
	},
	"ALIAS": {
		of:        model.Alias{},
		additions: attributes{"S": {"pk", "itemType"}, "L": {"owners", "facts"}, "N": {"version", "ttl"}},
		always:    []string{"pk", "itemType", "version", "owners"},
	},
	"ERASED": {
		of:        model.Erased{},
		additions: attributes{"S": {"pk", "itemType", "erasedAt"}, "N": {"ttl"}},
		always:    []string{"pk", "itemType", "erasedAt", "ttl"},
	},
	"TEMPLATE_META": {
		of: model.Template{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "templateName", "templateId", "status", "category", "language",
				"cachedAt"}},
		additions: attributes{
			"S": {"statusOrder", "reason", "detail", "categoryOrder", "correctCategory", "correctionOrder",
				"qualityScore", "qualityOrder", "componentsOrder", "wabaId", "templateStatus", "templateLanguage",
				"awsAccountId"},
			"L": {"components", "history"}, "M": {"asked"}, "N": {"version"},
		},
		always:  []string{"pk", "itemType", "wabaMetaId", "templateName", "language", "version"},
		indexes: []string{"gsi_waba_itemtype", "gsi_template_waba", "gsi_template_name"},
	},
	"TEMPLATE_EUM": {
		of: model.TemplateAtAWS{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaId", "templateName", "metaTemplateId", "templateStatus", "templateCategory",
				"templateLanguage", "qualityScore", "cachedAt", "syncedAt"}, "L": {"components"}},
		additions: attributes{"S": {"metaWabaId"}, "N": {"version"}},
		always: []string{"pk", "itemType", "wabaId", "templateName", "templateLanguage", "cachedAt", "metaWabaId",
			"version"},
		indexes: []string{"gsi_template_waba", "gsi_template_name"},
	},
	"LIBRARY_SEARCH": {
		of: model.LibrarySearch{},
		additions: attributes{
			"S": {"pk", "itemType", "at", "by", "answeredAt", "problem", "after"}, "M": {"filters"}, "BOOL": {"more"},
			"N": {"pages", "count", "ttl", "version"}},
		always: []string{"pk", "itemType", "filters", "at", "pages", "count", "ttl", "version"},
	},
	"LIBRARY_PAGE": {
		of:        model.LibraryPage{},
		additions: attributes{"S": {"pk", "itemType"}, "L": {"entries"}, "N": {"ttl"}},
		always:    []string{"pk", "itemType", "entries", "ttl"},
	},
	"TEMPLATE_MEDIA": {
		of: model.TemplateMedia{},
		contract: attributes{
			"S": {"pk", "itemType", "mediaId", "wabaId", "s3Bucket", "s3Key", "contentType", "uploadedAt"},
			"N": {"contentLength"},
		},
		always: []string{"pk", "itemType", "mediaId", "wabaId", "s3Bucket", "s3Key", "contentType", "contentLength",
			"uploadedAt"},
	},
	"ACCOUNT": {
		of: model.Account{},
		additions: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "templatesSyncedAt", "templatesAskedAt", "templatesEvent"},
			"M": {"news", "standing", "catalogs", "flows", "figures", "files"}, "N": {"version"}},
		always:  []string{"pk", "itemType", "wabaMetaId", "standing", "version"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"NOTE": {
		of: model.Note{},
		additions: attributes{
			"S": {"pk", "itemType", "conversationPk", "receivedAt", "noteId", "phoneNumberId", "text", "writtenBy",
				"changesPk", "changedAt", "changedBy"},
			"L": {"mentions"}, "N": {"version"}},
		always: []string{"pk", "itemType", "conversationPk", "receivedAt", "noteId", "phoneNumberId", "text",
			"writtenBy", "version"},
		indexes: []string{"gsi_changes", "gsi_conversation"},
	},
	"SEARCH": {
		of: model.SearchIndex{},
		additions: attributes{
			"S": {"pk", "itemType", "phoneNumberId", "until", "peopleUntil", "segments"}, "N": {"version"}},
		always: []string{"pk", "itemType", "phoneNumberId", "version"},
	},
	"SEARCH_SEGMENT": {
		of:        model.SearchSegment{},
		additions: attributes{"S": {"pk", "itemType"}, "B": {"entries"}, "N": {"version", "ttl"}},
		always:    []string{"pk", "itemType", "version", "entries"},
	},
	"QUICK_REPLY": {
		of: model.QuickReply{},
		additions: attributes{
			"S": {"pk", "itemType", "tenantId", "shortcut", "text", "changedAt", "changedBy"}, "N": {"version"}},
		always:  []string{"pk", "itemType", "tenantId", "shortcut", "text", "changedAt", "changedBy", "version"},
		indexes: []string{"gsi_tenant"},
	},
	"EVENT_SUBSCRIPTION": {
		of: model.EventSubscription{},
		additions: attributes{
			"S": {"pk", "itemType", "tenantId", "subscriptionId", "description", "url", "secret",
				"secretPrint", "formerSecret", "formerUntil", "createdAt", "updatedAt", "listensSince", "disabledAt",
				"disabledBecause", "failingSince", "lastFailure", "lastAttempt", "slowUntil"},
			"L": {"kinds"}, "N": {"version", "failures"}},
		always: []string{
			"pk", "itemType", "tenantId", "subscriptionId", "kinds", "createdAt", "updatedAt", "version"},
		indexes: []string{"gsi_tenant"},
	},
	"PUSH_DEVICE": {
		of: model.PushDevice{},
		additions: attributes{
			"S": {"pk", "itemType", "tenantId", "subject", "deviceId", "endpoint", "p256dh", "auth", "language",
				"createdAt", "changedAt", "confirmedAt"},
			"L": {"wants", "roles"}, "N": {"version"}},
		always: []string{"pk", "itemType", "tenantId", "subject", "deviceId", "endpoint", "p256dh", "auth", "wants",
			"language", "createdAt", "changedAt", "version"},
		indexes: []string{"gsi_tenant"},
	},
	"PUSH_KEY": {
		of: model.PushKey{},
		additions: attributes{
			"S": {"pk", "itemType", "publicKey", "privateKey", "createdAt"}},
		always: []string{"pk", "itemType", "publicKey", "privateKey", "createdAt"},
	},
	"DRAFT": {
		of: model.Draft{},
		additions: attributes{
			"S": {"pk", "itemType", "phoneNumberId", "text", "writtenBy", "changedAt"}, "N": {"version"}},
		always: []string{"pk", "itemType", "phoneNumberId", "text", "writtenBy", "changedAt", "version"},
	},
	"MENTION": {
		of: model.Mention{},
		additions: attributes{"S": {"pk", "itemType", "conversationPk", "receivedAt", "phoneNumberId", "customerId",
			"subject", "noteId"}},
		always: []string{"pk", "itemType", "conversationPk", "receivedAt", "phoneNumberId", "customerId", "subject",
			"noteId"},
		indexes: []string{"gsi_conversation"},
	},
	"FILTERS": {
		of: model.SavedFilters{},
		additions: attributes{
			"S": {"pk", "itemType", "subject"}, "L": {"filters"}, "N": {"version"}},
		always: []string{"pk", "itemType", "subject", "filters", "version"},
	},
	"CALL": {
		of: model.Call{},
		contract: attributes{
			"S": {"pk", "itemType", "callId", "wabaMetaId", "from", "to", "status", "startedAt", "endedAt"},
			"N": {"duration"},
		},
		additions: attributes{
			"S":    {"phoneNumberId", "customerId", "fromPk", "receivedAt", "calledBy", "missedAnswer"},
			"BOOL": {"taken"},
			"M":    {"recording", "transcript", "asked"},
			"L":    {"errors", "events"}, "N": {"startRank", "version"},
		},
		always:  []string{"pk", "itemType", "callId", "phoneNumberId", "customerId", "fromPk", "receivedAt", "version"},
		indexes: []string{"gsi_waba_itemtype", "gsi_from"},
	},
	"FLOW_RESPONSE": {
		of: model.FlowResponse{},
		contract: attributes{
			"S": {"pk", "itemType", "flowId", "responseId", "customerPhone", "screenId", "completedAt"}, "M": {"data"},
		},
		additions: attributes{"S": {"createdAt", "phoneNumberId"}},
		always: []string{
			"pk", "itemType", "flowId", "responseId", "data", "completedAt", "createdAt", "phoneNumberId"},
		indexes: []string{"gsi_customer_phone"},
	},
	"ADDRESS": {
		of: model.Address{},
		contract: attributes{
			"S": {"pk", "itemType", "customerPhone", "addressId", "name", "phoneNumber", "address", "city", "state",
				"postalCode", "country", "createdAt"},
			"BOOL": {"isDefault"},
		},
		additions: attributes{"S": {"phoneNumberId", "defaultSince"}, "N": {"version"}},
		always:    []string{"pk", "itemType", "customerPhone", "addressId", "isDefault", "createdAt", "phoneNumberId"},
		indexes:   []string{"gsi_customer_phone"},
	},
	"FORM": {
		of: model.OpenForm{},
		additions: attributes{
			"S": {"pk", "itemType", "form", "about", "phoneNumberId", "customer", "customerPhone", "language",
				"createdAt"},
			"N": {"ttl"},
		},
		always: []string{
			"pk", "itemType", "form", "about", "phoneNumberId", "customer", "customerPhone", "createdAt", "ttl"},
		indexes: []string{"gsi_customer_phone"},
	},
	"GROUP": {
		of: model.Group{},
		contract: attributes{
			"S": {"pk", "itemType", "groupId", "wabaMetaId", "name", "description", "createdAt", "updatedAt"},
			"L": {"participants", "admins"},
		},
		additions: attributes{
			"S": {"phoneNumberId", "state", "stateOrder", "nameOrder", "descriptionOrder", "inviteLink", "inviteOrder",
				"pictureHash", "pictureOrder",
				"joinApprovalMode", "modeOrder", "requestId", "readAt", "becameId"},
			"L": {"joinRequests"}, "M": {"asked"}, "N": {"ttl", "version"},
		},
		always:  []string{"pk", "itemType", "groupId", "phoneNumberId", "version"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"PAYMENT_ORDER": {
		of: model.PaymentOrder{},
		contract: attributes{
			"S": {"pk", "itemType", "tenantId", "orderId", "referenceId", "configName", "customerPhone", "currency",
				"status", "paymentStatus", "transactionId", "createdAt"},
			"N": {"totalAmount"},
		},
		additions: attributes{
			"S": {"phoneNumberId", "fromPk", "receivedAt", "paymentOrder", "messageId", "purpose", "expiresAt",
				"paidCurrency", "cancelledAt", "expiredAt", "posting", "gatewayPaymentId"},
			"N": {"version", "paidAmount", "refunding"}, "M": {"refunds"}},
		always: []string{
			"pk", "itemType", "tenantId", "referenceId", "totalAmount", "status", "createdAt", "phoneNumberId",
			"fromPk", "receivedAt", "version"},
		indexes: []string{"gsi_from", "gsi_customer_phone", "gsi_order", "gsi_tenant", "gsi_payment_status"},
	},
	"PAYMENT_CONFIG": {
		of: model.PaymentConfig{},
		contract: attributes{
			"S": {"pk", "itemType", "tenantId", "configName", "type", "status", "paymentGatewayMid", "upiId", "mcc",
				"purposeCode", "lastValidatedAt"}},
		additions: attributes{
			"S": {"wabaId", "provider", "connectUrl", "webhookSecret", "formerWebhookSecret", "formerSecretUntil"},
			"M": {"asked"}, "N": {"version"}},
		always: []string{
			"pk", "itemType", "tenantId", "configName", "type", "status", "wabaId", "version"},
		indexes: []string{"gsi_tenant"},
	},
	"BUSINESS_PROFILE": {
		of: model.Profile{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "businessName", "about", "address", "description", "email",
				"vertical", "syncStatus", "updatedAt"},
			"L": {"websites"},
		},
		additions: attributes{
			"S": {"phoneNumberId", "photo", "readAt"}, "M": {"meta", "asked"}, "N": {"version"}},
		always:  []string{"pk", "itemType", "phoneNumberId", "version"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"CATALOG": {
		of: model.Catalog{},
		contract: attributes{
			"S": {"pk", "itemType", "catalogId", "wabaMetaId", "name", "syncedAt"}, "N": {"productCount"}},
		additions: attributes{
			"S": {"tenantId", "storeId", "readAt"}, "BOOL": {"linked"}, "M": {"asked", "push"}, "N": {"version"}},
		always: []string{
			"pk", "itemType", "catalogId", "wabaMetaId", "name", "productCount", "tenantId", "linked", "readAt",
			"version"},
		indexes: []string{"gsi_waba_itemtype", "gsi_tenant"},
	},
	"FLOW": {
		of: model.Flow{},
		additions: attributes{
			"S": {"pk", "itemType", "flowId", "wabaMetaId", "became", "name", "status", "statusOrder", "endpointUri",
				"jsonVersion", "dataApiVersion", "previewUrl", "previewEndsAt", "readAt"},
			"L": {"categories", "faults", "unused"}, "M": {"health", "alerts", "metrics", "json", "asked"},
			"N": {"version"}},
		always:  []string{"pk", "itemType", "flowId", "version"},
		indexes: []string{"gsi_waba_itemtype"},
	},
	"PRODUCT": {
		of: model.CatalogItem{},
		contract: attributes{
			"S": {"pk", "itemType", "catalogId", "retailerId", "name", "description", "currency", "imageUrl",
				"availability"},
			"N": {"price"}},
		additions: attributes{
			"S": {"readAt", "hash", "problem", "problemAt"}, "BOOL": {"atMeta"}, "N": {"version"},
			"M": {"asked"}},
		always:  []string{"pk", "itemType", "catalogId", "retailerId", "version"},
		indexes: []string{"gsi_catalog"},
	},
	"NUMBER_SETTING": {
		of: model.NumberSetting{},
		additions: attributes{
			"S": {"pk", "itemType", "phoneNumberId", "kind", "name", "customerId", "fromPk", "receivedAt", "syncStatus",
				"readAt"},
			"M": {"wanted", "meta", "asked"}, "N": {"version"}},
		always:  []string{"pk", "itemType", "phoneNumberId", "kind", "version"},
		indexes: []string{"gsi_from"},
	},
	"REFUND": {
		of: model.Refund{},
		contract: attributes{
			"S": {"pk", "itemType", "refundId", "orderId", "tenantId", "customerPhone", "currency", "status", "reason",
				"createdAt", "processedAt"},
			"N": {"amount"},
		},
		additions: attributes{
			"S": {"phoneNumberId", "referenceId", "configName", "metaRefundId", "postedAt", "personAt", "problem",
				"gatewayRefundId"},
			"N": {"version"}},
		always: []string{
			"pk", "itemType", "refundId", "tenantId", "amount", "currency", "status", "createdAt",
			"phoneNumberId", "referenceId", "configName", "version"},
		indexes: []string{"gsi_customer_phone", "gsi_order", "gsi_tenant"},
	},
	"QUALITY_RATING": {
		of: model.Quality{},
		contract: attributes{
			"S": {"pk", "itemType", "wabaMetaId", "qualityRating", "throughputStatus", "lastCheckedAt"},
			"L": {"qualityHistory"},
		},
		additions: attributes{"S": {"ratingOrder", "throughputOrder"}, "N": {"version"}},
		always:    []string{"pk", "itemType", "wabaMetaId", "version"},
		indexes:   []string{"gsi_waba_itemtype"},
	},
	"WEBHOOK_CHUNK": {
		of:        model.WebhookChunk{},
		additions: attributes{"S": {"pk", "itemType"}, "B": {"data"}, "N": {"ttl"}},
		always:    []string{"pk", "itemType", "data"},
	},
	"outbox event": {
		of: model.OutboxEvent{}, table: tables.Outbox,
		contract: attributes{
			"S": {"eventId", "eventType", "entityType", "entityId", "ecosystemId", "status", "lastError", "nextRetryAt",
				"createdAt",
				"sentAt", "createdAt#eventId", "nextRetryAt#eventId"},
			"N": {"sequenceNumber", "retryCount"}, "M": {"payload"},
		},
		additions: attributes{
			"S": {"attentionPk", "leaseOwner", "leaseExpiresAt", "attemptStartedAt", "replayOf", "replayedBy",
				"externalId", "correlationId", "otherCopy", "callbackToken", "failedAt", "failureCode", "replayedIn",
				"notBefore",
				"dismissedAt", "dismissedBy", "dismissReason", "emptiedAt"},
			"N": {"expiresAtEpochSeconds"}, "BOOL": {"possibleDuplicate", "unordered"}, "M": {"failuresByClass"},
		},
		always: []string{
			"eventId", "eventType", "entityType", "entityId", "ecosystemId", "sequenceNumber", "payload", "status",
			"retryCount", "createdAt", "createdAt#eventId"},
		indexes: []string{"OutboxByStatusCreatedAt", "OutboxByStatusNextRetryAt", "OutboxAttentionByTenant"},
	},
	"outbox sequence": {
		of: model.OutboxSequence{}, table: tables.OutboxSequences,
		contract:  attributes{"S": {"sequenceId", "entityKey", "updatedAt"}, "N": {"current"}},
		additions: attributes{"N": {"delivered", "pacedTo", "stoppedTo"}, "S": {"stopReason", "stoppedWith"}},
		always:    []string{"sequenceId", "entityKey", "current", "updatedAt", "delivered"},
	},
	"audit log": {
		of: model.AuditLog{}, table: tables.AuditLogs,
		contract: attributes{
			"S": {"targetKey", "timestampLogId", "logId", "adminEcosystemId", "adminEmail", "action", "targetType",
				"targetId",
				"targetEcosystemId", "reason", "requestId", "ipAddress", "userAgent", "timestamp"},
			"M": {"previousValue", "newValue"},
		},
		always: []string{
			"targetKey", "timestampLogId", "logId", "adminEcosystemId", "action", "targetType", "targetId", "reason",
			"requestId", "timestamp"},
		indexes: []string{"AuditLogsByActor"},
	},
}
