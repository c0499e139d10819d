package topology

import (
	"strings"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/webhooklog"
)

// shared are the functions in which every domain takes part.
var shared = []Function{
	{
		Name: "webhook", Purpose: "verifies what WhatsApp posts and appends it to the log",
		MemoryMB: 512, Timeout: 15 * time.Second,
		// anybody can send requests to it
		Grants: []Grant{
			{Table: tables.Messages, Actions: []string{"PutItem"}, Leading: keys.LogPrefixes()},
			{Table: tables.Messages, Actions: []string{"BatchGetItem"}, Leading: keys.WebhookConfigPrefixes(),
				Indexes: []string{tables.IndexFrom}, Within: []string{keys.WebhookConfigs}},
		},
		Accounts: true,
		Config:   []string{"WEBHOOK_MAX_AGE"},
		Secrets:  []string{"WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN"},
		Routes:   []Route{{"GET", "/webhooks/whatsapp", Everybody}, {"POST", "/webhooks/whatsapp", Everybody}},
		Metrics:  []telemetry.Metric{telemetry.DuplicatesRefused, telemetry.EventsParked, telemetry.WriteUnits},
	},
	{
		Name: "payment-webhook", Purpose: "verifies what payment gateways post and appends it to the log",
		MemoryMB: 512, Timeout: 15 * time.Second,
		// anybody can send requests to it
		Grants: []Grant{
			{Table: tables.Messages, Actions: []string{"PutItem"}, Leading: keys.LogPrefixes()},
			{Table: tables.Messages, Actions: []string{"GetItem"}, Leading: keys.PaymentConfigPrefixes()},
		},
		Accounts: true,
		Routes:   []Route{{"POST", "/webhooks/payments/{tenantId}/{configName}", Everybody}},
		Metrics:  []telemetry.Metric{telemetry.DuplicatesRefused, telemetry.ReadUnits, telemetry.WriteUnits},
	},
	{
		Name: "inbound", Purpose: "turns logged messages into messages, conversations and the domains' reactions",
		Live:     true, // open pages are told of new messages
		MemoryMB: 512, Timeout: 60 * time.Second,
		Grants: []Grant{{
			Table:   tables.Messages,
			Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"},
			Indexes: []string{
				tables.IndexConversation, tables.IndexWABAItemType, tables.IndexWebhookAttention,
				tables.IndexWebhookEvent},
		}, {Table: tables.Outbox, Actions: []string{"PutItem"}},
			{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "UpdateItem"}}},
		Config: []string{"DEFAULT_TENANT"},
		Streams: []StreamSource{{
			Table: tables.Messages, Filters: []string{unprocessed(messageKinds)},
			BatchSize: 25, MaxRecordAge: 6 * time.Hour, MaxAttempts: -1, Parallelism: 4,
		}},
		Schedules: []Schedule{
			{Name: "inbound-sweep", Expression: "rate(1 minute)",
				Input: `{"source":"haatline.schedule","detail-type":"inbound-sweep"}`}},
		Metrics: []telemetry.Metric{
			telemetry.MessagesIn, telemetry.DuplicatesRefused, telemetry.EventsParked, telemetry.LogOldest,
			telemetry.LogSetAside, telemetry.LiveTold,
			telemetry.ReadUnits, telemetry.WriteUnits,
		},
	},
	{
		Name: "status", Purpose: "keeps delivery states and every other kind of event",
		Live:     true, // open pages are told of failures
		MemoryMB: 512, Timeout: 60 * time.Second,
		Grants: []Grant{
			{
				Table:   tables.Messages,
				Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"},
				Indexes: []string{
					tables.IndexConversation, tables.IndexWABAItemType, tables.IndexWebhookAttention,
					tables.IndexWebhookEvent},
			},
			{Table: tables.Outbox, Actions: []string{"GetItem", "PutItem", "UpdateItem"}},
			{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "UpdateItem"}},
		},
		Streams: []StreamSource{{
			Table: tables.Messages, Filters: []string{unprocessed(`{"anything-but":[` + messageKinds + `]}`)},
			BatchSize: 25, MaxRecordAge: 6 * time.Hour, MaxAttempts: -1, Parallelism: 4,
		}},
		Schedules: []Schedule{
			{Name: "status-sweep", Expression: "rate(1 minute)",
				Input: `{"source":"haatline.schedule","detail-type":"status-sweep"}`},
			{Name: "templates-sync", Expression: "rate(1 day)",
				Input: `{"source":"haatline.schedule","detail-type":"templates-sync"}`},
		},
		Metrics: []telemetry.Metric{
			telemetry.LiveTold, telemetry.StatusSent,
			telemetry.StatusDelivered, telemetry.StatusRead, telemetry.StatusFailed,
			telemetry.StatusOther,
			// counted here if a status is the first sign that a message was sent
			telemetry.MessagesOut, telemetry.OutboxAge,
			telemetry.DeadLetters, telemetry.EventsParked, telemetry.LogOldest, telemetry.LogSetAside,
			telemetry.SendersStopped,
			telemetry.ReadUnits, telemetry.WriteUnits,
		},
	},
	{
		Name: "outbox", Purpose: "sends what the domains have decided to send, in order, and settles it",
		// A run waits for WhatsApp for most of its time, so half of the others' memory and processor is enough.
		MemoryMB: 256, Timeout: 120 * time.Second,
		Grants: []Grant{
			{Table: tables.Messages, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"}},
			{
				Table: tables.Outbox, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"},
				Indexes: []string{tables.IndexOutboxByStatus, tables.IndexOutboxByNextRetry},
			},
			{Table: tables.OutboxSequences, Actions: []string{"GetItem", "UpdateItem"}},
		},
		Config:  []string{"WHATSAPP_GRAPH_URL"},
		Secrets: []string{"WHATSAPP_ACCESS_TOKEN"}, Numbers: true, EUM: []string{"SendWhatsAppMessage"}, Traced: true,
		Streams: []StreamSource{{
			Table: tables.Outbox, Filters: []string{pendingOf(`{"anything-but":[` + withLanes + `]}`)},
			BatchSize: 10, MaxRecordAge: time.Hour, MaxAttempts: 5, Parallelism: 10,
		}},
		Schedules: []Schedule{
			{Name: "outbox-sweep", Expression: "rate(1 minute)",
				Input: `{"source":"haatline.schedule","detail-type":"outbox-sweep"}`}},
		Metrics: []telemetry.Metric{
			telemetry.MessagesOut, telemetry.OutboxAge, telemetry.OutboxOldest, telemetry.OutboxRetries,
			telemetry.OutboxErrors,
			telemetry.DeadLetters, telemetry.SendersStopped, telemetry.ReadUnits, telemetry.WriteUnits,
		},
	},
	{
		Name: "flow-exchange", Purpose: "answers WhatsApp's encrypted requests for the screens of forms",
		MemoryMB: 512, Timeout: 10 * time.Second, // WhatsApp waits no longer, and neither does the customer
		Grants: []Grant{{
			Table: tables.Messages, Actions: []string{"BatchGetItem", "GetItem"},
			Indexes: []string{tables.IndexCustomerPhone, tables.IndexFrom},
		}},
		Accounts: true,
		Config:   []string{"DEFAULT_TENANT"},
		Secrets:  []string{"FLOW_PRIVATE_KEY", "WHATSAPP_APP_SECRET"},
		Routes:   []Route{{"POST", "/webhooks/flows", Everybody}},
		Metrics:  []telemetry.Metric{telemetry.ReadUnits},
	},
}

