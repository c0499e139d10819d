package sending

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// WhatsApp's limits: one message per 6 s to one customer, in bursts of up to 45 borrowed from later; 80 a second for
// a number.
var (
	pairBucket  = outbox.Bucket{Burst: 45, Every: 6 * time.Second}
	phoneBucket = outbox.Bucket{Burst: 80, Every: time.Second / 80}
)

// WhatsApp sends a message's body and returns Meta's id of the message. whatsapp.Graph implements it. Handlers takes nil where
// events are only settled, not sent.
type WhatsApp interface {
	Send(ctx context.Context, phoneNumberID string, message json.RawMessage, callbackData string) (string, error)
}

// Handlers returns the handlers of all outbox events: WhatsApp messages and read receipts, listings of templates, and the domains' own
// events.
func (s *Sender) Handlers(whatsApp WhatsApp) map[string]outbox.Handler {
	send := func(ctx context.Context, event model.OutboxEvent) (string, error) { return send(ctx, whatsApp, event) }
	all := maps.Clone(s.Others)
	lister, _ := whatsApp.(templates.Lister) // whoever only settles, or only sends messages, lists no templates
	maps.Copy(all, map[string]outbox.Handler{
		templates.EventSync: s.Templates.Handler(lister, asFailure),
		EventMessage:        {Send: send, Settle: s.settleMessage, Inform: s.inform, Pace: paceMessage, Counts: telemetry.MessagesOut},
		EventRead:           {Send: send, Pace: paceReceipt},
	})
	return all
}

func send(ctx context.Context, whatsApp WhatsApp, event model.OutboxEvent) (string, error) {
	var payload messagePayload
	if err := json.Unmarshal(event.Payload, &payload); err != nil {
		return "", &outbox.Failure{Reason: "the stored message cannot be read", Attempts: 1}
	}
	wamid, err := whatsApp.Send(ctx, string(payload.PhoneNumberID), payload.Request, outbox.Callback(event))
	var refused *whatsapp.SendError
	if errors.As(err, &refused) {
		return "", asFailure(refused, event)
	}
	return wamid, err
}

// asFailure turns the class of a WhatsApp error into what the outbox does about it.
func asFailure(e *whatsapp.SendError, event model.OutboxEvent) *outbox.Failure {
	failure := &outbox.Failure{
		Reason: model.Truncate(e.Error(), 512), Code: e.Meta.Code, Title: cmp.Or(e.Meta.Message, e.Meta.Title), Details: e.Meta.Details,
		Class: e.Class.String(), Attempts: e.Class.Attempts(), Ambiguous: e.Ambiguous,
	}
	if code, said := e.Code(); said {
		failure.Kind = strconv.FormatInt(code, 10)
	}
	if e.Class == whatsapp.StopSender {
		failure.Stop, failure.StoppedBy = whatsapp.StoppedSender, e.Credential
	}
	if event.EventType == EventRead {
		failure.Ambiguous = false // a receipt sent twice does no harm: nothing to wait for
	}
	if failure.Ambiguous {
		failure.Class = outbox.Unanswered
	}
	failure.Wait = e.Class.Wait(event.FailuresByClass[failure.Class])
	return failure
}

// paceReceipt holds receipts to nothing but the number's being stopped.
func paceReceipt(event model.OutboxEvent) outbox.Pace {
	return outbox.Pace{GroupKey: phoneGroup(event)}
}

func phoneGroup(event model.OutboxEvent) string {
	phone, _, _ := strings.Cut(event.EntityID, ":")
	return SenderGroup(model.PhoneNumberID(phone))
}

// SenderOf returns the number whose outbox group has the key. It reports false for a key of another group.
func SenderOf(groupKey string) (model.PhoneNumberID, bool) {
	text, ok := strings.CutPrefix(groupKey, senderPrefix)
	phone, err := model.ParsePhoneNumberID(text)
	return phone, ok && err == nil
}

const senderPrefix = "phone:"

// SenderGroup returns the group of the outbox that holds everything sent from a number.
func SenderGroup(phone model.PhoneNumberID) string { return senderPrefix + string(phone) }

func paceMessage(event model.OutboxEvent) outbox.Pace {
	return outbox.Pace{Entity: pairBucket, Group: phoneBucket, GroupKey: phoneGroup(event)}
}
