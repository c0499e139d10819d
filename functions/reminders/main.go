// Command reminders is the function that plans and sends the reminders of customers who owe.
package main

import (
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/paycode"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/telemetry"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	logger := telemetry.Logger("reminders", os.Stderr)
	rooms := registry.Open(messaging.Config{DB: dynamo.Open(getenv), Now: time.Now})
	books := registry.Khata(rooms)
	books.ShowCodes(paycode.PNG, objects.Open(getenv, http.DefaultClient))
	return telemetry.Measured(logger, newHandler(books))
}
