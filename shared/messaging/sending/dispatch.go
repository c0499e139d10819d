package sending

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// pairBucket is WhatsApp's limit for one customer: one message per 6 s, in bursts of up to 45 borrowed from later.
var pairBucket = outbox.Bucket{Burst: 45, Every: 6 * time.Second}

// WhatsApp sends a message. whatsapp.Graph implements it. Handlers takes nil if events are only settled, not sent.
type WhatsApp interface {
	Send(ctx context.Context, r whatsapp.Request) (whatsapp.Taken, error)
}

// Handlers returns the handlers of the outbox events that are sent at once: WhatsApp messages and read receipts, and
// the domains' own events.
func (s *Sender) Handlers(whatsApp WhatsApp) map[string]outbox.Handler {
	var answers answered
	send := func(ctx context.Context, event model.OutboxEvent) (string, error) {
		taken, err := s.send(ctx, whatsApp, event)
		if err == nil && event.EventType == EventMessage {
			answers.keep(event.EventID, taken, s.Now())
		}
		return taken.ID, err
	}
	settle := func(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
		return s.settleMessage(ctx, event, outcome, answers.of(event.EventID))
	}
	all := maps.Clone(s.Others)
	maps.Copy(all, map[string]outbox.Handler{
		EventMessage: {
			Send: send, Still: s.still, Settle: settle, Inform: s.inform, Pace: paceMessage, Once: s.once,
			Counts: telemetry.MessagesOut},
		EventRead: {Send: send, Pace: paceReceipt},
	})
	return all
}

// once reports whether the number of a message does not repeat sends that WhatsApp never confirmed.
func (s *Sender) once(ctx context.Context, event model.OutboxEvent) (bool, error) {
	var payload messagePayload
	if json.Unmarshal(event.Payload, &payload) != nil {
		return false, nil // send says what cannot be read
	}
	number, err := s.Numbers.Number(ctx, payload.PhoneNumberID)
	return number.SendsOnce, err
}

// SyncHandlers returns the handlers of the events that list templates.
func (s *Sender) SyncHandlers(lister templates.Lister) map[string]outbox.Handler {
	return map[string]outbox.Handler{templates.EventSync: s.Templates.Handler(lister, AsFailure)}
}

func (s *Sender) send(ctx context.Context, whatsApp WhatsApp, event model.OutboxEvent) (whatsapp.Taken, error) {
	var payload messagePayload
	if err := json.Unmarshal(event.Payload, &payload); err != nil {
		return whatsapp.Taken{}, &outbox.Failure{Reason: "the stored message cannot be read", Attempts: 1}
	}
	if event.EventType == EventRead && s.Now().Sub(event.CreatedAt.Go()) > whatsapp.TypingLasts {
		payload.Request = whatsapp.WithoutTyping(payload.Request) // nobody has been writing for so long
	}
	if err := s.nameUploads(ctx, &payload, event); err != nil {
		return whatsapp.Taken{}, err
	}
	taken, err := whatsApp.Send(ctx, whatsapp.Request{
		PhoneNumberID: string(payload.PhoneNumberID), Body: payload.Request, CallbackData: outbox.Callback(event),
		Marketing: payload.Marketing,
	})
	var refused *whatsapp.SendError
	if errors.As(err, &refused) {
		return whatsapp.Taken{}, AsFailure(refused, event)
	}
	return taken, err
}

// AsFailure returns what the outbox does about an error of WhatsApp, by its class.
func AsFailure(e *whatsapp.SendError, event model.OutboxEvent) *outbox.Failure {
	failure := &outbox.Failure{
		Reason: model.Truncate(e.Error(), 512), Code: e.Meta.Code, Title: cmp.Or(e.Meta.Message, e.Meta.Title),
		Details: e.Meta.Details,
		Class:   e.Class.String(), Attempts: e.Class.Attempts(), Ambiguous: e.Ambiguous,
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
	if whatsapp.Slows(e.Meta.Code) {
		failure.Slow = whatsapp.SlowedSender
	}
	failure.Wait = e.Class.Wait(event.FailuresByClass[failure.Class])
	return failure
}

// LateFailure returns why a message that WhatsApp had taken has failed, by the first error of its status; nil for none.
// Its class decides as at sending, but for the attempt that has no answer: this one has.
func LateFailure(event model.OutboxEvent, p *model.Problem) outbox.Failure {
	failure := outbox.Failure{
		Reason: "WhatsApp took the message and then failed it", Class: whatsapp.Never.String(), Attempts: 1}
	if p == nil {
		return failure
	}
	class := whatsapp.ClassOf(p.Code, 0)
	refused := AsFailure(&whatsapp.SendError{
		Class: class, HTTP: http.StatusOK,
		Meta: whatsapp.Error{Code: p.Code, Title: p.Title, Message: p.Message, Details: p.Details},
	}, event)
	refused.Reason = model.Truncate(
		fmt.Sprintf("WhatsApp error %d: %s", p.Code, cmp.Or(p.Details, p.Message, p.Title)), 512)
	return *refused
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
	var payload messagePayload
	_ = json.Unmarshal(event.Payload, &payload) // send says what cannot be read
	return outbox.Pace{Entity: pairBucket, Group: payload.bucket(), GroupKey: phoneGroup(event)}
}
