// Package answering answers turns by an assistant. What it says, what it has learned and the end of the turn commit
// together. An answer is dropped if the person has written meanwhile: then the turn of the newer message answers both.
package answering

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/policy"
	"github.com/haatline/haatline/shared/assistant/rules"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/questions"
	"github.com/haatline/haatline/shared/conversations/replies"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Desk prepares messages to the people of conversations: replies.Replies.
type Desk interface {
	Prepare(ctx context.Context, c conversationsmodel.Conversation, say replies.Saying) (id string,
		writes []dynamo.Write, err error)
	// Assisted reports whether an assistant may still answer in a conversation.
	Assisted(ctx context.Context, c conversationsmodel.Conversation) (bool, error)
	// Waiting has the inbox show that a conversation waits for a person.
	Waiting(ctx context.Context, c conversationsmodel.Conversation) error
}

// Answering answers turns.
type Answering struct {
	Domain     string // in whose name messages are sent
	Talks      *talks.Talks
	Desk       Desk
	Questions  *questions.Lists
	Lookups    Lookups
	Calls      Calls                          // nil if nothing is called
	Assistants map[string]assistant.Assistant // by the name in ai_config
}

// Lookups tell a person what domains keep of them: lookup.Desk.
type Lookups interface {
	Look(ctx context.Context, a lookup.Asked) (text string, err error)
}

// Calls has the company's own server do what follows when everything is known: calling.Calling.
type Calls interface {
	// Queue returns the writes by which that is called. It reports false if it may not be called with what is known.
	Queue(ctx context.Context, c *conversationsmodel.Conversation, entry string) (writes []dynamo.Write, may bool,
		err error)
}

// New returns what answers turns by all assistants that there are.
func New(domain string, t *talks.Talks, desk Desk, lookups Lookups) *Answering {
	return &Answering{
		Domain: domain, Talks: t, Desk: desk, Questions: &questions.Lists{DB: t.DB, Now: t.Now}, Lookups: lookups,
		Assistants: map[string]assistant.Assistant{Rules: rules.Assistant{}},
	}
}

const (
	shown = 30 // of the latest entries an assistant sees
	found = 3  // of the likeliest answers of the list
	// mostAnswers is how many answers an assistant gives in a row within answersWithin. More of them answer a machine.
	mostAnswers, answersWithin = 20, time.Hour
	// attempts is how often a turn is tried. From lastAttempts on a person gets it.
	attempts, lastAttempts = 10, 5
)

// Handlers returns the handler of the events. It is one of the slow lane.
func (a *Answering) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{turns.EventType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			var turn turns.Turn
			if err := json.Unmarshal(event.Payload, &turn); err != nil || turn.Conversation == "" {
				return "", &outbox.Failure{Reason: "the stored turn cannot be read", Attempts: 1}
			}
			err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				return a.answer(ctx, turn, event.RetryCount >= lastAttempts)
			})
			if err != nil {
				return "", &outbox.Failure{Reason: "the turn could not be answered", Class: "turn", Attempts: attempts,
					Wait: time.Minute}
			}
			return "", nil
		},
	}}
}

// answer makes one attempt, or hands the conversation over after too many. It says nothing if the turn is over:
// somebody has answered, the person has written on, a person of the company goes on, or the conversation has come to
// its end or is gone.
func (a *Answering) answer(ctx context.Context, turn turns.Turn, giveUp bool) error {
	c, err := a.Talks.Get(ctx, turn.Key())
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && (!c.Status.Open() || c.Pending != turn.Entry) {
		return nil
	}
	if err != nil {
		return err
	}
	if c.HandOffToHuman {
		return a.Desk.Waiting(ctx, c) // the attempt before this one may have died
	}
	given := asked{Answer: assistant.HandsOver(assistant.Unreached, assistant.Usage{})}
	if !giveUp {
		if given, err = a.ask(ctx, c, turn.Entry); err != nil {
			return err
		}
	}
	given.entry = turn.Entry
	return a.apply(ctx, c, given)
}

