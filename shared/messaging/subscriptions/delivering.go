package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/standardwebhooks"
)

const (
	// FailingFor is how long every attempt must have failed until a subscription is disabled.
	FailingFor = 5 * 24 * time.Hour
	// slowFor is how long an endpoint whose answer took long is told nothing at once.
	slowFor = 10 * time.Minute
	// leastPause and longestPause bound how long an endpoint is left alone after it has failed.
	leastPause, longestPause = 5 * time.Second, 12 * time.Hour
	// manyFailures are so many in a row that an endpoint is left alone whatever it answers, and may be disabled.
	manyFailures = 10
	// pausedAttempts are the attempts that an event may have at an endpoint that is left alone in between.
	pausedAttempts = 40
)

// The codes of failures beside the numbers of HTTP.
const (
	codeUnreached = "unreached"
	codeDisabled  = "subscription_disabled"
	codeBus       = "event_bus"
)

// waits are the times between the attempts to tell one event that an endpoint refuses, as the Standard Webhooks
// specification proposes them.
var waits = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

// rate is how fast a subscription is told events. It is stored with the pause of an endpoint that fails.
var rate = outbox.Bucket{Burst: 20, Every: 50 * time.Millisecond}

// Bus takes events for the deployment's event bus.
type Bus interface {
	Put(ctx context.Context, e BusEvent) error
}

// BusEvent is an event as the bus gets it.
type BusEvent struct {
	ID, Kind string
	At       time.Time
	Detail   []byte // the body that an endpoint gets, with the id
}

// body is what an endpoint gets.
type body struct {
	ID        string         `json:"id,omitempty"` // on the bus, which has no headers
	Type      string         `json:"type"`
	Timestamp model.Time     `json:"timestamp"` // of the event
	Data      map[string]any `json:"data"`
}

func (s *Subscriptions) deliverHandler(poster *Poster, bus Bus) outbox.Handler {
	return outbox.Handler{
		Still: s.still,
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			return "", s.deliver(ctx, event, poster, bus)
		},
		Pace: func(event model.OutboxEvent) outbox.Pace {
			of, err := outbox.PayloadOf[delivery](event)
			if err != nil {
				return outbox.Pace{}
			}
			return outbox.Pace{GroupKey: Group(event.EcosystemID, of.Subscription), Group: rate}
		},
		Repeats: true, // the webhook's id says that it is the same
	}
}

// still decides whether an event is still to be told. What nobody can read ends in Send.
func (s *Subscriptions) still(ctx context.Context, event model.OutboxEvent) (unwanted string, err error) {
	of, err := outbox.PayloadOf[delivery](event)
	if err != nil {
		return "", nil
	}
	sub, err := s.Get(ctx, event.EcosystemID, of.Subscription)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return "the subscription was deleted", nil
	case err != nil:
		return "", fmt.Errorf("%w: %w", outbox.ErrUnread, err)
	}
	// The stream has events of everybody in a row, and the sweep takes turns.
	if now := model.At(s.Now()); event.Status == model.OutboxPending && sub.Active() && sub.SlowUntil > now {
		return "", &outbox.Later{At: now}
	}
	return "", nil
}

// deliver makes one attempt to tell an event. Every error is a *outbox.Failure.
func (s *Subscriptions) deliver(ctx context.Context, event model.OutboxEvent, poster *Poster, bus Bus) error {
	of, err := outbox.PayloadOf[delivery](event)
	if err != nil {
		return err
	}
	sub, err := s.Get(ctx, event.EcosystemID, of.Subscription)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil // it was deleted a moment ago
	}
	if err != nil {
		return outbox.Unfinished(err, "the subscription could not be read")
	}
	if !sub.Active() {
		return &outbox.Failure{
			Reason: "the subscription is disabled", Kind: codeDisabled, Class: codeDisabled, Attempts: 1, Quiet: true}
	}
	told := body{Type: of.Kind, Timestamp: of.At}
	if err := json.Unmarshal(of.Data, &told.Data); err != nil || told.Data == nil {
		return outbox.Unreadable(errors.New("the stored event cannot be read"))
	}
	if s.Reveal != nil {
		there, err := s.Reveal(ctx, of.Kind, told.Data)
		if err != nil {
			return outbox.Unfinished(err, "what the event is about could not be read")
		}
		if !there {
			return nil // somebody was erased: there is nothing to tell
		}
	}
	told.Data["tenantId"] = string(event.EcosystemID)
	if sub.URL == "" {
		return s.toBus(ctx, bus, event, of, told)
	}
	text, err := json.Marshal(told)
	if err != nil {
		return outbox.Unreadable(err)
	}
	secrets, err := s.secretsOf(ctx, sub)
	if err != nil {
		return outbox.Unfinished(err, "the secret could not be opened")
	}
	got := poster.post(ctx, sub.URL, of.ID, text, secrets)
	now, err := s.answered(ctx, sub, event, got)
	if err != nil {
		return outbox.Unfinished(err, outbox.NotWritten)
	}
	return s.failureOf(now, event, got)
}

