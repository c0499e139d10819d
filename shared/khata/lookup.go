package khata

import (
	"context"
	"strings"

	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// owing says what a person owes a store, or is ahead by.
var owing = map[string]struct{ owes, ahead string }{
	"en": {"You owe {store} {balance}.", "{store}: you owe nothing, and have {balance} with the shop."},
	"hi": {"{store} में आपका बाकी {balance} है।", "{store} में आपका कुछ बाकी नहीं, और {balance} जमा है।"},
	"hi-Latn": {"{store} mein aapka baaki {balance} hai.",
		"{store} mein aapka kuchh baaki nahin, aur {balance} jama hai."},
}

// balanceOf tells a person what they owe, a line for each store of the tenant in which they have an account.
func (d *Domain) balanceOf(ctx context.Context, p lookup.Person) (string, error) {
	var lines []string
	err := d.ofPerson(ctx, p, func(a account) error {
		said, is := owing[p.Language]
		if !is {
			said = owing["en"]
		}
		line, amount := said.owes, a.balance.OutstandingBalance
		if amount.IsNegative() {
			line, amount = said.ahead, model.Amount{Decimal: amount.Neg()}
		}
		lines = append(lines, strings.NewReplacer("{store}", model.ShownLine(a.shop.Name), "{balance}",
			a.shop.Money(amount)).Replace(line))
		return nil
	})
	return strings.Join(lines, "\n"), err
}
