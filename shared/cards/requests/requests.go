// Package requests owns requests for cards: who has asked for which card, who decides it, and what follows from the
// decision.
package requests

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/issued"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// The rules that a request may break. An error of a rule wraps it, and a problem that names the rule and the state.
var (
	ErrUnknownProduct = errors.New("there is no such product")
	ErrPending        = errors.New("the user has a pending request")
	ErrDecided        = errors.New("the request is decided")
	ErrExpired        = errors.New("the request has expired")
)

// ByAPI counts the requests that are decided by the API.
var ByAPI = telemetry.Metric{Name: "DecisionsByAPI", Unit: "Count", Series: telemetry.LogOnly}

// Requests reads and writes requests.
type Requests struct {
	DB            *dynamo.Client
	Now           func() time.Time
	NewID         func() string
	Audit         *audit.Log
	Issued        *issued.Cards
	Notifications *notifications.Notifications
	// Publisher tells those outside of decisions; nil if nobody is told.
	Publisher *publishing.Publisher
}

// now returns the time, as it is stored.
func (s *Requests) now() model.Time { return model.At(s.Now()) }

// making is the transaction of a new request, or of a decision about one.
type making struct {
	*notifications.Transaction
	program cardsmodel.Program
	user    *changes.Change
}

func (s *Requests) begin(program cardsmodel.Program, user *changes.Change) *making {
	return &making{Transaction: s.Notifications.Begin(program), program: program, user: user}
}

// addCard adds a new card, to the user's summary as well.
func (m *making) addCard(card cardsmodel.Card) {
	m.Put(tables.Cards, card)
	m.user.Add("cardSummary.activeCards", dynamo.N(1)).Add("cardSummary.totalLimit", changes.Number(card.Limit))
}

// commit makes all writes.
func (m *making) commit(ctx context.Context) error {
	m.Add([]dynamo.Write{m.user.Write()}, nil)
	return m.Commit(ctx)
}

// Ask is a user's request for a card.
type Ask struct {
	Tenant  model.TenantID
	User    model.Name
	Product model.Name
	Key     idempotency.Request
	By      changes.By

	id model.Name // of the request, the same for every attempt
}

// Make makes a request for a card. In the high tier it is approved at once; otherwise every admin of the program is
// asked. The request, what follows from it and the messages commit in one transaction. Its conditions are that the user
// is active, has no pending request, and the score that was read. A repeated request gets the first one's answer. It
// returns dynamo.ErrNotFound, programs.ErrNone, ErrUnknownProduct, users.ErrDisabled and ErrPending.
func (s *Requests) Make(ctx context.Context, a Ask) (request cardsmodel.Request, err error) {
	a.Key = a.Key.In(users.Place(a.User))
	if a.id, err = model.Parse[model.Name](s.NewID()); err != nil {
		return request, err
	}
	return request, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(a.Key.Refs(), users.Ref(a.User), programs.Ref(a.Tenant)))
		if err != nil {
			return err
		}
		if done, err := a.Key.Earlier(found, s.Now(), &request); done || err != nil {
			return err
		}
		user, err := users.In(found, a.User)
		if err != nil {
			return err
		}
		program, err := programs.In(found, a.Tenant)
		if err != nil {
			return err
		}
		request, err = s.make(ctx, a, user, program)
		return err
	})
}

