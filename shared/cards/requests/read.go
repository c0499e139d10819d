package requests

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func ref(user, request model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CardRequests, Key: keys.CardRequest(user, request)}
}

// Get returns a user's request, or dynamo.ErrNotFound.
func (s *Requests) Get(ctx context.Context, user, id model.Name) (request cardsmodel.Request, err error) {
	return request, s.DB.Get(ctx, tables.CardRequests, keys.CardRequest(user, id), &request)
}

// Approval returns the tracker of a request, or dynamo.ErrNotFound. A request that was approved at once has none.
func (s *Requests) Approval(ctx context.Context, id model.Name) (approval cardsmodel.Approval, err error) {
	return approval, s.DB.Get(ctx, tables.PendingApprovals, keys.Approval(id), &approval)
}

// Of returns a page of a user's requests, newest first, from below a request's id ("" for the newest).
func (s *Requests) Of(ctx context.Context, user model.Name, limit int, below model.Name) ([]cardsmodel.Request, error) {
	q := dynamo.Query{
		Table: tables.CardRequests, Where: "ecosystemId = :user", Values: dynamo.Item{":user": dynamo.S(user)},
		Backwards: true, Limit: int32(limit),
	}
	if below != "" {
		q.Where += " AND requestId < :below"
		q.Values[":below"] = dynamo.S(below)
	}
	return s.page(ctx, q)
}

// page returns one page of a query.
func (s *Requests) page(ctx context.Context, q dynamo.Query) ([]cardsmodel.Request, error) {
	rows, _, err := dynamo.PageOf[cardsmodel.Request](ctx, s.DB, q)
	if err != nil {
		return nil, fmt.Errorf("card requests: %w", err)
	}
	return rows, nil
}

// Filter selects requests of a tenant: by status or by tier, one of which is given. Without a tenant it selects those
// of all tenants, for the platform's own operators.
type Filter struct {
	Tenant model.TenantID
	Status cardsmodel.RequestStatus
	Tier   cardsmodel.Tier
	// CreatedBefore selects older requests; "" for all.
	CreatedBefore model.Time
}

// partition returns the index and the partition of the filter's requests.
func (f Filter) partition() (index, attribute, value string) {
	switch {
	case f.Tenant == "" && f.Status != "":
		return tables.IndexRequestsByStatus, "status", string(f.Status)
	case f.Tenant == "":
		return tables.IndexRequestsByTier, "tierAtRequest", string(f.Tier)
	case f.Status != "":
		return tables.IndexRequestsByTenantStatus, "tenantStatus", keys.OfTenant(f.Tenant, f.Status)
	}
	return tables.IndexRequestsByTenantTier, "tenantTier", keys.OfTenant(f.Tenant, f.Tier)
}

// query returns the query of the filter's requests from below a place, newest first; oldest first where up is set.
func (f Filter) query(limit int, below string, up bool) dynamo.Query {
	index, attribute, value := f.partition()
	q := dynamo.Query{
		Table: tables.CardRequests, Index: index, Where: "#partition = :value", Backwards: !up, Limit: int32(limit),
		Names: map[string]string{"#partition": attribute}, Values: dynamo.Item{":value": dynamo.S(value)},
	}
	if below == "" && f.CreatedBefore != "" {
		below = string(f.CreatedBefore)
	}
	if below != "" {
		q.Where += " AND #sort < :below"
		q.Names["#sort"], q.Values[":below"] = tables.SortCreatedAtRequestID, dynamo.S(below)
	}
	return q
}

// List returns a page of requests, newest first, from below a place: the createdAt#requestId of a request, "" for the
// newest. The index may be behind by a moment.
func (s *Requests) List(ctx context.Context, f Filter, limit int, below string) ([]cardsmodel.Request, error) {
	rows, err := s.page(ctx, f.query(limit, below, false))
	if err != nil || f.Tenant == "" { // the contract's indexes hold whole requests
		return rows, err
	}
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = ref(row.EcosystemID, row.RequestID)
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("card requests: %w", err)
	}
	for i, ref := range refs {
		if err := dynamo.Unmarshal(ref.Found(found), &rows[i]); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// NeedsAttention is how long a request may be pending before somebody should look.
const NeedsAttention = 7 * 24 * time.Hour

// MaxCounted bounds CountNeedingAttention.
const MaxCounted = 1000

// CountNeedingAttention returns how many requests of a tenant, or of all tenants for "", have been pending for over
// seven days, up to MaxCounted.
func (s *Requests) CountNeedingAttention(ctx context.Context, tenant model.TenantID) (int, error) {
	f := Filter{
		Tenant: tenant, Status: cardsmodel.RequestPending, CreatedBefore: model.At(s.Now().Add(-NeedsAttention))}
	q, count := f.query(MaxCounted, "", true), 0
	for {
		page, err := s.DB.Query(ctx, q)
		if err != nil {
			return 0, fmt.Errorf("count card requests: %w", err)
		}
		if count += len(page.Items); page.Next == nil || count >= MaxCounted {
			return min(count, MaxCounted), nil
		}
		q.After = page.Next
	}
}
