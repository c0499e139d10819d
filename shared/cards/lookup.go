package cards

import (
	"context"
	"strings"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/lookup"
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
	latest, program, err := d.latestRequests(ctx, p, 1)
	if err != nil || len(latest) == 0 {
		return "", err
	}
	said, is := requested[p.Language]
	if !is {
		said = requested["en"]
	}
	return strings.ReplaceAll(said[latest[0].Status], "{product}", productName(program, latest[0].ProductID)), nil
}
