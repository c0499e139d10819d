package doctor

import (
	"context"
	"net/http"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/linked"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
)

// localChecks returns the checks that replace AWS's: the secrets and addresses are those of the local cloud.
func (x *examination) localChecks() []check {
	x.apiURL.from, x.appSecrets.from, x.verifyToken.from, x.accessToken.from, x.db.from = "local cloud", "local cloud",
		"local cloud", "local cloud", "local cloud"
	x.secretToken = "$" + accessToken
	x.putSecret = func(variable string) string {
		return "set " + variable + " and start the local cloud again: make run"
	}
	return []check{
		{"local cloud", nil, x.findLocalCloud},
		{"AWS", nil, func(context.Context) []finding {
			return []finding{{state: note, says: "there is none behind the local cloud: its checks are left out"}}
		}},
	}
}

// findLocalCloud reads the local cloud's configuration and addresses.
func (x *examination) findLocalCloud(ctx context.Context) []finding {
	const start = "start it in another terminal, with the same variables: make run"
	root, err := engine.Root()
	if err != nil {
		return []finding{lacks(err.Error(), "run this in the checkout of haatline")}
	}
	config, err := cloud.FromEnv(root, os.Getenv)
	if err != nil {
		return []finding{lacks(err.Error(), "set the variable to a port, or to nothing")}
	}
	addresses, err := cloud.ReadAddresses(config.Dir)
	if err != nil {
		return []finding{lacks("none runs in "+config.Dir, start)}
	}
	if _, err := x.fetch(ctx, http.MethodGet, addresses.HTTP+"/openapi.json", nil, ""); err != nil {
		return []finding{lacks("none runs in "+config.Dir+" any more: "+err.Error(), start)} // it was killed
	}
	setting := func(variable string) string { return config.Setting(variable, addresses.WhatsApp) }
	if !x.apiURL.known {
		x.apiURL.set(addresses.HTTP)
	}
	if x.graph.url == "" {
		x.graph.url = setting("WHATSAPP_GRAPH_URL")
	}
	x.simulated = addresses.WhatsApp != "" && strings.HasPrefix(x.graph.url, addresses.WhatsApp)
	x.social = linked.Local(addresses)
	x.db.set(dynamo.Wrap(x.engineAt(addresses.DynamoDB), tables.Dev))
	x.learn(appSecret, setting(appSecret))
	x.learn(verifyToken, setting(verifyToken))
	x.learn(accessToken, setting(accessToken))
	return []finding{fine("runs at %s, WhatsApp at %s", addresses.HTTP, x.graph.url)}
}

// engineAt returns a client of the local cloud's engine, which accepts any credentials.
func (x *examination) engineAt(address string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: "ap-south-1", Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: &address, HTTPClient: x.http, RetryMaxAttempts: 1,
	})
}

// remedy says what to do about a secret that Meta does not know. On a laptop the simulated Meta has the secret of make
// run.
func (x *examination) remedy(variable string) string {
	renew := whence(variable) + "; " + x.putSecret(variable)
	switch {
	case !x.isLocal():
		return renew
	case x.simulated:
		return sameAsRun(variable)
	}
	return sameAsRun(variable) + "; where it is: " + renew
}

// learn keeps a secret's value for later checks, and makes sure that it is never printed.
func (x *examination) learn(variable, value string) {
	switch variable {
	case appSecret:
		x.appSecrets.set(split(value))
		for _, secret := range x.appSecrets.value {
			x.private.add(secret)
		}
	case verifyToken:
		x.verifyToken.set(strings.TrimSpace(value))
	case accessToken:
		x.accessToken.set(strings.TrimSpace(value))
	}
	x.private.add(value)
}

// split splits a list of app secrets, like the webhook does.
func split(value string) []string {
	var list []string
	for secret := range strings.SplitSeq(value, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			list = append(list, secret)
		}
	}
	return list
}

// isLocal reports whether the local cloud is being checked.
func (x *examination) isLocal() bool { return x.stage == deployment.Local }
