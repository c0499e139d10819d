package cloud

import (
	"strings"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

const defaultTenant = "demo"

// setting is a configuration variable's value: the caller's, or the local default.
func (c Config) setting(name, whatsapp string) string {
	if value := c.Getenv(name); value != "" {
		return value
	}
	return map[string]string{
		"WHATSAPP_APP_SECRET":   "local-app-secret",
		"WHATSAPP_VERIFY_TOKEN": "local-verify-token",
		"WHATSAPP_GRAPH_URL":    whatsapp + "/v23.0",
		"WHATSAPP_ACCESS_TOKEN": "local-access-token",
		"DEFAULT_TENANT":        defaultTenant,
	}[name]
}

// environment is what a function finds beside Lambda's own variables.
func (c Config) environment(function topology.Function, dynamodb, whatsapp string) []string {
	if c.EndpointFor != nil {
		dynamodb = c.EndpointFor(function.Name, dynamodb)
	}
	variables := []string{"STAGE=" + stage, "DYNAMODB_ENDPOINT=" + dynamodb}
	for _, table := range function.Tables() {
		variables = append(variables, table.Env()+"="+table.Name(tables.Stage(stage)))
	}
	for _, name := range function.Variables() {
		if value := c.setting(name, whatsapp); value != "" {
			variables = append(variables, name+"="+value)
		}
	}
	return variables
}

// appSecret is the secret the simulated WhatsApp signs with: the first of those the webhook tries.
func (c Config) appSecret() string {
	secret, _, _ := strings.Cut(c.setting("WHATSAPP_APP_SECRET", ""), ",")
	return strings.TrimSpace(secret)
}
