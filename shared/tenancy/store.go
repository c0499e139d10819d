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

// A process caches for so long which store or company a number has, or that it has none. It bounds how long a change
// takes to have its effect, and what the question costs: every text asks it.
const knownFor = 10 * time.Second

// known is what a number serves, its tenant, whether somebody outside is told its events, and whether its conversations
// get a colleague by a rule, as they were at a time; "" for none.
type known struct {
	store, company      model.Name
	tenant              model.TenantID
	subscribed, assigns bool
	at                  time.Time
}

// holds reports whether what is known still counts.
func (k known) holds(now time.Time) bool { return now.Sub(k.at) < knownFor }

// StoreFinder knows which number leads to which store. Numbers implements it.
type StoreFinder interface {
	StoreOf(ctx context.Context, phone model.PhoneNumberID) (store model.Name, tenant model.TenantID, err error)
}

// StoreOf returns the store whose customers write to a number, and its tenant; "" for none. It caches the answer for
// ten seconds.
func (s *Numbers) StoreOf(ctx context.Context, phone model.PhoneNumberID) (model.Name, model.TenantID, error) {
	serves, err := s.serves(ctx, phone)
	return serves.store, serves.tenant, err
}

// CompanyOf returns the company whose conversations go by a number, and its tenant; "" for none. It caches the answer
// for ten seconds.
func (s *Numbers) CompanyOf(ctx context.Context, phone model.PhoneNumberID) (model.Name, model.TenantID, error) {
	serves, err := s.serves(ctx, phone)
	return serves.company, serves.tenant, err
}

// SubscribedTo returns the tenant of a number of which somebody outside is told events; "" for a number of which nobody
// is. It caches the answer for ten seconds.
func (s *Numbers) SubscribedTo(ctx context.Context, phone model.PhoneNumberID) (model.TenantID, error) {
	serves, err := s.serves(ctx, phone)
	if err != nil || !serves.subscribed {
		return "", err
	}
	return serves.tenant, nil
}

// Assigns returns the tenant of a number whose conversations get a colleague by a rule; "" for any other number. It
// caches the answer for ten seconds.
func (s *Numbers) Assigns(ctx context.Context, phone model.PhoneNumberID) (model.TenantID, error) {
	serves, err := s.serves(ctx, phone)
	if err != nil || !serves.assigns {
		return "", err
	}
	return serves.tenant, nil
}

func (s *Numbers) serves(ctx context.Context, phone model.PhoneNumberID) (known, error) {
	if stored, ok := s.stores.Load(phone); ok {
		if serves := stored.(known); serves.holds(s.Now()) {
			return serves, nil
		}
	}
	var number model.Phone
	err := s.DB.Get(ctx, tables.Messages, keys.Phone(phone), &number)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return known{}, fmt.Errorf("what a number serves: %w", err)
	}
	serves := known{
		number.StoreID, number.CompanyID, number.TenantID, number.Subscribed, number.AssignBy != "", s.Now()}
	s.stores.Store(phone, serves)
	return serves, nil
}

// KnowsStore reports whether StoreOf and CompanyOf answer without a read. A caller that reads other items anyway can
// read the number's item with them if they do not, and give it to NoteStore.
func (s *Numbers) KnowsStore(phone model.PhoneNumberID) bool {
	stored, ok := s.stores.Load(phone)
	return ok && stored.(known).holds(s.Now())
}

// NoteStore notes what a number's item, which is nil if there is none, says of its store and its company.
func (s *Numbers) NoteStore(phone model.PhoneNumberID, item dynamo.Item) {
	s.stores.Store(phone, known{
		store: model.Name(dynamo.Text(item, "storeId")), company: model.Name(dynamo.Text(item, "companyId")),
		tenant:     model.TenantID(dynamo.Text(item, "tenantId")),
		subscribed: dynamo.True(item, "subscribed"), assigns: dynamo.Text(item, "assignBy") != "", at: s.Now(),
	})
}

// StoreWrite returns the write by which a number leads to a store, or by which a store gives it up. The condition is
// that the number is the tenant's, and serves no other store and no company.
func (s *Numbers) StoreWrite(phone model.PhoneNumberID, tenant model.TenantID, store model.Name,
	has bool) dynamo.Update {
	s.stores.Delete(phone) // this process need not wait until what it knows is old
	return servesWrite(keys.Phone(phone), tenant, "storeId", "companyId", store, has)
}

// CompanyWrite returns the write by which the conversations of a company go by a number, or by which the company gives
// it up. The condition is that the number is the tenant's, and serves no other company and no store.
func (s *Numbers) CompanyWrite(phone model.PhoneNumberID, tenant model.TenantID, company model.Name,
	has bool) dynamo.Update {
	s.stores.Delete(phone)
	return servesWrite(keys.Phone(phone), tenant, "companyId", "storeId", company, has)
}

// servesWrite returns the write of the attribute that says what a number serves. other is the attribute for what it may
// not serve as well.
func servesWrite(number keys.Key, tenant model.TenantID, attribute, other string, id model.Name,
	has bool) dynamo.Update {
	free := "attribute_not_exists(" + attribute + ") OR " + attribute + " = :id"
	u := dynamo.Update{
		Table: tables.Messages, Key: number, Do: "SET " + attribute + " = :id",
		If:     "tenantId = :tenant AND attribute_not_exists(" + other + ") AND (" + free + ")",
		Values: dynamo.Item{":tenant": dynamo.S(tenant), ":id": dynamo.S(id)},
	}
	if !has {
		u.Do, u.If = "REMOVE "+attribute, free
		delete(u.Values, ":tenant")
	}
	return u
}
