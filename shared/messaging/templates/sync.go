package templates

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventSync is the outbox event that lists an account's templates, and the type of its entity, the account.
const EventSync = keys.EntityTemplates

const (
	// patience is how long a sync that was asked for may take before another is asked for.
	patience = time.Hour
	// maxPages bounds the calls of one sync. With bucket, an account has at most 200 calls an hour.
	maxPages = 33
	// syncTime bounds one sync. The lease of an outbox event is longer.
	syncTime = 50 * time.Second
	// syncWidth bounds how many templates are written at once.
	syncWidth = 16
)

// bucket allows three syncs of an account at once, and one more each twenty minutes.
var bucket = outbox.Bucket{Burst: 3, Every: 20 * time.Minute}

// Lister lists the templates of an account with the token of one of its numbers, and says when that ends; the zero time
// for never.
type Lister interface {
	Templates(ctx context.Context, phone, waba, after string) (whatsapp.TemplatePage, error)
	TokenEnds(ctx context.Context, phone string) (time.Time, error)
}

// TokenEndsSoon is how long before its end somebody has to know that a token ends.
const TokenEndsSoon = 14 * 24 * time.Hour

type payload struct {
	WABAID        model.WABAID        `json:"wabaId"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"` // whose token may list them
}

// Sync is a listing of an account's templates that was asked for.
type Sync struct {
	Tenant model.TenantID
	WABA   model.WABAID
	Phone  model.PhoneNumberID // a number of the account: its token is used
}

// RequestSync has the templates of an account listed, unless that waits already, or was done less than freshFor ago. It
// returns the outbox event that does it, "" for none.
func (s *Cache) RequestSync(ctx context.Context, of Sync, freshFor time.Duration) (eventID string, err error) {
	text, err := json.Marshal(payload{of.WABA, of.Phone})
	if err != nil {
		return "", err
	}
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		eventID, err = s.requestOnce(ctx, of, freshFor, text)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("request a sync of templates: %w", err)
	}
	return eventID, nil
}

// requestOnce makes one attempt. The condition is that the account is as it was read, so that of two requests one
// starts a sync.
func (s *Cache) requestOnce(ctx context.Context, of Sync, freshFor time.Duration,
	text []byte) (eventID string, err error) {
	sequence := outbox.SequenceRef(of.Tenant, EventSync, string(of.WABA))
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{accountRef(of.WABA), sequence})
	if err != nil {
		return "", err
	}
	var a model.Account
	if err := dynamo.Unmarshal(accountRef(of.WABA).Found(found), &a); err != nil {
		return "", err
	}
	now := s.Now()
	switch {
	case Waiting(a, now):
		return a.TemplatesEvent, nil
	case freshFor > 0 && a.TemplatesSyncedAt > model.At(now.Add(-freshFor)):
		return "", nil
	}
	event, writes, err := s.Outbox.Append(ctx, sequence.Found(found), outbox.Draft{
		Type: EventSync, Tenant: of.Tenant, EntityType: EventSync, EntityID: string(of.WABA), Payload: text,
	})
	if err != nil {
		return "", err
	}
	u := dynamo.Update{ // an update and not a put: functions that send templates are not granted to put
		Table: tables.Messages, Key: keys.Account(of.WABA),
		Do: "SET itemType = :type, wabaMetaId = :waba, templatesAskedAt = :now, templatesEvent = :event, " +
			"#version = :next",
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemAccount), ":waba": dynamo.S(of.WABA), ":now": dynamo.S(model.At(now)),
			":event": dynamo.S(event.EventID),
			":next":  dynamo.N(a.Version + 1),
		},
	}
	u.If = dynamo.SameNumber("#version", a.Version, u.Values)
	return event.EventID, dynamo.Conflict(s.DB.Transact(ctx, append(writes, u)))
}

// Waiting reports whether a sync that was asked for is still to come.
func Waiting(a model.Account, now time.Time) bool {
	return a.TemplatesEvent != "" && a.TemplatesAskedAt > model.At(now.Add(-patience))
}

func identifyAccount(a *model.Account, waba model.WABAID) {
	a.PK, a.ItemType, a.WABAMetaID = keys.Account(waba).Partition, model.ItemAccount, waba
}

// Handler returns the handler of syncs.
func (s *Cache) Handler(lister Lister,
	asFailure func(*whatsapp.SendError, model.OutboxEvent) *outbox.Failure) outbox.Handler {
	return outbox.Handler{
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			err := s.sync(ctx, lister, event)
			if err == nil {
				s.warnOfToken(ctx, lister, event)
			}
			var refused *whatsapp.SendError
			if errors.As(err, &refused) {
				return "", asFailure(refused, event)
			}
			var known *outbox.Failure
			if err != nil && !errors.As(err, &known) { // listing changes nothing at Meta: it may be done again
				err = &outbox.Failure{Reason: "the templates could not be stored", Attempts: 10, Wait: time.Minute}
			}
			return "", err
		},
		Settle: s.settleSync,
		Pace:   func(model.OutboxEvent) outbox.Pace { return outbox.Pace{Entity: bucket} },
	}
}

