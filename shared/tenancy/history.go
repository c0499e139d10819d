package tenancy

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// maxProblem bounds the bytes of the problem that a number shows.
const maxProblem = 256

// RecordHistoryProblem records on a number why its phone's history is not imported, such as that its owner has declined
// to share it. The latest one stays. It does nothing for a number that nobody knows.
func (s *Numbers) RecordHistoryProblem(ctx context.Context, phone model.PhoneNumberID, problem string,
	at model.Time) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET historyProblem = :problem, historyProblemAt = :at",
		If: "attribute_exists(phoneNumberId) AND (attribute_not_exists(historyProblemAt) OR " +
			"historyProblemAt < :at)",
		Values: dynamo.Item{":problem": dynamo.S(model.Truncate(problem, maxProblem)), ":at": dynamo.S(at)},
	})
	if err := dynamo.IgnoreConditionFailed(err); err != nil {
		return fmt.Errorf("history of a number: %w", err)
	}
	return nil
}
