package topology

import (
	"time"

	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// khataDomain is the domain of the commerce contract's credit.
var khataDomain = Domain{
	Name: khata.Name,
	Functions: []Function{
		{
			Name: "khata-api", Purpose: "the operators' API of credit: what customers buy on credit, pay and owe", Traced: true,
			MemoryMB: 512, Timeout: 29 * time.Second,
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"GetItem"}},
				{Table: tables.KhataTransactions, Actions: []string{"GetItem", "PutItem", "Query"}, Indexes: []string{"GSI1", "GSI2"}},
				{Table: tables.CustomerBalances, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"}, Indexes: []string{"GSI1", tables.IndexDues}},
				{Table: tables.IdempotencyKeys, Actions: []string{"BatchGetItem", "PutItem"}},
				{Table: tables.PaymentReminders, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"}, Indexes: []string{"GSI1"}},
				{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}},
				{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
				{Table: tables.Messages, Actions: []string{"BatchGetItem", "PutItem"}}, // people, and records by which nobody is reminded again
			},
			Config:  []string{"DEFAULT_TENANT"},
			Routes:  apiRoutes("/v1/stores/{storeId}/khata", "/v1/khata"),
			Metrics: []telemetry.Metric{telemetry.ReadUnits, telemetry.WriteUnits},
		},
		{
			Name: "reminders", Purpose: "plans and sends the reminders of customers who owe",
			MemoryMB: 512, Timeout: 290 * time.Second, // less than the time between two runs
			Grants: append([]Grant{
				{Table: tables.Stores, Actions: []string{"GetItem"}},
				{Table: tables.CustomerBalances, Actions: []string{"BatchGetItem", "ConditionCheckItem", "UpdateItem"}, Indexes: []string{tables.IndexRemindersOf}},
				{Table: tables.PaymentReminders, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}, Indexes: []string{tables.IndexRemindersDue}},
			}, sends...),
			Schedules: []Schedule{
				{Name: "reminders-plan", Expression: "rate(6 hours)", Input: `{"source":"haatline.schedule","detail-type":"` + khata.PlanReminders + `"}`},
				{Name: "reminders-send", Expression: "rate(5 minutes)", Input: `{"source":"haatline.schedule","detail-type":"reminders-send"}`},
			},
			Metrics: []telemetry.Metric{
				khata.RemindersPlanned, khata.RemindersSent, khata.RemindersCancelled, khata.RemindersFailed, telemetry.ReadUnits, telemetry.WriteUnits,
			},
		},
	},
	Alarms: []Alarm{{
		Metric: khata.RemindersFailed, Above: 20,
		Says: "more than twenty reminders failed within a minute: GET /v1/stores/{storeId}/khata/reminders?status=failed says why; most likely a template is not approved",
	}},
	Shared: map[string]Needs{
		"messaging-api": { // erasing
			Grants: []Grant{
				{Table: tables.CustomerBalances, Actions: []string{"UpdateItem"}, Indexes: []string{"GSI1"}},
				{Table: tables.PaymentReminders, Actions: []string{"BatchGetItem", "DeleteItem"}},
			},
		},
		"media": { // reminders by SMS
			Grants:  []Grant{{Table: tables.PaymentReminders, Actions: []string{"GetItem", "UpdateItem"}}},
			Metrics: []telemetry.Metric{khata.RemindersFailed},
			Config:  []string{"SMS_SENDER"}, SMS: true,
		},
		"outbox": { // how reminders end
			Grants:  []Grant{{Table: tables.PaymentReminders, Actions: []string{"GetItem", "UpdateItem"}}},
			Metrics: []telemetry.Metric{khata.RemindersFailed},
		},
		"status": { // reminders that WhatsApp could not deliver, and settling by the first status
			Grants:  []Grant{{Table: tables.PaymentReminders, Actions: []string{"GetItem", "UpdateItem"}}},
			Metrics: []telemetry.Metric{khata.RemindersFailed},
		},
	},
}
