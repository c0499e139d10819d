package topology

import (
	"slices"
	"time"

	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// messagingDomain is the domain of the WhatsApp contract. Its grants in the shared functions stand there.
var messagingDomain = Part{
	Name: "messaging",
	Tables: []Owned{
		{tables.Messages, "messages", "message"},
		{tables.Outbox, "outboxEvents", "outboxEvent"},
		{tables.OutboxSequences, "not: an erasure takes the name of the sequence with its events",
			"not: it counts events"},
		{tables.AuditLogs, "not: it records who has done what, and names the target by a hash",
			"not: it is listed by the API"},
	},
	Functions: []Function{
		{
			Name:     "messaging-api",
			Purpose:  "the operators' API of conversations, messages, numbers, the outbox and the webhook log",
			Traced:   true,
			Live:     true, // open pages are told of what colleagues do
			MemoryMB: 512, Timeout: 29 * time.Second,
			Grants: []Grant{
				{
					Table: tables.Messages,
					Actions: []string{
						"BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{
						tables.IndexCampaign, tables.IndexCatalog, tables.IndexChanges,
						tables.IndexConversation, tables.IndexCustomerPhone,
						tables.IndexDirection, tables.IndexFrom, tables.IndexGroup, tables.IndexInbox,
						tables.IndexOrder, tables.IndexPaymentStatus, tables.IndexTemplateName,
						tables.IndexTemplateWABA,
						tables.IndexStatus, tables.IndexTenant, tables.IndexWABAItemType,
						tables.IndexWebhookAttention, tables.IndexWebhookEvent,
					},
				},
				{
					Table:   tables.Outbox,
					Actions: []string{"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{
						tables.IndexOutboxAttention, tables.IndexOutboxByStatus, tables.IndexOutboxByNextRetry},
				},
				{Table: tables.OutboxSequences,
					Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "UpdateItem"}},
				{Table: tables.AuditLogs, Actions: []string{"BatchGetItem", "PutItem", "Query", "UpdateItem"},
					Indexes: []string{tables.IndexAuditByActor}},
				counts,
			},
			Objects: []ObjectGrant{ // most of it through the links that it makes
				{media.Kept, []string{"GetObject"}},
				{media.Incoming, []string{"GetObject", "PutObject"}},
				{flows.Kept, []string{"GetObject", "PutObject"}},
			},
			Config: []string{"DEFAULT_TENANT", EventBus, "TENANT_RATE"},
			// it seals PINs of numbers, and secrets of subscriptions
			Secrets: []string{CursorKeys}, Optional: []string{TokensKey},
			Routes: slices.Concat(
				apiRoutes(
					"/v1/analytics", "/v1/arrivals", "/v1/campaigns", "/v1/catalogues", "/v1/conversations",
					"/v1/flows", "/v1/groups", "/v1/me", "/v1/media", "/v1/messages", "/v1/numbers", "/v1/outbox",
					"/v1/outbox-replays", "/v1/templates", "/v1/tenants", "/v1/webhook-configurations",
					"/v1/webhook-event-purges", "/v1/webhook-events"),
				leafRoutes(
					"/v1/analytics-counts", "/v1/analytics-reads", "/v1/audit-records", "/v1/catalogue-reads",
					"/v1/changes",
					"/v1/conversation-counts", "/v1/erasures", "/v1/exports", "/v1/flow-reads",
					"/v1/idempotency-records", "/v1/infrastructure", "/v1/library-template-searches",
					"/v1/library-templates", "/v1/media-types", "/v1/payment-orders", "/v1/ping",
					"/v1/response-time-counts", "/v1/response-times", "/v1/search", "/v1/template-deletions",
					"/v1/template-syncs")),
			Metrics: []telemetry.Metric{telemetry.LiveTold, telemetry.ReadUnits, telemetry.WriteUnits},
		},
		{
			Name: "slow-lane",
			Purpose: "does what takes long: files, papers, listings of templates, SMS and emails in and out, the " +
				"answers of assistants, calls of companies' own servers, events told outside, and the words by which " +
				"search finds messages",
			Traced:   true,
			MemoryMB: 512, Timeout: 120 * time.Second,
			Grants: []Grant{
				{
					Table: tables.Messages,
					Actions: []string{
						"BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{
						tables.IndexCatalog, tables.IndexChanges,
						tables.IndexConversation, tables.IndexFrom, tables.IndexInbox, tables.IndexTenant,
						tables.IndexWABAItemType, tables.IndexWebhookEvent},
				},
				{
					Table: tables.Outbox, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{tables.IndexOutboxByStatus, tables.IndexOutboxByNextRetry},
				},
				{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "GetItem", "UpdateItem"}},
				counts, // the pace of campaigns
			},
			Objects: []ObjectGrant{
				{media.Kept, []string{"DeleteObject", "GetObject", "PutObject"}},
				{media.Incoming, []string{"GetObject", "PutObject"}},
				{media.RawMail, []string{"DeleteObject", "GetObject"}},
				{flows.Kept, []string{"DeleteObject", "GetObject", "PutObject"}},
			},
			Config:  []string{EventBus, "WHATSAPP_GRAPH_URL"},
			Secrets: []string{CursorKeys, "WHATSAPP_ACCESS_TOKEN"}, Numbers: true, Accounts: true,
			Opens: true, Bus: true, // what signs the events that subscriptions are told
			EUM: []string{
				"GetLinkedWhatsAppBusinessAccountPhoneNumber", "GetWhatsAppMessageMedia", "PostWhatsAppMessageMedia"},
			Templates: []string{
				"CreateWhatsAppMessageTemplate", "CreateWhatsAppMessageTemplateFromLibrary",
				"CreateWhatsAppMessageTemplateMedia", "DeleteWhatsAppMessageTemplate", "GetWhatsAppMessageTemplate",
				"ListWhatsAppMessageTemplates", "ListWhatsAppTemplateLibrary", "UpdateWhatsAppMessageTemplate"},
			Wakes: []string{"models"},
			Streams: []StreamSource{{
				Table: tables.Outbox, Filters: []string{pendingOf(withLanes)},
				BatchSize: 4, MaxRecordAge: time.Hour, MaxAttempts: 5, Parallelism: 2,
			}},
			Schedules: []Schedule{
				{Name: "slow-lane-sweep", Expression: "rate(5 minutes)",
					Input: `{"source":"haatline.schedule","detail-type":"slow-lane-sweep"}`},
				{Name: search.Schedule, Expression: "rate(5 minutes)",
					Input: `{"source":"haatline.schedule","detail-type":"` + search.Schedule + `"}`}},
			Metrics: []telemetry.Metric{
				telemetry.FilesFetched, telemetry.FilesForgotten, telemetry.SlowOldest, telemetry.OutboxErrors,
				telemetry.OutboxRetries,
				telemetry.DeadLetters, telemetry.SendersStopped, telemetry.TokensEnding,
				telemetry.ReadUnits, telemetry.WriteUnits,
			},
		},
		{
			// It has no stream and no schedule: the function slow-lane wakes it, and says how long its events wait. So
			// it has no alarm of its own, and costs nothing while no model is asked.
			Name: "models",
			Purpose: "asks language models: to answer turns of conversations, and to read what a shop has not " +
				"understood",
			Traced:   true,
			MemoryMB: 512, Timeout: 180 * time.Second,
			Bedrock: true,
			Grants: []Grant{
				{Table: tables.Messages, Actions: []string{"BatchGetItem", "GetItem", "UpdateItem"}},
				{Table: tables.Outbox, Actions: []string{"GetItem", "PutItem", "UpdateItem"}},
				{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "GetItem", "UpdateItem"}},
			},
			Config:  []string{"MODELS", "MODEL_DAY_LIMIT", "MODEL_URL"},
			Secrets: []string{"MODEL_API_KEY"},
			Metrics: []telemetry.Metric{
				telemetry.OutboxErrors, telemetry.OutboxRetries, telemetry.DeadLetters, telemetry.ReadUnits,
				telemetry.WriteUnits},
		},
	},
}
