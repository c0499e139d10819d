// Package templates owns the cache of Meta's message templates. Webhooks and a listing of each account keep it; sending
// asks it whether a template may be sent.
package templates

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Cache reads and writes the templates of all accounts.
type Cache struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Log     *webhooklog.Log
	Numbers *tenancy.Numbers
	Outbox  *outbox.Outbox

	accounts sync.Map // the account of each number that sent a template: saves a read of what Check needs
}

// Reader returns the reader of Meta's events about templates.
func (s *Cache) Reader() webhooklog.Reader {
	return s.Log.ReaderOf(webhooklog.Fields(whatsapp.TemplateFields...), s.applyEvent)
}

// applyEvent stores what an event says of a template, also of one that the cache does not hold yet.
func (s *Cache) applyEvent(ctx context.Context, event webhooklog.Event) error {
	said := whatsapp.DecodeTemplateEvent(event.Entry.Field, event.Value)
	key, ok := keyOf(event.Entry.WABAMetaID, said.Name, said.Language)
	if !ok || len(said.Changes) == 0 {
		return nil
	}
	return Change(ctx, s.DB, key, func(t *model.Template) ([]dynamo.Write, bool, error) {
		identify(t, key, event.Entry.WABAMetaID, said.Name, said.Language)
		changed := t.TemplateID == "" && said.ID != ""
		t.TemplateID = cmp.Or(t.TemplateID, model.Truncate(said.ID, maxText))
		for _, c := range said.Changes {
			changed = apply(t, c, event.At) || changed
		}
		return nil, changed, nil
	})
}

// Change changes a template, as dynamo.Change does, and keeps the attributes by which the indexes list it.
func Change(ctx context.Context, db *dynamo.Client, key keys.Key,
	decide func(t *model.Template) (with []dynamo.Write, changed bool, err error)) error {
	return dynamo.Change(ctx, db, tables.Messages, key, func(t *model.Template) ([]dynamo.Write, bool, error) {
		with, changed, err := decide(t)
		t.WABAID, t.TemplateStatus, t.TemplateLanguage = t.WABAMetaID, t.Status, t.Language
		if err == nil && changed && t.AWSAccountID != "" {
			var follows []dynamo.Write
			follows, err = atAWS(*t)
			with = append(with, follows...)
		}
		return with, changed, err
	})
}

// keyOf returns the key of a template. It reports false if a part of it is missing or cannot be part of a key.
func keyOf(waba model.WABAID, name, language string) (keys.Key, bool) {
	n, err := model.Parse[model.Name](name)
	l, err2 := model.Parse[model.Name](whatsapp.TemplateLanguage(language))
	if waba == "" || errors.Join(err, err2) != nil {
		return keys.Key{}, false
	}
	return keys.TemplateMeta(waba, n, l), true
}

func identify(t *model.Template, key keys.Key, waba model.WABAID, name, language string) {
	t.PK, t.ItemType, t.WABAMetaID, t.TemplateName, t.Language = key.Partition, model.ItemTemplateMeta, waba, name,
		language
}

// Of lists the templates of an account, in no particular order.
func (s *Cache) Of(ctx context.Context, waba model.WABAID) ([]model.Template, error) {
	q := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWABAItemType, Where: "wabaMetaId = :w AND itemType = :type",
		Values: dynamo.Item{":w": dynamo.S(waba), ":type": dynamo.S(model.ItemTemplateMeta)},
	}
	return s.list(ctx, q)
}

// InStatus returns the templates of an account that are in a status, in Meta's words, in no particular order.
func (s *Cache) InStatus(ctx context.Context, waba model.WABAID, status string) ([]model.Template, error) {
	return s.list(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTemplateWABA, Where: "wabaId = :w AND templateStatus = :s",
		Values: dynamo.Item{":w": dynamo.S(waba), ":s": dynamo.S(status)}})
}

// Named returns the templates of an account with a name, in all languages.
func (s *Cache) Named(ctx context.Context, waba model.WABAID, name string) ([]model.Template, error) {
	all, err := s.list(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTemplateName, Where: "templateName = :n",
		Values: dynamo.Item{":n": dynamo.S(name)}})
	// accounts of others may have the same name
	return slices.DeleteFunc(all, func(t model.Template) bool { return t.WABAMetaID != waba }), err
}

func (s *Cache) list(ctx context.Context, q dynamo.Query) ([]model.Template, error) {
	rows, err := s.DB.Rows(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	all, err := dynamo.Whole[model.Template](ctx, s.DB, tables.Messages, rows)
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	return all, nil
}

// Get reads a template. It returns dynamo.ErrNotFound for one that the cache does not hold.
func (s *Cache) Get(ctx context.Context, waba model.WABAID, name, language string) (model.Template, error) {
	var t model.Template
	key, ok := keyOf(waba, name, language)
	if !ok {
		return t, dynamo.ErrNotFound
	}
	return t, s.DB.Get(ctx, tables.Messages, key, &t)
}

// WABA returns the account of a number, as the item of the number says; "" if it is not known.
func WABA(found dynamo.Found, phone model.PhoneNumberID) model.WABAID {
	return model.WABAID(dynamo.Text(phoneRef(phone).Found(found), "wabaMetaId"))
}

func phoneRef(phone model.PhoneNumberID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Phone(phone)}
}

func accountRef(waba model.WABAID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Account(waba)}
}

// unsendable are the statuses in which Meta refuses to send a template.
var unsendable = []string{
	"PENDING", "REJECTED", "PAUSED", "DISABLED", "IN_APPEAL", "PENDING_DELETION", "DELETED", "ARCHIVED",
	"LIMIT_EXCEEDED",
}

// Sendable reports whether a template may be sent. A status that is not known may: Meta decides.
func Sendable(t model.Template) bool { return !NeverTaken(t) && !slices.Contains(unsendable, t.Status) }

// NeverTaken reports whether somebody has asked for a template that Meta does not have.
func NeverTaken(t model.Template) bool { return t.Asked != nil && t.TemplateID == "" && t.Status == "" }
