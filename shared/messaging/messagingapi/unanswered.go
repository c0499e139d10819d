package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// unansweredSends puts the operation that says what becomes of a send of which WhatsApp says nothing.
func (o *service) unansweredSends() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-unanswered-sends", Method: http.MethodPut,
		Path: "/v1/numbers/{phoneNumberId}/unanswered-sends", Tags: []string{"Numbers"},
		Security: httpapi.Needs(httpapi.TenantsManage), Errors: []int{http.StatusNotFound},
		Summary: "Set whether a message is sent again if WhatsApp never says that it took it",
		Description: "If a function dies while it sends, or the answer is lost, nobody knows whether WhatsApp took " +
			"the message. After two minutes without a status it is sent again and marked as a possible duplicate: " +
			"repeat, which numbers do unless this says otherwise. With park it waits as a dead letter for a person, " +
			"who sends it again or not. A status that comes later settles it in both cases.",
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

// What becomes of a send of which WhatsApp says nothing.
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
