package doctor

import (
	"context"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/shared/engine"
)

// localChecks stand in the place of AWS's: the secrets and addresses are those the local cloud reads.
func (x *examination) localChecks() []check {
	x.apiURL.from, x.appSecrets.from, x.verifyToken.from, x.accessToken.from = "local cloud", "local cloud", "local cloud", "local cloud"
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

// findLocalCloud reads what the local cloud reads, and where it says that it runs.
func (x *examination) findLocalCloud(context.Context) []finding {
	const start = "start it in another terminal, with the same variables: make run"
	root, err := engine.Root()
	if err != nil {
		return []finding{lacks(err.Error(), "run this in the checkout of haatline")}
	}
	config, err := cloud.FromEnv(root, os.Getenv)
	if err != nil {
		return []finding{lacks(err.Error(), "set the variable to a port, or to nothing")}
	}
	addresses, running := cloud.ReadAddresses(config.Dir)
	if running != nil {
		addresses.HTTP, addresses.WhatsApp = loopback(config.HTTPPort), loopback(config.WhatsAppPort)
	}
	setting := func(variable string) string { return config.Setting(variable, addresses.WhatsApp) }
	if !x.apiURL.known {
		x.apiURL.set(addresses.HTTP)
	}
	if x.graph.url == "" {
		x.graph.url = setting("WHATSAPP_GRAPH_URL")
	}
	x.learn(appSecret, setting(appSecret))
	x.learn(verifyToken, setting(verifyToken))
	x.learn(accessToken, setting(accessToken))
	if running != nil {
		return []finding{lacks("none runs in "+config.Dir, start)}
	}
	return []finding{fine("runs at %s, WhatsApp at %s", addresses.HTTP, x.graph.url)}
}

func loopback(port int) string {
	return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// learn keeps the value of a secret for the checks that need it, and out of everything that is printed.
func (x *examination) learn(variable, value string) {
	switch variable {
	case appSecret:
		x.appSecrets.set(split(value))
		for _, secret := range x.appSecrets.value {
			x.private.add(secret)
		}
	case verifyToken:
		x.verifyToken.set(value)
	case accessToken:
		x.accessToken.set(strings.TrimSpace(value))
	}
	x.private.add(value)
}

// split takes several app secrets apart, as the webhook does.
func split(value string) []string {
	var list []string
	for secret := range strings.SplitSeq(value, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			list = append(list, secret)
		}
	}
	return list
}

// isLocal says whether the examined thing is the local cloud.
func (x *examination) isLocal() bool { return x.stage == deployment.Local }
