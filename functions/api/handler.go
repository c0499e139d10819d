package main

import (
	"context"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

// NewHandler answers the gateway with the operations on a mux. Each request begins a flow.
func NewHandler(mux *http.ServeMux) func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	serve := tracing.Traced("api", func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return httpapi.Serve(ctx, mux, event)
	})
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return serve(telemetry.WithCorrelation(ctx, event.RequestContext.RequestID), event)
	}
}
