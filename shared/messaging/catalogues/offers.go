package catalogues

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Offer is something that a store sells, as a catalogue has it.
type Offer struct {
	RetailerID  model.Name
	Title       string
	Description string
	Price       model.Amount
	Currency    string
	ImageURL    string
	InStock     bool
}

// Shelf knows what stores sell: commerce.Domain.
type Shelf interface {
	// Offers returns what a store sells of some of its products, from after a place ("" for the first), and the place
	// of the next ones; "" for none.
	Offers(ctx context.Context, store model.Name, after string) (all []Offer, next string, err error)
	// Offered returns those of some offers that a store still has, by their ids.
	Offered(ctx context.Context, store model.Name, ids []model.Name) (map[model.Name]Offer, error)
}

// The limits of Meta's.
const (
	maxTitle    = 200
	maxRetailer = 100
)

// wrong says why Meta would refuse an offer; "" if it would not.
func (o Offer) wrong() string {
	switch {
	case o.ImageURL == "":
		return "It has no picture. Meta shows no product without one."
	case !strings.HasPrefix(o.ImageURL, "https://") && !strings.HasPrefix(o.ImageURL, "http://"):
		return "The address of its picture does not begin with https://."
	case !o.Price.IsPositive():
		return "It has no price."
	case utf8.RuneCountInString(o.Title) > maxTitle:
		return "Its name is longer than 200 characters."
	case utf8.RuneCountInString(string(o.RetailerID)) > maxRetailer:
		return "Its id is longer than 100 characters."
	}
	return ""
}

func (o Offer) availability() string {
	if o.InStock {
		return "in stock"
	}
	return "out of stock"
}

// data returns an offer as Meta takes it. link is where people buy it.
func (o Offer) data(link string) map[string]string {
	return map[string]string{
		"id": string(o.RetailerID), "title": o.Title, "description": o.Description, "condition": "new",
		"availability": o.availability(), "price": o.Price.StringFixed(2) + " " + o.Currency, "link": link,
		"image_link": o.ImageURL}
}

// hash returns a hash of an offer as Meta takes it.
func (o Offer) hash(link string) string {
	text, _ := json.Marshal(o.data(link)) // texts can be encoded
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// item returns the product that Meta has then.
func (o Offer) item(id model.Name, p *model.CatalogItem) {
	p.PK, p.ItemType, p.CatalogID = keys.CatalogItem(id, o.RetailerID).Partition, model.ItemCatalogItem, id
	p.RetailerID, p.Name, p.Description, p.Price = o.RetailerID, o.Title, o.Description, &o.Price
	p.Currency, p.ImageURL, p.Availability = o.Currency, o.ImageURL, strings.ReplaceAll(o.availability(), " ", "_")
}
