// Command status is the function that keeps delivery states, settles outbox events by statuses, and stores every other
// kind of webhook entry.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/hints"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("status", os.Stderr)
	rooms := registry.Working(messaging.Config{
		DB: dynamo.Open(getenv), Now: time.Now, IndexLag: 2 * time.Second, Live: live.Open(getenv, logger),
	})
	run := hints.After(rooms.Hints, NewHandler(rooms, logger).Run)
	return telemetry.Measured(logger, stream.WithSchedules(rooms.Schedules(), run))
}
