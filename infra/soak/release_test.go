package soak

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

// released holds what the last release has left in the tables, in the middle of its work. A release writes it anew with
// go test ./infra/soak -update, and every version until the next one goes on with it: two versions work on the same
// items while one replaces the other.
const released = "testdata/released.jsonl"

// releasedSeed is the history that the release leaves.
const releasedSeed = 21

// line is a line of the file: where the world stood, or an item.
type line struct {
	Now    time.Time                                `json:"now,omitzero"`
	IDs    int64                                    `json:"ids,omitempty"`
	Copies int                                      `json:"copies,omitempty"`
	Table  string                                   `json:"table,omitempty"`
	Item   map[string]events.DynamoDBAttributeValue `json:"item,omitempty"`
}

func TestThisVersionGoesOnWithWhatTheLastReleaseHasWritten(t *testing.T) {
	if golden.Updating() {
		writeReleased(t)
	}
	w := afterRelease(t)
	parked := w.parked()
	w.settle()
	for _, due := range []bool{false, true} {
		w.awaits(due)
		w.reminds()
	}
	w.settle()
	if now := w.parked(); now != parked {
		t.Errorf("%d entries cannot be read, and %d could not be read before", now, parked)
	}
	w.checkChains(w.books())
	conversations := w.standingConversations()
	for _, c := range conversations {
		w.readsAndErases(c)
	}
	if len(conversations) < 6 || len(w.entries()) < 6 {
		t.Errorf("the release has left %d conversations and %d entries of ledgers only", len(conversations),
			len(w.entries()))
	}
}

// writeReleased runs a history, and leaves it in the middle of its work.
func writeReleased(t *testing.T) {
	t.Helper()
	w := newWorld(t, releasedSeed)
	for _, s := range historyOf(releasedSeed) {
		w.take(s)
	}
	w.contents.forget()
	var file bytes.Buffer
	write := func(l line) {
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(append(text, '\n'))
	}
	write(line{Now: w.clock(), IDs: w.ids.Load(), Copies: len(w.meta.all())})
	for _, table := range allTables {
		for _, record := range dynamotest.Records(t, w.items(table)) {
			write(line{Table: table.ID, Item: record.Change.NewImage})
		}
	}
	golden.Write(t, released, file.String())
}

// afterRelease returns a world that goes on with what the release has left.
func afterRelease(t *testing.T) *simulation {
	t.Helper()
	text, err := os.ReadFile(released)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	w := bareWorld(t, 1)
	w.shop, w.bank = emptyShop(), &bank{}
	byID := map[string]tables.Table{}
	for _, table := range allTables {
		byID[table.ID] = table
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Table == "" {
			w.now.Store(l.Now.Add(time.Minute).UnixNano())
			w.ids.Store(l.IDs + 1000)
			w.meta.copies = slices.Repeat([]*taken{{}}, l.Copies)
			continue
		}
		item := stream.Item(l.Item)
		if err := w.db.Put(t.Context(),
			dynamo.Put{Table: byID[l.Table], Item: item, If: dynamo.Unconditional}); err != nil {
			t.Fatal(err)
		}
		// the stream still holds it
		if textOf(item, "itemType") == model.ItemWebhookEvent && textOf(item, "processedAt") == "" {
			consumer := webhooklog.ConsumerOf(textOf(item, "eventType"))
			w.pending[consumer] = append(w.pending[consumer], item)
		}
		if l.Table == tables.Stores.ID && w.shop.store.ID == "" {
			unmarshal(t, item, &w.shop.store)
		}
	}
	if err := lines.Err(); err != nil || w.shop.store.Status != commercemodel.StoreActive {
		t.Fatalf("%+v, %v", w.shop.store, err)
	}
	return w
}

// parked counts the entries of the log that can never be processed.
func (w *simulation) parked() (count int) {
	for _, item := range w.items(tables.Messages) {
		if textOf(item, "processingError") != "" {
			count++
		}
	}
	return count
}

// standingConversations returns the conversations with people that were not merged into others.
func (w *simulation) standingConversations() (all []model.Conversation) {
	for _, item := range w.items(tables.Messages) {
		var c model.Conversation
		if textOf(item, "itemType") != model.ItemConversation {
			continue
		}
		if unmarshal(w.t, item, &c); c.MergedInto == "" && c.GroupID == "" && !strings.Contains(c.PK, "GROUP") {
			all = append(all, c)
		}
	}
	return all
}

// readsAndErases reads the newest messages of a conversation, and erases its customer.
func (w *simulation) readsAndErases(c model.Conversation) {
	phone, customer, _ := keys.ConversationIDs(c.PK)
	if _, _, err := w.rooms().Timeline(w.t.Context(), c, 50, inbox.Position{}); err != nil {
		w.t.Errorf("the messages of %s: %v", c.PK, err)
	}
	w.advance(3 * time.Second)
	for range 20 {
		done, err := w.rooms().Erase(w.t.Context(), erasure.Request{
			Tenant: tenant, Phone: phone, Customer: customer, Reason: "asked", By: audit.Actor{Subject: "operator"},
			OpenOrders: erasure.CancelOrders,
		})
		if err != nil {
			w.t.Errorf("the erasure of %s: %v", c.PK, err)
			return
		}
		if done.CompletedAt != "" {
			return
		}
	}
	w.t.Errorf("the erasure of %s does not end", c.PK)
}
