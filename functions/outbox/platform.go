package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/whatsapp"
)

// refsFor is how long the reference of a number's token is kept before its item is read again.
const refsFor = 5 * time.Minute

// platform sends for every number with the number's own token, or with the common one where it has none.
type platform struct {
	graph  whatsapp.Graph
	refOf  func(ctx context.Context, phone model.PhoneNumberID) (string, error)
	common *secrets.Secret
	getenv func(string) string
	now    func() time.Time

	mu     sync.Mutex
	tokens map[model.PhoneNumberID]token
}

type token struct {
	ref    string
	secret *secrets.Secret
	until  time.Time
}

// Send sends a body for a number.
func (p *platform) Send(ctx context.Context, phoneNumberID string, message json.RawMessage, callbackData string) (string, error) {
	graph := p.graph
	graph.Token = func(ctx context.Context) (string, error) {
		secret, err := p.secretOf(ctx, model.PhoneNumberID(phoneNumberID))
		if err != nil {
			return "", err
		}
		return secret.Get(ctx)
	}
	id, err := graph.Send(ctx, phoneNumberID, message, callbackData)
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.StopSender {
		p.expire(model.PhoneNumberID(phoneNumberID)) // somebody may have stored another one already
	}
	return id, err
}

// expire has the token of a number read anew at the next send: its reference, and the secret.
func (p *platform) expire(phone model.PhoneNumberID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if held, known := p.tokens[phone]; known {
		held.until = time.Time{}
		held.secret.Expire()
		p.tokens[phone] = held
	}
}

// credential returns a fingerprint of the token that a number sends with by now. It is asked for a stopped number only, so it
// reads the reference and the secret anew.
func (p *platform) credential(ctx context.Context, group string) (string, error) {
	phone, ok := messaging.SenderOf(group)
	if !ok {
		return "", nil
	}
	p.expire(phone)
	secret, err := p.secretOf(ctx, phone)
	if err != nil {
		return "", err
	}
	text, err := secret.Fresh(ctx)
	if err != nil {
		return "", err
	}
	return whatsapp.Fingerprint(text), nil
}

func (p *platform) secretOf(ctx context.Context, phone model.PhoneNumberID) (*secrets.Secret, error) {
	p.mu.Lock()
	held, known := p.tokens[phone]
	p.mu.Unlock()
	if known && p.now().Before(held.until) {
		return held.secret, nil
	}
	ref, err := p.refOf(ctx, phone)
	if err != nil {
		return nil, err
	}
	if !known || ref != held.ref { // an unchanged reference keeps its secret, and what that has fetched
		held = token{ref: ref, secret: p.common}
		if ref != "" {
			held.secret = secrets.New(ref, p.getenv)
		}
	}
	held.until = p.now().Add(refsFor)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tokens == nil {
		p.tokens = map[model.PhoneNumberID]token{}
	}
	p.tokens[phone] = held
	return held.secret, nil
}
