package messagingapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi"
	room "github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const (
	permissionPath = "/v1/conversations/{conversationId}/call-permission"
	missedPath     = "/v1/numbers/{phoneNumberId}/missed-call-answer"
)

// callActs puts the operations that end calls, and those on whether a customer may be called.
func (o *service) callActs() {
	tags, reads := []string{"Calls"}, httpapi.Needs(httpapi.InboxRead)
	o.endsCall(room.Reject, "Refuse a customer's call that nobody has taken")
	o.endsCall(room.Terminate, "End a call that somebody has taken")
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-call-permission", Method: http.MethodGet, Path: permissionPath, Tags: tags, Security: reads,
		Summary: "Get whether a customer may be called", Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "What Meta had at `readAt`. 404 if nobody has asked it: `look-up-call-permission` does.",
	}, o.getCallPermission)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "look-up-call-permission", Method: http.MethodPost, Path: permissionPath + "/look-up", Tags: tags,
		Security: httpapi.Needs(httpapi.MessagesSend), DefaultStatus: http.StatusAccepted,
		Summary: "Ask Meta whether a customer may be called", Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "It changes nothing at Meta, which is asked within seconds: `asked` says what became of it. Ask " +
			"the customer for the permission by a message.",
	}, o.callable, func(ctx context.Context, _ *ConversationInput, a address) (*permissionOutput, error) {
		after, err := o.rooms.NumberSettings.LookUpPermission(ctx,
			numbers.Of{Phone: a.number, By: httpapi.CallerOf(ctx).Subject}, a.customer)
		return &permissionOutput{showPermission(after)}, err
	})
}

// missedCalls puts the operations on how the missed calls of a number are answered.
func (o *service) missedCalls() {
	tags := []string{"Numbers"}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-missed-call-answer", Method: http.MethodGet, Path: missedPath, Tags: tags,
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Summary: "Get how calls to a number are answered that nobody takes",
	}, o.getMissedAnswer)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-missed-call-answer", Method: http.MethodPut, Path: missedPath, Tags: tags,
		Security: httpapi.Needs(httpapi.TenantsManage), Errors: []int{http.StatusNotFound},
		Summary: "Set how calls to a number are answered that nobody takes",
		Description: "By one message with this text for each call that ends from now on without being taken. Such a " +
			"call opens the 24 hours in which customers can be written to freely. Nothing is sent where they are " +
			"over, or to a customer who has opted out.",
	}, func(ctx context.Context, in *putMissedInput) (model.Phone, operations.Subject, error) {
		of, about, err := o.ofNumber(ctx, &in.NumberInput)
		return of.Phone, about, err
	}, func(ctx context.Context, in *putMissedInput, number model.Phone) (*missedOutput, error) {
		return o.answersMissed(ctx, number, in.Body.Text)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-missed-call-answer", Method: http.MethodDelete, Path: missedPath, Tags: tags,
		Security: httpapi.Needs(httpapi.TenantsManage), Errors: []int{http.StatusNotFound},
		Summary: "Answer calls to a number no more that nobody takes",
	}, func(ctx context.Context, in *NumberInput) (model.Phone, operations.Subject, error) {
		of, about, err := o.ofNumber(ctx, in)
		return of.Phone, about, err
	}, func(ctx context.Context, _ *NumberInput, number model.Phone) (*missedOutput, error) {
		return o.answersMissed(ctx, number, "")
	})
}

type endCallInput struct {
	ConversationInput
	Body struct {
		CallID string `json:"callId" minLength:"1" maxLength:"512" doc:"Meta's id of the call."`
	}
}

type callOutput struct{ Body customerCall }

