package messagingapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// assignment adds the operation that sets how conversations of a number get a colleague.
func (o *service) assignment() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-assignment", Method: http.MethodPut, Path: "/v1/numbers/{phoneNumberId}/assignment",
		Tags: []string{"Numbers"}, Security: httpapi.Needs(httpapi.TenantsManage), Errors: []int{http.StatusNotFound},
		Summary: "Set which colleague gets the conversations of a number",
		Description: "If a customer writes and nobody takes care of the conversation, a colleague gets it within " +
			"moments. With round_robin, the colleagues get one after the other. With least_open, the one gets it who " +
			"has the fewest open conversations at the number; of several, the one whose turn comes first. Groups are " +
			"left out. With none, which is the default, somebody takes it by hand.",
	}, func(ctx context.Context, in *putAssignmentInput) (model.Phone, operations.Subject, error) {
		of, about, err := o.ofNumber(ctx, &in.NumberInput)
		return of.Phone, about, err
	}, o.putAssignment)
}

// noRule is the name of the rule by which nobody gets a conversation.
const noRule = "none"

// assignment is a rule with its colleagues.
type assignment struct {
	Rule       string   `json:"rule" enum:"none,round_robin,least_open" doc:"Who gets a conversation that nobody takes care of: in turn, or who has the fewest open ones."`
	Colleagues []string `json:"colleagues,omitempty" maxItems:"50" doc:"The ids of the colleagues who get conversations, in their order; me for yourself."`
}

type putAssignmentInput struct {
	NumberInput
	Body assignment
}

type assignmentOutput struct {
	Body struct {
		PhoneNumberID string `json:"phoneNumberId" doc:"Meta's id of the number."`
		assignment
	}
}

func (o *service) putAssignment(ctx context.Context, in *putAssignmentInput,
	number model.Phone) (*assignmentOutput, error) {
	rule, colleagues := model.AssignRule(in.Body.Rule), []string{}
	if in.Body.Rule == noRule {
		rule = ""
	}
	if (rule == "") != (len(in.Body.Colleagues) == 0) {
		return nil, httpapi.Invalid("body.colleagues", "at least one with a rule, and none without")
	}
	for i, named := range in.Body.Colleagues {
		field := fmt.Sprintf("body.colleagues[%d]", i)
		id, err := o.colleague(ctx, named, field)
		if err != nil {
			return nil, err
		}
		if *id == "" || strings.ContainsAny(*id, " ") || slices.Contains(colleagues, *id) {
			return nil, httpapi.Invalid(field, "a colleague, each once")
		}
		colleagues = append(colleagues, *id)
	}
	p, err := o.rooms.SetAssignment(ctx, number.PhoneNumberID, rule, colleagues)
	out := &assignmentOutput{}
	out.Body.PhoneNumberID, out.Body.assignment = string(number.PhoneNumberID), *assignmentOf(p)
	return out, err
}

// assignmentOf returns how conversations of a number get a colleague.
func assignmentOf(p model.Phone) *assignment {
	if p.AssignBy == "" {
		return &assignment{Rule: noRule}
	}
	return &assignment{Rule: string(p.AssignBy), Colleagues: strings.Fields(p.AssignTo)}
}
