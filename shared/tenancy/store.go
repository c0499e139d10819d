package tenancy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A process caches for so long which store a number has, or that it has no store. It bounds how long a change takes to
// have its effect, and what the question costs: every text asks it.
const knownFor = 10 * time.Second

// knownStore is a number's store and its tenant as they were at a time; "" for none.
type knownStore struct {
	store  model.Name
	tenant model.TenantID
	at     time.Time
}

// holds reports whether what is known still counts.
func (k knownStore) holds(now time.Time) bool { return now.Sub(k.at) < knownFor }

// StoreFinder knows which number leads to which store. Numbers implements it.
type StoreFinder interface {
	StoreOf(ctx context.Context, phone model.PhoneNumberID) (store model.Name, tenant model.TenantID, err error)
}

// StoreOf returns the store whose customers write to a number, and its tenant; "" for none. It caches the answer for
// ten seconds.
func (s *Numbers) StoreOf(ctx context.Context, phone model.PhoneNumberID) (model.Name, model.TenantID, error) {
	if stored, ok := s.stores.Load(phone); ok {
		if known := stored.(knownStore); known.holds(s.Now()) {
			return known.store, known.tenant, nil
		}
	}
	var number model.Phone
	err := s.DB.Get(ctx, tables.Messages, keys.Phone(phone), &number)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return "", "", fmt.Errorf("store of number: %w", err)
	}
	s.stores.Store(phone, knownStore{number.StoreID, number.TenantID, s.Now()})
	return number.StoreID, number.TenantID, nil
}

// KnowsStore reports whether StoreOf answers without a read. Who reads other items anyway can read the number's item
// with them if it does not, and give it to NoteStore.
func (s *Numbers) KnowsStore(phone model.PhoneNumberID) bool {
	stored, ok := s.stores.Load(phone)
	return ok && stored.(knownStore).holds(s.Now())
}

// NoteStore notes what a number's item, which is nil if there is none, says of its store.
func (s *Numbers) NoteStore(phone model.PhoneNumberID, item dynamo.Item) {
	s.stores.Store(phone,
		knownStore{model.Name(dynamo.Text(item, "storeId")), model.TenantID(dynamo.Text(item, "tenantId")), s.Now()})
}

// StoreWrite returns the write by which a number leads to a store, or by which a store gives it up. The condition is
// that the number is the tenant's, and leads to no other store.
func (s *Numbers) StoreWrite(phone model.PhoneNumberID, tenant model.TenantID, store model.Name,
	has bool) dynamo.Update {
	s.stores.Delete(phone) // this process need not wait until what it knows is old
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET storeId = :store",
		If:     "tenantId = :tenant AND (attribute_not_exists(storeId) OR storeId = :store)",
		Values: dynamo.Item{":tenant": dynamo.S(tenant), ":store": dynamo.S(store)},
	}
	if !has {
		u.Do, u.If = "REMOVE storeId", "attribute_not_exists(storeId) OR storeId = :store"
		delete(u.Values, ":tenant")
	}
	return u
}
