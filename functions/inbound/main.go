// Command inbound is the function that makes messages and conversations of the log, and where domains react to them.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() {
	store := &messaging.Store{
		DB: dynamo.Open(os.Getenv, tables.Messages), Now: time.Now,
		DefaultTenant: model.TenantID(os.Getenv("DEFAULT_TENANT")), IndexLag: 2 * time.Second,
	}
	logger := telemetry.Logger("inbound", os.Stderr)
	lambda.Start(telemetry.Measured(logger, NewHandler(store, logger).Run))
}
