package tenancy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Errors about tenants.
var (
	// ErrExists means that there is a tenant with the id already.
	ErrExists = problem.New("the tenant exists", problem.Error{
		Class: problem.Conflict, Code: "tenant-exists", Title: "The tenant exists",
		Detail: "There is a tenant with this id already. Change it, or choose another id.",
	})
	// ErrDisabled means that a tenant sends nothing for now.
	ErrDisabled = problem.New("the tenant is disabled", problem.Error{
		Class: problem.Conflict, Code: "tenant-disabled", Title: "The tenant is disabled",
		Detail: "The tenant sends nothing until a platform operator enables it. What is to be sent waits.",
	})
)

// Tenants keeps the businesses that use haatline.
type Tenants struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Outbox *outbox.Outbox
	// Group returns the group of the outbox that holds everything sent from a number.
	Group func(model.PhoneNumberID) string
	// Owned returns what a tenant has in the domains. A tenant that has something is not deleted.
	Owned func(context.Context, model.TenantID) ([]Belonging, error)
}

// Belonging says how many of a kind a tenant has.
type Belonging struct {
	Kind  string // in the plural: numbers, stores, …
	Count int
	More  bool // there are more than were counted
}

// Facts are what a tenant is called, and what its payments need. nil leaves a fact as it is, and "" removes it.
type Facts struct {
	DisplayName, WABAID, PhoneE164, MCC, PurposeCode, DefaultPaymentConfig *string
}

// founding completes the update that may be the first of a tenant's item, so that the tenant is in the list of all.
func founding(u *dynamo.Update, id model.TenantID, now time.Time) {
	u.Table, u.Key = tables.Messages, keys.Tenant(id)
	const do = "itemType = :type, tenantId = :tenant, createdAt = if_not_exists(createdAt, :now), " +
		"fromPk = :tenants, receivedAt = if_not_exists(receivedAt, :now)"
	if u.Do != "" {
		u.Do = ", " + u.Do
	}
	u.Do = "SET " + do + u.Do
	if u.Values == nil {
		u.Values = dynamo.Item{}
	}
	u.Values[":type"], u.Values[":tenant"] = dynamo.S(model.ItemTenant), dynamo.S(id)
	u.Values[":now"], u.Values[":tenants"] = dynamo.S(model.At(now)), dynamo.S(keys.Tenants)
}

// Founding returns the update of a part of a tenant's item, which may be its first. set is the parts that it sets.
func Founding(id model.TenantID, now time.Time, set string, values dynamo.Item) dynamo.Update {
	u := dynamo.Update{Do: set, Values: values, If: "attribute_not_exists(pk) OR itemType = :type"}
	founding(&u, id, now)
	return u
}

// Create creates a tenant. Repeating it changes nothing. It returns ErrExists if there is another one with the id. Its
// condition is that there is none.
func (s *Tenants) Create(ctx context.Context, id model.TenantID, facts Facts) error {
	u := dynamo.Update{Values: dynamo.Item{}, If: dynamo.IfAbsent}
	set, _ := facts.parts(u.Values)
	u.Do = set
	founding(&u, id, s.Now())
	err := s.DB.Update(ctx, u)
	var failed *dynamo.ConditionFailed
	if errors.As(err, &failed) {
		if facts.areOf(failed.Item) {
			return nil
		}
		return ErrExists
	}
	if err != nil {
		return fmt.Errorf("create tenant: %w", err)
	}
	return nil
}

// areOf reports whether a tenant has been created with these facts, and nothing has changed since.
func (f Facts) areOf(tenant dynamo.Item) bool {
	for _, fact := range f.all() {
		given := ""
		if fact.is != nil {
			given = *fact.is
		}
		if dynamo.Text(tenant, fact.name) != given {
			return false
		}
	}
	return tenant["phoneNumberIds"] == nil
}

// fact is one of them, with its name in the item.
type fact struct {
	name string
	is   *string
}

func (f Facts) all() []fact {
	return []fact{
		{"displayName", f.DisplayName}, {"wabaId", f.WABAID}, {"phoneE164", f.PhoneE164}, {"mcc", f.MCC},
		{"purposeCode", f.PurposeCode}, {"defaultPaymentConfig", f.DefaultPaymentConfig},
	}
}

// parts returns what an update sets and removes, and adds its values.
func (f Facts) parts(values dynamo.Item) (set, remove string) {
	for _, fact := range f.all() {
		switch {
		case fact.is == nil:
		case *fact.is == "":
			remove = listed(remove, fact.name)
		default:
			set = listed(set, fact.name+" = :"+fact.name)
			values[":"+fact.name] = dynamo.S(*fact.is)
		}
	}
	return set, remove
}

func listed(list, one string) string {
	if list == "" {
		return one
	}
	return list + ", " + one
}

// Get returns a tenant, or dynamo.ErrNotFound.
func (s *Tenants) Get(ctx context.Context, id model.TenantID) (tenant model.Tenant, err error) {
	return tenant, s.DB.Get(ctx, tables.Messages, keys.Tenant(id), &tenant)
}

