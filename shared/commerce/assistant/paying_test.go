package assistant_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
)

// An order that is paid by UPI is paid in WhatsApp, if the account takes payments, else by a link. A change of it is
// another payment.
func TestHowAnOrderIsPaidByUPI(t *testing.T) {
	charge := model.Amount{Decimal: store100}
	for name, c := range map[string]struct {
		set        func(s *commercemodel.Settings)
		pays       string
		want, then []string
	}{
		"in WhatsApp": {pays: "upi se dunga",
			set: func(s *commercemodel.Settings) { s.PaymentConfiguration = "upi-shop" },
			want: []string{`"order_details"`, `"payment_configuration":"upi-shop"`, `"type":"quick_pay"`,
				`"subtotal":{"offset":100,"value":16000}`, `"shipping":{"offset":100,"value":10000}`,
				`"total_amount":{"offset":100,"value":26000}`},
			then: []string{`"value":1600`, `"total_amount":{"offset":100,"value":24400}`, `.2"`}},
		"rounded": {pays: "upi se dunga", set: func(s *commercemodel.Settings) {
			s.PaymentConfiguration, s.RoundTo, s.Delivery = "upi-shop", &charge, nil
		}, want: []string{`"total_amount":{"offset":100,"value":20000}`, `"tax":{"description":"Rounding ₹40","offset":100,"value":4000}`}},
		"by a link": {pays: "upi se dunga", want: []string{"upi://pay?", "am=260.00"}, then: []string{"am=244.00"}},
		"in cash": {pays: "cash dunga", set: func(s *commercemodel.Settings) { s.PaymentConfiguration = "upi-shop" },
			want: []string{"₹260"}, then: []string{"₹244"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, func(s *commercemodel.Store) {
				s.Settings.PaymentMethods = []string{"cod", "upi"}
				s.Settings.Delivery = &commercemodel.Delivery{Charge: charge}
				s.Settings.Credit = &commercemodel.Credit{VPA: "shop@bank"}
				if c.set != nil {
					c.set(&s.Settings)
				}
			})
			h.promises("DIWALI10", nil)
			last := func() string {
				all := h.answers()
				return all[len(all)-1].TextBody + string(all[len(all)-1].Content)
			}
			for _, says := range []string{"1 kg tur dal. pata: B-45 Sudama Nagar", c.pays, "yes"} {
				h.say(says)
			}
			for _, part := range c.want {
				if !strings.Contains(last(), part) {
					t.Errorf("no %s in %s", part, last())
				}
			}
			if (name == "in cash") == strings.Contains(last(), "upi") {
				t.Error(last())
			}
			h.say("DIWALI10")
			for _, part := range c.then {
				if !strings.Contains(last(), part) {
					t.Errorf("no %s in %s", part, last())
				}
			}
		})
	}
}
