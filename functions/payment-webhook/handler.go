package main

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/messaging/gateways/verifying"
	webhooks "github.com/haatline/haatline/shared/messaging/webhooks/verifying"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/paygate"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// maxBody is the largest body in bytes that is read. Gateways post a few kilobytes.
const maxBody = 256 << 10

// Handler answers what payment gateways post. Answers are fixed texts and never repeat what was posted.
type Handler struct {
	Log      webhooklog.Appender
	Gateways *verifying.Secrets
	Logger   *slog.Logger
}

// Handle answers one request.
func (h Handler) Handle(ctx context.Context,
	request events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	status, text := h.post(ctx, request)
	return events.APIGatewayV2HTTPResponse{StatusCode: status, Body: text, Headers: map[string]string{
		"content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff"}}, nil
}

// post verifies the raw body before it is decoded, appends it to the log, and answers 200 when it is stored. A
// configuration that is not there is answered like a wrong signature, so that nobody learns which there are.
func (h Handler) post(ctx context.Context, request events.APIGatewayV2HTTPRequest) (status int, text string) {
	body, is := webhooks.Body(request.Body, request.IsBase64Encoded)
	if !is {
		return http.StatusBadRequest, "bad request"
	}
	if len(body) > maxBody {
		return http.StatusRequestEntityTooLarge, "body too large"
	}
	tenant, tenantErr := model.Parse[model.TenantID](request.PathParameters["tenantId"])
	config, configErr := model.Parse[model.Name](request.PathParameters["configName"])
	if tenantErr != nil || configErr != nil {
		return http.StatusUnauthorized, "invalid signature"
	}
	by, err := h.Gateways.Of(ctx, tenant, config)
	if err != nil {
		h.Logger.ErrorContext(ctx, "secret of a payment gateway unavailable", "error", err)
		return http.StatusInternalServerError, "unavailable"
	}
	if !paygate.Signed(by.Provider, by.Secrets, request.Headers[paygate.SignatureHeader], body) {
		h.Logger.WarnContext(ctx, "signature refused", "bytes", len(body))
		return http.StatusUnauthorized, "invalid signature"
	}
	entry, err := paygate.PostedOf(string(config), by.Provider, body).Entry(string(webhooklog.AccountOf(tenant)))
	if err != nil {
		h.Logger.ErrorContext(ctx, "a body cannot be logged", "bytes", len(body), "error", err)
		return http.StatusInternalServerError, "try again"
	}
	entries := []whatsapp.Entry{entry}
	isNew, err := h.Log.AppendEach(ctx, entries)
	if err != nil {
		h.Logger.ErrorContext(ctx, "append failed", "error", err)
		return http.StatusInternalServerError, "try again"
	}
	webhooklog.Tell(ctx, h.Logger, entries, isNew)
	return http.StatusOK, "ok"
}
