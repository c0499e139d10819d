// Package awsclient sends in the name of the numbers that are at AWS End User Messaging, and says which ones are.
package awsclient

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/eum"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// idTTL is how long it is remembered whether a number is at AWS.
const idTTL = 5 * time.Minute

// Numbers are the numbers at AWS.
type Numbers struct {
	client *eum.Client
	idOf   func(ctx context.Context, phone model.PhoneNumberID) (string, error)
	now    func() time.Time

	mu   sync.Mutex
	held map[string]heldID
	// accounts are AWS's ids of the accounts of numbers, by AWS's ids of these.
	accounts map[string]string
}

type heldID struct {
	id    string
	until time.Time
}

// Open returns the numbers of an environment. idOf returns AWS's id of a number, or "" if the number is not at AWS.
func Open(getenv func(string) string, client *http.Client,
	idOf func(ctx context.Context, phone model.PhoneNumberID) (string, error), now func() time.Time) *Numbers {
	return &Numbers{client: eum.New(getenv, client), idOf: idOf, now: now, held: map[string]heldID{},
		accounts: map[string]string{}}
}

// ID returns AWS's id of a number; "" if the number is not at AWS.
func (n *Numbers) ID(ctx context.Context, phone string) (string, error) {
	n.mu.Lock()
	held := n.held[phone]
	n.mu.Unlock()
	if n.now().Before(held.until) {
		return held.id, nil
	}
	return n.fresh(ctx, phone)
}

func (n *Numbers) fresh(ctx context.Context, phone string) (string, error) {
	id, err := n.idOf(ctx, model.PhoneNumberID(phone))
	if err != nil {
		return "", err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.held[phone] = heldID{id, n.now().Add(idTTL)}
	return id, nil
}

// Expire makes the next ID of a number read it again.
func (n *Numbers) Expire(phone string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.held, phone)
}

// Send sends a message by AWS's id of its number. If the number is refused, its id is read again, because it may have
// changed.
func (n *Numbers) Send(ctx context.Context, id string, r whatsapp.Request) (whatsapp.Taken, error) {
	taken, err := n.client.Send(ctx, id, r)
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.StopSender {
		n.Expire(r.PhoneNumberID)
	}
	return taken, err
}

// Credential returns the fingerprint of what a number sends with, read again; "" if the number is not at AWS.
func (n *Numbers) Credential(ctx context.Context, phone model.PhoneNumberID) (string, error) {
	id, err := n.fresh(ctx, string(phone))
	if err != nil || id == "" {
		return "", err
	}
	return eum.Credential(id), nil
}
