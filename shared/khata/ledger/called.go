package ledger

import (
	"context"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

const (
	// maxSearched is how many accounts of a store are searched for a name.
	maxSearched = 3000
	searchPage  = 500
)

// Latest returns a customer's latest entries, the newest first.
func (l *Ledger) Latest(ctx context.Context, store, customer model.Name,
	limit int) ([]khatamodel.Transaction, error) {
	return l.List(ctx, Entries{Store: store, Customer: customer}, limit, "", nil)
}

// Called returns the accounts of the customers whom some words name: those that have most of the words in their names,
// the first word among them. rest are the words that are of none of their names.
func (l *Ledger) Called(ctx context.Context, store model.Name,
	words []string) (found []khatamodel.Balance, rest []string, err error) {
	most := 0
	err = l.eachNamed(ctx, store, func(b khatamodel.Balance) {
		n := named(words, b.CustomerName)
		if n == 0 || n < most {
			return
		}
		if n > most {
			most, found = n, nil
		}
		found = append(found, b)
	})
	if err != nil {
		return nil, nil, err
	}
	if most > 0 {
		rest = words[most:]
	}
	return found, rest, nil
}

// Alike returns the accounts of the customers who have a name that a word may be meant for, with a typing
// error after its first letter.
func (l *Ledger) Alike(ctx context.Context, store model.Name, word string) (found []khatamodel.Balance, err error) {
	sound, limit := soundOf(word), language.MaxEdits(len(word))
	if limit == 0 || sound == "" {
		return nil, nil
	}
	return found, l.eachNamed(ctx, store, func(b khatamodel.Balance) {
		if slices.ContainsFunc(strings.Fields(strings.ToLower(b.CustomerName)), func(of string) bool {
			return strings.HasPrefix(soundOf(of), sound[:1]) && language.Edits(sound, soundOf(of), limit) <= limit
		}) {
			found = append(found, b)
		}
	})
}

// eachNamed calls a function with the accounts of a store, as many as are searched for a name, that go on by
// themselves.
func (l *Ledger) eachNamed(ctx context.Context, store model.Name, each func(khatamodel.Balance)) error {
	after, seen := model.Name(""), 0
	for {
		page, err := l.Customers(ctx, store, searchPage, after)
		if err != nil {
			return err
		}
		for _, b := range page {
			if b.JoinedInto == "" {
				each(b)
			}
		}
		if seen += len(page); len(page) < searchPage || seen > maxSearched {
			return nil
		}
		after = page[len(page)-1].CustomerPhone
	}
}

// named returns how many words at the beginning of some are words of a name; 0 if the first is none. Two words of
// the name
// may be one: chaiwala.
func named(words []string, name string) int {
	of := strings.Fields(strings.ToLower(name))
	n := 0
	for n < len(words) && slices.ContainsFunc(of, func(w string) bool { return sameName(w, words[n]) }) {
		n++
	}
	for i := 1; n > 0 && n < len(words) && i < len(of); i++ {
		if sameName(of[i-1]+of[i], words[n]) {
			n++
		}
	}
	return n
}

// sameName reports whether two spellings are of one name, in either script: sounds that are written in several ways are
// one.
func sameName(a, b string) bool { return a == b || soundOf(a) == soundOf(b) }

func soundOf(name string) string { return spelling.Get().Replace(language.Fold(name)) }

var spelling = lazy.Of[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("w", "v", "z", "j", "ph", "f", "th", "t", "dh", "d", "kh", "k", "y", "i", "ai", "e",
		"au", "o", "inh", "ing")
}}
