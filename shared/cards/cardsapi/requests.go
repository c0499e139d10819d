package cardsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const requestsTag = "Card requests"

func (o *service) requests() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "request-card", Method: http.MethodPost, Path: "/v1/cards/users/{userId}/requests",
		Tags:    []string{requestsTag},
		Summary: "Ask for a card",
		Description: "In the high tier the request is approved at once. Otherwise every admin of the program is " +
			"asked by WhatsApp, and the first answer decides.",
		DefaultStatus: http.StatusCreated, Security: httpapi.Needs(httpapi.CardsWrite, httpapi.CardsOwn),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *requestCardInput) (touched, operations.Subject, error) {
		return o.change(ctx, in.UserID, use)
	}, o.requestCard)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-user-card-requests", Method: http.MethodGet, Path: "/v1/cards/users/{userId}/requests",
		Tags:    []string{requestsTag},
		Summary: "List a user's requests, newest first", Security: httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn),
		Errors: []int{http.StatusNotFound},
	}, o.listUserRequests)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-card-request", Method: http.MethodGet, Path: "/v1/cards/users/{userId}/requests/{requestId}",
		Tags:    []string{requestsTag},
		Summary: "Get a request", Security: httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn),
		Errors: []int{http.StatusNotFound},
	}, o.getRequest)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-card-requests", Method: http.MethodGet, Path: "/v1/cards/requests",
		Tags:    []string{requestsTag},
		Summary: "List the requests of a tenant, newest first",
		Description: "By status, or by the tier of the user when they asked. It may take a moment until a " +
			"change shows.",
		Security: httpapi.Needs(httpapi.CardsRead), Errors: []int{http.StatusNotFound},
	}, o.listRequests)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "count-card-requests", Method: http.MethodGet, Path: "/v1/cards/request-counts",
		Tags:     []string{requestsTag},
		Summary:  "Count the requests that have been pending for over seven days",
		Security: httpapi.Needs(httpapi.CardsRead), Errors: []int{http.StatusNotFound},
	}, o.countRequests)
}

type requestCardInput struct {
	UserInput
	operations.Keyed
	Body struct {
		ProductID string `json:"productId" minLength:"1" maxLength:"64" example:"standard" doc:"A product of the program."`
	}
}

type cardRequest struct {
	ID        string        `json:"id" doc:"The request's id."`
	UserID    string        `json:"userId" doc:"Who asks."`
	ProductID string        `json:"productId" doc:"For which card."`
	Status    string        `json:"status" enum:"pending,approved,rejected" doc:"Where it stands."`
	Code      string        `json:"code,omitempty" doc:"What an admin types to answer."`
	Score     int           `json:"scoreAtRequest" doc:"The user's score when they asked."`
	Tier      string        `json:"tierAtRequest" enum:"low,medium,high" doc:"The user's tier when they asked."`
	Decision  *cardDecision `json:"decision,omitempty" doc:"Who has decided; absent while it is pending."`
	CardID    string        `json:"cardId,omitempty" doc:"The card that came of it."`
	CreatedAt string        `json:"createdAt" doc:"When the user asked."`
	UpdatedAt string        `json:"updatedAt" doc:"When it changed last."`
	ExpiresAt string        `json:"expiresAt,omitempty" doc:"When it is rejected if nobody has answered."`
}

type cardDecision struct {
	Outcome   string `json:"outcome" enum:"approved,rejected" doc:"What was decided."`
	By        string `json:"by" enum:"auto,admin,system" doc:"auto: by the tier; admin: by a person; system: because nobody answered."`
	Via       string `json:"via" enum:"whatsapp,api,schedule" doc:"How the answer came."`
	AdminID   string `json:"adminId,omitempty" doc:"Which person."`
	AdminName string `json:"adminName,omitempty" doc:"What that person is called."`
	Reason    string `json:"reason,omitempty" doc:"The reason that was given."`
	At        string `json:"at" doc:"When it was decided."`
}

func showRequest(r cardsmodel.Request) cardRequest {
	shown := cardRequest{
		ID: string(r.RequestID), UserID: string(r.EcosystemID), ProductID: string(r.ProductID),
		Status: string(r.Status), Code: string(r.Code),
		Score: r.ScoreAtRequest, Tier: string(r.TierAtRequest), CardID: string(r.ResultingCardID),
		CreatedAt: string(r.CreatedAt), UpdatedAt: string(r.UpdatedAt), ExpiresAt: string(r.ExpiresAt),
	}
	if d := r.Decision; d != nil {
		shown.Decision = &cardDecision{
			string(d.Outcome), d.By, d.Via, d.AdminID, d.AdminName, d.Reason, string(d.DecidedAt)}
	}
	return shown
}

type requestOutput struct{ Body cardRequest }

type requestListOutput struct{ Body httpapi.List[cardRequest] }

