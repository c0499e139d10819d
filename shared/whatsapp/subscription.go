package whatsapp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
)

// Subscribe has Meta post the webhooks of a WhatsApp Business Account to the app whose token it is, or not any more. It
// may be repeated. Every error is a *SendError.
func (g *Graph) Subscribe(ctx context.Context, waba string, wanted bool) error {
	method := http.MethodPost
	if !wanted {
		method = http.MethodDelete
	}
	_, err := g.subscribed(ctx, method, waba)
	return err
}

// Subscribed reports whether Meta posts the webhooks of an account to the app whose token it is. Every error is a
// *SendError.
func (g *Graph) Subscribed(ctx context.Context, waba string) (bool, error) {
	answer, err := g.subscribed(ctx, http.MethodGet, waba)
	return len(asObject(answer).List("data").Objects()) > 0, err
}

func (g *Graph) subscribed(ctx context.Context, method, waba string) ([]byte, error) {
	if !isPhoneNumberID(waba) { // ids of accounts have the same form
		return nil, &SendError{Class: Never, Meta: Error{Message: "the id of the account is not 5 to 20 digits"}}
	}
	status, answer, err := g.ask(ctx, method, url.PathEscape(waba)+"/subscribed_apps")
	if err != nil || status < http.StatusMultipleChoices {
		return answer, err
	}
	_, err = readAnswer(status, answer)
	var failed *SendError
	if errors.As(err, &failed) {
		failed.Ambiguous = false // it may be repeated
	}
	return nil, err
}
