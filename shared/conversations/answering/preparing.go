package answering

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/policy"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

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
