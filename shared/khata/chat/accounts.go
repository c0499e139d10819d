package chat

import (
	"context"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
)

// account tells the owner what a customer owes, with the latest entries. It reports false if the words name no
// customer.
func (t talk) account(ctx context.Context, words []string) (bool, error) {
	found, rest, err := t.Ledger.Called(ctx, t.shop.ID, words)
	if err != nil || len(found) == 0 || len(rest) > 0 {
		return false, err
	}
	if len(found) > 1 {
		return true, t.choose(ctx, words, found,
			func(b khatamodel.Balance) pick { return pick{what: account, account: b.CustomerPhone} })
	}
	return true, t.tellAccount(ctx, found[0])
}

// tellAccount tells the owner what a customer owes, with the latest entries.
func (t talk) tellAccount(ctx context.Context, b khatamodel.Balance) error {
	t.about = khatamodel.CustomerOf(b.CustomerPhone)
	latest, err := t.Ledger.Latest(ctx, t.shop.ID, b.CustomerPhone, maxShown)
	if err != nil {
		return err
	}
	var lines []string
	for _, entry := range latest {
		lines = append(lines,
			fmt.Sprintf("%s: %s → %s", entry.Day(), t.change(entry), t.money(entry.BalanceAfter)))
	}
	return t.reply(ctx, "account", map[string]string{
		"who": model.ShownLine(b.CustomerName), "balance": t.money(b.OutstandingBalance),
		"lines": strings.Join(lines, "\n")})
}

// maxShown is how many entries an account shows.
const maxShown = 5

func (t talk) change(e khatamodel.Transaction) string {
	delta := e.BalanceAfter.Sub(e.BalanceBefore.Decimal)
	if delta.IsNegative() {
		return "−" + t.money(model.Amount{Decimal: delta.Neg()})
	}
	return "+" + t.money(model.Amount{Decimal: delta})
}

// mostOwing is how many customers the answer names of those who owe.
const mostOwing = 10

// book tells the owner who owes how much, the largest first.
func (t talk) book(ctx context.Context) error {
	all, err := t.Ledger.Largest(ctx, t.shop.ID, mostOwing+1, "")
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return t.reply(ctx, "nobody_owes", nil)
	}
	var lines []string
	for _, b := range all[:min(len(all), mostOwing)] {
		who, err := t.shownAs(ctx, b)
		if err != nil {
			return err
		}
		t.others = append(t.others, khatamodel.CustomerOf(b.CustomerPhone))
		lines = append(lines, who+": "+t.money(b.OutstandingBalance))
	}
	key := "book"
	if len(all) > mostOwing {
		key = "book_more"
	}
	return t.reply(ctx, key, map[string]string{"lines": strings.Join(lines, "\n")})
}

// shownAs returns what names the customer of an account to the shop: the name in the book, or the number.
func (t talk) shownAs(ctx context.Context, b khatamodel.Balance) (string, error) {
	if b.CustomerName != "" {
		return model.ShownLine(b.CustomerName), nil
	}
	return t.who(ctx, b.CustomerPhone)
}