func (s *Requests) make(ctx context.Context, a Ask, user cardsmodel.User,
	program cardsmodel.Program) (cardsmodel.Request, error) {
	user.Tier = policy.TierOf(program.Policy, user.CurrentScore) // by the policy as it is now
	product, known := policy.Product(program.Policy, a.Product)
	switch {
	case user.TenantID != a.Tenant:
		return cardsmodel.Request{}, dynamo.ErrNotFound
	case !known:
		return cardsmodel.Request{}, problem.Wrong(ErrUnknownProduct, "body.productId", "not a product of the program")
	case user.Status != cardsmodel.UserActive:
		return cardsmodel.Request{}, users.Disabled()
	case user.PendingRequestID != "":
		return cardsmodel.Request{}, problem.Breaks(ErrPending, "request-pending", "Request pending",
			"The user's request %s is pending. Wait until it is decided.", user.PendingRequestID)
	}
	request := cardsmodel.Request{
		EcosystemID: a.User, RequestID: a.id, ProductID: a.Product, IdempotencyKey: a.Key.ID(), TenantID: a.Tenant,
		ScoreAtRequest: user.CurrentScore, TierAtRequest: user.Tier, Status: cardsmodel.RequestPending,
		CreatedAt: s.now(), UpdatedAt: s.now(), CreatedAtRequestID: keys.Joined(s.now(), string(a.id)),
		TenantTier: keys.OfTenant(a.Tenant, user.Tier),
	}
	t := s.begin(program,
		users.Change(a.User, s.now()).AsRead(user.UpdatedAt).Where("status",
			dynamo.S(cardsmodel.UserActive)).Absent("pendingRequestId").
			Where("currentScore", dynamo.N(user.CurrentScore)).Set("tier", dynamo.S(user.Tier)))
	if user.Tier == cardsmodel.TierHigh {
		s.approveAtOnce(t, a.By, user, product, &request)
	} else {
		request.Code = command.CodeOf(a.id)
		s.openApproval(t, user, product, &request)
	}
	request.TenantStatus = keys.OfTenant(a.Tenant, request.Status)
	t.Put(tables.CardRequests, request)
	t.Add(a.Key.Answered(s.Now(), http.StatusCreated, request))
	return request, t.commit(ctx)
}

// approveAtOnce approves a request by the user's tier.
func (s *Requests) approveAtOnce(t *making, by changes.By, user cardsmodel.User, product cardsmodel.Product,
	request *cardsmodel.Request) {
	decision := cardsmodel.Decision{
		Outcome: cardsmodel.RequestApproved, By: cardsmodel.ByAuto, Via: by.Via, DecidedAt: s.now()}
	before := *request
	request.Status, request.Decision, request.ResultingCardID = cardsmodel.RequestApproved, &decision, request.RequestID
	card := s.Issued.Make(t.program.Policy, *request, decision, product)
	t.addCard(card)
	system := changes.By{Via: by.Via}
	system.Actor.Subject, system.Actor.RequestID = cardsmodel.ByAuto, by.Actor.RequestID
	t.Add(system.Record(s.Audit, audit.Draft{
		Action: "card-request.approved", Target: changes.Target(changes.TargetRequest, request.RequestID),
		Tenant: request.TenantID, Reason: "high tier",
	}, shown(before), shown(*request)))
	t.Tell(user, *request, cardsmodel.NotifyApproved, product.Name, card.Limit.String())
}

// openApproval asks every admin about a request.
func (s *Requests) openApproval(t *making, user cardsmodel.User, product cardsmodel.Product,
	request *cardsmodel.Request) {
	expires := s.Now().Add(time.Duration(t.program.Policy.ApprovalSeconds) * time.Second)
	request.ExpiresAt = model.At(expires)
	t.user.Set("pendingRequestId", dynamo.S(request.RequestID))
	t.Put(tables.PendingApprovals,
		cardsmodel.RequestCode{
			RequestID: keys.RequestCode(request.TenantID, request.Code).Partition, LeadsTo: request.RequestID})
	approval := cardsmodel.Approval{
		RequestID: request.RequestID, EcosystemID: user.EcosystemID, TenantID: request.TenantID,
		NotificationIDs: []model.Name{},
		ApprovalStatus:  cardsmodel.ApprovalPending, ExpiresAt: request.ExpiresAt, CreatedAt: s.now(),
		UpdatedAt:          s.now(),
		ExpiresAtRequestID: keys.Joined(request.ExpiresAt, string(request.RequestID)),
	}
	limit := product.Limits[user.Tier]
	for _, admin := range t.program.Admins {
		approval.NotificationIDs = append(approval.NotificationIDs,
			t.Ask(admin, user, *request, product.Name+", "+limit.String()))
	}
	t.Put(tables.PendingApprovals, approval)
}

// shown is what an audit record says of a request.
func shown(r cardsmodel.Request) changes.Values {
	shown := changes.Values{"status": r.Status, "user": r.EcosystemID}
	if r.Decision != nil {
		shown["by"], shown["via"] = r.Decision.By, r.Decision.Via
	}
	if r.ResultingCardID != "" {
		shown["card"] = r.ResultingCardID
	}
	return shown
}
