package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/haatline/haatline/shared/tables"
)

// state is the result of a check.
type state string

const (
	good    state = "ok"
	missing state = "MISSING" // haatline does not work without it
	warning state = "warning" // it works, but somebody should look
	unknown state = "unknown" // it could not be checked
	note    state = "-"       // it need not be checked
	waiting state = "waiting" // not checked, because another check failed; never shown by itself
)

// finding is one line of the report and, for a problem, a second line that says what to do.
type finding struct {
	state state
	about string // what was checked; if empty, the check's name
	says  string
	do    string
}

func fine(format string, args ...any) finding {
	return finding{state: good, says: fmt.Sprintf(format, args...)}
}

// lacks returns a finding for something that is missing, with what to do about it.
func lacks(says, do string) finding { return finding{state: missing, says: says, do: do} }

func warns(says, do string) finding { return finding{state: warning, says: says, do: do} }

func unseen(says, do string) finding { return finding{state: unknown, says: says, do: do} }

// waits returns a finding for what cannot be checked before another check is ok.
func waits(from string) finding { return finding{state: waiting, says: from} }

// of names what the finding is about, for checks with several findings.
func (f finding) of(about string) finding {
	f.about = about
	return f
}

// fact is a value that one check finds out and later checks need.
type fact[T any] struct {
	from  string // the name of the check that finds it out
	value T
	known bool
}

func (f *fact[T]) set(value T) { f.value, f.known = value, true }

// lacking returns the check that should have found out the fact, "" if it is known.
func (f *fact[T]) lacking() string {
	if f.known {
		return ""
	}
	return f.from
}

type need interface{ lacking() string }

// check is one check. It runs if the facts it needs are known; otherwise it waits for the check that finds them out.
type check struct {
	name  string
	needs []need
	run   func(context.Context) []finding
}

func (c check) findings(ctx context.Context) []finding {
	for _, need := range c.needs {
		if from := need.lacking(); from != "" {
			return []finding{waits(from)}
		}
	}
	return c.run(ctx)
}

// report runs all checks, prints their findings, and returns how often each state occurred. Checks that could not run
// because of a shown problem share one line at the end, so that the cause stays visible. A check that waits for a check
// without a problem gets a line of its own, because nothing above explains it.
func report(ctx context.Context, out io.Writer, checks []check) map[state]int {
	counts, trouble := map[state]int{}, map[string]bool{}
	var collapsed []string
	for _, c := range checks {
		for _, f := range c.findings(ctx) {
			if f.about == "" {
				f.about = c.name
			}
			if f.state == waiting && trouble[f.says] {
				collapsed = append(collapsed, f.about)
				trouble[f.about] = true
				continue
			}
			if f.state == waiting {
				f = unseen("not looked at: the check of "+f.says+" has not found what this needs", "").of(f.about)
			}
			if f.state == missing || f.state == unknown {
				trouble[f.about], trouble[c.name] = true, true
			}
			counts[f.state]++
			fmt.Fprintf(out, "%-8s %s: %s\n", f.state, f.about, f.says)
			if f.do != "" {
				fmt.Fprintf(out, "         → %s\n", f.do)
			}
		}
	}
	if len(collapsed) > 0 {
		fmt.Fprintf(out, "\nnot looked at, because of the above: %s\n", strings.Join(collapsed, ", "))
	}
	return counts
}

// verdict returns the error in which the examination ends, or nil if nothing is missing and everything could be
// checked.
func verdict(stage tables.Stage, counts map[state]int) error {
	lacking, hidden := counts[missing], counts[unknown]
	switch {
	case lacking == 1 && hidden == 0:
		return fmt.Errorf("one thing is missing in %s", stage)
	case lacking > 0 && hidden == 0:
		return fmt.Errorf("%d things are missing in %s", lacking, stage)
	case hidden > 0:
		return fmt.Errorf("%d missing in %s, and %d could not be looked at", lacking, stage, hidden)
	}
	return nil
}
