package redrive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/redrive"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

const table = "base-wecare-digital-whatsapp-prod"

// given is an object as Lambda writes it: the batch is a text in it, whole.
func given(records ...string) string {
	payload, _ := json.Marshal(`{"Records":[` + strings.Join(records, ",") + `]}`)
	return fmt.Sprintf(
		`{"requestContext":{"requestId":"r",`+
			`"functionArn":"arn:aws:lambda:ap-south-1:111122223333:function:haatline-inbound-prod",
		"condition":"RecordAgeExceeded","approximateInvokeCount":9},"version":"1.0","timestamp":"2026-11-21T12:00:00Z",
		"DDBStreamBatchInfo":{"shardId":"shardId-1","startSequenceNumber":"1","endSequenceNumber":"2","batchSize":%d},"payload":%s}`, len(records), payload)
}

func entry(id string) string {
	return fmt.Sprintf(
		`{"eventID":"1","eventName":"INSERT","dynamodb":{"Keys":{"pk":{"S":"WEBHOOK#%[1]s"}},"SequenceNumber":"1",
		"NewImage":{"pk":{"S":"WEBHOOK#%[1]s"},"itemType":{"S":"WEBHOOK_EVENT"},"eventId":{"S":"%[1]s"}}}}`, id)
}

func event(id string) string {
	return fmt.Sprintf(
		`{"eventName":"INSERT","dynamodb":{"Keys":{"eventId":{"S":"%[1]s"}},"NewImage":{"eventId":{"S":"%[1]s"},`+
			`"status":{"S":"pending"}}}}`, id)
}

// newAccount holds a bucket, and a log with an entry that waits (0a), one that has been dealt with (0b), and one that
// was parked (0c).
func newAccount(t *testing.T, objects map[string]string) (*awstest.AWS, map[string]string) {
	t.Helper()
	account := awstest.New(t)
	account.Resources["haatline-functions-prod/FailureBucket"] = true
	account.Buckets[awstest.Physical("FailureBucket")] = objects
	item := func(id string, marks ...string) map[string]any {
		item := map[string]any{
			"pk": map[string]string{"S": "WEBHOOK#" + id}, "eventId": map[string]string{"S": id},
			"receivedAt": map[string]string{"S": "2026-11-21T06:00:00.000Z"}}
		for _, mark := range marks {
			item[mark] = map[string]string{"S": "x"}
		}
		return item
	}
	account.Tables[table] = awstest.Table{Status: "ACTIVE", Items: map[string]map[string]any{
		"WEBHOOK#0a": item("0a"), "WEBHOOK#0b": item("0b", "processedAt"), "WEBHOOK#0c": item("0c", "processingError"),
	}}
	return account, objects
}

func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := redrive.Run(t.Context(), append([]string{"-stage", "prod"}, args...), &out)
	return out.String(), err
}

