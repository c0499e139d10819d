package main

import (
	"context"
	"encoding/json"

	"github.com/haatline/haatline/shared/cards"
)

// NewHandler returns the handler of the schedule, whose event says nothing.
func NewHandler(store *cards.Store) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, _ json.RawMessage) (any, error) { return nil, store.Tick(ctx) }
}