// asked is a turn with its answer.
type asked struct {
	assistant.Turn
	assistant.Answer
	entry string // that is answered
}

// handsOver is a turn that goes to a person without having been asked.
func handsOver(reason assistant.Reason) asked {
	return asked{Answer: assistant.HandsOver(reason, assistant.Usage{})}
}

// ask has the assistant answer an entry.
func (a *Answering) ask(ctx context.Context, c conversationsmodel.Conversation, entry string) (asked, error) {
	may, err := a.Desk.Assisted(ctx, c)
	if err != nil || !may {
		return handsOver(assistant.NotAllowed), err
	}
	history, err := a.Talks.History(ctx, c)
	if err != nil {
		return asked{}, err
	}
	settings, err := Read(c.AIConfig)
	if err != nil {
		return handsOver(assistant.NotAllowed), nil
	}
	held, err := settings.policy()
	next := a.Assistants[settings.Assistant]
	if err != nil || next == nil { // a release before this one has taken the settings
		return handsOver(assistant.Unreached), nil
	}
	if inARow(history, a.Talks.Now()) >= mostAnswers {
		return handsOver(assistant.AtLimit), nil
	}
	turn := assistant.Turn{
		Business: c.CompanyName, Instructions: settings.Instructions, Country: settings.Country, Now: a.Talks.Now(),
		Person: c.RecipientFirstName, Slots: settings.slots(), Values: map[string]string{},
	}
	if known := c.Assisted; known != nil {
		turn.Language, turn.Asked, turn.Times, turn.Introduced = known.Language, known.Asked, known.Times,
			known.Introduced
		maps.Copy(turn.Values, known.Values)
	}
	turn.Said = said(history[max(0, len(history)-shown):], entry)
	if without(turn.Last().Text) {
		return handsOver(assistant.Unsure), nil
	}
	turn.Language = held.Language(turn)
	index, err := a.Questions.Index(ctx, c.CompanyID, c.ProjectID)
	if err != nil {
		return asked{}, err
	}
	turn.Found = index.Search(turn.Last().Text, turn.Language, found)
	turn.Offered = offered(index, c, history, turn)
	if c.PhoneNumberID != "" && c.ChannelMethod == model.ChannelWhatsApp {
		turn.Lookups = settings.Lookups
	}
	return a.lookUp(ctx, c, turn, policy.Held{Policy: held, Next: next})
}

// lookUp has an assistant answer a turn, and looks up what it asks for: the answer that follows is its last.
func (a *Answering) lookUp(ctx context.Context, c conversationsmodel.Conversation, turn assistant.Turn,
	by assistant.Assistant) (asked, error) {
	for {
		answer, err := by.Answer(ctx, turn)
		var failed *assistant.Failure
		if errors.As(err, &failed) {
			answer, err = assistant.HandsOver(assistant.Unreached, assistant.Usage{}), nil
		}
		if err != nil || answer.Action != assistant.CallTool || len(turn.Results) > 0 {
			return asked{Turn: turn, Answer: answer}, err
		}
		text, err := a.Lookups.Look(ctx, lookup.Asked{
			Name: answer.Call.Name, Tenant: c.TenantID, Phone: c.PhoneNumberID, Customer: c.Customer,
			Language: turn.Language})
		if err != nil || text == "" {
			return asked{Turn: turn, Answer: assistant.HandsOver(assistant.Unsure, answer.Usage)}, err
		}
		turn.Results = append(turn.Results, assistant.Result{Call: answer.Call, Text: text})
	}
}

// said returns what was said, with the entry to answer at the end: an answer may have crossed it.
func said(history []conversationsmodel.Entry, entry string) (all []assistant.Said) {
	last := assistant.Said{Role: assistant.User}
	for _, e := range history {
		if e.DeletedAt != "" && e.EntryID != entry {
			continue
		}
		one := assistant.Said{Role: assistant.Clerk, Text: e.Content, Pick: e.Pick}
		if e.Role == conversationsmodel.User {
			one.Role = assistant.User
		}
		if e.EntryID == entry {
			last = one
			continue
		}
		all = append(all, one)
	}
	return append(all, last)
}

