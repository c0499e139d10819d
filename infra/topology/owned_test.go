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
)

// Every table that a function may write has one owner, who says what an erasure and an export do with it.
func TestEveryTableHasAnOwnerAnEraserAndAnExporter(t *testing.T) {
	owners := map[string]int{}
	erased, exported := countsOfErasures(), kindsOfLines(t)
	for _, domain := range domains {
		for _, own := range domain.Tables {
			owners[own.Table.ID]++
			if !slices.Contains(erased, own.Erased) && !isReason(own.Erased) {
				t.Errorf("%s: %q is neither a count of an erasure nor a reason", own.Table.ID, own.Erased)
			}
			if !slices.Contains(exported, own.Exported) && !isReason(own.Exported) {
				t.Errorf("%s: %q is neither a kind of exported lines nor a reason", own.Table.ID, own.Exported)
			}
		}
	}
	for _, f := range Functions {
		for _, grant := range f.Grants {
			writes := slices.ContainsFunc(grant.Actions,
				func(action string) bool { return strings.HasSuffix(action, "eItem") || action == "PutItem" })
			if writes && owners[grant.Table.ID] != 1 {
				t.Errorf("%s writes %s, which has %d owners", f.Name, grant.Table.ID, owners[grant.Table.ID])
			}
		}
	}
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
