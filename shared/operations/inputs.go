package operations

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
)

// TenantInput names a tenant.
type TenantInput struct {
	TenantID string `query:"tenantId" maxLength:"512" doc:"One of your tenants; leave it out for your first, or for all as the platform operator."`
}

// Tenant returns the tenant that a request names, or the caller's first. It returns "" for all tenants, which only a
// platform operator may see. may is httpapi.Caller.Sees for an operation that reads, and httpapi.Caller.Owns for one
// that changes something.
func Tenant(ctx context.Context, asked string, may func(httpapi.Caller, model.TenantID) bool) (model.TenantID, error) {
	caller := httpapi.CallerOf(ctx)
	tenant := model.TenantID(asked)
	switch {
	case asked != "" && !may(caller, tenant):
		return "", dynamo.ErrNotFound
	case asked != "" || caller.Platform && may(caller, "any"):
		return tenant, nil
	case len(caller.Tenants) == 0:
		return "", dynamo.ErrNotFound
	}
	return caller.Tenants[0], nil
}

// Keyed is a request that is not made twice.
type Keyed struct {
	IdempotencyKey string `header:"Idempotency-Key" required:"true" minLength:"1" maxLength:"255" doc:"Repeating a request with its key does nothing twice, for at least 24 hours, and gets the first one's answer."`
}

// Request identifies a keyed request.
func (k Keyed) Request(ctx context.Context, tenant model.TenantID, operation string,
	body any) (idempotency.Request, error) {
	return idempotency.NewRequest(idempotency.API, tenant, httpapi.CallerOf(ctx).Subject, operation,
		k.IdempotencyKey, body)
}

// RequestOf identifies a keyed request whose key counts for all callers who may make it of something, such as a store:
// who repeats the request of another person gets that one's answer. One that its caller made before keys counted so is
// known as well.
func (k Keyed) RequestOf(ctx context.Context, tenant model.TenantID, of, operation string,
	body any) (idempotency.Request, error) {
	former, err := k.Request(ctx, tenant, operation, body)
	if err != nil {
		return former, err
	}
	request, err := idempotency.NewRequest(idempotency.API, tenant, "all of "+of, operation, k.IdempotencyKey, body)
	return request.KnownAs(former), err
}

// Reason is a change that needs a reason.
type Reason struct {
	Reason string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why. It stays in the audit record: name nobody."`
}

// Money is an amount of money as a text, so that no program rounds it.
type Money string

// Amount parses an amount whose form the schema has checked. It returns a problem for one that is not positive.
func (m Money) Amount(field string) (model.Amount, error) {
	value, err := decimal.NewFromString(string(m))
	if err != nil || !value.IsPositive() || value.Exponent() < -2 {
		return model.Amount{}, httpapi.Invalid(field, "not a positive amount with at most two decimals")
	}
	return model.Amount{Decimal: value}, nil
}

// MoneyOf returns an amount as it is shown: with two decimals.
func MoneyOf(a model.Amount) Money { return Money(a.StringFixed(2)) }
