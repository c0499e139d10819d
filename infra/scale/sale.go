package scale

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/haatline/haatline/infra/cost"
)

// Sale is a sale of one store, whose orders come by the API. Each is confirmed as it is made, and its customer is told.
// People then bring the orders through their other states as fast as people can, and each step is told, too.
type Sale struct {
	Rate     float64 // orders a second
	Seconds  int     // that it lasts
	Products float64 // there are so many, and each order wants three of them
	Steps    float64 // that the shop's people make in a second
}

// TheSale is the sale that the report is about.
var TheSale = Sale{Rate: 500, Seconds: 600, Products: 20, Steps: 50}

const (
	// atATime is how long one change of an item takes: it is read, decided and written. Of the changes that would be
	// possible half are lost, because those that meet another are made again.
	atATime, lost = 0.025, 0.5
	// of the function orders: records of a run, how long such a run takes, and runs at once, with parallelism=orders=10
	// and all orders in one shard of the stream
	ofRun, runTakes, runs = 100.0, 1.0, 10.0
	gathers               = 1 // seconds for which the stream gathers the records of a run
	// stepsOfAll is how many steps an order makes after it is confirmed: preparing, ready, out for delivery, delivered.
	stepsOfAll = 4.0
)

// Making returns what it takes to make the orders and to follow them, the most first.
func (s Sale) Making() ([]Finding, error) {
	each := s.Rate / ofRun
	all, err := Of(Load{Rates: map[string]float64{hundred: each, step: s.Steps},
		Spread: map[string]float64{product: s.Products}})
	if err != nil {
		return nil, err
	}
	stock, _, err := cost.UnitsAt(hundred, products)
	if err != nil {
		return nil, err
	}
	day, _, err := cost.UnitsAt(hundred, metrics+"/GSI1")
	if err != nil {
		return nil, err
	}
	possible := (1 - lost) / atATime
	return sorted(append(all,
		// a product's item takes two units in a transaction, and its day's index one
		Finding{"changes of the stock", product, each * stock / 2 / s.Products, possible},
		Finding{"changes of the day's figures", store, each * day, possible},
		Finding{"changes of orders that are followed", "shard of the stream", s.Rate + s.Steps,
			runs * ofRun / runTakes})), nil
}

// Telling returns how many messages of one number go out in a second, and what that takes, the most first.
func (s Sale) Telling() (most float64, takes []Finding, err error) {
	one, err := Of(Load{Rates: map[string]float64{quiet: 1}})
	if err != nil {
		return 0, nil, err
	}
	most = ofNumber
	for _, f := range one {
		most = min(most, math.Floor(f.Limit/f.Takes))
	}
	takes, err = Of(Load{Rates: map[string]float64{quiet: most}})
	return most, takes, err
}

// Queue is work that waits: how much has come and how much was done by the end of each second.
type Queue struct {
	Can        float64 // in a second
	Came, Done []float64
}

// next adds what has come in a second, and returns what was done.
func (q *Queue) next(more float64) float64 {
	came, before := last(q.Came)+more, last(q.Done)
	did := min(q.Can, came-before)
	q.Came, q.Done = append(q.Came, came), append(q.Done, before+did)
	return did
}

func last(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1]
}

// rest is less than one of anything: sums of shares are not exact.
const rest = 0.5

// Late returns how many seconds something has waited at most. What comes first is done first.
func (q *Queue) Late() (most int) {
	for second, came := range q.Came {
		most = max(most, sort.SearchFloat64s(q.Done, came-rest)-second)
	}
	return most
}

// InTime returns the second since which nothing waits; 0 if nothing ever has.
func (q *Queue) InTime() int {
	for second, came := range slices.Backward(q.Came) {
		if came-q.Done[second] > rest {
			return second + 2
		}
	}
	return 0
}

// Played is how a sale has gone.
type Played struct {
	Made                    float64
	Followed, Told, Stepped Queue
}

// Play plays a sale second by second, until everything is done.
func (s Sale) Play() (p Played, err error) {
	making, err := s.Making()
	if err != nil {
		return p, err
	}
	p.Followed.Can, p.Stepped.Can = (s.Rate+s.Steps)*making[0].Limit/making[0].Takes, s.Steps
	if p.Told.Can, _, err = s.Telling(); err != nil {
		return p, err
	}
	for second := 0; ; second++ {
		made := 0.0
		if second < s.Seconds {
			made = s.Rate
		}
		p.Made += made
		moved := p.Stepped.next(stepsOfAll * made)
		p.Told.next(p.Followed.next(made + moved))
		if all := p.Made * (1 + stepsOfAll); second >= s.Seconds && last(p.Told.Done) > all-rest {
			return p, nil
		}
	}
}

// Report returns what the sale takes and how it goes, in words.
func (s Sale) Report() (string, error) {
	making, err := s.Making()
	if err != nil {
		return "", err
	}
	most, telling, err := s.Telling()
	if err != nil {
		return "", err
	}
	p, err := s.Play()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("a sale: %.0f orders a second of one store for %d seconds, three of %.0f products each\n",
		s.Rate, s.Seconds, s.Products) + show(making) +
		fmt.Sprintf("  its messages: %.0f a second of one number\n", most) + show(telling) +
		"  how it goes\n" +
		fmt.Sprintf("    %.0f orders are made in %d seconds, and %.0f a second could be: %s, one %s\n", p.Made,
			s.Seconds, s.Rate*making[0].Limit/making[0].Takes, making[0].What, making[0].Scope) +
		fmt.Sprintf("    figures, stock and messages follow at most %d s later: %.0f of %.0f\n",
			p.Followed.Late()+gathers, last(p.Followed.Done), last(p.Followed.Came)) +
		fmt.Sprintf("    messages go out at most %d s late, and in time from second %d on: %.0f of %.0f\n",
			p.Told.Late(), p.Told.InTime(), last(p.Told.Done), last(p.Told.Came)) +
		fmt.Sprintf("    %.0f steps that people make, %.0f a second, take %.1f hours\n\n", last(p.Stepped.Done),
			s.Steps, float64(len(p.Stepped.Done))/3600), nil
}
