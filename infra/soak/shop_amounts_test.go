package soak

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The amounts that messages tell, in the words of the credit book and of the shop.
var (
	toldEntry = regexp.MustCompile(
		`(?:has got|paid|Written:) ₹([\d.]+)(?: on credit for .*)?\. (?:You owe|Owes) ₹(-?[\d.]+) now`)
	toldBalance = regexp.MustCompile(
		`You owe Rao Kirana ₹([\d.]+)\.|They owe ₹(-?[\d.]+)\.|has ₹([\d.]+) of yours as an advance`)
	anAmount = regexp.MustCompile(`₹(-?[\d.]*\d)`)
)

// checkAmounts checks that the amounts that customers and the shop were told are those of the books.
func (w *simulation) checkAmounts(b book) {
	accepted := w.acceptedAt()
	for _, copy := range w.meta.all() {
		if copy.phone != shopPhone {
			continue
		}
		text := copy.text()
		if numbers := orderNumber.FindAllString(text, -1); len(numbers) == 1 &&
			!strings.Contains(text, "Shall I place it?") {
			// a question about a basket may name an earlier order as well
			w.checkOrderTold(copy, model.Name(numbers[0]), text)
		}
		if told := toldEntry.FindStringSubmatch(text); told != nil {
			w.checkEntryTold(b, copy, decimal.RequireFromString(told[1]), decimal.RequireFromString(told[2]))
		}
		if told := toldBalance.FindStringSubmatch(text); told != nil {
			happened.told.Add(1)
			w.checkBalanceTold(b, copy, accepted[copy.eventID], told)
		}
	}
}

// text returns all texts of a message.
func (c *taken) text() string {
	var b strings.Builder
	var body any
	if json.Unmarshal(c.body, &body) != nil {
		return ""
	}
	var write func(any)
	write = func(value any) {
		switch v := value.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, one := range v {
				write(one)
			}
		case map[string]any:
			for _, one := range v {
				write(one)
			}
		}
	}
	write(body)
	return b.String()
}

// checkOrderTold checks that a message about one order names no amount but the order's.
func (w *simulation) checkOrderTold(copy *taken, number model.Name, text string) {
	bought := w.shop.bought[number]
	if bought == nil {
		return
	}
	for _, told := range anAmount.FindAllStringSubmatch(text, -1) {
		if happened.told.Add(1); !decimal.RequireFromString(told[1]).Equal(bought.order.TotalAmount.Decimal) {
			w.t.Errorf("%s tells ₹%s of %s, which comes to %s: %s", copy.eventID, told[1], number,
				bought.order.TotalAmount, text)
		}
	}
}

// checkEntryTold checks that an entry that somebody was told of led to the balance that they were told.
func (w *simulation) checkEntryTold(b book, copy *taken, amount, balance decimal.Decimal) {
	happened.told.Add(1)
	for _, entry := range b.entries {
		if entry.Amount.Equal(amount) && entry.BalanceAfter.Equal(balance) {
			return
		}
	}
	w.t.Errorf("%s tells of an entry over ₹%s that led to ₹%s, and there is none: %s", copy.eventID, amount, balance,
		copy.body)
}

// checkBalanceTold checks that a balance that somebody was told was the balance of an account shortly before. What
// customers are told of is their own account.
func (w *simulation) checkBalanceTold(b book, copy *taken, at model.Time, told []string) {
	text := told[1] + told[2] + told[3]
	balance := decimal.RequireFromString(text)
	if told[3] != "" {
		balance = balance.Neg()
	}
	for account := range b.balances {
		own := told[2] != "" || b.owners[account] == copy.holder || copy.holder == nil ||
			!w.knewOf(w.numberOf(copy.to), b.owners[account], at)
		if own && w.cameTo(b, account, at.Go().Add(-answerTime), at.Go().Add(2*skew), balance) {
			return
		}
	}
	w.t.Errorf("%s tells %s at %s of ₹%s, and no account of theirs came to that: %s", copy.eventID, nameOf(copy.holder),
		at, text, copy.body)
}

// answerTime is how long before a message was accepted its balance may have been read.
const answerTime = 10 * time.Second

// checkLimits checks that nobody owes more than they may, open orders on credit included. It looks at the books between
// any two steps.
func (w *simulation) checkLimits() {
	limit := w.shop.store.Settings.Credit.DefaultLimit
	if limit == nil {
		return
	}
	for _, item := range w.items(tables.CustomerBalances) {
		var balance khatamodel.Balance
		unmarshal(w.t, item, &balance)
		taken := balance.OutstandingBalance.Add(balance.Ordered().Decimal)
		if !taken.GreaterThan(limit.Decimal) ||
			slices.ContainsFunc(w.entries(), func(entry khatamodel.Transaction) bool {
				return entry.CustomerPhone == balance.CustomerPhone &&
					(entry.Type == khatamodel.Reversal || entry.Metadata["source"] == "join")
			}) {
			continue // what is taken back may be a payment, and a person with two accounts had two limits
		}
		w.t.Errorf("%s owes %s and has ordered for %s, and may owe %s", balance.CustomerPhone,
			balance.OutstandingBalance, balance.Ordered(), limit)
	}
}

// checkOrdered checks that the orders that count against a limit are those that are open.
func (w *simulation) checkOrdered(b book) {
	counted := map[model.Name]decimal.Decimal{}
	for _, balance := range b.balances {
		for id, amount := range balance.OpenOrders {
			counted[id] = counted[id].Add(amount.Decimal)
		}
	}
	for id, bought := range w.shop.bought {
		want := decimal.Zero
		if order := bought.order; order.PaymentMethod == orders.OnCredit &&
			len(orders.StateOf(order.Status).Next) > 0 && order.Status != commercemodel.OrderDelivered {
			want = order.TotalAmount.Decimal
		}
		if !counted[id].Equal(want) {
			w.t.Errorf("%s is %s over %s on %s, and counts as %s", id, bought.order.Status, bought.order.TotalAmount,
				bought.order.PaymentMethod, counted[id])
		}
	}
}
