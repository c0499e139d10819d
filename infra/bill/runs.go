package bill

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// lambda returns the number of invocations, their gigabyte-seconds, and the gigabytes they log.
func (m month) lambda() (runs, gigabyteSeconds, logged float64) {
	add := func(name, function string, count, milliseconds float64) {
		f, l := m.Functions[function], m.logged(name)
		bytes := l.Bytes + l.Lines*overhead
		if f.SystemLog {
			bytes += systemLogBytes
		}
		runs += count
		gigabyteSeconds += count * milliseconds / 1000 * f.MemoryMB / 1024
		logged += count * bytes / gigabyte
	}
	for _, function := range slices.Sorted(maps.Keys(m.runs)) {
		count := m.runs[function]
		if function == operators {
			add(operators+" change", function, m.changes(), mix.millisecondsOf[function])
			count -= m.changes()
		}
		add(function, function, count, mix.millisecondsOf[function])
	}
	for _, function := range slices.Sorted(maps.Keys(m.sweeps)) {
		add(function+" sweep", function, m.sweeps[function], mix.millisecondsIdle)
	}
	return runs, gigabyteSeconds, logged
}

// logged returns what a run logs. Nobody measures those of the functions of stores, which log as inbound does.
func (m month) logged(name string) lines {
	if l, is := m.measured[name]; is {
		return l
	}
	if strings.HasSuffix(name, " sweep") {
		return m.measured["inbound sweep"]
	}
	return m.measured["inbound"]
}

// series returns how many of our own metrics have values. Without messages only the sweeps' metrics have.
func (m month) series() (count int, what string) {
	ofSweeps := []telemetry.Metric{telemetry.LogOldest, telemetry.OutboxOldest}
	// CloudWatch charges a series by the hours in which it has values. These have none while nothing is wrong, and
	// those of domains none while nobody uses the domain.
	silent := []telemetry.Metric{
		telemetry.EventsParked, telemetry.DeadLetters, telemetry.SendersStopped, telemetry.SlowOldest}
	for _, alarm := range topology.Alarms(nil) {
		silent = append(silent, alarm.Metric)
	}
	for _, metric := range topology.Metrics() {
		if m.busy == 0 && !slices.Contains(ofSweeps, metric) || slices.Contains(silent, metric) {
			continue
		}
		if metric.Series == telemetry.PerStage {
			count++
		}
	}
	return count, fmt.Sprintf("%d series", count)
}

// traces returns the number of traced invocations: one per second and function, and a share of the others.
func (m month) traces() float64 {
	sampled := func(runs, seconds float64) float64 {
		first := min(runs, seconds*tracedAtLeast)
		return first + (runs-first)*tracedOfTheRest
	}
	traces := 0.0
	for _, name := range slices.Sorted(maps.Keys(m.Functions)) {
		if m.Functions[name].Traced {
			traces += sampled(m.runs[name], m.busy) + sampled(m.sweeps[name], days*secondsADay)
		}
	}
	return traces
}

// windows returns the number of calls for keys and secrets. Each is cached for five minutes: secrets per execution
// environment of a function, table keys per role.
func (m month) windows() (keyCalls, secretCalls float64) {
	loop := map[string][]topology.Grant{}
	for _, function := range topology.MessageLoop() {
		loop[function.Name] = function.Grants
	}
	for _, function := range topology.Functions {
		opened := max(m.busy, min(days*secondsADay, m.sweeps[function.Name]*window)) / window
		grants, used := loop[function.Name]
		// of a domain that nobody uses: the sweep looks into its indexes, and finds nothing
		if !used && m.sweeps[function.Name] > 0 {
			grants = slices.DeleteFunc(slices.Clone(function.Grants),
				func(g topology.Grant) bool {
					return len(g.Indexes) == 0 || relays(function) && g.Table.ID != tables.Outbox.ID
				})
		}
		for _, grant := range grants {
			if grant.Table.KeyInAccount(m.stage) { // AWS's own key is free
				keyCalls += opened
			}
		}
		if m.busy > 0 && !topology.Woken(function.Name) { // models are asked only if projects choose some
			load := m.runs[function.Name] / m.busy * mix.millisecondsOf[function.Name] / 1000
			secretCalls += m.busy / window * float64(secretsOf(function)) * (math.Ceil(load) + mix.environments)
		}
	}
	return keyCalls, secretCalls
}

// relays reports whether a function sends events of the outbox: its sweep looks nowhere else.
func relays(f topology.Function) bool {
	return slices.ContainsFunc(f.Streams, func(s topology.StreamSource) bool { return s.Table.ID == tables.Outbox.ID })
}

func total(counts map[string]float64) float64 {
	sum := 0.0
	for _, count := range counts {
		sum += count
	}
	return sum
}
