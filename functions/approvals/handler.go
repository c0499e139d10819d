package main

import (
	"context"
	"encoding/json"

	"github.com/haatline/haatline/shared/cards"
)

// NewHandler returns the handler of the schedule, whose event says nothing.
func NewHandler(domain *cards.Domain) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, _ json.RawMessage) (any, error) { return nil, domain.Tick(ctx) }
}
