package messagingapi

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// sendInput is a request to send a message of any kind. Its body is the content of the kind, with the options of all
// kinds.
type sendInput struct {
	SendInput
	Body json.RawMessage

	operation string
	content   content.Content
	options   sendOptions
}

type SendInput struct {
	ConversationInput
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Repeating a request with its key sends nothing twice, for 24 hours."`
}

// sendOptions are what every kind of message takes beside its content.
type sendOptions struct {
	ReplyTo        string    `json:"replyTo,omitempty" maxLength:"512" doc:"The id of the message to answer."`
	CheckIdentity  bool      `json:"checkIdentity,omitempty" doc:"Has WhatsApp refuse it if the customer has got another encryption key, with a new phone for example. Possible where the key is known."`
	DraftVersion   int64     `json:"draftVersion,omitempty" minimum:"1" doc:"The version of the conversation's draft that it sends: the draft goes with it, if nobody has gone on with it."`
	OverrideOptOut *Override `json:"overrideOptOut,omitempty" doc:"Sends although the customer has asked not to be written to."`
}

// Override is what a person says who writes to a customer that has opted out.
type Override struct {
	Reason string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why. It stays in the audit record: name nobody."`
}

type accepted struct {
	ID             string `json:"id,omitempty" doc:"The message's, valid from now on, also when Meta has given it another. A read receipt has none."`
	ConversationID string `json:"conversationId" doc:"The conversation it goes into."`
	OutboxEventID  string `json:"outboxEventId" doc:"The outbox event that sends it."`
	AcceptedAt     string `json:"acceptedAt" doc:"When it was accepted."`
	Status         string `json:"status" enum:"queued" doc:"Always queued: Meta has not heard of it yet."`
}

type acceptedOutput struct{ Body accepted }

const (
	sendPrefix   = "send-"
	messagesPath = "/v1/conversations/{conversationId}/messages/"
)

// kindsByOperation are the kinds of messages by the id of the operation that sends them.
var kindsByOperation = func() map[string]content.Kind {
	all := map[string]content.Kind{}
	for _, kind := range content.Kinds {
		all[sendPrefix+kind.Name] = kind
	}
	return all
}()

// sends registers one operation for each kind of message, and the typing indicator.
func (o *service) sends() {
	for _, kind := range content.Kinds {
		op := sendOperation(sendPrefix+kind.Name, kind.Name, kind.Summary, kind.Doc())
		op = httpapi.WithSchemas(op, func(op *huma.Operation, schemas huma.Registry) {
			op.RequestBody = &huma.RequestBody{Required: true,
				Content: map[string]*huma.MediaType{"application/json": {Schema: schemaOf(kind, schemas)}}}
		})
		operations.Change(o.Registry, op, o.sendable, o.send)
	}
	operations.Change(o.Registry, sendOperation("show-typing", "typing", "Show that you are writing",
		"For 25 seconds, or until the next message. WhatsApp shows it with the read receipt, so the conversation "+
			"is marked as read, too.",
	), func(ctx context.Context, in *SendInput) (address, operations.Subject, error) {
		return o.ownConversation(ctx, &in.ConversationInput)
	}, o.showTyping)
}

func sendOperation(id, path, summary, description string) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: messagesPath + path, Tags: []string{"Messages"},
		Summary: summary, Description: description, DefaultStatus: http.StatusAccepted, MaxBodyBytes: 256 << 10,
		Security: httpapi.Needs(httpapi.MessagesSend), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}
}

// schemaOf describes the body of a kind's operation: the kind's fields and the options.
func schemaOf(kind content.Kind, registry huma.Registry) *huma.Schema {
	fields := reflect.TypeOf(kind.New()).Elem()
	ref := registry.Schema(fields, true, fields.Name())
	schema := registry.SchemaFromRef(ref.Ref)
	for name, option := range huma.SchemaFromType(registry, reflect.TypeFor[sendOptions]()).Properties {
		if name != "replyTo" || !kind.About {
			schema.Properties[name] = option
		}
	}
	schema.PrecomputeMessages()
	return ref
}

// Resolve decodes the content and checks what the schema cannot, so that one answer names everything that is wrong.
func (in *sendInput) Resolve(ctx huma.Context) []error {
	in.operation = ctx.Operation().OperationID
	kind, known := kindsByOperation[in.operation]
	if !known {
		return []error{huma.Error404NotFound("There is no such kind of message.")}
	}
	in.content = kind.New()
	// the schema names what has the wrong type
	_, _ = json.Unmarshal(in.Body, in.content), json.Unmarshal(in.Body, &in.options)
	var problems []error
	for _, fault := range content.Rules(in.content) {
		problems = append(problems,
			&huma.ErrorDetail{Location: strings.TrimSuffix("body."+fault.Field, "."), Message: fault.Problem})
	}
	return problems
}

// sendTo is a conversation that the caller may send into.
type sendTo struct {
	address
	// The message and what identifies its request, if what Accept needs was read with the number; else both are zero.
	out     sending.Outgoing
	request idempotency.Request
}

