package apitest

import (
	"context"
	"fmt"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
)

func (a API[B]) changesSurviveEveryCrashPoint(t *testing.T) {
	for id, op := range a.described() {
		for _, change := range a.Changes[id] {
			t.Run(id+" "+change.Name, func(t *testing.T) {
				t.Logf("%d crash points", dynamotest.EveryCrashPoint(t, a.crash(op, change)))
			})
		}
	}
}

// crash describes a change to be broken. Its caller repeats the request until it succeeds, and must get the same
// answer, whatever went wrong before. What is done once may answer that it was done.
func (a API[B]) crash(op *huma.Operation, change Change) dynamotest.Crash {
	wire := a.Register()
	sameID := func() string { return "made-by-the-broken-one" } // whichever attempt commits
	var request Request
	var clean *Answer
	return dynamotest.Crash{
		Tables: a.Tables,
		Seed: func(t testing.TB, db *dynamotest.DB) {
			request = change.Seed(t, db)
			request.Method = op.Method
		},
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			got, err := asked(wire(client, sameID)).Try(ctx, request)
			switch {
			case err != nil:
				return err
			case run > 0 && got.Status == a.Once[op.OperationID]:
				return nil
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
