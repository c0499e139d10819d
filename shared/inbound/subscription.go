package inbound

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// Subscription is a domain's reaction to messages. Subscriptions react in the order of their registration.
type Subscription struct {
	Domain string
	// Wants reports whether the domain reacts to a message. It runs for every message and must not do I/O.
	Wants func(m Message) bool
	// Channels are those of which the domain gets messages; nil for WhatsApp alone.
	Channels []model.Channel
	// Groups is true if the domain reacts to messages in groups as well. Otherwise Dispatch passes it none.
	Groups bool
	// React reacts to a message that the domain wants. It reports whether it claims the message, so that no later
	// subscription sees it. It may run several times for a message and must then do nothing new and report the same
	// claim. A permanent error is recorded on the webhook entry; the message is in the inbox all the same.
	React func(ctx context.Context, m Message) (claimed bool, err error)
	// Claims is true if React may claim a message. If such a reaction fails temporarily, later subscriptions do not see
	// the message before it has succeeded.
	Claims bool
}

// hears reports whether the domain gets messages of this channel, and in groups.
func (s Subscription) hears(m Message) bool {
	if m.Group && !s.Groups {
		return false
	}
	if s.Channels == nil {
		return m.Channel == model.ChannelWhatsApp
	}
	return slices.Contains(s.Channels, m.Channel)
}

// Dispatch passes each message to the subscriptions that want it, in their order, until one claims it. refused has a
// text for each permanent error, which trying again cannot mend. again joins the other errors; the caller should
// dispatch all of the messages again.
func Dispatch(ctx context.Context, messages []Message, subscriptions []Subscription) (refused []string, again error) {
	for _, m := range messages {
		ctx := dynamo.Remember(ctx) // the domains ask for the same people and the same store
		for _, s := range subscriptions {
			if !s.hears(m) || !s.Wants(m) {
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
