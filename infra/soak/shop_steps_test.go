package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// phrases are what customers write to the shop.
var phrases = []string{
	"2 kg chawal", "1 kg tur dal", "ek Catch namak", "haan", "yes", "nahi", "mera kitna baaki hai", "order status",
	"wahi pichla order bhej do", "hello", "order cancel kar do", "STOP", "start",
}

// inShop makes a step in the shop happen.
func (w *simulation) inShop(s step, c *customer) {
	switch s.kind {
	case shopSay:
		w.writesToShop(c)
	case shopTap:
		w.taps(c)
	case ownerTap:
		by := w.shop.owner
		if w.rng.IntN(4) == 0 {
			by = w.shop.number.holder
		}
		w.taps(by)
	case command:
		w.commands(w.shop.owner, c, false)
	case strangerCommand:
		w.commands(w.shop.number.holder, c, false)
	case groupCommand:
		w.commands(w.shop.owner, c, true)
	case claim:
		w.claims(c)
	case meet:
		w.meets(c)
	case shopChange:
		w.changesAtShop(c)
	case shopPicture:
		w.sendsPicture(c)
	case entry:
		w.enters(c)
	case reversal:
		w.operations = append(w.operations, w.reverses())
	case buy:
		w.buys(c)
	case move:
		seed := w.rng.Uint64()
		w.operations = append(w.operations, func() { w.moves(seed) })
	case remind:
		w.awaits(w.rng.IntN(2) == 0)
		w.operations = append(w.operations, w.reminds)
	case shopErase:
		w.erasesAtShop(c)
	case ownerMoves:
		w.ownerMoves()
	}
}

// amount returns an amount that nobody else has meant.
func (w *simulation) amount() decimal.Decimal {
	for {
		amount := decimal.New(w.rng.Int64N(90_000)+1_001, -2)
		taken := amount.Exponent() != -2 || strings.HasSuffix(amount.StringFixed(2), "0")
		for _, other := range w.shop.meant {
			taken = taken || other.amount.Equal(amount)
		}
		if !taken {
			return amount
		}
	}
}

// means notes that somebody wants an entry.
func (w *simulation) means(what string, of *customer, sign int64) *intention {
	amount := w.amount()
	i := &intention{what: what, of: of, amount: amount, delta: amount.Mul(decimal.NewFromInt(sign)), at: w.clock()}
	w.shop.meant = append(w.shop.meant, i)
	return i
}

func (w *simulation) writesToShop(c *customer) {
	if !w.isClear(c) {
		return
	}
	text := phrases[w.rng.IntN(len(phrases))]
	if last := w.lastTo(c); last != nil && last.orders && w.rng.IntN(4) > 0 {
		text = "haan"
	} else if w.rng.IntN(2) == 0 {
		text = phrases[w.rng.IntN(3)]
	}
	said := w.tellsShop(c, "text", w.text(text))
	said.word, said.orders = map[string]int{"STOP": +1, "start": -1}[text], slices.Contains(phrases[:3], text)
}

// lastTo returns what somebody has written to the shop last; nil for nothing.
func (w *simulation) lastTo(c *customer) *saying {
	for _, said := range slices.Backward(w.shop.said) {
		if said.by == c && !said.group {
			return said
		}
	}
	return nil
}

// awaits lets the time pass until reminders can be planned, or until those that are planned are due: at ten in the
// store's morning.
func (w *simulation) awaits(due bool) {
	w.faults.every.Store(0) // the sweep of every minute in all that time tries often enough
	w.sweepLog()
	now := w.clock()
	morning := time.Date(now.Year(), now.Month(), now.Day(), 4, 31, 0, 0, time.UTC)
	if !due {
		morning = morning.Add(-time.Duration(1+w.rng.IntN(10)) * time.Hour)
	}
	for morning.Before(now) {
		morning = morning.AddDate(0, 0, 1)
	}
	w.advance(morning.Sub(now))
}

// taps has somebody tap a button of a message that they have got.
func (w *simulation) taps(c *customer) {
	if slices.Contains(w.customers, c) && !w.isClear(c) {
		return
	}
	var got []*taken
	for _, copy := range w.meta.all() {
		if copy.phone == shopPhone && copy.holder == c && len(copy.buttons()) > 0 && !copy.failed() {
			got = append(got, copy)
		}
	}
	if len(got) == 0 {
		return
	}
	copy := got[max(0, len(got)-1-w.rng.IntN(3))]
	if claims := slices.DeleteFunc(slices.Clone(got),
		func(copy *taken) bool { return !strings.HasPrefix(copy.buttons()[0], "khata:") }); len(claims) > 0 &&
		w.rng.IntN(4) > 0 {
		copy = claims[max(0, len(claims)-1-w.rng.IntN(2))]
	}
	buttons := copy.buttons()
	button := buttons[w.rng.IntN(len(buttons))]
	kind, content := "interactive",
		wt.Object{"interactive": wt.Object{
			"type": "button_reply", "button_reply": wt.Object{"id": button, "title": "tapped"}}}
	if strings.Contains(string(copy.body), `"type":"template"`) {
		kind, content = "button", wt.Object{"button": wt.Object{"payload": button, "text": "tapped"}}
	}
	content["context"] = wt.Object{"id": copy.wamid}
	said := w.tellsShop(c, kind, content)
	if parts := strings.Split(button, ":"); parts[0] == "khata" && len(parts) == 8 {
		for _, i := range w.shop.meant {
			if i.asked != nil && i.amount.String() == parts[5] && parts[1] == "yes" {
				i.yes = append(i.yes, said)
			}
		}
	}
}

