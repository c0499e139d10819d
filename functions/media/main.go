// Command media is the function that fetches the files of messages from Meta, and deletes the erased ones.
package main

import (
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/uuid"

	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/media/fetching"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
	"github.com/haatline/haatline/shared/whatsapp"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler.
func wire(getenv func(string) string) any {
	store := messaging.New(messaging.Config{DB: dynamo.Open(getenv, tables.All()...).With(tracing.AWS), Now: time.Now})
	logger := telemetry.Logger("media", os.Stderr)
	address, client := getenv("WHATSAPP_GRAPH_URL"), tracing.HTTP(whatsapp.HTTPClient())
	settings.Check(logger, "WHATSAPP_GRAPH_URL", whatsapp.CheckURL(address))
	meta := newSource(whatsapp.Graph{URL: address, HTTP: client}, store.AccessTokenRef, getenv)
	files := fetching.New(store.Files, meta, objects.Open(getenv, tracing.HTTP(&http.Client{})))
	relay := &outbox.Relay{Store: *store.Outbox(), Lane: keys.LaneFiles, Handlers: dispatch.Traced(files.Handlers()), Owner: uuid.NewString(), Log: logger, Sleep: dynamo.Sleep}
	handler := dispatch.Handler{Relay: relay}
	return telemetry.Measured(logger, invocation.Fresh(client, tracing.Traced("media", handler.Handle)))
}
