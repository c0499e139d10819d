// Package topology owns the description of the running system: each function with what starts it and what it needs, as
// plain data. The CDK stacks and the local cloud both read it, so that what runs on a laptop is what is deployed.
// A function is added here and in functions/<name>, nowhere else.
package topology

import (
	"slices"
	"time"

	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Function is one Lambda function, built from functions/<Name>.
type Function struct {
	Name      string
	Purpose   string // one line, for the console and the synthesised template
	MemoryMB  int
	Timeout   time.Duration
	Grants    []Grant  // what it may do to which tables; each table's name reaches it as the table's environment variable
	Config    []string // the plain environment variables it needs; the README says what each is
	Secrets   []string // the variables that hold references to secrets, which it may read
	Numbers   bool     // it reads the access tokens of single numbers, too
	Routes    []Route
	Streams   []StreamSource
	Schedules []Schedule
	Traced    bool               // it writes trace segments, where a deployment has it traced
	Metrics   []telemetry.Metric // what it measures: exactly that, a test compares
}

// Grant is what a function may do to one table, and which of its indexes it may query. It is exactly what the function
// does: a test compares it with the calls it makes.
type Grant struct {
	Table   tables.Table
	Actions []string // DynamoDB actions on the table itself, without the prefix; a transaction needs those of its parts
	Indexes []string // indexes it queries
	// Leading are what the partition keys of the items begin with that the actions may touch; none for every item.
	Leading []string
}

// Tables are the tables the function touches.
func (f Function) Tables() []tables.Table {
	list := make([]tables.Table, len(f.Grants))
	for i, grant := range f.Grants {
		list[i] = grant.Table
	}
	return list
}

// Variables are all environment variables the function needs beside its tables'.
func (f Function) Variables() []string { return slices.Concat(f.Config, f.Secrets) }

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
	Parallelism    int // batches in flight in the local cloud, whose streams have one shard; order is kept per item
	BatchingWindow time.Duration
}

// Schedule starts a function at a rate or cron expression of EventBridge Scheduler, with a fixed JSON input.
type Schedule struct {
	Name, Expression, Input string
}
