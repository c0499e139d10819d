// Package lazy holds values that are costly to make and that many starts of a function never need. They are made when
// they are first used, so that a start pays nothing for them.
package lazy

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used.
type Pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// Regexp returns the pattern of a regular expression. An expression that does not compile panics when it is first used.
func Regexp(expression string) *Pattern { return &Pattern{text: expression} }

// Get returns the compiled expression.
func (p *Pattern) Get() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}
