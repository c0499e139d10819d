package pushes_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/pushes"
)

// tried are the attributes that say how often and when something was tried, and random ones.
var tried = []string{
	"leaseOwner", "leaseExpiresAt", "attemptStartedAt", "possibleDuplicate", "callbackToken", "retryCount",
	"failuresByClass", "lastError", "failureCode", "updatedAt", "pacedTo", "nextRetryAt", "nextRetryAt#eventId",
	"version", "sentAt", "expiresAtEpochSeconds", "failedAt", "notBefore", "correlationId", "createdAt",
	"createdAt#eventId", "publicKey", "privateKey", "lastSequence"}

// Each change, and each handler of the slow lane, may run twice and die anywhere.
func TestEveryChangeSurvivesEveryCrashPoint(t *testing.T) {
	s := serve(t)
	s.answer("/gone", http.StatusGone)
	s.answer("/busy", http.StatusServiceUnavailable)
	laptop, gone, busy := newBrowser(t, "/laptop"), newBrowser(t, "/gone"), newBrowser(t, "/busy")
	sweeping := func(ctx context.Context, h *house, run int) (err error) {
		h.now = h.now.Add(5*time.Minute + time.Duration(run)*70*time.Second) // a lease has ended then
		for range 5 {                                                        // what each one has led to, in its time
			err = errors.Join(err, h.relay(s).Sweep(ctx))
			h.now = h.now.Add(3 * time.Minute)
		}
		return err
	}
	there := func(b browser) func(t testing.TB, h *house) {
		return func(t testing.TB, h *house) {
			if _, err := h.Pushes.PublicKey(t.Context(), tenant); err != nil {
				t.Fatal(err)
			}
			h.put(t, sunita, "laptop", s.wanted(b, pushes.Unassigned))
			h.sweeps(t, s, time.Second)
			h.sweeps(t, s, 3*time.Minute)
		}
	}
	told := func(b browser) func(t testing.TB, h *house) {
		return func(t testing.TB, h *house) {
			there(b)(t, h)
			h.happened(t, inbox.EventReceived, "1")
		}
	}
	for name, c := range map[string]struct {
		before func(t testing.TB, h *house)
		run    func(ctx context.Context, h *house, run int) error
	}{
		"the first key": {nil, func(ctx context.Context, h *house, _ int) error {
			_, err := h.Pushes.PublicKey(ctx, tenant)
			return err
		}},
		"a new browser": {nil, func(ctx context.Context, h *house, _ int) error {
			return h.Pushes.Put(ctx, tenant, sunita, "laptop", s.wanted(laptop, pushes.Mine))
		}},
		"other wants": {there(laptop), func(ctx context.Context, h *house, _ int) error {
			return h.Pushes.Put(ctx, tenant, sunita, "laptop", s.wanted(laptop, pushes.Mine))
		}},
		"deleted": {there(laptop), func(ctx context.Context, h *house, _ int) error {
			return h.Pushes.Delete(ctx, tenant, sunita, "laptop")
		}},
		"notified":         {told(laptop), sweeping},
		"gone":             {told(gone), sweeping},
		"notified in vain": {told(busy), sweeping},
		"the domains learn": {func(t testing.TB, h *house) {
			h.put(t, sunita, "laptop", s.wanted(laptop, pushes.Mine))
		}, sweeping},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used, Ignore: tried,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					furnished(t, db)
					if c.before != nil {
						c.before(t, houseOn(db.Client))
					}
				},
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					return c.run(ctx, houseOn(client), run)
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
