// Package stores owns the stores of tenants: their settings, their opening hours, and the numbers whose customers order
// there.
package stores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a change of a store may break.
var (
	ErrSettings = errors.New("the store's settings are wrong")
	ErrStale    = errors.New("changed since it was read")
	ErrCatalog  = errors.New("the catalogue is not the tenant's, or another store keeps it")
	ErrNumber   = errors.New("the number is not the tenant's, or serves another store or a company")
)

// Numbers makes a number lead to a store. tenancy.Numbers implements it.
type Numbers interface {
	StoreWrite(phone model.PhoneNumberID, tenant model.TenantID, store model.Name, has bool) dynamo.Update
}

// Catalogs has a product catalogue at Meta be kept by a store. catalogues.Catalogues implements it.
type Catalogs interface {
	KeepWrite(id model.Name, tenant model.TenantID, store model.Name, has bool) dynamo.Update
}

// Stores reads and writes stores.
type Stores struct {
	DB       *dynamo.Client
	Now      func() time.Time
	Numbers  Numbers
	Catalogs Catalogs
	// Heard reports whether somebody outside is told events of a tenant; nil where no store is made.
	Heard func(ctx context.Context, tenant model.TenantID) (bool, error)
	// Follows returns the writes by which the catalogue at Meta follows what a store sells; nil if none does.
	Follows func(store commercemodel.Store) ([]dynamo.Write, error)
}

// Ref refers to a store.
func Ref(id model.Name) dynamo.Ref { return dynamo.Ref{Table: tables.Stores, Key: keys.Store(id)} }

// In returns the store that a batch has read, or dynamo.ErrNotFound.
func In(found dynamo.Found, id model.Name) (commercemodel.Store, error) {
	item := Ref(id).Found(found)
	if item == nil {
		return commercemodel.Store{}, dynamo.ErrNotFound
	}
	return decode(item)
}

func decode(item dynamo.Item) (store commercemodel.Store, err error) {
	return store, dynamo.Unmarshal(item, &store)
}

// Get returns a store, or dynamo.ErrNotFound.
func (s *Stores) Get(ctx context.Context, id model.Name) (store commercemodel.Store, err error) {
	return store, s.DB.Get(ctx, tables.Stores, keys.Store(id), &store)
}

// All returns the ids of up to limit stores of all tenants, in no order, after a place ("" for the first), and the
// place after them, "" for the end. It reads the whole table: it is for schedules.
func (s *Stores) All(ctx context.Context, limit int, after string) (ids []model.Name, next string, err error) {
	scan := dynamo.Scan{Table: tables.Stores, Limit: int32(limit)}
	if after != "" {
		scan.After = dynamo.Item{keys.PK: dynamo.S(after)}
	}
	page, err := s.DB.Scan(ctx, scan)
	if err != nil {
		return nil, "", fmt.Errorf("all stores: %w", err)
	}
	for _, item := range page.Items {
		ids = append(ids, model.Name(dynamo.Text(item, "id")))
	}
	return ids, dynamo.Text(page.Next, keys.PK), nil
}

// MaxNumbers bounds the numbers of a store: one transaction changes them together.
const MaxNumbers = 10

// IDOf returns the id of a store that is made of a seed.
func IDOf(seed string) model.Name { return model.Name("STR-" + keys.Code(6, "store", seed)) }

// Create creates a store and makes its numbers lead to it, in one transaction. Its id follows from seed, so that a
// request that is repeated with its seed finds the store it has made. It returns ErrSettings, ErrNumber and
// idempotency.ErrKeyReused.
func (s *Stores) Create(ctx context.Context, store commercemodel.Store, seed string,
	request idempotency.Request) (made commercemodel.Store, err error) {
	id := IDOf(seed)
	return made, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(request.Refs(), Ref(id)))
		if err != nil {
			return err
		}
		if _, err := request.Before(found, s.Now()); err != nil {
			return err
		}
		if made, err = In(found, id); err == nil && made.TenantID == store.TenantID {
			return nil
		} else if !errors.Is(err, dynamo.ErrNotFound) {
			return errors.Join(err, dynamo.ErrConflict)
		}
		made = store
		made.PK, made.ID, made.StoreID = id, id, id
		made.CreatedAt = model.At(s.Now())
		if s.Heard != nil {
			if made.Subscribed, err = s.Heard(ctx, store.TenantID); err != nil {
				return err
			}
		}
		if made.OwnerID == "" {
			made.OwnerID = model.Name("OWNER-" + keys.Code(8, "owner", seed))
		}
		record, err := request.Writes(s.Now(), struct{ Store model.Name }{id})
		if err != nil {
			return err
		}
		return s.write(ctx, commercemodel.Store{}, &made, record...)
	})
}

