package khatamodel

import (
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
)

// The contract's own samples are read and written again without losing or changing an attribute. What is added is in
// shared/CONTRACTS.md.
func TestTheContractsSamplesSurviveTheModel(t *testing.T) {
	dynamotest.Contract(t,
		map[string]any{
			"transaction": &Transaction{}, "balance": &Balance{}, "reminder": &Reminder{},
			"idempotency": &IdempotencyKey{}})
}
