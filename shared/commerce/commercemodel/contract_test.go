package commercemodel

import (
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
)

// The contract's own samples are read and written again without losing or changing an attribute. What is added is in
// shared/CONTRACTS.md.
func TestTheContractsSamplesSurviveTheModel(t *testing.T) {
	dynamotest.Contract(t,
		map[string]any{
			"order": &Order{}, "session": &Session{}, "store": &Store{}, "product": &Product{}, "metric": &Metric{}})
}
