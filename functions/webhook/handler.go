package main

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// maxBody is the largest body in bytes that Meta sends.
const maxBody = 3 << 20

// Handler answers Meta's webhook requests. Answers are fixed texts and never repeat what was posted.
type Handler struct {
	Log         webhooklog.Appender
	AppSecrets  []*secrets.Secret // a value may hold several secrets, separated by commas
	VerifyToken *secrets.Secret
	// Accounts are the secrets of the accounts that have a configuration of their own. They are read only if the
	// deployment's do not fit.
	Accounts Accounts
	Logger   *slog.Logger
}

// Accounts are secrets of single accounts: verifying.Secrets.
type Accounts interface {
	verifying.Apps
	Tokens(ctx context.Context) []string
}

// Handle answers one request.
func (h Handler) Handle(ctx context.Context,
	request events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	if request.RequestContext.HTTP.Method == http.MethodGet {
		return h.handshake(ctx, request), nil
	}
	return h.post(ctx, request), nil
}

// handshake answers Meta's verification request with its challenge, if it has the right verify token.
func (h Handler) handshake(ctx context.Context,
	request events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	query := request.QueryStringParameters
	token, err := h.VerifyToken.Get(ctx)
	if err != nil {
		h.Logger.ErrorContext(ctx, "verify token unavailable", "error", err)
		return answer(http.StatusInternalServerError, "unavailable")
	}
	shown := query["hub.verify_token"]
	known := isToken(shown, token) || isToken(shown, h.Accounts.Tokens(ctx)...)
	if !known || query["hub.mode"] != "subscribe" {
		return answer(http.StatusForbidden, "forbidden")
	}
	return answer(http.StatusOK, query["hub.challenge"])
}

// isToken reports whether a text is one of the tokens.
func isToken(text string, tokens ...string) bool {
	is := 0
	for _, token := range tokens {
		if token != "" {
			is |= subtle.ConstantTimeCompare([]byte(text), []byte(token))
		}
	}
	return is == 1
}

// post verifies the raw body before it is decoded, appends its entries to the log, and answers 200 when all are stored.
func (h Handler) post(ctx context.Context, request events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	body, is := verifying.Body(request.Body, request.IsBase64Encoded)
	if !is {
		return answer(http.StatusBadRequest, "bad request")
	}
	if len(body) > maxBody {
		return answer(http.StatusRequestEntityTooLarge, "body too large")
	}
	known, err := verifying.Signed(ctx, h.AppSecrets, h.Accounts, request.Headers["x-hub-signature-256"], body)
	if err != nil {
		h.Logger.ErrorContext(ctx, "app secret unavailable", "error", err)
		return answer(http.StatusInternalServerError, "unavailable")
	}
	if !known {
		h.Logger.WarnContext(ctx, "signature refused", "bytes", len(body))
		return answer(http.StatusUnauthorized, "invalid signature")
	}
	entries, err := whatsapp.DecodeWebhook(body)
	if err != nil {
		h.Logger.WarnContext(ctx, "signed body is not JSON", "bytes", len(body))
		return answer(http.StatusBadRequest, "not JSON")
	}
	isNew, err := h.Log.AppendEach(ctx, entries)
	if err != nil {
		h.Logger.ErrorContext(ctx, "append failed", "entries", len(entries), "error", err)
		return answer(http.StatusInternalServerError, "try again")
	}
	webhooklog.Tell(ctx, h.Logger, entries, isNew)
	return answer(http.StatusOK, "ok")
}

func answer(status int, text string) events.APIGatewayV2HTTPResponse {
	return events.APIGatewayV2HTTPResponse{
		StatusCode: status, Body: text,
		Headers: map[string]string{"content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff"},
	}
}
