package audit

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

type world struct {
	*Log
	t   *testing.T
	now time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: noon}
	w.Log = &Log{
		DB: dynamotest.Start(t, tables.AuditLogs).Client, Now: func() time.Time { return w.now },
		NewID: dynamotest.IDs("log-%d"),
	}
	return w
}

var asha, ravi = Target{"customer", "a5"}, Target{"customer", "7a"}

func (w *world) begins(target Target) model.AuditLog {
	w.t.Helper()
	record, err := w.Begin(w.t.Context(), Draft{
		Action: "customer.erase", Target: target, Tenant: "shop",
		By: Actor{Subject: "user-1", Name: "op@shop.example", RequestID: "request-1", IP: "203.0.113.7",
			UserAgent: "curl"}, Reason: "asked for it",
		Counts: []string{"messages", "events"},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return record
}

func (w *world) does(writes ...dynamo.Write) error {
	w.t.Helper()
	return w.DB.Transact(w.t.Context(), writes)
}

func (w *world) progress(record model.AuditLog) Progress {
	w.t.Helper()
	record, err := w.Reload(w.t.Context(), record)
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := ProgressOf(record)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func TestARecordCountsWithTheWorkAndIsCompletedOnce(t *testing.T) {
	w := newWorld(t)
	record := w.begins(asha)
	for range 2 {
		if err := w.does(Counted(record, map[string]int{"messages": 3})); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(Progress{Counts: map[string]int{"messages": 6, "events": 0}}, w.progress(record)); diff != "" {
		t.Error(diff)
	}
	done := Completed(record, map[string]int{"events": 1}, model.At(noon))
	if err := w.does(done); err != nil {
		t.Fatal(err)
	}
	if err := w.does(done); err == nil {
		t.Error("completed twice")
	}
	if err := w.does(Counted(record, map[string]int{"messages": 1})); err == nil {
		t.Error("counted after it was completed")
	}
	if err := w.does(CountedLate(record, map[string]int{"messages": 1})); err != nil {
		t.Error(err)
	}
	want := Progress{Counts: map[string]int{"messages": 7, "events": 1}, CompletedAt: model.At(noon)}
	if diff := cmp.Diff(want, w.progress(record)); diff != "" {
		t.Error(diff)
	}
	if err := w.does(
		Counted(model.AuditLog{TargetKey: "customer#none", TimestampLogID: "x"},
			map[string]int{"messages": 1})); err == nil {
		t.Error("counted where there is no record")
	}
}

func TestRecordsAreListedNewestFirstByEveryTargetTheyAreAbout(t *testing.T) {
	w := newWorld(t)
	var want []string
	for i := range 5 {
		w.now = noon.Add(time.Duration(i) * time.Minute)
		record := w.begins(asha)
		want = append([]string{record.LogID}, want...)
		reference, err := Reference(record, ravi)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.does(reference, Counted(record, map[string]int{"messages": i})); err != nil {
			t.Fatal(err)
		}
	}
	w.begins(Target{"customer", "somebody else"})
	for _, target := range []Target{asha, ravi} {
		var got []string
		place := ""
		for {
			page, next, err := w.List(t.Context(), target, 2, place)
			if err != nil {
				t.Fatal(err)
			}
			for _, record := range page {
				got = append(got, record.LogID)
				if record.TargetID != asha.ID {
					t.Errorf("a reference shows as itself: %+v", record)
				}
			}
			if place = next; place == "" {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("of %s:\n%s", target.ID, diff)
		}
	}
	latest, err := w.Latest(t.Context(), ravi)
	if err != nil || latest.LogID != want[0] || w.progress(latest).Counts["messages"] != 4 {
		t.Errorf("latest: %+v, %v", latest, err)
	}
	if _, err := w.Latest(t.Context(), Target{"customer", "nobody"}); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("of nobody: %v", err)
	}
}

func TestContinuingAnothersWorkIsRecordedOncePerPerson(t *testing.T) {
	w := newWorld(t)
	record := w.begins(asha)
	for _, by := range []string{"user-1", "user-2", "user-2", "user-3"} {
		again, err := w.Reload(t.Context(), record)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Continue(t.Context(), again, Actor{Subject: by, Name: by + "@shop.example", RequestID: "request-2"},
			"goes on"); err != nil {
			t.Fatal(err)
		}
	}
	again, err := w.Reload(t.Context(), record)
	if err != nil {
		t.Fatal(err)
	}
	var noted struct{ ContinuedBy []continuation }
	if err := json.Unmarshal(again.NewValue, &noted); err != nil {
		t.Fatal(err)
	}
	want := []continuation{
		{"user-2", "user-2@shop.example", "request-2", "goes on", model.At(noon)},
		{"user-3", "user-3@shop.example", "request-2", "goes on", model.At(noon)},
	}
	if diff := cmp.Diff(want, noted.ContinuedBy); diff != "" {
		t.Error(diff)
	}
	if p := w.progress(record); p.CompletedAt != "" || len(p.Counts) != 2 {
		t.Errorf("%+v", p)
	}
	if err := w.does(Completed(record, map[string]int{"events": 1}, model.At(noon))); err != nil {
		t.Fatal(err)
	}
	if err := w.Continue(t.Context(), record, Actor{Subject: "user-4"}, "too late"); err != nil {
		t.Error(err)
	}
}