func (o *service) requestCard(ctx context.Context, in *requestCardInput, found touched) (*requestOutput, error) {
	key, err := in.Request(ctx, found.TenantID, "request-card", in.Body)
	if err != nil {
		return nil, err
	}
	product, err := model.Parse[model.Name](in.Body.ProductID)
	if err != nil {
		return nil, httpapi.Invalid("body.productId", "not a product of the program")
	}
	made, err := o.domain.Requests.Make(ctx,
		requests.Ask{Tenant: found.TenantID, User: found.EcosystemID, Product: product, Key: key, By: found.by})
	return &requestOutput{showRequest(made)}, err
}

type listUserRequestsInput struct {
	UserInput
	httpapi.Page
}

func (o *service) listUserRequests(ctx context.Context, in *listUserRequestsInput) (*requestListOutput, error) {
	found, err := o.user(ctx, in.UserID, read)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "user-requests", in.UserID)
	if err != nil {
		return nil, err
	}
	rows, err := o.domain.Requests.Of(ctx, found.EcosystemID, in.Probe(), model.Name(l.After))
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(r cardsmodel.Request) httpapi.Position { return l.Position(string(r.RequestID)) })
	return &requestListOutput{operations.ListOf(rows, showRequest, next)}, nil
}

type requestInput struct {
	UserInput
	RequestID string `path:"requestId" maxLength:"128" doc:"The request's id."`
}

func (o *service) getRequest(ctx context.Context, in *requestInput) (*requestOutput, error) {
	found, err := o.user(ctx, in.UserID, read)
	if err != nil {
		return nil, err
	}
	id, err := model.Parse[model.Name](in.RequestID)
	if err != nil {
		return nil, err
	}
	made, err := o.domain.Requests.Get(ctx, found.EcosystemID, id)
	return &requestOutput{showRequest(made)}, err
}

type listRequestsInput struct {
	operations.TenantInput
	httpapi.Page
	Status string `query:"status" enum:"pending,approved,rejected" doc:"Those in a state; pending where neither is given."`
	Tier   string `query:"tier" enum:"low,medium,high" doc:"Those of a tier, in place of a state."`
}

func (o *service) listRequests(ctx context.Context, in *listRequestsInput) (*requestListOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if in.Status != "" && in.Tier != "" {
		return nil, httpapi.Invalid("query.tier", "a list is by status or by tier")
	}
	if in.Status == "" && in.Tier == "" {
		in.Status = string(cardsmodel.RequestPending)
	}
	l, err := operations.PageOf(in.Page, "requests", string(tenant), in.Status, in.Tier)
	if err != nil {
		return nil, err
	}
	rows, err := o.domain.Requests.List(ctx,
		requests.Filter{Tenant: tenant, Status: cardsmodel.RequestStatus(in.Status), Tier: cardsmodel.Tier(in.Tier)},
		in.Probe(), l.After)
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(r cardsmodel.Request) httpapi.Position { return l.Position(r.CreatedAtRequestID) })
	return &requestListOutput{operations.ListOf(rows, showRequest, next)}, nil
}

type requestCounts struct {
	NeedingAttention int `json:"needingAttention" doc:"Pending for over seven days, counted up to 1000."`
}

type requestCountsOutput struct{ Body requestCounts }

func (o *service) countRequests(ctx context.Context, in *operations.TenantInput) (*requestCountsOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	count, err := o.domain.Requests.CountNeedingAttention(ctx, tenant)
	return &requestCountsOutput{requestCounts{count}}, err
}

func (o *service) decisions() {
	for _, to := range []struct {
		verb, summary string
		outcome       cardsmodel.ApprovalStatus
	}{
		{"approve", "Approve a pending request", cardsmodel.ApprovalApproved},
		{"reject", "Reject a pending request", cardsmodel.ApprovalRejected},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: to.verb + "-card-request", Method: http.MethodPost,
			Path: "/v1/cards/requests/{requestId}/" + to.verb, Tags: []string{requestsTag},
			Summary:     to.summary,
			Description: "The first answer decides, whichever way it comes. The user is told by WhatsApp.",
			Security:    httpapi.Needs(httpapi.CardsDecide), Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, o.findPending, func(ctx context.Context, in *decideInput, a requests.Answer) (*requestOutput, error) {
			a.Outcome = to.outcome
			decided, err := o.domain.Requests.Decide(ctx, a)
			return &requestOutput{showRequest(decided)}, err
		})
	}
}

type decideInput struct {
	RequestID string `path:"requestId" maxLength:"128" doc:"The request's id."`
	Body      *decideBody
}

type decideBody struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"Why."`
}

// findPending finds a request that the caller may decide.
func (o *service) findPending(ctx context.Context, in *decideInput) (requests.Answer, operations.Subject, error) {
	none := operations.Subject{}
	id, err := model.Parse[model.Name](in.RequestID)
	if err != nil {
		return requests.Answer{}, none, err
	}
	approval, err := o.domain.Requests.Approval(ctx, id)
	if err == nil && !httpapi.CallerOf(ctx).Owns(approval.TenantID) {
		err = dynamo.ErrNotFound
	}
	if err != nil {
		return requests.Answer{}, none, err
	}
	by, err := o.by(ctx)
	answer := requests.Answer{Tenant: approval.TenantID, Request: id, By: by, At: model.At(o.domain.Now())}
	if in.Body != nil {
		answer.Reason = in.Body.Reason
	}
	return answer, none, err
}
