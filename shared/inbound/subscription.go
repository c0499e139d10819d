package inbound

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
)

// Subscription is what a domain does about messages. Subscriptions have an order: that of their registration.
type Subscription struct {
	Domain string
	// Wants reports whether the domain has something to do about a message. It runs for every message and does no I/O.
	Wants func(m Message) bool
	// React reacts to a message that the domain wants, and reports whether it claims it: then no later subscription sees it. It runs
	// for every delivery of a message, also when the message was stored already, and must be idempotent by the message's id, its
	// claim too. Its permanent errors are parked with the webhook entry and keep nothing from the inbox.
	React func(ctx context.Context, m Message) (claimed bool, err error)
	// Claims says that React may claim a message. Where such a reaction fails for now, the later ones wait for its answer.
	Claims bool
}

// Dispatch has subscriptions react to messages, in their order. It returns what can never succeed, and an error where something is
// worth another try.
func Dispatch(ctx context.Context, messages []Message, subscriptions []Subscription) (refused []string, again error) {
	for _, m := range messages {
		for _, s := range subscriptions {
			if !s.Wants(m) {
				continue
			}
			claimed, err := s.React(ctx, m)
			switch {
			case err != nil && dynamo.Permanent(err):
				refused = append(refused, fmt.Sprintf("%s: %v", s.Domain, err))
			case err != nil:
				again = errors.Join(again, fmt.Errorf("%s: %w", s.Domain, err))
				claimed = s.Claims
			}
			if claimed && s.Claims {
				break
			}
		}
	}
	return refused, again
}
