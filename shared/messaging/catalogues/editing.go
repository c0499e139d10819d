package catalogues

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// EventEdit is the outbox event that has Meta change one product of a catalogue that no store keeps.
const EventEdit = "catalogues.edit"

// What Meta is asked for about a product.
const (
	Put    = "put"    // to have it as it is wanted; Meta makes it if it is not there
	Delete = "delete" // to have it no more
)

const (
	// looksAtOnce bounds how often an attempt looks at its batch. Meta needs some seconds for one product.
	looksAtOnce = 10
	// looksAfter is how long after that another attempt looks.
	looksAfter = time.Minute
)

// edited is the payload of the event.
type edited struct {
	CatalogID     model.Name          `json:"catalogId"`
	RetailerID    model.Name          `json:"retailerId"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"` // whose access token is used
	AskedAt       model.Time          `json:"askedAt"`
}

// Edit is a change of a product.
type Edit struct {
	RetailerID model.Name
	New        bool                // it is not known yet
	Wanted     *model.CatalogOffer // what Meta is to have; nil for nothing
	By         string              // who asks for it
}

// Edit has Meta asked to change a product. The same that is under way is not asked for again. It returns
// dynamo.ErrNotFound, tenancy.ErrNoNumber, ErrThere for a new one that is known, ErrWaits, and ErrKept if a store
// keeps the catalogue. The conditions are that the product is as it was read, that the catalogue is still the
// tenant's, and that no store keeps it.
func (s *Catalogues) Edit(ctx context.Context, of model.Catalog, edit Edit) (after model.CatalogItem, err error) {
	phone, err := s.Numbers.OfAccount(ctx, of.TenantID, of.WABAMetaID)
	if err != nil {
		return after, err
	}
	id := edit.RetailerID
	key := keys.CatalogItem(of.CatalogID, id)
	err = dynamo.Change(ctx, s.DB, tables.Messages, key, func(p *model.CatalogItem) ([]dynamo.Write, bool, error) {
		// Read inside: a retry after a conflict may find that a store has begun to keep the catalogue.
		c, err := s.Get(ctx, of.CatalogID)
		switch {
		case err != nil:
			return nil, false, err
		case c.TenantID != of.TenantID, !edit.New && p.Version == 0:
			return nil, false, dynamo.ErrNotFound
		case c.StoreID != "":
			return nil, false, ErrKept
		}
		asked := &model.CatalogItemAsked{
			Wish: Put, At: model.At(s.Now()), By: edit.By, TenantID: of.TenantID, Wanted: edit.Wanted}
		if edit.Wanted == nil {
			asked.Wish = Delete
		}
		waits := s.editUnderWay(p.Asked) && p.Asked.TenantID == of.TenantID // another tenant had the catalogue before
		switch {
		case waits && p.Asked.Wish == asked.Wish && dynamo.StoredAlike(p.Asked.Wanted, edit.Wanted):
			after = *p
			return nil, false, nil
		case waits:
			return nil, false, ErrWaits
		case edit.New && p.ReadAt != "":
			return nil, false, ErrThere
		}
		p.PK, p.ItemType, p.CatalogID, p.RetailerID = key.Partition, model.ItemCatalogItem, of.CatalogID, id
		p.Asked = asked
		after = *p
		writes, err := s.Outbox.Queue(ctx, outbox.Entity{
			Tenant: of.TenantID, Type: keys.EntityCatalog, ID: "product:" + string(of.CatalogID) + "/" + string(id),
		}, EventEdit, edited{of.CatalogID, id, phone, asked.At})
		return append(writes, dynamo.Check{
			Table: tables.Messages, Key: keys.Catalog(of.CatalogID),
			If:     "tenantId = :tenant AND attribute_not_exists(storeId)",
			Values: dynamo.Item{":tenant": dynamo.S(of.TenantID)}}), true, err
	})
	return after, err
}

// editUnderWay reports whether Meta is being asked about a product.
func (s *Catalogues) editUnderWay(a *model.CatalogItemAsked) bool {
	return a != nil && asking.Waits(a.At, a.AnsweredAt, s.Now())
}

// editor has Meta change one product.
type editor struct {
	*request
	of    edited
	sleep func(context.Context, time.Duration) error
}

// The problems that are stored of a change if Meta was not asked for it.
const (
	problemKept  = "A store keeps the catalogue now."
	problemTaken = "The catalogue is not the tenant's any more."
)

// EditHandler returns the handler of the event. asFailure says what the outbox does about a refusal.
func (s *Catalogues) EditHandler(meta Meta, sleep func(context.Context, time.Duration) error,
	asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[edited](event)
		if err != nil {
			return "", err
		}
		e := &editor{&request{s, meta, string(of.PhoneNumberID)}, of, sleep}
		err = e.carryOut(ctx, event.EcosystemID)
		return "", asking.Ended(ctx, err, event, asFailure, e.refused)
	}}
}

// currentEdit reports whether what was asked is what was asked last, and waits for its answer.
func currentEdit(a *model.CatalogItemAsked, of edited) bool {
	return a != nil && a.At == of.AskedAt && a.AnsweredAt == ""
}

