package main

import (
	"context"
	"errors"
	"io"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/whatsapp"
)

// source lists templates, and gets and takes the files of every number with the number's own token, or with the common
// one if the number has none.
type source struct {
	graph  whatsapp.Graph
	tokens *secrets.Tokens
}

// newSource returns a source whose common token is in WHATSAPP_ACCESS_TOKEN. refOf returns the reference to a number's
// own token.
func newSource(graph whatsapp.Graph, refOf func(context.Context, model.PhoneNumberID) (string, error),
	getenv func(string) string) *source {
	ref := func(ctx context.Context, phone string) (string, error) { return refOf(ctx, model.PhoneNumberID(phone)) }
	return &source{graph: graph, tokens: secrets.NewTokens(getenv("WHATSAPP_ACCESS_TOKEN"), ref, getenv)}
}

// File asks where a file is. A token that was refused is read again for the next call.
func (s *source) File(ctx context.Context, phone, mediaID string) (whatsapp.HeldFile, error) {
	held, err := s.of(phone).File(ctx, phone, mediaID)
	s.expire(phone, err)
	return held, err
}

// Upload hands a file to Meta. A token that was refused is read again for the next call.
func (s *source) Upload(ctx context.Context, of whatsapp.Upload) (string, error) {
	id, err := s.of(of.PhoneNumberID).Upload(ctx, of)
	s.expire(of.PhoneNumberID, err)
	return id, err
}

// expire forgets a number's token if it was refused.
func (s *source) expire(phone string, err error) {
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.StopSender {
		s.tokens.Expire(phone)
	}
}

// Templates lists a page of an account's templates with the token of one of its numbers.
func (s *source) Templates(ctx context.Context, phone, waba, after string) (whatsapp.TemplatePage, error) {
	page, err := s.of(phone).Templates(ctx, waba, after)
	s.expire(phone, err)
	return page, err
}

// Download writes a file to w.
func (s *source) Download(ctx context.Context, phone, url string, w io.Writer) error {
	return s.of(phone).Download(ctx, url, w)
}

func (s *source) of(phone string) *whatsapp.Graph {
	graph := s.graph
	graph.Token = func(ctx context.Context) (string, error) { return s.tokens.Get(ctx, phone) }
	return &graph
}
