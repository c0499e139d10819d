package apitest

import (
	"context"
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
)

func (a API[B]) changesSurviveEveryCrashPoint(t *testing.T) {
	for id, op := range a.described() {
		for _, change := range a.Changes[id] {
			t.Run(id+" "+change.Name, func(t *testing.T) {
				t.Logf("%d crash points", dynamotest.EveryCrashPoint(t, a.crash(op.Method, change)))
			})
		}
	}
}

// crash describes a change to be broken. Its caller repeats the request until it succeeds, and must get the same
// answer, whatever went wrong before.
func (a API[B]) crash(method string, change Change) dynamotest.Crash {
	wire := a.Register()
	sameID := func() string { return "made-by-the-broken-one" } // whichever attempt commits
	var request Request
	var clean *Answer
	return dynamotest.Crash{
		Tables: a.Tables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			request = change.Seed(t, db)
			request.Method = method
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			got, err := asked(wire(client, sameID)).Try(ctx, request)
			switch {
			case err != nil:
				return err
			case got.Status >= 300:
				return fmt.Errorf("answered %d: %s", got.Status, got.Body)
			case clean == nil:
				clean = &got
			case got.Status != clean.Status || withoutCursor(got) != withoutCursor(*clean):
				return fmt.Errorf("answered %d: %s; a clean run answers %d: %s", got.Status, got.Body, clean.Status,
					clean.Body)
			}
			return nil
		},
	}
}
