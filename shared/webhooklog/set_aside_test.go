package webhooklog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var (
	errOwn       = errors.New("something only this record has")
	errThrottled = fmt.Errorf("write: %w", &types.ProvisionedThroughputExceededException{})
	errStuck     = fmt.Errorf("write: %w", dynamo.ErrStuck)
)

// logged is a log with a consumer that marks entries as processed, and fails when the test says so.
type logged struct {
	*Log
	t      testing.TB
	db     *dynamotest.DB
	now    time.Time
	fails  map[model.EventID]error
	worked []model.EventID
	worker *stream.Worker
}

func newLogged(t testing.TB, db *dynamotest.DB, client *dynamo.Client) *logged {
	l := &logged{t: t, db: db, now: noon, fails: map[model.EventID]error{}}
	l.Log = &Log{DB: client, Now: func() time.Time { return l.now }}
	l.worker = &stream.Worker{
		Log: slog.New(slog.DiscardHandler), Permanent: dynamo.Permanent, Park: l.Park,
		SetAside: l.Log.SetAside(Inbound),
		Open: func(_ context.Context, images []dynamo.Item) []stream.Job {
			jobs := make([]stream.Job, len(images))
			for i, image := range images {
				id := model.EventID(dynamo.Text(image, "eventId"))
				jobs[i] = stream.Job{Order: []string{"one after the other"}, Do: func(ctx context.Context) error {
					l.worked = append(l.worked, id)
					if err := l.fails[id]; err != nil {
						return err
					}
					return l.MarkProcessed(ctx, id)
				}}
			}
			return jobs
		},
	}
	return l
}

func startLogged(t *testing.T) *logged {
	db := dynamotest.Start(t, tables.Messages)
	return newLogged(t, db, db.Client)
}

// startSetAside is startLogged with one entry that is set aside because it is stuck.
func startSetAside(t *testing.T) (*logged, model.EventID) {
	t.Helper()
	l := startLogged(t)
	id := l.post("919876543210")[0]
	l.fails[id] = errStuck
	l.stream(id)
	return l, id
}

// post logs a text of each customer and returns the entries' ids, one body each.
func (l *logged) post(customers ...string) []model.EventID {
	l.t.Helper()
	var ids []model.EventID
	for _, customer := range customers {
		entries, err := whatsapp.DecodeWebhook(
			wt.Body(wt.Messages(nil, wt.Text(customer, "wamid."+customer, "hello", l.now))))
		if err != nil {
			l.t.Fatal(err)
		}
		if err := (Appender{DB: l.db.Client, Now: l.Now, Sources: &Sources{}}).Append(l.t.Context(),
			entries); err != nil {
			l.t.Fatal(err)
		}
		ids = append(ids, model.EventID(entries[0].ID))
	}
	return ids
}

func (l *logged) entry(id model.EventID) model.WebhookEvent {
	l.t.Helper()
	var event model.WebhookEvent
	if err := l.db.Get(l.t.Context(), tables.Messages, keys.WebhookEvent(id), &event); err != nil {
		l.t.Fatal(err)
	}
	return event
}

// stream delivers entries as Lambda does, and returns how many the consumer reports as failed.
func (l *logged) stream(ids ...model.EventID) int {
	l.t.Helper()
	var images []dynamo.Item
	for _, id := range ids {
		item, err := dynamo.Marshal(l.entry(id))
		if err != nil {
			l.t.Fatal(err)
		}
		images = append(images, item)
	}
	response, err := l.worker.Handle(l.t.Context(), events.DynamoDBEvent{Records: dynamotest.Records(l.t, images)})
	if err != nil {
		l.t.Fatal(err)
	}
	return len(response.BatchItemFailures)
}

