package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/stream"
)

var (
	errPermanent = errors.New("it has no such shape")
	errTransient = errors.New("throttled")
)

// work is a worker whose records name in their attribute do how they end. It records what it did.
type work struct {
	done, parked []string
	reasons      []string
	log          bytes.Buffer
	parkFails    bool
}

func (w *work) worker() *stream.Worker {
	return &stream.Worker{
		Log:       slog.New(slog.NewTextHandler(&w.log, nil)),
		Permanent: func(err error) bool { return errors.Is(err, errPermanent) },
		Open: func(_ context.Context, images []dynamo.Item) []stream.Job {
			jobs := make([]stream.Job, len(images))
			for i, image := range images {
				jobs[i] = stream.Job{
					Order: []string{"one customer"}, Do: func(context.Context) error { return w.do(image) }}
			}
			return jobs
		},
		Park: func(_ context.Context, image dynamo.Item, reason string) error {
			if w.parkFails {
				return errTransient
			}
			w.parked, w.reasons = append(w.parked, dynamo.Text(image, "id")), append(w.reasons, reason)
			return nil
		},
	}
}

func (w *work) do(image dynamo.Item) error {
	switch do := dynamo.Text(image, "do"); do {
	case "permanent":
		return fmt.Errorf("record: %w", errPermanent)
	case "transient":
		return fmt.Errorf("record: %w", errTransient)
	case "panic":
		panic("Asha Rao, 919876543210")
	case "out of range":
		w.done = append(w.done, []string{}[len(do)])
	}
	w.done = append(w.done, dynamo.Text(image, "id"))
	return nil
}

// batch returns records that end as do says. Their sequence numbers are as long as real ones.
func batch(do ...string) events.DynamoDBEvent {
	var event events.DynamoDBEvent
	for i, do := range do {
		record := events.DynamoDBEventRecord{EventID: fmt.Sprint("event-", i), EventName: "INSERT"}
		record.Change.SequenceNumber = sequence(i)
		if do == "deletion" {
			record.EventName = "REMOVE"
			record.Change.OldImage = map[string]events.DynamoDBAttributeValue{"id": events.NewStringAttribute("old")}
		} else {
			record.Change.NewImage = map[string]events.DynamoDBAttributeValue{
				"id": events.NewStringAttribute(fmt.Sprint(i)), "do": events.NewStringAttribute(do),
			}
		}
		event.Records = append(event.Records, record)
	}
	return event
}

func sequences(of ...int) []string {
	var all []string
	for _, i := range of {
		all = append(all, sequence(i))
	}
	return all
}

func reported(response events.DynamoDBEventResponse) []string {
	var all []string
	for _, failure := range response.BatchItemFailures {
		all = append(all, failure.ItemIdentifier)
	}
	return all
}

func sequence(i int) string { return fmt.Sprintf("%d00000000000000000000%d", 7-i, i) }

func TestABatchIsProcessedAsFarAsPossible(t *testing.T) {
	for name, c := range map[string]struct {
		do           []string
		parkFails    bool
		done, parked []string
		again        []string // the sequence numbers reported for a retry
	}{
		"what follows a transient failure waits for it": {
			do: []string{"", "transient", ""}, done: []string{"0"}, again: sequences(1, 2)},
		"a transient failure first": {
			do: []string{"transient", "", ""}, again: sequences(0, 1, 2)},
		"a transient failure last": {
			do: []string{"", "", "transient"}, done: []string{"0", "1"}, again: sequences(2)},
		"two transient failures": {
			do: []string{"transient", "transient"}, again: sequences(0, 1)},
		"a permanent failure is parked, and the rest goes on": {
			do: []string{"", "permanent", ""}, done: []string{"0", "2"}, parked: []string{"1"}},
		"a panic is parked, and the rest goes on": {
			do: []string{"panic", "out of range", ""}, done: []string{"2"}, parked: []string{"0", "1"}},
		"a permanent one before a transient one stays parked": {
			do: []string{"permanent", "transient", ""}, parked: []string{"0"}, again: sequences(1, 2)},
		"what cannot be parked comes again": {
			do: []string{"", "permanent", ""}, parkFails: true, done: []string{"0"}, again: sequences(1, 2)},
		"a panic that cannot be parked comes again": {
			do: []string{"", "panic", ""}, parkFails: true, done: []string{"0"}, again: sequences(1, 2)},
		"a deletion is no work": {
			do: []string{"deletion", "", "deletion"}, done: []string{"1"}},
		"all is well": {
			do: []string{"", "", ""}, done: []string{"0", "1", "2"}},
		"nothing at all": {},
	} {
		t.Run(name, func(t *testing.T) {
			w := work{parkFails: c.parkFails}
			response, err := w.worker().Handle(t.Context(), batch(c.do...))
			if err != nil {
				t.Fatalf("an error makes Lambda repeat the whole batch: %v", err)
			}
			if diff := cmp.Diff(c.done, w.done); diff != "" {
				t.Errorf("done: %s", diff)
			}
			if diff := cmp.Diff(c.parked, w.parked); diff != "" {
				t.Errorf("parked: %s", diff)
			}
			if diff := cmp.Diff(c.again, reported(response)); diff != "" {
				t.Errorf("reported: %s", diff)
			}
		})
	}
}

