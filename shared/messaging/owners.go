package messaging

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// TenantOf is whose a number is: the PHONE item says it, and the default tenant has what nobody has. It is "" for a
// number of nobody.
func (s *Store) TenantOf(ctx context.Context, id model.PhoneNumberID) (model.TenantID, error) {
	var phone model.Phone
	err := s.DB.Get(ctx, table, keys.Phone(id), &phone)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && phone.TenantID == "" {
		return s.DefaultTenant, nil
	}
	if err != nil {
		return "", fmt.Errorf("owner of number: %w", err)
	}
	return phone.TenantID, nil
}

// AccessTokenRef is the reference to the token with which a number sends, "" where it has none of its own.
func (s *Store) AccessTokenRef(ctx context.Context, id model.PhoneNumberID) (string, error) {
	var phone model.Phone
	err := s.DB.Get(ctx, table, keys.Phone(id), &phone)
	if errors.Is(err, dynamo.ErrNotFound) {
		return "", nil
	}
	return phone.AccessTokenRef, err
}

// maxPhones bounds how many numbers of a tenant one list covers.
const maxPhones = 50

// Phones lists a tenant's numbers.
func (s *Store) Phones(ctx context.Context, tenant model.TenantID) ([]model.Phone, error) {
	return s.phones(ctx, dynamo.Query{
		Table: table, Index: "gsi_tenant", Where: "tenantId = :t AND itemType = :type", Limit: maxPhones,
		Values: dynamo.Item{":t": dynamo.S(tenant), ":type": dynamo.S(model.ItemPhone)},
	})
}

// OwnersOf lists the tenants that have a number of a WABA; the default tenant where nobody has.
func (s *Store) OwnersOf(ctx context.Context, waba model.WABAID) ([]model.TenantID, error) {
	phones, err := s.phones(ctx, dynamo.Query{
		Table: table, Index: "gsi_waba_itemtype", Where: "wabaMetaId = :w AND itemType = :type", Limit: maxPhones,
		Values: dynamo.Item{":w": dynamo.S(waba), ":type": dynamo.S(model.ItemPhone)},
	})
	if err != nil {
		return nil, err
	}
	var owners []model.TenantID
	for _, phone := range phones {
		if phone.TenantID != "" && !slices.Contains(owners, phone.TenantID) {
			owners = append(owners, phone.TenantID)
		}
	}
	if owners == nil && s.DefaultTenant != "" {
		owners = []model.TenantID{s.DefaultTenant}
	}
	return owners, nil
}

func (s *Store) phones(ctx context.Context, q dynamo.Query) ([]model.Phone, error) {
	page, err := s.DB.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("numbers: %w", err)
	}
	refs := make([]dynamo.Ref, len(page.Items))
	for i, row := range page.Items {
		refs[i] = dynamo.Ref{Table: table, Key: keys.Key{PartitionName: "pk", Partition: dynamo.Text(row, "pk")}}
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
