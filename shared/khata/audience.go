package khata

import (
	"context"

	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/model"
)

// audienceOwes is the kind of audience of those who owe something.
const audienceOwes = "owes"

// owes adds the customers who owe a number's store at least an amount, the largest first.
func (d *Domain) owes(ctx context.Context, number model.Phone, ask campaigns.Ask,
	add func(model.CustomerID, string) error) error {
	if number.StoreID == "" {
		return campaigns.ErrAudience
	}
	for after := ""; ; {
		page, err := d.Ledger.Largest(ctx, number.StoreID, pageOfDues, after)
		if err != nil {
			return err
		}
		for _, b := range page {
			if b.OutstandingBalance.LessThan(ask.AtLeast.Decimal) {
				return nil
			}
			for _, customer := range model.ParseCustomers(string(b.CustomerPhone)) {
				if err := add(customer, b.CustomerName); err != nil {
					return err
				}
			}
		}
		if len(page) < pageOfDues {
			return nil
		}
		after = ledger.DuePlace(page[len(page)-1])
	}
}

const pageOfDues = 100
