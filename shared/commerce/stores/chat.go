package stores

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tenancy"
)

// tooOld is the age from which a message is left to the shop's people: the day has gone on, and an answer would come
// out of nowhere.
const tooOld = time.Hour

// Subscription returns the subscription to what is written to the numbers of stores. It claims what is answered. react
// makes one attempt to answer a message to a store of a tenant, and reports whether it has.
func Subscription(
	domain string, numbers tenancy.StoreFinder, now func() time.Time, wants func(inbound.Message) bool,
	react func(ctx context.Context, store model.Name, tenant model.TenantID, m inbound.Message) (bool, error),
) inbound.Subscription {
	return inbound.Subscription{
		Domain: domain, Claims: true, Wants: wants,
		React: func(ctx context.Context, m inbound.Message) (claimed bool, err error) {
			store, tenant, err := numbers.StoreOf(ctx, m.Phone)
			if err != nil || store == "" || now().Sub(m.At.Go()) > tooOld {
				return false, err
			}
			return claimed, dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				claimed, err = react(ctx, store, tenant, m)
				return err
			})
		},
	}
}
