package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

const (
	jobs     = "jobs@haat.example"
	ashaMail = "asha@example.com"
	opening  = "0109018f-1@ap-south-1.amazonses.com" // the Message-ID of the conversation's first email
)

// mailed is says by email.
func mailed(t testing.TB, db *dynamotest.DB, text string) keys.Key {
	t.Helper()
	box := keys.Mailbox(jobs)
	if err := db.Put(t.Context(), dynamo.Put{Table: tables.Conversations, If: dynamo.Unconditional, Item: dynamo.Item{
		box.PartitionName: dynamo.S(box.Partition), box.SortName: dynamo.S(box.Sort), "company": dynamo.S("ci-1"),
		"tenant_id": dynamo.S("demo")}}); err != nil {
		t.Fatal(err)
	}
	return says(t, db, text, func(c *conversationsmodel.Conversation) {
		first := opening
		c.ChannelMethod, c.RecipientEmail, c.RecipientTel, c.Customer = model.ChannelEmail, ashaMail, "", ashaMail
		c.PhoneNumberID, c.ChannelConfig = "", model.Document(`{"company_email":"`+jobs+`"}`)
		c.CreatedAt, c.EmailID, c.EmailSubject = model.At(noon.Add(-time.Minute)), &first, "Your CV"
		c.Assisted = &conversationsmodel.Assisted{Introduced: true}
	})
}

// arrives puts an email into the bucket as SES does, and returns what starts the function.
func (w *world) arrives(t testing.TB, name string, raw []byte) json.RawMessage {
	t.Helper()
	request, err := http.NewRequest(http.MethodPut, w.bucket+"/"+files.Bucket+"/mail/"+name, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	notice, err := json.Marshal(events.SNSEvent{Records: []events.SNSEventRecord{{
		EventSource: "aws:sns", SNS: events.SNSEntity{Timestamp: noon, Message: `{"notificationType":"Received","mail":{` +
			`"messageId":"` + name + `"},"receipt":{"timestamp":"` + noon.Format(time.RFC3339) + `",` +
			`"recipients":["` + jobs + `"],"spamVerdict":{"status":"PASS"},"virusVerdict":{"status":"PASS"},` +
			`"spfVerdict":{"status":"PASS"},"dkimVerdict":{"status":"PASS"},"dmarcVerdict":{"status":"PASS"},` +
			`"action":{"type":"S3","bucketName":"` + files.Bucket + `","objectKey":"mail/` + name + `"}}}`}}}})
	if err != nil {
		t.Fatal(err)
	}
	return notice
}

// An email comes by SNS, maybe twice, and lies in the bucket. It is in the log once, and becomes a turn of the
// assistant, whose answer goes out by email in the thread. Nothing is left of the raw email.
func TestAnEmailThatComesInIsAnsweredByEmail(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, tables.All()...)
	now := noon
	rooms := registry.Reacting(registry.Open(messaging.Config{
		DB: db.Client, Now: func() time.Time { return now }, NewToken: func() string { return "token" }}))
	key, log := mailed(t, db, "hello"), slog.New(slog.DiscardHandler)
	lane := newHandler(rooms, clients{}, log)
	bucket := objects.Open(w.getenv, &http.Client{})
	h := handler{lane.Handle, rooms.Mailing, takingOf(rooms), collectingOf(rooms, bucket), log}
	notice := w.arrives(t, "m1", []byte("From: Asha <"+ashaMail+">\r\nTo: "+jobs+"\r\nSubject: Re: Your CV\r\n"+
		"Message-ID: <asha-1@example.com>\r\nIn-Reply-To: <"+opening+">\r\n\r\nWhat is the salary?\r\n\r\n"+
		"On Tue, Haat <"+jobs+"> wrote:\r\n> hello\r\n"))
	id := arrivals.ID(model.ChannelEmail, jobs, "m1")
	for range 2 {
		now = now.Add(time.Minute)
		comes(t, rooms, h, notice, id)
	}
	m, err := rooms.Arrivals.Get(t.Context(), id)
	if err != nil || m.Outcome != arrivals.Claimed || m.ReceivedAt != model.At(noon) || w.stored(t, "mail/m1") != "" {
		t.Errorf("%+v %v", m, err)
	}
	for range 2 {
		now = now.Add(10 * time.Minute)
		answers(t, db, lane)
	}
	emails := eventsOf(t, db, "email.message")
	_, c := heard(t, db, key)
	if len(emails) != 1 || c.Entries != 3 {
		t.Fatalf("%d entries, %v", c.Entries, emails)
	}
	for _, want := range []string{"18,000", `"from":"` + jobs + `"`, `"subject":"Re: Your CV"`,
		`"replyOf":"asha-1@example.com"`, `"thread":["` + opening + `"]`, `"automatic":true`} {
		if !strings.Contains(string(emails[0].Payload), want) {
			t.Errorf("no %q in %s", want, emails[0].Payload)
		}
	}
}
