package main

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media/uploading"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

const (
	menu     = model.MediaID("menu")
	menuKept = "files/demo/106540352242922/menu"
	menuPut  = "incoming/demo/106540352242922/menu"
)

// puts stores an object in the bucket.
func (w *world) puts(t testing.TB, key, contentType, content string) {
	t.Helper()
	err := objects.Open(w.getenv, &http.Client{}).Put(t.Context(), objects.Object{
		Key: key, ContentType: contentType, Body: strings.NewReader(content), Size: int64(len(content)),
		SHA256: sha256.Sum256([]byte(content)),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// uploads puts a file under its link and asks for its upload. It returns the event.
func (w *world) uploads(t testing.TB, db *dynamotest.DB, now time.Time) []dynamo.Item {
	t.Helper()
	db.Seed(t, tables.Messages,
		model.Phone{PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo"})
	w.puts(t, menuPut, "image/png", picture)
	w.asks(t, db, now)
	return db.Items(t, tables.Outbox)
}

func (w *world) asks(t testing.TB, db *dynamotest.DB, now time.Time) {
	t.Helper()
	taking := uploading.Uploads{Files: roomsAt(db.Client, now).Files, Bucket: objects.Open(w.getenv, &http.Client{})}
	of := uploading.File{Tenant: "demo", Phone: phone, ID: menu, By: "meena", Name: "menu.png"}
	found, err := taking.Find(t.Context(), of)
	if err == nil {
		_, err = taking.Upload(t.Context(), of, found)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// attaches puts a file there that is recorded together with the message that shows it. It returns the event.
func (w *world) attaches(t testing.TB, db *dynamotest.DB) []dynamo.Item {
	t.Helper()
	db.Seed(t, tables.Messages,
		model.Phone{PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo"})
	db.Seed(t, tables.Messages,
		model.Message{PK: keys.Message("shows").Partition, ItemType: model.ItemMessage, MediaID: menu})
	w.puts(t, menuPut, "image/png", picture)
	files := roomsAt(db.Client, noon).Files
	orders, err := files.Orders(t.Context(), phone, []model.MediaID{menu})
	if err != nil {
		t.Fatal(err)
	}
	writes, err := files.Attach(t.Context(), orders, model.Media{
		PK: keys.Media(menu).Partition, ItemType: model.ItemMedia, MediaID: menu, PhoneNumberID: phone,
		ContentType: "image/png", UploadedBy: "khata",
	}, "shows")
	if err == nil {
		err = db.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return db.Items(t, tables.Outbox)
}

func menuRecord(t testing.TB, db *dynamotest.DB) model.Media {
	t.Helper()
	r, err := roomsAt(db.Client, noon).Files.Record(t.Context(), menu)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAFileIsUploadedHoweverTheFunctionDies(t *testing.T) {
	w := newWorld(t)
	w.survives(t, append([]string{"uploads"}, tried...), w.attaches) // which of Meta's ids of the file counts
	if w.stored(t, menuKept) != picture {
		t.Error("the file is not kept")
	}
}

func TestAMessageShowsTheFileThatWasRecordedWithIt(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, together...)
	w.attaches(t, db)
	w.sweep(t, db, noon.Add(time.Minute))
	message, err := roomsAt(db.Client, noon).Message(t.Context(), "shows")
	if err != nil || message.S3Key != menuKept || message.ContentLength != int64(len(picture)) ||
		message.Look == nil || message.Look.Thumbnail == "" || w.stored(t, menuKept+".thumbnail") == "" {
		t.Errorf("%+v, %v", message, err)
	}
}

func TestAnUploadIsKeptAndRenewed(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, together...)
	w.uploads(t, db, noon)
	w.sweep(t, db, noon.Add(time.Minute))
	r := menuRecord(t, db)
	first := r.Uploads[phone]
	if first.ID != "901" || !first.Usable(noon.Add(28*24*time.Hour)) || first.Usable(noon.Add(30*24*time.Hour)) {
		t.Errorf("%+v", first)
	}
	if r.S3Key != menuKept || r.TTL != 0 || r.DetectedType != "image/png" || r.Filename != "menu.png" ||
		w.stored(t, menuKept) != picture || w.taken.All()[0] != "image/png "+picture {
		t.Errorf("%+v", r)
	}
	w.asks(t, db, noon.Add(time.Hour)) // Meta holds it
	w.sweep(t, db, noon.Add(2*time.Hour))
	month := noon.Add(30 * 24 * time.Hour)
	w.asks(t, db, month)
	w.sweep(t, db, month.Add(time.Minute))
	if again := menuRecord(t, db).Uploads[phone]; again.ID != "902" || w.taken.Len() != 2 ||
		w.taken.All()[1] != w.taken.All()[0] {
		t.Errorf("%+v after %d uploads", again, w.taken.Len())
	}
}

func TestAnUploadThatFailsSaysWhyAndCanBeAskedForAgain(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, together...)
	end := func(images []dynamo.Item) model.OutboxStatus {
		t.Helper()
		event, err := (&outbox.Outbox{DB: db.Client}).Get(t.Context(), dynamo.Text(images[len(images)-1], "eventId"))
		if err != nil {
			t.Fatal(err)
		}
		return event.Status
	}
	// It is replaced under its link after it was checked.
	images := w.uploads(t, db, noon)
	w.puts(t, menuPut, "image/png", "<!DOCTYPE html><script>alert(1)</script>")
	w.sweep(t, db, noon.Add(time.Minute))
	if r := menuRecord(t, db); end(images) != model.OutboxDeadLetter ||
		!strings.Contains(r.UploadFailure, "not of the type") || r.S3Key != "" || r.TTL == 0 ||
		w.stored(t, menuKept) != "" {
		t.Errorf("%s: %+v", end(images), r)
	}
	// Meta does not answer, and then refuses it.
	w.puts(t, menuPut, "image/png", picture)
	w.refuse = `{"error":{"code":131000,"message":"Something went wrong"}}`
	w.asks(t, db, noon.Add(2*time.Minute))
	w.sweep(t, db, noon.Add(3*time.Minute))
	if r := menuRecord(t, db); !strings.Contains(r.UploadFailure, "131000") || r.S3Key != menuKept ||
		w.stored(t, menuKept) != picture {
		t.Errorf("%+v", r)
	}
	w.refuse = `{"error":{"code":100,"message":"Invalid parameter"}}`
	w.sweep(t, db, noon.Add(time.Hour))
	w.refuse = ""
	w.sweep(t, db, noon.Add(2*time.Hour))
	if r := menuRecord(t, db); !strings.Contains(r.UploadFailure, "100") || len(r.Uploads) > 0 {
		t.Errorf("%+v", r)
	}
	w.asks(t, db, noon.Add(3*time.Hour))
	w.sweep(t, db, noon.Add(4*time.Hour))
	if r := menuRecord(t, db); r.UploadFailure != "" || r.Uploads[phone].ID == "" {
		t.Errorf("%+v", r)
	}
}
