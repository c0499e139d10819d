package soak

import (
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// authority is what the business has given to a number: to write entries for the shop, or to decide about cards. It
// belongs to the person who had the number when it was given, or when it was confirmed.
type authority struct {
	name   string
	number *number
	grants []grant
	left   string // the notice by which the shop hears that the number has passed on; "" while it has not
}

// grant is the time in which a person has an authority.
type grant struct {
	to    *customer
	since time.Time
	until time.Time // the zero time if it has not ended
	maybe bool      // it was confirmed about when the number passed on, so that either of two people may have it
}

// aSecond is how exactly WhatsApp tells times.
const aSecond = time.Second

// has reports whether a person had an authority at a time.
func (a *authority) has(c *customer, at time.Time) bool {
	for _, g := range a.grants {
		if g.to == c && at.After(g.since.Add(-aSecond)) && (g.until.IsZero() || at.Before(g.until.Add(aSecond))) {
			return true
		}
	}
	return false
}

// hasSurely reports whether a person had an authority at a time, however times are rounded.
func (a *authority) hasSurely(c *customer, at time.Time) bool {
	for _, g := range a.grants {
		if g.to == c && !g.maybe && at.After(g.since.Add(2*aSecond)) &&
			(g.until.IsZero() || at.Before(g.until.Add(-2*aSecond))) {
			return true
		}
	}
	return false
}

// first returns the person who had the authority first.
func (a *authority) first() *customer { return a.grants[0].to }

// gives makes a person with a number, and an authority of theirs.
func (w *simulation) gives(name, id string) *authority {
	n := &number{id: id}
	c := &customer{name: name, shows: aNumber, number: n}
	n.holder, n.all = c, []*customer{c}
	w.shop.numbers, w.shop.people = append(w.shop.numbers, n), append(w.shop.people, c)
	return &authority{name: name, number: n, grants: []grant{{to: c, since: began.Add(-time.Hour)}}}
}

// passesAuthority has the person with an authority take another number, and a stranger get theirs. It happens once to
// an authority.
func (w *simulation) passesAuthority(a *authority) {
	c := a.first()
	if a.left != "" || w.clock().Before(c.quiet) {
		return
	}
	w.pause()
	s, at := w.shop, w.clock()
	next := &number{id: fmt.Sprintf("9188111111%02d", len(s.numbers)), holder: c, all: []*customer{c}}
	s.numbers = append(s.numbers, next)
	c.number, c.quiet = next, at.Add(2*time.Second)
	w.mu.Lock()
	for i := range a.grants {
		a.grants[i].until = at
	}
	w.mu.Unlock()
	notice := fmt.Sprintf("wamid.owner.%d", w.ids.Add(1))
	a.left = notice + ".shop"
	w.noticeToShop(c, notice, a.number.id, at,
		wt.Object{"type": "user_changed_number", "wa_id": next.id, "body": "moved"})
	w.pause()
	stranger := &customer{name: "Stranger of " + a.name, shows: aNumber, number: a.number}
	a.number.passed, a.number.former, a.number.holder, a.number.all = at, c, stranger, append(a.number.all, stranger)
	s.people = append(s.people, stranger)
}

// confirms has an operator confirm an authority's number: the person who has it then has the authority.
func (w *simulation) confirms(a *authority) {
	w.operations = append(w.operations, func() {
		began := w.clock()
		var confirmed model.Time
		if w.answered("a confirmation of "+a.name, func() (err error) {
			confirmed, err = w.confirm(a)
			return err
		}) || confirmed.Go().Before(began.Add(-2*skew)) {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		a.grants = append(a.grants, a.confirmedAt(confirmed.Go())...)
		happened.confirmations.Add(1)
	})
}

// confirmedAt returns what a confirmation at a time gives: an authority to the person who had the number then. If it
// came about when the number passed on, the person before and the person after may have it.
func (a *authority) confirmedAt(at time.Time) []grant {
	passed := a.number.passed
	before := grant{to: a.first(), since: at, until: passed}
	after := grant{to: a.number.holder, since: at}
	switch {
	case passed.IsZero():
		return []grant{after}
	case at.Before(passed.Add(-2 * aSecond)):
		return []grant{before}
	case at.After(passed.Add(2*aSecond + skew)):
		return []grant{after}
	}
	before.until, before.maybe, after.maybe = time.Time{}, true, true
	return []grant{before, after}
}

// confirm makes the call, and returns when the number was confirmed last.
func (w *simulation) confirm(a *authority) (model.Time, error) {
	if a == w.shop.authority {
		store, err := registry.Commerce(w.rooms()).ConfirmNumber(w.t.Context(), w.shop.store.ID)
		return store.OwnerSince(), err
	}
	program, err := registry.Cards(w.rooms()).Programs.Confirm(w.t.Context(), tenant, model.Name(a.name),
		operator("boss"))
	for _, admin := range program.Admins {
		if admin.ID == model.Name(a.name) {
			return admin.ConfirmedAt, err
		}
	}
	return "", err
}

// operator is who calls the API.
func operator(subject string) changes.By {
	by := changes.By{Via: "api", Decides: true}
	by.Actor.Subject = subject
	return by
}