func (l *logged) sweep() {
	l.t.Helper()
	if err := l.sweeper().Run(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
}

func (l *logged) sweeper() Sweep {
	return Sweep{Log: l.Log, Consumer: Inbound, Work: l.worker.Work}
}

func (l *logged) indexed() int {
	return len(l.db.Index(l.t, tables.Messages, "gsi_webhook_attention"))
}

func TestAnEntryThatFailsOnItsOwnIsSetAsideAtItsThirdFailure(t *testing.T) {
	l := startLogged(t)
	ids := l.post("919876543210")
	l.fails[ids[0]] = errOwn
	for failure := 1; failure <= 2; failure++ {
		if again := l.stream(ids...); again != 1 {
			t.Fatalf("failure %d: %d records come again", failure, again)
		}
		if e := l.entry(ids[0]); e.Failures != failure || e.LastError != errOwn.Error() ||
			e.FirstFailedAt != model.At(noon) || e.AttentionPK != "" {
			t.Errorf("failure %d: %+v", failure, e)
		}
	}
	if again := l.stream(ids...); again != 0 {
		t.Error("the third failure still holds the lane")
	}
	if e := l.entry(ids[0]); e.AttentionPK != "aside#inbound" || e.AttentionAt != model.At(noon.Add(time.Minute)) ||
		l.indexed() != 1 {
		t.Errorf("%+v, %d in the index", e, l.indexed())
	}
	if again := l.stream(ids...); again != 0 { // the stream may redeliver them
		t.Error("what is set aside holds the lane again")
	}
}

func TestAStuckEntryIsSetAsideAtOnce(t *testing.T) {
	l := startLogged(t)
	ids := l.post("919876543210", "918888888888")
	l.fails[ids[0]] = errStuck
	if again := l.stream(ids...); again != 0 {
		t.Errorf("%d records come again", again)
	}
	if l.entry(ids[0]).AttentionPK == "" || l.entry(ids[1]).ProcessedAt == "" {
		t.Error("the stuck record is not aside, or the other is not done")
	}
}

func TestAnOutageSetsNothingAside(t *testing.T) {
	l := startLogged(t)
	ids := l.post("919876543210", "918888888888", "917777777777")
	for _, failure := range []error{
		errThrottled, context.DeadlineExceeded,
		&dynamo.TransactionCancelled{Reasons: []dynamo.Reason{{}, {Code: "ThrottlingError"}}},
		&smithy.OperationError{
			ServiceID: "DynamoDB", Err: &smithyhttp.RequestSendError{Err: errors.New("connection reset")}},
		&types.InternalServerError{},
	} {
		for _, id := range ids {
			l.fails[id] = failure
		}
		for range 20 {
			l.now = l.now.Add(time.Minute)
			for _, id := range ids {
				if l.stream(id) != 1 {
					t.Fatalf("%v: a record was taken for done", failure)
				}
			}
		}
		for _, id := range ids {
			if e := l.entry(id); e.Failures != 0 || e.AttentionPK != "" {
				t.Errorf("%v: %+v", failure, e)
			}
		}
	}
}

func TestAThrottledEntryIsSetAsideAfterMinutesWhileOthersSucceed(t *testing.T) {
	l := startLogged(t)
	ids := l.post("918888888888", "919876543210")
	l.fails[ids[1]] = errThrottled
	for range 6 {
		if l.stream(ids...) != 1 {
			t.Fatal("set aside within three minutes")
		}
		l.now = l.now.Add(30 * time.Second)
	}
	if l.stream(ids...) != 0 || l.entry(ids[1]).AttentionPK == "" {
		t.Errorf("not set aside: %+v", l.entry(ids[1]))
	}
}

func TestASetAsideEntryIsRetriedUntilItSucceeds(t *testing.T) {
	l, id := startSetAside(t)
	l.worked = nil
	var tried []int
	for minute := 1; minute <= 300; minute++ {
		l.now = noon.Add(time.Duration(minute) * time.Minute)
		before := len(l.worked)
		l.sweep()
		if len(l.worked) > before {
			tried = append(tried, minute)
		}
	}
	if diff := cmp.Diff([]int{1, 3, 6, 12, 24, 48, 96, 156, 216, 276}, tried); diff != "" {
		t.Errorf("tried at these minutes: %s", diff)
	}
	delete(l.fails, id)
	l.now = noon.Add(6 * time.Hour)
	l.sweep()
	e := l.entry(id)
	if e.ProcessedAt == "" || e.Failures != 0 || e.LastError != "" || e.FirstFailedAt != "" || e.AttentionPK != "" ||
		e.AttentionAt != "" || l.indexed() != 0 {
		t.Errorf("%+v, %d in the index", e, l.indexed())
	}
}

func TestAnEntryThatFailsForADayIsParkedWithItsLastErrorAndCanBeReplayed(t *testing.T) {
	l, id := startSetAside(t)
	l.fails[id] = errOwn
	for hour := range 26 {
		l.now = noon.Add(time.Duration(hour) * time.Hour)
		l.sweep()
	}
	if e := l.entry(id); e.ProcessingError != errOwn.Error() || e.Failures != 0 || e.AttentionPK != "failed#"+wt.WABA ||
		l.indexed() != 1 {
		t.Fatalf("%+v", e)
	}
	if err := l.Replay(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if e := l.entry(id); e.ProcessingError != "" || e.ReplayedAt == "" {
		t.Errorf("%+v", e)
	}
}

// An entry is not parked because the sweep did not run for a day and then met one more failure.
func TestAnEntryIsParkedOnlyAfterManyTries(t *testing.T) {
	l, id := startSetAside(t)
	l.fails[id] = errOwn
	begun := l.entry(id).Failures
	for tries := 1; begun+tries < minTries; tries++ {
		l.now = noon.Add(time.Duration(24*tries) * time.Hour)
		l.sweep()
		if e := l.entry(id); e.ProcessingError != "" {
			t.Fatalf("parked after %d tries: %+v", begun+tries, e)
		}
	}
	l.now = l.now.Add(24 * time.Hour)
	l.sweep()
	if e := l.entry(id); e.ProcessingError != errOwn.Error() {
		t.Errorf("not parked: %+v", e)
	}
}

func TestReplayingASetAsideEntryReturnsItToTheStream(t *testing.T) {
	l, id := startSetAside(t)
	if err := l.Replay(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if e := l.entry(id); e.Failures != 0 || e.AttentionPK != "" || e.FirstFailedAt != "" {
		t.Errorf("%+v: the stream's filter keeps it from its consumer", e)
	}
}

func TestTwoSweepsTryAnEntryOnce(t *testing.T) {
	l, _ := startSetAside(t)
	l.now = noon.Add(2 * time.Minute)
	page, err := l.DB.Query(t.Context(), dynamo.Query{
		Table: tables.Messages, Index: "gsi_webhook_attention", Where: "attentionPk = :pk",
		Values: dynamo.Item{":pk": dynamo.S("aside#inbound")},
	})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d rows, %v", len(page.Items), err)
	}
	for sweep, want := range []bool{true, false} {
		if image, err := l.sweeper().lease(t.Context(), page.Items[0]); err != nil || (image != nil) != want {
			t.Errorf("sweep %d: %v, %v", sweep, image, err)
		}
	}
}

func TestSettingAsideAndTheSweepSurviveEveryCrashPoint(t *testing.T) {
	var ids []model.EventID
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			ids = newLogged(t, db, db.Client).post("919876543210", "918888888888")
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			l := newLogged(t, nil, client)
			l.now = start.Add(time.Duration(run) * 2 * time.Hour)
			l.fails[ids[0]] = errStuck
			images := make([]dynamo.Item, len(ids))
			for i, id := range ids {
				images[i] = dynamo.Item{"eventId": dynamo.S(id)}
			}
			if err := dynamotest.Reported(
				l.worker.Handle(ctx, events.DynamoDBEvent{Records: dynamotest.Records(t, images)})); err != nil {
				return err
			}
			delete(l.fails, ids[0])
			l.now = l.now.Add(time.Hour)
			return l.sweeper().Run(ctx)
		},
		Ignore: []string{"processedAt", "sweptTo"}, // the clock has advanced
	})
	t.Logf("%d crash points", points)
}
