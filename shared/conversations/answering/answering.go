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
	Domain    string // in whose name messages are sent
	Talks     *talks.Talks
	Desk      Desk
	Questions *questions.Lists
	Lookups   Lookups
	Calls     Calls // nil if nothing is called
	Outbox    *outbox.Outbox
	Rules     assistant.Assistant
}

// Lookups tell a person what domains keep of them: lookup.Desk.
type Lookups interface {
	Look(ctx context.Context, a lookup.Asked) (text string, err error)
}

// Calls calls the company's own server: calling.Calling.
type Calls interface {
	// Queue returns the writes by which the server does what follows when everything is known. It reports false if it
	// may not be called with what is known.
	Queue(ctx context.Context, c *conversationsmodel.Conversation, entry string) (writes []dynamo.Write, may bool,
		err error)
	// Call has the server do what a language model asks for in the turn of an entry.
	Call(ctx context.Context, c conversationsmodel.Conversation, entry string, of assistant.Call) (text string,
		err error)
}

// New returns what answers turns by rules, and leaves those that a language model is to answer to package asking.
func New(domain string, t *talks.Talks, desk Desk, lookups Lookups, to *outbox.Outbox) *Answering {
	return &Answering{
		Domain: domain, Talks: t, Desk: desk, Questions: &questions.Lists{DB: t.DB, Now: t.Now}, Lookups: lookups,
		Outbox: to, Rules: rules.Assistant{},
	}
}

const (
	shown = 30 // of the latest entries an assistant sees
	found = 3  // of the likeliest answers of the list that rules choose from
	// FoundByModel is how many of them a language model gets.
	FoundByModel = 8
	// mostAnswers is how many answers an assistant gives in a row within answersWithin. More of them answer a machine.
	mostAnswers, answersWithin = 20, time.Hour
	// attempts is how often a turn is tried. From lastAttempts on a person gets it.
	attempts, lastAttempts = 10, 5
)

// asksModel is what the event of a turn ends with that a language model is to answer.
const asksModel = "model"

// Handlers returns the handler of the turns' events. It is one of the slow lane. A turn that a language model is to
// answer queues the question in the transaction that ends its event, so that it is queued once.
func (a *Answering) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{turns.EventType: {
		Send: func(ctx context.Context, event model.OutboxEvent) (end string, err error) {
			turn, is := Read(event)
			if !is {
				return "", &outbox.Failure{Reason: "the stored turn cannot be read", Attempts: 1}
			}
			err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
				end, err = a.answer(ctx, turn, event.RetryCount >= lastAttempts)
				return err
			})
			if err != nil {
				return "", Untold
			}
			return end, nil
		},
		Settle: func(ctx context.Context, event model.OutboxEvent, outcome outbox.Outcome) ([]dynamo.Write, error) {
			if outcome.ExternalID != asksModel {
				return nil, nil
			}
			turn, _ := Read(event) // it was read before
			return turns.Ask(ctx, a.Outbox, event.EcosystemID, turn)
		},
	}}
}

// Read returns the turn of an event. It reports false if it cannot be read.
func Read(event model.OutboxEvent) (turn turns.Turn, is bool) {
	err := json.Unmarshal(event.Payload, &turn)
	return turn, err == nil && turn.Key().Whole()
}

// Untold is the failure of an attempt in which something could not be read or written.
var Untold = &outbox.Failure{
	Reason: "the turn could not be answered", Class: "turn", Attempts: attempts, Wait: time.Minute}

// answer makes one attempt, or hands the conversation over after too many. It says nothing if the turn is over, and
// returns how its event ends.
func (a *Answering) answer(ctx context.Context, turn turns.Turn, giveUp bool) (end string, err error) {
	c, open, err := a.Open(ctx, turn)
	if err != nil || !open {
		return "", err
	}
	given := HandsOver(assistant.Unreached)
	if !giveUp {
		var asks bool
		if given, asks, err = a.ask(ctx, c, turn.Entry); err != nil {
			return "", err
		}
		if asks {
			return asksModel, nil
		}
	}
	given.Entry = turn.Entry
	return "", a.Apply(ctx, c, given)
}

// Open returns the conversation of a turn. It reports false if the turn is over: somebody has answered, the person has
// written on, a person of the company goes on, or the conversation has come to its end or is gone.
func (a *Answering) Open(ctx context.Context, turn turns.Turn) (c conversationsmodel.Conversation, open bool,
	err error) {
	c, err = a.Talks.Get(ctx, turn.Key())
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return conversationsmodel.Conversation{}, false, nil
	case err != nil, !c.Status.Open(), c.Pending != turn.Entry:
		return c, false, err
	case c.HandOffToHuman:
		return c, false, a.Desk.Waiting(ctx, c) // the attempt before this one may have died
	}
	return c, true, nil
}

