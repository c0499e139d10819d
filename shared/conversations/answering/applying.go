package answering

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/policy"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/replies"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

// unsent is why a conversation is handed over of which an answer could not be sent.
const unsent = "unsent"

// Apply commits an answer with what it says, what follows from it, and other writes. An answer that may not be sent
// counts as not given: a person gets the message. Who has opted out gets nothing, and is asked nothing. It returns
// dynamo.ErrConflict if the conversation has changed since it was read.
func (a *Answering) Apply(ctx context.Context, was conversationsmodel.Conversation, given Given,
	also ...dynamo.Write) error {
	c := was
	c.Assisted = given.learned(was.Assisted)
	given.noteCalls(&c, model.At(a.Talks.Now()))
	calls, err := a.calls(ctx, &c, &given)
	if err != nil {
		return err
	}
	if err := follow(&c, &given); err != nil {
		return err
	}
	entries, writes, err := a.say(ctx, c, given)
	switch {
	case errors.Is(err, sending.ErrOptedOut) || errors.Is(err, sending.ErrLeft):
		if len(also) == 0 {
			return nil
		}
		return dynamo.Conflict(a.Talks.DB.Transact(ctx, also))
	case sending.IsRefusal(err):
		if c = was; !c.HandOffToHuman {
			if _, err := talks.HandOff(&c, unsent); err != nil {
				return err
			}
		}
	case err != nil:
		return err
	case !c.HandOffToHuman:
		c.Pending, writes = "", append(writes, calls...)
	}
	if c.HandOffToHuman {
		c.Gives(given.Entry)
	}
	own, err := a.Talks.Write(&c, entries...)
	if err != nil {
		return err
	}
	err = dynamo.Conflict(a.Talks.DB.Transact(ctx, slices.Concat(own, writes, also)))
	if err != nil || !c.HandOffToHuman {
		return err
	}
	return a.Desk.Waiting(ctx, c)
}

// calls returns the writes by which the company's server is called, if everything is known. What it may not be called
// with goes to a person.
func (a *Answering) calls(ctx context.Context, c *conversationsmodel.Conversation,
	given *Given) ([]dynamo.Write, error) {
	if given.Action != assistant.Complete || a.Calls == nil {
		return nil, nil
	}
	writes, may, err := a.Calls.Queue(ctx, c, given.Entry)
	if err == nil && !may {
		given.Action, given.Reason = assistant.HandOver, assistant.NotAllowed
	}
	return writes, err
}

// follow brings a conversation into the state that follows from an answer.
func follow(c *conversationsmodel.Conversation, given *Given) (err error) {
	switch given.Action {
	case assistant.Reply, assistant.Ask, assistant.Offer:
		_, err = talks.Move(c, conversationsmodel.AwaitingReply)
	case assistant.Complete:
		_, err = talks.Move(c, conversationsmodel.Completed)
	default: // it may not call anything more
		if given.Action != assistant.HandOver {
			given.Reason = assistant.NotAllowed
		}
		given.Reply = policy.Announcement(given.Language, given.Reason)
		_, err = talks.HandOff(c, string(given.Reason))
	}
	return err
}

// say returns the entry and the writes of what is said. Its errors are those of sending.Sender.Prepare.
func (a *Answering) say(ctx context.Context, c conversationsmodel.Conversation,
	given Given) (entries []conversationsmodel.Entry, writes []dynamo.Write, err error) {
	answer := model.MessageID(idempotency.Hash("turn", c.ConversationID, given.Entry))
	say := replies.Saying{ID: answer, By: a.Domain, Text: given.Reply}
	for _, b := range given.Buttons {
		say.Buttons = append(say.Buttons, replies.Button(b))
	}
	id, writes, err := a.Desk.Prepare(ctx, c, say)
	if err != nil {
		return nil, nil, err
	}
	used := given.Usage
	return []conversationsmodel.Entry{{
		EntryID: id, MessageTimestamp: model.At(a.Talks.Now()), Role: conversationsmodel.Assistant,
		Content: given.Reply, Sources: strings.Join(given.Sources, "\n"),
		AIPromptTokens: int(used.PromptTokens), AICompletionTokens: int(used.CompletionTokens),
		AITotalTokens: int(used.PromptTokens + used.CompletionTokens), ProcessingTimeMS: used.Took.Milliseconds(),
	}}, writes, nil
}

// noteCalls notes in a conversation what the company's server has done for the answer.
func (a Given) noteCalls(c *conversationsmodel.Conversation, at model.Time) {
	for _, result := range a.Results {
		if !isLookup(result.Call) {
			c.FunctionCall, c.FunctionCallType, c.FunctionCalledAt = true, &result.Name, at
		}
	}
}

// learned returns what is known of the conversation after an answer.
func (a Given) learned(before *conversationsmodel.Assisted) *conversationsmodel.Assisted {
	if a.Language == "" && before != nil {
		a.Language = before.Language // it was not asked
	}
	now := &conversationsmodel.Assisted{
		Language: a.Language, Asked: a.Asks, Offered: a.Offers(), Values: map[string]string{}}
	if before != nil {
		maps.Copy(now.Values, before.Values)
		now.Introduced = before.Introduced
		if a.Asks != "" && a.Asks == before.Asked {
			now.Times = before.Times
		}
	}
	if a.Asks != "" {
		now.Times++
	}
	maps.Copy(now.Values, a.Answer.Values)
	now.Introduced = now.Introduced || a.Introduces
	return now
}