// Update replaces what a caller may set of a store. Its condition is the version that the caller has read. It returns
// ErrStale, ErrSettings and ErrNumber.
func (s *Stores) Update(ctx context.Context, id model.Name, version int64,
	set func(store *commercemodel.Store)) (commercemodel.Store, error) {
	was, err := s.Get(ctx, id)
	if err != nil {
		return was, err
	}
	next := was
	set(&next)
	keepSince(was, &next)
	Complete(&next.Settings)
	if dynamo.StoredAlike(was, next) {
		return was, nil // a repeated request
	}
	if was.Version != version {
		return was, problem.Breaks(ErrStale, "stale-version", "Changed meanwhile",
			"The store has the version %d. Read it again.", was.Version)
	}
	return next, s.write(ctx, was, &next)
}

// write stores a store, and what its numbers lead to, together with other writes.
func (s *Stores) write(ctx context.Context, was commercemodel.Store, next *commercemodel.Store,
	more ...dynamo.Write) error {
	Complete(&next.Settings)
	if err := Check(*next); err != nil {
		return err
	}
	next.UpdatedAt = model.At(s.Now())
	if next.ContactInfo.WhatsApp != was.ContactInfo.WhatsApp {
		next.OwnerConfirmedAt = next.UpdatedAt
	}
	for i := range next.Settings.Team {
		next.Settings.Team[i].Since = cmp.Or(next.Settings.Team[i].Since, next.UpdatedAt)
	}
	setKeys(next)
	put, err := dynamo.PutVersion(tables.Stores, next)
	if err != nil {
		return err
	}
	numbers := s.numberWrites(was, *next)
	kept, follows, err := s.catalogWrites(was, *next)
	if err != nil {
		return err
	}
	err = s.DB.Transact(ctx, slices.Concat(numbers, kept, []dynamo.Write{put}, follows, more))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) {
		for i, reason := range cancelled.Reasons[:len(numbers)] {
			if reason.Failed() {
				why := "not a number of the tenant, or it leads to another store"
				if dynamo.Text(reason.Item, "companyId") != "" {
					why = "it serves the conversations of a company, and a number serves a store or a company"
				}
				return problem.Wrong(ErrNumber, fmt.Sprintf("body.phoneNumberIds[%d]", i), "%s", why)
			}
		}
		if len(kept) > 0 && cancelled.Reasons[len(numbers)].Failed() && next.CatalogID != "" {
			return problem.Wrong(ErrCatalog, "body.catalogueId",
				"not a catalogue of the tenant, or another store keeps it")
		}
	}
	return dynamo.Conflict(err)
}

// numberWrites returns the writes of the numbers that a store gains, in the order of its list, and of those that it
// loses. A number that it keeps is written as well, so that a number which was taken away in between leads to the store
// again.
func (s *Stores) numberWrites(was, next commercemodel.Store) []dynamo.Write {
	var writes []dynamo.Write
	for _, phone := range next.PhoneNumberIDs {
		writes = append(writes, s.Numbers.StoreWrite(phone, next.TenantID, next.ID, true))
	}
	for _, phone := range was.PhoneNumberIDs {
		if !slices.Contains(next.PhoneNumberIDs, phone) {
			writes = append(writes, s.Numbers.StoreWrite(phone, next.TenantID, next.ID, false))
		}
	}
	return writes
}

// catalogWrites returns the writes of the catalogue that a store gains, and of the one that it loses, and those by
// which what it gains follows. The one that it gains is the first.
func (s *Stores) catalogWrites(was, next commercemodel.Store) (kept, follows []dynamo.Write, err error) {
	if was.CatalogID == next.CatalogID || s.Catalogs == nil {
		return nil, nil, nil
	}
	if next.CatalogID != "" {
		kept = append(kept, s.Catalogs.KeepWrite(next.CatalogID, next.TenantID, next.ID, true))
		if follows, err = s.Follows(next); err != nil {
			return nil, nil, err
		}
	}
	if was.CatalogID != "" {
		kept = append(kept, s.Catalogs.KeepWrite(was.CatalogID, next.TenantID, next.ID, false))
	}
	return kept, follows, nil
}

// setKeys sets a store's index keys.
func setKeys(s *commercemodel.Store) {
	s.GSI1PK, s.GSI1SK = keys.StoresOf(s.OwnerID), s.CreatedAt
	s.GSI2PK, s.GSI2SK = "", ""
	if city, err := model.Parse[model.Name](s.Address.City); err == nil {
		s.GSI2PK, s.GSI2SK = keys.StoresIn(city), s.ID
	}
}

// keepSince keeps since when those who stay in a store's team have their authority.
func keepSince(was commercemodel.Store, next *commercemodel.Store) {
	for i, m := range next.Settings.Team {
		for _, before := range was.Settings.Team {
			if before.WhatsApp == m.WhatsApp {
				next.Settings.Team[i].Since = before.Since
			}
		}
	}
}

