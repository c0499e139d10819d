package secrets

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAReferenceThatCannotBeReadIsLeftAloneForAMinute(t *testing.T) {
	now, fetched := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), 0
	h := &Held{Getenv: func(string) string { return "" }, Now: func() time.Time { return now }}
	const ref = "secretsmanager:a"
	get := func() error {
		_, err := h.Get(t.Context(), ref)
		return err
	}
	_, _ = h.Get(t.Context(), "env:NOBODY") // makes the map
	fails := New(ref, h.Getenv)
	fails.fetch = func(context.Context, string) (string, error) {
		fetched++
		return "", errors.New("throttled")
	}
	h.all[ref] = &held{Secret: fails}
	for range 3 {
		if err := get(); err == nil {
			t.Fatal("it was read")
		}
	}
	if now = now.Add(2 * time.Minute); get() == nil || fetched != 2 {
		t.Errorf("fetched %d times in two minutes", fetched)
	}
	if value, err := h.Get(t.Context(), "plain"); value != "plain" || err != nil {
		t.Errorf("another one: %q, %v", value, err)
	}
	if value, err := h.Get(t.Context(), "env:NOBODY"); value != "" || err != nil {
		t.Errorf("an empty one: %q, %v", value, err)
	}
}
