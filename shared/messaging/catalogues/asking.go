package catalogues

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventAsk is the outbox event that asks Meta about a catalogue, or about the catalogues of an account.
const EventAsk = "catalogues.ask"

// What Meta is asked for.
const (
	Read   = "list"   // the catalogues of an account
	Link   = "link"   // has an account show a catalogue
	Unlink = "unlink" // has it not show the catalogue any more
	Sync   = "sync"   // the products of a catalogue
)

// asked is the payload of the event.
type asked struct {
	WABAID        model.WABAID        `json:"wabaId,omitempty"`    // of an account whose catalogues are read
	CatalogID     model.Name          `json:"catalogId,omitempty"` // of a catalogue
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`       // whose access token is used
	AskedAt       model.Time          `json:"askedAt"`
}

// Meta is asked with the access token of a number: metaclient.Numbers.
type Meta interface {
	AboutNode(ctx context.Context, phone, id string, call whatsapp.NumberCall) (whatsapp.Object, error)
}

// ReadAccount has Meta asked which catalogues an account has. by is who asks for it. It returns tenancy.ErrNoNumber.
// The condition is that the account is as it was read.
func (s *Catalogues) ReadAccount(ctx context.Context, tenant model.TenantID, waba model.WABAID, by string) error {
	phone, err := s.Numbers.OfAccount(ctx, tenant, waba)
	if err != nil {
		return err
	}
	return s.changeAccount(ctx, waba, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if s.underWay(a.Catalogs) {
			return nil, false, nil
		}
		a.PK, a.ItemType, a.WABAMetaID = keys.Account(waba).Partition, model.ItemAccount, waba
		a.Catalogs = &model.CatalogAsked{Wish: Read, At: model.At(s.Now()), By: by}
		writes, err := s.queue(ctx, tenant, string(waba), asked{
			WABAID: waba, PhoneNumberID: phone, AskedAt: a.Catalogs.At})
		return writes, true, err
	})
}

func (s *Catalogues) changeAccount(ctx context.Context, waba model.WABAID,
	decide func(a *model.Account) ([]dynamo.Write, bool, error)) error {
	return dynamo.Change(ctx, s.DB, tables.Messages, keys.Account(waba), decide)
}

func (s *Catalogues) queue(ctx context.Context, tenant model.TenantID, id string, of asked) ([]dynamo.Write, error) {
	return s.Outbox.Queue(ctx, outbox.Entity{Tenant: tenant, Type: keys.EntityCatalog, ID: id}, EventAsk, of)
}

// Ask has Meta asked for a wish about a catalogue. waba is the account to link it to; "" for the one that it has. by
// is who asks for it. The same wish that is under way is not asked for again. It returns dynamo.ErrNotFound,
// tenancy.ErrNoNumber, ErrWaits, and ErrKept for a catalogue that is not to be unlinked. The condition is that the
// catalogue is as it was read.
func (s *Catalogues) Ask(ctx context.Context, of model.Catalog, wish string, waba model.WABAID, by string) error {
	if waba == "" {
		waba = of.WABAMetaID
	}
	phone, err := s.Numbers.OfAccount(ctx, of.TenantID, waba)
	if err != nil {
		return err
	}
	return s.change(ctx, of.CatalogID, func(c *model.Catalog) ([]dynamo.Write, bool, error) {
		switch {
		case c.TenantID != of.TenantID:
			return nil, false, dynamo.ErrNotFound
		case s.underWay(c.Asked) && c.Asked.Wish == wish && c.Asked.WABAID == waba:
			return nil, false, nil
		case s.underWay(c.Asked):
			return nil, false, ErrWaits
		case wish != Sync && c.StoreID != "" && (wish == Unlink || waba != c.WABAMetaID):
			return nil, false, ErrKept
		}
		c.Asked = &model.CatalogAsked{Wish: wish, At: model.At(s.Now()), By: by, WABAID: waba}
		writes, err := s.queue(ctx, c.TenantID, string(c.CatalogID), asked{
			CatalogID: c.CatalogID, PhoneNumberID: phone, AskedAt: c.Asked.At})
		return writes, true, err
	})
}

// Handler returns the handler of the event. asFailure says what the outbox does about a refusal.
func (s *Catalogues) Handler(meta Meta, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		r := &request{s, meta, string(of.PhoneNumberID)}
		moved, err := s.isMoved(ctx, event.EcosystemID, of.PhoneNumberID)
		switch {
		case err != nil:
		case moved:
			err = s.answer(ctx, of, asking.ProblemMoved)
		case of.CatalogID == "":
			err = r.readAccount(ctx, event.EcosystemID, of)
		default:
			err = r.askCatalog(ctx, of)
		}
		return "", asking.Ended(ctx, err, event, asFailure, func(ctx context.Context, reason string) error {
			return s.answer(ctx, of, reason)
		})
	}}
}

// isMoved reports whether a number is not a tenant's any more.
func (s *Catalogues) isMoved(ctx context.Context, tenant model.TenantID, id model.PhoneNumberID) (bool, error) {
	phone, err := s.Numbers.Number(ctx, id)
	return phone.TenantID != tenant, err
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(a *model.CatalogAsked, of asked) bool {
	return a != nil && a.At == of.AskedAt && a.AnsweredAt == ""
}

// answered returns a request with its answer.
func (s *Catalogues) answered(a model.CatalogAsked, problem string) *model.CatalogAsked {
	a.AnsweredAt, a.Problem, a.After, a.Gone, a.Read = model.At(s.Now()), problem, "", "", false
	return &a
}

// answer stores the answer of a request. The condition is that it is still waited for.
func (s *Catalogues) answer(ctx context.Context, of asked, problem string) error {
	if of.CatalogID != "" {
		return s.settle(ctx, of, problem, func(*model.Catalog) {})
	}
	return s.changeAccount(ctx, of.WABAID, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if !current(a.Catalogs, of) {
			return nil, false, nil
		}
		a.Catalogs = s.answered(*a.Catalogs, problem)
		return nil, true, nil
	})
}

// settle stores the answer of a request about a catalogue, and what follows from it. The condition is that it is still
// waited for.
func (s *Catalogues) settle(ctx context.Context, of asked, problem string, follows func(c *model.Catalog)) error {
	err := s.change(ctx, of.CatalogID, func(c *model.Catalog) ([]dynamo.Write, bool, error) {
		if !current(c.Asked, of) {
			return nil, false, nil
		}
		c.Asked = s.answered(*c.Asked, problem)
		follows(c)
		return nil, true, nil
	})
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	return err
}

// request asks Meta with the access token of a number.
type request struct {
	*Catalogues
	meta  Meta
	phone string
}

// askCatalog carries out what is asked about a catalogue.
func (r *request) askCatalog(ctx context.Context, of asked) error {
	c, err := r.Get(ctx, of.CatalogID)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(c.Asked, of) {
		return nil // it is answered, or something else was asked since
	}
	switch {
	case err != nil:
		return err
	case c.Asked.Wish == Sync:
		return r.sync(ctx, c, of)
	case c.Asked.Wish != Link && c.Asked.Wish != Unlink:
		return asking.ErrUnknown
	}
	wanted, waba := c.Asked.Wish == Link, c.Asked.WABAID
	linked, err := r.listed(ctx, string(waba), "product_catalogs")
	if err != nil {
		return err
	}
	is := slices.ContainsFunc(linked, func(f found) bool { return f.id == c.CatalogID })
	if is != wanted {
		id := string(c.CatalogID)
		call := whatsapp.NumberCall{Method: http.MethodPost, Edge: "product_catalogs",
			Body: map[string]string{"catalog_id": id}}
		if !wanted {
			call = whatsapp.NumberCall{Method: http.MethodDelete, Edge: call.Edge,
				Query: url.Values{"catalog_id": {id}}}
		}
		if _, err := r.meta.AboutNode(ctx, r.phone, string(waba), call); err != nil {
			return err
		}
	}
	return r.settle(ctx, of, "", func(c *model.Catalog) {
		if c.Linked = wanted; wanted {
			c.WABAMetaID = waba
		}
	})
}
