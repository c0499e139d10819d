// Package metaclient calls Meta's Graph API in the name of a number, with the number's own access token, or with the
// common one if the number has none.
package metaclient

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Numbers are the clients of all numbers.
type Numbers struct {
	graph  whatsapp.Graph
	tokens *secrets.Tokens
}

// Open returns the clients that the environment configures: WHATSAPP_GRAPH_URL is the address, and
// WHATSAPP_ACCESS_TOKEN refers to the common token. refOf returns the reference to a number's own token, or "" if it
// has none, and its tenant. The log says if the address cannot be one.
func Open(
	getenv func(string) string, client *http.Client, log *slog.Logger,
	refOf func(context.Context, model.PhoneNumberID) (ref string, tenant model.TenantID, err error),
) *Numbers {
	const address = "WHATSAPP_GRAPH_URL"
	settings.Check(log, address, whatsapp.CheckURL(getenv(address)))
	ref := func(ctx context.Context, phone string) (string, secrets.Place, error) {
		ref, tenant, err := refOf(ctx, model.PhoneNumberID(phone))
		return ref, secrets.Place{Tenant: string(tenant), Number: phone}, err
	}
	return &Numbers{
		graph:  whatsapp.Graph{URL: getenv(address), HTTP: client},
		tokens: secrets.NewTokens(getenv("WHATSAPP_ACCESS_TOKEN"), ref, getenv),
	}
}

// Call calls do with the client of a number. If Meta refuses the token, the next call reads it again, because a new one
// may have been stored already.
func (n *Numbers) Call(phone string, do func(graph *whatsapp.Graph) error) error {
	graph := n.graph
	graph.Token = func(ctx context.Context) (string, error) { return n.tokens.Get(ctx, phone) }
	err := do(&graph)
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.StopSender {
		n.tokens.Expire(phone)
	}
	return err
}

// Credential returns the fingerprint of the token that a number has now. It reads the reference and the token again.
func (n *Numbers) Credential(ctx context.Context, phone model.PhoneNumberID) (string, error) {
	token, err := n.tokens.Fresh(ctx, string(phone))
	if err != nil {
		return "", err
	}
	return whatsapp.Fingerprint(token), nil
}
