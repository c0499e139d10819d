package faq

import (
	_ "embed" // weights.json
	"encoding/json"
	"math"

	"github.com/haatline/haatline/shared/lazy"
)

// scorer says how likely facts make something: a weighted sum of them, and of units that each look at all of them at
// once.
type scorer struct {
	Linear []float64
	Hidden [][]float64 // of each unit, the weights of the facts, and last what is added
	Out    []float64   // how much each unit counts
}

// score returns the logarithm of a likelihood.
func (s *scorer) score(facts []float64) float64 {
	sum := dot(facts, s.Linear)
	for i := range s.Hidden {
		sum += s.Out[i] * s.unit(i, facts)
	}
	return sum
}

func (s *scorer) unit(i int, facts []float64) float64 {
	n := len(facts)
	return math.Tanh(s.Hidden[i][n] + dot(facts, s.Hidden[i][:n]))
}

// model weighs the facts of ways to ask, and those by which no entry answers a message.
type model struct{ Ways, None scorer }

// weightsFile is what TestFit writes.
//
//go:embed weights.json
var weightsFile []byte

var fittedModel = lazy.Of[*model]{Make: func() *model {
	m := &model{}
	if err := json.Unmarshal(weightsFile, m); err != nil {
		panic(err)
	}
	return m
}}
