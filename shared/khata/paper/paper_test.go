package paper

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	reader "github.com/ledongthuc/pdf"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/slip/sliptest"
)

var india = time.FixedZone("IST", 19800)

var made = time.Date(2026, 11, 23, 12, 30, 0, 0, time.UTC)

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// sample is a statement with every kind of entry, and with names that hold anything.
func sample() statement.Statement {
	entry := func(kind khatamodel.Type, before, after string) khatamodel.Transaction {
		return khatamodel.Transaction{
			Type: kind, Date: "2026-11-21", BalanceBefore: amount(before), BalanceAfter: amount(after),
			Notes: "slow payer", Reason: "ours"}
	}
	opening, sale, cash, upi := entry(khatamodel.Adjustment, "0", "1200"),
		entry(khatamodel.CreditSale, "1200", "123456.5"), entry(khatamodel.Payment, "123456.5", "123000"),
		entry(khatamodel.Payment, "123000", "-50")
	fixed, back := entry(khatamodel.Adjustment, "-50", "9999999999999.99"),
		entry(khatamodel.Reversal, "9999999999999.99", "379.5")
	opening.Opening, cash.PaymentMethod, upi.PaymentMethod, upi.ReferenceID = true, "cash", "upi",
		strings.Repeat("4567890123", 10)
	sale.OrderID, sale.Items = "ORD-20261121-7KQ2",
		[]khatamodel.Item{{Name: "बासमती चावल", Quantity: amount("2.5")}, {Name: "Salt", Quantity: amount("1")}}
	return statement.Statement{
		Shop: shop.Shop{
			Name: "शर्मा किराना स्टोर", Currency: "INR", Zone: india, Terms: shop.Terms{VPA: "sharma@okbank"}},
		Customer: "+919876543210", Name: "क्षितिज <script>alert(1)</script> 😀 " + strings.Repeat("श्री", 30),
		From:    model.At(time.Date(2026, 11, 1, 0, 0, 0, 0, india)),
		To:      model.At(time.Date(2026, 12, 1, 0, 0, 0, 0, india)),
		Closing: amount("379.5"), Sold: amount("122256.5"), Paid: amount("123506.5"), Balance: amount("379.5"),
		Ages:    statement.Ages{UpTo30: amount("300"), UpTo60: amount("79.5")},
		Entries: []khatamodel.Transaction{opening, sale, cash, upi, fixed, back},
	}
}

// text returns what stands where on the pages of a statement.
func text(t *testing.T, s statement.Statement, language string) string {
	t.Helper()
	return sliptest.Text(t, language, writer{s, language, made.In(india)}.blocks())
}

func TestAStatementSaysWhatTheCustomerHasToKnow(t *testing.T) {
	var all strings.Builder
	for _, language := range shop.Languages {
		all.WriteString(text(t, sample(), language))
	}
	ahead := sample()
	ahead.Entries, ahead.Balance, ahead.Shop.Currency, ahead.Shop.Terms.VPA, ahead.Name = nil, amount("-1234.5"), "USD",
		"", ""
	all.WriteString(text(t, ahead, "en"))
	golden.Compare(t, "testdata/statement.txt", all.String())
	if strings.Contains(all.String(), "slow payer") || strings.Contains(all.String(), "ours") {
		t.Error("the shop's own notes are on it")
	}
	for key, in := range words {
		for _, language := range shop.Languages {
			if in[language] == "" {
				t.Errorf("%s is not said in %s", key, language)
			}
		}
	}
}

// Another program finds the first and the last entry of the longest statement.
func TestTheLongestStatementIsMade(t *testing.T) {
	s := sample()
	s.Entries = nil
	for i := range statement.MaxEntries {
		s.Entries = append(s.Entries,
			khatamodel.Transaction{
				Type: khatamodel.CreditSale, Date: "2026-11-21", BalanceAfter: amount(fmt.Sprint(i + 1)),
				ReferenceID: fmt.Sprintf("R%04d", i)})
	}
	file, err := PDF(s, "en", made)
	if err != nil {
		t.Fatal(err)
	}
	if len(file) > 1<<20 {
		t.Errorf("a file of %d bytes", len(file))
	}
	read, err := reader.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range []int{1, read.NumPage() - 1, read.NumPage()} {
		for _, piece := range read.Page(page).Content().Text {
			all.WriteString(piece.S)
		}
	}
	for _, want := range []string{
		"You owe now", "₹379.50", "Reference R0000", "Reference R1999", "₹2,000", "sharma@okbank"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("the file does not say %s", want)
		}
	}
}
