// Command reconciliation is the function that checks every night whether the credit books hold.
package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("reconciliation", os.Stderr)
	books := registry.Khata(registry.FromEnvironment(dynamo.Open(getenv), logger, getenv))
	return telemetry.Measured(logger, handler(books, logger))
}

// handler checks the books, whatever the schedule's event says.
func handler(books *khata.Domain, logger *slog.Logger) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		return nil, books.CheckBooks(ctx, logger)
	}
}
