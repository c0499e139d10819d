package policy

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/model"
)

func TestTiersBeginAtTheirThresholds(t *testing.T) {
	for score, want := range map[int]cardsmodel.Tier{
		0: cardsmodel.TierLow, 499: cardsmodel.TierLow, 500: cardsmodel.TierMedium, 699: cardsmodel.TierMedium,
		700: cardsmodel.TierHigh, 1000: cardsmodel.TierHigh,
	} {
		if got := TierOf(Default(), score); got != want {
			t.Errorf("%d is %s", score, got)
		}
	}
	if Score(-5) != 0 || Score(1005) != 1000 || Score(7) != 7 {
		t.Error("a score leaves its range")
	}
}

func TestTheMinimumIsAShareButNeitherTooLittleNorMoreThanIsOwed(t *testing.T) {
	for balance, want := range map[string]string{
		"0": "0", "40": "40", "100": "100", "1999.99": "100", "2000.01": "100.01", "10000": "500"} {
		if got := MinimumDue(Default(), amount(balance)); !got.Equal(decimal.RequireFromString(want)) {
			t.Errorf("of %s: %s, want %s", balance, got, want)
		}
	}
}

func TestADayThatHasBegunIsLate(t *testing.T) {
	const due model.Time = "2026-11-21T12:00:00.000Z"
	for at, want := range map[model.Time]int{
		"2026-11-21T12:00:00.000Z": 0, "2026-11-21T12:00:00.001Z": 1, "2026-11-22T12:00:00.000Z": 1,
		"2026-11-22T12:00:00.001Z": 2, "2026-11-01T12:00:00.000Z": 0,
	} {
		if got := DaysOverdue(due, at); got != want {
			t.Errorf("%s is %d days late, want %d", at, got, want)
		}
	}
}

func TestAPolicyThatContradictsItselfIsNamed(t *testing.T) {
	for field, change := range map[string]func(p *cardsmodel.Policy){
		"":                func(*cardsmodel.Policy) {},
		"mediumFrom":      func(p *cardsmodel.Policy) { p.MediumFrom = p.HighFrom },
		"approvalSeconds": func(p *cardsmodel.Policy) { p.ApprovalSeconds = 0 },
		"billingDays":     func(p *cardsmodel.Policy) { p.BillingDays = 366 },
		"minimumShare":    func(p *cardsmodel.Policy) { p.MinimumShare = amount("1.01") },
		"minimumPayment":  func(p *cardsmodel.Policy) { p.MinimumPayment = amount("-1") },
		"ceiling":         func(p *cardsmodel.Policy) { p.Ceiling = amount("0") },
		"latePoints":      func(p *cardsmodel.Policy) { p.LatePoints = p.LatePoints[:2] },
		"products":        func(p *cardsmodel.Policy) { p.Products = append(p.Products, p.Products[0]) },
	} {
		p := Default()
		change(&p)
		if got, problem := Check(p); got != field || (problem == "") != (field == "") {
			t.Errorf("%q: %q, %q", field, got, problem)
		}
	}
	p := Default()
	delete(p.Products[0].Limits, cardsmodel.TierHigh)
	if field, _ := Check(p); field != "products" {
		t.Error("a product without a limit")
	}
}

func TestAPersonIsWrittenToInALanguageThatThereIs(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"hi", "en", "hi"}, {"", "es", "es"}, {"fr", "es", "es"}, {"en_US", "hi", "en"}, {"es-MX", "", "es"},
		{"", "", "en"}} {
		if got := LanguageOf(c.first, c.second); got != c.want {
			t.Errorf("%q, %q: %s", c.first, c.second, got)
		}
	}
}
