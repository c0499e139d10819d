// Package topology describes the running system as plain data: each function, what starts it and what it needs. The CDK
// stacks and the local cloud both read it, so that a laptop runs what is deployed. A function is added here and in
// functions/<name>, and nowhere else.
package topology

import (
	"slices"
	"strconv"
	"strings"
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
	Grants    []Grant // permissions on tables; each table's name is in the table's environment variable
	Objects   []ObjectGrant
	Config    []string // the plain environment variables it needs; DEPLOY.md explains each
	Secrets   []string // the variables with references to secrets that it may read
	Optional  []string // variables with secrets that a deployment may leave out, and with them what they stand for
	Numbers   bool     // it also reads, or with a key of KMS decrypts, the access tokens of single phone numbers
	Accounts  bool     // it also reads the secrets of the webhooks of single accounts
	Opens     bool     // it opens the secrets of companies' functions, also those that a key of KMS has sealed
	SMS       bool     // it sends texts through AWS End User Messaging
	Wakes     []string // the functions that it starts for an event; each one's name is in its Starter variable
	Bedrock   bool     // it asks the models of Amazon Bedrock that the deployment allows
	Email     bool     // it sends emails through Amazon SES; AWS tells it of them, and of texts that come in
	Routes    []Route
	Sessions  bool     // it says, for each request on a route for sessions, whether the token is good
	Tokens    bool     // Cognito asks it, before it makes a token, which groups the token holds
	Queue     *Queue   // AWS End User Messaging tells it of WhatsApp by a topic, from which this queue takes
	EUM       []string // what it does at AWS End User Messaging, where a deployment has numbers there: IAM's actions
	Templates []string // what it does there about the templates of accounts: IAM's actions
	Bus       bool     // it puts events on the event bus, where a deployment names one: EVENT_BUS
	Live      bool     // it tells hints on the live channel, where a deployment has one: LIVE_URL
	Streams   []StreamSource
	Schedules []Schedule
	Traced    bool               // it can write trace segments; each deployment chooses whether it does
	Metrics   []telemetry.Metric // the metrics it writes; a test compares
}

// Collector returns the variables that tell Go's garbage collector how much memory the function has, by name. With the
// memory that Lambda gives for the CPU time, it collects a quarter as often as it would by itself, and more often when
// memory gets short.
func (f Function) Collector() map[string]string {
	return map[string]string{"GOGC": "400", "GOMEMLIMIT": strconv.Itoa(f.MemoryMB*3/4) + "MiB"}
}

// CursorKeys is the variable with the keys of the API. The keys that seal cursors and those that sign the tokens of
// sessions derive from them, each by a label of its own. They are in a secret of their own, because the functions of
// the API have no part in what haatline shares with WhatsApp.
const CursorKeys = "CURSOR_KEYS"

// TokensKey is the variable with the key of KMS that seals the secrets of companies' functions and the PINs of numbers,
// in a deployment that has one. Else a key that derives from CursorKeys seals them.
const TokensKey = "TOKENS_KEY"

// EventBus is the variable with the name of the event bus of Amazon EventBridge on which events are put that a tenant
// wants there.
const EventBus = "EVENT_BUS"

// Grant is what a function may do to one table, and which of its indexes it may query. It lists exactly the calls that
// the function makes; a test compares.
type Grant struct {
	Table   tables.Table
	Actions []string // DynamoDB actions on the table itself, without the prefix; a transaction needs those of its parts
	Indexes []string // indexes it queries
	// Leading lists the allowed prefixes of the items' partition keys, and Within those of the partition keys of the
	// indexes. If one is empty, all are allowed.
	Leading, Within []string
}

// ObjectGrant is what a function may do to the objects of the bucket of files whose keys have a beginning. It gets the
// bucket's name.
type ObjectGrant struct {
	Under   string   // the beginning of the keys: files/
	Actions []string // S3 actions, without the prefix
}

