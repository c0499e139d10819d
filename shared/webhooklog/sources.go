package webhooklog

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Sources remembers which sources one process has registered, so that each costs one write per process and none per
// entry. A source is one kind of an account's entries, that is, one partition of gsi_webhook_event. The sweep reads the
// partitions of registered sources.
type Sources struct{ known sync.Map }

// sweptBefore is how long before its first entry a source counts as swept. The stream has delivered or given up on
// older entries.
const sweptBefore = 24 * time.Hour

// register makes a source known to the sweep. The condition is that nobody has registered it: its sweep position must
// stay.
func (l Appender) register(ctx context.Context, entry whatsapp.Entry, now time.Time) error {
	waba, kind := sourceOf(entry)
	key := keys.WebhookSource(waba, kind)
	if _, known := l.Sources.known.Load(key.Partition); known {
		return nil
	}
	item, err := dynamo.Marshal(model.WebhookSource{
		PK: key.Partition, ItemType: model.ItemWebhookSource, WebhookEventType: keys.WebhookSources,
		ReceivedAt: model.At(now), SweptTo: model.At(now.Add(-sweptBefore)),
	})
	if err != nil {
		return err
	}
	if err := l.DB.PutOnce(telemetry.Unmeasured(ctx), tables.Messages, item); err != nil {
		return fmt.Errorf("register a source of the log: %w", err)
	}
	l.Sources.known.Store(key.Partition, true)
	return nil
}

// sourceOf returns the account and kind under which an entry is indexed. The account is "unknown" if the entry names
// none.
func sourceOf(entry whatsapp.Entry) (model.WABAID, model.Name) {
	waba, err := model.Parse[model.WABAID](entry.WABAID)
	if err != nil {
		waba = "unknown"
	}
	return waba, model.Name(entry.Kind)
}

// Accounts lists the accounts that entries of the log have come from, each once.
func (s *Log) Accounts(ctx context.Context) ([]model.WABAID, error) {
	var all []model.WABAID
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWebhookEvent, Where: "webhookEventType = :p",
		Values: dynamo.Item{":p": dynamo.S(keys.WebhookSources)},
	}
	for {
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list accounts: %w", err)
		}
		for _, row := range page.Items {
			waba, _, ok := keys.WebhookSourceIDs(dynamo.Text(row, keys.PK))
			if ok && waba != unknownAccount && !slices.Contains(all, waba) {
				all = append(all, waba)
			}
		}
		if query.After = page.Next; query.After == nil {
			return all, nil
		}
	}
}
