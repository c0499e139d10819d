package catalogues

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// compare compares some offers of the store with what Meta has, and posts what differs.
func (p *pusher) compare(ctx context.Context) error {
	next := *p.c.Push
	offers, after, err := p.shelf.Offers(ctx, p.of.StoreID, next.After)
	if err != nil {
		return err
	}
	var refs []dynamo.Ref
	for _, o := range offers {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.CatalogItem(p.of.CatalogID, o.RetailerID)})
	}
	found, err := p.DB.BatchGet(ctx, refs)
	if err != nil {
		return err
	}
	var changes []change
	refused := 0
	for i, o := range offers {
		var has model.CatalogItem
		if err := dynamo.Unmarshal(refs[i].Found(found), &has); err != nil {
			return err
		}
		wrong := o.wrong()
		switch {
		case has.Hash == o.hash(p.link): // Meta has it, or has refused it
			if has.Problem != "" {
				refused++
			}
		case wrong == "":
			changes = append(changes, change{o.RetailerID, &o})
		case has.AtMeta: // what Meta has is not right any more
			changes = append(changes, change{o.RetailerID, nil})
		default:
			refused++
			if err := p.report(ctx, o, o.hash(p.link), wrong); err != nil {
				return err
			}
		}
	}
	if len(changes) > batchSize {
		changes = changes[:batchSize] // the others differ when it is compared again
	} else {
		next.After, next.Put, next.Refused = after, after == "", next.Refused+refused
	}
	if len(changes) == 0 {
		p.c.Push = &next // what is stored last says where to go on
		return nil
	}
	return p.post(ctx, changes, next)
}

// clear posts that products are gone that the store has put and does not sell any more, a page at a time. It reports
// whether the push is done.
func (p *pusher) clear(ctx context.Context) (done bool, err error) {
	next := *p.c.Push
	if next.Cleared {
		err := p.ended(ctx, "")
		return p.c.Push.EndedAt != "", err
	}
	page, after, err := p.Products(ctx, p.of.CatalogID, perPage, next.Gone)
	if err != nil {
		return false, err
	}
	var ids []model.Name
	for _, item := range page {
		if item.Hash != "" || item.Problem != "" {
			ids = append(ids, item.RetailerID)
		}
	}
	offered, err := p.shelf.Offered(ctx, p.of.StoreID, ids)
	if err != nil {
		return false, err
	}
	var changes []change
	for _, item := range page {
		_, still := offered[item.RetailerID]
		switch {
		case still || item.Hash == "" && item.Problem == "":
		case item.AtMeta && item.Hash != "":
			changes = append(changes, change{item.RetailerID, nil})
		case !item.AtMeta: // Meta has never had it
			err = errors.Join(err, p.end(ctx, item))
		}
	}
	if err != nil {
		return false, err
	}
	next.Gone, next.Cleared = after, after == ""
	if len(changes) == 0 {
		p.c.Push = &next
		return false, nil
	}
	return false, p.post(ctx, changes, next)
}

// report stores why Meta does not have an offer.
func (p *pusher) report(ctx context.Context, o Offer, hash, problem string) error {
	return p.changeItem(ctx, o.RetailerID, func(item *model.CatalogItem) {
		if item.Problem != problem {
			item.ProblemAt = model.At(p.Now())
		}
		item.Hash, item.Problem = hash, problem
	})
}

// changeItem changes a product. The condition is that it is as it was read.
func (p *pusher) changeItem(ctx context.Context, id model.Name, decide func(item *model.CatalogItem)) error {
	key := keys.CatalogItem(p.of.CatalogID, id)
	return dynamo.Change(ctx, p.DB, tables.Messages, key, func(item *model.CatalogItem) ([]dynamo.Write, bool, error) {
		was := *item
		item.PK, item.ItemType, item.CatalogID = key.Partition, model.ItemCatalogItem, p.of.CatalogID
		item.RetailerID = id
		decide(item)
		return nil, was.Version == 0 || !dynamo.StoredAlike(was, *item), nil
	})
}

// settleBatch stores what came of a batch, by product, and ends it. refused says why Meta has refused products.
func (p *pusher) settleBatch(ctx context.Context, at model.CatalogPush, refused map[model.Name]string) error {
	var ids []model.Name
	for _, b := range at.Batch {
		ids = append(ids, b.RetailerID)
	}
	offered, err := p.shelf.Offered(ctx, p.of.StoreID, ids)
	if err != nil {
		return err
	}
	next := at
	next.Batch, next.Handle = nil, ""
	var jobs []func() error
	for _, b := range at.Batch {
		reason := refused[b.RetailerID]
		switch {
		case reason != "":
			next.Refused++
		case b.Hash == "":
			next.Deleted++
		default:
			next.Changed++
		}
		o, still := offered[b.RetailerID]
		jobs = append(jobs, func() error {
			if b.Hash == "" && reason == "" && !(still && o.wrong() != "") {
				return p.endOf(ctx, b.RetailerID)
			}
			return p.changeItem(ctx, b.RetailerID, func(item *model.CatalogItem) {
				p.became(item, b, reason, o)
			})
		})
	}
	if err := errors.Join(lanes.Concurrently(writesAtOnce, jobs...)...); err != nil {
		return err
	}
	return p.save(ctx, next)
}

// became changes a product by what came of its request. o is what the store offers now.
func (p *pusher) became(item *model.CatalogItem, b model.CatalogChange, reason string, o Offer) {
	if b.Hash == "" && reason == "" { // it is gone at Meta, because what the store offers is not right
		*item = model.CatalogItem{
			PK: item.PK, ItemType: item.ItemType, CatalogID: item.CatalogID, RetailerID: item.RetailerID,
			Version: item.Version}
		b.Hash, reason = o.hash(p.link), o.wrong()
	} else if reason == "" {
		item.AtMeta, item.ReadAt = true, model.At(p.Now())
		if o.RetailerID != "" && o.hash(p.link) == b.Hash {
			o.item(p.of.CatalogID, item)
		}
	}
	if reason == "" {
		item.ProblemAt = ""
	} else if item.Problem != reason {
		item.ProblemAt = model.At(p.Now())
	}
	if b.Hash == "" && o.RetailerID != "" { // Meta does not take it away, until the offer is another one
		b.Hash = o.hash(p.link)
	}
	item.Hash, item.Problem = b.Hash, reason
}

// endOf removes a product that Meta does not have any more.
func (p *pusher) endOf(ctx context.Context, id model.Name) error {
	item, err := p.Product(ctx, p.of.CatalogID, id)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return p.end(ctx, item)
}
