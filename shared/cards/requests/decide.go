package requests

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Answer decides a pending request.
type Answer struct {
	Tenant  model.TenantID
	Request model.Name
	Outcome cardsmodel.ApprovalStatus // approved, rejected or expired
	Reason  string
	By      changes.By
	At      model.Time // when it was given, by WhatsApp's clock
	// Phone is the answering admin's; "" for an answer by the API or the schedule.
	Phone string
	// With adds what the answer's channel commits together with the decision; nil for nothing.
	With func(t *notifications.Transaction, request cardsmodel.Request)
}

// Decide decides a request by a person's answer. The first answer wins: its condition is that the request is pending.
// The card, the request, the tracker, the audit record and the message to the user commit together. The same answer of
// the same person, given again, has the result of the first. It returns dynamo.ErrNotFound, ErrDecided, ErrExpired for
// an answer that came too late, and for an approval users.ErrDisabled and ErrUnknownProduct.
func (s *Requests) Decide(ctx context.Context, a Answer) (request cardsmodel.Request, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		request, err = s.Try(ctx, a)
		return err
	})
	if errors.Is(err, ErrDecided) && a.decided(request) {
		return request, nil
	}
	if err == nil && a.Outcome != cardsmodel.ApprovalExpired {
		telemetry.Count(ctx, ByAPI, 1)
	}
	return request, err
}

// decided reports whether a request was decided by the same person in the same way.
func (a Answer) decided(request cardsmodel.Request) bool {
	d := request.Decision
	return d != nil && d.By == cardsmodel.ByAdmin && d.AdminID == a.By.Actor.Subject &&
		d.Outcome == cardsmodel.RequestStatus(a.Outcome)
}

// Try makes one attempt at a decision. With ErrDecided and ErrExpired it returns the request as it is.
func (s *Requests) Try(ctx context.Context, a Answer) (cardsmodel.Request, error) {
	approval, err := s.Approval(ctx, a.Request)
	if err == nil && approval.TenantID != a.Tenant && a.Outcome != cardsmodel.ApprovalExpired {
		err = dynamo.ErrNotFound
	}
	if err != nil {
		return cardsmodel.Request{}, err
	}
	refs := []dynamo.Ref{
		ref(approval.EcosystemID, a.Request), users.Ref(approval.EcosystemID), programs.Ref(approval.TenantID)}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return cardsmodel.Request{}, err
	}
	var request cardsmodel.Request
	item := refs[0].Found(found)
	if item == nil {
		return request, fmt.Errorf("the pending approval %s has no request", a.Request)
	}
	if err := dynamo.Unmarshal(item, &request); err != nil {
		return request, err
	}
	user, err := users.In(found, approval.EcosystemID)
	if err != nil {
		return request, err
	}
	program, err := programs.In(found, approval.TenantID)
	if err != nil {
		return request, err
	}
	switch {
	case request.Status != cardsmodel.RequestPending:
		return request, decided(request)
	case a.Outcome == cardsmodel.ApprovalExpired && s.now() < approval.ExpiresAt:
		return request, errNotYet
	case a.Outcome != cardsmodel.ApprovalExpired && a.At > approval.ExpiresAt:
		return request,
			problem.Breaks(ErrExpired, "request-expired", "Request expired",
				"Nobody answered until %s. The request is being rejected.", approval.ExpiresAt)
	}
	t := s.begin(program, users.Change(user.EcosystemID, s.now()))
	if err := s.decision(t, a, user, &request); err != nil {
		return request, err
	}
	t.Add(s.publish(ctx, program, request))
	if a.With != nil {
		a.With(t.Transaction, request)
	}
	return request, t.commit(ctx)
}

var errNotYet = errors.New("the request has not expired yet")

// decided returns the error for a request that is decided already.
func decided(request cardsmodel.Request) error {
	var d cardsmodel.Decision
	if request.Decision != nil {
		d = *request.Decision
	}
	return problem.Breaks(ErrDecided, "request-decided", "Request decided", "The request was %s by %s at %s.",
		request.Status, Decider(d), d.DecidedAt)
}

