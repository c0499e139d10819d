package tenancy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Claim makes sure that a number that receives messages has a tenant, a WABA and a display number. A number without a
// tenant goes to the tenant of the account's other numbers, or to the default tenant if the account has none. If
// several tenants have numbers of the account, an operator must decide. Claim never changes what is set, and does not
// assign a number that was released from a tenant: the next tenant of a number gets its conversations. Claim costs one
// write per number and process, and one query in the number's lifetime.
func (s *Numbers) Claim(ctx context.Context, phone model.PhoneNumberID, waba model.WABAID,
	value json.RawMessage) error {
	if _, err := model.ParsePhoneNumberID(string(phone)); err != nil || s.DefaultTenant == "" && waba == "" {
		return nil
	}
	if withWABA, seen := s.claimed.Load(phone); seen && (withWABA == true || waba == "") {
		return nil
	}
	display := displayNumber(value)
	ownerless := waba == "" // without a WABA the condition below says nothing about the owner
	if waba != "" {
		filled, err := s.DB.UpdateReturning(ctx, s.fillInAccount(phone, waba, display))
		var existing *dynamo.ConditionFailed
		switch {
		case err == nil:
			s.NoteStore(phone, filled)
		case errors.As(err, &existing):
			s.NoteStore(phone, existing.Item)
			ownerless = dynamo.Text(existing.Item, "tenantId") == "" && dynamo.Text(existing.Item, "releasedAt") == ""
		default:
			return fmt.Errorf("claim number: %w", err)
		}
	}
	if ownerless && s.DefaultTenant != "" {
		if err := s.assignToAccountOwner(ctx, phone, waba, display); err != nil {
			return fmt.Errorf("claim number: %w", err)
		}
	}
	s.claimed.Store(phone, waba != "")
	return nil
}

// displayNumber returns the display number that a logged value names; "" if there is none.
func displayNumber(value json.RawMessage) string {
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	return model.Truncate(v.Object("metadata").Text("display_phone_number"), maxDisplayNumber)
}

const maxDisplayNumber = 64 // bytes

// fillInAccount returns the update that adds the WABA and the display number to a tenant's number. The condition is
// that the number has a tenant and lacks one of them. It keeps what is set.
func (s *Numbers) fillInAccount(phone model.PhoneNumberID, waba model.WABAID, display string) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET wabaMetaId = if_not_exists(wabaMetaId, :waba)",
		If:     "attribute_exists(tenantId) AND attribute_not_exists(wabaMetaId)",
		Values: dynamo.Item{":waba": dynamo.S(waba)},
	}
	if display != "" {
		u.Do += ", displayPhoneNumber = if_not_exists(displayPhoneNumber, :display)"
		u.If = "attribute_exists(tenantId) AND (attribute_not_exists(wabaMetaId) OR " +
			"attribute_not_exists(displayPhoneNumber))"
		u.Values[":display"] = dynamo.S(display)
	}
	return u
}

// assignToAccountOwner assigns a number without a tenant to the tenant of the account's other numbers. The condition is
// that it has no tenant: of two concurrent claims the first wins.
func (s *Numbers) assignToAccountOwner(ctx context.Context, phone model.PhoneNumberID, waba model.WABAID,
	display string) error {
	owner := s.DefaultTenant
	if waba != "" {
		owners, err := s.TenantsOfAccount(ctx, waba)
		if err != nil {
			return err
		}
		switch len(owners) {
		case 0:
		case 1:
			owner = owners[0]
		default:
			owner = ""
		}
	}
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone),
		If: "attribute_not_exists(tenantId) AND attribute_not_exists(releasedAt)",
		Do: "SET itemType = :type, phoneNumberId = :phone, createdAt = if_not_exists(createdAt, :now)",
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemPhone), ":phone": dynamo.S(phone), ":now": dynamo.S(model.At(s.Now())),
		},
	}
	if owner != "" {
		u.Do += ", tenantId = :tenant"
		u.Values[":tenant"] = dynamo.S(owner)
	} else {
		u.Do += ", releasedAt = :now" // deliberately without a tenant
	}
	if waba != "" {
		u.Do += ", wabaMetaId = if_not_exists(wabaMetaId, :waba)"
		u.Values[":waba"] = dynamo.S(waba)
	}
	if display != "" {
		u.Do += ", displayPhoneNumber = if_not_exists(displayPhoneNumber, :display)"
		u.Values[":display"] = dynamo.S(display)
	}
	return s.assign(ctx, phone, owner, u)
}

// assign assigns a number to a tenant, or to none, and puts it into the tenant's list in the same transaction. A number
// that somebody has assigned or released meanwhile stays as it is.
func (s *Numbers) assign(ctx context.Context, phone model.PhoneNumberID, owner model.TenantID, u dynamo.Update) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		var was model.Phone
		err := s.DB.Get(ctx, tables.Messages, u.Key, &was)
		if was.TenantID != "" || was.ReleasedAt != "" || err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		writes, heard, err := s.listWrites(ctx, phone, "", owner)
		if err != nil {
			return err
		}
		u := u // the next attempt begins anew
		if heard {
			u.Do, u.Values = u.Do+", subscribed = :heard", maps.Clone(u.Values)
			u.Values[":heard"] = dynamo.Bool(true)
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, u)))
	})
}

