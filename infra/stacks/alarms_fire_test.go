package stacks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
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

// series is a metric that a rule reads, and what one of its periods is made of.
type series struct{ namespace, name, stat string }

// rule is an alarm as CloudWatch evaluates it.
type rule struct {
	series     map[string]series // by the name that the expression has for it
	expression ast.Expr
	above      float64
	period     time.Duration
	periods    int
	breaching  bool // a period without a value counts as trouble
}

func ruleOf(t *testing.T, alarm made) rule {
	t.Helper()
	r := rule{
		series: map[string]series{}, above: alarm.Properties["Threshold"].(float64),
		periods:   int(alarm.Properties["EvaluationPeriods"].(float64)),
		breaching: alarm.Properties["TreatMissingData"] == "breaching",
	}
	expression := "m1"
	for _, one := range alarm.Properties["Metrics"].([]any) {
		if text := at(one, "Expression"); text != nil {
			expression = said(text)
			continue
		}
		m := at(one, "MetricStat")
		r.period = time.Duration(at(m, "Period").(float64)) * time.Second
		r.series[said(at(one, "Id"))] = series{
			said(at(m, "Metric", "Namespace")), said(at(m, "Metric", "MetricName")), said(at(m, "Stat"))}
	}
	var err error
	if r.expression, err = parser.ParseExpr(expression); err != nil { // CloudWatch's expressions have the form of Go's
		t.Fatalf("%s: %v", expression, err)
	}
	return r
}

// point is a value that somebody has written.
type point struct {
	at    time.Duration
	value float64
}

// fires reports whether the alarm is on at an instant.
func (r rule) fires(t *testing.T, points map[string][]point, now time.Duration) bool {
	t.Helper()
	for n := range r.periods {
		to := (now/r.period - time.Duration(n)) * r.period // whole periods
		values := map[string]float64{}
		for id, of := range r.series {
			if value, has := of.between(points[id], to-r.period, to); has {
				values[id] = value
			}
		}
		value, has := valueOf(t, r.expression, values)
		if trouble := has && value > r.above || !has && r.breaching; !trouble {
			return false
		}
	}
	return true
}

// between returns the statistic of the points of a period.
func (s series) between(points []point, from, to time.Duration) (value float64, has bool) {
	sum, most, n := 0.0, 0.0, 0.0
	for _, p := range points {
		if from <= p.at && p.at < to {
			sum, most, n = sum+p.value, max(most, p.value), n+1
		}
	}
	switch {
	case n == 0:
		return 0, false
	case s.stat == "Sum":
		return sum, true
	case s.stat == "Average":
		return sum / n, true
	}
	return most, true // a percentile of equal values is the greatest of them
}

