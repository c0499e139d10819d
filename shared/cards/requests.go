package cards

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Ask is a user's request for a card.
type Ask struct {
	Tenant  model.TenantID
	User    model.Name
	Product model.Name
	Key     idempotency.Request
	By      By

	id model.Name // of the request, the same for every attempt
}

// RequestCard makes a request for a card. In the high tier it is approved at once; otherwise every admin of the program is asked. The
// request, what follows from it and the messages commit in one transaction. Its conditions are that the user is active, has no
// pending request, and the score that was read. A repeated request gets the first one's answer. It returns dynamo.ErrNotFound,
// ErrNoProgram, ErrUnknownProduct, ErrUserDisabled and ErrPending.
func (s *Store) RequestCard(ctx context.Context, a Ask) (request cardsmodel.Request, err error) {
	a.Key = a.Key.In(place(a.User))
	if a.id, err = s.newID(); err != nil {
		return request, err
	}
	return request, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(a.Key.Refs(), userRef(a.User), programRef(a.Tenant)))
		if err != nil {
			return err
		}
		if done, err := a.Key.Earlier(found, s.Now(), &request); done || err != nil {
			return err
		}
		user, err := userIn(found, a.User)
		if err != nil {
			return err
		}
		program, err := programIn(found, a.Tenant)
		if err != nil {
			return err
		}
		request, err = s.requestCard(ctx, a, user, program)
		return err
	})
}

func (s *Store) requestCard(ctx context.Context, a Ask, user cardsmodel.User, program cardsmodel.Program) (cardsmodel.Request, error) {
	user.Tier = policy.TierOf(program.Policy, user.CurrentScore) // by the policy as it is now
	product, known := policy.Product(program.Policy, a.Product)
	switch {
	case user.TenantID != a.Tenant:
		return cardsmodel.Request{}, dynamo.ErrNotFound
	case !known:
		return cardsmodel.Request{}, problem.Wrong(ErrUnknownProduct, "body.productId", "not a product of the program")
	case user.Status != cardsmodel.UserActive:
		return cardsmodel.Request{}, userDisabled()
	case user.PendingRequestID != "":
		return cardsmodel.Request{}, problem.Breaks(ErrPending, "request-pending", "Request pending",
			"The user's request %s is pending. Wait until it is decided.", user.PendingRequestID)
	}
	request := cardsmodel.Request{
		EcosystemID: a.User, RequestID: a.id, ProductID: a.Product, IdempotencyKey: a.Key.ID(), TenantID: a.Tenant,
		ScoreAtRequest: user.CurrentScore, TierAtRequest: user.Tier, Status: cardsmodel.RequestPending,
		CreatedAt: s.now(), UpdatedAt: s.now(), CreatedAtRequestID: keys.Joined(s.now(), string(a.id)), TenantTier: keys.OfTenant(a.Tenant, user.Tier),
	}
	t := &transaction{store: s, program: program}
	t.user = s.changeUser(a.User).asRead(user).active().absent("pendingRequestId").
		where("currentScore", dynamo.N(user.CurrentScore)).set("tier", dynamo.S(user.Tier))
	if user.Tier == cardsmodel.TierHigh {
		s.approveAtOnce(t, a.By, user, product, &request)
	} else {
		request.Code = command.CodeOf(a.id)
		s.openApproval(t, user, product, &request)
	}
	request.TenantStatus = keys.OfTenant(a.Tenant, request.Status)
	t.put(tables.CardRequests, request)
	t.add(a.Key.Answered(s.Now(), http.StatusCreated, request))
	return request, t.commit(ctx)
}

// approveAtOnce approves a request by the user's tier.
func (s *Store) approveAtOnce(t *transaction, by By, user cardsmodel.User, product cardsmodel.Product, request *cardsmodel.Request) {
	decision := cardsmodel.Decision{Outcome: cardsmodel.RequestApproved, By: cardsmodel.ByAuto, Via: by.Via, DecidedAt: s.now()}
	before := *request
	request.Status, request.Decision, request.ResultingCardID = cardsmodel.RequestApproved, &decision, request.RequestID
	card := s.newCard(t.program.Policy, *request, decision, product)
	t.addCard(card)
	system := By{Via: by.Via}
	system.Actor.Subject, system.Actor.RequestID = cardsmodel.ByAuto, by.Actor.RequestID
	t.add(s.record(system, audit.Draft{
		Action: "card-request.approved", Target: target(TargetRequest, request.RequestID), Tenant: request.TenantID, Reason: "high tier",
	}, shownRequest(before), shownRequest(*request)))
	t.notify(user, *request, cardsmodel.NotifyApproved, product.Name, card.Limit.String())
}

