package outbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// ErrNotDismissable means that only a dead letter that has not been replayed can be dismissed.
var ErrNotDismissable = problem.New("only a dead letter that has not been replayed can be dismissed", problem.Error{
	Class: problem.Conflict, Code: "not-dismissable", Title: "Not dismissable",
	Detail: "Only an event in the state dead_letter that has not been replayed can be dismissed.",
})

// Dismiss records that a dead letter needs no more attention, by whom and why. A dismissed event can still be replayed.
// Its condition is that the event is a dead letter and not replayed. Dismissing twice keeps the first record. It
// returns dynamo.ErrNotFound or ErrNotDismissable.
func (s *Outbox) Dismiss(ctx context.Context, event model.OutboxEvent, by, reason string) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(event.EventID),
		Do: "SET dismissedAt = if_not_exists(dismissedAt, :at), dismissedBy = if_not_exists(dismissedBy, :by), " +
			"dismissReason = if_not_exists(dismissReason, :why), attentionPk = :handled",
		If: "#status = :dead AND attribute_not_exists(replayedBy)",
		Values: dynamo.Item{
			":at": dynamo.S(model.At(s.Now())), ":by": dynamo.S(by), ":why": dynamo.S(reason),
			":dead":    dynamo.S(model.OutboxDeadLetter),
			":handled": dynamo.S(attention(event.EcosystemID, Handled)),
		},
	})
	var failed *dynamo.ConditionFailed
	switch {
	case errors.As(err, &failed) && failed.Item == nil:
		return dynamo.ErrNotFound
	case failed != nil:
		return ErrNotDismissable
	case err != nil:
		return fmt.Errorf("dismiss %s: %w", event.EventID, err)
	}
	return nil
}
