package dynamotest

import (
	"math/rand/v2"
	"slices"
)

// orders chooses schedules, so that every order of conflicting calls is tried and few are tried twice. Two calls
// conflict if they touch one item and one of them writes to it; to change the order of others changes nothing.
//
// It is source-set partial-order reduction (Abdulla and others, Optimal Dynamic Partial Order Reduction, 2014): a
// schedule that has run shows which of its calls conflict, and for each such pair a schedule is wanted that has them
// the other way round. An operation sleeps as long as it would repeat what was tried without it.
type orders struct {
	root   *branching
	random *rand.Rand
}

func newOrders() *orders { return &orders{root: &branching{}, random: rand.New(rand.NewPCG(1, 2))} }

// branching remembers which schedules have run, as a tree of choices.
type branching struct {
	next      map[byte]*branching
	wanted    []byte  // the operations that have to be tried here
	tried     []tried // those that were, in their order
	exhausted bool    // everything below that has to be tried has run
}

type tried struct {
	operation byte
	shape     string // of the call
}

// path is the way of one schedule through the tree.
type path struct {
	*orders
	at     *branching
	asleep map[byte]footprint // operations of which everything was tried before, until a call conflicts with theirs
	steps  []step
	given  string // the beginning of the schedule, if it was given
}

// step is one choice of a path, and the call that was made.
type step struct {
	at     *branching
	chosen byte
	call   footprint
	asleep map[byte]footprint
	before []bool // the earlier steps that have to come before it
}

func (o *orders) path(given string) *path { return &path{orders: o, at: o.root, given: given} }

// choose takes one of the operations that have a call waiting.
func (p *path) choose(waiting map[byte]footprint) byte {
	at, unfinished := p.at, letters(waiting)
	awake := slices.DeleteFunc(slices.Clone(unfinished), func(o byte) bool { return has(p.asleep, o) })
	fresh := slices.DeleteFunc(slices.Clone(awake), func(o byte) bool {
		return !slices.Contains(at.wanted, o) || at.next[o] != nil && at.next[o].exhausted
	})
	if len(fresh) == 0 && len(at.wanted) == 0 {
		fresh = awake
	}
	if len(fresh) == 0 { // what follows was tried, but the operations have to end
		fresh = unfinished
	}
	chosen := fresh[p.random.IntN(len(fresh))]
	if p.given != "" && slices.Contains(unfinished, p.given[0]) {
		chosen, p.given = p.given[0], p.given[1:]
	}
	p.steps = append(p.steps, step{at: at, chosen: chosen, call: waiting[chosen], asleep: p.asleep})
	p.asleep = p.asleepAfter(chosen, waiting)
	p.at = at.take(chosen, waiting[chosen])
	return chosen
}

// asleepAfter returns which operations sleep after a choice: those that did and those that were tried in front of it,
// except where a call conflicts with the chosen one.
func (p *path) asleepAfter(chosen byte, waiting map[byte]footprint) map[byte]footprint {
	asleep := map[byte]footprint{}
	for o := range p.asleep {
		asleep[o] = waiting[o]
	}
	for _, t := range p.at.tried {
		if t.operation == chosen {
			break
		}
		if call, waits := waiting[t.operation]; waits && call.shape() == t.shape {
			asleep[t.operation] = call
		}
	}
	for o, call := range asleep {
		if o == chosen || call.conflicts(waiting[chosen]) {
			delete(asleep, o)
		}
	}
	return asleep
}

func (b *branching) take(chosen byte, call footprint) *branching {
	b.want(chosen)
	if b.next[chosen] == nil {
		if b.next == nil {
			b.next = map[byte]*branching{}
		}
		b.next[chosen] = &branching{}
		b.tried = append(b.tried, tried{chosen, call.shape()})
	}
	return b.next[chosen]
}

func (b *branching) want(operation byte) {
	if !slices.Contains(b.wanted, operation) {
		b.wanted = append(b.wanted, operation)
	}
}

// end notes that the schedule has run, and what has to be tried because of it.
func (p *path) end() {
	for now := range p.steps {
		p.puts(now)
		for i := range now {
			if p.races(i, now) {
				p.wantOtherOrder(i, now)
			}
		}
	}
	p.at.exhausted = true
	for i := len(p.steps) - 1; i >= 0; i-- {
		at, asleep := p.steps[i].at, p.steps[i].asleep
		at.exhausted = !slices.ContainsFunc(at.wanted, func(o byte) bool {
			return !has(asleep, o) && (at.next[o] == nil || !at.next[o].exhausted)
		})
	}
}

// puts notes which steps have to come before one: those of its operation, those that conflict, and all before these.
func (p *path) puts(now int) {
	s := &p.steps[now]
	s.before = make([]bool, now)
	for i := now - 1; i >= 0; i-- {
		if s.before[i] || p.steps[i].chosen != s.chosen && !p.steps[i].call.conflicts(s.call) {
			continue
		}
		s.before[i] = true
		for j, before := range p.steps[i].before {
			s.before[j] = s.before[j] || before
		}
	}
}

// races reports whether two steps of different operations conflict, and no step between them has to stay there.
func (p *path) races(i, now int) bool {
	s := p.steps[now]
	if p.steps[i].chosen == s.chosen || !s.before[i] {
		return false
	}
	for k := i + 1; k < now; k++ {
		if p.steps[k].before[i] && s.before[k] {
			return false
		}
	}
	return true
}

// wantOtherOrder wants a schedule that has a step before another that came before it. What does not depend on the other
// may come first: any operation can begin that has nothing of the rest before it. If one of them sleeps, such a
// schedule was tried.
func (p *path) wantOtherOrder(i, now int) {
	var rest []int
	for k := i + 1; k < now; k++ {
		if !p.steps[k].before[i] {
			rest = append(rest, k)
		}
	}
	rest = append(rest, now)
	at, asleep := p.steps[i].at, p.steps[i].asleep
	begins := p.steps[now].chosen
	for _, k := range rest {
		if slices.ContainsFunc(rest, func(j int) bool { return j < k && p.steps[k].before[j] }) {
			continue
		}
		begins = p.steps[k].chosen
		if has(asleep, begins) || slices.Contains(at.wanted, begins) {
			return
		}
	}
	at.want(begins)
}

func has(calls map[byte]footprint, operation byte) bool {
	_, there := calls[operation]
	return there
}
