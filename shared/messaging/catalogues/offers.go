package catalogues

import (
	"cmp"
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

// wanted returns what Meta is to have of an offer.
func (o Offer) wanted() model.CatalogOffer {
	availability := "out_of_stock"
	if o.InStock {
		availability = "in_stock"
	}
	return model.CatalogOffer{
		Title: o.Title, Description: o.Description, Price: o.Price, Currency: o.Currency, ImageURL: o.ImageURL,
		Availability: availability}
}

// data returns an offer as Meta takes it. link is where people buy it.
func (o Offer) data(link string) map[string]string { return dataOf(o.RetailerID, o.wanted(), link) }

// dataOf returns a product as Meta takes it. link is where people buy it, if the product does not say.
func dataOf(id model.Name, of model.CatalogOffer, link string) map[string]string {
	return map[string]string{
		"id": string(id), "title": of.Title, "description": of.Description, "condition": "new",
		"availability": strings.ReplaceAll(of.Availability, "_", " "),
		"price":        of.Price.StringFixed(2) + " " + of.Currency, "link": cmp.Or(of.Link, link),
		"image_link": of.ImageURL}
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
	p.RetailerID = o.RetailerID
	nowHas(p, o.wanted())
}

// nowHas changes a product to what Meta has then.
func nowHas(p *model.CatalogItem, of model.CatalogOffer) {
	p.Name, p.Description, p.Price, p.Currency = of.Title, of.Description, &of.Price, of.Currency
	p.ImageURL, p.Availability = of.ImageURL, of.Availability
}
