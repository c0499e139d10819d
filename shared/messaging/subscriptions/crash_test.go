package subscriptions_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
)

// Each change, and each handler of the slow lane, may run twice and die anywhere.
func TestEveryChangeSurvivesEveryCrashPoint(t *testing.T) {
	e := serve(t)
	e.answer("/broken", http.StatusInternalServerError)
	e.answer("/gone", http.StatusGone)
	e.answer("/refuses", http.StatusBadRequest)
	sweeping := func(ctx context.Context, h *house, run int) error {
		h.now = h.now.Add(10*time.Minute + time.Duration(run)*70*time.Second) // a lease has ended then
		e.poster.Now = h.Now
		err := h.relay(e, nil).Sweep(ctx)
		h.now = h.now.Add(10 * time.Second) // what the first one has led to
		return errors.Join(err, h.relay(e, nil).Sweep(ctx))
	}
	there := func(t testing.TB, h *house) { h.put(t, "erp", to(e.address+"/erp")) }
	published := func(path string) func(t testing.TB, h *house) {
		return func(t testing.TB, h *house) {
			h.put(t, "erp", to(e.address+path))
			h.sweeps(t, e, nil, 0)
			h.sweeps(t, e, nil, 3*time.Minute) // the domains are told a second time
			h.publish(t, ordered("1"), ordered("2"))
			h.now = h.now.Add(10 * time.Second)
			if err := h.relay(e, nil).Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		before func(t testing.TB, h *house)
		run    func(ctx context.Context, h *house, run int) error
	}{
		"a new one": {nil, func(ctx context.Context, h *house, _ int) error {
			_, err := h.EventSubscriptions.Put(ctx, tenant, "erp", to(e.address+"/erp"))
			return err
		}},
		"another address": {there, func(ctx context.Context, h *house, _ int) error {
			_, err := h.EventSubscriptions.Put(ctx, tenant, "erp", to(e.address+"/other"))
			return err
		}},
		"disabled": {there, func(ctx context.Context, h *house, _ int) error {
			off := to(e.address + "/erp")
			off.Enabled = false
			_, err := h.EventSubscriptions.Put(ctx, tenant, "erp", off)
			return err
		}},
		"another secret": {there, func(ctx context.Context, h *house, _ int) error {
			_, err := h.EventSubscriptions.Rotate(ctx, tenant, "erp", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")
			return err
		}},
		"a test": {there, func(ctx context.Context, h *house, _ int) error {
			_, err := h.EventSubscriptions.Test(ctx, tenant, "erp", "1")
			return err
		}},
		"the domains note it": {there, sweeping},
		"told to subscriptions": {func(t testing.TB, h *house) {
			there(t, h)
			h.sweeps(t, e, nil, 0)
			h.sweeps(t, e, nil, 3*time.Minute)
			h.publish(t, ordered("1"))
		}, sweeping},
		"posted":            {published("/erp"), sweeping},
		"posted in vain":    {published("/broken"), sweeping},
		"refused":           {published("/refuses"), sweeping},
		"posted to nowhere": {published("/gone"), sweeping},
	} {
		t.Run(name, func(t *testing.T) {
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used, Ignore: append(tried, "nextRetryAt", "nextRetryAt#eventId", "failures", "lastAttempt",
					"failingSince", "stoppedTo", "version", "sentAt", "expiresAtEpochSeconds", "failedAt", "disabledAt",
					"notBefore", "listensSince", "correlationId", "createdAt", "createdAt#eventId", "formerUntil"),
				Seed: func(t testing.TB, db *dynamotest.DB) {
					owns(t, db)
					if c.before != nil {
						c.before(t, houseOn(db.Client))
					}
				},
				Run: func(ctx context.Context, client *dynamo.Client, run int) error {
					return c.run(ctx, houseOn(client), run)
				},
			})
		})
	}
}
