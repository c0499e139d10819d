package commerceapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/ratelimit"
)

func (o *service) limits() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-rate-limits", Method: http.MethodGet, Path: "/v1/rate-limits", Tags: []string{chatTag},
		Summary:     "List how often you did something lately",
		Description: "The platform's operator sees what everybody did; the windows that began last come first.",
		Security:    httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listLimits)
}

type listLimitsInput struct {
	httpapi.Page
	Kind string `query:"kind" required:"true" enum:"api_calls,chat_messages,payment_claims" doc:"What was done: calls of these operations, messages to the assistant, or customers who said that they had paid."`
}

type limitShown struct {
	Identifier string `json:"identifier" doc:"Who: the subject of a caller's tokens, or a customer's number or user id."`
	Window     string `json:"window" enum:"minute,hour,day" doc:"Of which length. An hour counts its minutes that have ended, a day its hours."`
	StartedAt  string `json:"startedAt" doc:"When the window began."`
	Count      int64  `json:"count" doc:"How often."`
	Limit      int64  `json:"limit" doc:"How often at most."`
}

type limitListOutput struct{ Body httpapi.List[limitShown] }

func (o *service) listLimits(ctx context.Context, in *listLimitsInput) (*limitListOutput, error) {
	l, err := operations.PageOf(in.Page, "rate-limits", in.Kind)
	if err != nil {
		return nil, err
	}
	caller := httpapi.CallerOf(ctx)
	var rows []ratelimit.Item
	if caller.Platform {
		rows, err = o.shop.Limiter.OfKind(ctx, in.Kind, in.Probe(), l.After)
	} else if l.After == "" {
		rows, err = o.shop.Limiter.Of(ctx, in.Kind, model.Name(caller.Subject))
	}
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows, func(i ratelimit.Item) httpapi.Position { return l.Position(i.GSI1SK) })
	return &limitListOutput{operations.ListOf(rows, func(i ratelimit.Item) limitShown {
		return limitShown{string(i.Identifier), i.Window, string(i.WindowStart), i.Count, i.Limit}
	}, next)}, nil
}
