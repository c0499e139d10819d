// Command inbound is the function that turns logged webhook entries into messages and conversations. Domains react
// here.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/hints"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment. It hands messages over and settles nothing, so
// that no domain joins the rooms: what the rooms and the domains settle is not linked.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("inbound", os.Stderr)
	config := registry.Environment(dynamo.Open(getenv), logger, getenv)
	config.Live = live.Open(getenv, logger)
	rooms := registry.Reacting(messaging.Receiving(config))
	return telemetry.Measured(logger, hints.After(rooms.Hints, NewHandler(rooms, logger).Run))
}
