package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/whatsapp"
)

// refTTL is how long the reference to a number's token is cached.
const refTTL = 5 * time.Minute

// sender sends for every number with the number's own token, or with the common one if the number has none.
type sender struct {
	graph  whatsapp.Graph
	refOf  func(ctx context.Context, phone model.PhoneNumberID) (string, error)
	common *secrets.Secret
	getenv func(string) string
	now    func() time.Time

	mu     sync.Mutex
	tokens map[model.PhoneNumberID]token
}

// newSender returns a sender whose common token is in WHATSAPP_ACCESS_TOKEN. refOf returns the reference to a number's own token,
// or "" if it has none.
func newSender(graph whatsapp.Graph, refOf func(context.Context, model.PhoneNumberID) (string, error), getenv func(string) string) *sender {
	return &sender{graph: graph, refOf: refOf, common: secrets.New(getenv("WHATSAPP_ACCESS_TOKEN"), getenv), getenv: getenv, now: time.Now}
}

type token struct {
	ref    string
	secret *secrets.Secret
	until  time.Time
}

// Send sends a message from a number.
func (s *sender) Send(ctx context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	taken, err := s.graphOf(r.PhoneNumberID).Send(ctx, r)
	s.expireIfRefused(model.PhoneNumberID(r.PhoneNumberID), err)
	return taken, err
}

// Templates lists a page of an account's templates with the token of one of its numbers.
func (s *sender) Templates(ctx context.Context, phoneNumberID, waba, after string) (whatsapp.TemplatePage, error) {
	page, err := s.graphOf(phoneNumberID).Templates(ctx, waba, after)
	s.expireIfRefused(model.PhoneNumberID(phoneNumberID), err)
	return page, err
}

var _ templates.Lister = (*sender)(nil)

// graphOf returns a client with the token of a number.
func (s *sender) graphOf(phoneNumberID string) *whatsapp.Graph {
	graph := s.graph
	graph.Token = func(ctx context.Context) (string, error) {
		secret, err := s.secretOf(ctx, model.PhoneNumberID(phoneNumberID))
		if err != nil {
			return "", err
		}
		return secret.Get(ctx)
	}
	return &graph
}

// expireIfRefused reads a refused token again for the next call, because a new one may have been stored already.
func (s *sender) expireIfRefused(phone model.PhoneNumberID, err error) {
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.StopSender {
		s.expire(phone)
	}
}

// expire makes the next send of a number read the reference and the token again.
func (s *sender) expire(phone model.PhoneNumberID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held, known := s.tokens[phone]; known {
		held.until = time.Time{}
		held.secret.Expire()
		s.tokens[phone] = held
	}
}

// credential returns the fingerprint of the token that a number now sends with. It is called only for stopped numbers, so it
// reads the reference and the token again.
func (s *sender) credential(ctx context.Context, group string) (string, error) {
	phone, ok := sending.SenderOf(group)
	if !ok {
		return "", nil
	}
	s.expire(phone)
	secret, err := s.secretOf(ctx, phone)
	if err != nil {
		return "", err
	}
	text, err := secret.Fresh(ctx)
	if err != nil {
		return "", err
	}
	return whatsapp.Fingerprint(text), nil
}

func (s *sender) secretOf(ctx context.Context, phone model.PhoneNumberID) (*secrets.Secret, error) {
	s.mu.Lock()
	held, known := s.tokens[phone]
	s.mu.Unlock()
	if known && s.now().Before(held.until) {
		return held.secret, nil
	}
	ref, err := s.refOf(ctx, phone)
	if err != nil {
		return nil, err
	}
	if !known || ref != held.ref { // an unchanged reference keeps its secret with the cached value
		held = token{ref: ref, secret: s.common}
		if ref != "" {
			held.secret = secrets.New(ref, s.getenv)
		}
	}
	held.until = s.now().Add(refTTL)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens == nil {
		s.tokens = map[model.PhoneNumberID]token{}
	}
	s.tokens[phone] = held
	return held.secret, nil
}