// Lambda takes a misspelt field in this answer for success, and null for an empty list.
func TestTheAnswerHasTheShapeThatLambdaReads(t *testing.T) {
	for want, do := range map[string]string{
		`{"batchItemFailures":[]}`: "",
		`{"batchItemFailures":[{"itemIdentifier":"` + sequence(0) + `"}]}`: "transient",
	} {
		var w work
		response, err := w.worker().Handle(t.Context(), batch(do))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := json.Marshal(response); err != nil || string(text) != want {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
	}
}

func TestTheReasonForParkingContainsNoPersonalData(t *testing.T) {
	var w work
	if _, err := w.worker().Handle(t.Context(), batch("permanent", "panic", "out of range")); err != nil {
		t.Fatal(err)
	}
	if len(w.reasons) != 3 || w.reasons[0] != "record: "+errPermanent.Error() {
		t.Fatalf("%q", w.reasons)
	}
	for _, reason := range w.reasons[1:] {
		if !strings.HasPrefix(reason, "panic") {
			t.Errorf("a panic was parked as %q", reason)
		}
	}
	if told := w.log.String() + strings.Join(w.reasons, ""); strings.Contains(told, "Asha") ||
		strings.Contains(told, "919876543210") {
		t.Errorf("a person is named in %q", told)
	}
	if !strings.Contains(w.log.String(), "record parked") {
		t.Error("the log does not say that a record was parked")
	}
}

func TestEveryAttributeTypeIsConverted(t *testing.T) {
	const image = `{
		"s":{"S":"नमस्ते"},"empty":{"S":""},"n":{"N":"12345678901234567890123456789012345678"},"yes":{"BOOL":true},"no":{"BOOL":false},"null":{"NULL":true},
		"b":{"B":"AP8="},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2.5"]},"bs":{"BS":["AA==","/w=="]},
		"l":{"L":[{"S":"a"},{"L":[]},{"M":{}},{"NULL":true}]},"m":{"M":{"a":{"M":{"b":{"N":"-1"}}}}}}`
	var read map[string]events.DynamoDBAttributeValue
	if err := json.Unmarshal([]byte(image), &read); err != nil {
		t.Fatal(err)
	}
	s := func(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }
	m := func(item dynamo.Item) types.AttributeValue { return &types.AttributeValueMemberM{Value: item} }
	l := func(list ...types.AttributeValue) types.AttributeValue {
		if list == nil {
			list = []types.AttributeValue{}
		}
		return &types.AttributeValueMemberL{Value: list}
	}
	null := &types.AttributeValueMemberNULL{Value: true}
	want := dynamo.Item{
		"s": s("नमस्ते"), "empty": s(""),
		"n":   &types.AttributeValueMemberN{Value: "12345678901234567890123456789012345678"},
		"yes": dynamo.Bool(true), "no": dynamo.Bool(false), "null": null, "b": dynamo.Binary([]byte{0, 255}),
		"ss": &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		"ns": &types.AttributeValueMemberNS{Value: []string{"1", "2.5"}},
		"bs": &types.AttributeValueMemberBS{Value: [][]byte{{0}, {255}}},
		"l":  l(s("a"), l(), m(dynamo.Item{}), null), "m": m(dynamo.Item{"a": m(dynamo.Item{"b": dynamo.N(-1)})}),
	}
	got := stream.Item(read)
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s became %#v, want %#v", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d attributes, want %d", len(got), len(want))
	}
}