// secretsOf returns the secrets that sign for a subscription: the one that counts, and the one before it while it does.
func (s *Subscriptions) secretsOf(ctx context.Context, sub model.EventSubscription) ([]standardwebhooks.Secret, error) {
	if s.Vault == nil {
		return nil, errNoVault
	}
	stored := []string{sub.Secret}
	if sub.FormerUntil > model.At(s.Now()) {
		stored = append(stored, sub.FormerSecret)
	}
	var all []standardwebhooks.Secret
	for _, sealed := range stored {
		text, err := s.Vault.Open(ctx, sealed, owner(sub.TenantID, sub.SubscriptionID))
		if err != nil {
			return nil, err
		}
		secret, err := standardwebhooks.ParseSecret(text)
		if err != nil {
			return nil, err
		}
		all = append(all, secret)
	}
	return all, nil
}

// toBus puts an event on the event bus. The bus is the deployment's: that it fails disables no subscription, and is
// counted as a failure of the platform.
func (s *Subscriptions) toBus(ctx context.Context, bus Bus, event model.OutboxEvent, of delivery, told body) error {
	if bus == nil {
		return &outbox.Failure{
			Reason: "the deployment has no event bus", Kind: codeBus, Class: codeBus, Attempts: 1, Quiet: true}
	}
	told.ID = of.ID
	text, err := json.Marshal(told)
	if err != nil {
		return outbox.Unreadable(err)
	}
	if err := bus.Put(ctx, BusEvent{ID: of.ID, Kind: of.Kind, At: of.At.Go(), Detail: text}); err != nil {
		return &outbox.Failure{
			Reason: "the event bus did not take it", Kind: codeBus, Class: codeBus, Attempts: len(waits) + 1,
			Wait: waits[min(event.FailuresByClass[codeBus], len(waits)-1)]}
	}
	return nil
}

// attemptOf names an attempt.
func attemptOf(event model.OutboxEvent) string {
	return event.EventID + "/" + strconv.Itoa(event.RetryCount)
}

// answered stores what an answer says of an endpoint, if that is news: it has failed, and may be disabled now; it works
// again; or it is slow. An attempt is counted once. It returns the subscription as it is then.
func (s *Subscriptions) answered(ctx context.Context, as model.EventSubscription, event model.OutboxEvent,
	got answer) (model.EventSubscription, error) {
	slow := got.why == "" && got.took > slowAnswer
	if got.why == "" && !slow && as.Failures == 0 {
		return as, nil
	}
	err := s.change(ctx, as.TenantID, as.SubscriptionID, func(sub *model.EventSubscription) ([]dynamo.Write, bool,
		error) {
		defer func() { as = *sub }()
		now, attempt := model.At(s.Now()), attemptOf(event)
		if sub.Version == 0 || got.why != "" && sub.LastAttempt == attempt {
			return nil, false, nil
		}
		if got.why == "" {
			changed := sub.Failures > 0 || slow && sub.SlowUntil <= now
			sub.Failures, sub.FailingSince = 0, ""
			if slow {
				sub.SlowUntil = model.At(s.Now().Add(slowFor))
			}
			return nil, changed, nil
		}
		if sub.FailingSince == "" {
			sub.FailingSince = now
		}
		sub.Failures, sub.LastFailure, sub.LastAttempt = sub.Failures+1, got.why, attempt
		switch {
		case !sub.Active():
			return nil, true, nil
		case got.status == http.StatusGone:
			sub.DisabledBecause = Gone
		case now.Go().Sub(sub.FailingSince.Go()) >= FailingFor && sub.Failures >= manyFailures:
			sub.DisabledBecause = Failing
		default:
			return nil, true, nil
		}
		sub.DisabledAt = now
		writes, err := s.Noting(ctx, sub.TenantID)
		return writes, true, err
	})
	return as, err
}

// failureOf returns what the outbox does about an answer; nil for a good one. An endpoint that is broken, or refuses
// again and again, is left alone for as long as it has been failing: everything for it waits, and one event tries it.
// What an endpoint refuses now and then is tried again by itself.
func (s *Subscriptions) failureOf(now model.EventSubscription, event model.OutboxEvent, got answer) error {
	if got.why == "" {
		return nil
	}
	failure := &outbox.Failure{
		Reason: got.why, Code: int64(got.status), Kind: codeUnreached, Class: codeUnreached, Quiet: true,
		Attempts: pausedAttempts,
	}
	if !now.Active() {
		failure.Attempts = 1
	}
	failing := leastPause
	if now.FailingSince != "" {
		failing = s.Now().Sub(now.FailingSince.Go())
	}
	pause := max(min(max(failing, leastPause), longestPause), got.after)
	switch got.status {
	case 0, http.StatusRequestTimeout, http.StatusTooManyRequests:
	default:
		failure.Kind, failure.Class = strconv.Itoa(got.status), "refused"
		if got.status < http.StatusInternalServerError && now.Failures < manyFailures {
			failure.Attempts = min(failure.Attempts, len(waits)+1)
			failure.Wait = waits[min(event.FailuresByClass[failure.Class], len(waits)-1)]
			return failure
		}
	}
	failure.Wait, failure.Stop = pause, pause
	return failure
}
