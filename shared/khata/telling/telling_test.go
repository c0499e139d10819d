package telling_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/telling"
	"github.com/haatline/haatline/shared/model"
)

func rupees(n int64) model.Amount { return model.Amount{Decimal: decimal.NewFromInt(n)} }

// A customer reads why they owe more: because somebody has corrected it, or because money of a payment went back.
func TestARefundIsToldAsWhatItIs(t *testing.T) {
	s := shop.Shop{Currency: "INR"}
	entry := khatamodel.Transaction{Type: khatamodel.Adjustment, BalanceBefore: rupees(0), BalanceAfter: rupees(50)}
	for source, want := range map[string]string{
		"":         "Your khata was corrected: ₹50 more. You owe ₹50 now.",
		"api":      "Your khata was corrected: ₹50 more. You owe ₹50 now.",
		"whatsapp": "₹50 of your payment was given back to you. You owe ₹50 now.",
	} {
		entry.Metadata = map[string]any{"source": source}
		if got := telling.Text(s, entry, "en"); got != want {
			t.Errorf("%q: %s", source, got)
		}
	}
}
