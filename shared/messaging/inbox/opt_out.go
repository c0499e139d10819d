package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/optout"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

// OptOut is the subscription that keeps a conversation's opt-out mark: a word sets it, its opposite clears it, and a
// word whose message the customer deletes or rewrites counts no more. The last word by the order of messages decides,
// in every order that they come in. It claims a message that is such a word.
func (s *Inbox) OptOut() inbound.Subscription {
	return inbound.Subscription{
		Domain: "opt-out", Claims: true, // nobody else has to answer such a word
		Wants: func(m inbound.Message) bool {
			_, decides := optOutWord(m)
			return m.Live && (decides || m.Retracts != "")
		},
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			_, decides := optOutWord(m)
			return decides, s.decideOptOut(ctx, m)
		},
	}
}

func (s *Inbox) decideOptOut(ctx context.Context, m inbound.Message) error {
	if out, decides := optOutWord(m); decides {
		decision := model.Decision{MessagePK: keys.Message(m.ID).Partition, Order: m.Place, OptOut: out}
		return s.addDecision(ctx, m, decision)
	}
	return s.withdraw(ctx, m)
}

// optOutWord reports whether a message is a word about being written to, and whether it asks to stop.
func optOutWord(m inbound.Message) (out, decides bool) {
	if m.Choice != nil && m.Choice.Kind == inbound.ChoiceButton {
		if out, _ = optout.Decides(m.Choice.Title); out {
			return true, true
		}
	}
	return optout.Decides(m.Text)
}

// withdraw records that a word counts no more, because m deletes or rewrites its message. The message may come later,
// so withdraw also records that for a message that is not there yet.
func (s *Inbox) withdraw(ctx context.Context, m inbound.Message) error {
	item, err := s.MessageItem(ctx, m.Retracts)
	if err != nil {
		return err
	}
	if IsMessage(item) {
		var original model.Message
		if err := dynamo.Unmarshal(item, &original); err != nil {
			return err
		}
		if _, decides := optOutWord(inbound.Of(original.AsWritten(), nil, true)); !decides {
			return nil
		}
	}
	return s.addDecision(ctx, m, model.Decision{MessagePK: keys.Message(m.Retracts).Partition, Withdrawn: true})
}

// withdrawWord records that the word of a message counts no more if the message was deleted or rewritten.
func (s *Inbox) withdrawWord(ctx context.Context, c model.Conversation, m model.Message) error {
	_, decides := optOutWord(inbound.Of(m.AsWritten(), nil, true))
	if !decides || m.RevokedAt == "" && m.EditedAt == "" {
		return nil
	}
	next := c
	applyDecisions(&next, model.Decision{MessagePK: m.PK, Withdrawn: true})
	if slices.Equal(c.Decisions, next.Decisions) {
		return nil
	}
	return s.writeDecisions(ctx, c, next)
}

// addDecision adds a decision to the conversation that stands. Its condition is that the decisions are as they were
// read.
func (s *Inbox) addDecision(ctx context.Context, m inbound.Message, decision model.Decision) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		c, err := s.conversationOfMessage(ctx, m)
		if errors.Is(err, ErrNoConversation) {
			return nil // erased meanwhile
		}
		if err != nil {
			return err
		}
		next := c
		if applyDecisions(&next, decision); slices.Equal(c.Decisions, next.Decisions) {
			return nil
		}
		return s.writeDecisions(ctx, c, next)
	})
}

func (s *Inbox) writeDecisions(ctx context.Context, read, next model.Conversation) error {
	decisions, err := dynamo.Value(next.Decisions)
	if err != nil {
		return err
	}
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.ByPK(read.PK),
		Do:     "SET optOutDecisions = :next REMOVE optedOutAt",
		If:     "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND attribute_not_exists(optOutDecisions)",
		Values: dynamo.Item{":next": decisions},
	}
	if next.OptedOutAt != "" {
		u.Do = "SET optOutDecisions = :next, optedOutAt = :at"
		u.Values[":at"] = dynamo.S(next.OptedOutAt)
	}
	if len(read.Decisions) > 0 {
		if u.Values[":was"], err = dynamo.Value(read.Decisions); err != nil {
			return err
		}
		u.If = "optOutDecisions = :was AND attribute_not_exists(mergedInto)"
	}
	// The message has not moved.
	u.If = dynamo.And(u.If, dynamo.SameNumber("identityRevision", read.IdentityRevision, u.Values))
	phone, _, _ := keys.ConversationIDs(read.PK)
	told, err := s.optOutWrites(ctx, read, next)
	if err != nil {
		return err
	}
	if _, err = s.updateAnd(ctx, MarkChanged(u, phone, s.Now()), told); err != nil {
		return fmt.Errorf("opt-out: %w", dynamo.Conflict(err))
	}
	return nil
}

// maxDecisions bounds how many decisions a conversation keeps; the oldest go first.
const maxDecisions = 20

// applyDecisions adds decisions to a conversation's and sets the mark by the last that counts. The result is the same
// in every order they are added.
func applyDecisions(c *model.Conversation, added ...model.Decision) {
	if len(added) == 0 {
		return
	}
	all := slices.Clone(c.Decisions)
	for _, decision := range added {
		i := slices.IndexFunc(all, func(d model.Decision) bool { return d.MessagePK == decision.MessagePK })
		if i < 0 {
			all = append(all, decision)
			continue
		}
		if all[i].Order == "" {
			all[i].Order, all[i].OptOut = decision.Order, decision.OptOut
		}
		all[i].Withdrawn = all[i].Withdrawn || decision.Withdrawn
	}
	sorting.Func(all, func(a, b model.Decision) int {
		if order := strings.Compare(string(a.Order), string(b.Order)); order != 0 {
			return order
		}
		return strings.Compare(a.MessagePK, b.MessagePK)
	})
	c.Decisions = all[max(0, len(all)-maxDecisions):]
	c.OptedOutAt = ""
	if last := lastDecision(*c); last.OptOut {
		c.OptedOutAt = last.Order.At()
	}
}

// lastDecision returns the last decision that counts; the zero decision where none does.
func lastDecision(c model.Conversation) model.Decision {
	for _, decision := range slices.Backward(c.Decisions) {
		if !decision.Withdrawn && decision.Order != "" {
			return decision
		}
	}
	return model.Decision{}
}

// OptedOut reports whether nothing may be sent into a conversation: its customer has asked not to be written to, and
// has written nothing since.
func OptedOut(c *model.Conversation) bool {
	if c == nil {
		return false
	}
	last := lastDecision(*c)
	return last.OptOut && !later(c.LastInboundOrder, c.LastInboundPK, last.Order, last.MessagePK)
}
