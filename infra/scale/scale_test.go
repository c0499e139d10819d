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

// The sale holds: no limit of what makes and follows orders is reached, and everything that has come is done.
func TestTheSaleHoldsAndLosesNothing(t *testing.T) {
	making, err := TheSale.Making()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range making {
		if f.Takes > f.Limit {
			t.Errorf("%s takes %g of %g", f.What, f.Takes, f.Limit)
		}
	}
	p, err := TheSale.Play()
	if err != nil || p.Made != TheSale.Rate*float64(TheSale.Seconds) || TheSale.Rate < 500 || TheSale.Seconds < 600 {
		t.Fatalf("%g orders, %v", p.Made, err)
	}
	for what, queue := range map[string]Queue{"followed": p.Followed, "told": p.Told, "stepped": p.Stepped} {
		if came, done := last(queue.Came), last(queue.Done); done < came-rest {
			t.Errorf("%s: %g of %g", what, done, came)
		}
	}
}

// A sale that is too fast for what follows from orders lags, and catches up.
func TestASaleThatIsTooFastLagsAndCatchesUp(t *testing.T) {
	fast := TheSale
	fast.Rate = 1000
	p, err := fast.Play()
	if err != nil || p.Followed.Late() == 0 || p.Followed.InTime() <= fast.Seconds ||
		last(p.Followed.Done) < last(p.Followed.Came)-rest {
		t.Errorf("%d seconds late, in time from %d on, %v", p.Followed.Late(), p.Followed.InTime(), err)
	}
}

func TestAQueueDoesFirstWhatComesFirst(t *testing.T) {
	q := Queue{Can: 2}
	for _, came := range []float64{6, 0, 0, 0, 1} {
		q.next(came)
	}
	if q.Late() != 2 || q.InTime() != 3 || last(q.Done) != 7 {
		t.Errorf("%d late, in time from %d on: %+v", q.Late(), q.InTime(), q)
	}
}
