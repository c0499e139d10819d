package messaging

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// change is what a notice says of a person's identifiers: those they give up, those they have from then on, and those they
// have before and after.
type change struct {
	gives, takes, shows []model.CustomerID
}

func (c change) identifiers() []model.CustomerID {
	return slices.Concat(c.takes, c.shows, c.gives)
}

// changed finds the person that a notice is about, and what the notice changes: they own what they take from then on, and
// what they give up is a stranger's from then on. It changes nothing where that stands already, however often and under
// which id the notice comes. Two conversations become one only where no interval lies between them: who had the new
// identifier before is another person. All identifiers' items must be known.
func (l *lookup) changed(ctx context.Context, c change, at model.Order) (person, error) {
	n := notice{lookup: l, change: c, at: at, owned: map[model.CustomerID]ownership{}}
	if err := n.read(ctx); err != nil {
		return person{}, err
	}
	if n.repeats() {
		return l.resolve(ctx, slices.Concat(c.takes, c.shows), at)
	}
	p := n.person()
	for _, id := range c.takes {
		n.take(&p, id)
	}
	for _, id := range c.gives {
		n.give(&p, id)
	}
	for _, id := range c.shows {
		p.assign(n.owned[id], n.ledAt(id), at)
	}
	return p, l.guardOpening(&p, c.shows, n.ownerships(c.shows))
}

// notice is a change with the owners of its identifiers, now and before.
type notice struct {
	*lookup
	change
	at    model.Order
	owned map[model.CustomerID]ownership
	led   map[model.CustomerID]standing // by every owner of every identifier
}

func (n *notice) read(ctx context.Context) error {
	var owners []model.CustomerID
	for _, id := range n.identifiers() {
		o, err := n.ownership(id)
		if err != nil {
			return err
		}
		n.owned[id] = o
		for _, owner := range o.owners {
			owners = append(owners, owner.CustomerID)
		}
	}
	var err error
	n.led, err = n.follow(ctx, owners)
	return err
}

func (n *notice) identifiers() []model.CustomerID { return n.change.identifiers() }

func (n *notice) ownerships(ids []model.CustomerID) []ownership {
	all := make([]ownership, len(ids))
	for i, id := range ids {
		all[i] = n.owned[id]
	}
	return all
}

// ledAt returns where an identifier leads from the notice on, ledBefore where it led until then.
func (n *notice) ledAt(id model.CustomerID) standing { return n.led[n.owned[id].owner(n.at)] }

func (n *notice) ledBefore(id model.CustomerID) standing {
	o := n.owned[id]
	return n.led[o.owners[o.before(n.at)].CustomerID]
}

// repeats reports whether the notice says what stands: one person has all it takes, had all it gives, and has none of that
// any more. The same notice may come again later, when a stranger has what was given up.
func (n *notice) repeats() bool {
	if len(n.takes) == 0 {
		return true
	}
	holder := n.ledAt(n.takes[0]).customer
	for _, id := range n.takes[1:] {
		if n.ledAt(id).customer != holder {
			return false
		}
	}
	for _, id := range n.gives {
		o := n.owned[id]
		had := slices.ContainsFunc(o.owners[:o.at(n.at)+1], func(owner model.Owner) bool { return n.led[owner.CustomerID].customer == holder })
		if !had || n.ledAt(id).customer == holder || n.passedOn(id, holder) {
			return false
		}
	}
	return true
}

// passedOn reports whether a given-up identifier is known to have had another owner since the holder had it: that one gives it
// up now. The holder has had what is taken since another change.
func (n *notice) passedOn(id, holder model.CustomerID) bool {
	owners := n.owned[id].owners
	now := n.ledAt(id)
	if now.conversation == nil || isStranger(n.owned[id].owner(n.at)) {
		return false
	}
	taken := n.owned[n.takes[0]]
	since := taken.owners[taken.at(n.at)].Since
	for i := range owners[:len(owners)-1] {
		if n.led[owners[i].CustomerID].customer == holder && owners[i+1].Since == since {
			return false
		}
	}
	return since != ""
}

