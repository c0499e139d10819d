package registry_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// book is a store whose customers owe 60000 each, with names.
func book(t *testing.T, names ...string) *credit {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "hello")
	limit := rupees("1000000")
	for i, name := range names {
		customer := model.Name(fmt.Sprintf("+9198765000%02d", i+1))
		_, err := c.khata.Ledger.Set(t.Context(), khata.Shop{ID: creditStore, Tenant: "demo"}, customer, ledger.Settings{
			Name: name, Limit: &limit, Frequency: khatamodel.Weekly, Quiet: true}, 0)
		c.must(err)
		c.must(c.enters(t.Context(), ledger.Draft{
			Customer: customer, Type: khatamodel.CreditSale, Amount: rupees("60000"), By: "x"}, "opens "+name))
	}
	return c
}

// balances returns the accounts that have a name.
func (c *credit) balances() (all []khatamodel.Balance) {
	for _, item := range c.db.Items(c.t, tables.CustomerBalances) {
		var b khatamodel.Balance
		c.must(dynamo.Unmarshal(item, &b))
		if b.CustomerName != "" {
			all = append(all, b)
		}
	}
	return all
}

// understood returns what the chat has made of what the owner writes, as the file of sayings says it.
func (c *credit) understood(text string) string {
	before := map[string]khatamodel.Balance{}
	for _, b := range c.balances() {
		before[b.CustomerName] = b
	}
	told := c.answered(owner, text)[owner]
	for _, b := range c.balances() {
		d := b.OutstandingBalance.Sub(before[b.CustomerName].OutstandingBalance.Decimal)
		switch {
		case d.IsPositive():
			return fmt.Sprintf("sale %s %s", d, b.CustomerName)
		case d.IsNegative():
			return fmt.Sprintf("paid %s %s", d.Neg(), b.CustomerName)
		}
	}
	switch {
	case strings.Contains(told, "what shall I write down?"):
		who, rest, _ := strings.Cut(told, ", ₹")
		amount, _, _ := strings.Cut(rest, ":")
		amount, _, _ = strings.Cut(amount, " (")
		return fmt.Sprintf("asks %s %s", amount, who)
	case strings.Contains(told, "nobody called"):
		_, rest, _ := strings.Cut(told, "nobody called ")
		who, _, _ := strings.Cut(rest, " in the")
		return "unknown " + strings.ToLower(who)
	case strings.HasPrefix(told, "Who owes you"):
		return "book"
	case strings.Contains(told, " owes ₹"):
		who, _, _ := strings.Cut(told, " owes ₹")
		return "account " + who
	}
	return "none"
}

func TestWhatOwnersWriteAboutTheirBookIsUnderstood(t *testing.T) {
	text, err := os.ReadFile("testdata/khata_sayings.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := book(t, "Ramesh Kumar", "Geeta Devi", "Imran Khan", "Anil Sharma", "Shabnam Bano", "Guddu Chai Wala")
	for line := range strings.Lines(string(text)) {
		want, said, is := strings.Cut(strings.TrimSpace(line), " | ")
		if !is {
			continue
		}
		if got := c.understood(said); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}
