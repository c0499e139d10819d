package commerce

import (
	"context"
	"encoding/json"

	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// EventShelf is the outbox event that has the catalogue at Meta follow what a store sells. It is planned, one for a
// store: all changes until the next sweep, a minute later at most, are one.
const EventShelf = Name + ".shelf"

// Catalogs keeps the product catalogues at Meta. catalogues.Catalogues implements it.
type Catalogs interface {
	stores.Catalogs
	// Push returns the writes that have a catalogue become what a store sells, if the store keeps it.
	Push(ctx context.Context, tenant model.TenantID, id, store model.Name) ([]dynamo.Write, error)
}

// shelfChanged is the payload of the event.
type shelfChanged struct {
	StoreID   model.Name `json:"storeId"`
	CatalogID model.Name `json:"catalogId"`
}

// follows returns the write by which the catalogue that a store keeps follows a change; none for a store that keeps
// none. It has no condition.
func (d *Domain) follows(store commercemodel.Store) ([]dynamo.Write, error) {
	if store.CatalogID == "" {
		return nil, nil
	}
	payload, err := json.Marshal(shelfChanged{store.ID, store.CatalogID})
	if err != nil {
		return nil, err
	}
	plan, err := (&outbox.Outbox{DB: d.DB, Now: d.Now}).Plan(outbox.Draft{
		Type: EventShelf, Tenant: store.TenantID, EntityType: keys.EntityShelf, EntityID: string(store.ID),
		Payload: payload}, model.At(d.Now()))
	return []dynamo.Write{plan}, err
}

// shelfHandler returns the handler of the event. The transaction that settles it queues the push, so there is one.
func (d *Domain) shelfHandler() outbox.Handler {
	return outbox.Handler{
		Send: func(context.Context, model.OutboxEvent) (string, error) { return "", nil },
		Settle: func(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
			of, err := outbox.PayloadOf[shelfChanged](event)
			if err != nil || outcome.Failure != nil || outcome.Cancelled != "" {
				return nil, nil // nobody can tell which store it is, or an operator has dismissed it
			}
			return d.Catalogs.Push(ctx, event.EcosystemID, of.CatalogID, of.StoreID)
		},
	}
}

// Offers returns what a store sells of some of its products, as a catalogue at Meta has it, from after a place ("" for
// the first), and the place of the next ones; "" for none.
func (d *Domain) Offers(ctx context.Context, id model.Name, after string) (all []catalogues.Offer, next string,
	err error) {
	store, err := d.Stores.Get(ctx, id)
	if err != nil {
		return nil, "", err
	}
	products, next, err := d.Catalogue.Page(ctx, id, after)
	for _, p := range products {
		all = append(all, offersOf(store, p)...)
	}
	return all, next, err
}

// Offered returns those of some offers that a store still has, by their ids.
func (d *Domain) Offered(ctx context.Context, id model.Name, ids []model.Name) (map[model.Name]catalogues.Offer,
	error) {
	store, err := d.Stores.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	products, err := d.Catalogue.Some(ctx, id, ids)
	if err != nil {
		return nil, err
	}
	wanted, found := map[model.Name]bool{}, map[model.Name]catalogues.Offer{}
	for _, id := range ids {
		wanted[id] = true
	}
	for _, p := range products {
		for _, o := range offersOf(store, p) {
			if wanted[o.RetailerID] {
				found[o.RetailerID] = o
			}
		}
	}
	return found, nil
}

var _ catalogues.Shelf = (*Domain)(nil)

// offersOf returns what a store offers of a product; nothing of one that is not sold.
func offersOf(store commercemodel.Store, p commercemodel.Product) (all []catalogues.Offer) {
	if !p.IsActive {
		return nil
	}
	for _, a := range p.Articles() {
		about := a.Name
		if a.Local != "" {
			about += ", " + a.Local
		}
		if p.Brand != "" {
			about += ", " + p.Brand
		}
		all = append(all, catalogues.Offer{
			RetailerID: a.ID(), Title: a.Name, Description: about, Price: a.Price, Currency: store.Settings.Currency,
			ImageURL: p.ImageURL, InStock: catalogue.InStock(a)})
	}
	return all
}
