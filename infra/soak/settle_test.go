package soak

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

// settle completes everything without faults: webhooks arrive, every entry is delivered, the sweeps run, and WhatsApp
// accepts messages.
func (w *simulation) settle() {
	w.faults.every.Store(0)
	w.meta.healthy = true
	defer func() { w.meta.healthy = false }()
	for range 60 {
		w.round++
		w.arrive(true)
		w.together(100)
		w.advance(3 * time.Minute)
		w.sweepLog()
		if err := w.relay(w.meta).Sweep(w.t.Context()); err != nil {
			w.t.Errorf("sweep: %v", err)
		}
		if err := registry.Commerce(w.rooms()).Following(silent, nil).Sweep(w.t.Context()); err != nil {
			w.t.Errorf("the sweep of orders: %v", err)
		}
		if w.bank.ticked = w.clock(); registry.Cards(w.rooms()).Tick(w.t.Context()) != nil {
			w.t.Error("requests for cards cannot expire")
		}
		if w.quiet() {
			w.findStored()
			return
		}
		w.advance(20 * time.Minute)
	}
	w.t.Errorf("never quiet: %d on their way, %v", len(w.onTheirWay), w.unfinished())
}

func (w *simulation) quiet() bool {
	return len(w.shop.waiting) == 0 && len(w.onTheirWay) == 0 && len(w.operations) == 0 && len(w.unfinished()) == 0
}

// unfinished lists webhook entries, changes of orders and outbox events that are not complete.
func (w *simulation) unfinished() []string {
	var open []string
	for _, item := range w.items(tables.Messages) {
		if textOf(item, "itemType") == model.ItemWebhookEvent && textOf(item, "processedAt") == "" &&
			textOf(item, "processingError") == "" {
			open = append(open, textOf(item, "pk")+" "+textOf(item, "lastError"))
		}
	}
	for _, item := range w.items(tables.Metrics) {
		if textOf(item, "gsi1pk") == keys.FollowUpsAside {
			open = append(open, "a change of an order was set aside: "+textOf(item, "pk")+" "+textOf(item, "sk"))
		}
	}
	for _, item := range w.items(tables.Outbox) {
		if keys.LaneOf(textOf(item, "eventId")) == keys.LaneSlow {
			continue // the function that fetches files is not part of this
		}
		if status := textOf(item, "status"); status == string(model.OutboxPending) ||
			status == string(model.OutboxFailed) {
			open = append(open, textOf(item, "eventId")+" "+status+" "+textOf(item, "lastError"))
		}
	}
	return open
}

// link makes every customer who uses different identifiers show all of them once. Otherwise the system cannot know that
// they are one person.
func (w *simulation) link() {
	for _, c := range w.customers {
		if c.shows == mixed {
			w.speaks(c, "text", w.text("marker-link"), true)
			w.writesAs(c, true, true, "text", w.text("hello"))
		}
	}
}

// broughtTo returns the entries that were delivered to a consumer.
func (w *simulation) broughtTo(consumer webhooklog.Consumer) []dynamo.Item {
	var all []dynamo.Item
	for _, item := range w.brought {
		if webhooklog.ConsumerOf(textOf(item, "eventType")) == consumer {
			all = append(all, item)
		}
	}
	return all
}

func textOf(item dynamo.Item, name string) string { return dynamo.Text(item, name) }
