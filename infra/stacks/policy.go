package stacks

import (
	"slices"

	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/tables"
)

// Kind is the kind of a statement's resource.
type Kind string

const (
	OwnLogs        Kind = "own logs"
	Traces         Kind = "traces" // X-Ray has no resource-level permissions
	Table          Kind = "table"
	Index          Kind = "index"
	Stream         Kind = "stream"
	TableStreams   Kind = "streams of a table" // to list a table's streams
	Secret         Kind = "secret"
	CursorSecret   Kind = "keys of cursors"
	AccountSecrets Kind = "secrets of accounts" // made by people: of accounts whose webhooks have their own
	NumberSecrets  Kind = "secrets of numbers"  // made by people: one per number that has its own token
	FailureBucket  Kind = "failure bucket"
	FailureObjects Kind = "failure objects"
	FailureQueue   Kind = "failure queue"
	TextSenders    Kind = "senders of texts"   // numbers, sender ids and pools
	MailSenders    Kind = "senders of emails"  // domains and addresses
	MailSettings   Kind = "settings of emails" // configuration sets
	Files          Kind = "files"              // the objects of the bucket of files
	Starts         Kind = "function"           // another function, as everything starts it
	Model          Kind = "model"              // of Amazon Bedrock
	LiveChannels   Kind = "live channels"
	EUMQueue       Kind = "queue of AWS End User Messaging"
	EUMNumbers     Kind = "numbers at AWS End User Messaging"
	EUMAccounts    Kind = "WhatsApp accounts at AWS End User Messaging"
	EventBus       Kind = "event bus"
	TokensKey      Kind = "key of tokens" // of KMS: it encrypts tokens of numbers and secrets of functions

	AnalyticsSecret  Kind = "secret of analytics"  // made by people, with the DSN
	AnalyticsCluster Kind = "cluster of analytics" // Aurora DSQL
)

// Resource is something a function may use. Table is set for the table kinds, Index for indexes, Under for files: the
// beginning of their keys, and Name for functions, models and event buses.
type Resource struct {
	Kind  Kind
	Table tables.Table
	Index string
	Under string
	Name  string
}

// Statement allows actions of one service, without its prefix, on resources.
type Statement struct {
	Service   string
	Actions   []string
	Resources []Resource
	// Leading limits a statement about a table or an index to partition keys with one of these prefixes. Empty means no
	// limit.
	Leading []string
}

// Policy returns everything that a function may do, derived from the topology. The deployed role contains exactly this.
// It is plain data, so that a test can compare it with the calls that the function makes.
func Policy(function topology.Function) []Statement {
	statements := []Statement{
		{Service: "logs", Actions: []string{"CreateLogStream", "PutLogEvents"}, Resources: []Resource{{Kind: OwnLogs}}},
	}
	if function.Traced {
		statements = append(statements, Statement{
			Service: "xray", Actions: []string{"PutTelemetryRecords", "PutTraceSegments"},
			Resources: []Resource{{Kind: Traces}},
		})
	}
	for _, grant := range function.Grants {
		statements = append(statements, onTable(grant)...)
	}
	for _, grant := range function.Objects {
		statements = append(statements,
			Statement{Service: "s3", Actions: slices.Clone(grant.Actions),
				Resources: []Resource{{Kind: Files, Under: grant.Under}}})
	}
	if function.SMS {
		statements = append(statements,
			Statement{Service: "sms-voice", Actions: []string{"SendTextMessage"},
				Resources: []Resource{{Kind: TextSenders}}})
	}
	if function.Email { // an email that is sent as it was written takes both
		statements = append(statements,
			Statement{Service: "ses", Actions: []string{"SendEmail", "SendRawEmail"},
				Resources: []Resource{{Kind: MailSenders}, {Kind: MailSettings}}})
	}
	for _, name := range function.Wakes {
		statements = append(statements, Statement{
			Service: "lambda", Actions: []string{"InvokeFunction"}, Resources: []Resource{{Kind: Starts, Name: name}}})
	}
	for _, source := range function.Streams {
		statements = append(statements,
			Statement{
				Service: "dynamodb", Actions: []string{"DescribeStream", "GetRecords", "GetShardIterator"},
				Resources: []Resource{{Kind: Stream, Table: source.Table}},
			},
			Statement{Service: "dynamodb", Actions: []string{"ListStreams"},
				Resources: []Resource{{Kind: TableStreams, Table: source.Table}}},
		)
	}
	if len(function.Streams) > 0 {
		// Lambda writes failed records with the function's own role and checks the bucket before that.
		statements = append(statements,
			Statement{Service: "s3", Actions: []string{"ListBucket"}, Resources: []Resource{{Kind: FailureBucket}}},
			Statement{Service: "s3", Actions: []string{"PutObject"}, Resources: []Resource{{Kind: FailureObjects}}},
		)
	}
	if function.Queue != nil { // Lambda takes from the queue with the function's own role
		statements = append(statements,
			Statement{Service: "sqs", Actions: []string{"DeleteMessage", "GetQueueAttributes", "ReceiveMessage"},
				Resources: []Resource{{Kind: EUMQueue}}})
	}
	if len(function.Schedules) > 0 {
		statements = append(statements,
			Statement{Service: "sqs", Actions: []string{"SendMessage"}, Resources: []Resource{{Kind: FailureQueue}}})
	}
	if len(function.Secrets) > 0 || function.Accounts {
		statements = append(statements, onSecrets(function))
	}
	return statements
}