// openApproval asks every admin about a request.
func (s *Store) openApproval(t *transaction, user cardsmodel.User, product cardsmodel.Product, request *cardsmodel.Request) {
	expires := s.Now().Add(time.Duration(t.program.Policy.ApprovalSeconds) * time.Second)
	request.ExpiresAt = model.At(expires)
	t.user.set("pendingRequestId", dynamo.S(request.RequestID))
	t.put(tables.PendingApprovals, cardsmodel.RequestCode{RequestID: keys.RequestCode(request.TenantID, request.Code).Partition, LeadsTo: request.RequestID})
	approval := cardsmodel.Approval{
		RequestID: request.RequestID, EcosystemID: user.EcosystemID, TenantID: request.TenantID, NotificationIDs: []model.Name{},
		ApprovalStatus: cardsmodel.ApprovalPending, ExpiresAt: request.ExpiresAt, CreatedAt: s.now(), UpdatedAt: s.now(),
		ExpiresAtRequestID: keys.Joined(request.ExpiresAt, string(request.RequestID)),
	}
	limit := product.Limits[user.Tier]
	for _, admin := range t.program.Admins {
		approval.NotificationIDs = append(approval.NotificationIDs, t.ask(admin, user, *request, product.Name+", "+limit.String()))
	}
	t.put(tables.PendingApprovals, approval)
}

// shownRequest is what an audit record says of a request.
func shownRequest(r cardsmodel.Request) values {
	shown := values{"status": r.Status, "user": r.EcosystemID}
	if r.Decision != nil {
		shown["by"], shown["via"] = r.Decision.By, r.Decision.Via
	}
	if r.ResultingCardID != "" {
		shown["card"] = r.ResultingCardID
	}
	return shown
}

func requestRef(user, request model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.CardRequests, Key: keys.CardRequest(user, request)}
}

// Request returns a user's request, or dynamo.ErrNotFound.
func (s *Store) Request(ctx context.Context, user, id model.Name) (request cardsmodel.Request, err error) {
	return request, s.DB.Get(ctx, tables.CardRequests, keys.CardRequest(user, id), &request)
}

// Approval returns the tracker of a request, or dynamo.ErrNotFound. A request that was approved at once has none.
func (s *Store) Approval(ctx context.Context, id model.Name) (approval cardsmodel.Approval, err error) {
	return approval, s.DB.Get(ctx, tables.PendingApprovals, keys.Approval(id), &approval)
}

// RequestsOf returns a page of a user's requests, newest first, from below a request's id ("" for the newest).
func (s *Store) RequestsOf(ctx context.Context, user model.Name, limit int, below model.Name) ([]cardsmodel.Request, error) {
	q := dynamo.Query{
		Table: tables.CardRequests, Where: "ecosystemId = :user", Values: dynamo.Item{":user": dynamo.S(user)}, Backwards: true, Limit: int32(limit),
	}
	if below != "" {
		q.Where += " AND requestId < :below"
		q.Values[":below"] = dynamo.S(below)
	}
	return list[cardsmodel.Request](ctx, s, q, "card requests")
}

// Filter selects requests of a tenant: by status or by tier, one of which is given. Without a tenant it selects those of all
// tenants, for the platform's own operators.
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

// Requests returns a page of requests, newest first, from below a place: the createdAt#requestId of a request, "" for the newest.
// The index may be behind by a moment.
func (s *Store) Requests(ctx context.Context, f Filter, limit int, below string) ([]cardsmodel.Request, error) {
	rows, err := list[cardsmodel.Request](ctx, s, f.query(limit, below, false), "card requests")
	if err != nil || f.Tenant == "" { // the contract's indexes hold whole requests
		return rows, err
	}
	refs := make([]dynamo.Ref, len(rows))
	for i, row := range rows {
		refs[i] = requestRef(row.EcosystemID, row.RequestID)
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

// CountNeedingAttention returns how many requests of a tenant, or of all tenants for "", have been pending for over seven days, up to
// MaxCounted.
func (s *Store) CountNeedingAttention(ctx context.Context, tenant model.TenantID) (int, error) {
	f := Filter{Tenant: tenant, Status: cardsmodel.RequestPending, CreatedBefore: model.At(s.Now().Add(-NeedsAttention))}
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
