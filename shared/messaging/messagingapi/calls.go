package messagingapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) calls() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-calls", Method: http.MethodGet, Path: "/v1/conversations/{conversationId}/calls",
		Tags:    []string{"Calls"},
		Summary: "List the calls with a customer, oldest first", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
		Description: "A customer's call, taken or not, lets you answer freely for 24 hours, and so does a call of " +
			"yours that they took.",
	}, o.listCalls)
}

type listCallsInput struct {
	ConversationInput
	httpapi.Page
	CalledBy string `query:"calledBy" enum:"customer,business" doc:"Only those that the customer has made, or yours."`
	Missed   bool   `query:"missed" doc:"Only those of the customer that nobody has taken."`
}

// leaves reports whether a call is none of those that are asked for.
func (in *listCallsInput) leaves(c model.Call) bool {
	isMissed := c.CalledBy == "customer" && c.Status == model.CallFailed && !c.Taken
	return in.CalledBy != "" && c.CalledBy != in.CalledBy || in.Missed && !isMissed
}

type customerCall struct {
	ID              string    `json:"id" doc:"Meta's id of the call."`
	CalledBy        string    `json:"calledBy,omitempty" enum:"customer,business" doc:"Who called; absent where Meta has not said."`
	From            string    `json:"from,omitempty" doc:"The caller."`
	To              string    `json:"to,omitempty" doc:"Who was called."`
	Status          string    `json:"status,omitempty" enum:"initiated,ringing,answered,failed,ended" doc:"How far it has come; absent where only a recording is known."`
	Taken           bool      `json:"taken" doc:"Whether the other side took it."`
	StartedAt       string    `json:"startedAt,omitempty" doc:"When it began."`
	EndedAt         string    `json:"endedAt,omitempty" doc:"When it ended."`
	DurationSeconds int64     `json:"durationSeconds,omitempty" doc:"How long it took."`
	Recording       any       `json:"recording,omitempty" doc:"The recording, as Meta wrote it."`
	Transcript      any       `json:"transcript,omitempty" doc:"The transcript, as Meta wrote it."`
	Errors          []problem `json:"errors,omitempty" doc:"Why it failed."`

	MissedAnswer string     `json:"missedAnswer,omitempty" doc:"The id of the message that has answered a call that nobody took, as it was accepted."`
	Asked        *callAsked `json:"asked,omitempty" doc:"What Meta was asked last, and the answer."`
}

type callAsked struct {
	Wish       string     `json:"wish" enum:"reject,terminate" doc:"What was asked."`
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way, in Meta's words."`
}

type callList = httpapi.List[customerCall]

type callListOutput struct{ Body callList }

func (o *service) listCalls(ctx context.Context, in *listCallsInput) (*callListOutput, error) {
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	of, err := o.rooms.FindCustomer(ctx, a.phone, a.customer)
	if err != nil {
		return nil, err
	}
	if !of.HasConversation() {
		return nil, httpapi.NotFound()
	}
	all, err := o.rooms.Calls.Of(ctx, a.phone, of.Keys())
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, in.leaves)
	page, end := httpapi.CutWhole(in.Page, after, all, func(c model.Call) httpapi.Position {
		return httpapi.Position{At: string(c.ReceivedAt), Key: c.PK}
	})
	out := &callListOutput{callList{Items: make([]customerCall, len(page)), Cursor: end.Cursor()}}
	for i, c := range page {
		out.Body.Items[i] = showCall(c)
	}
	return out, nil
}

func showCall(c model.Call) customerCall {
	shown := customerCall{
		ID: c.CallID, CalledBy: c.CalledBy, From: c.From, To: c.To, Status: string(c.Status), Taken: c.Taken,
		StartedAt: string(c.StartedAt), EndedAt: string(c.EndedAt), DurationSeconds: c.Duration,
		Recording: showDocument(c.Recording), Transcript: showDocument(c.Transcript), Errors: showProblems(c.Errors),
		MissedAnswer: string(c.MissedAnswer),
	}
	if a := c.Asked; a != nil {
		shown.Asked = &callAsked{a.Wish, a.By, a.At, a.AnsweredAt, a.Problem}
	}
	return shown
}
