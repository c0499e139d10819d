package messagingapi

import (
	"context"
	"net/http"

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
	page, end := httpapi.CutWhole(in.Page, after, all, func(c model.Call) httpapi.Position {
		return httpapi.Position{At: string(c.ReceivedAt), Key: c.PK}
	})
	out := &callListOutput{callList{Items: make([]customerCall, len(page)), Cursor: end.Cursor()}}
	for i, c := range page {
		out.Body.Items[i] = customerCall{
			ID: c.CallID, CalledBy: c.CalledBy, From: c.From, To: c.To, Status: string(c.Status), Taken: c.Taken,
			StartedAt: string(c.StartedAt),
			EndedAt:   string(c.EndedAt), DurationSeconds: c.Duration, Recording: showDocument(c.Recording),
			Transcript: showDocument(c.Transcript),
			Errors:     showProblems(c.Errors),
		}
	}
	return out, nil
}
