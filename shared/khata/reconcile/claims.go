package reconcile

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
)

// ClaimsOf checks up to limit confirmed claims of a store, after a claim ("" for the first): each is an entry, of its
// amount. It returns the claim after which to go on, "" for the end.
func (b *Books) ClaimsOf(ctx context.Context, s shop.Shop, limit int, after model.Name) (Checked, model.Name, error) {
	confirmed, err := (&claims.Claims{DB: b.DB}).List(ctx, s.ID, khatamodel.ClaimConfirmed, limit, after)
	if err != nil {
		return Checked{}, "", err
	}
	all, err := b.claims(ctx, confirmed)
	if err != nil || len(confirmed) < limit {
		return all, "", err
	}
	return all, confirmed[len(confirmed)-1].ClaimID, nil
}

// claims checks claims side by side.
func (b *Books) claims(ctx context.Context, of []khatamodel.Claim) (all Checked, err error) {
	parts := make([]Checked, len(of))
	jobs := make([]func() error, len(of))
	for i, claim := range of {
		jobs[i] = func() error { return b.claim(ctx, claim, &parts[i]) }
	}
	err = errors.Join(lanes.Concurrently(width, jobs...)...)
	for _, part := range parts {
		all.add(part)
	}
	return all, err
}

func (b *Books) claim(ctx context.Context, claim khatamodel.Claim, checked *Checked) error {
	if claim.State != khatamodel.ClaimConfirmed {
		return nil
	}
	of := Finding{Kind: NoEntry, Store: claim.StoreID, Customer: claim.CustomerPhone, About: string(claim.ClaimID)}
	entry, err := b.Ledger.Entry(ctx, claim.StoreID, claim.TransactionID)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		of.Detail = "the claim is confirmed, and its entry is not in the ledger"
	case err != nil:
		return checked.unreadable(err, of)
	case entry.Type != khatamodel.Payment || !entry.Amount.Equal(claim.Amount.Decimal):
		of.Detail = fmt.Sprintf("the claim is of %s, and its entry is a %s of %s", claim.Amount.StringFixed(2),
			entry.Type, entry.Amount.StringFixed(2))
	default:
		return nil
	}
	checked.Findings = append(checked.Findings, of)
	return nil
}

// isClaim reports whether an item that stands among the balances is a claim.
func isClaim(item dynamo.Item) bool {
	return strings.HasPrefix(dynamo.Text(item, "sk"), keys.KhataClaimPrefix)
}
