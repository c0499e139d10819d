package main

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/stream"
)

const gathers = "search-gathering"

// The schedule has words gathered, and no other event has. What fails is tried again by Lambda.
func TestTheScheduleHasWordsGathered(t *testing.T) {
	db := dynamotest.Start(t, together...)
	if roomsAt(db.Client, noon).SlowSchedules()[gathers] == nil {
		t.Fatal("nobody gathers words")
	}
	samples := dynamotest.Samples[json.RawMessage](t, "slow-lane",
		map[string]bool{"file": true, "sweep": true, gathers: true})
	failed := errors.New("no capacity")
	for name, event := range samples {
		gathered, passed := false, false
		handle := stream.WithSchedules(
			map[string]func(context.Context) error{
				gathers: func(context.Context) error { gathered = true; return failed }},
			func(context.Context, json.RawMessage) (any, error) { passed = true; return nil, nil })
		_, err := handle(t.Context(), event)
		is := name == gathers
		if gathered != is || passed == is || errors.Is(err, failed) != is {
			t.Errorf("%s: gathered %v, passed on %v, %v", name, gathered, passed, err)
		}
	}
}
