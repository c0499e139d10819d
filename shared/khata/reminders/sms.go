package reminders

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	smsclient "github.com/haatline/haatline/shared/sms"
)

// SMS is what the outbox event of a reminder by SMS holds.
type SMS struct {
	Reminder model.Name `json:"reminder"`
	To       string     `json:"to"` // E.164
	Text     string     `json:"text"`
}

// EventSMS is the type of the outbox events of reminders by SMS.
const EventSMS = "khata.sms"

// Texts sends texts: sms.Client.
type Texts interface {
	Send(ctx context.Context, to, text string) (id string, err error)
}

// How often and after which waits a text is tried again that was refused in passing.
const (
	smsAttempts = 6
	smsWait     = 2 * time.Minute
)

// Handlers returns the handler of reminders by SMS.
func (r *Reminders) Handlers(texts Texts) map[string]outbox.Handler {
	return map[string]outbox.Handler{EventSMS: {
		Send:  func(ctx context.Context, event model.OutboxEvent) (string, error) { return sendSMS(ctx, texts, event) },
		Still: r.stillBySMS,
		Inform: func(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
			var text SMS
			if json.Unmarshal(event.Payload, &text) != nil {
				return nil, nil
			}
			return r.settled(ctx, text.Reminder, event, outcome)
		},
	}}
}

// sendSMS sends one text. AWS knows no text again that it has taken before, so that one is not sent again of which nobody knows whether AWS
// has taken it: no reminder is better than two. A person may replay it.
func sendSMS(ctx context.Context, texts Texts, event model.OutboxEvent) (string, error) {
	unknown := &outbox.Failure{Reason: "an attempt ended without an answer, and the customer may have the SMS", Class: outbox.Unanswered, Ambiguous: true, Attempts: 1}
	var text SMS
	if err := json.Unmarshal(event.Payload, &text); err != nil {
		return "", &outbox.Failure{Reason: "the stored SMS cannot be read", Attempts: 1}
	}
	if event.PossibleDuplicate {
		return "", unknown
	}
	id, err := texts.Send(ctx, text.To, text.Text)
	var refused *smsclient.Refused
	switch {
	case err == nil:
		return id, nil
	case !errors.As(err, &refused):
		return "", unknown
	case refused.Passes:
		return "", &outbox.Failure{Reason: refused.Error(), Class: "passes", Attempts: smsAttempts, Wait: smsWait << min(event.RetryCount, smsAttempts)}
	}
	return "", &outbox.Failure{Reason: refused.Error(), Class: "never", Attempts: 1}
}
