package opening

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

const (
	// MaxBatch bounds the lines of a batch.
	MaxBatch = 1000
	// abreast is how many conversations of a batch begin side by side.
	abreast = 8
	// lineTime is how much time the last line of a batch needs.
	lineTime = 5 * time.Second
)

// Line is one line of a batch: what is asked for, or why it cannot be read.
type Line struct {
	Request Request
	Key     idempotency.Request
	Wrong   error // nil if the line can be read
}

// Outcomes of lines.
const (
	Begun   = "begun"
	Refused = "refused"
	NotDone = "not_done" // there was no time left: the same batch again goes on with it
)

// Outcome is what has become of a line.
type Outcome struct {
	Outcome      string
	Conversation conversation // that has begun
	Code         string       // of the rule that the line breaks
	Detail       string       // what is wrong
}

// OpenAll begins the conversations of a batch. Each line stands for itself: one that is refused, or fails, stops no
// other. Lines about one person are dealt with in their order. It ends shortly before the context does, and returns the
// first failure that may pass. Called again with the same keys it goes on.
func (o *Opening) OpenAll(ctx context.Context, lines []Line) (outcomes []Outcome, failed error) {
	outcomes = make([]Outcome, len(lines))
	indexes := make([]int, len(lines))
	for i := range lines {
		indexes[i] = i
	}
	groups := lanes.GroupByKey(indexes, func(i int) []model.Name {
		return slices.DeleteFunc([]model.Name{lines[i].Request.Tel, lines[i].Request.Email},
			func(address model.Name) bool { return address == "" })
	})
	errs := make([]error, len(lines))
	jobs := make([]func() error, len(groups))
	for n, group := range groups {
		jobs[n] = func() error {
			for _, i := range group {
				outcomes[i], errs[i] = o.openLine(ctx, lines[i])
			}
			return nil
		}
	}
	return outcomes, cmp.Or(errors.Join(lanes.Concurrently(abreast, jobs...)...), first(errs))
}

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// openLine begins the conversation of one line. It returns an error for a failure that may pass.
func (o *Opening) openLine(ctx context.Context, line Line) (Outcome, error) {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < lineTime {
		return Outcome{Outcome: NotDone}, nil
	}
	c, err := conversation{}, line.Wrong
	if err == nil {
		c, err = o.Open(ctx, line.Request, line.Key)
	}
	var rule *problem.Error
	switch {
	case err == nil:
		return Outcome{Outcome: Begun, Conversation: c}, nil
	case errors.As(err, &rule) && rule.Class != problem.Unavailable && rule.Code != conflict:
		out := Outcome{Outcome: Refused, Code: rule.Code, Detail: rule.Detail}
		for _, field := range rule.Fields {
			out.Detail = cmp.Or(out.Detail, field.Path+": "+field.Detail)
		}
		return out, nil
	}
	if dynamo.Permanent(err) || errors.Is(err, dynamo.ErrUndecodable) {
		return Outcome{
			Outcome: Refused, Code: "unreadable", Detail: "What is stored of the person cannot be read."}, nil
	}
	return Outcome{Outcome: NotDone}, err
}

// conflict is the code of dynamo.ErrConflict: others kept changing the same thing.
const conflict = "conflict"