// GetMany returns tenants by their ids, in that order. One of which nothing is stored has an id alone.
func (s *Tenants) GetMany(ctx context.Context, ids []model.TenantID) ([]model.Tenant, error) {
	refs := make([]dynamo.Ref, len(ids))
	for i, id := range ids {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.Tenant(id)}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read tenants: %w", err)
	}
	all := make([]model.Tenant, len(ids))
	for i, ref := range refs {
		all[i].TenantID = ids[i]
		if err := dynamo.Unmarshal(ref.Found(found), &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// List returns up to limit tenants from after a place ("" for the first page), the latest first, and the place of the
// next page; "" for none. It may take a moment until a new tenant shows.
func (s *Tenants) List(ctx context.Context, limit int, after string) (all []model.Tenant, next string, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :tenants", Backwards: true,
		Values: dynamo.Item{":tenants": dynamo.S(keys.Tenants)},
	}, limit, after)
	if err == nil {
		all, err = dynamo.Whole[model.Tenant](ctx, s.DB, tables.Messages, rows)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list tenants: %w", err)
	}
	return all, next, nil
}

// Change changes facts of a tenant. It returns dynamo.ErrNotFound. Its condition is that the tenant is there.
func (s *Tenants) Change(ctx context.Context, id model.TenantID, facts Facts) (tenant model.Tenant, err error) {
	values := dynamo.Item{":type": dynamo.S(model.ItemTenant)}
	set, remove := facts.parts(values)
	do := dynamo.Do{Set: []string{listed(set, "itemType = :type")}}
	if remove != "" {
		do.Remove = []string{remove}
	}
	err = s.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Tenant(id), Do: do.String(), If: dynamo.IfPresent, Values: values})
	if dynamo.IsConditionFailed(err) {
		return tenant, dynamo.ErrNotFound
	}
	if err != nil {
		return tenant, fmt.Errorf("change tenant: %w", err)
	}
	return s.Get(ctx, id)
}

// Delete deletes a tenant that has nothing. It returns dynamo.ErrNotFound, and a problem that names what the tenant
// has. Its condition is that no number has joined the tenant since it was read.
func (s *Tenants) Delete(ctx context.Context, id model.TenantID) error {
	if _, err := s.Get(ctx, id); err != nil {
		return err
	}
	has, err := s.Belongings(ctx, id)
	if err != nil {
		return err
	}
	if len(has) > 0 {
		return notEmpty(has)
	}
	err = dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Messages, Key: keys.Tenant(id),
		If: "itemType = :type AND attribute_not_exists(subscriptionIds) AND " +
			"(attribute_not_exists(phoneNumberIds) OR size(phoneNumberIds) = :none)",
		Values: dynamo.Item{":type": dynamo.S(model.ItemTenant), ":none": dynamo.N(0)},
	}}))
	if errors.Is(err, dynamo.ErrConflict) {
		return notEmpty([]Belonging{{Kind: "numbers", Count: 1, More: true}})
	}
	if err != nil {
		return fmt.Errorf("delete tenant: %w", err)
	}
	return nil
}

func notEmpty(has []Belonging) error {
	var fields []problem.Field
	for _, of := range has {
		fields = append(fields, problem.Field{Path: of.Kind, Detail: fmt.Sprintf("%d of them", of.Count)})
	}
	return problem.New("the tenant is not empty", problem.Error{
		Class: problem.Conflict, Code: "tenant-not-empty", Title: "The tenant is not empty", Fields: fields,
		Detail: "Only a tenant that has nothing can be deleted.",
	})
}

// counted bounds what is counted of a tenant in the messages table.
const counted = 1000

// kinds are what tenants have in the messages table, by item type.
var kinds = map[string]string{
	model.ItemPhone: "numbers", model.ItemSender: "smsNumbers", model.ItemMember: "people",
	model.ItemCampaign: "campaigns", model.ItemPaymentOrder: "paymentOrders",
	model.ItemPaymentConfig: "paymentConfigurations", model.ItemEventSubscription: "eventSubscriptions",
}

// Belongings returns what a tenant has, by kind. It may take a moment until a change shows.
func (s *Tenants) Belongings(ctx context.Context, id model.TenantID) (all []Belonging, err error) {
	rows, next, err := s.DB.Some(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTenant, Where: "tenantId = :tenant",
		Values: dynamo.Item{":tenant": dynamo.S(id)},
	}, counted, "")
	if err != nil {
		return nil, fmt.Errorf("what a tenant has: %w", err)
	}
	counts, order := map[string]int{}, []string{}
	for _, row := range rows { // sorted by the item type
		kind := kinds[dynamo.Text(row, "itemType")]
		if kind == "" {
			continue
		}
		if counts[kind]++; counts[kind] == 1 {
			order = append(order, kind)
		}
	}
	for i, kind := range order {
		all = append(all, Belonging{Kind: kind, Count: counts[kind], More: next != "" && i == len(order)-1})
	}
	if s.Owned == nil {
		return all, nil
	}
	more, err := s.Owned(ctx, id)
	return append(all, more...), err
}