// Given is a turn with its answer.
type Given struct {
	assistant.Turn
	assistant.Answer
	Entry string // that is answered
}

// HandsOver returns the answer that gives a turn to a person without asking anybody.
func HandsOver(reason assistant.Reason) Given {
	return Given{Answer: assistant.HandsOver(reason, assistant.Usage{})}
}

// ask has the assistant answer an entry. It reports true if a language model is to answer it.
func (a *Answering) ask(ctx context.Context, c conversationsmodel.Conversation, entry string) (given Given, asks bool,
	err error) {
	p, err := a.Prepare(ctx, c, entry)
	if err != nil || p.Decided != nil {
		return p.given(), false, err
	}
	if p.Settings.AsksModel() {
		return Given{}, true, nil
	}
	if err := a.Search(ctx, c, &p, found); err != nil {
		return Given{}, false, err
	}
	given, err = a.Converse(ctx, c, p, a.Rules)
	return given, false, err
}

// Prepared is a turn as an assistant gets it.
type Prepared struct {
	assistant.Turn
	Settings Settings
	Policy   policy.Policy
	Decided  *Given // what is said without asking the assistant; nil if it is to be asked

	entry   string
	history []conversationsmodel.Entry
}

func (p Prepared) given() Given {
	if p.Decided == nil {
		return Given{}
	}
	return *p.Decided
}

// Prepare returns the turn in which an entry is answered. It is decided if the assistant may not answer any more, or if
// the owner's rules decide it.
func (a *Answering) Prepare(ctx context.Context, c conversationsmodel.Conversation, entry string) (p Prepared,
	err error) {
	decided := func(reason assistant.Reason) (Prepared, error) {
		given := HandsOver(reason)
		return Prepared{Decided: &given}, nil
	}
	may, err := a.Desk.Assisted(ctx, c)
	if err != nil {
		return p, err
	}
	history, err := a.Talks.History(ctx, c)
	if err != nil {
		return p, err
	}
	settings, err := ReadSettings(c.AIConfig)
	if err != nil || !may {
		return decided(assistant.NotAllowed)
	}
	held, err := settings.policy()
	if err != nil || !settings.known() { // a release before this one has taken the settings
		return decided(assistant.Unreached)
	}
	if inARow(history, a.Talks.Now()) >= mostAnswers {
		return decided(assistant.AtLimit)
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
		return decided(assistant.Unsure)
	}
	turn.Language = held.Language(turn)
	if c.PhoneNumberID != "" && c.ChannelMethod == model.ChannelWhatsApp {
		turn.Lookups = settings.Lookups
	}
	p = Prepared{Turn: turn, Settings: settings, Policy: held, entry: entry, history: history}
	if answer, is := held.Decide(turn); is {
		p.Decided = &Given{Turn: turn, Answer: answer}
	}
	return p, nil
}

// Search finds the likeliest entries of the company's list for a turn, and those that the last answer has offered.
func (a *Answering) Search(ctx context.Context, c conversationsmodel.Conversation, p *Prepared, most int) error {
	index, err := a.Questions.Index(ctx, c.CompanyID, c.ProjectID)
	if err != nil {
		return err
	}
	p.Found = index.Search(p.Last().Text, p.Language, most)
	p.Offered = offered(index, c, p.history, p.Turn)
	return nil
}

// Converse has an assistant answer a turn, and does what it asks for: the answer that follows is its last. An error is
// one of the assistant, of the company's server, or of reading.
func (a *Answering) Converse(ctx context.Context, c conversationsmodel.Conversation, p Prepared,
	by assistant.Assistant) (Given, error) {
	held, turn := policy.Held{Policy: p.Policy, Next: by}, p.Turn
	for {
		answer, err := held.Answer(ctx, turn)
		if err != nil || answer.Action != assistant.CallTool || len(turn.Results) > 0 {
			return Given{Turn: turn, Answer: answer, Entry: p.entry}, err
		}
		text, err := a.do(ctx, c, p, answer.Call)
		if err != nil || text == "" {
			return Given{Turn: turn, Answer: assistant.HandsOver(assistant.Unsure, answer.Usage), Entry: p.entry}, err
		}
		turn.Results = append(turn.Results, assistant.Result{Call: answer.Call, Text: text})
	}
}

// do looks up or calls what an assistant asks for, and the turn allows.
func (a *Answering) do(ctx context.Context, c conversationsmodel.Conversation, p Prepared,
	call assistant.Call) (string, error) {
	if !isLookup(call) {
		return a.Calls.Call(ctx, c, p.entry, call)
	}
	return a.Lookups.Look(ctx, lookup.Asked{
		Name: call.Name, Tenant: c.TenantID, Phone: c.PhoneNumberID, Customer: c.Customer, Language: p.Language})
}

func isLookup(call assistant.Call) bool {
	return slices.Contains(assistant.Lookups, assistant.Lookup(call.Name))
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