// valueOf evaluates metric math. A part without a value makes the whole be without one; FILL replaces it.
func valueOf(t *testing.T, e ast.Expr, values map[string]float64) (value float64, has bool) {
	t.Helper()
	switch e := e.(type) {
	case *ast.Ident:
		value, has = values[e.Name]
		return value, has
	case *ast.BasicLit:
		value, err := strconv.ParseFloat(e.Value, 64)
		return value, err == nil
	case *ast.BinaryExpr:
		a, hasA := valueOf(t, e.X, values)
		b, hasB := valueOf(t, e.Y, values)
		of := map[token.Token]func() float64{
			token.ADD: func() float64 { return a + b }, token.MUL: func() float64 { return a * b },
			token.QUO: func() float64 { return a / b }, token.EQL: func() float64 { return truth(a == b) },
			token.GEQ: func() float64 { return truth(a >= b) },
		}[e.Op]
		if of == nil {
			t.Fatalf("nobody has said what %s means", e.Op)
		}
		return of(), hasA && hasB
	case *ast.CallExpr:
		value, has = valueOf(t, e.Args[0], values)
		switch name := e.Fun.(*ast.Ident).Name; {
		case name == "FILL" && has:
			return value, true
		case name == "FILL":
			return valueOf(t, e.Args[1], values)
		case name == "IF" && !has:
			return 0, false
		case name == "IF" && value != 0:
			return valueOf(t, e.Args[1], values)
		case name == "IF":
			return valueOf(t, e.Args[2], values)
		}
	}
	t.Fatalf("nobody has said what %T means", e)
	return 0, false
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

var rate = regexp.MustCompile(`^rate\((\d+) (minute|hour|day)s?\)$`)

// rhythm returns how often a metric is written, 0 if events have it written. AWS counts a bucket's objects once a day,
// and looks at a queue every minute. A metric of haatline's own follows the schedules of the functions that write it.
func rhythm(t *testing.T, of series) time.Duration {
	t.Helper()
	switch of.namespace {
	case "AWS/S3":
		return 24 * time.Hour
	case "AWS/SQS":
		return time.Minute
	case telemetry.Namespace:
	default:
		return 0
	}
	shortest := time.Duration(0)
	for _, f := range topology.Functions {
		if !slices.ContainsFunc(f.Metrics, func(m telemetry.Metric) bool { return m.Name == of.name }) {
			continue
		}
		if !strings.HasSuffix(of.name, "Oldest") && (len(f.Streams) > 0 || len(f.Routes) > 0) {
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

// trial is what happens to the metric of one alarm: all is well, then there is trouble, and then all is well again.
type trial struct {
	rule
	every        time.Duration // how often somebody writes; 0: with each event of the day
	begins, ends time.Duration
	window       time.Duration // that the alarm looks at
}

func newTrial(t *testing.T, r rule) trial {
	t.Helper()
	c := trial{rule: r, every: rhythm(t, r.series["m1"])}
	c.window = max(c.every, r.period) * time.Duration(r.periods)
	c.begins = 3 * c.window
	c.ends = c.begins + c.window + max(c.every, r.period)
	if c.every == 0 && r.periods == 1 && r.series["m1"].namespace == telemetry.Namespace {
		c.ends = c.begins + time.Minute // one event
	}
	return c
}

// points returns what is written of a metric that is at fine, and at trouble while there is trouble.
func (c trial) points(fine, trouble float64) (points []point) {
	step := max(c.every, time.Minute)
	for at := time.Duration(0); at < c.ends+4*c.window; at += step {
		value := fine
		if c.begins <= at && at < c.ends {
			value = trouble
		}
		if c.every > 0 || value != 0 { // nobody writes that nothing has happened
			points = append(points, point{at, value})
		}
	}
	return points
}

// written returns the points of all metrics. The named metric is in trouble, and the others are well.
func (c trial) written(id, named string) map[string][]point {
	points := map[string][]point{}
	for name := range c.series {
		fine, trouble := 0.0, 0.0
		if name == named {
			trouble = c.above + 20 // a burst of what counts, and something above a value that is measured
		}
		if strings.HasSuffix(id, "Absent") {
			fine, trouble = 1, 0
		}
		if c.series[name].name == "Count" { // of requests, among which are those that fail
			fine, trouble = 30, 30
		}
		points[name] = c.points(fine, trouble)
	}
	return points
}

// Each alarm fires while there is trouble, whichever of its metrics shows it, at the rhythm in which the metric is
// written. It is off before, and clears after it.
func TestEveryAlarmFiresAndClears(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::CloudWatch::Alarm") {
		c := newTrial(t, ruleOf(t, functions.Resources[id]))
		for named, of := range c.series {
			if of.name == "Count" {
				continue
			}
			points := c.written(id, named)
			fired := false
			for at := c.begins; at <= c.ends+2*c.period; at += time.Minute {
				fired = fired || c.fires(t, points, at)
			}
			if !fired {
				t.Errorf("%s never fires: %s of %s, written every %v", id, of.stat, of.name, c.every)
			}
			if c.fires(t, points, c.begins) {
				t.Errorf("%s fires before there is trouble", id)
			}
			if c.fires(t, points, c.ends+3*c.window) {
				t.Errorf("%s does not clear", id)
			}
		}
	}
}

// A canary, like all traffic, that fails at one in ten is seen. One bad request among thirty in a quiet hour is not.
func TestAShareOfFailingRequestsFires(t *testing.T) {
	r := ruleOf(t, stage(t, tables.Prod)["functions"].Resources["HttpApiErrors"])
	for _, c := range []struct {
		failed, all float64
		fires       bool
	}{{10, 100, true}, {1, 30, false}, {2, 100, false}, {3, 1000, false}, {30, 1000, true}} {
		points := map[string][]point{"m1": {{time.Minute, c.failed}}, "m2": {{time.Minute, c.all}}}
		if fires := r.fires(t, points, r.period); fires != c.fires {
			t.Errorf("%v of %v: fires %v", c.failed, c.all, fires)
		}
	}
}
