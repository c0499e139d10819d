package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
)

// Each function's own tests call its handler with its sample events. This test gives the same files to the built
// functions, through the runtime: what the handler is wrapped in, how it reads its settings and what it answers with
// are as in Lambda. What the records of a stream tell of is in the tables, because a stream only tells of what was
// written, and the local cloud's own streams deliver it, too. A second run finds everything done.
func TestTheBuiltFunctionsAnswerTheirSampleEvents(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.InMemory = true })
	for run := range 2 {
		for _, function := range topology.All() {
			paths, err := filepath.Glob(filepath.Join(r.root, "events", function.Name, "*.json"))
			if err != nil || len(paths) == 0 {
				t.Fatalf("%s has no sample event: %v", function.Name, err)
			}
			for _, path := range paths {
				event, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if run == 0 {
					r.write(t, event)
				}
				answer, err := r.Invoke(t.Context(), function.Name, event)
				if err != nil {
					t.Errorf("%s/%s: %v", function.Name, filepath.Base(path), err)
					continue
				}
				if complaint := complaint(answer); complaint != "" {
					t.Errorf("%s/%s %s: %s", function.Name, filepath.Base(path), complaint, answer)
				}
			}
		}
	}
}

// complaint returns what is wrong with the answer of a function that did not fail: records of a batch that it could not
// deal with, or an error of the server's. It returns "" for a good one.
func complaint(answer []byte) string {
	var said struct {
		StatusCode        int               `json:"statusCode"`
		BatchItemFailures []json.RawMessage `json:"batchItemFailures"`
	}
	if string(answer) == "null" {
		return ""
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return "answers in no form that Lambda knows, " + err.Error()
	}
	switch {
	case len(said.BatchItemFailures) > 0:
		return "leaves records"
	case said.StatusCode >= http.StatusInternalServerError:
		return "fails"
	}
	return ""
}

// write puts into the tables what a stream's records tell of. An event without records tells of nothing.
func (r *running) write(t *testing.T, event []byte) {
	t.Helper()
	var batch events.DynamoDBEvent
	if err := json.Unmarshal(event, &batch); err != nil {
		return // the sample of a request or a schedule
	}
	db := dynamo.Wrap(engine.Client(r.Addresses.DynamoDB), tables.Dev)
	put := func(table tables.Table, item dynamo.Item) {
		t.Helper()
		err := db.Put(t.Context(), dynamo.Put{Table: table, Item: item, If: dynamo.Unconditional})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, record := range batch.Records {
		item := stream.Item(record.Change.NewImage)
		for _, table := range tables.All() {
			if len(item) == 0 || !strings.Contains(record.EventSourceArn, ":table/"+table.Name(tables.Dev)+"/") {
				continue
			}
			if table.ID == tables.Outbox.ID { // its event was written together with the number that it got
				put(tables.OutboxSequences, sequenceBefore(t, item))
			}
			put(table, item)
		}
	}
}

// sequenceBefore returns the sequence of an event of the outbox whose turn it is.
func sequenceBefore(t *testing.T, event dynamo.Item) dynamo.Item {
	t.Helper()
	ref := outbox.SequenceRef(model.TenantID(dynamo.Text(event, "ecosystemId")), dynamo.Text(event, "entityType"),
		dynamo.Text(event, "entityId"))
	number := dynamo.Int(event, "sequenceNumber")
	item, err := dynamo.Marshal(model.OutboxSequence{
		SequenceID: ref.Key.Partition, Current: number, Delivered: number - 1})
	if err != nil {
		t.Fatal(err)
	}
	return item
}
