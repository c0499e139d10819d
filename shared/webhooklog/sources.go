package webhooklog

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Sources remembers which sources of the log one process has registered, so that each costs a write per process and none
// per entry. A source is one kind of an account's entries: a partition of gsi_webhook_event, which the sweep must know of.
type Sources struct{ known sync.Map }

// sweptBefore is how long before its first entry a source counts as swept: what is older, from before there was a sweep, the
// stream has brought or given up on.
const sweptBefore = 24 * time.Hour

// register makes sure that the sweep knows of an entry's source. Its condition is that nobody has registered it: how far it
// has been swept must stay.
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

// sourceOf is the account and the kind under which an entry is indexed; unknown for what names no account.
func sourceOf(entry whatsapp.Entry) (model.WABAID, model.Name) {
	waba, err := model.Parse[model.WABAID](entry.WABAID)
	if err != nil {
		waba = "unknown"
	}
	return waba, model.Name(entry.Kind)
}
