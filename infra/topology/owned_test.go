package topology

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// Every table has one owner, who says what an erasure and an export do with it, and a function that writes it. A table
// that nobody uses says so.
func TestEveryTableHasAnOwnerAWriterAnEraserAndAnExporter(t *testing.T) {
	owners, writers, erases := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, f := range All() {
		for _, grant := range f.Grants {
			if slices.ContainsFunc(grant.Actions, writes) {
				writers[grant.Table.ID]++
				erases[grant.Table.ID] = erases[grant.Table.ID] || f.Name == "messaging-api"
			}
		}
	}
	erased, exported := countsOfErasures(), kindsOfLines(t)
	for _, domain := range domains {
		for _, own := range domain.Tables {
			owners[own.Table.ID]++
			switch counted := slices.Contains(erased, own.Erased); {
			case !counted && !isReason(own.Erased):
				t.Errorf("%s: %q is neither a count of an erasure nor a reason", own.Table.ID, own.Erased)
			case counted && !erases[own.Table.ID]:
				t.Errorf("%s: messaging-api, which erases, may not write it", own.Table.ID)
			}
			if !slices.Contains(exported, own.Exported) && !isReason(own.Exported) {
				t.Errorf("%s: %q is neither a kind of exported lines nor a reason", own.Table.ID, own.Exported)
			}
		}
	}
	for _, table := range tables.All() {
		if want := map[bool]int{true: 0, false: 1}[table.Unused]; owners[table.ID] != want {
			t.Errorf("%s has %d owners, want %d: the Tables of a domain in infra/topology name it", table.ID,
				owners[table.ID], want)
		}
		if writers[table.ID] == 0 != table.Unused {
			t.Errorf("%s is written by %d functions", table.ID, writers[table.ID])
		}
	}
}

// writes reports whether an action of DynamoDB's writes.
func writes(action string) bool {
	return action == "PutItem" || action == "UpdateItem" || action == "DeleteItem"
}

func isReason(text string) bool {
	reason, is := strings.CutPrefix(text, "not: ")
	return is && len(reason) > len("reason")
}

// countsOfErasures returns the names of what an erasure counts.
func countsOfErasures() []string {
	all := []string{"messages", "conversations", "logEntries"}
	for _, eraser := range registry.Open(messaging.Config{}).Erasers {
		all = append(all, eraser.Counts...)
	}
	return all
}

// kindsOfLines returns the kinds of lines that the export declares.
func kindsOfLines(t *testing.T) (kinds []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "infra", "ops", "export", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`Line += "(\w+)"`).FindAllSubmatch(source, -1) {
			kinds = append(kinds, string(found[1]))
		}
	}
	return kinds
}

// Tests leave out the indexes that no function reads, so a table says truly which these are.
func TestATableSaysWhichIndexesNobodyReads(t *testing.T) {
	read := map[string]bool{}
	for _, f := range All() {
		for _, grant := range f.Grants {
			for _, index := range grant.Indexes {
				read[grant.Table.ID+"/"+index] = true
			}
		}
	}
	for _, table := range tables.All() {
		for _, index := range table.Global {
			if !table.Unused && index.Unread == read[table.ID+"/"+index.Name] {
				t.Errorf("%s/%s: a function reads it: %t; the table says that none does: %t", table.ID, index.Name,
					read[table.ID+"/"+index.Name], index.Unread)
			}
		}
	}
}