// CloseOn returns the write by which a store is closed on a day, yyyy-mm-dd; "" ends that. Its condition is that the
// store is as it was read.
func CloseOn(was commercemodel.Store, day string, now time.Time) dynamo.Update {
	return changed(was, now, "closed_on = :value", dynamo.S(day))
}

// SetHours returns the write by which a store has other hours on each of its days. Its condition is that the store is
// as it was read.
func SetHours(was commercemodel.Store, hours commercemodel.Hours, now time.Time) (dynamo.Update, error) {
	all := map[string]commercemodel.Hours{}
	for _, day := range Weekdays {
		if _, open := was.Settings.BusinessHours[day]; open || len(was.Settings.BusinessHours) == 0 {
			all[day] = hours
		}
	}
	item, err := dynamo.Marshal(struct {
		Hours map[string]commercemodel.Hours `dynamodbav:"hours"`
	}{all})
	if err != nil {
		return dynamo.Update{}, err
	}
	return changed(was, now, "settings.business_hours = :value", item["hours"]), nil
}

// SetQuiet returns the write by which a member of a store's team wants to hear of no orders, or of orders again. Its
// condition is that the store is as it was read.
func SetQuiet(was commercemodel.Store, member int, quiet bool, now time.Time) dynamo.Update {
	return changed(was, now, fmt.Sprintf("settings.team[%d].quiet = :value", member), dynamo.Bool(quiet))
}

func changed(was commercemodel.Store, now time.Time, do string, value dynamo.AttributeValue) dynamo.Update {
	return dynamo.Update{
		Table: tables.Stores, Key: keys.Store(was.ID), If: "version = :was",
		Do: "SET " + do + ", version = :next, updated_at = :now",
		Values: dynamo.Item{
			":was": dynamo.N(was.Version), ":next": dynamo.N(was.Version + 1), ":now": dynamo.S(model.At(now)),
			":value": value},
	}
}

// CatalogueChanged returns the write by which everybody learns that the catalogue of a store has changed.
func CatalogueChanged(store model.Name, now time.Time) dynamo.Update {
	return dynamo.Update{
		Table: tables.Stores, Key: keys.Store(store), If: dynamo.IfPresent,
		Do: "SET catalogue_changed_at = :now", Values: dynamo.Item{":now": dynamo.S(model.At(now))},
	}
}

// Filter selects stores: those of a tenant, of an owner, or in a city. With an owner or a city, Tenant leaves out those
// of other tenants; "" keeps them.
type Filter struct {
	Tenant model.TenantID
	Owner  model.Name
	City   model.Name
}

// Count returns how many stores a tenant has, counted up to most, and whether there are more.
func (s *Stores) Count(ctx context.Context, tenant model.TenantID, most int) (n int, more bool, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Stores, Index: tables.IndexStoresByTenant, Where: "tenant_id = :pk",
		Values: dynamo.Item{":pk": dynamo.S(tenant)},
	}, most, "")
	if err != nil {
		return 0, false, fmt.Errorf("count stores: %w", err)
	}
	return len(rows), next != "", nil
}

// List returns up to limit stores from after a place ("" for the first page), and the place of the next page; "" for
// none. A page may be short even if another one follows. It may take a moment until a change shows.
func (s *Stores) List(ctx context.Context, f Filter, limit int,
	after string) (all []commercemodel.Store, next string, err error) {
	q := dynamo.Query{Table: tables.Stores, Values: dynamo.Item{}}
	switch {
	case f.Owner != "":
		q.Index, q.Where, q.Values[":pk"] = "GSI1", "gsi1pk = :pk", dynamo.S(keys.StoresOf(f.Owner))
	case f.City != "":
		q.Index, q.Where, q.Values[":pk"] = "GSI2", "gsi2pk = :pk", dynamo.S(keys.StoresIn(f.City))
	default:
		q.Index, q.Where, q.Values[":pk"] = tables.IndexStoresByTenant, "tenant_id = :pk", dynamo.S(f.Tenant)
	}
	if q.Index != tables.IndexStoresByTenant && f.Tenant != "" {
		q.Filter, q.Values[":tenant"] = "tenant_id = :tenant", dynamo.S(f.Tenant)
	}
	rows, next, err := s.DB.Some(ctx, q, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("list stores: %w", err)
	}
	all, err = dynamo.Whole[commercemodel.Store](ctx, s.DB, tables.Stores, rows)
	all = slices.DeleteFunc(all,
		func(store commercemodel.Store) bool { return f.Tenant != "" && store.TenantID != f.Tenant })
	return all, next, err
}
