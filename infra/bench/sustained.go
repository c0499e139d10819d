package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/bench/flows"
	"github.com/haatline/haatline/shared/engine"
)

const (
	maxFlow    = 1.5 // times the bare handler
	maxMemory  = 250 // MB of all processes of a local cloud
	flowRounds = 2   // the least CPU time counts
	// least is the CPU time of a function in a flow below which it is not told: it has done something else.
	least = 30 * time.Millisecond
)

// sustained are the options of the measure of flows.
type sustained struct {
	units    int
	only     string // measures the flows whose names hold it; "" for all
	against  string // another checkout, whose functions run the flows too, each after this one's; "" for none
	profiles string // a folder for profiles of the functions; "" for none
}

// flows returns the flows that are measured.
func (o sustained) flows() []flows.Flow {
	return slices.DeleteFunc(flows.All(), func(f flows.Flow) bool { return !strings.Contains(f.Name, o.only) })
}

// flowed is what a flow takes by function: the least CPU time of the rounds.
type flowed struct {
	cpu, bare map[string]time.Duration
	calls     map[string]int
	best      flows.Result // the round that was done first
	memory    int64        // bytes that all processes take in the local cloud
}

// measureFlows prints what each flow takes beside the bare handler.
func measureFlows(dir string, o sustained, judge func(what string, value, limit float64, unit string)) error {
	root, err := engine.Root()
	if err != nil {
		return err
	}
	bare := filepath.Join(dir, "bare")
	if err := goBuild(root, nil, "-ldflags", "-s -w", "-o", bare, "./infra/bench/bare"); err != nil {
		return err
	}
	own, other := filepath.Join(dir, "functions")+"/", ""
	if err := goBuild(root, nil, "-ldflags", "-s -w", "-o", own, "./functions/..."); err != nil {
		return err
	}
	if o.against != "" {
		other = filepath.Join(dir, "against") + "/"
		if err := goBuild(o.against, nil, "-ldflags", "-s -w", "-o", other, "./functions/..."); err != nil {
			return err
		}
	}
	for _, flow := range o.flows() {
		with := flows.Options{Root: root, Built: own}
		measured, err := measureFlow(with, flow, bare, o.units)
		if err != nil {
			return err
		}
		total := tellFlow(flow, measured, o.units, judge)
		if other == "" {
			continue
		}
		with.Built = other
		before, err := measureFlow(with, flow, "", o.units)
		if err != nil {
			return fmt.Errorf("of %s: %w", o.against, err)
		}
		then := sum(before.cpu)
		fmt.Printf("  %-44s %7.2f ms a unit, now %.2f of it\n", "before", perUnit(then, o.units),
			float64(total)/float64(then))
	}
	if o.profiles == "" {
		return nil
	}
	return profileFlows(root, dir, o)
}

// measureFlow runs a flow some times. With a bare handler it also writes down what the functions do, and has the bare
// handler do it.
func measureFlow(with flows.Options, flow flows.Flow, bare string, units int) (m flowed, err error) {
	ctx := context.Background()
	m = flowed{cpu: map[string]time.Duration{}, bare: map[string]time.Duration{}, calls: map[string]int{}}
	for round := range flowRounds {
		result, err := flows.Run(ctx, with, flow, units)
		if err != nil {
			return m, err
		}
		for name, took := range result.CPU {
			if before, is := m.cpu[name]; !is || took < before {
				m.cpu[name] = took
			}
		}
		if round == 0 || result.Took < m.best.Took {
			m.best = result
		}
	}
	maps.DeleteFunc(m.cpu, func(name string, took time.Duration) bool {
		return name == flows.Engine || name == flows.Cloud || took < least
	})
	if bare == "" {
		return m, nil
	}
	with.Local = true
	local, err := flows.Run(ctx, with, flow, units)
	if err != nil {
		return m, err
	}
	for _, taken := range local.Memory {
		m.memory += taken
	}
	with.Local, with.Record = false, true
	recorded, err := flows.Run(ctx, with, flow, units)
	if err != nil {
		return m, err
	}
	for name := range m.cpu {
		work := cmp.Or(recorded.Functions[name], &flows.Work{})
		m.calls[name] = len(work.Calls)
		for round := range flowRounds {
			took, err := flows.Bare(bare, work)
			if err != nil {
				return m, fmt.Errorf("%s: %w", name, err)
			}
			if round == 0 || took < m.bare[name] {
				m.bare[name] = took
			}
		}
	}
	return m, nil
}

// tellFlow prints a flow and returns the CPU time of all its functions.
func tellFlow(flow flows.Flow, m flowed, units int,
	judge func(what string, value, limit float64, unit string)) time.Duration {
	best := m.best
	fmt.Printf("%s, %d of them: %.0f a second, 99 of 100 calls within %s; %s %.2f ms, %s %.2f ms\n",
		flow.Name, units, float64(units)/best.Took.Seconds(), best.Slowest.Round(time.Millisecond),
		flows.Engine, perUnit(best.CPU[flows.Engine], units), flows.Cloud, perUnit(best.CPU[flows.Cloud], units))
	for _, name := range slices.Sorted(maps.Keys(m.cpu)) {
		fmt.Printf("  %-44s %7.2f ms a unit, bare %.2f, %.2f calls to DynamoDB\n", name, perUnit(m.cpu[name], units),
			perUnit(m.bare[name], units), float64(m.calls[name])/float64(units))
	}
	total := sum(m.cpu)
	ratio := float64(total) / float64(sum(m.bare))
	judge(fmt.Sprintf("all functions (%.2f ms)", perUnit(total, units)), ratio, maxFlow, "x")
	if m.memory > 0 {
		judge("memory of the local cloud and the clients", float64(m.memory)/1e6, maxMemory, "MB")
	}
	return total
}

func perUnit(d time.Duration, units int) float64 { return ms(d) / float64(units) }

func sum(of map[string]time.Duration) (total time.Duration) {
	for _, d := range of {
		total += d
	}
	return total
}

//go:embed profiled.go.txt
var profiled string

// profileFlows runs each flow once more with functions that write profiles: what they have spent CPU time on, and what
// they have allocated. The file that does so is laid over the functions for this build alone.
func profileFlows(root, dir string, o sustained) error {
	var err error
	if o.profiles, err = filepath.Abs(o.profiles); err != nil {
		return err
	}
	added := filepath.Join(dir, "profiled.go")
	if err := os.WriteFile(added, []byte(profiled), 0o600); err != nil {
		return err
	}
	mains, err := filepath.Glob(filepath.Join(root, "functions", "*", "main.go"))
	if err != nil {
		return err
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for _, main := range mains {
		overlay["Replace"][filepath.Join(filepath.Dir(main), "profiled.go")] = added
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	laid, built := filepath.Join(dir, "overlay.json"), filepath.Join(o.profiles, "functions")+"/"
	if err := os.WriteFile(laid, text, 0o600); err != nil {
		return err
	}
	if err := goBuild(root, nil, "-overlay", laid, "-o", built, "./functions/..."); err != nil {
		return err
	}
	for _, flow := range o.flows() {
		folder := filepath.Join(o.profiles, strings.ReplaceAll(flow.Name, " ", "-"))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		with := flows.Options{Root: root, Built: built, Variables: []string{"PROFILES=" + folder}}
		if _, err := flows.Run(context.Background(), with, flow, o.units); err != nil {
			return err
		}
	}
	fmt.Printf("profiles: go tool pprof -top %sinbound %s/texts/inbound-*.cpu\n", built, o.profiles)
	return nil
}
