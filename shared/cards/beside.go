package cards

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// requestsBeside is how many requests for cards of a person are shown.
const requestsBeside = 3

// section shows the shop's people the latest requests for cards of a person.
func (d *Domain) section() beside.Section {
	return beside.Section{Name: "card_requests", Scope: "cards.read", Of: d.requestsBeside}
}

func (d *Domain) requestsBeside(ctx context.Context, p lookup.Person) (all beside.Shown, err error) {
	latest, program, err := d.latestRequests(ctx, p, requestsBeside)
	for _, r := range latest {
		all.Entries = append(all.Entries, beside.Entry{
			Path: beside.Path("cards", "users", string(r.EcosystemID), "requests", string(r.RequestID)),
			ID:   string(r.RequestID), In: string(r.EcosystemID),
			Title: productName(program, r.ProductID), Status: string(r.Status), At: r.CreatedAt})
	}
	return all, err
}

// latestRequests returns the latest requests for cards of a person, the newest first, and the program that they are of.
func (d *Domain) latestRequests(ctx context.Context, p lookup.Person, most int) ([]cardsmodel.Request,
	cardsmodel.Program, error) {
	program, err := d.Programs.Get(ctx, p.Tenant)
	if errors.Is(err, programs.ErrNone) {
		return nil, program, nil
	}
	if err != nil {
		return nil, program, err
	}
	key, certain, err := p.KeyAt(ctx, program.PhoneNumberID) // users are known by it
	if err != nil || !certain {
		return nil, program, err
	}
	user, known, err := d.Users.Identified(ctx, p.Tenant, model.CustomerID(cardsmodel.Canonical(string(key))))
	if err != nil || !known {
		return nil, program, err
	}
	latest, err := d.Requests.Of(ctx, user.EcosystemID, most, "")
	if err != nil || len(latest) == 0 || latest[0].TenantID != p.Tenant {
		return nil, program, err
	}
	return latest, program, nil
}

// productName returns what a product of a program is called, or its id.
func productName(program cardsmodel.Program, id model.Name) string {
	if product, sold := policy.Product(program.Policy, id); sold && product.Name != "" {
		return model.ShownLine(product.Name)
	}
	return model.ShownLine(string(id))
}
