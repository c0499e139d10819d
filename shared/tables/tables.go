// Package tables owns the description of every table: name, keys, indexes, projections, expiry, stream and recovery,
// as data. The data stack, the local engine, the tests and the typed access all read this and nothing else, so a table
// is added or changed here and nowhere else. It knows nothing of items: their keys are built in package keys.
package tables

import (
	"slices"
	"strings"
)

// Stage is a deployment: dev, staging or prod. Another name is allowed for a private stage and treated like staging.
type Stage string

const (
	Dev     Stage = "dev"
	Staging Stage = "staging"
	Prod    Stage = "prod"
)

// Durable says whether the stage keeps its data when the stack goes: recovery to a point in time, deletion protection
// and retained tables. Only dev does not.
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

func s(name string) Attribute { return Attribute{name, String} }
func n(name string) Attribute { return Attribute{name, Number} }

// Projection is what an index holds beside its keys.
type Projection string

const (
	ProjectAll  Projection = "ALL"
	ProjectKeys Projection = "KEYS_ONLY"
	ProjectSome Projection = "INCLUDE"
)

// Index is a global or local secondary index. Attributes is set when, and only when, Projection is ProjectSome.
// A projection is final: DynamoDB cannot change it on an existing index.
type Index struct {
	Name       string
	Partition  Attribute
	Sort       Attribute // zero where the index has no sort key
	Projection Projection
	Attributes []string
}

// StreamView is what a record of the table's stream carries; empty means no stream.
type StreamView string

const (
	NoStream        StreamView = ""
	NewImage        StreamView = "NEW_IMAGE"
	NewAndOldImages StreamView = "NEW_AND_OLD_IMAGES"
)

// Table is one table of the contracts.
type Table struct {
	ID        string // stable, in the form of a Go name; logical ids and environment variables derive from it
	name      string // the contract's name, with {stage} where it has a slot
	Partition Attribute
	Sort      Attribute // zero where the key is the partition key alone
	Global    []Index
	Local     []Index
	TTL       string // the attribute with the expiry in epoch seconds; empty where nothing expires
	Stream    StreamView
	// OwnedByAWS is set where the contract names the key that AWS owns; every other table has the account's own.
	OwnedByAWS bool
	// Recovery lists the stages with point-in-time recovery and deletion protection.
	Recovery []Stage
}

// Name is the table's name in a stage. Dev uses the contract's name as it stands; a name without a stage slot gets the
// stage appended elsewhere.
func (t Table) Name(stage Stage) string {
	if strings.Contains(t.name, "{stage}") {
		return strings.ReplaceAll(t.name, "{stage}", string(stage))
	}
	if stage == Dev {
		return t.name
	}
	return t.name + "-" + string(stage)
}

// Env is the environment variable that overrides the table's name: MESSAGES_TABLE_NAME for Messages.
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

// Resolve is the name a process uses: the override from its environment, else the name in the given stage.
func (t Table) Resolve(getenv func(string) string, stage Stage) string {
	if name := getenv(t.Env()); name != "" {
		return name
	}
	return t.Name(stage)
}

// Recoverable says whether the table has point-in-time recovery and deletion protection in the stage.
func (t Table) Recoverable(stage Stage) bool {
	if stage != Dev && stage != Prod { // a private stage is treated like staging
		stage = Staging
	}
	return slices.Contains(t.Recovery, stage)
}

// Indexes are the global indexes followed by the local ones.
func (t Table) Indexes() []Index { return slices.Concat(t.Global, t.Local) }

// All lists every table, contract by contract.
func All() []Table {
	return slices.Concat([]Table{Messages}, cards, community, []Table{Conversations}, commerce)
}

var durable = []Stage{Staging, Prod}
