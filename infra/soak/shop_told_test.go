package soak

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// checkReminders checks that a reminder told what was owed then, that it went to somebody who owed and had not refused,
// and that there is one a period.
func (w *simulation) checkReminders(b book) {
	type slot struct {
		account model.Name
		day     string
	}
	seen := map[slot]int{}
	for _, item := range w.items(tables.PaymentReminders) {
		var r khatamodel.Reminder
		unmarshal(w.t, item, &r)
		if r.SentAt == nil {
			continue
		}
		at := r.SentAt.Go()
		if r.Frequency != khatamodel.Once {
			if seen[slot{r.CustomerPhone, string(r.SlotAt)}]++; seen[slot{r.CustomerPhone, string(r.SlotAt)}] > 1 {
				w.t.Errorf("%s was reminded twice of %s", r.CustomerPhone, r.SlotAt)
			}
		}
		if owed := owedAt(b, r.CustomerPhone, *r.SentAt); !w.owedThen(b, r) {
			w.t.Errorf("%s was reminded at %s of %s, and owed %s", r.CustomerPhone, at, r.OutstandingAmount, owed)
		}
		of := b.owners[r.CustomerPhone]
		if of == nil {
			w.t.Errorf("%s was reminded, and is nobody's account", r.CustomerPhone)
			continue
		}
		if w.refused(of, at) {
			w.t.Errorf("%s was reminded at %s by %s of %s (%s), and wants no messages: %s", of.name, at,
				r.OutboxEventID, r.CustomerPhone, r.Status, w.wordsOf(of))
		}
		if erased, was := w.shop.erased[of]; was && at.After(erased) && !w.backSince(of, erased) {
			w.t.Errorf("%s was reminded at %s, and was erased at %s", of.name, at, erased)
		}
	}
}

// owedAt returns what an account owed at a time.
func owedAt(b book, account model.Name, at model.Time) model.Amount {
	var last khatamodel.Transaction
	for _, entry := range b.entries {
		if entry.CustomerPhone == account && entry.CreatedAt <= at && entry.Version > last.Version {
			last = entry
		}
	}
	return last.BalanceAfter
}

// commitTime is how long after its time an entry may be committed.
const commitTime = 3 * time.Second

// owedThen reports whether a reminder told what was owed when it was handed over, and that was something. An entry has
// the time of its making, by the clock of who made it: one that was made just before may have been committed after the
// reminder.
func (w *simulation) owedThen(b book, r khatamodel.Reminder) bool {
	from, to := r.SentAt.Go().Add(-commitTime), r.SentAt.Go().Add(2*skew)
	return r.OutstandingAmount.IsPositive() && w.cameTo(b, r.CustomerPhone, from, to, r.OutstandingAmount.Decimal)
}

// cameTo reports whether an account came to a balance at a time.
func (w *simulation) cameTo(b book, account model.Name, from, to time.Time, balance decimal.Decimal) bool {
	if owedAt(b, account, model.At(from)).Equal(balance) {
		return true
	}
	return slices.ContainsFunc(b.entries, func(entry khatamodel.Transaction) bool {
		at := entry.CreatedAt.Go()
		return entry.CustomerPhone == account && entry.BalanceAfter.Equal(balance) && !at.Before(from) && !at.After(to)
	})
}

// refused reports whether somebody had asked to stop, and the shop had read it. Who shows other identifiers than the
// one that the shop reminds is another person to it.
func (w *simulation) refused(c *customer, at time.Time) bool {
	last := 0
	if c.shows == aUserID || c.shows == mixed {
		return false
	}
	for _, said := range w.shop.said {
		switch {
		case said.by != c || said.word == 0:
		case said.word < 0 && said.at.Before(at):
			last = -1
		case said.word > 0 && !said.seen.IsZero() && said.seen.Before(at):
			last = +1
		}
	}
	return last > 0
}

// backSince reports whether somebody who was erased has written again, or has a new debt.
func (w *simulation) backSince(c *customer, erased time.Time) bool {
	for _, said := range w.shop.said {
		if said.by == c {
			return true
		}
	}
	for _, i := range w.shop.meant {
		if i.of == c && i.at.After(erased) {
			return true
		}
	}
	for _, bought := range w.shop.bought {
		if bought.of == c && bought.order.UpdatedAt.Go().After(erased) {
			return true
		}
	}
	return false
}

// wordsOf returns what somebody has written about messages.
func (w *simulation) wordsOf(c *customer) (all []string) {
	for _, said := range w.shop.said {
		if said.by == c && said.word != 0 {
			all = append(all,
				fmt.Sprintf("%+d at %s, read by %s", said.word, said.at.Format("02 15:04:05.000"),
					said.seen.Format("02 15:04:05.000")))
		}
	}
	return all
}

// freshTime is how long after it was accepted a message is sent without another look at whose the number is.
const freshTime = 10*time.Second + 2*skew

var orderNumber = regexp.MustCompile(`ORD-\d{8}-[0-9A-Z]{8}`)

// checkTold checks that what was sent about somebody's order or debt went to them, or to the shop. What was accepted
// before the shop knew that a number had passed on is excused, and so is what was sent before that.
func (w *simulation) checkTold(b book) {
	about, accepted := w.aboutCards(), w.acceptedAt()
	for _, item := range w.items(tables.PaymentReminders) {
		var r khatamodel.Reminder
		if unmarshal(w.t, item, &r); r.OutboxEventID != "" {
			about[r.OutboxEventID] = b.owners[r.CustomerPhone]
		}
	}
	for _, copy := range w.meta.all() {
		if copy.phone != shopPhone || w.shop.mayBeTold(copy.holder) {
			continue
		}
		of := about[copy.eventID]
		for _, id := range orderNumber.FindAllString(string(copy.body), -1) {
			if bought := w.shop.bought[model.Name(id)]; bought != nil {
				of = bought.of
			}
		}
		at := accepted[copy.eventID]
		if of == nil || copy.holder == nil || of == copy.holder || !w.knewOf(w.numberOf(copy.to), of, at) {
			continue
		}
		if copy.at.Sub(at.Go()) < freshTime || !w.knewOf(w.numberOf(copy.to), of, model.At(copy.at)) {
			continue // it passed on while the message was on its way
		}
		w.t.Errorf("%s at %s went to %s, whose number it was; it is about %s: %s", copy.eventID,
			copy.at.Format("15:04:05.000"), copy.holder.name, of.name, copy.body)
	}
}

// numberOf returns an identifier.
func (w *simulation) numberOf(id string) *number {
	for _, n := range slices.Concat(w.shop.numbers, w.numbers, w.userIDs) {
		if n.id == id {
			return n
		}
	}
	return &number{}
}

// knewOf reports whether the shop knew at a time of all changes until then of those who have had an identifier, and of
// somebody else. It reports false if nobody can say whom of is.
func (w *simulation) knewOf(n *number, of *customer, at model.Time) bool {
	if of == nil {
		return false
	}
	ids := append([]string{}, of.told...)
	for _, holder := range n.all {
		ids = append(ids, holder.told...)
	}
	for _, id := range ids {
		if known, heard := w.shop.known[id]; w.shop.happened[id].Before(at.Go()) && (!heard || !known.Before(at.Go())) {
			return false
		}
	}
	return at != ""
}

// mayBeTold reports whether somebody has had the shop's authority: they are told of all orders.
func (s *kirana) mayBeTold(c *customer) bool {
	return slices.ContainsFunc(s.authority.grants, func(g grant) bool { return g.to == c })
}
