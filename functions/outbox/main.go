// Command outbox is the function that sends what the domains have put into the outbox.
package main

import (
	"crypto/rand"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
	"github.com/haatline/haatline/shared/whatsapp"
)

func main() {
	store := registry.Open(messaging.Config{DB: dynamo.Open(os.Getenv, tables.All()...).With(tracing.AWS), Now: time.Now})
	logger := telemetry.Logger("outbox", os.Stderr)
	address, client := os.Getenv("WHATSAPP_GRAPH_URL"), tracing.HTTP(whatsapp.HTTPClient())
	settings.Check(logger, "WHATSAPP_GRAPH_URL", whatsapp.CheckURL(address))
	numbers := &sender{
		graph:  whatsapp.Graph{URL: address, HTTP: client},
		refOf:  store.AccessTokenRef,
		common: secrets.New(os.Getenv("WHATSAPP_ACCESS_TOKEN"), os.Getenv),
		getenv: os.Getenv, now: time.Now,
	}
	relay := &outbox.Relay{
		Store: outbox.Store{DB: store.DB, Now: time.Now}, Handlers: traced(store.Handlers(numbers)),
		Owner: rand.Text(), Log: logger, Sleep: outbox.Sleep, Credential: numbers.credential,
	}
	lambda.Start(telemetry.Measured(logger, invocation.Fresh(client, tracing.Traced("outbox", Handler{Relay: relay}.Handle))))
}
