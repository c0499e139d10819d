package engine

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/tables"
)

// startForTest starts an engine for as long as the test lasts, and returns a client of it.
func startForTest(t *testing.T) *dynamodb.Client {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := Start(t.Context(), Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	return Client(e.Endpoint)
}

func TestEveryTableIsCreatedAsDescribed(t *testing.T) {
	client := startForTest(t)
	for range 2 { // a table that is there already is left alone
		if err := CreateTables(t.Context(), client, tables.All(), tables.Prod); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range tables.All() {
		name := table.Name(tables.Prod)
		out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := createTableInput(table, tables.Prod)
		if diff := cmp.Diff(want.KeySchema, out.Table.KeySchema, ignoreUnexported); diff != "" {
			t.Errorf("%s key: %s", name, diff)
		}
		var got []string
		for _, index := range out.Table.GlobalSecondaryIndexes {
			got = append(got, *index.IndexName+string(index.Projection.ProjectionType))
		}
		for _, index := range out.Table.LocalSecondaryIndexes {
			got = append(got, *index.IndexName+string(index.Projection.ProjectionType))
		}
		var described []string
		for _, index := range table.Indexes() {
			described = append(described, index.Name+string(index.Projection))
		}
		slices.Sort(got)
		slices.Sort(described)
		if diff := cmp.Diff(described, got); diff != "" {
			t.Errorf("%s indexes: %s", name, diff)
		}
		if streams := out.Table.LatestStreamArn != nil; streams != (table.Stream != tables.NoStream) {
			t.Errorf("%s: stream is %v", name, streams)
		}
	}
}
