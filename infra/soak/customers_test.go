package soak

import (
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// customer is a person as they really are. The system may know less.
type customer struct {
	name     string
	shows    shows
	number   *number
	userID   string
	quiet    time.Time // they write nothing before this time
	notices  []notice  // about numbers they gave up
	erasures int
	// messages of others that came before the notice of the number they were sent from, which this customer had given
	// up
	visits int
	told   []string    // the notices by which the shop hears of their changes
	early  []earlyTake // numbers they took before the notice of the former owner arrived
}

// earlyTake is a number that was taken before the notice arrived that its former owner gave it up.
type earlyTake struct {
	notice string
	former *customer
}

// takenFor returns the customers with whom somebody may be confused, because the notices that tell them apart have not
// arrived.
func (w *simulation) takenFor(c *customer) map[*customer]bool {
	all := map[*customer]bool{}
	for next := []*customer{c}; len(next) > 0; {
		current := next[0]
		next = next[1:]
		for _, e := range current.early {
			if !w.isStored(e.notice) && e.former != c && !all[e.former] {
				all[e.former] = true
				next = append(next, e.former)
			}
		}
	}
	return all
}

// shows says which identifiers a customer's messages contain.
type shows int

const (
	aNumber shows = iota
	aUserID
	both
	mixed
)

// number is a phone number or a user id and its owner.
type number struct {
	id     string
	holder *customer
	free   time.Time   // since when it has no owner
	notice string      // the message with the notice; "" if nobody ever had it
	former *customer   // the former owner
	passed time.Time   // when its first owner gave it up
	gone   bool        // its notice is lost, so it is not used again
	all    []*customer // all owners so far
}

// pick returns an identifier without an owner, or nil. If early is set, the system may not know yet that it is free.
func (w *simulation) pick(all []*number, early bool) *number {
	var free []*number
	for _, n := range all {
		since := w.clock().Sub(n.free)
		if n.holder == nil && !n.gone &&
			(n.notice == "" || since > 10*time.Minute && w.isStored(n.notice) || early && since > 5*time.Second) {
			free = append(free, n)
		}
	}
	if len(free) == 0 {
		return nil
	}
	return free[w.rng.IntN(len(free))]
}

// passes replaces a customer's identifier by another one.
func (w *simulation) passes(c *customer, from, to *number, notice string) {
	from.holder, from.former, from.free, from.notice, from.gone = nil, c, w.clock(), notice, notice == ""
	to.holder, to.all = c, append(to.all, c)
	c.quiet = w.clock().Add(2 * time.Second)
}

type notice struct {
	from, to string
	at       time.Time
	id       string
}

// message is a message that was really written, or a notice.
type message struct {
	id       string
	by       *customer // nil for a group's
	group    bool
	erasures int // of its customer when it was said
	at       time.Time
	live     bool // it raises the unread count
	inbound  bool
	shown    string // the identifier that is the newest address with it, "" for none
	word     int    // +1 asks to stop, -1 to start
	kind     string // of a change of another message; "" for any other
	changes  string // the id of the message that it changes
	marker   string // a text that nothing else holds
	round    int    // when it was found stored
	stored   bool
	status   model.DeliveryStatus // that WhatsApp reports of the business's own
	apart    bool                 // it comes in a field of its own and is stored as no message
	visits   map[*customer]bool   // who may be taken for its sender until the notice of their number comes
	home     string               // the conversation that it was last found in
}

func (w *simulation) contactOf(c *customer, withNumber, withUserID bool) (wt.Object, wt.Object) {
	contact, sender := wt.Object{"profile": wt.Object{"name": c.name}}, wt.Object{}
	if withNumber {
		contact["wa_id"], sender["from"] = c.number.id, c.number.id
	}
	if withUserID {
		contact["user_id"], sender["from_user_id"] = c.userID, c.userID
	}
	return contact, sender
}

// speaks makes a customer say something of a type; linked has them show all their identifiers.
func (w *simulation) speaks(c *customer, kind string, content wt.Object, linked bool) *message {
	if w.clock().Before(c.quiet) {
		w.advance(c.quiet.Sub(w.clock()))
	}
	withNumber, withUserID := c.shows == aNumber || c.shows == both, c.shows == aUserID || c.shows == both
	if c.shows == mixed {
		which := w.rng.IntN(3)
		withNumber, withUserID = which != 0 || linked, which != 1 || linked
	}
	contact, sender := w.contactOf(c, withNumber, withUserID)
	m := w.said(c, true)
	if m.shown = c.userID; withNumber {
		m.shown = c.number.id
	}
	m.visits = w.takenFor(c)
	for other := range m.visits {
		other.visits++
	}
	body := wt.Message("", m.id, kind, m.at, content)
	delete(body, "from")
	for name, value := range sender {
		body[name] = value
	}
	w.deliver(w.change("messages", wt.Object{"contacts": wt.List{contact}, "messages": wt.List{body}}))
	return m
}

// said records that something is said now.
func (w *simulation) said(c *customer, live bool) *message {
	m := &message{
		id: fmt.Sprintf("wamid.in.%s.%d", w.phone, len(w.messages)), by: c, at: w.clock(), live: live, inbound: true}
	m.marker = "marker-" + m.id + "-end"
	if c != nil {
		m.erasures = c.erasures
	}
	w.messages = append(w.messages, m)
	return m
}

// pause lets the second pass in which a customer has said something: within a second nobody can tell what came first,
// and nobody changes their number within the second of a message.
func (w *simulation) pause() { w.advance(2 * time.Second) }

func (w *simulation) text(m string) wt.Object { return wt.Object{"text": wt.Object{"body": m}} }

// says is a live message of a random kind.
func (w *simulation) says(c *customer) {
	next := fmt.Sprintf("marker-wamid.in.%s.%d-end", w.phone, len(w.messages))
	switch w.rng.IntN(12) {
	case 0:
		w.speaks(c, "text", w.text("STOP"), false).word = +1
	case 1:
		w.speaks(c, "text", w.text("start"), false).word = -1
	case 2:
		if original := w.lastOf(c); original != nil {
			kind := []string{"revoke", "edit"}[w.rng.IntN(2)]
			change := wt.Object{"original_message_id": original.id}
			if kind == "edit" {
				change["message"] = wt.Object{"type": "text", "text": wt.Object{"body": next}}
			}
			m := w.speaks(c, kind, wt.Object{kind: change}, false)
			m.changes, m.live, m.kind = original.id, false, kind
		}
	case 3:
		if original := w.lastOf(c); original != nil {
			m := w.speaks(c, "reaction",
				wt.Object{"reaction": wt.Object{"message_id": original.id, "emoji": "👍 " + next}}, false)
			m.changes, m.live, m.kind = original.id, false, "reaction"
		}
	case 4:
		w.speaks(c, "image",
			wt.Object{"image": wt.Object{
				"id": fmt.Sprint("media-", len(w.messages)), "mime_type": "image/jpeg", "caption": next}}, false)
	default:
		w.speaks(c, "text", w.text(next), false)
	}
}

// lastOf is one of the customer's last messages since they were last erased.
func (w *simulation) lastOf(c *customer) *message {
	for i := len(w.messages) - 1 - w.rng.IntN(3); i >= 0; i-- {
		if m := w.messages[i]; m.by == c && m.live && m.erasures == c.erasures && m.changes == "" {
			return m
		}
	}
	return nil
}

// isEarly reports whether a number has passed to somebody, and the system has not been told so yet.
func (w *simulation) isEarly(n *number) bool { return n.notice != "" && !w.isStored(n.notice) }

// mayBeEarly reports whether a customer may take a number before the system has been told that it is free. They show
// nothing but a number: what was sent to two people who were taken for one stays with one of them.
func mayBeEarly(c *customer) bool { return c.shows == aNumber }

// movesTo gives the customer another number, with the notice that WhatsApp sends of it. The number's former owner may
// be known by it still.
func (w *simulation) movesTo(c *customer) {
	if c.shows == aUserID || w.clock().Before(c.quiet) {
		return
	}
	if to := w.pick(w.numbers, mayBeEarly(c)); to != nil {
		w.takes(c, to)
	}
}

// passesOn has a customer move, and somebody else, who shows nothing but a number, take the one that they leave at
// once.
func (w *simulation) passesOn(c *customer) {
	left := c.number
	w.movesTo(c)
	next := w.customers[w.rng.IntN(len(w.customers))]
	if c.number == left || next == c || !mayBeEarly(next) {
		return
	}
	w.says(c)
	w.advance(5 * time.Second)
	w.takes(next, left)
	for range 1 + w.rng.IntN(3) {
		w.says(next)
	}
}

// takes gives the customer a number that is nobody's.
func (w *simulation) takes(c *customer, to *number) {
	if w.asked(c) {
		w.settle() // what names their number is about them: it is read before they leave it
	}
	from := c.number
	if w.isEarly(to) {
		c.early = append(c.early, earlyTake{to.notice, to.former})
	}
	w.pause()
	m := w.said(c, false)
	m.shown = to.id
	w.passes(c, from, to, m.id)
	c.number = to
	c.notices = append(c.notices, notice{from: from.id, to: to.id, at: m.at, id: m.id})
	w.notify(m, from.id, wt.Object{"type": "user_changed_number", "wa_id": to.id, "body": m.marker})
	w.noticeToShop(c, m.id, from.id, m.at, wt.Object{"type": "user_changed_number", "wa_id": to.id, "body": "moved"})
}

// notify delivers a system message.
func (w *simulation) notify(m *message, from string, system wt.Object) {
	body := wt.Message(from, m.id, "system", m.at, wt.Object{"system": system})
	if from == "" {
		delete(body, "from")
	}
	late := 0
	if w.rng.IntN(2) == 0 {
		late = w.rng.IntN(10)
	}
	w.deliverLate(w.change("messages", wt.Object{"messages": wt.List{body}}), late)
}

// changesUserID gives the customer another user id.
func (w *simulation) changesUserID(c *customer) {
	if c.shows == aNumber || w.clock().Before(c.quiet) {
		return
	}
	to := w.pick(w.userIDs, false)
	if to == nil {
		return
	}
	w.pause()
	was := w.holding(c)
	c.userID = to.id
	m := w.said(c, false)
	m.shown = c.userID
	shown := ""
	if c.shows != aUserID {
		shown = c.number.id
	}
	w.noticeToShop(c, m.id, shown, m.at,
		wt.Object{"type": "user_changed_user_id", "previous_user_id": was.id, "user_id": c.userID, "body": "changed"})
	if c.shows == aUserID && w.rng.IntN(3) == 0 { // in a field of its own, which leaves no message
		m.apart = true
		w.passes(c, was, to, "")
		w.deliver(w.change("user_id_update", wt.Object{"user_id_update": wt.List{wt.Object{
			"user_id": wt.Object{"previous": was.id, "current": c.userID}, "timestamp": fmt.Sprint(m.at.Unix()),
		}}}))
		return
	}
	w.passes(c, was, to, m.id)
	from := ""
	if c.shows != aUserID {
		from, m.shown = c.number.id, c.number.id
	}
	w.notify(m, from,
		wt.Object{"type": "user_changed_user_id", "previous_user_id": was.id, "user_id": c.userID, "body": m.marker})
}

// holding is the user id of a customer.
func (w *simulation) holding(c *customer) *number {
	for _, n := range w.userIDs {
		if n.id == c.userID {
			return n
		}
	}
	return nil
}

// repeatsNotice sends the notice of a customer's last move again, under another id and maybe with a later time.
func (w *simulation) repeatsNotice(c *customer) {
	if len(c.notices) == 0 || c.erasures > 0 {
		return
	}
	last := c.notices[len(c.notices)-1]
	if last.to != c.number.id {
		return
	}
	m := w.said(c, false)
	// a later time alone would give the customer what another one has by then
	if w.rng.IntN(2) == 0 || !w.isStored(last.id) {
		m.at = last.at
	}
	m.shown = last.to
	w.notify(m, last.from, wt.Object{"type": "user_changed_number", "wa_id": last.to, "body": m.marker})
}
