package topology

import (
	"time"

	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// khataDomain is the domain of the commerce contract's credit.
var khataDomain = Part{
	Name: khata.Name,
	Tables: []Owned{
		{tables.KhataTransactions, "not: the law has the store keep its books", "khataEntry"},
		{tables.CustomerBalances, "khataAccounts", "khataBalance"}, // and paymentClaims, paymentClaim
		{tables.PaymentReminders, "paymentReminders", "not: the API lists them, and they expire"},
		{tables.IdempotencyKeys, "not: it holds the keys of requests for 30 days",
			"not: it holds the keys of requests"},
	},
	Functions: []Function{
		{
			Name: "khata-api", Purpose: "the operators' API of credit: what customers buy on credit, pay and owe",
			Traced:   true,
			MemoryMB: 512, Timeout: 29 * time.Second,
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"GetItem"}},
				{Table: tables.Orders, Actions: []string{"GetItem"}, Indexes: []string{"GSI3"}}, // checking the books
				{Table: tables.KhataTransactions, Actions: []string{"GetItem", "PutItem", "Query"},
					Indexes: []string{"GSI1", "GSI2"}},
				{Table: tables.CustomerBalances,
					Actions: []string{"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"},
					Indexes: []string{"GSI1", tables.IndexDues}},
				{Table: tables.IdempotencyKeys, Actions: []string{"BatchGetItem", "PutItem"}},
				{Table: tables.PaymentReminders, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{"GSI1"}},
				{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}},
				{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
				// People, and statements that are sent: the message, its file, and the record by which it is not sent
				// twice.
				{
					Table:   tables.Messages,
					Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{tables.IndexTenant}, // the numbers at which a tenant's customers are known
				},
				{Table: tables.Outbox, Actions: []string{"PutItem"}},
				{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "UpdateItem"}},
			},
			Objects: []ObjectGrant{{media.Incoming, []string{"PutObject"}}}, // the files of statements
			Config:  []string{"DEFAULT_TENANT", "TENANT_RATE"},
			Secrets: []string{CursorKeys},
			Routes:  apiRoutes("/v1/stores/{storeId}/khata", "/v1/khata"),
			Metrics: []telemetry.Metric{telemetry.ReadUnits, telemetry.WriteUnits},
		},
		{
			Name: "reconciliation", Purpose: "checks every night whether the credit books hold, and mends balances",
			MemoryMB: 512, Timeout: 15 * time.Minute,
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"GetItem", "Scan"}},
				{Table: tables.Orders, Actions: []string{"GetItem"}, Indexes: []string{"GSI3"}},
				{Table: tables.KhataTransactions, Actions: []string{"BatchGetItem", "GetItem", "Query"},
					Indexes: []string{"GSI1"}},
				{Table: tables.CustomerBalances, Actions: []string{"GetItem", "Scan", "UpdateItem"}},
				// and how far the check has come
				{Table: tables.IdempotencyKeys, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "Scan"}},
			},
			Config: []string{"DEFAULT_TENANT"},
			Schedules: []Schedule{
				{Name: "books-check", Expression: "rate(1 day)",
					Input: `{"source":"haatline.schedule","detail-type":"books-check"}`}},
			Metrics: []telemetry.Metric{
				khata.LedgerFindings, khata.LedgersChecked, telemetry.ReadUnits, telemetry.WriteUnits},
		},
		{
			Name: "reminders", Purpose: "plans and sends the reminders of customers who owe",
			MemoryMB: 512, Timeout: 290 * time.Second, // less than the time between two runs
			Grants: append([]Grant{
				{Table: tables.Stores, Actions: []string{"GetItem"}},
				{Table: tables.CustomerBalances, Actions: []string{"BatchGetItem", "ConditionCheckItem", "UpdateItem"},
					Indexes: []string{tables.IndexRemindersOf}},
				{Table: tables.PaymentReminders, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"},
					Indexes: []string{tables.IndexRemindersDue}},
				// the QR codes that reminders show
				{Table: tables.Messages, Actions: []string{"PutItem"}},
			}, sends...),
			Objects: []ObjectGrant{{media.Incoming, []string{"PutObject"}}},
			Schedules: []Schedule{
				{Name: "reminders-plan", Expression: "rate(15 minutes)",
					Input: `{"source":"haatline.schedule","detail-type":"` + khata.PlanReminders + `"}`},
				{Name: "reminders-send", Expression: "rate(5 minutes)",
					Input: `{"source":"haatline.schedule","detail-type":"reminders-send"}`},
			},
			Metrics: []telemetry.Metric{
				khata.RemindersPlanned, khata.RemindersSent, khata.RemindersCancelled, khata.RemindersFailed,
				telemetry.ReadUnits, telemetry.WriteUnits,
			},
		},
	},
	Alarms: []Alarm{{
		Metric: khata.LedgerFindings, Stat: "Sum", Above: 0, Period: day, Periods: 1, // it is written once a day
		Says: "a credit ledger does not hold: the logs of reconciliation name the entry; make reconcile " +
			"checks all again",
	}, {
		Metric: khata.LedgersChecked, Stat: "Sum", Period: day, Periods: 2, Absent: true,
		Says: "the credit books have not been checked to the end for two days: the logs of reconciliation say why",
	}, {
		Metric: khata.RemindersFailed, Stat: "Sum", Above: 20, Period: quarter, Periods: 1,
		Says: "more than twenty reminders failed within a quarter of an hour: GET " +
			"/v1/stores/{storeId}/khata/reminders?status=failed says why; most likely a template is not approved",
	}},
	Shared: map[string]Needs{
		"inbound": { // claims, entries of owners, and who asks what they owe
			Grants: append([]Grant{
				{Table: tables.Stores, Actions: []string{"BatchGetItem"}},
				{Table: tables.KhataTransactions, Actions: []string{"BatchGetItem", "PutItem", "Query"},
					Indexes: []string{"GSI1", "GSI2"}},
				{Table: tables.CustomerBalances,
					Actions: []string{"BatchGetItem", "DeleteItem", "PutItem", "Query", "UpdateItem"},
					Indexes: []string{tables.IndexDues}},
				{Table: tables.IdempotencyKeys, Actions: []string{"BatchGetItem", "PutItem"}},
			}, sends...),
		},
		"orders": { // sales of orders on credit, and their reversals
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"GetItem"}},
				{Table: tables.KhataTransactions, Actions: []string{"GetItem", "PutItem", "Query"}},
				{Table: tables.CustomerBalances, Actions: []string{"BatchGetItem", "UpdateItem"}},
				{Table: tables.IdempotencyKeys, Actions: []string{"BatchGetItem", "PutItem"}},
			},
		},
		"commerce-api": { // open orders on credit count against the limit
			Grants: []Grant{{Table: tables.CustomerBalances, Actions: []string{"GetItem", "PutItem", "UpdateItem"}}},
		},
		"messaging-api": { // erasing and exporting, and campaigns to those who owe
			Grants: []Grant{
				{Table: tables.KhataTransactions, Indexes: []string{"GSI1"}},
				{Table: tables.CustomerBalances,
					Actions: []string{"BatchGetItem", "DeleteItem", "GetItem", "UpdateItem"},
					Indexes: []string{"GSI1", tables.IndexDues}},
				{Table: tables.PaymentReminders, Actions: []string{"BatchGetItem", "DeleteItem"}},
			},
		},
		"slow-lane": { // reminders by SMS, statements that customers ask for, and what they pay on WhatsApp
			Grants: []Grant{
				{Table: tables.KhataTransactions, Actions: []string{"GetItem", "PutItem"}, Indexes: []string{"GSI1"}},
				{Table: tables.PaymentReminders, Actions: []string{"GetItem", "UpdateItem"}},
				// The last decision before a reminder is sent.
				{Table: tables.CustomerBalances, Actions: []string{"BatchGetItem", "GetItem", "UpdateItem"}},
				{Table: tables.IdempotencyKeys, Actions: []string{"BatchGetItem", "PutItem"}},
				{Table: tables.Stores, Actions: []string{"GetItem"}},
			},
			Metrics: []telemetry.Metric{khata.RemindersCancelled, khata.RemindersFailed},
			Config:  []string{"SMS_SENDER"}, SMS: true,
		},
		// the last decision before reminders are sent, how they end, and the accounts of people who were known under
		// two keys
		"outbox": {
			Grants: []Grant{
				{Table: tables.PaymentReminders, Actions: []string{"GetItem", "UpdateItem"}},
				{Table: tables.Stores, Actions: []string{"GetItem"}},
				{Table: tables.CustomerBalances, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{"GSI1"}},
				{Table: tables.KhataTransactions, Actions: []string{"PutItem"}},
				{Table: tables.IdempotencyKeys, Actions: []string{"PutItem"}},
			},
			Metrics: []telemetry.Metric{khata.RemindersCancelled, khata.RemindersFailed},
		},
		"status": { // reminders that WhatsApp could not deliver, and settling by the first status
			Grants:  []Grant{{Table: tables.PaymentReminders, Actions: []string{"GetItem", "UpdateItem"}}},
			Metrics: []telemetry.Metric{khata.RemindersFailed},
		},
	},
}
