package phrasings

import (
	"slices"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

// near is how far two quantities may be apart.
var near = decimal.RequireFromString("0.001")

// Right reports whether what was given is what was expected.
func Right(want, given Expect) bool {
	if want.Intent != given.Intent {
		return false
	}
	switch want.Intent {
	case nlu.Order:
		return pairs(want.Lines, given.Lines, sameLine) && pairs(want.Ask, given.Ask, sameAsk)
	case nlu.Price, nlu.Availability:
		return slices.Equal(set(want.ProductIDs), set(given.ProductIDs))
	}
	return true
}

func set(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// pairs reports whether two lists pair off one to one.
func pairs[T any](want, given []T, same func(want, given T) bool) bool {
	if len(want) != len(given) {
		return false
	}
	if len(want) == 0 {
		return true
	}
	for i := range given {
		if same(want[0], given[i]) && pairs(want[1:], slices.Delete(slices.Clone(given), i, i+1), same) {
			return true
		}
	}
	return false
}

func sameLine(want, given Line) bool {
	return want.ProductID == given.ProductID && want.Unit == given.Unit && sameNumber(want.Quantity, given.Quantity) &&
		sameNumber(want.Amount, given.Amount)
}

func sameNumber(want, given *decimal.Decimal) bool {
	if want == nil || given == nil {
		return want == given
	}
	return want.Sub(*given).Abs().LessThanOrEqual(near)
}

func sameAsk(want, given Ask) bool {
	if want.Missing != given.Missing || want.ProductID != given.ProductID {
		return false
	}
	if want.Missing == nlu.MissingProduct {
		return shareAWord(want.Text, given.Text)
	}
	return contains(given.Options, want.Options) &&
		contains(append(slices.Clone(want.Options), want.Also...), given.Options)
}

func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(id string) bool { return !slices.Contains(all, id) })
}

func shareAWord(a, b string) bool {
	words := wordsOf(b)
	return slices.ContainsFunc(wordsOf(a), func(w string) bool { return slices.Contains(words, w) })
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(cases.Fold().String(norm.NFKC.String(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}
