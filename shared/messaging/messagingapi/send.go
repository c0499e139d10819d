package messagingapi

import (
	"context"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/whatsapp"
)

type SendInput struct {
	ConversationInput
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Repeating a request with its key sends nothing twice, for 24 hours."`
}

type accepted struct {
	ID             string `json:"id,omitempty" doc:"The message's, valid from now on, also when Meta has given it another. A replayed read receipt has none."`
	ConversationID string `json:"conversationId" doc:"The conversation it goes into."`
	OutboxEventID  string `json:"outboxEventId" doc:"The outbox event that sends it."`
	AcceptedAt     string `json:"acceptedAt" doc:"When it was accepted."`
	Status         string `json:"status" enum:"queued" doc:"Always queued: Meta has not heard of it yet."`
}

type acceptedOutput struct{ Body accepted }

// Override is what a person says who writes to a customer that has opted out.
type Override struct {
	Reason string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why. It stays in the audit record: name nobody."`
}

func (v *Override) reason() string {
	if v == nil {
		return ""
	}
	return v.Reason
}

type sendTextInput struct {
	SendInput
	Body struct {
		Body       string `json:"body" minLength:"1" maxLength:"4096" doc:"The text."`
		PreviewURL bool   `json:"previewUrl,omitempty" doc:"Show a preview of the first link."`
		ReplyTo    string `json:"replyTo,omitempty" maxLength:"512" doc:"The id of the message to answer."`

		OverrideOptOut *Override `json:"overrideOptOut,omitempty" doc:"Sends although the customer has asked not to be written to."`
	}
}

func (o *service) sendText(ctx context.Context, in *sendTextInput, a address) (*acceptedOutput, error) {
	text := &sending.OutgoingText{Body: in.Body.Body, PreviewURL: in.Body.PreviewURL}
	return o.send(ctx, sendRequest{a, in.SendInput, "send-text", in.Body, in.Body.ReplyTo}, sending.Outgoing{
		Text: text, OverrideOptOut: in.Body.OverrideOptOut != nil,
	})
}

type sendTemplateInput struct {
	SendInput
	Body templateBody
}

type templateBody struct {
	Name     string            `json:"name" minLength:"1" maxLength:"512" doc:"The approved template's name."`
	Language string            `json:"language" minLength:"2" maxLength:"15" doc:"Its language." example:"en_US"`
	Header   *headerParameter  `json:"header,omitempty" doc:"Fills the header."`
	Body     []textParameter   `json:"body,omitempty" maxItems:"64" doc:"Fill the body's variables, in order."`
	Buttons  []buttonParameter `json:"buttons,omitempty" maxItems:"10" doc:"Fill the buttons that take something."`
	ReplyTo  string            `json:"replyTo,omitempty" maxLength:"512" doc:"The id of the message to answer."`

	OverrideOptOut *Override `json:"overrideOptOut,omitempty" doc:"Sends although the customer has asked not to be written to."`
}

type headerParameter struct {
	Type     string `json:"type" enum:"text,image,video,document" doc:"What the header holds."`
	Name     string `json:"name,omitempty" maxLength:"64" doc:"Of a named variable."`
	Text     string `json:"text,omitempty" maxLength:"60" doc:"What a text header's variable is filled with."`
	MediaID  string `json:"mediaId,omitempty" maxLength:"512" doc:"Meta's id of a file that was uploaded."`
	Link     string `json:"link,omitempty" maxLength:"2048" format:"uri" doc:"Where Meta fetches the file."`
	Filename string `json:"filename,omitempty" maxLength:"240" doc:"The name under which the customer sees a document."`
}

type textParameter struct {
	Name string `json:"name,omitempty" maxLength:"64" doc:"Of a named variable."`
	Text string `json:"text" minLength:"1" maxLength:"1024" doc:"What the variable is filled with."`
}

type buttonParameter struct {
	Index int    `json:"index" minimum:"0" maximum:"9" doc:"Which button, from 0."`
	Type  string `json:"type" enum:"quick_reply,url,copy_code" doc:"What kind of button it is."`
	Value string `json:"value" minLength:"1" maxLength:"2000" doc:"What a quick reply brings back, the end of the URL, or the code."`
}

