// Package library looks for templates in the library of templates that Meta has written and reviewed. Meta is asked by
// the outbox. What it answers is kept for a day, so that somebody can look through it.
package library

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// Lifetime is how long what a search has found is kept. Meta adds templates now and then.
const Lifetime = 24 * time.Hour

// Library looks for templates.
type Library struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Outbox  *outbox.Outbox
	Numbers *tenancy.Numbers
}

// asked is the payload of the event.
type asked struct {
	WABAID        model.WABAID        `json:"wabaId"`
	Search        model.Name          `json:"search"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"` // whose access token is used
	AskedAt       model.Time          `json:"askedAt"`
}

// NameOf returns the name of a search: a hash of its filters.
func NameOf(f model.LibraryFilters) model.Name {
	return model.Name(keys.Code(16, "library", f.Text, f.Topic, f.UseCase, f.Industry, f.Language))
}

// Search has Meta asked for the templates of its library that the filters leave. by is who asks for it. The same that
// is under way is not asked for again. The condition is that the search is as it was read.
func (s *Library) Search(ctx context.Context, of templates.Sync, f model.LibraryFilters, by string) (
	after model.LibrarySearch, err error) {
	name := NameOf(f)
	key := keys.LibrarySearch(of.WABA, name)
	err = s.change(ctx, key, func(is *model.LibrarySearch) ([]dynamo.Write, bool, error) {
		now := s.Now()
		if after = *is; is.Version > 0 && asking.Waits(is.At, is.AnsweredAt, now) {
			return nil, false, nil
		}
		*is = model.LibrarySearch{
			PK: key.Partition, ItemType: model.ItemLibrarySearch, Filters: f, At: model.At(now), By: by,
			TTL: now.Add(asking.Patience + Lifetime).Unix(), Version: is.Version}
		after = *is
		writes, err := s.Outbox.Queue(ctx,
			outbox.Entity{Tenant: of.Tenant, Type: keys.EntityLibrary, ID: string(of.WABA)}, EventAsk,
			asked{of.WABA, name, of.Phone, is.At})
		return writes, true, err
	})
	return after, err
}

func (s *Library) change(ctx context.Context, key keys.Key,
	decide func(is *model.LibrarySearch) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, key, decide)
}

// Found returns a search, and up to limit templates that it has found behind a place. It returns the place behind
// them, "" for the end. It returns dynamo.ErrNotFound if nobody has asked for it lately.
func (s *Library) Found(ctx context.Context, waba model.WABAID, f model.LibraryFilters, limit int, after string) (
	is model.LibrarySearch, found []model.LibraryEntry, next string, err error) {
	name := NameOf(f)
	if err := s.DB.Get(ctx, tables.Messages, keys.LibrarySearch(waba, name), &is); err != nil {
		return is, nil, "", err
	}
	if is.TTL <= s.Now().Unix() {
		return model.LibrarySearch{}, nil, "", dynamo.ErrNotFound
	}
	number, skip := placeOf(after)
	for ; number < is.Pages && len(found) < limit; number, skip = number+1, 0 {
		var page model.LibraryPage
		err := s.DB.Get(ctx, tables.Messages, keys.LibraryPage(waba, name, is.At, number), &page)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return is, nil, "", err
		}
		entries := page.Entries[min(skip, len(page.Entries)):]
		if room := limit - len(found); room < len(entries) {
			return is, append(found, entries[:room]...), place(number, skip+room), nil
		}
		found = append(found, entries...)
	}
	if number < is.Pages {
		next = place(number, 0)
	}
	return is, found, next, nil
}

// place is the place of a template: the number of its page, and its number in the page.
func place(page, at int) string { return strconv.Itoa(page) + "." + strconv.Itoa(at) }

// placeOf returns the place in a text; the beginning for anything else.
func placeOf(text string) (page, at int) {
	first, second, _ := strings.Cut(text, ".")
	page, err := strconv.Atoi(first)
	at, err2 := strconv.Atoi(second)
	if errors.Join(err, err2) != nil || page < 0 || at < 0 {
		return 0, 0
	}
	return page, at
}
