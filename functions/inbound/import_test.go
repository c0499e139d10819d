package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// history returns a body that imports threads of one message each.
func history(threads int) []byte {
	var list wt.List
	for i := range threads {
		who := fmt.Sprintf("9198765%05d", i)
		list = append(list, wt.Object{"id": who, "messages": wt.List{wt.Object{
			"id": fmt.Sprint("wamid.", i), "from": who, "type": "text",
			"timestamp": strconv.FormatInt(at(i%60).Unix(), 10), "text": wt.Object{"body": "hi"},
		}}})
	}
	return wt.Body(
		wt.Change("history",
			wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone},
				"history": wt.List{wt.Object{"threads": list}}}))
}

// dying is a transport that fails after a number of calls. It counts cancelled transactions.
type dying struct {
	*dynamotest.Meter
	mu              sync.Mutex
	left, cancelled int
	die             func()
}

func newDying(left int, die func()) *dying {
	d := &dying{Meter: &dynamotest.Meter{}, left: left, die: die}
	d.Reset()
	return d
}

func (d *dying) RoundTrip(request *http.Request) (*http.Response, error) {
	d.mu.Lock()
	d.left--
	dead := d.left < 0
	d.mu.Unlock()
	if dead {
		d.die()
		return nil, errors.New("the process has died")
	}
	response, err := d.Meter.RoundTrip(request)
	if err == nil && response.StatusCode != http.StatusOK &&
		request.Header.Get("X-Amz-Target") == "DynamoDB_20120810.TransactWriteItems" {
		d.mu.Lock()
		d.cancelled++
		d.mu.Unlock()
	}
	return response, err
}

// importing processes logged entries as Lambda does, until all are done or the process dies.
func importing(t *testing.T, ctx context.Context, db *dynamotest.DB, through *dying, images []dynamo.Item) {
	t.Helper()
	rooms := messaging.Receiving(messaging.Config{DB: db.Through(through), Now: clock, DefaultTenant: "demo"})
	worker := NewHandler(rooms, slog.New(slog.DiscardHandler))
	var running sync.WaitGroup
	share := (len(images) + lanesOfAShard - 1) / lanesOfAShard
	for len(images) > 0 {
		lane := images[:min(share, len(images))]
		images = images[len(lane):]
		running.Go(func() {
			for len(lane) > 0 && ctx.Err() == nil {
				batch := lane[:min(recordsAtOnce, len(lane))]
				lane = lane[len(batch):]
				response, err := worker.Handle(ctx, events.DynamoDBEvent{Records: dynamotest.Records(t, batch)})
				if err != nil || len(response.BatchItemFailures) > 0 && ctx.Err() == nil {
					t.Errorf("%d come again, %v", len(response.BatchItemFailures), err)
				}
			}
		})
	}
	running.Wait()
}

// threadsOfAnImport returns how many threads to import. A body holds at most 20,000, which takes a minute or two here.
func threadsOfAnImport(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("IMPORT_THREADS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 300
}

// An interrupted import continues: what is stored already is read and not written again.
func TestAnInterruptedImportContinuesWhereItEnded(t *testing.T) {
	threads := threadsOfAnImport(t)
	db := dynamotest.Start(t, tables.Messages)
	seedNumber(t, db)
	images := appended(t, db, history(threads))
	stored := func() (messages, entries int) {
		for _, item := range db.Items(t, tables.Messages) {
			switch dynamo.Text(item, "itemType") {
			case model.ItemMessage:
				messages++
			case model.ItemWebhookEvent:
				if item["processedAt"] != nil {
					entries++
				}
			}
		}
		return messages, entries
	}

	ctx, kill := context.WithCancel(t.Context())
	first := newDying(threads, kill) // a thread takes two calls: a read and a transaction
	importing(t, ctx, db, first, images)
	half, done := stored()
	if half == 0 || half >= threads {
		t.Fatalf("%d of %d are stored when it is killed", half, threads)
	}

	var again []dynamo.Item // processed entries are not delivered again
	for _, item := range db.Items(t, tables.Messages) {
		if dynamo.Text(item, "itemType") == model.ItemWebhookEvent && item["processedAt"] == nil {
			again = append(again, item)
		}
	}
	second := newDying(1<<30, func() {})
	began := time.Now()
	importing(t, t.Context(), db, second, again)
	if messages, entries := stored(); messages != threads || entries != len(images) {
		t.Errorf("%d messages of %d, %d entries of %d", messages, threads, entries, len(images))
	}
	if second.cancelled > 0 {
		t.Errorf("%d transactions were made for nothing", second.cancelled)
	}
	cost := second.Cost()
	took := time.Since(began)
	t.Logf("%d threads in %d entries, killed at %d messages and %d entries; the rest took %s and %.0f write units",
		threads, len(images), half, done, took, dynamotest.Total(cost.Write))
	if written := cost.Write[tables.Messages.Name(tables.Dev)+"/gsi_conversation"]; int(written) > threads-half {
		t.Errorf("%g messages are written, of %d that were left", written, threads-half)
	}
}
