package webhooklog

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func (l *logged) sweptTo() model.Time {
	l.t.Helper()
	var source model.WebhookSource
	if err := l.db.Get(l.t.Context(), tables.Messages, keys.WebhookSource(wt.WABA, "message"), &source); err != nil {
		l.t.Fatal(err)
	}
	return source.SweptTo
}

func TestEntriesTheStreamNeverDeliveredAreProcessedOldestFirst(t *testing.T) {
	l := startLogged(t)
	var ids []model.EventID
	for i := range 120 { // more than two pages
		l.now = noon.Add(time.Duration(i) * time.Second)
		ids = append(ids, l.post(fmt.Sprintf("9198765%05d", i))...)
	}
	if err := l.MarkProcessed(t.Context(), ids[7]); err != nil {
		t.Fatal(err)
	}
	if err := l.MarkFailed(t.Context(), ids[9], "", "parked"); err != nil {
		t.Fatal(err)
	}
	l.now = noon.Add(4 * time.Minute)
	l.sweep()
	if len(l.worked) != 0 {
		t.Fatalf("%d entries were taken from the stream within minutes", len(l.worked))
	}
	l.now = noon.Add(10 * time.Minute)
	l.sweep()
	want := append(append(append([]model.EventID{}, ids[:7]...), ids[8]), ids[10:]...)
	if diff := cmp.Diff(want, l.worked); diff != "" {
		t.Error(diff)
	}
	if to := model.At(noon.Add(119 * time.Second)); l.sweptTo() != to {
		t.Errorf("swept to %s, want %s", l.sweptTo(), to)
	}
	l.sweep()
	if len(l.worked) != len(want) {
		t.Error("a second sweep worked again")
	}
}

func TestAnEntryThatFailsInTheSweepBlocksNoOtherAndIsRetried(t *testing.T) {
	l := startLogged(t)
	var ids []model.EventID
	for i := range 3 {
		l.now = noon.Add(time.Duration(i) * time.Second)
		ids = append(ids, l.post(fmt.Sprintf("9198765%05d", i))...)
	}
	l.fails[ids[1]] = errOwn
	before := l.now
	for sweep := 1; sweep <= 3; sweep++ { // the third failure sets it aside
		if sweep > 1 && l.sweptTo() != model.At(noon) {
			t.Errorf("after %d sweeps: swept to %s, past what nobody has dealt with", sweep-1, l.sweptTo())
		}
		l.now = noon.Add(10*time.Minute + time.Duration(sweep)*10*time.Second)
		l.sweep()
	}
	for _, id := range []model.EventID{ids[0], ids[2]} {
		if l.entry(id).ProcessedAt == "" {
			t.Errorf("%s was held up", id)
		}
	}
	if l.entry(ids[1]).AttentionPK == "" || l.sweptTo() != model.At(before) {
		t.Errorf("not aside, or the sweep stays behind: %+v, %s", l.entry(ids[1]), l.sweptTo())
	}
	delete(l.fails, ids[1])
	l.now = l.now.Add(time.Hour)
	l.sweep()
	if l.entry(ids[1]).ProcessedAt == "" {
		t.Error("it was forgotten")
	}
}

// Entries of one body share their time of receipt. The sweep must not move past it before all of them are processed.
func TestEntriesOfOneBodyAreSweptInOrderAndNoneIsSkipped(t *testing.T) {
	l := startLogged(t)
	var changes []wt.Object
	for i := range 130 {
		customer := fmt.Sprintf("9198765%05d", i)
		changes = append(changes, wt.Messages(nil, wt.Text(customer, "wamid."+customer, "hello", noon)))
	}
	entries, err := whatsapp.DecodeWebhook(wt.Body(changes...))
	if err != nil {
		t.Fatal(err)
	}
	if err := (Appender{DB: l.db.Client, Now: l.Now, Sources: &Sources{}}).Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	l.fails[model.EventID(entries[50].ID)] = errOwn
	l.now = noon.Add(10 * time.Minute)
	l.sweep()
	if l.sweptTo() >= model.At(noon) {
		t.Errorf("swept to %s, and one of %s is not dealt with", l.sweptTo(), model.At(noon))
	}
	delete(l.fails, model.EventID(entries[50].ID))
	for range 3 {
		l.sweep()
	}
	for i, entry := range entries {
		if l.entry(model.EventID(entry.ID)).ProcessedAt == "" {
			t.Errorf("entry %d was passed by", i)
		}
	}
	if l.sweptTo() != model.At(noon) {
		t.Errorf("swept to %s", l.sweptTo())
	}
}

