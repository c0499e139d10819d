// Command conversations-api answers the part of the operators' API for companies and their conversations.
package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/haatline/haatline/shared/apifunction"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/conversations/conversationsapi"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
)

func main() { lambda.Start(wire(os.Getenv)) }

// wire returns the function's handler, configured by its environment.
func wire(getenv func(string) string) any {
	return apifunction.Handler(getenv, conversationsapi.API,
		func(mux *http.ServeMux, rooms *messaging.Domain, logger *slog.Logger) {
			d := registry.Conversations(rooms)
			var err error
			d.FunctionHosts, err = settings.Hosts(getenv("FUNCTION_HOSTS"))
			settings.Check(logger, "FUNCTION_HOSTS", err)
			allowed, err := models.Parse(getenv("MODELS"))
			settings.Check(logger, "MODELS", err)
			d.Models = allowed.Names()
			d.Companies.Vault = secrets.OpenVault(getenv("TOKENS_KEY"), getenv)
			conversationsapi.New(mux, d, logger)
		})
}
