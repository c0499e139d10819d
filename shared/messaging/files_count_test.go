package messaging_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/analytics"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// file is the record of a file of an account.
func file(id int, waba model.WABAID, month string, by string, size int64) model.Media {
	m := model.Media{
		PK: keys.Media(model.MediaID(fmt.Sprint("m", id))).Partition, ItemType: model.ItemMedia,
		MediaID: model.MediaID(fmt.Sprint("m", id)), WABAMetaID: waba, UploadedBy: by, ContentLength: size}
	if month != "" {
		m.S3Key, m.UploadedAt = "files/demo/1/m", model.Time(month+"-05T12:00:00.000Z")
	}
	return m
}

// seedFiles fills an engine with more files than a page has, and has them counted.
func seedFiles(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	for i := range 20 {
		month, by := "2026-11", ""
		if i%5 == 0 {
			month = "2026-10"
		}
		if i%4 == 0 {
			by = "user-1"
		}
		db.Seed(t, tables.Messages, file(i, wt.WABA, month, by, int64(1000+i)))
	}
	db.Seed(t, tables.Messages, file(100, wt.WABA, "", "", 999), file(101, "999", "2026-11", "", 999),
		model.Media{ // erased
			PK: keys.Media("m102").Partition, ItemType: model.ItemMedia, MediaID: "m102", ErasedAt: model.At(noon)})
	if err := countingOn(db.Client).CountFiles(t.Context(), "demo", wt.WABA); err != nil {
		t.Fatal(err)
	}
}

func countsFiles(ctx context.Context, client *dynamo.Client, startedAt model.Time) error {
	_, err := countingOn(client).Handlers()[analytics.EventFiles].Send(ctx, model.OutboxEvent{
		EcosystemID: "demo", Payload: []byte(`{"wabaId":"` + wt.WABA + `","startedAt":"` + string(startedAt) + `"}`)})
	return err
}

// Files are counted once each, by the month in which they were stored: those that are kept, of the account alone.
func TestTheFilesOfAnAccountAreCounted(t *testing.T) {
	db := dynamotest.Start(t, used...)
	a := countingOn(db.Client)
	of := func(month string) analytics.Files {
		t.Helper()
		f, err := a.FilesOf(t.Context(), []model.WABAID{wt.WABA}, month)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := of("2026-11"); f != (analytics.Files{}) {
		t.Errorf("never counted: %+v", f)
	}
	seedFiles(t, db)
	if f := of("2026-11"); f.CountedAt != "" {
		t.Errorf("under way: %+v", f)
	}
	for range 2 { // the event may come twice
		if err := countsFiles(t.Context(), db.Client, model.At(noon)); err != nil {
			t.Fatal(err)
		}
	}
	// 0, 5, 10 and 15 are of October, and 0, 4, 8, 12 and 16 were uploaded
	all := model.FileCounts{Incoming: 15, IncomingBytes: 15150, Outgoing: 5, OutgoingBytes: 5040}
	october := model.FileCounts{Incoming: 3, IncomingBytes: 3030, Outgoing: 1, OutgoingBytes: 1000}
	november := model.FileCounts{Incoming: 12, IncomingBytes: 12120, Outgoing: 4, OutgoingBytes: 4040}
	for month, want := range map[string]model.FileCounts{
		"2026-10": october, "2026-11": november, "2026-12": {}} {
		if f := of(month); f.Stored != want || f.Kept != all || f.CountedAt != model.At(noon) {
			t.Errorf("%s: %+v, want %+v of %+v", month, f, want, all)
		}
	}
	if f, err := a.FilesOf(t.Context(), []model.WABAID{wt.WABA, "999"}, "2026-11"); err != nil || f.CountedAt != "" ||
		f.Kept != all {
		t.Errorf("with an account that was never counted: %+v, %v", f, err)
	}
	// what was counted within the hour is not counted anew
	if err := a.CountFiles(t.Context(), "demo", wt.WABA); err != nil || len(db.Items(t, tables.Outbox)) != 1 {
		t.Errorf("%d events, %v", len(db.Items(t, tables.Outbox)), err)
	}
}

func TestCountingFilesSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used, Seed: seedFiles,
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return countsFiles(ctx, client, model.At(noon))
		},
	})
	t.Logf("%d crash points", points)
}
