package soak

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
)

// checkShop compares the books of the shop with what people meant, and what people were told with whose it was.
func (w *simulation) checkShop(s state) {
	books := w.books()
	w.checkChains(books)
	w.checkIntentions(books)
	w.checkOrders(books)
	w.checkJoins(books)
	w.checkReminders(books)
	w.checkTold(books)
	w.checkAmounts(books)
	w.checkOrdered(books)
	w.checkShopMessages(s)
	w.checkCards(s)
	w.countHappened(books)
}

func (w *simulation) countHappened(b book) {
	happened.orders.Add(int64(len(w.shop.bought)))
	happened.erasures.Add(int64(len(w.shop.erased)))
	for _, entry := range b.entries {
		i := w.intentionOf(entry)
		switch {
		case entry.Metadata["source"] == "join":
			happened.joins.Add(1)
		case entry.OrderID != "" && entry.Type == khatamodel.Reversal:
			happened.refunds.Add(1)
		case entry.OrderID != "":
			happened.sales.Add(1)
		default:
			if happened.entries.Add(1); i != nil && i.what == "claim" {
				happened.claims.Add(1)
			}
		}
	}
	for _, item := range w.items(tables.PaymentReminders) {
		if textOf(item, "status") == string(khatamodel.Sent) {
			happened.reminders.Add(1)
		}
	}
}

// book is the ledgers at the end.
type book struct {
	entries  []khatamodel.Transaction
	balances map[model.Name]khatamodel.Balance
	owners   map[model.Name]*customer // whose account it is
}

func (w *simulation) books() book {
	b := book{entries: w.entries(), balances: map[model.Name]khatamodel.Balance{}, owners: w.owners()}
	for account, of := range w.shop.accounts { // an erasure leaves the account, and forgets whose it was
		b.owners[account] = of
	}
	for _, item := range w.items(tables.CustomerBalances) {
		var balance khatamodel.Balance
		unmarshal(w.t, item, &balance)
		b.balances[balance.CustomerPhone] = balance
	}
	return b
}

