package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/khata"
)

// newHandler returns the handler of the two schedules. The detail type says which one it is.
func newHandler(k *khata.Domain) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var of struct {
			DetailType string `json:"detail-type"`
		}
		if err := json.Unmarshal(raw, &of); err != nil {
			return nil, fmt.Errorf("event: %w", err)
		}
		if of.DetailType == khata.PlanReminders {
			return nil, k.Reminders.Plan(ctx)
		}
		return nil, k.Reminders.Send(ctx)
	}
}