// carryOut posts the change, and looks what came of it.
func (e *editor) carryOut(ctx context.Context, tenant model.TenantID) error {
	item, err := e.Product(ctx, e.of.CatalogID, e.of.RetailerID)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !currentEdit(item.Asked, e.of) {
		return nil // it is answered, or something else was asked since
	}
	if err != nil {
		return err
	}
	asked := *item.Asked
	switch {
	case asked.Wish != Put && asked.Wish != Delete:
		return asking.ErrUnknown
	case !e.editUnderWay(&asked):
		return e.refused(ctx, problemBatch+".")
	}
	moved, err := e.isMoved(ctx, tenant, e.of.PhoneNumberID)
	if err != nil {
		return err
	}
	c, err := e.Get(ctx, e.of.CatalogID)
	if err != nil {
		return err
	}
	switch {
	case moved:
		return e.refused(ctx, asking.ProblemMoved)
	case c.TenantID != tenant:
		return e.refused(ctx, problemTaken)
	case c.StoreID != "":
		return e.refused(ctx, problemKept)
	case asked.Handle != "":
		return e.look(ctx, asked)
	}
	if asked.Handle, err = e.post(ctx, asked); err != nil {
		return err
	}
	if err := e.note(ctx, func(a *model.CatalogItemAsked) { a.Handle = asked.Handle }); err != nil {
		return err
	}
	return e.look(ctx, asked)
}

// post has Meta carry the change out, and returns the handle of the batch. Meta takes the same change twice.
func (e *editor) post(ctx context.Context, asked model.CatalogItemAsked) (handle string, err error) {
	request := map[string]any{"method": "DELETE", "data": map[string]string{"id": string(e.of.RetailerID)}}
	if asked.Wish == Put {
		number, err := e.Numbers.Number(ctx, e.of.PhoneNumberID)
		if err != nil {
			return "", err
		}
		request = map[string]any{
			"method": "UPDATE", "data": dataOf(e.of.RetailerID, *asked.Wanted, chatLink(number))}
	}
	return e.postBatch(ctx, e.of.CatalogID, []map[string]any{request})
}

// look looks what came of the batch, and stores it. If it is not carried out after some looks, the outbox looks again
// later.
func (e *editor) look(ctx context.Context, asked model.CatalogItemAsked) error {
	state, refused, err := e.lookAtBatch(ctx, e.of.CatalogID, asked.Handle)
	for looks := 1; err == nil && state == batchUnderWay && looks < looksAtOnce; looks++ {
		if err = e.sleep(ctx, batchWait); err == nil {
			state, refused, err = e.lookAtBatch(ctx, e.of.CatalogID, asked.Handle)
		}
	}
	switch {
	case err != nil:
		return err
	case state == batchUnderWay:
		return &outbox.Later{At: model.At(e.Now().Add(looksAfter))}
	case state == batchLost:
		if err := e.note(ctx, func(a *model.CatalogItemAsked) { a.Handle = "" }); err != nil {
			return err
		}
		return batchFailed()
	}
	if reason, is := refused[e.of.RetailerID]; is {
		return e.refused(ctx, cmp.Or(reason, problemRefused))
	}
	return e.done(ctx, asked)
}

// done stores that Meta has carried the change out.
func (e *editor) done(ctx context.Context, asked model.CatalogItemAsked) error {
	if asked.Wish == Delete {
		item, err := e.Product(ctx, e.of.CatalogID, e.of.RetailerID)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !currentEdit(item.Asked, e.of) {
			return nil
		}
		if err != nil {
			return err
		}
		return e.end(ctx, item)
	}
	return e.changeWaiting(ctx, func(p *model.CatalogItem) {
		answered := *p.Asked
		answered.AnsweredAt, answered.Handle, answered.Wanted = model.At(e.Now()), "", nil
		p.Asked = &answered
		nowHas(p, *asked.Wanted)
		p.ReadAt, p.Hash, p.AtMeta, p.Problem, p.ProblemAt = answered.AnsweredAt, "", false, "", ""
	})
}

// refused stores why Meta does not have the product as it is wanted.
func (e *editor) refused(ctx context.Context, reason string) error {
	return e.note(ctx, func(a *model.CatalogItemAsked) {
		a.AnsweredAt, a.Handle, a.Problem = model.At(e.Now()), "", reason
	})
}

// note changes what is noted of a change that is still waited for.
func (e *editor) note(ctx context.Context, do func(a *model.CatalogItemAsked)) error {
	return e.changeWaiting(ctx, func(p *model.CatalogItem) {
		noted := *p.Asked
		do(&noted)
		p.Asked = &noted
	})
}

// changeWaiting changes a product whose change is still waited for. The condition is that it is as it was read.
func (e *editor) changeWaiting(ctx context.Context, do func(p *model.CatalogItem)) error {
	return dynamo.Change(ctx, e.DB, tables.Messages, keys.CatalogItem(e.of.CatalogID, e.of.RetailerID),
		func(p *model.CatalogItem) ([]dynamo.Write, bool, error) {
			if !currentEdit(p.Asked, e.of) {
				return nil, false, nil
			}
			do(p)
			return nil, true, nil
		})
}