// Decider names who has decided.
func Decider(d cardsmodel.Decision) string {
	if d.AdminName != "" {
		return d.AdminName
	}
	return d.By
}

// decision adds what a decision changes, and has the request say it.
func (s *Requests) decision(t *making, a Answer, user cardsmodel.User, request *cardsmodel.Request) error {
	before := *request
	product, known := policy.Product(t.program.Policy, request.ProductID)
	d := cardsmodel.Decision{
		By: cardsmodel.ByAdmin, Via: a.By.Via, AdminID: a.By.Actor.Subject, AdminName: a.By.Actor.Name,
		Reason: a.Reason, DecidedAt: s.now(),
	}
	request.Status = cardsmodel.RequestRejected
	t.user.AsRead(user.UpdatedAt).Where("pendingRequestId", dynamo.S(request.RequestID)).Drop("pendingRequestId")
	notify, parameters := cardsmodel.NotifyRejected, []string{product.Name}
	switch a.Outcome {
	case cardsmodel.ApprovalApproved:
		switch {
		case user.Status != cardsmodel.UserActive:
			return users.Disabled()
		case !known:
			return problem.Breaks(ErrUnknownProduct, "unknown-product", "Unknown product",
				"The program has no product %s any more. Reject the request.", request.ProductID)
		}
		request.Status, request.ResultingCardID = cardsmodel.RequestApproved, request.RequestID
		t.user.Where("status", dynamo.S(cardsmodel.UserActive))
	case cardsmodel.ApprovalExpired:
		d.By, d.AdminID, d.AdminName, d.Reason = cardsmodel.BySystem, "", "", cardsmodel.ReasonExpired
		notify = cardsmodel.NotifyExpired
	}
	d.Outcome = request.Status
	request.Decision, request.UpdatedAt, request.TenantStatus = &d, s.now(),
		keys.OfTenant(request.TenantID, request.Status)
	if request.Status == cardsmodel.RequestApproved {
		card := s.Issued.Make(t.program.Policy, *request, d, product)
		t.addCard(card)
		notify, parameters = cardsmodel.NotifyApproved, append(parameters, card.Limit.String())
	}
	if !known {
		parameters[0] = string(request.ProductID)
	}
	t.Add(s.decisionWrites(a, *request))
	t.Add(a.By.Record(s.Audit, audit.Draft{
		Action: "card-request." + string(a.Outcome), Target: changes.Target(changes.TargetRequest, request.RequestID),
		Tenant: request.TenantID, Reason: d.Reason,
	}, shown(before), shown(*request)))
	t.Tell(user, *request, notify, parameters...)
	return nil
}

// decisionWrites returns the writes of a decided request and of its tracker. Their condition is that both are pending.
func (s *Requests) decisionWrites(a Answer, request cardsmodel.Request) ([]dynamo.Write, error) {
	d, err := dynamo.Value(request.Decision)
	if err != nil {
		return nil, err
	}
	r := changes.Of(tables.CardRequests, keys.CardRequest(request.EcosystemID, request.RequestID)).Where("status",
		dynamo.S(cardsmodel.RequestPending)).
		Set("status", dynamo.S(request.Status)).Set("decision", d).Set("updatedAt",
		dynamo.S(s.now())).Set("tenantStatus", dynamo.S(request.TenantStatus))
	if request.ResultingCardID != "" {
		r.Set("resultingCardId", dynamo.S(request.ResultingCardID))
	}
	tracker := changes.Of(tables.PendingApprovals, keys.Approval(request.RequestID)).Where("approvalStatus",
		dynamo.S(cardsmodel.ApprovalPending)).
		Set("approvalStatus", dynamo.S(a.Outcome)).Set("updatedAt", dynamo.S(s.now()))
	if a.Outcome != cardsmodel.ApprovalExpired {
		tracker.Set("responseReceivedAt", dynamo.S(a.At))
	}
	if a.Phone != "" {
		tracker.Set("respondingAdminPhone", dynamo.S(a.Phone))
	}
	return []dynamo.Write{r.Write(), tracker.Write()}, nil
}
