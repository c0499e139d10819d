package nlu

import "testing"

// A quantity that nobody can sell is asked for again, and is not one.
func TestAQuantityThatNobodyCanSellIsAskedFor(t *testing.T) {
	index := NewIndex([]Product{
		{ID: "ONION", Name: "Onion", LocalName: "प्याज", Unit: "kg", Price: exact("36"), Keywords: []string{"pyaz"}}})
	for _, text := range []string{
		"0 kg pyaz", "pyaz 0 kg", "० किलो प्याज", "999999999 kg pyaz", "pyaz 999999999 kg", "1,000,000,000 kg pyaz",
		"1e9 kg pyaz", "pyaz 0.0000001 kg", "-2 kg pyaz"} {
		r := index.Read(text)
		if r.Intent != Order || len(r.Lines) != 0 || len(r.Asks) != 1 || r.Asks[0].Missing != MissingQuantity {
			t.Errorf("%s: %+v", text, r)
		}
	}
	for _, text := range []string{"pyaz 25000 gram, flat 12345, 9876543210", "- 25 kg pyaz", "pyaz -25kg"} {
		if r := index.Read(text); len(r.Lines) != 1 || !r.Lines[0].Quantity.Equal(exact("25")) || len(r.Asks) != 0 {
			t.Errorf("%s: %+v", text, r)
		}
	}
}