// endsCall puts an operation that has Meta end a call.
func (o *service) endsCall(wish, summary string) {
	operations.Change(o.Registry, huma.Operation{
		OperationID: wish + "-call", Method: http.MethodPost,
		Path: "/v1/conversations/{conversationId}/calls/" + wish, Tags: []string{"Calls"},
		Security: httpapi.Needs(httpapi.InboxWrite), Summary: summary, DefaultStatus: http.StatusAccepted,
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "Meta is asked at once: `asked` says what became of it. A call that has ended already is no " +
			"error.",
	}, func(ctx context.Context, in *endCallInput) (address, operations.Subject, error) {
		a, about, err := o.callable(ctx, &in.ConversationInput)
		if err == nil {
			err = o.hasCall(ctx, a, model.Name(in.Body.CallID))
		}
		return a, about, err
	}, func(ctx context.Context, in *endCallInput, a address) (*callOutput, error) {
		after, err := o.rooms.Calls.Ask(ctx, a.tenant, model.Name(in.Body.CallID), wish,
			httpapi.CallerOf(ctx).Subject)
		return &callOutput{showCall(after)}, err
	})
}

// hasCall returns dynamo.ErrNotFound for a call that is none with the customer.
func (o *service) hasCall(ctx context.Context, a address, id model.Name) error {
	if _, err := model.Parse[model.Name](string(id)); err != nil {
		return httpapi.NotFound()
	}
	of, err := o.rooms.FindCustomer(ctx, a.phone, a.customer)
	if err != nil {
		return err
	}
	c, err := o.rooms.Calls.Get(ctx, id)
	if err == nil && (c.PhoneNumberID != a.phone || !slices.Contains(of.Keys(), c.CustomerID)) {
		err = dynamo.ErrNotFound
	}
	return err
}

// callable finds a customer whom the caller may have called. The audit record names them by a hash.
func (o *service) callable(ctx context.Context, in *ConversationInput) (a address, about operations.Subject,
	err error) {
	if a, err = o.address(ctx, in.ConversationID, httpapi.Caller.Owns); err != nil {
		return a, about, err
	}
	about.Tenant, about.Target = a.tenant, erasure.ConversationTarget(a.tenant, a.phone, a.customer)
	return a, about, nil
}

// mayBeCalled is whether a customer may be called.
type mayBeCalled struct {
	Meta   *numbers.MayCall `json:"meta,omitempty" doc:"What Meta has; absent until Meta has said it."`
	ReadAt model.Time       `json:"readAt,omitempty" doc:"When Meta last said it."`
	Asked  *settingAsked    `json:"asked,omitempty" doc:"What Meta was asked last, and the answer."`
}

func showPermission(s numbers.Setting) mayBeCalled {
	return mayBeCalled{partOf[numbers.MayCall](s.Meta), s.ReadAt, showState(s).Asked}
}

type permissionOutput struct{ Body mayBeCalled }

func (o *service) getCallPermission(ctx context.Context, in *ConversationInput) (*permissionOutput, error) {
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, err := o.rooms.NumberSettings.Permission(ctx, a.phone, a.customer)
	return &permissionOutput{showPermission(found)}, err
}

type missedAnswer struct {
	Text  string     `json:"text" doc:"The text; empty if missed calls are not answered."`
	Since model.Time `json:"since,omitempty" doc:"Since when."`
}

type missedOutput struct{ Body missedAnswer }

type putMissedInput struct {
	NumberInput
	Body struct {
		Text string `json:"text" minLength:"1" maxLength:"1000" pattern:"\\S" example:"We missed your call. Write to us here, please." doc:"The text: 1 to 1,000 characters."`
	}
}

func (o *service) getMissedAnswer(ctx context.Context, in *NumberInput) (*missedOutput, error) {
	id, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	number, err := o.number(ctx, id, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	by, err := o.rooms.Calls.Missed(ctx, number.TenantID, id)
	return &missedOutput{missedAnswer{by.Text, by.Since}}, err
}

func (o *service) answersMissed(ctx context.Context, number model.Phone, text string) (*missedOutput, error) {
	after, err := o.rooms.Calls.AnswerMissed(ctx, number, text, httpapi.CallerOf(ctx).Subject)
	return &missedOutput{missedAnswer{after.Text, after.Since}}, err
}
