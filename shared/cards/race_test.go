package cards_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// Two admins, the API and the schedule decide one request at the moment it expires. Whatever the order of their calls,
// there is one decision, one card at most, one audit record, no number of the outbox is used twice, and the summary is
// right.
func TestOneDecisionInEveryOrder(t *testing.T) {
	h := newHouse(t)
	p := program()
	p.Version, p.Admins = 1, p.Admins[:2]
	if _, err := h.cards.Programs.Set(t.Context(), p, boss); err != nil {
		t.Fatal(err)
	}
	dynamotest.Schedules(t, *schedules, func(s *dynamotest.Schedule) {
		h.now = noon.Add(time.Duration(s.Number) * time.Second)
		user := h.user(600, fmt.Sprintf("+9198%08d", s.Number))
		request := h.asked(user)
		answered := h.now.Add(time.Hour)
		entries := logged(t, h.db, answered,
			tap(ravi, fmt.Sprint("wamid.R", s.Number), command.Payload(command.Approve, request.RequestID),
				questionTo("ravi", request), answered))
		entries = append(entries,
			logged(t, h.db, answered,
				wt.Text(meena, fmt.Sprint("wamid.M", s.Number), "reject "+string(request.Code), answered))...)
		at := h.now.Add(49 * time.Hour)
		prepared := func(client *dynamo.Client, seed int) *house {
			other := on(t, h.db, client)
			other.now = at
			other.ids.Store(int64(s.Number*1_000_000 + seed*100_000))
			return other
		}
		answers := func(seed int) dynamotest.Operation {
			return func(ctx context.Context, client *dynamo.Client) error {
				return prepared(client, seed).receive(ctx, entries[seed])
			}
		}
		errs := s.Run(t, h.db, answers(0), answers(1),
			func(ctx context.Context, client *dynamo.Client) error {
				_, err := prepared(client, 2).cards.Requests.Decide(ctx, requests.Answer{
					Tenant: tenant, Request: request.RequestID, Outcome: cardsmodel.ApprovalApproved,
					At: model.At(answered),
					By: changes.By{Via: cardsmodel.ViaAPI, Actor: audit.Actor{Subject: "boss"}},
				})
				if errors.Is(err, requests.ErrDecided) {
					return nil
				}
				return err
			},
			func(ctx context.Context, client *dynamo.Client) error {
				_, err := prepared(client, 3).cards.Requests.Expire(ctx)
				return err
			})
		if err := dynamotest.Fails(errs); err != nil {
			t.Error(err)
		}
		h.decidedOnce(user, request)
	})
}

// schedules is how many orders of calls a race tries: go test ./shared/cards -run InEveryOrder -schedules 3000
var schedules = flag.Int("schedules", 60, "orders of calls that each race tries")

// decidedOnce fails the test unless a request is decided once.
func (h *house) decidedOnce(user cardsmodel.User, request cardsmodel.Request) {
	h.t.Helper()
	r, err := h.cards.Requests.Get(h.t.Context(), user.EcosystemID, request.RequestID)
	if err != nil || r.Status == cardsmodel.RequestPending || r.Decision == nil {
		h.t.Errorf("%+v, %v", r, err)
		return
	}
	held, _, err := h.cards.Issued.Of(h.t.Context(), user.EcosystemID, "", "", 10, "")
	if approved := r.Status == cardsmodel.RequestApproved; err != nil || (len(held) == 1) != approved ||
		(r.ResultingCardID != "") != approved {
		h.t.Errorf("%+v has %d cards, %v", r, len(held), err)
	}
	records, err := (&audit.Log{DB: h.db.Client}).First(h.t.Context(),
		audit.Target{Type: changes.TargetRequest, ID: string(request.RequestID)})
	if err != nil || records.Action == "" {
		h.t.Errorf("no audit record: %v", err)
	}
	page, _, err := (&audit.Log{DB: h.db.Client}).List(h.t.Context(),
		audit.Target{Type: changes.TargetRequest, ID: string(request.RequestID)}, 10, "")
	if err != nil || len(page) != 1 {
		h.t.Errorf("%d audit records, %v", len(page), err)
	}
	if after := h.read(user.EcosystemID); after.PendingRequestID != "" {
		h.t.Errorf("%+v", after)
	}
	notices, _, err := h.cards.Notifications.List(h.t.Context(), notifications.Filter{Request: request.RequestID},
		10, "")
	if err != nil || len(notices) != 3 { // two admins were asked, the user told once
		h.t.Errorf("%d notifications, %v", len(notices), err)
	}
	h.summed(user.EcosystemID)
}

