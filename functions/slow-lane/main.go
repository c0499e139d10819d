// Command slow-lane is the function that does what takes long: it fetches the files of messages from Meta, deletes the
// erased ones, uploads those to send, makes the papers that customers ask for, lists templates, sends SMS and emails,
// has assistants answer, calls companies' own servers, ends conversations that have expired, and takes the texts and
// the emails that come in, and gathers the words by which search finds messages. It wakes the function models for
// questions to language models.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
	"github.com/haatline/haatline/shared/whatsapp"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler.
func wire(getenv func(string) string) any {
	rooms := registry.Open(messaging.Config{DB: dynamo.Open(getenv).With(tracing.AWS), Now: time.Now})
	logger := telemetry.Logger("slow-lane", os.Stderr)
	client := tracing.HTTP(whatsapp.HTTPClient())
	held := openClients(getenv, rooms, client, logger)
	lane := newHandler(rooms, held, logger)
	handle := handler{lane.Handle, rooms.Mailing, takingOf(rooms), collectingOf(rooms, held.bucket), logger}.Handle
	handle = stream.WithSchedules(rooms.SlowSchedules(), handle)
	return telemetry.Measured(logger, invocation.Fresh(client, tracing.Traced("slow-lane", handle)))
}
