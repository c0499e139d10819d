package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/flowcrypt"
)

// maxBody is the largest body in bytes that is read. WhatsApp sends pictures by reference.
const maxBody = 1 << 20

// The answers by which WhatsApp knows what is wrong.
const (
	otherKey     = http.StatusMisdirectedRequest // it fetches the public key again, and asks once more
	unknownToken = 427                           // it tells the customer that the form cannot be opened
	badSignature = 432
)

// gone is what the customer reads.
const gone = "This form cannot be opened any more. Please ask for a new one."

// Handler answers WhatsApp's requests for the screens of flows. Nothing of what it is sent is in a log.
type Handler struct {
	Forms   *forms.Forms
	Screens map[string]forms.Form // by the forms' names
	// PrivateKeys are those of the public keys that the numbers have at WhatsApp.
	PrivateKeys *secrets.Secret
	AppSecrets  []*secrets.Secret // a value may hold several secrets, separated by commas
	// Accounts are the secrets of the accounts that have a configuration of their own. They are read only if the
	// deployment's do not fit.
	Accounts verifying.Apps
	Logger   *slog.Logger
}

// asked is a request as it was encrypted.
type asked struct {
	Action string          `json:"action"`
	Screen string          `json:"screen"`
	Token  string          `json:"flow_token"`
	Data   json.RawMessage `json:"data"`
}

// Handle answers one request.
func (h Handler) Handle(ctx context.Context,
	request events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	status, text := h.answer(ctx, request)
	return events.APIGatewayV2HTTPResponse{StatusCode: status, Body: text, Headers: map[string]string{
		"content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff"}}, nil
}

func (h Handler) answer(ctx context.Context, request events.APIGatewayV2HTTPRequest) (status int, text string) {
	body, is := verifying.Body(request.Body, request.IsBase64Encoded)
	if !is {
		return http.StatusBadRequest, "bad request"
	}
	if len(body) > maxBody {
		return http.StatusRequestEntityTooLarge, "body too large"
	}
	known, err := verifying.Signed(ctx, h.AppSecrets, h.Accounts, request.Headers["x-hub-signature-256"], body)
	if err != nil {
		h.Logger.ErrorContext(ctx, "app secret unavailable", "error", err)
		return http.StatusInternalServerError, "unavailable"
	}
	if !known {
		h.Logger.WarnContext(ctx, "signature refused", "bytes", len(body))
		return badSignature, "invalid signature"
	}
	keys, err := h.keys(ctx)
	if err != nil {
		h.Logger.ErrorContext(ctx, "private key unavailable", "error", err)
		return http.StatusInternalServerError, "unavailable"
	}
	said, session, err := keys.Open(body)
	switch {
	case errors.Is(err, flowcrypt.ErrKey):
		h.Logger.WarnContext(ctx, "encrypted for another key")
		return otherKey, "another key"
	case err != nil:
		h.Logger.WarnContext(ctx, "signed body is no encrypted request", "bytes", len(body))
		return http.StatusBadRequest, "bad request"
	}
	return h.answerSealed(ctx, said, session)
}

func (h Handler) keys(ctx context.Context) (flowcrypt.Keys, error) {
	text, err := h.PrivateKeys.Get(ctx)
	if err != nil {
		return nil, err
	}
	return flowcrypt.Parse(text)
}

// answerSealed answers what a request says, encrypted.
func (h Handler) answerSealed(ctx context.Context, said []byte, session *flowcrypt.Session) (int, string) {
	sealed := func(status int, answer map[string]any) (int, string) {
		text, err := json.Marshal(answer)
		if err != nil {
			h.Logger.ErrorContext(ctx, "a screen cannot be encoded", "error", err)
			return http.StatusInternalServerError, "try again"
		}
		return status, session.Seal(text)
	}
	var ask asked
	if err := json.Unmarshal(said, &ask); err != nil {
		return http.StatusBadRequest, "bad request"
	}
	data := whatsapp.ObjectOf(ask.Data)
	switch {
	case ask.Action == "ping":
		return sealed(http.StatusOK, map[string]any{"data": map[string]any{"status": "active"}})
	case data.Text("error") != "": // what WhatsApp could not show
		h.Logger.WarnContext(ctx, "WhatsApp could not go on with a form")
		return sealed(http.StatusOK, map[string]any{"data": map[string]any{"acknowledged": true}})
	}
	answer, err := h.screen(ctx, ask, data)
	if errors.Is(err, forms.ErrUnknown) {
		return sealed(unknownToken, map[string]any{"error_msg": gone})
	}
	if err != nil {
		h.Logger.ErrorContext(ctx, "a screen cannot be made", "error", err)
		return http.StatusInternalServerError, "try again"
	}
	return sealed(http.StatusOK, answer)
}

// screen returns the next screen of a form, or its end with what comes back as a message.
func (h Handler) screen(ctx context.Context, ask asked, data whatsapp.Object) (map[string]any, error) {
	form, err := h.Forms.Find(ctx, ask.Token)
	if err != nil {
		return nil, err
	}
	fill := h.Screens[form.Form]
	if fill == nil { // of a release that had it
		return nil, forms.ErrUnknown
	}
	next, err := fill(ctx, form, forms.Ask{Action: ask.Action, Screen: ask.Screen, Data: data})
	if err != nil {
		return nil, err
	}
	if !next.Done {
		return map[string]any{"screen": next.Name, "data": next.Data}, nil
	}
	params := map[string]any{}
	maps.Copy(params, next.Data)
	params["flow_token"] = ask.Token
	return map[string]any{"screen": "SUCCESS", "data": map[string]any{
		"extension_message_response": map[string]any{"params": params}}}, nil
}
