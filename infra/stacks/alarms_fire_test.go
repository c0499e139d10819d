package stacks_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// rule is an alarm as CloudWatch evaluates it.
type rule struct {
	metric, stat string
	namespace    string
	expression   string
	above        float64
	period       time.Duration
	periods      int
	breaching    bool // a period without a value counts as trouble
}

func ruleOf(alarm made) rule {
	m := read(alarm)[0]
	r := rule{
		metric: said(at(m, "Metric", "MetricName")), namespace: said(at(m, "Metric", "Namespace")),
		stat:  said(at(m, "Stat")),
		above: alarm.Properties["Threshold"].(float64), period: time.Duration(at(m, "Period").(float64)) * time.Second,
		periods:   int(alarm.Properties["EvaluationPeriods"].(float64)),
		breaching: alarm.Properties["TreatMissingData"] == "breaching",
	}
	for _, one := range alarm.Properties["Metrics"].([]any) {
		if expression := at(one, "Expression"); expression != nil {
			r.expression = said(expression)
		}
	}
	return r
}

// point is a value that a function has written.
type point struct {
	at    time.Duration
	value float64
}

// fires reports whether the alarm is on at an instant.
func (r rule) fires(points []point, now time.Duration) bool {
	for n := range r.periods {
		to := (now/r.period - time.Duration(n)) * r.period // whole periods
		if !r.inTrouble(points, to-r.period, to) {
			return false
		}
	}
	return true
}

func (r rule) inTrouble(points []point, from, to time.Duration) bool {
	value, has := 0.0, false
	for _, p := range points {
		if p.at < from || p.at >= to {
			continue
		}
		if r.stat == "Sum" {
			value += p.value
		} else {
			value = max(value, p.value)
		}
		has = true
	}
	switch {
	case strings.HasPrefix(r.expression, "IF(FILL(m1,0)==0"):
		return value == 0
	case !has:
		return r.breaching
	}
	return value > r.above
}

var rate = regexp.MustCompile(`^rate\((\d+) (minute|hour|day)s?\)$`)

// rhythm returns how often a metric is written: by the schedules of the functions that write it, 0 if events of the day
// have it written.
func rhythm(t *testing.T, metric string) time.Duration {
	t.Helper()
	shortest := time.Duration(0)
	for _, f := range topology.Functions {
		if !slices.ContainsFunc(f.Metrics, func(m telemetry.Metric) bool { return m.Name == metric }) {
			continue
		}
		if !strings.HasSuffix(metric, "Oldest") && (len(f.Streams) > 0 || len(f.Routes) > 0) {
			return 0
		}
		for _, schedule := range f.Schedules {
			found := rate.FindStringSubmatch(schedule.Expression)
			if found == nil {
				t.Fatalf("%s: %s", schedule.Name, schedule.Expression)
			}
			n, _ := strconv.Atoi(found[1])
			every := time.Duration(n) * map[string]time.Duration{
				"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[found[2]]
			if shortest == 0 || every < shortest {
				shortest = every
			}
		}
	}
	return shortest
}

// Each alarm on a metric of haatline's own fires while there is trouble, at the rhythm in which the metric is written,
// and clears after it.
func TestEveryAlarmFiresAndClears(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	tried := 0
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		r := ruleOf(functions.Resources[id])
		if r.namespace != "haatline" {
			continue
		}
		tried++
		every := rhythm(t, r.metric)
		window := max(every, r.period) * time.Duration(r.periods)
		begins := 3 * window
		trouble, fine := r.above+1, 0.0
		if strings.HasSuffix(id, "Absent") {
			trouble, fine = 0, 1
		}
		var points []point
		ends := begins + time.Minute // one event
		if every > 0 {
			ends = begins + time.Duration(r.periods+1)*max(every, r.period)
		}
		step := max(every, time.Minute)
		for at := time.Duration(0); at < ends+4*window; at += step {
			value := fine
			if at >= begins && at < ends {
				value = trouble
			}
			if every > 0 || value == trouble && trouble > 0 {
				points = append(points, point{at, value})
			}
		}
		fired := false
		for at := begins; at <= ends+2*r.period; at += time.Minute {
			fired = fired || r.fires(points, at)
		}
		if !fired {
			t.Errorf("%s never fires: %+v, written every %v", id, r, every)
		}
		if r.fires(points, begins) {
			t.Errorf("%s fires before there is trouble", id)
		}
		if r.fires(points, ends+3*window) {
			t.Errorf("%s does not clear", id)
		}
	}
	if tried < 8 {
		t.Errorf("%d alarms were tried", tried)
	}
}