// Starter is the variable with the name of a function that another one starts: MODELS_FUNCTION.
func (f Function) Starter() string {
	return strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")) + "_FUNCTION"
}

// Named returns the function with a name. It reports false if there is none.
func Named(name string) (Function, bool) {
	at := slices.IndexFunc(Functions, func(f Function) bool { return f.Name == name })
	if at < 0 {
		return Function{}, false
	}
	return Functions[at], true
}

// Authorizer returns the function that authorizes sessions.
func Authorizer() Function {
	return Functions[slices.IndexFunc(Functions, func(f Function) bool { return f.Sessions })]
}

// ForTokens returns the function that says which groups tokens hold.
func ForTokens() Function {
	return Functions[slices.IndexFunc(Functions, func(f Function) bool { return f.Tokens })]
}

// Woken reports whether another function starts a function for an event.
func Woken(name string) bool {
	return slices.ContainsFunc(Functions, func(f Function) bool { return slices.Contains(f.Wakes, name) })
}

// Tables returns the tables that the function uses.
func (f Function) Tables() []tables.Table {
	list := make([]tables.Table, len(f.Grants))
	for i, grant := range f.Grants {
		list[i] = grant.Table
	}
	return list
}

// Variables returns all environment variables that the function needs, except those of its tables.
func (f Function) Variables() []string { return slices.Concat(f.Config, f.Secrets, f.Optional) }

// Route is one HTTP route. Method "ANY" matches every method. A path that ends in /{proxy+} matches everything below
// it.
type Route struct {
	Method, Path string
	For          Callers
}

// Callers says who may come in by a route.
type Callers int

const (
	Operators Callers = iota // who has an access token of the user pool: the JWT authorizer sees to it
	Sessions                 // who has the token of a session: the function that authorizes sees to it
	Everybody                // nobody looks at who it is
)

// apiRoutes returns the routes of a domain's API for operators: each path and everything below it. API Gateway prefers
// the most specific route, so that they win over /v1/{proxy+}.
func apiRoutes(prefixes ...string) []Route { return routesFor(Operators, prefixes...) }

// leafRoutes returns the routes of paths below which there is nothing. Each route is a resource, or two where pages of
// other origins call the API, and a stack has at most 500.
func leafRoutes(paths ...string) []Route {
	routes := make([]Route, len(paths))
	for i, path := range paths {
		routes[i] = Route{"ANY", path, Operators}
	}
	return routes
}

// routesFor returns such routes for other callers.
func routesFor(callers Callers, prefixes ...string) []Route {
	var routes []Route
	for _, prefix := range prefixes {
		routes = append(routes, Route{"ANY", prefix, callers}, Route{"ANY", prefix + "/{proxy+}", callers})
	}
	return routes
}

// StreamSource reads a table's stream. It reports partial failures and bisects a failing batch. A record that is older
// than MaxRecordAge or out of attempts is stored in the failure destination.
type StreamSource struct {
	Table          tables.Table
	Filters        []string // event filter patterns; a record passes if any matches
	BatchSize      int
	MaxRecordAge   time.Duration
	MaxAttempts    int // retries after the first attempt; -1 until MaxRecordAge
	Parallelism    int // batches in flight in the local cloud, whose streams have one shard; order is kept per item
	BatchingWindow time.Duration
}

// Queue brings messages to a function in batches. The function says which ones it has not taken. The queue brings these
// again, and after that puts them into its dead letter queue.
type Queue struct {
	Name           string
	BatchSize      int
	MaxReceives    int // how often it brings a message
	MaxConcurrency int // how many batches are with the function at a time
}

// FullName returns the name of the queue in a stage.
func (q Queue) FullName(stage tables.Stage) string { return "haatline-" + q.Name + "-" + string(stage) }

// Schedule starts a function at a rate of EventBridge Scheduler, such as rate(5 minutes), with a fixed JSON input.
type Schedule struct {
	Name, Expression, Input string
}
