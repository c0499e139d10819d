package cloud

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/topology"
)

// reload rebuilds the functions and restarts those that have changed, until ctx ends. If something does not build or
// start, the previous program keeps running. The functions that were used last are rebuilt first, because a developer
// most likely tries them next.
func (c *Cloud) reload(ctx context.Context) {
	for _, functions := range c.byUse() {
		began := time.Now()
		said, err := compile(ctx, c.config, functions)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			c.log.Error("the functions do not build: what ran before runs on")
			for line := range bytes.Lines(said) {
				c.console.Line("go", strings.TrimRight(string(line), "\r\n"))
			}
			return
		}
		compiled := time.Now()
		for _, function := range functions {
			if changed(c.config.compiled(function.Name), c.config.bootstrap(function.Name)) {
				c.renew(function, compiled.Sub(began), compiled)
			}
		}
	}
}

// atOnce is how many of the functions that were used are linked at once. With more, the first would be ready later.
const atOnce = 2

// byUse returns the functions in the order in which they are rebuilt, in groups: some at once of those that were used,
// the last one first, and then all that never were.
func (c *Cloud) byUse() [][]topology.Function {
	var used, others []topology.Function
	when := map[string]time.Time{}
	for _, function := range c.config.Functions {
		if at := c.pools[function.Name].Used(); at.IsZero() {
			others = append(others, function)
		} else {
			when[function.Name], used = at, append(used, function)
		}
	}
	slices.SortStableFunc(used, func(a, b topology.Function) int { return when[b.Name].Compare(when[a.Name]) })
	groups := slices.Collect(slices.Chunk(used, atOnce))
	if len(others) > 0 {
		groups = append(groups, others)
	}
	return groups
}

func (c *Cloud) renew(function topology.Function, compiling time.Duration, since time.Time) {
	built, bootstrap := c.config.compiled(function.Name), c.config.bootstrap(function.Name)
	next := filepath.Join(filepath.Dir(bootstrap), "next", filepath.Base(bootstrap))
	err := errors.Join(place(built, next),
		c.pools[function.Name].Renew(next, func() error { return place(built, bootstrap) }))
	if err != nil {
		c.log.Error("the function does not start: what ran before runs on", "function", function.Name, "error", err)
		return
	}
	c.log.Info("reloaded", "function", function.Name, "compiling", compiling.Round(time.Millisecond).String(),
		"starting", time.Since(since).Round(time.Millisecond).String())
}

// changed reports whether the built program differs from the one in place. While they are the same they are one file.
func changed(built, bootstrap string) bool {
	one, errOne := os.Stat(built)
	other, errOther := os.Stat(bootstrap)
	return errOne != nil || errOther != nil || !os.SameFile(one, other)
}
