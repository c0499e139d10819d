package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

const jobs, first = "jobs@haat.example", "first@ap-south-1.amazonses.com"

// mailed has a company converse by email with two people, and has emails come in: two replies and a stop of Asha, a
// reply of Ravi, one in his name, and one of a stranger.
func mailed(t testing.TB, db *dynamotest.DB) []dynamo.Item {
	t.Helper()
	rooms := house(db.Client, clock, sameID)
	talks := registry.Conversations(rooms).Talks
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	company := conversationsmodel.Company{Company: "ci-1", TenantID: "demo", CompanyName: "Haat Jobs", Active: true}
	company.SetKey()
	db.Seed(t, tables.Conversations, company)
	box := keys.Mailbox(jobs)
	must(db.Put(t.Context(), dynamo.Put{Table: tables.Conversations, If: dynamo.Unconditional, Item: dynamo.Item{
		box.PartitionName: dynamo.S(box.Partition), box.SortName: dynamo.S(box.Sort), "company": dynamo.S("ci-1"),
		"tenant_id": dynamo.S("demo")}}))
	for _, person := range []string{"asha@example.com", "ravi@example.com"} {
		id := first
		c := conversationsmodel.Conversation{
			RecipientEmail: model.Name(person), CompanyID: "ci-1", ProjectID: "pi-1", RequestID: "r1",
			ChannelMethod: model.ChannelEmail, Status: conversationsmodel.InitialMessageSent, TenantID: "demo",
			Customer: model.CustomerID(person), CreatedAt: model.At(at(0)), EmailID: &id,
			AIConfig: model.Document(`{"assistant":"rules"}`), Rules: conversationsmodel.Rules{QueueReply: true},
			ChannelConfig: model.Document(`{"company_email":"` + jobs + `"}`)}
		c.SetKeys()
		writes, err := talks.Write(&c)
		must(err)
		must(db.Transact(t.Context(), writes))
	}
	var images []dynamo.Item
	for n, m := range []model.Received{
		{Person: "asha@example.com", Text: "What is the salary?", References: []string{first}, EmailID: "1@x.example"},
		{Person: "asha@example.com", Text: "And the hours?", EmailID: "2@x.example"},
		{Person: "asha@example.com", Text: "STOP"},
		{Person: "ravi@example.com", Text: "Yes", References: []string{first}},
		{Person: "ravi@example.com", Text: "STOP", Held: "forged"},
		{Person: "stranger@example.com", Text: "Hello", References: []string{first}},
	} {
		m.TenantID, m.Channel, m.Business, m.CustomerID = "demo", model.ChannelEmail, jobs, model.CustomerID(m.Person)
		m.ReceivedAt = model.At(at(60 + n))
		id := arrivals.ID(m.Channel, m.Business, fmt.Sprint(n))
		must(rooms.Arrivals.Keep(t.Context(), id, m))
		must(rooms.Arrivals.Append(t.Context(), webhooklog.Appender{DB: db.Client, Now: clock}, id, m))
		ref := dynamo.Ref{Table: tables.Messages, Key: keys.WebhookEvent(id)}
		found, err := db.BatchGet(t.Context(), []dynamo.Ref{ref})
		must(err)
		images = append(images, ref.Found(found))
	}
	return images
}

// However the stream brings emails, each is in its conversation once, with the same turns and outcomes.
func TestEmailsAreReadHoweverTheStreamComes(t *testing.T) {
	dynamotest.StreamReplay(t, dynamotest.Replay{Tables: tables.All(), Seed: mailed, Handle: consumeWithDomains})
}

// Each email has the outcome that belongs to it, and a forged one stops nobody.
func TestEachEmailHasItsOutcome(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	images := mailed(t, db)
	response, err := consumeWithDomains(t.Context(), db.Client,
		events.DynamoDBEvent{Records: dynamotest.Records(t, images)})
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v %v", response, err)
	}
	rooms, got := house(db.Client, clock, sameID), []string{}
	for n := range images {
		m, err := rooms.Arrivals.Get(t.Context(), arrivals.ID(model.ChannelEmail, jobs, fmt.Sprint(n)))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Outcome)
	}
	if !slices.Equal(got, []string{
		arrivals.Claimed, arrivals.Claimed, arrivals.OptedOut, arrivals.Claimed, arrivals.Held, arrivals.Unclaimed}) {
		t.Error(got)
	}
	for person, entries := range map[model.Name]int{"asha@example.com": 2, "ravi@example.com": 1} {
		c, err := registry.Conversations(rooms).Talks.Get(t.Context(), keys.Talk("ci-1", "pi-1", "r1", person))
		if err != nil || c.Entries != entries {
			t.Errorf("%s: %d entries, %v", person, c.Entries, err)
		}
	}
}
