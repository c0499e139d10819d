package catalogues

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	// pagesAtOnce is how many pages of products one attempt reads. The next one goes on behind them.
	pagesAtOnce = 10
	// writesAtOnce is how many products are stored at once.
	writesAtOnce = 16
	// productFields are what is read of a product.
	productFields = "id,retailer_id,name,description,price,currency,image_url,availability"
)

// errElsewhere means that another attempt goes on with the same.
var errElsewhere = errors.New("another attempt goes on")

// sync reads the products of a catalogue at Meta, and keeps them. It notes how far it is after each page, so that the
// next attempt goes on there. Products that Meta has no more end after all were read.
func (r *request) sync(ctx context.Context, c model.Catalog, of asked) error {
	at := *c.Asked
	for range pagesAtOnce {
		done, err := r.syncPage(ctx, c.CatalogID, of, &at)
		if errors.Is(err, errElsewhere) {
			return nil
		}
		if done || err != nil {
			return err
		}
	}
	return &outbox.Later{At: model.At(r.Now())}
}

// syncPage does a page of a sync, and notes it. It reports whether the sync is done.
func (r *request) syncPage(ctx context.Context, id model.Name, of asked, at *model.CatalogAsked) (bool, error) {
	was := *at
	if !at.Read {
		if err := r.readPage(ctx, id, at); err != nil {
			return false, err
		}
		return false, r.note(ctx, of, was, at)
	}
	next, err := r.endPage(ctx, id, at)
	if err != nil {
		return false, err
	}
	if at.Gone = next; next != "" {
		return false, r.note(ctx, of, was, at)
	}
	return true, r.settle(ctx, of, "", func(c *model.Catalog) {
		c.SyncedAt, c.ProductCount = model.At(r.Now()), at.Count
	})
}

// note notes how far a sync is. It returns errElsewhere if another attempt has gone on. The condition is that the
// catalogue is as it was read.
func (r *request) note(ctx context.Context, of asked, was model.CatalogAsked, at *model.CatalogAsked) error {
	err := r.change(ctx, of.CatalogID, func(c *model.Catalog) ([]dynamo.Write, bool, error) {
		if !current(c.Asked, of) || *c.Asked != was {
			return nil, false, errElsewhere
		}
		next := *at
		c.Asked = &next
		return nil, true, nil
	})
	if errors.Is(err, dynamo.ErrNotFound) {
		return errElsewhere
	}
	return err
}

// readPage reads a page of products at Meta, and keeps them.
func (r *request) readPage(ctx context.Context, id model.Name, at *model.CatalogAsked) error {
	query := url.Values{"fields": {productFields}, "limit": {strconv.Itoa(perPage)}}
	if at.After != "" {
		query.Set("after", at.After)
	}
	answer, err := r.meta.AboutNode(ctx, r.phone, string(id), whatsapp.NumberCall{Edge: "products", Query: query})
	if err != nil {
		return err
	}
	var jobs []func() error
	for _, o := range answer.List("data").Objects() {
		has := itemOf(o)
		if _, err := model.Parse[model.Name](string(has.RetailerID)); err != nil {
			continue // no key can have it
		}
		at.Count++
		jobs = append(jobs, func() error { return r.keepItem(ctx, id, has) })
	}
	at.After = afterIn(answer)
	at.Read = at.After == ""
	return errors.Join(lanes.Concurrently(writesAtOnce, jobs...)...)
}

// itemOf returns a product as Meta shows it.
func itemOf(o whatsapp.Object) model.CatalogItem {
	return model.CatalogItem{
		RetailerID: model.Name(o.Text("retailer_id")), Name: o.Text("name"), Description: o.Text("description"),
		Price: priceOf(o.Text("price")), Currency: o.Text("currency"), ImageURL: o.Text("image_url"),
		Availability: strings.ReplaceAll(o.Text("availability"), " ", "_")}
}

// priceOf returns the number in a price as Meta shows it, with the sign of a currency and with separators; nil for
// none. The last separator with one or two digits behind it begins the cents.
func priceOf(text string) *model.Amount {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' || r == ',' {
			return r
		}
		return -1
	}, text)
	digits = strings.Trim(digits, ".,")
	whole, cents := digits, ""
	if at := strings.LastIndexAny(digits, ".,"); at >= 0 && len(digits)-at <= 3 {
		whole, cents = digits[:at], digits[at+1:]
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	parsed, err := decimal.NewFromString(strings.TrimSuffix(whole+"."+cents, "."))
	if err != nil {
		return nil
	}
	return &model.Amount{Decimal: parsed}
}

// keepItem keeps what Meta has of a product. If it is not what a store has put, the store puts it again. The condition
// is that the product is as it was read.
func (r *request) keepItem(ctx context.Context, id model.Name, has model.CatalogItem) error {
	key := keys.CatalogItem(id, has.RetailerID)
	return dynamo.Change(ctx, r.DB, tables.Messages, key, func(p *model.CatalogItem) ([]dynamo.Write, bool, error) {
		was := *p
		if p.Problem == "" && !sameFacts(*p, has) {
			p.Hash = ""
		}
		p.PK, p.ItemType, p.CatalogID, p.RetailerID = key.Partition, model.ItemCatalogItem, id, has.RetailerID
		p.Name, p.Description, p.Price, p.Currency = has.Name, has.Description, has.Price, has.Currency
		p.ImageURL, p.Availability, p.ReadAt = has.ImageURL, has.Availability, model.At(r.Now())
		return nil, was.Version == 0 || !dynamo.StoredAlike(was, *p), nil
	})
}

// sameFacts reports whether two products show customers the same. Meta keeps pictures under addresses of its own.
func sameFacts(a, b model.CatalogItem) bool {
	same := a.Price == nil && b.Price == nil || a.Price != nil && b.Price != nil && a.Price.Equal(b.Price.Decimal)
	return same && a.Name == b.Name && a.Currency == b.Currency && a.Availability == b.Availability
}

// endPage ends a page of the products that Meta does not have any more, and returns the place of the next page.
func (r *request) endPage(ctx context.Context, id model.Name, at *model.CatalogAsked) (next string, err error) {
	page, next, err := r.Products(ctx, id, perPage, at.Gone)
	if err != nil {
		return "", err
	}
	var jobs []func() error
	for _, p := range page {
		if p.ReadAt < at.At && p.Problem == "" && !r.editUnderWay(p.Asked) {
			jobs = append(jobs, func() error { return r.end(ctx, p) })
		}
	}
	return next, errors.Join(lanes.Concurrently(writesAtOnce, jobs...)...)
}

// end removes a product, unless it has changed since it was read: then somebody has put it meanwhile.
func (s *Catalogues) end(ctx context.Context, p model.CatalogItem) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		now, err := s.Product(ctx, p.CatalogID, p.RetailerID)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && now.Version != p.Version {
			return nil
		}
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
			Table: tables.Messages, Key: keys.CatalogItem(p.CatalogID, p.RetailerID), If: "version = :was",
			Values: dynamo.Item{":was": dynamo.N(p.Version)}}}))
	})
}
