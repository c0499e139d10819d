package outbox

import (
	"context"
	"errors"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A domain that cannot read what it would write is asked again. If it never can, the event is settled without it.
func TestADomainThatCannotReadInPassingIsStillToldWhatBecameOfItsMessage(t *testing.T) {
	for failures, told := range map[int]bool{0: true, informAttempts: true, informReads - 1: true, informReads: false} {
		w := &fixture{t: t, now: noon, tries: map[string]int{}}
		db := dynamotest.Start(t, tables.Outbox, tables.OutboxSequences)
		w.Relay = w.relay(db.Client, "relay-1")
		asked := 0
		handler := w.Handlers["test"]
		handler.Inform = func(context.Context, model.OutboxEvent, Outcome) ([]dynamo.Write, error) {
			if asked++; asked <= failures {
				return nil, errors.New("the connection was lost")
			}
			return []dynamo.Write{dynamo.Put{
				Table: tables.OutboxSequences, Item: dynamo.Item{"sequenceId": dynamo.S("told")},
				If: dynamo.Unconditional,
			}}, nil
		}
		w.Handlers["test"] = handler
		event := w.append("test", "a", 1)
		w.deliver(event)
		w.wantStatus(event, model.OutboxSent)
		got := false
		for _, item := range db.Items(t, tables.OutboxSequences) {
			got = got || dynamo.Text(item, "sequenceId") == "told"
		}
		if got != told {
			t.Errorf("after %d failures the domain is told: %v", failures, got)
		}
	}
}