// offered returns the entries of which the person was asked which one they mean: those of the last answer, unless a
// person of the company has written since; and that of a button that the person has tapped, however old it is.
func offered(index *faq.Index, c conversationsmodel.Conversation, history []conversationsmodel.Entry,
	turn assistant.Turn) (all []faq.Entry) {
	var ids []string
	if id, tapped := assistant.EntryOf(turn.Last().Pick); tapped {
		ids = []string{id}
	} else if c.Assisted != nil && !interrupted(history) {
		ids = c.Assisted.Offered
	}
	for _, id := range ids {
		entry, is := index.Entry(id, turn.Language)
		if !is {
			entry.ID = id
		}
		all = append(all, entry)
	}
	return all
}

// interrupted reports whether a person of the company has written the last answer.
func interrupted(history []conversationsmodel.Entry) bool {
	for _, e := range slices.Backward(history) {
		if e.Role == conversationsmodel.Assistant {
			return e.SentBy != ""
		}
	}
	return false
}

// without reports whether an entry has no words: it stands for a picture, a voice note or something else.
func without(text string) bool {
	return text == "" || strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && !strings.Contains(text, " ")
}

// inARow returns how many answers the assistant has given in the last hour, since a person of the company has.
func inARow(history []conversationsmodel.Entry, now time.Time) (n int) {
	for _, e := range slices.Backward(history) {
		switch {
		case now.Sub(e.MessageTimestamp.Go()) > answersWithin || e.SentBy != "":
			return n
		case e.Role == conversationsmodel.Assistant:
			n++
		}
	}
	return n
}

// unsent is why a conversation is handed over of which an answer could not be sent.
const unsent = "unsent"

// apply commits an answer with what it says and what follows from it. An answer that may not be sent counts as not
// given: a person gets the message. Who has opted out gets nothing, and is asked nothing.
func (a *Answering) apply(ctx context.Context, was conversationsmodel.Conversation, given asked) error {
	c := was
	c.Assisted = given.learned(was.Assisted)
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
		return nil
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
	own, err := a.Talks.Write(&c, entries...)
	if err != nil {
		return err
	}
	if err := dynamo.Conflict(a.Talks.DB.Transact(ctx, append(own, writes...))); err != nil || !c.HandOffToHuman {
		return err
	}
	return a.Desk.Waiting(ctx, c)
}

// calls returns the writes by which the company's server is called, if everything is known. What it may not be called
// with goes to a person.
func (a *Answering) calls(ctx context.Context, c *conversationsmodel.Conversation,
	given *asked) ([]dynamo.Write, error) {
	if given.Action != assistant.Complete || a.Calls == nil {
		return nil, nil
	}
	writes, may, err := a.Calls.Queue(ctx, c, given.entry)
	if err == nil && !may {
		given.Action, given.Reason = assistant.HandOver, assistant.NotAllowed
	}
	return writes, err
}

// follow brings a conversation into the state that follows from an answer.
func follow(c *conversationsmodel.Conversation, given *asked) (err error) {
	switch given.Action {
	case assistant.Reply, assistant.Ask, assistant.Offer:
		_, err = talks.Move(c, conversationsmodel.AwaitingReply)
	case assistant.Complete:
		_, err = talks.Move(c, conversationsmodel.Completed)
	default: // no assistant calls anything else yet
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
	given asked) (entries []conversationsmodel.Entry, writes []dynamo.Write, err error) {
	answer := model.MessageID(idempotency.Hash("turn", c.ConversationID, given.entry))
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

// learned returns what is known of the conversation after an answer.
func (a asked) learned(before *conversationsmodel.Assisted) *conversationsmodel.Assisted {
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