// TenantOf returns the number's tenant, or the default tenant if its item names none. It returns "" for a number
// without an item, which has received no message yet, and for a released number.
func (s *Numbers) TenantOf(ctx context.Context, id model.PhoneNumberID) (model.TenantID, error) {
	number, err := s.Number(ctx, id)
	return number.TenantID, err
}

// Number returns a number with its tenant as TenantOf returns it.
func (s *Numbers) Number(ctx context.Context, id model.PhoneNumberID) (model.Phone, error) {
	var phone model.Phone
	err := s.DB.Get(ctx, tables.Messages, keys.Phone(id), &phone)
	if errors.Is(err, dynamo.ErrNotFound) {
		return model.Phone{}, nil
	}
	if err != nil {
		return model.Phone{}, fmt.Errorf("tenant of number: %w", err)
	}
	return s.owned(phone), nil
}

// NumberWith returns a number as Number does, and what else it has read in the same round trip.
func (s *Numbers) NumberWith(ctx context.Context, id model.PhoneNumberID, refs ...dynamo.Ref) (model.Phone,
	dynamo.Found, error) {
	number := dynamo.Ref{Table: tables.Messages, Key: keys.Phone(id)}
	found, err := s.DB.BatchGet(ctx, append(refs, number))
	if err != nil {
		return model.Phone{}, nil, fmt.Errorf("tenant of number: %w", err)
	}
	item := number.Found(found)
	if item == nil {
		return model.Phone{}, found, nil
	}
	var phone model.Phone
	if err := dynamo.Unmarshal(item, &phone); err != nil {
		return model.Phone{}, nil, err
	}
	return s.owned(phone), found, nil
}

// owned returns a stored number with its tenant.
func (s *Numbers) owned(number model.Phone) model.Phone {
	if number.TenantID == "" && number.ReleasedAt == "" {
		number.TenantID = s.DefaultTenant
	}
	return number
}

// AccessTokenRef returns the reference to the number's own access token, and the number's tenant; "" if it has none, or
// the number is unknown.
func (s *Numbers) AccessTokenRef(ctx context.Context,
	id model.PhoneNumberID) (ref string, tenant model.TenantID, err error) {
	var phone model.Phone
	err = s.DB.Get(ctx, tables.Messages, keys.Phone(id), &phone)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", "", nil
	}
	return phone.AccessTokenRef, phone.TenantID, err
}

// AWSPhoneNumberID returns AWS's id of a number that sends by AWS End User Messaging; "" if it sends by Meta itself, or
// the number is unknown.
func (s *Numbers) AWSPhoneNumberID(ctx context.Context, id model.PhoneNumberID) (string, error) {
	number, err := s.Number(ctx, id)
	return number.AWSPhoneNumberID, err
}

// Phones returns all numbers of a tenant, in no particular order.
func (s *Numbers) Phones(ctx context.Context, tenant model.TenantID) ([]model.Phone, error) {
	return s.phones(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexTenant, Where: "tenantId = :t AND itemType = :type",
		Values: dynamo.Item{":t": dynamo.S(tenant), ":type": dynamo.S(model.ItemPhone)},
	})
}

// ErrNoNumber means that Meta cannot be asked about an account for a tenant.
var ErrNoNumber = problem.New("the tenant has no number of the account", problem.Error{
	Class: problem.Conflict, Code: "account-without-number", Title: "No number of the account",
	Detail: "The account has to be one of the tenant's numbers: Meta is asked with the access token of a number.",
})

// OfAccount returns a number of a tenant's that an account has, or ErrNoNumber.
func (s *Numbers) OfAccount(ctx context.Context, tenant model.TenantID, waba model.WABAID) (model.PhoneNumberID,
	error) {
	phones, err := s.Phones(ctx, tenant)
	if err != nil {
		return "", err
	}
	for _, phone := range phones {
		if phone.TenantID == tenant && phone.WABAMetaID == waba {
			return phone.PhoneNumberID, nil
		}
	}
	return "", ErrNoNumber
}

// TenantsOfAccount returns the tenants that have a number of a WhatsApp Business Account, each once.
func (s *Numbers) TenantsOfAccount(ctx context.Context, waba model.WABAID) ([]model.TenantID, error) {
	if tenant, is := webhooklog.TenantIn(waba); is {
		return []model.TenantID{tenant}, nil
	}
	phones, err := s.PhonesOfAccount(ctx, waba)
	if err != nil {
		return nil, err
	}
	var owners []model.TenantID
	for _, phone := range phones {
		if phone.TenantID != "" && !slices.Contains(owners, phone.TenantID) {
			owners = append(owners, phone.TenantID)
		}
	}
	return owners, nil
}

// PhonesOfAccount lists the numbers of a WABA.
func (s *Numbers) PhonesOfAccount(ctx context.Context, waba model.WABAID) ([]model.Phone, error) {
	return s.phones(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexWABAItemType, Where: "wabaMetaId = :w AND itemType = :type",
		Values: dynamo.Item{":w": dynamo.S(waba), ":type": dynamo.S(model.ItemPhone)},
	})
}

func (s *Numbers) phones(ctx context.Context, q dynamo.Query) ([]model.Phone, error) {
	rows, err := s.DB.Rows(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("list numbers: %w", err)
	}
	phones, err := dynamo.Whole[model.Phone](ctx, s.DB, tables.Messages, rows)
	if err != nil {
		return nil, fmt.Errorf("list numbers: %w", err)
	}
	return phones, nil
}