// person finds the conversation of the notice: that of the person who had what is given up, or has what is shown. A
// conversation under a taken identifier is theirs, too, where all of it is younger than the notice.
func (n *notice) person() person {
	p := person{phone: n.phone, customer: n.key()}
	var candidates, others []standing
	var young []model.Conversation
	for _, id := range n.gives {
		if !n.taken(id) {
			candidates = append(candidates, n.ledBefore(id))
		}
	}
	for _, id := range n.shows {
		candidates = append(candidates, n.ledAt(id))
	}
	for _, id := range n.takes {
		switch led := n.ledAt(id); {
		case led.conversation == nil:
		case !n.younger(id):
			others = append(others, led)
		default: // all messages under it are of the person who has it since the notice
			young = append(young, *led.conversation)
		}
	}
	var all []model.Conversation
	if len(candidates) > 0 {
		all = distinct(candidates, 0)
	}
	p.join(all, young...)
	for _, other := range others {
		same := other.customer == p.customer || p.merges(other)
		if !same && !slices.ContainsFunc(p.losers, func(c model.Conversation) bool { return c.PK == other.conversation.PK }) {
			p.losers = append(p.losers, *other.conversation)
		}
	}
	return p
}

// younger reports whether the owner of a taken identifier has it only since the notice, so that they are the person. Where no
// message has shown it, all of their conversation has to be younger.
func (n *notice) younger(id model.CustomerID) bool {
	owner := n.owned[id].owners[n.owned[id].at(n.at)]
	seen := model.Order(cmp.Or(string(owner.Seen), string(owner.Said)))
	if c, err := asConversation(n.items[n.conversationKey(owner.CustomerID).Partition]); seen == "" && err == nil && c != nil {
		if seen = c.KeySeen; seen == "" || identifierOf(owner.CustomerID) != id {
			seen = c.FirstOrder
		}
	}
	return wholeSecond(seen).Compare(wholeSecond(n.at)) >= 0
}

// taken reports whether the owner of a given-up identifier has it only since the notice, which came late: they are the
// stranger who has it now.
func (n *notice) taken(id model.CustomerID) bool {
	o := n.owned[id]
	return wholeSecond(o.owners[o.before(n.at)].Seen).After(wholeSecond(n.at))
}

// wholeSecond is as exactly as the platform tells the time: within it, a change of a number and what the number is used for
// cannot be told apart.
func wholeSecond(order model.Order) time.Time { return order.At().Go().Truncate(time.Second) }

// key is the key of the person's conversation where there is none yet.
func (n *notice) key() model.CustomerID {
	switch {
	case len(n.gives) > 0 && n.taken(n.gives[0]):
		return stranger(n.gives[0], " until "+n.at)
	case len(n.gives) > 0:
		return n.ledBefore(n.gives[0]).customer
	case len(n.shows) > 0:
		return n.ledAt(n.shows[0]).customer
	}
	return n.ledAt(n.takes[0]).customer
}

// take gives the person an identifier from the notice on.
func (n *notice) take(p *person, id model.CustomerID) {
	o, led := n.owned[id], n.ledAt(id)
	index := o.at(n.at)
	mine := led.customer == p.customer || p.merges(led)
	switch {
	case mine && (led.conversation == nil || !n.younger(id)):
		return // it is theirs already
	case mine: // what was said under it is theirs since the notice; who had it before is unknown
		o = o.claimed(index, stranger(id, o.owners[index].Since+" until "+n.at), "")
	case led.conversation == nil:
		p.reliesOnAbsence(led.customer)
		o = n.named(o, p.customer)
	}
	p.own(o.since(n.at, p.customer))
}

// named returns the ownership of a taken identifier with the person in the place of its own key, where a later notice has come
// first: it took the identifier from somebody unknown, who has what they got for it under that key. Who had the identifier
// before the person is somebody else.
func (n *notice) named(o ownership, customer model.CustomerID) ownership {
	index := o.at(n.at)
	if o.owners[index].CustomerID != o.id || index+1 == len(o.owners) || o.leads != "" {
		return o
	}
	o = o.claimed(index, stranger(o.id, o.owners[index].Since+" until "+n.at), "")
	o.leads = customer
	return o
}