// warnOfToken counts a token that ends soon like a number that is stopped, because its number will be: the alarm is the
// same. A sync happens once a day. Whether Meta says when the token ends changes nothing about the templates.
func (s *Cache) warnOfToken(ctx context.Context, lister Lister, event model.OutboxEvent) {
	var of payload
	if json.Unmarshal(event.Payload, &of) != nil {
		return
	}
	ends, err := lister.TokenEnds(ctx, string(of.PhoneNumberID))
	if err == nil && !ends.IsZero() && ends.Sub(s.Now()) < TokenEndsSoon {
		telemetry.Count(ctx, telemetry.SendersStopped, 1)
		telemetry.Count(ctx, telemetry.TokensEnding, 1)
	}
}

// sync lists all pages and stores them. It may be repeated after any failure. Templates that are not listed are gone.
func (s *Cache) sync(ctx context.Context, lister Lister, event model.OutboxEvent) error {
	var of payload
	if err := json.Unmarshal(event.Payload, &of); err != nil || of.WABAID == "" {
		return &outbox.Failure{Reason: "the stored request cannot be read", Attempts: 1}
	}
	ctx, cancel := context.WithTimeout(ctx, syncTime)
	defer cancel()
	began := event.AttemptStartedAt
	after, listed := "", map[string]bool{}
	for page := range maxPages {
		got, err := lister.Templates(ctx, string(of.PhoneNumberID), string(of.WABAID), after)
		if err != nil {
			return err
		}
		if err := s.store(ctx, of.WABAID, got.Templates, began, listed); err != nil {
			return err
		}
		if after = got.After; after == "" {
			return s.markGone(ctx, of.WABAID, began, listed)
		}
		if page == maxPages-1 {
			break
		}
	}
	return nil // there are more than Meta allows: what was not listed stays as it is
}

// store writes a page of templates.
func (s *Cache) store(
	ctx context.Context, waba model.WABAID, page []whatsapp.ListedTemplate, began model.Time, listed map[string]bool,
) error {
	var jobs []func() error
	for _, template := range page {
		key, ok := keyOf(waba, template.Name, template.Language)
		if !ok || listed[key.Partition] {
			continue
		}
		listed[key.Partition] = true
		jobs = append(jobs, func() error {
			return Change(ctx, s.DB, key,
				func(t *model.Template) ([]dynamo.Write, bool, error) {
					if t.CachedAt >= began {
						return nil, false, nil
					}
					identify(t, key, waba, template.Name, template.Language)
					Listed(t, template, began)
					return nil, true, nil
				})
		})
	}
	return errors.Join(lanes.Concurrently(syncWidth, jobs...)...)
}

// markGone marks the templates that the account does not have any more.
func (s *Cache) markGone(ctx context.Context, waba model.WABAID, began model.Time, listed map[string]bool) error {
	all, err := s.Of(ctx, waba)
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(all, func(t model.Template) bool {
		return listed[t.PK] || t.Status == Deleted || NeverTaken(t)
	})
	jobs := make([]func() error, len(gone))
	for i, template := range gone {
		jobs[i] = func() error {
			return Change(ctx, s.DB, keys.ByPK(template.PK),
				func(t *model.Template) ([]dynamo.Write, bool, error) {
					return nil, t.Version > 0 && Gone(t, "NOT_LISTED", began), nil
				})
		}
	}
	return errors.Join(lanes.Concurrently(syncWidth, jobs...)...)
}

// settleSync returns the write that records the end of a sync on the account. A failed one leaves the account as it was
// listed before.
func (s *Cache) settleSync(ctx context.Context, event model.OutboxEvent,
	outcome outbox.Outcome) ([]dynamo.Write, error) {
	var of payload
	if json.Unmarshal(event.Payload, &of) != nil || of.WABAID == "" {
		return nil, nil
	}
	var a model.Account
	err := s.DB.Get(ctx, tables.Messages, keys.Account(of.WABAID), &a)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, fmt.Errorf("settle sync: %w", err)
	}
	identifyAccount(&a, of.WABAID)
	if a.TemplatesEvent == event.EventID {
		a.TemplatesEvent = ""
	}
	if outcome.Failure == nil && a.TemplatesSyncedAt < event.AttemptStartedAt {
		a.TemplatesSyncedAt = event.AttemptStartedAt
	}
	put, err := dynamo.PutVersion(tables.Messages, &a)
	return []dynamo.Write{put}, err
}
