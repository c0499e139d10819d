// Command api is the operators' API.
package main

import (
	"context"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/uuid"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() {
	store := &messaging.Store{
		DB: dynamo.Open(os.Getenv, tables.Messages, tables.Outbox, tables.OutboxSequences), Now: time.Now,
		NewID:         func() string { return uuid.Must(uuid.NewV7()).String() },
		DefaultTenant: model.TenantID(os.Getenv("DEFAULT_TENANT")),
	}
	mux := http.NewServeMux()
	NewAPI(mux, store, telemetry.Logger("api", os.Stderr))
	lambda.Start(func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return httpapi.Serve(ctx, mux, event)
	})
}
