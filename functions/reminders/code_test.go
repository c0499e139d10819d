package main

import (
	"bytes"
	"context"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/paycode"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// withCodes returns the reminders of a process that draws QR codes, at a time.
func withCodes(client *dynamo.Client, now time.Time) *reminders.Reminders {
	books := registry.Khata(rooms(client, at(now)))
	books.ShowCodes(paycode.PNG, objectstest.Bucket(at(now)))
	return books.Reminders
}

// showsCodes opens a store that shows QR codes, and has a customer owe 500 and be reminded at due.
func showsCodes(t testing.TB, db *dynamotest.DB, set func(*commercemodel.Settings)) *world {
	w := open(t, db, func(s *commercemodel.Settings) {
		s.Credit.ReminderCode = true
		if set != nil {
			set(s)
		}
	})
	w.adds(customer(0), khatamodel.CreditSale, "500")
	w.plan(night)
	return w
}

func TestAReminderShowsTheLinkAsAQRCode(t *testing.T) {
	for name, c := range map[string]struct {
		set      func(*commercemodel.Settings)
		lacks    bool // the account lacks the template
		template string
	}{
		"a QR code":            {template: "payment_reminder_qr"},
		"without the template": {lacks: true, template: "payment_reminder_upi"},
		"without a UPI address": {set: func(s *commercemodel.Settings) { s.Credit.VPA = "" },
			template: "payment_reminder"},
		"by SMS": {set: func(s *commercemodel.Settings) { s.Credit.ReminderChannel = "sms" },
			template: "payment_reminder_sms_upi"},
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, together...)
			w := showsCodes(t, db, c.set)
			if c.lacks {
				w.must(db.Transact(t.Context(), []dynamo.Write{dynamo.Delete{Table: tables.Messages,
					Key: keys.TemplateMeta(wt.WABA, "payment_reminder_qr", "en"), If: dynamo.Unconditional}}))
			}
			now := due.Add(time.Minute)
			for range 2 {
				w.must(withCodes(db.Client, now).Send(t.Context()))
			}
			one := w.reminders()[customer(0)][0]
			if one.Status != khatamodel.Sent || string(one.MessageTemplate) != c.template {
				t.Fatalf("%+v, %s", one, why(one))
			}
			var files []model.Media
			for _, item := range db.Items(t, tables.Messages) {
				var file model.Media
				if dynamo.Text(item, "itemType") == model.ItemMedia && dynamo.Unmarshal(item, &file) == nil {
					files = append(files, file)
				}
			}
			if c.template != "payment_reminder_qr" {
				if len(files) > 0 {
					t.Errorf("%+v", files)
				}
				return
			}
			w.shows(one, files, now)
		})
	}
}

// shows checks that a reminder's message has the only file as its header, and that the file is the QR code of what is
// owed.
func (w *world) shows(one khatamodel.Reminder, files []model.Media, now time.Time) {
	w.t.Helper()
	var message model.Message
	w.must(w.db.Get(w.t.Context(), tables.Messages, keys.Message(one.MessageID), &message))
	if len(files) != 1 || !strings.Contains(string(message.Content), string(files[0].MediaID)) ||
		files[0].ContentType != "image/png" {
		w.t.Fatalf("%s, %+v", message.Content, files)
	}
	place := media.Payload{PhoneNumberID: wt.Phone, MediaID: files[0].MediaID}
	var stored bytes.Buffer
	w.must(objectstest.Bucket(at(now)).Get(w.t.Context(), place.IncomingKey("demo"), &stored, 1<<20))
	want, err := paycode.PNG(reminders.Payment(w.store, amount("500")).Link())
	w.must(err)
	if _, err := png.Decode(bytes.NewReader(stored.Bytes())); err != nil || !bytes.Equal(stored.Bytes(), want) {
		w.t.Errorf("%d bytes are kept: %v", stored.Len(), err)
	}
}

func TestAReminderWithAQRCodeSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together,
		Seed:   func(t testing.TB, db *dynamotest.DB) { showsCodes(t, db, nil) },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return withCodes(client, due.Add(time.Minute)).Send(ctx)
		},
	})
	t.Logf("%d crash points", points)
}
