// Package beside has domains show the shop's people what they keep of the person of a conversation: what stands beside
// it on their page, and what fills the texts that they send. A domain offers its sections in its domain.Part.
package beside

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// Section is one kind of what a domain keeps of people.
type Section struct {
	Name  string // no other domain has it: orders
	Scope string // what a token must have, without the prefix of all scopes: khata.read
	// Values name what the section knows to fill texts with: order_number. No other domain has them.
	Values []string
	// Of returns what is kept of a person; nothing if that is not certain.
	Of func(ctx context.Context, p lookup.Person) (Shown, error)
}

// Shown is what a section shows of a person.
type Shown struct {
	Entries []Entry           // the newest first
	Values  map[string]string // by the section's names; what there is not is left out
}

// Entry is one thing that is kept of a person, whichever domain keeps it.
type Entry struct {
	Path     string        // of the API's operation that gets the whole of it
	ID       string        // as its domain names it
	In       string        // the store or the company that it belongs to
	Title    string        // what it is called
	Detail   string        // a line more
	Status   string        // how far it is
	Amount   *model.Amount // what it comes to
	Currency string        // of the amount, ISO 4217
	At       model.Time    // when it was made, or changed last
	Version  int64         // which changes it; 0 if nobody changes it by its version
	Next     []string      // the states that it may come into
	Waiting  int           // how much of it waits for the shop's people, such as claims of payments
}

// Path returns the path of an operation, with its ids escaped.
func Path(parts ...string) string {
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return "/v1/" + strings.Join(parts, "/")
}

// Read reads sections of a person side by side. A section that fails is named, and holds up no other one.
func Read(ctx context.Context, sections []Section, p lookup.Person) (shown map[string]Shown, failed map[string]error) {
	found, errs := make([]Shown, len(sections)), make([]error, len(sections))
	var all errgroup.Group
	for i, s := range sections {
		all.Go(func() error { found[i], errs[i] = s.Of(ctx, p); return nil })
	}
	_ = all.Wait() // each has its own error
	shown, failed = map[string]Shown{}, map[string]error{}
	for i, s := range sections {
		if errs[i] != nil {
			failed[s.Name] = fmt.Errorf("read %s of a person: %w", s.Name, errs[i])
			continue
		}
		shown[s.Name] = found[i]
	}
	return shown, failed
}

// Knowing returns the sections that fill some of the named values.
func Knowing(sections []Section, names []string) []Section {
	return slices.DeleteFunc(slices.Clone(sections), func(s Section) bool {
		return !slices.ContainsFunc(s.Values, func(name string) bool { return slices.Contains(names, name) })
	})
}

// Newest returns at most so many entries, the newest first.
func Newest(entries []Entry, most int) []Entry {
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(b.At, a.At) })
	return entries[:min(len(entries), most)]
}