// owners returns whose accounts there are, as the shop is shown them.
func (w *simulation) owners() map[model.Name]*customer {
	owners := map[model.Name]*customer{}
	k := registry.Khata(w.open(w.db.Client)) // what is wrong there is no fault
	shop, err := k.Shops.Shop(w.t.Context(), w.shop.store.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, item := range w.items(tables.CustomerBalances) {
		account := model.Name(dynamo.Text(item, "customer_phone"))
		shown, err := k.Shown(w.t.Context(), shop, account)
		if err != nil {
			w.t.Fatal(err)
		}
		id := shown(account)
		if id != "" && id[0] == '+' {
			id = id[1:]
		}
		if of := w.holderOf(id); of != nil {
			owners[account] = of
		}
	}
	return owners
}

// checkChains checks that each ledger is a chain without gaps, and that the balance is its end.
func (w *simulation) checkChains(b book) {
	chains := map[model.Name][]khatamodel.Transaction{}
	for _, entry := range b.entries {
		chains[entry.CustomerPhone] = append(chains[entry.CustomerPhone], entry)
	}
	for account, chain := range chains {
		slices.SortFunc(chain, func(x, y khatamodel.Transaction) int { return int(x.Version - y.Version) })
		sum := decimal.Zero
		for i, entry := range chain {
			if entry.Version != int64(i+1) || !entry.BalanceBefore.Equal(sum) {
				w.t.Errorf("the ledger of %s breaks at entry %d: version %d, before %s, and it was %s", account, i+1,
					entry.Version, entry.BalanceBefore, sum)
			}
			sum = entry.BalanceAfter.Decimal
		}
		if kept := b.balances[account]; !kept.OutstandingBalance.Equal(sum) || kept.Version != int64(len(chain)) {
			w.t.Errorf("the ledger of %s comes to %s in %d entries, and the balance says %s of %d", account, sum,
				len(chain), kept.OutstandingBalance, kept.Version)
		}
	}
}

// checkIntentions checks that every entry was meant, by somebody who may mean it, for the person in whose ledger it is;
// and that what was meant is there once.
func (w *simulation) checkIntentions(b book) {
	made := map[*intention]int{}
	for _, entry := range b.entries {
		if entry.OrderID != "" || entry.Metadata["source"] == "join" {
			continue
		}
		i := w.intentionOf(entry)
		if i == nil {
			w.t.Errorf("%s over %s in the ledger of %s was meant by nobody: %+v", entry.Type, entry.Amount,
				entry.CustomerPhone, entry)
			continue
		}
		made[i]++
		if i.reverses == "" && b.owners[entry.CustomerPhone] != i.of {
			w.t.Errorf("%s over %s, for %s, is in the ledger of %s, which is %s's", i.what, entry.Amount, i.of.name,
				entry.CustomerPhone, nameOf(b.owners[entry.CustomerPhone]))
		}
		if i.reverses == "" && !entry.Delta().Equal(i.delta) {
			w.t.Errorf("%s over %s has added %s", i.what, i.delta, entry.Delta())
		}
		if why := w.forbids(i, entry); why != "" {
			w.t.Errorf("%s over %s by %s is in the ledger of %s: %s", i.what, entry.Amount, nameOf(i.by),
				entry.CustomerPhone, why)
		}
	}
	for _, i := range w.shop.meant {
		if n := made[i]; n > 1 || n == 0 && w.demands(i) {
			w.t.Errorf("%s over %s for %s at %s by %s has %d entries", i.what, i.amount, nameOf(i.of),
				i.at.Format("15:04:05.000"), nameOf(i.by), n)
		}
	}
}

// intentionOf returns what somebody meant by an entry; nil if nobody did. Of two who reverse one entry, the one who was
// accepted has done it.
func (w *simulation) intentionOf(entry khatamodel.Transaction) (meant *intention) {
	for _, i := range w.shop.meant {
		reverses := entry.Type == khatamodel.Reversal && i.reverses != "" && i.reverses == entry.Reverses
		if !reverses && (entry.Type == khatamodel.Reversal || !i.amount.Equal(entry.Amount.Decimal)) {
			continue
		}
		if meant == nil || meant.refused {
			meant = i
		}
	}
	return meant
}

// forbids returns why an entry may not be there; "" if it may.
func (w *simulation) forbids(i *intention, entry khatamodel.Transaction) string {
	switch {
	case i.group:
		return "it was written in a group"
	case i.refused:
		return "its caller was refused"
	case i.what == "claim" &&
		!slices.ContainsFunc(i.yes, func(tap *saying) bool { return w.mayAct(tap.by, tap.at, entry) }):
		return "the shop has not said yes"
	case i.what == "command" && !w.mayAct(i.by, i.at, entry):
		return "the number had passed on, and the shop knew it"
	}
	return ""
}

// mayAct reports whether an entry may come of what somebody wrote at a time: they had the shop's authority then, or the
// shop did not know that the number had passed on.
func (w *simulation) mayAct(by *customer, at time.Time, entry khatamodel.Transaction) bool {
	a := w.shop.authority
	told, known := w.shop.known[a.left]
	return a.has(by, at) || !(known && entry.CreatedAt.Go().After(told)) && (by == a.first() || by == a.number.holder)
}

// demands reports whether an intention must have become an entry.
func (w *simulation) demands(i *intention) bool {
	limited := w.shop.store.Settings.Credit.DefaultLimit != nil && i.delta.IsPositive()
	switch i.what {
	case "command":
		return !i.group && !limited && w.shop.authority.hasSurely(i.by, i.at) && !w.late(i.message, i)
	case "API", "reversal":
		if i.what == "reversal" && i.accepted {
			return !slices.ContainsFunc(w.shop.meant,
				func(other *intention) bool { return other != i && other.reverses == i.reverses && other.accepted })
		}
		return i.accepted
	}
	return false
}

// late reports whether a message may have waited for more than a day, so that it was left to people.
func (w *simulation) late(id string, i *intention) bool {
	for _, said := range w.shop.said {
		if said.id == id {
			return said.seen.IsZero() || said.seen.Sub(i.at).Hours() > 20
		}
	}
	return false
}

func nameOf(c *customer) string {
	if c == nil {
		return "nobody"
	}
	return c.name
}

// checkOrders checks that every order on credit that was delivered is sold once, to who ordered it, and taken back once
// where it was refunded.
func (w *simulation) checkOrders(b book) {
	sales, reversed := map[model.Name][]khatamodel.Transaction{}, map[model.Name]int{}
	for _, entry := range b.entries {
		if entry.OrderID == "" {
			continue
		}
		if entry.Type == khatamodel.Reversal {
			reversed[entry.OrderID]++
		} else {
			sales[entry.OrderID] = append(sales[entry.OrderID], entry)
		}
	}
	for id, bought := range w.shop.bought {
		order := bought.order
		had := order.Status == commercemodel.OrderDelivered || order.Status == commercemodel.OrderRefunded
		want := map[bool]int{true: 1}[order.PaymentMethod == orders.OnCredit && had]
		if len(sales[id]) != want {
			w.t.Errorf("%s of %s, %s on %s, erased %q, has %d sales", id, nameOf(bought.of), order.Status,
				order.PaymentMethod, order.ErasedAt, len(sales[id]))
			continue
		}
		if back := map[bool]int{
			true: 1}[want == 1 && order.Status == commercemodel.OrderRefunded]; reversed[id] != back {
			w.t.Errorf("%s of %s, %s, is taken back %d times", id, nameOf(bought.of), order.Status, reversed[id])
		}
		for _, sale := range sales[id] {
			if of := b.owners[sale.CustomerPhone]; of != bought.of {
				w.t.Errorf("%s of %s is sold to %s, which is %s's", id, nameOf(bought.of), sale.CustomerPhone,
					nameOf(of))
			}
			if !sale.Amount.Equal(order.TotalAmount.Decimal) {
				w.t.Errorf("%s comes to %s, and is sold for %s", id, order.TotalAmount, sale.Amount)
			}
		}
	}
}

// checkJoins checks that what joins accounts moves nothing from one person to another.
func (w *simulation) checkJoins(b book) {
	moved := map[*customer]decimal.Decimal{}
	for _, entry := range b.entries {
		if entry.Metadata["source"] == "join" {
			of := b.owners[entry.CustomerPhone]
			moved[of] = moved[of].Add(entry.Delta().Decimal)
		}
	}
	for of, sum := range moved {
		if !sum.IsZero() {
			w.t.Errorf("joining accounts has moved %s to %s", sum, nameOf(of))
		}
	}
}
