package main

import (
	"errors"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

var many = flag.Int("reminders", 200, "how many reminders are due at once in the test of memory")

// maxHeap is what a function of 128 MB has for its heap.
const maxHeap = 96 << 20

// However many reminders are due, they are planned and sent in bounded memory. It prints what one costs.
func TestManyRemindersTakeLittleMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in a function
	db := dynamotest.Start(t, together...)
	open(t, db, nil)
	jobs := make([]func() error, *many)
	for n := range jobs {
		jobs[n] = func() error {
			of := model.Name(fmt.Sprintf("+9190000%06d", n))
			key := keys.KhataBalance(shop, of)
			item, err := dynamo.Marshal(khatamodel.Balance{
				PK: key.Partition, SK: key.Sort, StoreID: shop, CustomerPhone: of, TenantID: "demo",
				OutstandingBalance: amount("500"), Version: 1, ReminderEnabled: true,
				ReminderFrequency: khatamodel.Daily, ReminderBucket: keys.DueBucket(shop, of),
				NextReminderAt: model.At(due), GSI1PK: keys.KhataOf(of), GSI1SK: keys.StoreScope(shop),
			})
			if err != nil {
				return err
			}
			return db.PutOnce(t.Context(), tables.CustomerBalances, item)
		}
	}
	if err := errors.Join(lanes.Concurrently(8, jobs...)...); err != nil {
		t.Fatal(err)
	}
	client, meter := db.Metered(t)
	var peak atomic.Uint64
	stop := make(chan struct{})
	go func() {
		for {
			var m runtime.MemStats
			if runtime.ReadMemStats(&m); m.HeapAlloc > peak.Load() {
				peak.Store(m.HeapAlloc)
			}
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	defer close(stop)
	began := time.Now()
	if err := registry.Khata(rooms(client, at(night))).Reminders.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	planned := dynamotest.Total(meter.Cost().Write)
	meter.Reset()
	if err := registry.Khata(rooms(client, at(due.Add(time.Minute)))).Reminders.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d reminders: %.1f write units each to plan, %.1f to send; %d MB of heap at most; %v",
		*many, planned/float64(*many), dynamotest.Total(meter.Cost().Write)/float64(*many), peak.Load()>>20,
		time.Since(began).Round(time.Second))
	if peak.Load() > maxHeap {
		t.Errorf("%d MB of heap", peak.Load()>>20)
	}
	if left := len(db.Index(t, tables.PaymentReminders, tables.IndexRemindersDue)); left > 0 {
		t.Errorf("%d are left", left)
	}
}