// commands has somebody write an entry for a customer into the chat with the shop.
func (w *simulation) commands(by, of *customer, group bool) {
	if of, _ = w.named(of); by == nil || !w.isNamed(of) {
		return
	}
	sale := w.rng.IntN(3) > 0
	sign := map[bool]int64{true: 1, false: -1}[sale]
	i := w.means("command", of, sign)
	i.by, i.group = by, group
	text := fmt.Sprintf("%s%s +%s goods", map[bool]string{true: "+", false: "-"}[sale], i.amount, of.number.id)
	content := w.text(text)
	if group {
		content["group_id"] = "GROUP-" + shopPhone
	}
	said := w.tellsShop(by, "text", content)
	i.message, i.at = said.id, said.at
}

// claims has a customer say that they have paid.
func (w *simulation) claims(c *customer) {
	if !w.isClear(c) {
		return
	}
	debtors := slices.DeleteFunc(w.debtors(),
		func(debtor *customer) bool { return debtor.shows == aUserID || !w.isClear(debtor) })
	if len(debtors) > 0 && w.rng.IntN(6) > 0 {
		c = debtors[w.rng.IntN(len(debtors))]
	}
	i := w.means("claim", c, -1)
	i.asked = w.tellsShop(c, "text", w.text(i.amount.String()+" bhej diye gpay se"))
	for range w.rng.IntN(7) {
		w.works()
	}
	w.taps(w.shop.owner)
}

// meets has somebody who shows different identifiers become one person to the shop, with accounts under each as a rule.
func (w *simulation) meets(c *customer) {
	if at := slices.IndexFunc(w.customers, func(c *customer) bool { return c.shows == mixed }); c.shows != mixed &&
		at >= 0 {
		c = w.customers[at]
	}
	if c.shows != mixed || !w.isClear(c) {
		return
	}
	w.writesAs(c, true, false, "text", w.text("hello"))
	w.writesAs(c, false, true, "text", w.text("hello"))
	w.settle()
	for range 3 {
		w.enters(c)
	}
	w.works()
	w.writesAs(c, true, true, "text", w.text("hello"))
	w.works()
}

// erasesAtShop waits until all is quiet, and erases a customer of the shop.
func (w *simulation) erasesAtShop(c *customer) {
	w.settle()
	if !w.isClear(c) || c.shows == mixed { // who they are as a whole is not known
		return
	}
	for account, of := range w.owners() {
		w.shop.accounts[account] = of
	}
	w.advance(3 * time.Second)
	person, err := w.open(w.db.Client).Contacts.Named(w.t.Context(), []model.PhoneNumberID{shopPhone}, "",
		"+"+c.number.id)
	if err != nil {
		w.t.Fatal(err)
	}
	w.faults.every.Store(20)
	for attempt := 0; ; attempt++ {
		done, err := w.rooms().Erase(w.t.Context(),
			erasure.Request{
				Tenant: tenant, Phone: shopPhone, Customer: person, Reason: "asked",
				By: audit.Actor{Subject: "operator"}})
		if errors.Is(err, inbox.ErrNoConversation) || isRule(err) {
			break // nobody knows them, or a rule keeps them, such as an open order
		}
		if err == nil && done.CompletedAt != "" {
			w.shop.erased[c] = w.clock()
			w.forgetsCardUser(c)
			break
		}
		if attempt > 100 {
			w.t.Fatalf("never erased at the shop: %+v, %v", done, err)
		}
		w.advance(10 * time.Second)
	}
	w.faults.every.Store(0)
	c.quiet = w.clock().Add(3 * time.Second)
	w.shop.said = slices.DeleteFunc(w.shop.said, func(said *saying) bool { return said.by == c }) // it has gone
}

// ownerMoves has the shop's owner take another number, and a stranger get theirs.
func (w *simulation) ownerMoves() {
	if w.shop.authority.left == "" {
		w.settle() // what the owner has asked for is written
		w.passesAuthority(w.shop.authority)
	}
}

// buttons returns the ids of a copy's buttons and rows.
func (c *taken) buttons() []string {
	var body struct {
		Interactive struct {
			Action struct {
				Buttons  []struct{ Reply struct{ ID string } }
				Sections []struct{ Rows []struct{ ID string } }
			}
		}
		Template struct {
			Components []struct {
				Parameters []struct{ Payload string }
			}
		}
	}
	if json.Unmarshal(c.body, &body) != nil {
		return nil
	}
	var all []string
	for _, b := range body.Interactive.Action.Buttons {
		all = append(all, b.Reply.ID)
	}
	for _, component := range body.Template.Components {
		for _, parameter := range component.Parameters {
			if parameter.Payload != "" {
				all = append(all, parameter.Payload)
			}
		}
	}
	for _, s := range body.Interactive.Action.Sections {
		for _, r := range s.Rows {
			all = append(all, r.ID)
		}
	}
	return all
}

// asked reports whether an entry that names a customer's number is on its way: the holder of the number when it is
// written down gets it.
func (w *simulation) asked(c *customer) bool {
	for _, i := range w.shop.meant {
		if i.of == c && i.message != "" && (w.isUnseen(i.message) || len(w.pending[webhooklog.Inbound]) > 0) {
			return true
		}
	}
	return len(w.operations) > 0
}

func (w *simulation) isUnseen(id string) bool {
	for _, said := range w.shop.said {
		if said.id == id {
			return said.seen.IsZero()
		}
	}
	return false
}
