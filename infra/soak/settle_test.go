package soak

import (
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// settle lets everything come to its end without faults: what is on its way arrives, every entry is brought, the sweeps
// run, and the platform takes what it is sent.
func (w *world) settle() {
	w.faults.every.Store(0)
	w.platform.healthy = true
	defer func() { w.platform.healthy = false }()
	for range 60 {
		w.round++
		w.arrive(true)
		w.together(100)
		w.advance(3 * time.Minute)
		w.sweepLog()
		if err := w.relay(w.platform).Sweep(w.t.Context()); err != nil {
			w.t.Errorf("sweep: %v", err)
		}
		if w.quiet() {
			w.findStored()
			return
		}
		w.advance(20 * time.Minute)
	}
	w.t.Errorf("never quiet: %d on their way, %v", len(w.onTheirWay), w.unfinished())
}

func (w *world) quiet() bool {
	return len(w.onTheirWay) == 0 && len(w.operations) == 0 && len(w.unfinished()) == 0
}

// unfinished names what has not come to its end: entries of the log, and events of the outbox.
func (w *world) unfinished() []string {
	var open []string
	for _, item := range w.db.Items(w.t, tables.Messages) {
		if textOf(item, "itemType") == model.ItemWebhookEvent && textOf(item, "processedAt") == "" && textOf(item, "processingError") == "" {
			open = append(open, textOf(item, "pk")+" "+textOf(item, "lastError"))
		}
	}
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		if status := textOf(item, "status"); status == string(model.OutboxPending) || status == string(model.OutboxFailed) {
			open = append(open, textOf(item, "eventId")+" "+status+" "+textOf(item, "lastError"))
		}
	}
	return open
}

// link lets every customer who shows sometimes one identifier and sometimes another show all of them once. Without that the
// system cannot know that they are one person.
func (w *world) link() {
	for _, c := range w.customers {
		if c.shows == mixed {
			w.speaks(c, "text", w.text("marker-link"), true)
		}
	}
}

// broughtTo returns the entries that a consumer was brought before.
func (w *world) broughtTo(consumer messaging.Consumer) []dynamo.Item {
	var all []dynamo.Item
	for _, item := range w.brought {
		if messaging.ConsumerOf(textOf(item, "eventType")) == consumer {
			all = append(all, item)
		}
	}
	return all
}

func textOf(item dynamo.Item, name string) string { return dynamo.Text(item, name) }