// onSecrets returns the statement by which a function reads its secrets.
func onSecrets(function topology.Function) Statement {
	readable := Statement{Service: "secretsmanager", Actions: []string{"GetSecretValue"}}
	for _, kind := range []Kind{Secret, CursorSecret} {
		if slices.ContainsFunc(function.Secrets, func(variable string) bool { return secretOf(variable) == kind }) {
			readable.Resources = append(readable.Resources, Resource{Kind: kind})
		}
	}
	if function.Numbers {
		readable.Resources = append(readable.Resources, Resource{Kind: NumberSecrets})
	}
	if function.Accounts {
		readable.Resources = append(readable.Resources, Resource{Kind: AccountSecrets})
	}
	return readable
}

// secretOf returns the secret that holds a secret variable's value.
func secretOf(variable string) Kind {
	switch variable {
	case topology.CursorKeys:
		return CursorSecret
	}
	return Secret
}

// Optional returns what a function may do beyond Policy because of what a deployment has and another has not.
func Optional(function topology.Function, options settings.Options) []Statement {
	var statements []Statement
	if function.Live && options.Live {
		statements = append(statements, Statement{
			Service: "appsync", Actions: []string{"EventPublish"}, Resources: []Resource{{Kind: LiveChannels}}})
	}
	if bus := options.Config[topology.EventBus]; function.Bus && bus != "" {
		statements = append(statements, Statement{
			Service: "events", Actions: []string{"PutEvents"}, Resources: []Resource{{Kind: EventBus, Name: bus}}})
	}
	if len(function.EUM) > 0 && options.EUM.Topic != "" {
		statements = append(statements, Statement{
			Service: "social-messaging", Actions: slices.Clone(function.EUM),
			Resources: []Resource{{Kind: EUMNumbers}}})
	}
	if len(function.Templates) > 0 && options.EUM.Topic != "" {
		statements = append(statements, Statement{
			Service: "social-messaging", Actions: slices.Clone(function.Templates),
			Resources: []Resource{{Kind: EUMAccounts}}})
	}
	var may []string
	if function.Numbers || function.Opens {
		may = append(may, "Decrypt")
	}
	if slices.Contains(function.Optional, topology.TokensKey) {
		may = append(may, "Encrypt")
	}
	if len(may) > 0 && options.SealedTokens {
		statements = append(statements,
			Statement{Service: "kms", Actions: may, Resources: []Resource{{Kind: TokensKey}}})
	}
	if function.Bedrock {
		statements = append(statements, onBedrock(options.Models)...)
	}
	if slices.Contains(function.Optional, analyticsVariable) {
		statements = append(statements, onAnalytics(options.Analytics)...)
	}
	return statements
}

// onAnalytics allows what the database of analytics needs.
func onAnalytics(database settings.Analytics) []Statement {
	switch {
	case database.Secret != "":
		return []Statement{
			{Service: "secretsmanager", Actions: []string{"GetSecretValue"},
				Resources: []Resource{{Kind: AnalyticsSecret}}}}
	case database.Cluster != "":
		return []Statement{
			{Service: "dsql", Actions: []string{database.Action},
				Resources: []Resource{{Kind: AnalyticsCluster}}}}
	}
	return nil
}

// onBedrock allows asking the models of Amazon Bedrock that a deployment names: nothing if it names none. A model may
// be named by the id of an inference profile, which leads to the model of its name in several regions.
func onBedrock(allowed models.Models) []Statement {
	asks := Statement{Service: "bedrock", Actions: []string{"InvokeModel"}}
	for _, m := range allowed {
		if m.Service == models.Bedrock {
			asks.Resources = append(asks.Resources, Resource{Kind: Model, Name: m.ID})
		}
	}
	if len(asks.Resources) == 0 {
		return nil
	}
	return []Statement{asks}
}

// analyticsVariable is the variable with the DSN of the database of analytics.
const analyticsVariable = "ANALYTICS_DSN"

func onTable(grant topology.Grant) []Statement {
	var statements []Statement
	if len(grant.Actions) > 0 {
		statements = append(statements, Statement{
			Service: "dynamodb", Actions: slices.Clone(grant.Actions),
			Resources: []Resource{{Kind: Table, Table: grant.Table}}, Leading: grant.Leading,
		})
	}
	if len(grant.Indexes) > 0 {
		query := Statement{Service: "dynamodb", Actions: []string{"Query"}, Leading: grant.Within}
		for _, name := range grant.Indexes {
			query.Resources = append(query.Resources, Resource{Kind: Index, Table: grant.Table, Index: name})
		}
		statements = append(statements, query)
	}
	return statements
}
