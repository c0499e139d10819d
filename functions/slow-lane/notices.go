package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/messaging/arrivals/collecting"
	"github.com/haatline/haatline/shared/messaging/arrivals/taking"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms/texted"
)

// fromSNS is the source of the notices of SNS.
const fromSNS = "aws:sns"

// handler takes the events of the outbox and its sweep, and what AWS tells by SNS: what becomes of emails, and texts
// and emails that have come in.
type handler struct {
	lane       func(ctx context.Context, raw json.RawMessage) (events.DynamoDBEventResponse, error)
	mailing    *mailing.Mailing
	taking     *taking.Taking
	collecting *collecting.Collecting
	log        *slog.Logger
}

// Handle distinguishes the triggers by the event's shape.
func (h handler) Handle(ctx context.Context, raw json.RawMessage) (any, error) {
	var in events.SNSEvent
	if json.Unmarshal(raw, &in) != nil || len(in.Records) == 0 || in.Records[0].EventSource != fromSNS {
		return h.lane(ctx, raw)
	}
	var failed error
	for _, record := range in.Records {
		failed = errors.Join(failed, h.told(ctx, record.SNS))
	}
	return nil, failed
}

// told takes one notice. It drops a message that is no notice, because that would fail again.
func (h handler) told(ctx context.Context, notice events.SNSEntity) error {
	message := []byte(notice.Message)
	if text, err := texted.Read(message); err == nil {
		h.log.InfoContext(ctx, "a text has come in", "bytes", len(message))
		return h.taking.Text(ctx, text, model.At(notice.Timestamp))
	}
	n, err := notices.Read(message)
	if err != nil {
		h.log.WarnContext(ctx, "a notice that is neither of SES nor of a text", "bytes", len(message))
		return nil
	}
	h.log.InfoContext(ctx, "notice", "kind", n.Kind, "event", n.Event)
	if n.Kind != notices.Received {
		return posting.Told(ctx, h.mailing, n)
	}
	if n.At.IsZero() {
		n.At = notice.Timestamp
	}
	return h.collecting.Email(ctx, n)
}
