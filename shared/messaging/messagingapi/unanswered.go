package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// unansweredSends adds the operation that sets what follows if WhatsApp never confirms a send.
func (o *service) unansweredSends() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-unanswered-sends", Method: http.MethodPut,
		Path: "/v1/numbers/{phoneNumberId}/unanswered-sends", Tags: []string{"Numbers"},
		Security: httpapi.Needs(httpapi.TenantsManage), Errors: []int{http.StatusNotFound},
		Summary: "Set whether a message is sent again if WhatsApp never says that it took it",
		Description: "If a function dies while it sends, or the answer is lost, nobody knows whether WhatsApp took " +
			"the message. With repeat, which is the default, haatline sends it again after two minutes without a " +
			"status, and marks it as a possible duplicate. With park, it becomes a dead letter, and a person decides " +
			"whether to send it again. In both cases a later status settles it.",
	}, func(ctx context.Context, in *putUnansweredInput) (model.Phone, operations.Subject, error) {
		of, about, err := o.ofNumber(ctx, &in.NumberInput)
		return of.Phone, about, err
	}, func(ctx context.Context, in *putUnansweredInput, number model.Phone) (*unansweredOutput, error) {
		p, err := o.rooms.SetSendsOnce(ctx, number.PhoneNumberID, in.Body.Policy == parks)
		out := &unansweredOutput{}
		out.Body.PhoneNumberID, out.Body.Policy = string(number.PhoneNumberID), unansweredOf(p)
		return out, err
	})
}

// What follows if WhatsApp never confirms a send.
const (
	repeats = "repeat"
	parks   = "park"
)

func unansweredOf(p model.Phone) string {
	if p.SendsOnce {
		return parks
	}
	return repeats
}

type putUnansweredInput struct {
	NumberInput
	Body struct {
		Policy string `json:"policy" enum:"repeat,park" doc:"Whether it is sent again, or waits for a person."`
	}
}

type unansweredOutput struct {
	Body struct {
		PhoneNumberID string `json:"phoneNumberId" doc:"Meta's id of the number."`
		Policy        string `json:"policy" enum:"repeat,park" doc:"Whether such a message is sent again, or waits for a person."`
	}
}
