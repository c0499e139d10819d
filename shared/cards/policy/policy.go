// Package policy owns what follows from a tenant's card policy: tiers from scores, limits from products, what is due,
// and what a payment does to the score. It does no I/O.
package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/model"
)

// The range of scores.
const (
	LowestScore  = 0
	HighestScore = 1000
	// FirstScore is the score of a new user for whom none is given.
	FirstScore = 500
)

// Default returns the policy of a tenant that has decided nothing.
func Default() cardsmodel.Policy {
	return cardsmodel.Policy{
		MediumFrom: 500, HighFrom: 700,
		ApprovalSeconds: 48 * 60 * 60,
		Products: []cardsmodel.Product{{ID: "standard", Name: "Standard card", Limits: map[cardsmodel.Tier]model.Amount{
			cardsmodel.TierLow: amount("2000"), cardsmodel.TierMedium: amount("10000"),
			cardsmodel.TierHigh: amount("50000"),
		}}},
		MinimumShare: amount("0.05"), MinimumPayment: amount("100"), BillingDays: 30,
		OnTimePoints: 5,
		LatePoints:   []cardsmodel.LatePoints{{Days: 7, Points: -5}, {Days: 30, Points: -20}, {Days: 0, Points: -50}},
		Ceiling:      amount("1000000"),
	}
}

func amount(text string) model.Amount { return model.Amount{Decimal: decimal.RequireFromString(text)} }

// Check returns the field of a policy that is wrong, as a path below policy, and what is wrong with it; "" if it is
// right.
func Check(p cardsmodel.Policy) (field, problem string) {
	switch {
	case p.MediumFrom <= LowestScore || p.MediumFrom >= p.HighFrom || p.HighFrom > HighestScore:
		return "mediumFrom",
			fmt.Sprintf("the tiers must rise: %d < mediumFrom < highFrom <= %d", LowestScore, HighestScore)
	case p.ApprovalSeconds < 1 || p.ApprovalSeconds > 30*24*60*60:
		return "approvalSeconds", "an approval is open for 1 second to 30 days"
	case p.BillingDays < 1 || p.BillingDays > 365:
		return "billingDays", "a billing period has 1 to 365 days"
	case p.MinimumShare.IsNegative() || p.MinimumShare.GreaterThan(decimal.NewFromInt(1)):
		return "minimumShare", "the share is between 0 and 1"
	case p.MinimumPayment.IsNegative():
		return "minimumPayment", "it is negative"
	case !p.Ceiling.IsPositive():
		return "ceiling", "it is not positive"
	}
	for i, late := range p.LatePoints {
		if last := i == len(p.LatePoints)-1; late.Points > 0 || last != (late.Days == 0) ||
			i > 0 && !last && late.Days <= p.LatePoints[i-1].Days {
			return "latePoints",
				"the days must rise, the last entry is for any number of days and has 0, and no points are positive"
		}
	}
	var ids []model.Name
	for _, product := range p.Products {
		if slices.Contains(ids, product.ID) {
			return "products", "two products have the same id"
		}
		ids = append(ids, product.ID)
		for _, tier := range cardsmodel.Tiers() {
			if limit, has := product.Limits[tier]; !has || !limit.IsPositive() {
				return "products", fmt.Sprintf("the product %s has no limit for the tier %s", product.ID, tier)
			}
		}
	}
	return "", ""
}

// TierOf returns the tier of a score.
func TierOf(p cardsmodel.Policy, score int) cardsmodel.Tier {
	switch {
	case score >= p.HighFrom:
		return cardsmodel.TierHigh
	case score >= p.MediumFrom:
		return cardsmodel.TierMedium
	}
	return cardsmodel.TierLow
}

// Score returns a score within its range.
func Score(value int) int { return min(max(value, LowestScore), HighestScore) }

// Product returns a product by its id.
func Product(p cardsmodel.Policy, id model.Name) (cardsmodel.Product, bool) {
	at := slices.IndexFunc(p.Products, func(product cardsmodel.Product) bool { return product.ID == id })
	if at < 0 {
		return cardsmodel.Product{}, false
	}
	return p.Products[at], true
}

// MinimumDue returns what has to be paid of a balance by the due date, rounded up to cents.
func MinimumDue(p cardsmodel.Policy, balance model.Amount) model.Amount {
	due := balance.Mul(p.MinimumShare.Decimal).RoundUp(2)
	due = decimal.Min(decimal.Max(due, p.MinimumPayment.Decimal), balance.Decimal)
	return model.Amount{Decimal: due}
}

// NextDue returns the due date one billing period after a time.
func NextDue(p cardsmodel.Policy, from model.Time) model.Time {
	return model.At(from.Go().AddDate(0, 0, p.BillingDays))
}

// DaysOverdue returns by how many days a time is after a due date; 0 if it is not. A day that has begun counts.
func DaysOverdue(due, at model.Time) int {
	late := at.Go().Sub(due.Go())
	if late <= 0 {
		return 0
	}
	return int((late + 24*time.Hour - 1) / (24 * time.Hour))
}

// IsDue reports whether a payment at a time pays for the period that ends with a due date. It is false for a period
// that has not begun: what had to be paid is paid.
func IsDue(p cardsmodel.Policy, due, at model.Time) bool {
	return at >= model.At(due.Go().AddDate(0, 0, -p.BillingDays))
}

// PointsFor returns what a payment of at least the minimum does to the score.
func PointsFor(p cardsmodel.Policy, daysOverdue int) int {
	if daysOverdue == 0 {
		return p.OnTimePoints
	}
	for _, late := range p.LatePoints {
		if late.Days == 0 || daysOverdue <= late.Days {
			return late.Points
		}
	}
	return 0
}

// Languages returns the languages in which the program writes.
func Languages() []string { return []string{"en", "hi", "es"} }

// LanguageOf returns the first of the languages in which the program writes; English where it writes in none of them. A
// language with a region, such as en_US, counts as the language.
func LanguageOf(wanted ...string) string {
	for _, language := range wanted {
		base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(language), "-", "_"), "_")
		if slices.Contains(Languages(), base) {
			return base
		}
	}
	return "en"
}
