package queue

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
)

// event returns the event in which Lambda brings a batch.
func (q *Queue) event(batch []*message) []byte {
	var all events.SQSEvent
	for _, m := range batch {
		sum := md5.Sum([]byte(m.Body)) // as SQS says it
		all.Records = append(all.Records, events.SQSMessage{
			MessageId: m.ID, ReceiptHandle: fmt.Sprintf("%s-%d", m.ID, m.Receives), Body: m.Body,
			Md5OfBody: hex.EncodeToString(sum[:]),
			Attributes: map[string]string{
				"ApproximateReceiveCount": strconv.Itoa(m.Receives), "SenderId": "AIDAIENQZJOLO23YVJ4VO",
				"SentTimestamp":                    strconv.FormatInt(m.Sent.UnixMilli(), 10),
				"ApproximateFirstReceiveTimestamp": strconv.FormatInt(m.Received.UnixMilli(), 10)},
			MessageAttributes: map[string]events.SQSMessageAttribute{},
			EventSource:       "aws:sqs", EventSourceARN: q.config.ARN, AWSRegion: q.config.Region})
	}
	text, _ := json.Marshal(all) // it is texts
	return text
}

// errAnswer means that an answer names the failures of a batch in a wrong form. Then the whole batch has failed.
var errAnswer = errors.New("the answer names no messages of the batch")

// failures returns the ids of the messages of a batch that a function has not taken, by its answer or its error, and
// why. Nothing, null and a list that is empty mean that all are taken.
func failures(answer []byte, batch []*message, err error) (map[string]bool, error) {
	all, failed := map[string]bool{}, map[string]bool{}
	for _, m := range batch {
		all[m.ID] = true
	}
	if err != nil {
		return all, err
	}
	var said struct {
		Failures []struct {
			ID string `json:"itemIdentifier"`
		} `json:"batchItemFailures"`
	}
	if len(answer) > 0 && json.Unmarshal(answer, &said) != nil {
		return all, errAnswer
	}
	for _, f := range said.Failures {
		if !all[f.ID] {
			return all, errAnswer
		}
		failed[f.ID] = true
	}
	return failed, errors.New("the function has not taken it")
}
