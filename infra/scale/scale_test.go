package scale

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/cost"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

const page, begins, ends = "../SCALE.md", "```text\n", "```\n"

// SCALE.md shows what the command computes.
func TestThePageShowsWhatIsComputed(t *testing.T) {
	report, err := Report()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(text), begins)
	_, after, closed := strings.Cut(after, ends)
	if !found || !closed {
		t.Fatalf("%s has no place for the report", page)
	}
	golden.Compare(t, page, before+begins+strings.TrimSuffix(report, "\n")+ends+after)
}

// A key is one of a table that there is, and a flow writes to it. An index in whose few partitions all writes of a
// deployment meet is among the keys.
func TestEveryKeyIsOfATableThatItsFlowWritesTo(t *testing.T) {
	var few []string
	known := map[string]bool{}
	for _, table := range tables.All() {
		known[table.Name(tables.Dev)] = true
		for _, index := range table.Indexes() {
			name := table.Name(tables.Dev) + "/" + index.Name
			known[name] = true
			if index.FewValues {
				few = append(few, name)
			}
		}
	}
	for _, key := range hotKeys {
		for _, p := range key.parts {
			few = slices.DeleteFunc(few, func(name string) bool { return name == p.on })
			if write, _, err := cost.UnitsAt(p.flow, p.on); err != nil || write == 0 || !known[p.on] {
				t.Errorf("%s: %q writes %g units to %s, %v", key.what, p.flow, write, p.on, err)
			}
		}
	}
	if len(few) > 0 {
		t.Errorf("nobody says how much %v take", few)
	}
}

func TestALoadSpreadsOverTheShardsThatThereAre(t *testing.T) {
	for _, load := range Loads {
		if n, told := load.Spread[shard]; told && n != keys.DueBuckets {
			t.Errorf("%s: %g shards, and there are %d", load.Name, n, keys.DueBuckets)
		}
		if found, err := Of(load); err != nil || len(found) == 0 ||
			!slices.IsSortedFunc(found, func(a, b Finding) int {
				return int(1000 * (b.Takes/b.Limit - a.Takes/a.Limit))
			}) {
			t.Errorf("%s: %v, %v", load.Name, found, err)
		}
	}
}
