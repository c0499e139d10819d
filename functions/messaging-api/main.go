// Command messaging-api answers messaging's part of the operators' API.
package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/apifunction"
	"github.com/haatline/haatline/shared/eventbus"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingapi"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/webpush/posting"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	return apifunction.Handler(getenv, messagingapi.API,
		func(mux *http.ServeMux, rooms *messaging.Domain, logger *slog.Logger) {
			vault := secrets.OpenVault(getenv("TOKENS_KEY"), getenv)
			rooms.NumberSettings.Vault, rooms.EventSubscriptions.Vault, rooms.Pushes.Vault = vault, vault, vault
			rooms.Pushes.NewKeys = posting.NewKeys
			rooms.EventSubscriptions.HasBus = getenv(eventbus.Variable) != ""
			*rooms.Live = *live.Open(getenv, logger) // an erased person goes from their chats
			messagingapi.New(mux, rooms, objects.Open(getenv, http.DefaultClient), logger)
		})
}