func TestAnIdleSweepWritesNothingAndQueriesEachSourceOnce(t *testing.T) {
	l := startLogged(t)
	ids := l.post("919876543210")
	l.stream(ids...)
	l.now = noon.Add(time.Hour)
	l.sweep()
	before := l.db.Dump(t)
	l.now = noon.Add(2 * time.Hour)
	client, meter := l.db.Metered(t)
	l.Log.DB = client
	l.sweep()
	// The calls: set-aside entries, sources, their sweep positions, and the entries of the one source.
	if cost := meter.Cost(); cost.RoundTrips != 4 || len(cost.Write) != 0 {
		t.Errorf("%+v", cost)
	}
	if diff := cmp.Diff(before, l.db.Dump(t)); diff != "" {
		t.Error(diff)
	}
}

func TestTheSweepSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			newLogged(t, db, db.Client).post("919876543210", "918888888888", "917777777777")
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			l := newLogged(t, nil, client)
			l.now = noon.Add(time.Duration(run+1) * time.Hour)
			return l.sweeper().Run(ctx)
		},
		Ignore: []string{"processedAt"},
	})
	t.Logf("%d crash points", points)
}

func TestASourceIsRegisteredOnceByEachProcess(t *testing.T) {
	l := startLogged(t)
	log := Appender{DB: l.db.Client, Now: l.Now, Sources: &Sources{}}
	var entries []whatsapp.Entry
	for i := range 3 {
		decoded, err := whatsapp.DecodeWebhook(
			wt.Body(wt.Messages(nil, wt.Text("919876543210", fmt.Sprint("wamid.", i), "hello", noon))))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, decoded...)
	}
	if err := log.Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	if err := l.DB.Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.WebhookSource(wt.WABA, "message"), Do: "SET sweptTo = :to",
		If: dynamo.Unconditional, Values: dynamo.Item{":to": dynamo.S("2026-11-22T00:00:00.000Z")},
	}); err != nil {
		t.Fatal(err)
	}
	log.Sources = &Sources{} // another process
	if err := log.Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	if l.sweptTo() != "2026-11-22T00:00:00.000Z" {
		t.Errorf("another process set the sweep back to %s", l.sweptTo())
	}
}

// A source in which entries wait is read by every sweep, also if not all have their turn, until they are processed.
func TestAStuckSourceIsReadByEverySweep(t *testing.T) {
	l := startLogged(t)
	var others []any
	for i := range sourcesPerSweep + 1 {
		key := keys.WebhookSource(model.WABAID(fmt.Sprint(1_000_000+i)), "message")
		others = append(others, model.WebhookSource{
			PK: key.Partition, ItemType: model.ItemWebhookSource, WebhookEventType: keys.WebhookSources,
			ReceivedAt: model.At(noon), SweptTo: model.At(noon.Add(24 * time.Hour)),
		})
	}
	l.db.Seed(t, tables.Messages, others...)
	id := l.post("919876543210")[0]
	l.fails[id] = errThrottled
	waits := func(minute int) bool {
		l.now = noon.Add(10*time.Minute + time.Duration(minute)*time.Minute)
		oldest, err := l.sweeper().sweepUnprocessed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return oldest > 0
	}
	first := 0
	for !waits(first) {
		if first++; first > longestTurn {
			t.Fatal("no sweep finds the entry")
		}
	}
	for minute := first + 1; minute < first+6; minute++ { // the alarm needs five in a row
		if !waits(minute) {
			t.Errorf("the sweep of minute %d does not see the entry", minute)
		}
	}
	delete(l.fails, id)
	waits(first + 6) // processes it
	if waits(first+7) || l.indexed() != 0 || l.entry(id).ProcessedAt == "" {
		t.Errorf("it still waits: %+v", l.entry(id))
	}
}

// However many sources there are, each is read within the hour, and no sweep reads much more than its share.
func TestEverySourceHasItsTurn(t *testing.T) {
	for _, n := range []int{0, 1, sourcesPerSweep, sourcesPerSweep + 1, 20_000, 40_000} {
		turns := max(min((n+sourcesPerSweep-1)/sourcesPerSweep, longestTurn), 1)
		all := make([]dynamo.Ref, n)
		for i := range all {
			all[i].Key = keys.WebhookSource(model.WABAID(fmt.Sprint(i)), "message")
		}
		read := make(map[string]int, n)
		for minute := range turns {
			part := inTurn(slices.Clone(all), noon.Add(time.Duration(minute)*time.Minute))
			if len(part) > max(2*n/turns, sourcesPerSweep) {
				t.Errorf("of %d sources minute %d reads %d", n, minute, len(part))
			}
			for _, source := range part {
				read[source.Key.Partition]++
			}
		}
		for source, times := range read {
			if times != 1 {
				t.Fatalf("of %d sources %s is read %d times in %d minutes", n, source, times, turns)
			}
		}
		if len(read) != n {
			t.Errorf("of %d sources %d are read in %d minutes", n, len(read), turns)
		}
	}
}
