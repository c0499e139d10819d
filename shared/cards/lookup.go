package cards

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// requested says how far a request for a card is.
var requested = map[string]map[cardsmodel.RequestStatus]string{
	"en": {
		cardsmodel.RequestPending:  "Your request for {product} is being looked at.",
		cardsmodel.RequestApproved: "Your request for {product} was granted.",
		cardsmodel.RequestRejected: "Your request for {product} was not granted.",
	},
	"hi": {
		cardsmodel.RequestPending:  "{product} के लिए आपका अनुरोध देखा जा रहा है।",
		cardsmodel.RequestApproved: "{product} के लिए आपका अनुरोध मान लिया गया है।",
		cardsmodel.RequestRejected: "{product} के लिए आपका अनुरोध नहीं माना गया।",
	},
	"hi-Latn": {
		cardsmodel.RequestPending:  "{product} ke liye aapka anurodh dekha ja raha hai.",
		cardsmodel.RequestApproved: "{product} ke liye aapka anurodh maan liya gaya hai.",
		cardsmodel.RequestRejected: "{product} ke liye aapka anurodh nahin maana gaya.",
	},
}

// requestState tells a person how far their latest request for a card is.
func (d *Domain) requestState(ctx context.Context, p lookup.Person) (string, error) {
	program, err := d.Programs.Get(ctx, p.Tenant)
	if errors.Is(err, programs.ErrNone) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	key, certain, err := p.KeyAt(ctx, program.PhoneNumberID) // users are known by it
	if err != nil || !certain {
		return "", err
	}
	user, known, err := d.Users.Identified(ctx, p.Tenant, model.CustomerID(cardsmodel.Canonical(string(key))))
	if err != nil || !known {
		return "", err
	}
	latest, err := d.Requests.Of(ctx, user.EcosystemID, 1, "")
	if err != nil || len(latest) == 0 || latest[0].TenantID != p.Tenant {
		return "", err
	}
	said, is := requested[p.Language]
	if !is {
		said = requested["en"]
	}
	name := string(latest[0].ProductID)
	if product, sold := policy.Product(program.Policy, latest[0].ProductID); sold && product.Name != "" {
		name = product.Name
	}
	return strings.ReplaceAll(said[latest[0].Status], "{product}", model.ShownLine(name)), nil
}
