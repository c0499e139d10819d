// Package questions keeps a project's list of questions with their answers. A new list takes the place of the one
// before at once: whoever reads gets all of the one or all of the other.
package questions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Lists reads and writes lists of questions.
type Lists struct {
	DB  *dynamo.Client
	Now func() time.Time

	mu      sync.Mutex
	indexes map[string]*faq.Index // by project and version; a few
}

type (
	head = conversationsmodel.Questions
	part = conversationsmodel.QuestionsPart
)

const (
	perPart = 200 << 10 // bytes of JSON; DynamoDB takes 400 KB an item
	// outlived is how long the parts of a former version can be read by who began with it.
	outlived = time.Hour
	// keptIndexes is how many lists a process keeps ready.
	keptIndexes = 8
)

// Set stores a list in the place of the one before. The error wraps faq.ErrInvalid for a list that cannot be used. It
// returns dynamo.ErrConflict if somebody else stores one meanwhile.
//
// Parts are named by what the list holds, so that two lists that are stored at once never mix. Nobody reads them before
// the head names them.
func (l *Lists) Set(ctx context.Context, tenant model.TenantID, company, project model.Name,
	entries []faq.Entry) error {
	if _, err := faq.New(entries); err != nil {
		return err
	}
	was, err := l.head(ctx, company, project)
	if err != nil {
		return err
	}
	parts, err := split(entries)
	if err != nil {
		return err
	}
	list := model.Name(idempotency.Hash(parts...))
	if was.FormerList != "" && was.FormerList != list { // a change before this one may have died
		if err := l.expire(ctx, company, project, was.FormerList, was.FormerParts); err != nil {
			return err
		}
	}
	if was.Version > 0 && was.List == list {
		return nil
	}
	for n, text := range parts {
		if err := l.put(ctx, company, project, list, n, text); err != nil {
			return err
		}
	}
	now := was
	now.TenantID, now.Entries, now.UpdatedAt = tenant, len(entries), model.At(l.Now())
	now.List, now.Parts, now.FormerList, now.FormerParts = list, len(parts), was.List, was.Parts
	key := keys.Questions(company, project)
	now.PrimaryChannel, now.ConversationID = key.Partition, key.Sort
	put, err := dynamo.PutVersion(tables.Conversations, &now)
	if err != nil {
		return err
	}
	if err := dynamo.Conflict(l.DB.Put(ctx, put)); err != nil || was.List == "" {
		return err
	}
	return l.expire(ctx, company, project, was.List, was.Parts)
}

func partKey(company, project, list model.Name, n int) keys.Key {
	return keys.QuestionsPart(company, project, list, model.Name(fmt.Sprintf("%03d", n)))
}

// split returns entries as JSON texts that fit into items.
func split(entries []faq.Entry) (parts []string, err error) {
	for len(entries) > 0 {
		n := len(entries)
		text, err := json.Marshal(entries)
		for err == nil && len(text) > perPart && n > 1 {
			n = max(n/2, 1)
			text, err = json.Marshal(entries[:n])
		}
		if err != nil {
			return nil, err
		}
		parts, entries = append(parts, string(text)), entries[n:]
	}
	return parts, nil
}

// put stores a part. It needs no condition: its name follows from what the list holds. One that was to go stays.
func (l *Lists) put(ctx context.Context, company, project, list model.Name, n int, text string) error {
	key := partKey(company, project, list, n)
	item, err := dynamo.Marshal(part{PrimaryChannel: key.Partition, ConversationID: key.Sort, Entries: text})
	if err != nil {
		return err
	}
	return l.DB.Put(ctx, dynamo.Put{Table: tables.Conversations, Item: item, If: dynamo.Unconditional})
}

// expire lets the parts of a former list go. Those that are to go already stay as they are.
func (l *Lists) expire(ctx context.Context, company, project, list model.Name, parts int) error {
	for n := range parts {
		err := l.DB.Update(ctx, dynamo.Update{
			Table: tables.Conversations, Key: partKey(company, project, list, n),
			Do: "SET #ttl = :ttl", Names: map[string]string{"#ttl": "ttl"},
			If:     "attribute_exists(primary_channel) AND attribute_not_exists(#ttl)",
			Values: dynamo.Item{":ttl": dynamo.N(l.Now().Add(outlived).Unix())}})
		if err != nil && !dynamo.IsConditionFailed(err) {
			return err
		}
	}
	return nil
}

// head returns the head of a list; an empty one if there is none.
func (l *Lists) head(ctx context.Context, company, project model.Name) (h head, err error) {
	err = l.DB.Get(ctx, tables.Conversations, keys.Questions(company, project), &h)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	return h, err
}

// Get returns a project's list; nil if it has none.
func (l *Lists) Get(ctx context.Context, company, project model.Name) ([]faq.Entry, error) {
	h, err := l.head(ctx, company, project)
	if err != nil {
		return nil, err
	}
	return l.entries(ctx, company, project, h)
}

func (l *Lists) entries(ctx context.Context, company, project model.Name, h head) (all []faq.Entry, err error) {
	for n := range h.Parts {
		var stored part
		key := partKey(company, project, h.List, n)
		if err := l.DB.Get(ctx, tables.Conversations, key, &stored); err != nil {
			return nil, fmt.Errorf("part %d of a list of questions: %w", n, err)
		}
		var some []faq.Entry
		if err := json.Unmarshal([]byte(stored.Entries), &some); err != nil {
			return nil, fmt.Errorf("part %d of a list of questions: %w", n, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// Index returns an index of a project's list; an empty one if it has no list.
func (l *Lists) Index(ctx context.Context, company, project model.Name) (*faq.Index, error) {
	h, err := l.head(ctx, company, project)
	if err != nil || h.Parts == 0 {
		return new(faq.Index), err
	}
	name := fmt.Sprint(company, "#", project, "#", h.List)
	l.mu.Lock()
	index := l.indexes[name]
	l.mu.Unlock()
	if index == nil {
		entries, err := l.entries(ctx, company, project, h)
		if err != nil {
			return nil, err
		}
		if index, err = faq.New(entries); err != nil {
			return nil, err
		}
		l.keep(name, index)
	}
	return index, nil
}

func (l *Lists) keep(name string, index *faq.Index) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.indexes == nil || len(l.indexes) >= keptIndexes {
		l.indexes = map[string]*faq.Index{}
	}
	l.indexes[name] = index
}
