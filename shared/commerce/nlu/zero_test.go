package nlu

import "testing"

// A quantity that nobody can sell is asked for again, and is not one.
func TestAQuantityThatNobodyCanSellIsAskedFor(t *testing.T) {
	index := NewIndex([]Product{{ID: "ONION", Name: "Onion", LocalName: "प्याज", Unit: "kg", Price: exact("36"), Keywords: []string{"pyaz"}}})
	for _, text := range []string{"0 kg pyaz", "pyaz 0 kg", "० किलो प्याज"} {
		r := index.Read(text)
		if r.Intent != Order || len(r.Lines) != 0 || len(r.Asks) != 1 || r.Asks[0].Missing != MissingQuantity {
			t.Errorf("%s: %+v", text, r)
		}
	}
}