// Resolve checks what a schema cannot: that a header parameter has what its type needs.
func (b *templateBody) Resolve(_ huma.Context, prefix *huma.PathBuffer) []error {
	var problems []error
	if h := b.Header; h != nil {
		if h.Type == "text" && h.Text == "" {
			problems = append(problems, &huma.ErrorDetail{Location: prefix.With("header.text"), Message: "required for a header of type text"})
		}
		if h.Type != "text" && (h.MediaID == "") == (h.Link == "") {
			problems = append(problems, &huma.ErrorDetail{Location: prefix.With("header.mediaId"), Message: "either mediaId or link is required"})
		}
	}
	return problems
}

func (b templateBody) parameters() whatsapp.TemplateParameters {
	var p whatsapp.TemplateParameters
	if b.Header != nil {
		header := whatsapp.HeaderParameter(*b.Header)
		p.Header = &header
	}
	for _, text := range b.Body {
		p.Body = append(p.Body, whatsapp.TextParameter(text))
	}
	for _, button := range b.Buttons {
		p.Buttons = append(p.Buttons, whatsapp.ButtonParameter(button))
	}
	return p
}

func (o *service) sendTemplate(ctx context.Context, in *sendTemplateInput, a address) (*acceptedOutput, error) {
	parameters := in.Body.parameters()
	if field, wrong := whatsapp.CheckOwn(o.store.Templates(), in.Body.Name, in.Body.Language, parameters); wrong != "" {
		return nil, httpapi.Invalid(field, wrong)
	}
	components, err := parameters.Components()
	if err != nil {
		return nil, fmt.Errorf("components: %w", err)
	}
	template := &whatsapp.Template{Name: in.Body.Name, Language: in.Body.Language, Components: components}
	return o.send(ctx, sendRequest{a, in.SendInput, "send-template", in.Body, in.Body.ReplyTo}, sending.Outgoing{
		Template: template, OverrideOptOut: in.Body.OverrideOptOut != nil,
	})
}

// sendable finds a conversation that the caller may send into.
func (o *service) sendable(ctx context.Context, in SendInput, override *Override) (address, operations.Subject, error) {
	a, about, err := o.ownConversation(ctx, &in.ConversationInput)
	about.Reason = override.reason()
	return a, about, err
}

// sendRequest is what all kinds of messages have in common.
type sendRequest struct {
	to        address
	in        SendInput
	operation string
	body      any    // of the request, by which a repeated one is told
	replyTo   string // the id of the message to answer; "" for none
}

// send accepts a message and answers with what was accepted.
func (o *service) send(ctx context.Context, of sendRequest, out sending.Outgoing) (*acceptedOutput, error) {
	var err error
	if of.replyTo != "" {
		if out.ReplyTo, err = model.Parse[model.MessageID](of.replyTo); err != nil {
			return nil, sending.ErrNoSuchMessage
		}
	}
	caller := httpapi.CallerOf(ctx).Subject
	out.Tenant, out.Phone, out.Customer, out.SentBy = of.to.tenant, of.to.phone, of.to.customer, caller
	request, err := idempotency.NewRequest(of.to.tenant, caller, of.operation, of.in.IdempotencyKey, []any{of.in.ConversationID, of.body})
	if err != nil {
		return nil, err
	}
	taken, err := o.store.Accept(ctx, out, request)
	if err != nil {
		return nil, err
	}
	o.Log.InfoContext(ctx, "accepted", "event", taken.OutboxEventID, "message", taken.MessageID)
	return showAccepted(taken), nil
}

func showAccepted(a sending.Accepted) *acceptedOutput {
	return &acceptedOutput{accepted{
		ID: string(a.MessageID), ConversationID: conversationID(a.ConversationPK), OutboxEventID: a.OutboxEventID,
		AcceptedAt: string(a.AcceptedAt), Status: "queued",
	}}
}
