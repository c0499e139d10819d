package webhooklog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// accountOf begins the account of the entries that belong to a tenant and to no WhatsApp Business Account: what comes
// by email and SMS. Meta's ids of accounts are digits.
const accountOf = "tenant."

// AccountOf returns the account of a tenant's entries of email and SMS.
func AccountOf(tenant model.TenantID) model.WABAID { return model.WABAID(accountOf + string(tenant)) }

// TenantIn returns the tenant in such an account.
func TenantIn(account model.WABAID) (model.TenantID, bool) {
	tenant, is := strings.CutPrefix(string(account), accountOf)
	return model.TenantID(tenant), is
}

// The API reads the log through these methods: failed entries, retried entries, and the entries of a message.

// maxRetryingListed bounds how many set-aside entries of each consumer a list reads.
const maxRetryingListed = 200

// FailedEntries reads a page of an account's parked entries, newest first. after is the previous page's end; nil for
// the first page.
func (s *Log) FailedEntries(
	ctx context.Context, waba model.WABAID, limit int, after dynamo.Item,
) ([]model.WebhookEvent, dynamo.Item, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookAttention, Where: "attentionPk = :p", Backwards: true,
		Limit: int32(limit), After: after,
		Values: dynamo.Item{":p": dynamo.S(keys.AttentionFailed(cmp.Or(waba, unknownAccount)))},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list failed entries: %w", err)
	}
	entries, err := s.readEntries(ctx, page.Items)
	return entries, page.Next, err
}

// RetryingEntries reads the entries of an account that are set aside and retried automatically. They are few; the index
// holds those of all accounts.
func (s *Log) RetryingEntries(ctx context.Context, waba model.WABAID) ([]model.WebhookEvent, error) {
	var rows []dynamo.Item
	for _, consumer := range []Consumer{Inbound, Status} {
		page, err := s.DB.Query(ctx, dynamo.Query{
			Table: tables.Messages, Index: tables.IndexWebhookAttention, Where: "attentionPk = :p",
			Limit:  maxRetryingListed,
			Values: dynamo.Item{":p": dynamo.S(keys.AttentionAside(string(consumer)))},
		})
		if err != nil {
			return nil, fmt.Errorf("list set-aside entries: %w", err)
		}
		rows = append(rows, page.Items...)
	}
	entries, err := s.readEntries(ctx, rows)
	return slices.DeleteFunc(entries,
		func(e model.WebhookEvent) bool { return cmp.Or(e.WABAMetaID, unknownAccount) != waba }), err
}

// EntriesOf reads the entries of the log that hold a message. It omits expired ones.
func (s *Log) EntriesOf(ctx context.Context, m model.Message) ([]model.WebhookEvent, error) {
	var rows []dynamo.Item
	for _, id := range append([]model.EventID{m.EventID}, m.AlsoLogged...) {
		if id != "" {
			rows = append(rows, dynamo.Item{"pk": dynamo.S(keys.WebhookEvent(id).Partition)})
		}
	}
	return s.readEntries(ctx, rows)
}

// readEntries reads whole entries for the rows of an index, in the order of the rows.
func (s *Log) readEntries(ctx context.Context, rows []dynamo.Item) ([]model.WebhookEvent, error) {
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ByPK(dynamo.Text(row, keys.PK))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	entries := make([]model.WebhookEvent, 0, len(refs))
	for _, ref := range refs {
		if item := ref.Found(found); item != nil {
			var entry model.WebhookEvent
			if err := dynamo.Unmarshal(item, &entry); err != nil {
				return nil, err
			}
			entries = append(entries, entry)
		}
	}
	return entries, nil
}

// Entry reads an entry of the log. It returns dynamo.ErrNotFound if there is none.
func (s *Log) Entry(ctx context.Context, id model.EventID) (model.WebhookEvent, error) {
	var entry model.WebhookEvent
	err := s.DB.Get(ctx, tables.Messages, keys.WebhookEvent(id), &entry)
	if err == nil && entry.ItemType != model.ItemWebhookEvent {
		err = dynamo.ErrNotFound
	}
	return entry, err
}

// Entries reads a page of the entries of one kind of an account, newest first. after is the previous page's end; nil
// for the first page.
func (s *Log) Entries(
	ctx context.Context, waba model.WABAID, kind string, limit int, after dynamo.Item,
) ([]model.WebhookEvent, dynamo.Item, error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookEvent, Where: "webhookEventType = :k", Backwards: true,
		Limit: int32(limit), After: after,
		Values: dynamo.Item{":k": dynamo.S(keys.WebhookEventType(waba, kind))},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list log: %w", err)
	}
	entries, err := s.readEntries(ctx, page.Items)
	return entries, page.Next, err
}
