package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/golden"
)

// written is what one run of a function has written into its log.
type written struct {
	bytes, lines, reads float64
	sweep, change       bool
}

// runs keeps what every run writes, by function and request.
type runs struct {
	mu  sync.Mutex
	all map[string]map[string]*written
}

func (r *runs) line(function, text string) {
	var line struct {
		RequestID, Msg          string
		LogOldest, OutboxOldest *float64
		ReadUnits               float64
	}
	if json.Unmarshal([]byte(text), &line) != nil || line.RequestID == "" {
		return // what a function says at its start, once
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all[function] == nil {
		r.all[function] = map[string]*written{}
	}
	one := r.all[function][line.RequestID]
	if one == nil {
		one = &written{}
		r.all[function][line.RequestID] = one
	}
	one.bytes += float64(len(text))
	one.lines++
	one.reads += line.ReadUnits
	one.change = one.change || function == "messaging-api" && line.Msg == "done"
	one.sweep = one.sweep || line.LogOldest != nil || line.OutboxOldest != nil
}

// logged is what a run writes on average, as the bill reads it.
type logged struct{ Bytes, Lines, ReadUnits float64 }

func (r *runs) averages() map[string]logged {
	r.mu.Lock()
	defer r.mu.Unlock()
	averages := map[string]logged{}
	for function, all := range r.all {
		sums, count := map[string]logged{}, map[string]float64{}
		for _, one := range all {
			name := function
			switch {
			case one.sweep:
				name += " sweep"
			case one.change:
				name += " change"
			}
			s := sums[name]
			sums[name] = logged{s.Bytes + one.bytes, s.Lines + one.lines, s.ReadUnits + one.reads}
			count[name]++
		}
		for name, s := range sums {
			n := count[name]
			averages[name] = logged{
				math.Round(s.Bytes / n), math.Round(10*s.Lines/n) / 10, math.Round(10*s.ReadUnits/n) / 10}
		}
	}
	return averages
}

// kinds of runs: one of each function, the sweeps of three, and the API's changes.
const kinds = 9

// The log of a run is charged by the byte. This measures it for the bill.
func TestARunWritesAsMuchIntoTheLogAsTheBillSays(t *testing.T) {
	t.Parallel()
	all := &runs{all: map[string]map[string]*written{}}
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.Line = all.line })
	const messages = "/v1/conversations/106540352242922:919876500001/messages"
	for i := range 5 {
		r.simulate(t, "/say", `{"from":"919876500001","text":"hello"}`)
		var page timeline
		r.get(t, messages, &page, func() bool { return len(page.Messages) == 2*i+1 })
		r.want(t, 202, "POST", messages+"/text", `{"body":"one"}`)
		r.get(t, messages, &page,
			func() bool { return page.Messages[0].Delivery != nil && page.Messages[0].Delivery.Status == "read" })
	}
	for _, f := range topology.Functions {
		for _, s := range f.Schedules {
			if _, err := r.Trigger(t.Context(), s.Name); err != nil {
				t.Fatal(err)
			}
		}
	}
	const file = "../bill/measured/logs.json"
	var want map[string]logged
	if text, err := os.ReadFile(file); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	var differing []string
	// the last lines come a little later
	for deadline := time.Now().Add(eventually.Limit); ; time.Sleep(50 * time.Millisecond) {
		got := all.averages()
		if golden.Updating() && len(got) == kinds {
			text, err := json.MarshalIndent(got, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden.Write(t, file, string(text)+"\n")
			return
		}
		differing = nil
		for name, w := range want {
			g := got[name]
			if math.Abs(g.Bytes-w.Bytes) > w.Bytes/10 || math.Abs(g.Lines-w.Lines) > 0.5 ||
				g.ReadUnits > w.ReadUnits+1 && strings.HasSuffix(name, " sweep") {
				differing = append(differing, fmt.Sprintf("%s: %+v is committed, and %+v measured", name, w, g))
			}
		}
		if len(differing) == 0 && len(want) > 0 || time.Now().After(deadline) {
			break
		}
	}
	slices.Sort(differing)
	if len(differing) > 0 || len(want) != kinds {
		t.Errorf("a run writes other lines (-update after reading why):\n%s", strings.Join(differing, "\n"))
	}
}
