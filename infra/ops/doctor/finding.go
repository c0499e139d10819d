package doctor

import (
	"context"
	"fmt"
	"io"
)

// state is how it stands with what was looked at.
type state string

const (
	good    state = "ok"
	missing state = "MISSING" // haatline does not work without it
	warning state = "warning" // it works, and somebody should look
	unknown state = "unknown" // it could not be looked at
	note    state = "-"       // nothing was looked at, and that is as it should be
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

// check is one thing to look at. It is run when what it needs is known; else its line says which check it waits for.
type check struct {
	name  string
	needs []need
	run   func(context.Context) []finding
}

func (c check) findings(ctx context.Context) []finding {
	for _, need := range c.needs {
		if from := need.lacking(); from != "" {
			return []finding{unseen("not looked at before the check of "+from+" is ok", "")}
		}
	}
	return c.run(ctx)
}

// report runs every check, prints what each finds, and returns how often each state was met.
func report(ctx context.Context, out io.Writer, checks []check) map[state]int {
	counts := map[state]int{}
	for _, c := range checks {
		for _, f := range c.findings(ctx) {
			if f.about == "" {
				f.about = c.name
			}
			counts[f.state]++
			fmt.Fprintf(out, "%-8s %s: %s\n", f.state, f.about, f.says)
			if f.do != "" {
				fmt.Fprintf(out, "         → %s\n", f.do)
			}
		}
	}
	return counts
}
