package topology

import (
	"time"

	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// cardsDomain is the domain of the cards contract.
var cardsDomain = Part{
	Name: cards.Name,
	Tables: []Owned{
		{tables.CardUsers, "cardUsers", "cardUser"},
		{tables.CardScores, "not: it holds points under an id that names nobody after an erasure", "cardScore"},
		{tables.Cards, "not: it names nobody after an erasure of the user", "card"},
		{tables.CardRequests, "not: it names nobody after an erasure of the user", "cardRequest"},
		{tables.CardTransactions, "not: it names nobody after an erasure of the user", "cardTransaction"},
		{tables.CardIdempotency, "not: it holds hashes of requests until they expire",
			"not: it holds hashes of requests"},
		{tables.WhatsAppNotifications, "cardNotifications", "cardNotification"},
		{tables.WhatsAppInbound, "cardCommands", "not: the export has the messages"},
		{tables.PendingApprovals, "not: it names nobody, and ends with the request",
			"not: it follows from the request"},
	},
	Functions: []Function{
		{
			Name: "cards-api", Purpose: "the operators' API of card users, requests, cards and their notifications",
			Traced:   true,
			MemoryMB: 512, Timeout: 29 * time.Second,
			Grants: add(add(append([]Grant{
				{Table: tables.CardUsers, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{tables.IndexUserByFirebaseUID}},
				{Table: tables.CardScores, Actions: []string{"PutItem", "Query"}},
				{Table: tables.Cards,
					Actions: []string{
						"BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"}},
				{
					Table:   tables.CardRequests,
					Actions: []string{"BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"},
					Indexes: []string{
						tables.IndexRequestsByStatus, tables.IndexRequestsByTenantStatus,
						tables.IndexRequestsByTenantTier, tables.IndexRequestsByTier},
				},
				{Table: tables.CardTransactions, Actions: []string{"GetItem", "PutItem", "Query"}},
				{Table: tables.CardIdempotency, Actions: []string{"BatchGetItem", "PutItem"}},
				{
					Table:   tables.WhatsAppNotifications,
					Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{
						tables.IndexNotificationsByNextRetry, tables.IndexNotificationsByStatus,
						tables.IndexNotificationsByEntity, tables.IndexNotificationsByTenantStatus,
					},
				},
				{Table: tables.PendingApprovals, Actions: []string{"GetItem", "PutItem", "UpdateItem"}},
				{Table: tables.AuditLogs, Actions: []string{"BatchGetItem", "PutItem", "Query"},
					Indexes: []string{tables.IndexAuditByActor}},
				counts,
				// Puts the records by which creating a user is not repeated.
			}, sends...), resends), Grant{Table: tables.Messages, Actions: []string{"PutItem"}}),
			Config:  []string{"DEFAULT_TENANT", "TENANT_RATE"},
			Secrets: []string{CursorKeys},
			Routes:  apiRoutes("/v1/cards"),
			Metrics: []telemetry.Metric{cards.DecisionsByAPI, telemetry.ReadUnits, telemetry.WriteUnits},
		},
		{
			Name: "approvals", Purpose: "rejects card requests that nobody answers, and sends notifications again",
			Traced:   true,
			MemoryMB: 256, Timeout: 60 * time.Second,
			Grants: add(append([]Grant{
				{Table: tables.CardUsers, Actions: []string{"BatchGetItem", "GetItem", "UpdateItem"}},
				{Table: tables.CardRequests, Actions: []string{"BatchGetItem", "UpdateItem"}},
				{Table: tables.WhatsAppNotifications, Actions: []string{"GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{tables.IndexNotificationsByNextRetry}},
				{Table: tables.PendingApprovals, Actions: []string{"GetItem", "UpdateItem"},
					Indexes: []string{tables.IndexPendingApprovalsByExpiry}},
				{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
			}, sends...), resends),
			Config: []string{"DEFAULT_TENANT"},
			Schedules: []Schedule{
				{Name: "approvals-sweep", Expression: "rate(1 minute)",
					Input: `{"source":"haatline.schedule","detail-type":"approvals-sweep"}`}},
			Metrics: []telemetry.Metric{
				cards.ApprovalsPending, cards.ApprovalsOldest, cards.ApprovalsOverdue, cards.DecisionsByExpiry,
				telemetry.ReadUnits, telemetry.WriteUnits,
			},
		},
	},
	Alarms: []Alarm{{
		// a sweep writes it every minute
		Metric: cards.ApprovalsOverdue, Stat: "Maximum", Above: 600, Period: time.Minute, Periods: 5,
		Says: "a card request should have expired over ten minutes ago: the logs of approvals say why it does not; " +
			"OPERATING.md says what to do",
	}},
	Shared: map[string]Needs{
		"inbound": { // answers of admins
			Grants: append([]Grant{
				{Table: tables.CardUsers, Actions: []string{"BatchGetItem", "UpdateItem"}},
				{Table: tables.CardRequests, Actions: []string{"BatchGetItem", "UpdateItem"}},
				{Table: tables.Cards, Actions: []string{"PutItem"}},
				{Table: tables.WhatsAppInbound, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}},
				{Table: tables.WhatsAppNotifications, Actions: []string{"PutItem"}},
				{Table: tables.PendingApprovals, Actions: []string{"BatchGetItem", "UpdateItem"}},
				{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
			}, sends...),
			Metrics: []telemetry.Metric{cards.DecisionsByAnswer, cards.CommandsRefused},
		},
		"outbox": { // how notifications end, and users who were known under two keys
			Grants: []Grant{
				{Table: tables.CardUsers, Actions: []string{"DeleteItem", "GetItem", "PutItem", "UpdateItem"}},
				{Table: tables.WhatsAppNotifications, Actions: []string{"GetItem", "UpdateItem"}},
				{Table: tables.PendingApprovals, Actions: []string{"UpdateItem"}},
			},
			Metrics: []telemetry.Metric{cards.NotificationsFailed},
		},
		"status": { // how far they come, and settling by the first status
			Grants: []Grant{
				{Table: tables.WhatsAppNotifications, Actions: []string{"GetItem", "UpdateItem"}},
				{Table: tables.PendingApprovals, Actions: []string{"UpdateItem"}},
			},
			Metrics: []telemetry.Metric{cards.NotificationsFailed},
		},
		"slow-lane": { // that somebody outside is told events
			Grants: []Grant{{Table: tables.CardUsers, Actions: []string{"UpdateItem"}}},
		},
		"messaging-api": { // erasing and exporting
			Grants: []Grant{
				{Table: tables.CardUsers, Actions: []string{"DeleteItem", "GetItem", "UpdateItem"}},
				{Table: tables.CardRequests, Actions: []string{"Query"}},
				{Table: tables.PendingApprovals, Actions: []string{"GetItem"}}, // of a request that waits for an answer
				{Table: tables.CardScores, Actions: []string{"Query"}},
				{Table: tables.Cards, Actions: []string{"Query"}},
				{Table: tables.CardTransactions, Actions: []string{"Query"}},
				{Table: tables.WhatsAppNotifications, Actions: []string{"BatchGetItem", "UpdateItem"},
					Indexes: []string{tables.IndexNotificationsByEntity, tables.IndexNotificationsByRecipient}},
				{Table: tables.WhatsAppInbound, Actions: []string{"DeleteItem"},
					Indexes: []string{tables.IndexInboundBySender}},
			},
		},
	},
}