// give takes an identifier from the person from the notice on: it is a stranger's.
func (n *notice) give(p *person, id model.CustomerID) {
	o := n.owned[id]
	before, index := n.ledBefore(id), o.before(n.at)
	heir := n.heir(*p, id)
	switch {
	case n.taken(id): // the stranger has written before the notice came
		heir = o.owners[index].CustomerID
		o = o.divided(index, model.Owner{CustomerID: p.customer}, n.at, heir)
	case before.customer != p.customer && !p.merges(before) && before.conversation == nil: // nobody has used it: it was theirs
		o = o.divided(index, model.Owner{CustomerID: p.customer, Said: n.at}, n.at, heir)
		n.adopt(p, before.customer)
	}
	if o.at(n.at) == o.before(n.at) || n.ledAt(id).customer == p.customer {
		o = o.since(n.at, heir)
	}
	if o.same(n.owned[id]) {
		return
	}
	if before.conversation == nil {
		p.reliesOnAbsence(before.customer)
	}
	p.own(o)
}

// adopt gives the person the identifier under whose key nobody has written, where an earlier change of theirs has named them by
// it: it was theirs until that change.
func (n *notice) adopt(p *person, key model.CustomerID) {
	item, known := n.items[n.aliasKey(key).Partition]
	if item == nil || !known || slices.Contains(n.identifiers(), key) {
		return
	}
	o, err := n.ownership(key)
	index := slices.IndexFunc(o.owners, func(owner model.Owner) bool { return owner.CustomerID == key })
	if err != nil || index < 0 || index+1 == len(o.owners) {
		return
	}
	p.own(o.claimed(index, p.customer, ""))
}

// heir is the key of who has an identifier from the notice on. Where a later notice of the same change has come first, it
// is the same stranger.
func (n *notice) heir(p person, id model.CustomerID) model.CustomerID {
	o := n.owned[id]
	if next := o.at(n.at) + 1; next < len(o.owners) && isStranger(o.owners[next].CustomerID) {
		for _, taken := range n.takes {
			for _, owner := range n.owned[taken].owners {
				if owner.Since == o.owners[next].Since && n.led[owner.CustomerID].customer == p.customer {
					return o.owners[next].CustomerID
				}
			}
		}
	}
	return stranger(id, n.at)
}

// keptFor is how long a change of somebody who has not written yet is kept: as long as a message of before may come.
const keptFor = tombstoneLifetime

// Identify records what a notice apart from any message says of a person's identifiers at a place in the order. Where
// nobody has written yet it is kept with an expiry, unless the person has been erased since.
func (s *Store) Identify(ctx context.Context, phone model.PhoneNumberID, c change, at model.Order) error {
	err := s.deciding(ctx, func(tried *decision) error {
		l := s.lookUp(phone, nil)
		if err := l.identifiers(ctx, c.identifiers()); err != nil {
			return err
		}
		p, err := l.changed(ctx, c, at)
		if err != nil {
			return err
		}
		if p.erasedUntil, err = s.erasedUntil(ctx, p, c.identifiers()); err != nil || at.At() <= p.erasedUntil {
			return err
		}
		writes, err := s.identifyWrites(p, c, at)
		if err != nil || len(writes) == 0 {
			return err
		}
		return tried.outcome(p, s.DB.Transact(ctx, writes))
	})
	if err != nil {
		return err
	}
	return s.resettle(ctx, phone, c, at)
}

// identifyWrites are the writes of a notice without a message. The address follows it.
func (s *Store) identifyWrites(p person, c change, at model.Order) ([]dynamo.Write, error) {
	if !p.changesIdentity() {
		return nil, nil
	}
	if p.existing == nil {
		return p.identityWrites(s.Now().Add(keptFor).Unix())
	}
	return s.personWrites(p, []arrival{{at: at, contact: c.contact()}})
}

// contact is what a change shows of the customer: where they can be reached from then on, a number rather than a user id.
func (c change) contact() contact {
	shown := contact{}
	for _, id := range slices.Concat(c.takes, c.shows) {
		if shown.address == "" || allDigits(id) && !allDigits(model.CustomerID(shown.address)) {
			shown.address = string(id)
		}
		if !allDigits(id) && shown.userID == "" {
			shown.userID = string(id)
		}
	}
	return shown
}
