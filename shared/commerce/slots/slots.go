// Package slots knows the times in which a store brings goods: which of them a customer's words mean, which is free
// next, and how the orders of one are counted. An order takes its place in the transaction that makes it, on the
// condition that one is left, and gives it back in the one that cancels it.
package slots

import (
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Days is on how many days from today on a slot is looked for.
const Days = 7

// Fault says why a customer gets another slot than they have asked for.
type Fault string

// The faults. The wording has a text for each, under slot.{fault}.
const (
	Past Fault = "past" // one cannot order for it any more
	Full Fault = "full"
	None Fault = "none" // the store brings nothing then
)

// Wish is when a customer wants the goods, as far as their words say it.
type Wish struct {
	Day     int          // days from today; -1 where none is said
	Weekday time.Weekday // of the next such day; -1 where none is said
	// minutes after midnight between which they want them; both are -1 where no time is said
	From, To int
	Either   bool // the hour can be before noon or after it
}

// place is a slot of a day.
type place struct {
	slot   commercemodel.TakenSlot
	day    time.Time // its midnight
	days   int       // from today
	closes time.Time // when one can order for it no more
}

func (p place) minutes() (from, to int) {
	return stores.Minutes(p.slot.From), stores.Minutes(p.slot.To)
}

// places returns the slots of a store in the order of their times, with those of today that are over. A day on which
// the store is closed has no slots.
func places(s commercemodel.Store, now time.Time) []place {
	now = now.In(stores.Zone(s))
	var all []place
	for days := range Days {
		day := time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, now.Location())
		if !stores.OpenOn(s, day) {
			continue
		}
		for _, slot := range s.Settings.Slots {
			until := slot.From
			if slot.Cutoff != "" {
				until = slot.Cutoff
			}
			minutes := stores.Minutes(until)
			all = append(all, place{
				slot: commercemodel.TakenSlot{
					Date: day.Format(stores.DateLayout), Name: slot.Name, From: slot.From, To: slot.To,
					Capacity: slot.Capacity},
				day: day, days: days,
				closes: time.Date(day.Year(), day.Month(), day.Day(), 0, minutes, 0, 0, day.Location())})
		}
	}
	return all
}

// Refs returns what Choose needs: the counts of the slots that take only so many orders.
func Refs(s commercemodel.Store, now time.Time) []dynamo.Ref {
	var refs []dynamo.Ref
	for _, p := range places(s, now) {
		if p.slot.Capacity > 0 {
			refs = append(refs, ref(s.ID, p.slot))
		}
	}
	return refs
}

func ref(store model.Name, slot commercemodel.TakenSlot) dynamo.Ref {
	return dynamo.Ref{Table: tables.Products, Key: keys.SlotCount(store, slot.Date, slot.Name)}
}

// Choose returns the slot that a customer wishes, or the next free one where they wish none or it is not free; nil if
// none is free. The fault says why it is not the one that is wished; "" if it is. own is the slot of an order that is
// to change: its place is free for it.
func Choose(s commercemodel.Store, found dynamo.Found, wish *Wish, own *commercemodel.TakenSlot,
	now time.Time) (*commercemodel.TakenSlot, Fault) {
	wished := wish != nil
	all := places(s, now)
	from, full, past := -1, "", false // the first that is meant; the day of a full one; whether one is over
	for i, p := range all {
		if wished && !wish.means(p) {
			continue
		}
		if from < 0 {
			from = i
		}
		switch {
		case !now.Before(p.closes):
			past = true
		case !p.isFree(s, found, own):
			full = p.slot.Date
		case wished && full != "" && full != p.slot.Date:
			return &p.slot, Full
		default:
			return &p.slot, ""
		}
	}
	fault := None
	switch {
	case full != "":
		fault = Full
	case past:
		fault = Past
	}
	for i, p := range all {
		if i >= from && wished && p.days >= wish.Day && now.Before(p.closes) && p.isFree(s, found, own) {
			return &p.slot, fault
		}
	}
	return nil, fault
}

// IsFree reports whether a slot of a day can still be ordered for, and has a place left.
func IsFree(s commercemodel.Store, found dynamo.Found, slot commercemodel.TakenSlot, own *commercemodel.TakenSlot,
	now time.Time) bool {
	for _, p := range places(s, now) {
		if p.slot == slot {
			return now.Before(p.closes) && p.isFree(s, found, own)
		}
	}
	return false
}

// isFree reports whether a slot has a place left, or the order that is to change has one in it.
func (p place) isFree(s commercemodel.Store, found dynamo.Found, own *commercemodel.TakenSlot) bool {
	return p.slot.Capacity == 0 || own != nil && isSame(*own, p.slot) ||
		dynamo.Int(ref(s.ID, p.slot).Found(found), "taken") < p.slot.Capacity
}

func isSame(a, b commercemodel.TakenSlot) bool { return a.Date == b.Date && a.Name == b.Name }

// means reports whether a wish may mean a slot of a day. An hour that may be of either half of the day means those of
// both.
func (wish Wish) means(p place) bool {
	if wish.Day >= 0 && p.days != wish.Day || wish.Weekday >= 0 && p.day.Weekday() != wish.Weekday {
		return false
	}
	if wish.From < 0 {
		return true
	}
	if holds(wish.From, wish.To, p) {
		return true
	}
	const noon = 12 * 60
	return wish.Either && wish.From+wish.To > 0 && holds(later(wish.From, noon), wish.To+noon, p)
}

// later returns a time after noon; the beginning of the day stays.
func later(minutes, noon int) int {
	if minutes == 0 {
		return 0
	}
	return minutes + noon
}

// holds reports whether a slot lies in a time or holds it. A time until which the goods are wanted is that of the
// slot's end.
func holds(from, to int, p place) bool {
	begins, ends := p.minutes()
	switch {
	case from == to:
		return begins <= from && from < ends
	case from == 0:
		return ends <= to
	}
	return begins < to && ends > from
}

// Taken returns the writes by which the slot of an order is counted: its place is taken or given back in the
// transaction that makes or changes the order. The condition of a place that is taken is that one is left.
func Taken(was, is commercemodel.Order) []dynamo.Write {
	before, after := held(was), held(is)
	if isSame(before, after) {
		return nil
	}
	var writes []dynamo.Write
	if before != (commercemodel.TakenSlot{}) {
		writes = append(writes, dynamo.Update{
			Table: tables.Products, Key: ref(is.StoreID, before).Key, Do: "ADD taken :less", If: "taken > :none",
			Values: dynamo.Item{":less": dynamo.N(-1), ":none": dynamo.N(0)}})
	}
	if after != (commercemodel.TakenSlot{}) {
		writes = append(writes, dynamo.Update{
			Table: tables.Products, Key: ref(is.StoreID, after).Key, Do: "ADD taken :one",
			If:     "attribute_not_exists(taken) OR taken < :most",
			Values: dynamo.Item{":one": dynamo.N(1), ":most": dynamo.N(after.Capacity)}})
	}
	return writes
}

// held returns the place that an order holds; none where its slot takes any number of orders, or it was cancelled.
func held(order commercemodel.Order) commercemodel.TakenSlot {
	if order.Slot == nil || order.Slot.Capacity == 0 || order.Status == commercemodel.OrderCancelled {
		return commercemodel.TakenSlot{}
	}
	return *order.Slot
}
