package tenancy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// claim sees to it that a number whose messages come in has an owner and a WABA, and is known as people write it. A number without an owner goes to the tenant that
// has the account's other numbers, and to the default tenant where nobody has one; where several have, it is for an
// operator to say. What stands is never changed, and a number that was taken from a tenant stays without an owner: the next owner
// of a number gets its conversations. It costs one write for each number in the life of a process, and a query once in the
// number's.
func (s *Numbers) Claim(ctx context.Context, phone model.PhoneNumberID, waba model.WABAID, value json.RawMessage) error {
	if _, err := model.ParsePhoneNumberID(string(phone)); err != nil || s.DefaultTenant == "" && waba == "" {
		return nil
	}
	if withWABA, seen := s.claimed.Load(phone); seen && (withWABA == true || waba == "") {
		return nil
	}
	display := displayNumber(value)
	ownerless := waba == "" // then the account says nothing about an owner
	if waba != "" {
		_, err := s.DB.Update(ctx, s.fillInAccount(phone, waba, display))
		var existing *dynamo.ConditionFailed
		switch {
		case errors.As(err, &existing):
			ownerless = dynamo.Text(existing.Item, "tenantId") == "" && dynamo.Text(existing.Item, "releasedAt") == ""
		case err != nil:
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

// displayNumber is the number that a logged value is about, as people write it, "" where it does not say.
func displayNumber(value json.RawMessage) string {
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	return model.Truncate(v.Object("metadata").Text("display_phone_number"), maxDisplayNumber)
}

const maxDisplayNumber = 64 // bytes

// fillInAccount has a tenant's number learn its account, and how people write it. Its condition is that it is somebody's and does not
// know one of them; what it knows stays.
func (s *Numbers) fillInAccount(phone model.PhoneNumberID, waba model.WABAID, display string) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET wabaMetaId = if_not_exists(wabaMetaId, :waba)",
		If: "attribute_exists(tenantId) AND attribute_not_exists(wabaMetaId)", Values: dynamo.Item{":waba": dynamo.S(waba)},
	}
	if display != "" {
		u.Do += ", displayPhoneNumber = if_not_exists(displayPhoneNumber, :display)"
		u.If = "attribute_exists(tenantId) AND (attribute_not_exists(wabaMetaId) OR attribute_not_exists(displayPhoneNumber))"
		u.Values[":display"] = dynamo.S(display)
	}
	return u
}

// assignToAccountOwner gives a number without an owner to the tenant that has the other numbers of its account. Its condition is that
// nobody has it still: of two claims at once the first counts.
func (s *Numbers) assignToAccountOwner(ctx context.Context, phone model.PhoneNumberID, waba model.WABAID, display string) error {
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
		Table: tables.Messages, Key: keys.Phone(phone), If: "attribute_not_exists(tenantId) AND attribute_not_exists(releasedAt)",
		Do: "SET itemType = :type, phoneNumberId = :phone, createdAt = if_not_exists(createdAt, :now)",
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemPhone), ":phone": dynamo.S(phone), ":now": dynamo.S(model.At(s.Now())),
		},
	}
	if owner != "" {
		u.Do += ", tenantId = :tenant"
		u.Values[":tenant"] = dynamo.S(owner)
	} else {
		u.Do += ", releasedAt = :now" // nobody's on purpose
	}
	if waba != "" {
		u.Do += ", wabaMetaId = if_not_exists(wabaMetaId, :waba)"
		u.Values[":waba"] = dynamo.S(waba)
	}
	if display != "" {
		u.Do += ", displayPhoneNumber = if_not_exists(displayPhoneNumber, :display)"
		u.Values[":display"] = dynamo.S(display)
	}
	_, err := s.DB.Update(ctx, u)
	if dynamo.IsConditionFailed(err) {
		return nil
	}
	return err
}

// TenantOf returns the owner of a number: its PHONE item says it, and the default tenant has one that says nothing. It is "" for a
// number without an item, from which nothing came in yet, and for one that was taken from its tenant.
func (s *Numbers) TenantOf(ctx context.Context, id model.PhoneNumberID) (model.TenantID, error) {
	var phone model.Phone
	err := s.DB.Get(ctx, tables.Messages, keys.Phone(id), &phone)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("owner of number: %w", err)
	case phone.TenantID == "" && phone.ReleasedAt == "":
		return s.DefaultTenant, nil
	}
	return phone.TenantID, nil
}

// AccessTokenRef is the reference to the token with which a number sends, "" where it has none of its own.
func (s *Numbers) AccessTokenRef(ctx context.Context, id model.PhoneNumberID) (string, error) {
	var phone model.Phone
	err := s.DB.Get(ctx, tables.Messages, keys.Phone(id), &phone)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", nil
	}
	return phone.AccessTokenRef, err
}

// Phones lists a tenant's numbers.
func (s *Numbers) Phones(ctx context.Context, tenant model.TenantID) ([]model.Phone, error) {
	return s.phones(ctx, dynamo.Query{
		Table: tables.Messages, Index: "gsi_tenant", Where: "tenantId = :t AND itemType = :type",
		Values: dynamo.Item{":t": dynamo.S(tenant), ":type": dynamo.S(model.ItemPhone)},
	})
}

// TenantsOfAccount lists the tenants that have a number of a WABA.
func (s *Numbers) TenantsOfAccount(ctx context.Context, waba model.WABAID) ([]model.TenantID, error) {
	phones, err := s.phonesOfAccount(ctx, waba)
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

// phonesOfAccount lists the numbers of a WABA.
func (s *Numbers) phonesOfAccount(ctx context.Context, waba model.WABAID) ([]model.Phone, error) {
	return s.phones(ctx, dynamo.Query{
		Table: tables.Messages, Index: "gsi_waba_itemtype", Where: "wabaMetaId = :w AND itemType = :type",
		Values: dynamo.Item{":w": dynamo.S(waba), ":type": dynamo.S(model.ItemPhone)},
	})
}

func (s *Numbers) phones(ctx context.Context, q dynamo.Query) ([]model.Phone, error) {
	var refs []dynamo.Ref
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("numbers: %w", err)
		}
		for _, row := range page.Items {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Key{PartitionName: "pk", Partition: dynamo.Text(row, "pk")}})
		}
		if q.After = page.Next; q.After == nil {
			break
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("numbers: %w", err)
	}
	var phones []model.Phone
	for _, ref := range refs {
		var phone model.Phone
		if item := ref.Found(found); item != nil {
			if err := dynamo.Unmarshal(item, &phone); err != nil {
				return nil, err
			}
			phones = append(phones, phone)
		}
	}
	return phones, nil
}
