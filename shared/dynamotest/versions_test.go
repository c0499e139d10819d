package dynamotest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// record is the key of an audit record.
func record(partition, sort int) keys.Key {
	return keys.Key{PartitionName: tables.AuditLogs.Partition.Name, Partition: fmt.Sprint("p", partition),
		SortName: tables.AuditLogs.Sort.Name, Sort: fmt.Sprint("s", sort)}
}

// marks returns a write that sets a record's actor, which is in an index, and counts.
func marks(key keys.Key, actor int) dynamo.Update {
	return dynamo.Update{Table: tables.AuditLogs, Key: key, Do: "SET adminEcosystemId = :actor ADD n :one",
		Values: dynamo.Item{":actor": dynamo.S(fmt.Sprint("a", actor)), ":one": dynamo.N(1)}}
}

// reads returns what a partition, an index and two items hold.
func reads(ctx context.Context, client *dynamo.Client, partition, sort int) (answers []string) {
	for _, q := range []dynamo.Query{
		{Table: tables.AuditLogs, Where: "targetKey = :p",
			Values: dynamo.Item{":p": dynamo.S(fmt.Sprint("p", partition))}},
		{Table: tables.AuditLogs, Index: tables.IndexAuditByActor, Where: "adminEcosystemId = :a",
			Values: dynamo.Item{":a": dynamo.S(fmt.Sprint("a", partition))}},
	} {
		page, err := client.Query(ctx, q)
		answers = append(answers, fmt.Sprint(err))
		for _, item := range page.Items {
			answers = append(answers, dynamo.Text(item, "targetKey")+dynamo.Text(item, "timestampLogId")+
				dynamo.Text(item, "adminEcosystemId")+fmt.Sprint(dynamo.Int(item, "n")))
		}
	}
	refs := []dynamo.Ref{{Table: tables.AuditLogs, Key: record(partition, sort)},
		{Table: tables.AuditLogs, Key: record(partition+1, sort)}}
	found, err := client.BatchGet(ctx, refs)
	for _, ref := range refs {
		answers = append(answers, fmt.Sprint(dynamo.Int(ref.Found(found), "n"), err))
	}
	return answers
}

// works makes random writes to a few records, and reads. Many of them begin alike, or do the same in another order.
func works(t *testing.T, client *dynamo.Client, seed uint64) (answers []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	for range 12 {
		partition, sort := random.IntN(2), random.IntN(2)
		switch key := record(partition, sort); random.IntN(5) {
		case 0:
			err := client.Update(t.Context(), marks(key, partition))
			answers = append(answers, fmt.Sprint(err))
		case 1:
			err := client.Transact(t.Context(),
				[]dynamo.Write{marks(key, 1), marks(record(1-partition, sort), 0)})
			answers = append(answers, fmt.Sprint(err))
		case 2:
			err := client.Transact(t.Context(), []dynamo.Write{
				dynamo.Delete{Table: tables.AuditLogs, Key: key, If: dynamo.IfPresent}, marks(record(2, sort), 1)})
			answers = append(answers, fmt.Sprint(err))
		default:
			answers = append(answers, reads(t.Context(), client, partition, sort)...)
		}
	}
	return answers
}

func TestARecallOfPartitionsAndIndexesAnswersAsTheEngineDoes(t *testing.T) {
	repeated, asked := Start(t, tables.AuditLogs), Start(t, tables.AuditLogs)
	again := repeated.Again(t)
	empty, before := asked.contents(t), maps.Clone(asked.marks)
	for seed := range uint64(80) {
		got, want := works(t, repeated.Client, seed), works(t, asked.Client, seed)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("walk %d is answered\n%q, not\n%q", seed, got, want)
		}
		ended := asked.contents(t)
		if left := diff(t, ended, repeated.contents(t)); left != "" {
			t.Fatalf("walk %d leaves other tables:\n%s", seed, left)
		}
		asked.restore(t, ended, empty, before)
		again()
	}
}

// What a call does not touch makes no difference to its answer. What it touches does.
func TestARecallAsksAnewOnlyAboutWhatHasChanged(t *testing.T) {
	db := Start(t, tables.AuditLogs)
	db.Again(t)
	get := func(key keys.Key) func() {
		return func() {
			var item struct{}
			_ = db.Get(t.Context(), tables.AuditLogs, key, &item) // at first, none is found
		}
	}
	query := func(q dynamo.Query) func() {
		return func() {
			if _, err := db.Query(t.Context(), q); err != nil {
				t.Error(err)
			}
		}
	}
	partition := func(n int) func() {
		return query(dynamo.Query{Table: tables.AuditLogs, Where: "targetKey = :p",
			Values: dynamo.Item{":p": dynamo.S(fmt.Sprint("p", n))}})
	}
	index := query(dynamo.Query{Table: tables.AuditLogs, Index: tables.IndexAuditByActor,
		Where: "adminEcosystemId = :a", Values: dynamo.Item{":a": dynamo.S("a1")}})
	all := map[string]func(){"the item": get(record(0, 0)), "its neighbour": get(record(0, 1)),
		"its partition": partition(0), "another partition": partition(1), "the index": index}
	asks := map[string]bool{"the item": true, "its partition": true, "the index": true}
	for _, read := range all {
		read()
	}
	if err := db.Update(t.Context(), marks(record(0, 0), 1)); err != nil {
		t.Fatal(err)
	}
	for name, read := range all {
		known := len(db.recall.answers)
		read()
		if asked := len(db.recall.answers) > known; asked != asks[name] {
			t.Errorf("after the write, %s is asked for: %v", name, asked)
		}
	}
}

func TestTheOrderOfWritesToDifferentItemsMakesNoVersion(t *testing.T) {
	item := func(sort string, write bool) touch { return touch{"t", "p", sort, write} }
	after := func(sorts ...string) versions {
		v := newVersions()
		for _, sort := range sorts {
			touched := footprint{item(sort, true)}
			v.write(touched, v.question("Update", []byte(sort), touched))
		}
		return v
	}
	if ab, ba := after("a", "b"), after("b", "a"); !reflect.DeepEqual(ab, ba) {
		t.Errorf("%v and %v", ab, ba)
	}
	if once, twice := after("a", "b"), after("a", "b", "a"); reflect.DeepEqual(once.tables, twice.tables) {
		t.Error("a second write to an item does not show")
	}
	v := after("a")
	if v.of(item("", false)) == (version{}) || v.of(touch{table: "t"}) == (version{}) {
		t.Error("a write does not show in its partition or its table")
	}
	if v.write(footprint{{table: "t", write: true}}, version{1}); v.begin != (version{1}) || len(v.items) > 0 {
		t.Error("something is known after a call that is not understood")
	}
}
