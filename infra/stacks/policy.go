package stacks

import (
	"slices"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

// Kind is what sort of thing a statement is about.
type Kind string

const (
	OwnLogs        Kind = "own logs"
	Traces         Kind = "traces" // X-Ray knows no resources
	Table          Kind = "table"
	Index          Kind = "index"
	Stream         Kind = "stream"
	TableStreams   Kind = "streams of a table" // which streams there are; asked before a stream is known
	Secret         Kind = "secret"
	NumberSecrets  Kind = "secrets of numbers" // made by people, one for each number with a token of its own
	FailureBucket  Kind = "failure bucket"
	FailureObjects Kind = "failure objects"
	FailureQueue   Kind = "failure queue"
)

// Resource is one thing a function may touch. Table is set for the kinds of tables, Index for its own.
type Resource struct {
	Kind  Kind
	Table tables.Table
	Index string
}

// Statement allows actions of one service, without its prefix, on resources.
type Statement struct {
	Service   string
	Actions   []string
	Resources []Resource
	// Leading are what the partition keys begin with to which a statement about a table is limited; none for no limit.
	Leading []string
}

// Policy is all that a function may do, by the topology and by what starts it. The deployed role says this and nothing
// else; it is plain data, so that a test can hold the calls a function makes against it.
func Policy(function topology.Function) []Statement {
	statements := []Statement{
		{Service: "logs", Actions: []string{"CreateLogStream", "PutLogEvents"}, Resources: []Resource{{Kind: OwnLogs}}},
	}
	if function.Traced {
		statements = append(statements, Statement{Service: "xray", Actions: []string{"PutTelemetryRecords", "PutTraceSegments"}, Resources: []Resource{{Kind: Traces}}})
	}
	for _, grant := range function.Grants {
		statements = append(statements, onTable(grant)...)
	}
	for _, source := range function.Streams {
		statements = append(statements,
			Statement{Service: "dynamodb", Actions: []string{"DescribeStream", "GetRecords", "GetShardIterator"}, Resources: []Resource{{Kind: Stream, Table: source.Table}}},
			Statement{Service: "dynamodb", Actions: []string{"ListStreams"}, Resources: []Resource{{Kind: TableStreams, Table: source.Table}}},
		)
	}
	if len(function.Streams) > 0 {
		// Lambda writes what it gives up on with the function's own role, and asks for the bucket before it does.
		statements = append(statements,
			Statement{Service: "s3", Actions: []string{"ListBucket"}, Resources: []Resource{{Kind: FailureBucket}}},
			Statement{Service: "s3", Actions: []string{"PutObject"}, Resources: []Resource{{Kind: FailureObjects}}},
		)
	}
	if len(function.Schedules) > 0 {
		statements = append(statements, Statement{Service: "sqs", Actions: []string{"SendMessage"}, Resources: []Resource{{Kind: FailureQueue}}})
	}
	if len(function.Secrets) > 0 {
		readable := Statement{Service: "secretsmanager", Actions: []string{"GetSecretValue"}, Resources: []Resource{{Kind: Secret}}}
		if function.Numbers {
			readable.Resources = append(readable.Resources, Resource{Kind: NumberSecrets})
		}
		statements = append(statements, readable)
	}
	return statements
}

func onTable(grant topology.Grant) []Statement {
	var statements []Statement
	if len(grant.Actions) > 0 {
		statements = append(statements, Statement{Service: "dynamodb", Actions: slices.Clone(grant.Actions), Resources: []Resource{{Kind: Table, Table: grant.Table}}, Leading: grant.Leading})
	}
	if len(grant.Indexes) > 0 {
		query := Statement{Service: "dynamodb", Actions: []string{"Query"}}
		for _, name := range grant.Indexes {
			query.Resources = append(query.Resources, Resource{Kind: Index, Table: grant.Table, Index: name})
		}
		statements = append(statements, query)
	}
	return statements
}
