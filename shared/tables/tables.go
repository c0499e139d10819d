// Package tables describes every table as data: name, keys, indexes, projections, expiry, stream and recovery. The data
// stack, the local engine, the tests and package dynamo read only this description, so a table is added or changed here
// and nowhere else. Item keys are built in package keys.
package tables

import (
	"slices"
	"strings"
)

// Stage is a deployment: dev, staging or prod. Any other name is a private stage, which is treated like staging.
type Stage string

const (
	Dev     Stage = "dev"
	Staging Stage = "staging"
	Prod    Stage = "prod"
)

// Durable reports whether the stage keeps its data when its stacks are deleted. All stages except dev do.
func (s Stage) Durable() bool { return s != Dev }

// Type is the scalar type of a key attribute, as DynamoDB names it.
type Type string

const (
	String Type = "S"
	Number Type = "N"
)

// Attribute is a key attribute of a table or an index.
type Attribute struct {
	Name string
	Type Type
}

// key is an Attribute. The tables are written with literals, for which a start computes nothing.
type key = Attribute

// Projection says which attributes an index contains beside its keys.
type Projection string

const (
	ProjectAll  Projection = "ALL"
	ProjectKeys Projection = "KEYS_ONLY"
	ProjectSome Projection = "INCLUDE"
)

// Index is a global or local secondary index. Attributes is set if and only if Projection is ProjectSome. A projection
// is final: DynamoDB cannot change it on an existing index.
type Index struct {
	Name       string
	Partition  Attribute
	Sort       Attribute // zero if the index has no sort key
	Projection Projection
	Attributes []string
	// FewValues says that all writes of a deployment meet in a few partitions of the index, so that it is the first to
	// be throttled.
	FewValues bool
	// Unread says that the contract has the index and that no function reads it.
	Unread bool
}

// StreamView says what the table's stream records contain. Empty means no stream.
type StreamView string

const (
	NoStream        StreamView = ""
	NewImage        StreamView = "NEW_IMAGE"
	NewAndOldImages StreamView = "NEW_AND_OLD_IMAGES"
)

// Table is one table of the contracts.
type Table struct {
	ID        string // stable, in the form of a Go name; logical ids and environment variables are derived from it
	name      string // the contract's name, which may contain {stage}
	Partition Attribute
	Sort      Attribute // zero if the table has no sort key
	Global    []Index
	Local     []Index
	TTL       string // the attribute with the expiry in seconds since 1970; empty if nothing expires
	Stream    StreamView
	// OwnedByAWS is set if the contract requires the AWS owned key.
	OwnedByAWS bool
	Unused     bool // no domain uses it yet: it is there because a contract has it
	// Recovery lists the stages with point-in-time recovery and deletion protection.
	Recovery []Stage
}

// Name returns the table's name in a stage. In dev it is the contract's name. In other stages a name without {stage}
// gets the stage appended.
func (t Table) Name(stage Stage) string {
	if strings.Contains(t.name, "{stage}") {
		return strings.ReplaceAll(t.name, "{stage}", string(stage))
	}
	if stage == Dev {
		return t.name
	}
	return t.name + "-" + string(stage)
}

// Copy returns a table of the same keys under another name.
func (t Table) Copy(suffix string) Table {
	t.ID += suffix
	t.name += suffix
	return t
}

// Env returns the environment variable that overrides the table's name: MESSAGES_TABLE_NAME for Messages.
func (t Table) Env() string {
	var b strings.Builder
	for i, r := range t.ID {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String()) + "_TABLE_NAME"
}

// Resolve returns the name that a process uses: the override in its environment, or else the name in the stage.
func (t Table) Resolve(getenv func(string) string, stage Stage) string {
	if name := getenv(t.Env()); name != "" {
		return name
	}
	return t.Name(stage)
}

// Recoverable reports whether the table has point-in-time recovery and deletion protection in the stage.
func (t Table) Recoverable(stage Stage) bool {
	if stage != Dev && stage != Prod { // a private stage is treated like staging
		stage = Staging
	}
	return slices.Contains(t.Recovery, stage)
}

// KeyInAccount reports whether the table is encrypted with a key in the account, whose every use is on record. A key of
// AWS's own costs nothing, and is enough for dev.
func (t Table) KeyInAccount(stage Stage) bool { return !t.OwnedByAWS && stage != Dev }

// Indexes returns the global indexes followed by the local ones.
func (t Table) Indexes() []Index { return slices.Concat(t.Global, t.Local) }

// registered are the tables that All returns.
var registered []*Table

// register has All return tables. A file registers the tables that it describes, at its end. The tables themselves are
// plain literals, so that a function's start computes nothing for them.
func register(tables ...*Table) { registered = append(registered, tables...) }

// All returns every table, in the order of the files that describe them.
func All() []Table {
	all := make([]Table, len(registered))
	for i, table := range registered {
		all[i] = *table
	}
	return all
}

var durable = []Stage{Staging, Prod}

// Read returns tables without the indexes that no function reads.
func Read(list ...Table) []Table {
	list = slices.Clone(list)
	for i := range list {
		list[i].Global = slices.DeleteFunc(slices.Clone(list[i].Global), func(x Index) bool { return x.Unread })
	}
	return list
}
