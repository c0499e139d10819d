// Package topology owns the description of the running system: each function with what starts it and what it needs, as
// plain data. The CDK stacks and the local cloud both read it, so that what runs on a laptop is what is deployed.
// A function is added here and in functions/<name>, nowhere else.
package topology

import (
	"time"

	"github.com/haatline/haatline/shared/tables"
)

// Function is one Lambda function, built from functions/<Name>.
type Function struct {
	Name      string
	Purpose   string // one line, for the console and the synthesised template
	MemoryMB  int
	Timeout   time.Duration
	Tables    []tables.Table // the tables it touches; each name reaches it as the table's environment variable
	Config    []string       // the environment variables it needs beside the tables; the README says what each is
	Routes    []Route
	Streams   []StreamSource
	Schedules []Schedule
}

// Route is one HTTP route. Method "ANY" takes every method. A path ends in /{proxy+} to take everything below it.
type Route struct {
	Method, Path string
	Authorized   bool // behind the JWT authorizer
}

// StreamSource reads a table's stream. A source reports partial failures and bisects a failing batch; a record older
// than MaxRecordAge, or out of attempts, goes to the failure destination whole.
type StreamSource struct {
	Table          tables.Table
	Filters        []string // event filter patterns; a record passes if any matches
	BatchSize      int
	MaxRecordAge   time.Duration
	MaxAttempts    int // retries after the first attempt; -1 until MaxRecordAge
	Parallelism    int // batches in flight per shard; order is kept per item
	BatchingWindow time.Duration
}

// Schedule starts a function at a rate or cron expression of EventBridge Scheduler, with a fixed JSON input.
type Schedule struct {
	Name, Expression, Input string
}

// unprocessed is the filter of the webhook log's consumers: entries of the given kinds that nobody has dealt with.
func unprocessed(kind string) string {
	return `{"dynamodb":{"NewImage":{"itemType":{"S":["WEBHOOK_EVENT"]},"eventType":{"S":[` + kind + `]},` +
		`"processedAt":{"S":[{"exists":false}]},"processingError":{"S":[{"exists":false}]}}}}`
}

// Functions lists every function.
var Functions = []Function{
	{
		Name: "webhook", Purpose: "verifies what WhatsApp posts and appends it to the log",
		MemoryMB: 512, Timeout: 15 * time.Second,
		Tables: []tables.Table{tables.Messages},
		Config: []string{"WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN"},
		Routes: []Route{{"GET", "/webhooks/whatsapp", false}, {"POST", "/webhooks/whatsapp", false}},
	},
	{
		Name: "inbound", Purpose: "turns logged messages into messages, conversations and the domains' reactions",
		MemoryMB: 512, Timeout: 60 * time.Second,
		Tables: []tables.Table{tables.Messages},
		Config: []string{"DEFAULT_TENANT"},
		Streams: []StreamSource{{
			Table: tables.Messages, Filters: []string{unprocessed(`"message"`)},
			BatchSize: 25, MaxRecordAge: 6 * time.Hour, MaxAttempts: -1, Parallelism: 4,
		}},
	},
	{
		Name: "status", Purpose: "keeps delivery states and every other kind of event",
		MemoryMB: 512, Timeout: 60 * time.Second,
		Tables: []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences},
		Config: []string{},
		Streams: []StreamSource{{
			Table: tables.Messages, Filters: []string{unprocessed(`{"anything-but":["message"]}`)},
			BatchSize: 25, MaxRecordAge: 6 * time.Hour, MaxAttempts: -1, Parallelism: 4,
		}},
	},
	{
		Name: "outbox", Purpose: "sends what the domains have decided to send, in order, and settles it",
		MemoryMB: 512, Timeout: 120 * time.Second,
		Tables: []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences},
		Config: []string{"WHATSAPP_GRAPH_URL", "WHATSAPP_ACCESS_TOKEN"},
		Streams: []StreamSource{{
			Table: tables.Outbox, Filters: []string{`{"eventName":["INSERT"],"dynamodb":{"NewImage":{"status":{"S":["pending"]}}}}`},
			BatchSize: 10, MaxRecordAge: time.Hour, MaxAttempts: 5, Parallelism: 10,
		}},
		Schedules: []Schedule{{Name: "outbox-sweep", Expression: "rate(1 minute)", Input: `{"source":"haatline.schedule","detail-type":"outbox-sweep"}`}},
	},
	{
		Name: "api", Purpose: "the operators' API",
		MemoryMB: 512, Timeout: 29 * time.Second,
		Tables: []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences},
		Config: []string{"DEFAULT_TENANT"},
		Routes: []Route{{"GET", "/openapi.json", false}, {"ANY", "/v1/{proxy+}", true}},
	},
}