// Two purchases and a payment on one card, in every order of their calls.
func TestACardIsRightInEveryOrder(t *testing.T) {
	h := newHouse(t)
	dynamotest.Schedules(t, *schedules, func(s *dynamotest.Schedule) {
		_, card := h.holder()
		h.moved(card, cardsmodel.Purchase, "30000")
		move := func(n int, kind cardsmodel.TransactionType, of string) dynamotest.Operation {
			return func(ctx context.Context, client *dynamo.Client) error {
				other := on(t, h.db, client)
				other.ids.Store(int64(s.Number*1_000_000 + n*100_000))
				_, err := other.moves(ctx, card, kind, of, fmt.Sprint(n))
				return err
			}
		}
		if err := dynamotest.Fails(
			s.Run(t, h.db, move(1, cardsmodel.Purchase, "15000"), move(2, cardsmodel.Purchase, "15000"),
				move(3, cardsmodel.Payment, "10000"))); err != nil {
			t.Error(err)
		}
		h.summed(card.EcosystemID)
	})
}

// Whatever call fails, each use case ends as if none had.
func TestUseCasesSurviveEveryCrashPoint(t *testing.T) {
	type seeded struct {
		user    cardsmodel.User
		request cardsmodel.Request
		card    cardsmodel.Card
		events  []model.WebhookEvent
		when    time.Time
	}
	pending := func(h *house) seeded {
		user := h.user(600, "+"+ashaWA)
		return seeded{user: user, request: h.asked(user)}
	}
	carded := func(h *house) seeded {
		user, card := h.holder()
		h.moved(card, cardsmodel.Purchase, "1000")
		return seeded{user: user, card: card}
	}
	saying := func(text func(s seeded) wt.Object) func(h *house) seeded {
		return func(h *house) seeded {
			s := pending(h)
			s.events = h.log(text(s))
			return s
		}
	}
	receive := func(ctx context.Context, h *house, s seeded) error { return h.receive(ctx, s.events...) }
	for name, c := range map[string]struct {
		seed func(h *house) seeded
		run  func(ctx context.Context, h *house, s seeded) error
	}{
		"a user is created": {
			func(*house) seeded { return seeded{} }, func(ctx context.Context, h *house, _ seeded) error {
				_, err := h.cards.Users.Create(ctx,
					users.New{Tenant: tenant, FirebaseUID: "uid", Phone: "+" + ashaWA, Score: 500},
					key(t, "create-user", "k1", nil), boss)
				return err
			}},
		"a user is disabled": {pending, func(ctx context.Context, h *house, s seeded) error {
			_, err := h.cards.Users.SetStatus(ctx, s.user.EcosystemID, cardsmodel.UserDisabled, "left", boss)
			return err
		}},
		"a score changes": {pending, func(ctx context.Context, h *house, s seeded) error {
			_, err := h.cards.Users.ChangeScore(ctx, s.user.EcosystemID,
				users.ScoreChange{Value: 720, Reason: "income", Source: cardsmodel.ScoreByAdmin},
				key(t, "change-score", "k1", nil), boss)
			return err
		}},
		"a card is asked for": {
			func(h *house) seeded {
				return seeded{user: h.user(600, "+"+ashaWA)}
			}, func(ctx context.Context, h *house, s seeded) error {
				_, err := h.cards.Requests.Make(ctx,
					requests.Ask{
						Tenant: tenant, User: s.user.EcosystemID, Product: "standard", By: boss,
						Key: key(t, "request-card", "k1", nil)})
				return err
			}},
		"a card is given at once": {
			func(h *house) seeded {
				return seeded{user: h.user(900, "+"+ashaWA)}
			}, func(ctx context.Context, h *house, s seeded) error {
				_, err := h.cards.Requests.Make(ctx,
					requests.Ask{
						Tenant: tenant, User: s.user.EcosystemID, Product: "standard", By: boss,
						Key: key(t, "request-card", "k1", nil)})
				return err
			}},
		"an admin approves": {saying(func(s seeded) wt.Object {
			return tap(ravi, "wamid.1", command.Payload(command.Approve, s.request.RequestID),
				questionTo("ravi", s.request), noon)
		}), receive},
		"an admin rejects": {
			saying(func(s seeded) wt.Object {
				return wt.Text(ravi, "wamid.1", "reject "+string(s.request.Code), noon)
			}), receive},
		"an admin mistypes": {
			saying(func(seeded) wt.Object { return wt.Text(ravi, "wamid.1", "approve", noon) }), receive},
		"a stranger answers": {
			saying(func(s seeded) wt.Object {
				return wt.Text(ashaWA, "wamid.1", "approve "+string(s.request.Code), noon)
			}), receive},
		"an admin answers what is decided": {func(h *house) seeded {
			s := pending(h)
			h.says(meena, "approve "+string(s.request.Code))
			s.events = h.log(wt.Text(ravi, "wamid.1", "reject "+string(s.request.Code), noon))
			return s
		}, receive},
		"the API decides": {pending, func(ctx context.Context, h *house, s seeded) error {
			_, err := h.cards.Requests.Decide(ctx,
				requests.Answer{
					Tenant: tenant, Request: s.request.RequestID, Outcome: cardsmodel.ApprovalApproved,
					At: model.At(noon), By: boss})
			return err
		}},
		"a request expires": {func(h *house) seeded {
			s := pending(h)
			s.when = noon.Add(49 * time.Hour)
			return s
		}, func(ctx context.Context, h *house, _ seeded) error { return h.cards.Tick(ctx) }},
		"a purchase": {carded, func(ctx context.Context, h *house, s seeded) error {
			_, err := h.moves(ctx, s.card, cardsmodel.Purchase, "10", "k1")
			return err
		}},
		"a purchase that is refused": {carded, func(ctx context.Context, h *house, s seeded) error {
			_, err := h.moves(ctx, s.card, cardsmodel.Purchase, "100000", "k1")
			return err
		}},
		"a payment": {carded, func(ctx context.Context, h *house, s seeded) error {
			_, err := h.moves(ctx, s.card, cardsmodel.Payment, "100", "k1")
			return err
		}},
		"a card is suspended": {carded, func(ctx context.Context, h *house, s seeded) error {
			_, err := h.cards.Issued.SetStatus(ctx, s.card.EcosystemID, s.card.CardID, cardsmodel.CardSuspended,
				"lost", boss)
			return err
		}},
		"a notification is sent again": {func(h *house) seeded {
			s := pending(h)
			h.sends(&phones{refuse: refusedBy(131026)})
			return s
		}, func(ctx context.Context, h *house, s seeded) error {
			notices, _, err := h.cards.Notifications.List(ctx,
				notifications.Filter{Tenant: tenant, Status: cardsmodel.NotificationFailed}, 1, "")
			if err != nil {
				return err
			}
			if len(notices) == 0 ||
				notices[0].NotificationID != model.Name(string(s.request.RequestID)+".approval_request.ravi") {
				return nil // it was sent again, in an earlier run
			}
			_, err = h.cards.Notifications.Resend(ctx, notices[0].NotificationID, boss)
			if errors.Is(err, notifications.ErrNotRetryable) {
				return nil
			}
			return err
		}},
		"the program changes": {pending, func(ctx context.Context, h *house, _ seeded) error {
			p := program()
			p.Version, p.Language = 1, "es"
			_, err := h.cards.Programs.Set(ctx, p, boss)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var s seeded
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					h := on(t, db, nil)
					h.furnish()
					s = c.seed(h)
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					h := on(t, nil, client)
					if h.now = noon; !s.when.IsZero() {
						h.now = s.when
					}
					h.ids.Store(999)
					h.sameIDs = true
					return c.run(ctx, h, s)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
