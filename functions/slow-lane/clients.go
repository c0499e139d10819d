package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/haatline/haatline/shared/assistant/callback"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/eventbus"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/ses"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/awsclient"
	"github.com/haatline/haatline/shared/messaging/mailing/posting"
	"github.com/haatline/haatline/shared/messaging/media/fetching"
	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/messaging/webhooks"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/outward"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/telemetry/tracing"
	"github.com/haatline/haatline/shared/wake"
	browsers "github.com/haatline/haatline/shared/webpush/posting"
)

// clients are what the function reaches the world by.
type clients struct {
	meta   source
	all    carried // the files and the templates of all numbers, at Meta or at AWS
	bucket fetching.Bucket
	texts  texting.Client
	emails posting.Client

	functions calling.Runner // calls the functions of projects, at these hosts
	hosts     []string
	vault     *secrets.Vault // opens the secrets of those functions

	endpoints *subscriptions.Poster // posts events to those outside who are told
	bus       subscriptions.Bus     // the deployment's event bus; nil for none
	browsers  *browsers.Poster      // notifies colleagues in their browsers

	secrets webhooks.Resolve // reads the secrets of accounts' webhooks

	wakes func(ctx context.Context, eventID string) error // has the function models ask a model
}

// openClients returns the clients that the environment says.
func openClients(getenv func(string) string, rooms *messaging.Domain, client *http.Client,
	logger *slog.Logger) clients {
	hosts, err := settings.Hosts(getenv("FUNCTION_HOSTS"))
	settings.Check(logger, "FUNCTION_HOSTS", err)
	meta, bucket := source{metaclient.Open(getenv, client, logger, rooms.AccessTokenRef)},
		objects.Open(getenv, tracing.HTTP(&http.Client{}))
	return clients{
		meta: meta, bucket: bucket,
		all: carried{meta, &awsclient.Files{
			Numbers: awsclient.Open(getenv, client, rooms.AWSPhoneNumberID, time.Now), Bucket: bucket}},
		texts: sms.New(getenv, client), emails: ses.Open(getenv, client),
		// a connection does not outlive the pause between two runs
		functions: callback.New(outward.Public, &http.Transport{DisableKeepAlives: true}), hosts: hosts,
		endpoints: subscriptions.NewPoster(outward.Public, &http.Transport{DisableKeepAlives: true}),
		bus:       busOf(getenv, client),
		browsers:  browsers.New(outward.Public, &http.Transport{DisableKeepAlives: true}),
		secrets:   func(ctx context.Context, ref string) (string, error) { return secrets.New(ref, getenv).Get(ctx) },
		vault:     secrets.OpenVault("", getenv),
		wakes: (&wake.Waker{
			Function: getenv("MODELS_FUNCTION"), Lane: keys.LaneModel, Getenv: getenv, HTTP: client}).Wake,
	}
}

// busOf returns the deployment's event bus; nil for none.
func busOf(getenv func(string) string, client *http.Client) subscriptions.Bus {
	if bus := eventbus.Open(getenv, client); bus != nil {
		return onBus{bus}
	}
	return nil
}

// onBus puts events on the bus.
type onBus struct{ bus *eventbus.Bus }

// Put puts an event on the bus.
func (b onBus) Put(ctx context.Context, e subscriptions.BusEvent) error {
	return b.bus.Put(ctx, eventbus.Event{Kind: e.Kind, At: e.At, Detail: e.Detail})
}