func replayed(account *awstest.AWS) []string {
	var ids []string
	for _, asked := range account.Asked {
		if id, ok := strings.CutPrefix(asked, "UpdateItem "+table+" "); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func TestWhatWasGivenUpOnIsReplayedAndItsObjectsGo(t *testing.T) {
	account, objects := newAccount(t, map[string]string{
		"aws/lambda/1/shard/2026-11-21T12.00.00 a": given(entry("0a"), entry("0b")),
		"aws/lambda/1/shard/2026-11-21T12.00.01+b": given(entry("0c")),
		"aws/lambda/2/shard/c":                     given(event("e-1")),
		"aws/lambda/2/shard/d":                     given(entry("ffff")), // has expired
		"else/where":                               "not ours",
	})
	out, err := run(t)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if diff := cmp.Diff([]string{"WEBHOOK#0a", "WEBHOOK#0c"}, replayed(account)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"else/where": "not ours"}, objects); diff != "" {
		t.Errorf("left in the bucket:\n%s", diff)
	}
	if want := "4 objects: 2 log entries replayed, 1 dealt with already, 1 expired, 1 events of the outbox left to " +
		"its sweep, 0 changes of orders left to theirs\n"; !strings.HasSuffix(out, want) {
		t.Errorf("it says %q, want %q at its end", out, want)
	}
	if out, err := run(t); err != nil || !strings.HasPrefix(out, "0 objects") {
		t.Errorf("again: %v: %s", err, out)
	}
}

func TestWhatCannotBeUnderstoodStaysAndKeepsNothingElse(t *testing.T) {
	account, objects := newAccount(t, map[string]string{
		"aws/lambda/a": "no JSON", "aws/lambda/b": `{"DDBStreamBatchInfo":{}}`,
		"aws/lambda/c": given(`{"dynamodb":{"NewImage":{"pk":{"S":"MSG#1"}}}}`),
		"aws/lambda/d": given(entry("0a")),
	})
	out, err := run(t)
	if err == nil || err.Error() != "3 objects could not be brought back" {
		t.Errorf("%v: %s", err, out)
	}
	if diff := cmp.Diff([]string{"WEBHOOK#0a"}, replayed(account)); diff != "" || len(objects) != 3 {
		t.Errorf("%d objects left\n%s", len(objects), diff)
	}
	for _, key := range []string{"a", "b", "c"} {
		if !strings.Contains(out, "aws/lambda/"+key+" stays: ") {
			t.Errorf("nothing is said of %s: %s", key, out)
		}
	}
}

func TestWhatCannotBeReplayedNowStaysForTheNextTime(t *testing.T) {
	account, objects := newAccount(t, map[string]string{"aws/lambda/a": given(entry("0a"))})
	account.Refuse["UpdateItem"] = "AccessDeniedException: you may not"
	if out, err := run(t); err == nil || len(objects) != 1 || !strings.Contains(out, "AccessDeniedException") {
		t.Errorf("%v: %s", err, out)
	}
	delete(account.Refuse, "UpdateItem")
	if out, err := run(t, "-keep"); err != nil || len(objects) != 1 || len(replayed(account)) != 1 {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := run(t); err != nil || len(objects) != 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestABucketThatCannotBeReadIsSaidInOneLine(t *testing.T) {
	account, _ := newAccount(t, nil)
	account.Refuse["ListObjects"] = "AccessDenied: not you"
	if _, err := run(t); err == nil || !strings.Contains(err.Error(), "S3 answers 403 AccessDenied not you") {
		t.Error(err)
	}
	delete(account.Resources, "haatline-functions-prod/FailureBucket")
	if _, err := run(t); err == nil || !strings.Contains(err.Error(), "FailureBucket does not exist") {
		t.Error(err)
	}
}

// Every function that reads a stream may give a batch up. What its samples hold comes back.
func TestABatchOfEveryFunctionComesBack(t *testing.T) {
	for _, f := range topology.Functions {
		for _, source := range f.Streams {
			tried := 0
			for _, batch := range batches(t, f.Name) {
				tried++
				_, objects := newAccount(t, map[string]string{"aws/lambda/a": given(batch...)})
				if out, err := run(t); err != nil || len(objects) != 0 {
					t.Errorf("%s: %v: %s", f.Name, err, out)
				}
			}
			if tried == 0 {
				t.Errorf("%s has no sample of the stream of %s", f.Name, source.Table.ID)
			}
		}
	}
}

// batches returns the records of the function's samples of streams, by sample.
func batches(t *testing.T, function string) (all [][]string) {
	t.Helper()
	paths, err := filepath.Glob("../../../events/" + function + "/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var sample struct{ Records []json.RawMessage }
		if json.Unmarshal(text, &sample) != nil || len(sample.Records) == 0 {
			continue // of a schedule
		}
		var records []string
		for _, record := range sample.Records {
			var compact bytes.Buffer
			if err := json.Compact(&compact, record); err != nil {
				t.Fatal(err)
			}
			records = append(records, compact.String())
		}
		all = append(all, records)
	}
	return all
}

// A batch of which half came back stays, and comes back whole the next time.
func TestHalfABatchComesBackTheNextTime(t *testing.T) {
	batch := batches(t, "orders")[0]
	account, objects := newAccount(t,
		map[string]string{"aws/lambda/a": given(append([]string{entry("0a")}, batch...)...)})
	account.Refuse["UpdateItem "+tables.Metrics.Name(tables.Prod)] = "ProvisionedThroughputExceededException: wait"
	if out, err := run(t); err == nil || len(objects) != 1 {
		t.Errorf("%v: %s", err, out)
	}
	clear(account.Refuse)
	out, err := run(t)
	if err != nil || len(objects) != 0 || !strings.Contains(out, "1 changes of orders left to theirs") {
		t.Errorf("%v: %s", err, out)
	}
}