// withLanes lists, for a filter, the entities that relays of their own serve.
var withLanes = `"` + strings.Join(keys.EntitiesWithLanes(), `","`) + `"`

// pendingOf returns the filter of a relay: new events of the given kinds of entities.
func pendingOf(entity string) string {
	return `{"eventName":["INSERT"],"dynamodb":{"NewImage":{"status":{"S":["pending"]},"entityType":{"S":[` + entity +
		`]}}}}`
}

// openAPI describes the APIs of all domains.
var openAPI = Function{
	Name: "openapi", Purpose: "describes the operators' API of all domains, and answers what no domain has",
	MemoryMB: 512, Timeout: 29 * time.Second,
	Routes: []Route{
		{"GET", "/openapi.json", Everybody}, {"GET", "/docs", Everybody}, {"GET", "/docs/{proxy+}", Everybody},
		{"ANY", "/v1/{proxy+}", Operators}},
}

// sessionAuthorizer verifies the tokens of sessions for the routes of all domains. A request waits for it.
var sessionAuthorizer = Function{
	Name: "session-authorizer", Purpose: "says whose session a request belongs to",
	MemoryMB: 512, Timeout: 10 * time.Second, // the gateway waits no longer
	Secrets: []string{CursorKeys}, Sessions: true,
}

// preToken says which tenants and roles a token holds. Somebody who signs in waits for it.
var preToken = Function{
	Name: "pre-token", Purpose: "says which tenants and roles a person's token holds",
	MemoryMB: 512, Timeout: 5 * time.Second, // Cognito waits no longer
	Grants: []Grant{
		{Table: tables.Messages, Actions: []string{"GetItem"}, Leading: keys.PeoplePrefixes(),
			Indexes: []string{tables.IndexFrom}, Within: keys.MemberPrefixes()},
	},
	Tokens:  true,
	Metrics: []telemetry.Metric{telemetry.ReadUnits},
}

// LiveAuthorizer says who may listen to the live channel. Only a deployment with the live channel has it.
var LiveAuthorizer = Function{
	Name: "live-authorizer", Purpose: "says who may listen to the live channel, where there is one",
	MemoryMB: 512, Timeout: 10 * time.Second,
	Secrets: []string{CursorKeys},
	Grants: append([]Grant{{Table: tables.Communities, Actions: []string{"BatchGetItem"}}}, // the members of chats
		chatTables([]string{"BatchGetItem"}, true)...),
	Metrics: []telemetry.Metric{telemetry.ReadUnits},
}

// messageKinds are the kinds of entries that are messages, as a filter lists them.
var messageKinds = `"` + strings.Join(webhooklog.MessageKinds, `","`) + `"`

// unprocessed returns the filter of a webhook log consumer: unprocessed entries of the given kinds. An entry whose
// failure was counted produces another record, which the filter keeps away, because the stream already retries the
// first one.
func unprocessed(kind string) string {
	return `{"dynamodb":{"NewImage":{"itemType":{"S":["WEBHOOK_EVENT"]},"eventType":{"S":[` + kind + `]},` +
		`"processedAt":{"S":[{"exists":false}]},"processingError":{"S":[{"exists":false}]},` +
		`"failures":{"N":[{"exists":false}]}}}}`
}
