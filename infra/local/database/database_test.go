package database

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

// plan returns how SQLite answers the engine's query for the next sequence number of a stream.
func plan(t *testing.T, path string) string {
	t.Helper()
	file, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var id, parent, unused int
	var detail string
	row := file.QueryRowContext(t.Context(),
		`EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records `+
			`WHERE table_name = ?1`, "x")
	if err := row.Scan(&id, &parent, &unused, &detail); err != nil {
		t.Fatal(err)
	}
	return detail
}

func put(t *testing.T, endpoint, id string) {
	t.Helper()
	_, err := engine.Client(endpoint).PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(tables.Messages.Name(tables.Dev)),
		Item:      map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: id}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The folder's name contains characters with a special meaning in a file URL.
func TestTheNextSequenceNumberIsFoundByAnIndexInANewFileAndInAnOldOne(t *testing.T) {
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a b?c#d%20")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	options := engine.Options{Root: root, Path: filepath.Join(dir, "new.db")}
	old := engine.Options{Root: root, Path: filepath.Join(dir, "old.db")}
	before, err := engine.Start(t.Context(), old) // like an earlier version
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.CreateTables(t.Context(), engine.Client(before.Endpoint), []tables.Table{tables.Messages},
		tables.Dev); err != nil {
		t.Fatal(err)
	}
	put(t, before.Endpoint, "WEBHOOK#1")
	before.Stop()
	for _, options := range []engine.Options{options, old, old} {
		e, err := Start(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.CreateTables(t.Context(), engine.Client(e.Endpoint), []tables.Table{tables.Messages},
			tables.Dev); err != nil {
			t.Fatal(err)
		}
		put(t, e.Endpoint, "WEBHOOK#2")
		e.Stop()
		{
			copied := filepath.Join(t.TempDir(), "copy.db")
			content, err := os.ReadFile(options.Path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(copied, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := plan(t, copied); !strings.Contains(got, "haatline_stream_next") {
				t.Errorf("%s: %s", options.Path, got)
			}
		}
	}
}
