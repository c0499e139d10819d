package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/haatline/haatline/shared/tables"
)

// state is how it stands with what was looked at.
type state string

const (
	good    state = "ok"
	missing state = "MISSING" // haatline does not work without it
	warning state = "warning" // it works, and somebody should look
	unknown state = "unknown" // it could not be looked at
	note    state = "-"       // nothing was looked at, and that is as it should be
	waiting state = "waiting" // it was not looked at, because of what another check says; never shown by itself
)

// finding is one line of the report, and where there is trouble a second one that says what to do.
type finding struct {
	state state
	about string // what was looked at; the check's name where it is empty
	says  string
	do    string
}

func fine(format string, args ...any) finding {
	return finding{state: good, says: fmt.Sprintf(format, args...)}
}

// lacks is something missing, and what to do about it.
func lacks(says, do string) finding { return finding{state: missing, says: says, do: do} }

func warns(says, do string) finding { return finding{state: warning, says: says, do: do} }

func unseen(says, do string) finding { return finding{state: unknown, says: says, do: do} }

// waits is a finding of what cannot be looked at before the check of something else is ok.
func waits(from string) finding { return finding{state: waiting, says: from} }

// of names what the finding is about, where a check looks at several things.
func (f finding) of(about string) finding {
	f.about = about
	return f
}

// fact is something that one check finds out and later ones need.
type fact[T any] struct {
	from  string // the check that finds it out
	value T
	known bool
}

func (f *fact[T]) set(value T) { f.value, f.known = value, true }

// lacking is the check that should have found the fact out; "" where it is known.
func (f *fact[T]) lacking() string {
	if f.known {
		return ""
	}
	return f.from
}

type need interface{ lacking() string }

// check is one thing to look at. It is run when what it needs is known; else it waits for the check that finds that out.
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

// report runs every check, prints what each finds, and returns how often each state was met. The consequences of what is
// wrong are told in one line at its end: a line each would hide the cause. Who waits for a check that is ok is told for
// itself, because nothing above explains it.
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

// verdict is the error in which an examination ends; nil where nothing is missing and nothing was hidden from us.
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
