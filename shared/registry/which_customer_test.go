package registry_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// opens gives a customer an account of 500.
func (c *credit) opens(customer model.Name, name string) {
	c.t.Helper()
	c.must(c.enters(c.t.Context(), ledger.Draft{
		Customer: customer, Name: name, Type: khatamodel.CreditSale, Amount: rupees("500"), By: "x"}, "opens "+name))
}

// The owner writes as the book does. Where two customers fit a name, a row says which; the first row counts.
func TestTheOwnerSaysWhichCustomerIsMeant(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "hello")
	c.opens("+919876500001", "Ramesh Yadav")
	c.opens("+919876500002", "Ramesh Gupta")
	c.answered(owner, "ramesh 200 diya")
	var rows []string
	for _, m := range c.sent() {
		for _, part := range strings.Split(string(m.Content), `"id":"`)[1:] {
			if id, _, _ := strings.Cut(part, `"`); strings.HasPrefix(id, "khata:pick:") {
				rows = append(rows, id)
			}
		}
	}
	if len(rows) != 2 {
		t.Fatalf("rows %q", rows)
	}
	for _, step := range []struct{ text, want string }{
		{"tap " + rows[1], "paid ₹200. Owes ₹300 now."},
		{"tap " + rows[0], "Nothing changed: this entry was written down before."},
		{"kal ramesh yadav 70 udhaar", "₹70 (20 Nov 2026) on credit for Ramesh Yadav"},
		{"20/11 ramesh gupta 5 diya", "paid"},
	} {
		if told := c.answered(owner, step.text)[owner]; !strings.Contains(told, step.want) {
			t.Errorf("%s: %q", step.text, told)
		}
	}
	days := map[string]int{}
	for _, item := range db.Items(t, tables.KhataTransactions) {
		if dynamo.Text(item, "occurred_on") != "" {
			days[dynamo.Text(item, "occurred_on")]++
		}
	}
	if len(days) != 1 || days["2026-11-20"] != 2 {
		t.Errorf("%v", days)
	}
}