// sendable finds a conversation that the caller may send into. In the same round trip it reads what the message needs,
// which a caller of one tenant sends for that tenant.
func (o *service) sendable(ctx context.Context, in *sendInput) (to sendTo, about operations.Subject, err error) {
	if to.address, err = parseAddress(in.ConversationID); err != nil {
		return sendTo{}, operations.Subject{}, err
	}
	likely := to
	var refs []dynamo.Ref
	if tenants := httpapi.CallerOf(ctx).Tenants; len(tenants) == 1 {
		likely.tenant = tenants[0]
		if likely.out, likely.request, err = o.outgoing(ctx, in, likely.address); err == nil {
			refs = append(likely.request.Refs(), o.rooms.Refs(likely.out)...)
		} // send returns what is wrong with it
	}
	number, found, err := o.rooms.NumberWith(ctx, to.phone, refs...)
	if to.number, err = allowed(ctx, number, httpapi.Caller.Owns, err); err != nil {
		return sendTo{}, operations.Subject{}, err
	}
	if to.tenant = to.number.TenantID; to.tenant == likely.tenant && len(refs) > 0 {
		to.out, to.request = likely.out, likely.request
		to.out.Line, to.out.Read = sending.LineOf(to.number), found
	}
	about = operations.Subject{
		Tenant: to.tenant, Target: erasure.ConversationTarget(to.tenant, to.phone, to.customer)}
	if in.options.OverrideOptOut != nil {
		about.Reason = in.options.OverrideOptOut.Reason
	}
	return to, about, nil
}

// send accepts a message and answers with what was accepted.
func (o *service) send(ctx context.Context, in *sendInput, to sendTo) (*acceptedOutput, error) {
	out, request := to.out, to.request
	if out.Read == nil {
		var err error
		if out, request, err = o.outgoing(ctx, in, to.address); err != nil {
			return nil, err
		}
	}
	if version := in.options.DraftVersion; version != 0 {
		of, err := o.rooms.FindCustomer(ctx, to.phone, to.customer)
		if err != nil {
			return nil, err
		}
		out.With = func(ctx context.Context) ([]dynamo.Write, error) { return o.rooms.Teamwork.Sent(ctx, of, version) }
	}
	taken, err := o.rooms.Accept(ctx, out, request)
	if err != nil {
		return nil, err
	}
	o.Log.InfoContext(ctx, "accepted", "event", taken.OutboxEventID, "message", taken.MessageID)
	return showAccepted(taken), nil
}

// outgoing returns the message that a request is to send, and what identifies the request. It returns what is wrong
// with either.
func (o *service) outgoing(ctx context.Context, in *sendInput, to address) (sending.Outgoing, idempotency.Request,
	error) {
	none := func(err error) (sending.Outgoing, idempotency.Request, error) {
		return sending.Outgoing{}, idempotency.Request{}, err
	}
	out := sending.Outgoing{
		Tenant: to.tenant, Phone: to.phone, Customer: to.customer, SentBy: httpapi.CallerOf(ctx).Subject,
		Content: in.content,
		Line:    sending.LineOf(to.number), CheckIdentity: in.options.CheckIdentity,
		OverrideOptOut: in.options.OverrideOptOut != nil,
	}
	if template, is := in.content.(*content.Template); is {
		if faults := content.CheckOwn(o.rooms.Templates(), *template); len(faults) > 0 {
			return none(sending.Refused(faults))
		}
	}
	if faults := o.foreign(in.content); len(faults) > 0 {
		return none(sending.Refused(faults))
	}
	if in.options.ReplyTo != "" {
		var err error
		if out.ReplyTo, err = model.Parse[model.MessageID](in.options.ReplyTo); err != nil {
			return none(sending.ErrNoSuchMessage)
		}
	}
	if about, is := in.content.(content.Named); is {
		if _, err := model.Parse[model.MessageID](about.Names()); err != nil {
			return none(sending.ErrNoSuchTarget)
		}
	}
	request, err := idempotency.NewRequest(
		idempotency.API, to.tenant, out.SentBy, in.operation, in.IdempotencyKey,
		[]any{in.ConversationID, out.Content, in.options},
	)
	return out, request, err
}

// foreign returns the faults of a content that lets customers choose in a domain's name.
func (o *service) foreign(c content.Content) (faults content.Faults) {
	for _, choice := range content.Choices(c) {
		for _, prefix := range o.rooms.Choices() {
			if strings.HasPrefix(choice.ID, prefix) {
				faults = append(faults,
					content.Fault{
						Field:   choice.Field,
						Problem: "must not begin with " + prefix + ", as the system's own answers do"})
			}
		}
	}
	return faults
}

func (o *service) showTyping(ctx context.Context, in *SendInput, to address) (*acceptedOutput, error) {
	request, err := idempotency.NewRequest(idempotency.API, to.tenant, httpapi.CallerOf(ctx).Subject, "show-typing",
		in.IdempotencyKey, in.ConversationID)
	if err != nil {
		return nil, err
	}
	shown, err := o.rooms.ShowTyping(ctx, to.tenant, to.phone, to.customer, request)
	if err != nil {
		return nil, err
	}
	return showAccepted(shown), nil
}

func showAccepted(a sending.Accepted) *acceptedOutput {
	return &acceptedOutput{accepted{
		ID: string(a.MessageID), ConversationID: keys.ConversationID(a.ConversationPK), OutboxEventID: a.OutboxEventID,
		AcceptedAt: string(a.AcceptedAt), Status: "queued",
	}}
}
