package conversationsapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/assistant/spending"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) spending() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-model-spending", Method: http.MethodGet, Path: companyPath + "/model-spending",
		Tags:    []string{companiesTag},
		Summary: "Get what language models have taken for a company",
		Description: "In a day or a month, in UTC. It counts what is reserved for questions that are on their way, " +
			"and what may have been taken for those that got no answer.",
		Security: httpapi.Needs(httpapi.ConversationsRead), Errors: []int{http.StatusNotFound},
	}, o.getSpending)
}

type spendingInput struct {
	CompanyInput
	Period string `query:"period" pattern:"^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$" example:"2026-11" doc:"A month or a day; without it, this month. Days are kept for 40 days, months for 400."`
}

type spendingOutput struct {
	Body struct {
		Period string   `json:"period" doc:"The month or the day."`
		Tokens int64    `json:"tokens" doc:"Tokens of questions and answers."`
		USD    string   `json:"usd" example:"1.27" doc:"What they cost, in US dollars."`
		Models []string `json:"models" doc:"The language models that projects may choose, by service and name."`
	}
}

func (o *service) getSpending(ctx context.Context, in *spendingInput) (*spendingOutput, error) {
	c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	period := cmp.Or(in.Period, string(model.At(o.Now()))[:len("2026-11")])
	taken, err := (&spending.Spending{DB: o.DB}).Taken(ctx, keys.Spent(c.Company, model.Name(period)))
	if err != nil {
		return nil, err
	}
	out := &spendingOutput{}
	out.Body.Period, out.Body.Tokens, out.Body.USD = period, taken.Tokens, taken.Money.String()
	out.Body.Models = append([]string{}, o.Models...)
	return out, nil
}
