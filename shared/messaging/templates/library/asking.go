package library

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventAsk is the outbox event that asks Meta for templates of its library.
const EventAsk = "whatsapp.library.ask"

const (
	pagesAtOnce = 5  // that one attempt reads; the next one goes on behind them
	mostPages   = 20 // of a search that are kept
	// A page is one item, which bounds what is kept of a template. Meta's texts are shorter.
	mostBytes = 6 << 10
)

// errElsewhere means that another attempt goes on with the same.
var errElsewhere = errors.New("another attempt goes on")

// Meta is asked with the access token of a number.
type Meta interface {
	TemplateLibrary(ctx context.Context, phone string, of whatsapp.LibrarySearch, after string) (
		whatsapp.LibraryPage, error)
}

// Handler returns the handler of the event. asFailure says what the outbox does about a refusal.
func (s *Library) Handler(meta Meta, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		err = s.read(ctx, meta, event.EcosystemID, of)
		if errors.Is(err, errElsewhere) {
			return "", nil
		}
		return "", asking.Ended(ctx, err, event, asFailure, func(ctx context.Context, reason string) error {
			return s.answer(ctx, of, reason)
		})
	}}
}

// read reads pages of a search, and keeps each with how far the search is. So the next attempt goes on there.
func (s *Library) read(ctx context.Context, meta Meta, tenant model.TenantID, of asked) error {
	phone, err := s.Numbers.Number(ctx, of.PhoneNumberID)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	if phone.TenantID != tenant {
		return s.answer(ctx, of, asking.ProblemMoved)
	}
	for range pagesAtOnce {
		var is model.LibrarySearch
		err := s.DB.Get(ctx, tables.Messages, keys.LibrarySearch(of.WABAID, of.Search), &is)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(is, of) {
			return nil // it is answered, or it was asked for again since
		}
		if err == nil {
			err = s.readPage(ctx, meta, is, of)
		}
		if err != nil {
			return err
		}
	}
	return &outbox.Later{At: model.At(s.Now())}
}

// current reports whether a search is the one that was asked for, and waits for its answer.
func current(is model.LibrarySearch, of asked) bool {
	return is.At == of.AskedAt && is.AnsweredAt == ""
}

// readPage reads the next page of a search and keeps it. The condition is that the search is as it was read.
func (s *Library) readPage(ctx context.Context, meta Meta, was model.LibrarySearch, of asked) error {
	f := was.Filters
	answer, err := meta.TemplateLibrary(ctx, string(of.PhoneNumberID), whatsapp.LibrarySearch{
		Text: f.Text, Topic: f.Topic, UseCase: f.UseCase, Industry: f.Industry, Language: f.Language}, was.After)
	if err != nil {
		return err
	}
	now := s.Now()
	ttl := now.Add(Lifetime).Unix()
	page := model.LibraryPage{
		PK:       keys.LibraryPage(of.WABAID, of.Search, was.At, was.Pages).Partition,
		ItemType: model.ItemLibraryPage, TTL: ttl, Entries: []model.LibraryEntry{}}
	left := false
	for _, entry := range answer.Entries {
		kept, fits := entryOf(entry)
		if left = left || !fits; fits {
			page.Entries = append(page.Entries, kept)
		}
	}
	item, err := dynamo.Marshal(page)
	if err != nil {
		return err
	}
	key := keys.LibrarySearch(of.WABAID, of.Search)
	return s.change(ctx, key, func(is *model.LibrarySearch) ([]dynamo.Write, bool, error) {
		if is.Version != was.Version {
			return nil, false, errElsewhere
		}
		is.After, is.Pages, is.Count = answer.After, was.Pages+1, was.Count+len(page.Entries)
		is.More, is.TTL = was.More || left || is.Pages == mostPages && is.After != "", ttl
		if is.After == "" || is.Pages == mostPages {
			is.AnsweredAt, is.After = model.At(now), ""
		}
		return []dynamo.Write{dynamo.Put{Table: tables.Messages, Item: item}}, true, nil
	})
}

// entryOf returns a template as it is kept. It reports false for one that is too large.
func entryOf(of whatsapp.LibraryEntry) (model.LibraryEntry, bool) {
	text, err := json.Marshal(of)
	if err != nil || len(text) > mostBytes {
		return model.LibraryEntry{}, false
	}
	kept := model.LibraryEntry{
		ID: of.ID, Name: of.Name, Language: of.Language, Category: of.Category, Topic: of.Topic, UseCase: of.UseCase,
		Industries: of.Industries, Header: of.Header, Body: of.Body, Samples: of.Samples, Types: of.Types}
	for _, b := range of.Buttons {
		kept.Buttons = append(kept.Buttons, model.DocumentOf(b))
	}
	return kept, true
}

// answer stores that a search was not done. The condition is that it is still waited for.
func (s *Library) answer(ctx context.Context, of asked, problem string) error {
	key := keys.LibrarySearch(of.WABAID, of.Search)
	return s.change(ctx, key, func(is *model.LibrarySearch) ([]dynamo.Write, bool, error) {
		if is.Version == 0 || !current(*is, of) {
			return nil, false, nil
		}
		is.AnsweredAt, is.Problem, is.After = model.At(s.Now()), problem, ""
		return nil, true, nil
	})
}
