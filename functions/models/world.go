package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant/bedrock"
	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/openai"
	"github.com/haatline/haatline/shared/assistant/prompt"
	"github.com/haatline/haatline/shared/awsenv"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/outward"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

// world is what the function reaches the world by.
type world struct {
	models   models.Models
	clients  map[string]models.Client
	dayLimit decimal.Decimal

	functions calling.Runner // calls the functions of projects, at these hosts
	hosts     []string
	vault     *secrets.Vault // opens the secrets of those functions
}

// openWorld returns what the environment says. A connection does not outlive the pause between two runs.
func openWorld(getenv func(string) string, logger *slog.Logger) world {
	checked := func(variable string, err error) { settings.Check(logger, variable, err) }
	allowed, err := models.Parse(getenv("MODELS"))
	checked("MODELS", err)
	limit, err := models.Limit(getenv("MODEL_DAY_LIMIT"))
	checked("MODEL_DAY_LIMIT", err)
	hosts, err := settings.Hosts(getenv("FUNCTION_HOSTS"))
	checked("FUNCTION_HOSTS", err)
	address := getenv("MODEL_URL")
	if address != "" {
		checked("MODEL_URL", openai.CheckURL(address))
	}
	client := tracing.HTTP(&http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, TLSHandshakeTimeout: handshake}})
	return world{
		models: allowed, dayLimit: limit,
		clients: map[string]models.Client{
			models.Bedrock: onBedrock(getenv, client),
			models.OpenAI:  onServer(address, secrets.New(getenv("MODEL_API_KEY"), getenv).Get, client),
		},
		functions: callback.New(outward.Public, &http.Transport{DisableKeepAlives: true}), hosts: hosts,
		vault: secrets.OpenVault("", getenv),
	}
}

// handshake bounds how long a connection takes to begin. Afterwards the question's own time counts.
const handshake = 10 * time.Second

// onServer asks models behind the Responses API.
func onServer(address string, key func(context.Context) (string, error), client *http.Client) models.Client {
	return func(q models.Question) prompt.Model {
		return &openai.Client{
			URL: address, Key: key, Model: q.Model, Temperature: q.Temperature, MaxTokens: q.MaxTokens, HTTP: client}
	}
}

// onBedrock asks models of Amazon Bedrock in AWS_REGION, with Lambda's credentials. AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
// AWS's own variable, is the address of another server.
func onBedrock(getenv func(string) string, client *http.Client) models.Client {
	options := bedrockruntime.Options{
		Region: getenv("AWS_REGION"), Retryer: aws.NopRetryer{}, HTTPClient: client,
		Credentials: awsenv.Provider(getenv),
	}
	if endpoint := getenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME"); endpoint != "" {
		options.BaseEndpoint = aws.String(endpoint)
	}
	api := bedrockruntime.New(options)
	return func(q models.Question) prompt.Model {
		c := &bedrock.Client{API: api, Model: q.Model, MaxTokens: int32(q.MaxTokens)}
		if q.Temperature != nil {
			t := float32(*q.Temperature)
			c.Temperature = &t
		}
		return c
	}
}
