package teamwork

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// maxQuickReplies bounds the quick replies of a tenant.
const maxQuickReplies = 500

// ErrTooManyQuickReplies means that a tenant has as many quick replies as are kept.
var ErrTooManyQuickReplies = problem.New("too many quick replies", problem.Error{
	Class: problem.Conflict, Code: "too-many-quick-replies", Title: "Too many quick replies",
	Detail: "500 quick replies of a tenant are kept. Remove one first."})

// PutQuickReply has a quick reply of a tenant say something. If there is none with the shortcut, it adds one; the
// condition is that there is none still. It returns ErrTooManyQuickReplies.
func (s *Teamwork) PutQuickReply(ctx context.Context, tenant model.TenantID, shortcut model.Name, text,
	by string) (r model.QuickReply, err error) {
	err = dynamo.Change(ctx, s.DB, tables.Messages, keys.QuickReply(tenant, shortcut),
		func(stored *model.QuickReply) ([]dynamo.Write, bool, error) {
			if r = *stored; r.Text == text {
				return nil, false, nil
			}
			if r.Version == 0 {
				all, err := s.QuickReplies(ctx, tenant)
				if err != nil {
					return nil, false, err
				}
				if len(all) >= maxQuickReplies {
					return nil, false, ErrTooManyQuickReplies
				}
			}
			stored.PK, stored.ItemType = keys.QuickReply(tenant, shortcut).Partition, model.ItemQuickReply
			stored.TenantID, stored.Shortcut, stored.Text = tenant, shortcut, text
			stored.ChangedAt, stored.ChangedBy = model.At(s.Now()), by
			r = *stored
			return nil, true, nil
		})
	return r, err
}

// QuickReply returns a quick reply of a tenant. It returns dynamo.ErrNotFound.
func (s *Teamwork) QuickReply(ctx context.Context, tenant model.TenantID, shortcut model.Name) (r model.QuickReply,
	err error) {
	return r, s.DB.Get(ctx, tables.Messages, keys.QuickReply(tenant, shortcut), &r)
}

// QuickReplies lists the quick replies of a tenant, in no particular order. One that was just written may be missing.
func (s *Teamwork) QuickReplies(ctx context.Context, tenant model.TenantID) ([]model.QuickReply, error) {
	rows, err := s.DB.Rows(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTenant, Where: "tenantId = :t AND itemType = :type",
		Values: dynamo.Item{":t": dynamo.S(tenant), ":type": dynamo.S(model.ItemQuickReply)},
	})
	if err != nil {
		return nil, fmt.Errorf("list quick replies: %w", err)
	}
	return dynamo.Whole[model.QuickReply](ctx, s.DB, tables.Messages, rows)
}

// RemoveQuickReply removes a quick reply of a tenant, if it is there. It has no condition: what is gone may go again.
func (s *Teamwork) RemoveQuickReply(ctx context.Context, tenant model.TenantID, shortcut model.Name) error {
	if _, err := s.QuickReply(ctx, tenant, shortcut); errors.Is(err, dynamo.ErrNotFound) {
		return nil
	} else if err != nil {
		return err
	}
	return s.DB.Write(ctx, []dynamo.Write{
		dynamo.Delete{Table: tables.Messages, Key: keys.QuickReply(tenant, shortcut)}})
}

var variable = lazy.Regexp(`\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}`)

// Fill returns a text with its variables filled. A variable stands in double braces, with what to fall back on:
// {{name|friend}}. unfilled names the variables that have neither a value nor a fallback; they stay as they are.
func Fill(text string, values map[string]string) (filled string, unfilled []string) {
	filled = variable.Get().ReplaceAllStringFunc(text, func(found string) string {
		parts := variable.Get().FindStringSubmatch(found)
		switch value := values[parts[1]]; {
		case value != "":
			return value
		case parts[2] != "":
			return parts[2]
		}
		unfilled = append(unfilled, parts[1])
		return found
	})
	return filled, unfilled
}
