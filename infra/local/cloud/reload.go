package cloud

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/topology"
)

// reload rebuilds the functions and restarts those that have changed. If something does not build or start, the
// previous program keeps running.
func (c *Cloud) reload() {
	began := time.Now()
	said, err := compile(c.context, c.config)
	if c.context.Err() != nil {
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
	for _, function := range c.config.Functions {
		if changed(c.config.compiled(function.Name), c.config.bootstrap(function.Name)) {
			c.renew(function, compiled.Sub(began), compiled)
		}
	}
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
