package main

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/whatsapp"
)

// sender sends for every number with the number's own token, or with the common one if the number has none.
type sender struct {
	graph  whatsapp.Graph
	tokens *secrets.Tokens
}

// newSender returns a sender whose common token is in WHATSAPP_ACCESS_TOKEN. refOf returns the reference to a number's
// own token, or "" if it has none.
func newSender(graph whatsapp.Graph, refOf func(context.Context, model.PhoneNumberID) (string, error),
	getenv func(string) string) *sender {
	ref := func(ctx context.Context, phone string) (string, error) { return refOf(ctx, model.PhoneNumberID(phone)) }
	return &sender{graph: graph, tokens: secrets.NewTokens(getenv("WHATSAPP_ACCESS_TOKEN"), ref, getenv)}
}

// Send sends a message from a number.
func (s *sender) Send(ctx context.Context, r whatsapp.Request) (whatsapp.Taken, error) {
	taken, err := s.graphOf(r.PhoneNumberID).Send(ctx, r)
	s.expireIfRefused(r.PhoneNumberID, err)
	return taken, err
}

// graphOf returns a client with the token of a number.
func (s *sender) graphOf(phoneNumberID string) *whatsapp.Graph {
	graph := s.graph
	graph.Token = func(ctx context.Context) (string, error) { return s.tokens.Get(ctx, phoneNumberID) }
	return &graph
}

// expireIfRefused reads a refused token again for the next call, because a new one may have been stored already.
func (s *sender) expireIfRefused(phoneNumberID string, err error) {
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.StopSender {
		s.tokens.Expire(phoneNumberID)
	}
}

// credential returns the fingerprint of the token that a number now sends with. It is called only for stopped numbers,
// so it reads the reference and the token again.
func (s *sender) credential(ctx context.Context, group string) (string, error) {
	phone, ok := sending.SenderOf(group)
	if !ok {
		return "", nil
	}
	text, err := s.tokens.Fresh(ctx, string(phone))
	if err != nil {
		return "", err
	}
	return whatsapp.Fingerprint(text), nil
}
