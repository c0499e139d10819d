package registry_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
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
		of := khata.Shop{ID: creditStore, Tenant: "demo"}
		_, err := c.khata.Ledger.Set(t.Context(), of, customer, ledger.Settings{
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

// perBook is how many sayings one book hears: each is compared with all that was said before.
const perBook = 40

func TestWhatOwnersWriteAboutTheirBookIsUnderstood(t *testing.T) {
	text, err := os.ReadFile("testdata/khata_sayings.txt")
	if err != nil {
		t.Fatal(err)
	}
	var c *credit
	for i, line := range strings.Split(string(text), "\n") {
		if i%perBook == 0 {
			c = book(t, "Ramesh Kumar", "Geeta Devi", "Imran Khan", "Anil Sharma", "Shabnam Bano", "Guddu Chai Wala")
		}
		want, said, is := strings.Cut(strings.TrimSpace(line), " | ")
		if !is {
			continue
		}
		got := c.understood(said)
		if written := strings.HasPrefix(got, "paid") || strings.HasPrefix(got, "sale"); want == "nothing" && !written {
			continue
		}
		if got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}

// taps has the owner write, and returns the taps on the buttons of the answer, by their titles.
func (c *credit) taps(text string) map[string]string {
	all := map[string]string{}
	for title, id := range c.answered(owner, text) {
		if button, is := strings.CutPrefix(title, owner+" "); is {
			all[button] = "tap " + id
		}
	}
	return all
}

// What may be no entry is written down as the owner's tap says, once.
func TestAnOwnerSaysWhatAnEntryIs(t *testing.T) {
	c := book(t, "Ramesh Kumar", "Geeta Devi")
	first, second := c.taps("ramesh ko 500 diye"), c.taps("geeta ne 70 nahi diye")
	for _, step := range []struct{ tap, want string }{
		{first["On credit"], "sale 500 Ramesh Kumar"}, {first["On credit"], "none"}, {first["A payment"], "none"},
		{second["Nothing"], "none"}, {second["A payment"], "paid 70 Geeta Devi"}, {second["On credit"], "none"},
	} {
		if got := c.understood(step.tap); got != step.want {
			t.Errorf("%s: %s, want %s", step.tap, got, step.want)
		}
	}
}

// The owner names a customer by the number that the chat asks for. The book then knows the name.
func TestANumberNamesACustomerOfTheBook(t *testing.T) {
	c := book(t, "Ramesh Kumar")
	for _, step := range []struct{ text, want string }{
		{"99887 76655", "none"}, // nothing was asked
		{"suresh yadav 500 udhaar", "unknown suresh yadav"},
		{"99887 76655", "sale 500 Suresh Yadav"},
		{"99887 76655", "none"}, // it was written down before
		{"suresh 200 diya", "paid 200 Suresh Yadav"},
		{"mohan ko 90 udhaar", "unknown mohan"},
		{"ramesh 10 diya", "paid 10 Ramesh Kumar"},
		{"98111 22334", "sale 90 Mohan"},
		{"98111 22334 ko 60 ka udhaar doodh", "sale 60 Mohan"},
		{"9811122334 ne 20 diye", "paid 20 Mohan"},
		{"98111-22334 ko 20 diye", "asks 20 Mohan"}, {"98111 22334 note 50", "none"},
		{"+91 98111 22334", "none"}, // no sale of 91
		{"+91 98111 22334 rice\n+91 98111 22335", "none"},
		{"+90 98111 22334 rice", "sale 90 Mohan"},
		{"kavita ne 30 udhaar liya", "unknown kavita"},
		{"+91 98111 22334", "sale 30 Mohan"}, // the number is another one's: the name stays
		{"kavita ne 40 udhaar liya", "unknown kavita"},
		{"mila ne 40 udhaar liya", "unknown mila"}, // who is a verb elsewhere
		{"haan", "none"},
	} {
		if got := c.understood(step.text); got != step.want {
			t.Errorf("%s: %s, want %s", step.text, got, step.want)
		}
	}
}

// A message that tells of several entries is answered at once. A line that is not clear is not written.
func TestAnOwnerTellsOfSeveralEntries(t *testing.T) {
	c := book(t, "Ramesh Kumar", "Geeta Devi", "Imran Khan")
	told := c.answered(owner, "list:\n1. Ramesh 500 diya\n2. geeta ko 300 udhaar\nimran ko 20 diye\n"+
		"geeta 2 kg chawal\nsuresh 10 udhaar")[owner]
	for _, want := range []string{"Ramesh Kumar (", "paid ₹500", "₹300 on credit for Geeta Devi",
		"Not written: imran ko 20 diye.", "Not written: geeta 2 kg chawal.", "Not written: suresh 10 udhaar."} {
		if !strings.Contains(told, want) {
			t.Errorf("%q has no %q", told, want)
		}
	}
}

// An erasure reaches what was written about a customer before the book knew their number.
func TestACustomerWhoWasAskedForByNameIsErased(t *testing.T) {
	c := book(t, "Ramesh Kumar")
	c.answered(asha, "hello")
	for _, text := range []string{"zubeda ne 30 udhaar liya", "98765 43210"} {
		c.answered(owner, text)
	}
	named := func() (where []string) {
		for table, items := range c.db.Dump(t) {
			for key, item := range items {
				if strings.Contains(strings.ToLower(fmt.Sprint(item)), "zubeda") {
					where = append(where, table+" "+key)
				}
			}
		}
		return where
	}
	if before := named(); len(before) < 4 {
		t.Fatalf("named in %q", before)
	}
	c.must(c.erases(t.Context(), erasure.CancelOrders))
	if after := named(); len(after) > 0 {
		t.Errorf("still named in %q", after)
	}
}
