package messagingapi

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
)

// person puts the operation that gets what is kept of the person of a conversation.
func (o *service) person() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-conversation-person", Method: http.MethodGet,
		Path: "/v1/conversations/{conversationId}/person", Tags: []string{"Conversations"},
		Summary:  "Get what is kept of the person of a conversation",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "What stands beside a conversation, in one answer: the conversation, the addresses, and a " +
			"section of each domain, as far as your scopes allow it: the latest orders, what the person owes, " +
			"requests for cards, and conversations elsewhere. It shows only what is the person's for certain.",
	}, o.getPersonBeside)
}

type BesideInput struct {
	ConversationInput
	Language string `query:"language" enum:"en,hi,hi-Latn" default:"en" doc:"In which language values are."`
}

type personInput struct {
	BesideInput
	Sections []string `query:"sections" maxItems:"20" doc:"Only these sections, by their names; leave it out for all." example:"[\"orders\"]"`
}

type besideEntry struct {
	Path     string           `json:"path" doc:"Of the operation that gets the whole of it."`
	ID       string           `json:"id" doc:"Its id."`
	In       string           `json:"in,omitempty" doc:"The id of what it belongs to: the store, the company, the number or the user."`
	Title    string           `json:"title" doc:"What it is called."`
	Detail   string           `json:"detail,omitempty" doc:"A line more."`
	Status   string           `json:"status,omitempty" doc:"How far it is. Of a khata account owes, ahead or even; of all others a state of their own."`
	Amount   operations.Money `json:"amount,omitempty" doc:"What it comes to; negative for what the store owes."`
	Currency string           `json:"currency,omitempty" doc:"Of the amount, by ISO 4217."`
	At       string           `json:"at,omitempty" format:"date-time" doc:"When it was made, or changed last."`
	Version  int64            `json:"version,omitempty" doc:"By which it is changed, where it has one."`
	Next     []string         `json:"next,omitempty" doc:"The states that it may come into."`
	Waiting  int              `json:"waiting,omitempty" doc:"How much of it waits for the shop's people: of a khata account the customer's open claims to have paid."`
}

type besideSection struct {
	Name    string        `json:"name" doc:"conversations, orders, khata, card_requests, company_conversations, or one that came later."`
	Entries []besideEntry `json:"entries" doc:"The newest first."`
}

type personBeside struct {
	Conversation conversation      `json:"conversation" doc:"The conversation."`
	Addresses    []customerAddress `json:"addresses" doc:"The person's addresses."`
	Sections     []besideSection   `json:"sections" doc:"What each domain keeps."`
	Values       map[string]string `json:"values" doc:"What fills the variables of quick replies."`
	Failed       []string          `json:"failed" doc:"The sections that could not be read just now."`
}

type besideOutput struct{ Body personBeside }

func (o *service) getPersonBeside(ctx context.Context, in *personInput) (*besideOutput, error) {
	of, a, err := o.answering(ctx, in.ConversationInput, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	c, err := o.getConversation(ctx, &in.ConversationInput)
	if err != nil {
		return nil, err
	}
	addresses, err := o.rooms.Answers.Addresses(ctx, of)
	if err != nil {
		return nil, err
	}
	sections := o.sections(ctx)
	if len(in.Sections) > 0 {
		sections = slices.DeleteFunc(sections, func(s beside.Section) bool {
			return !slices.Contains(in.Sections, s.Name)
		})
	}
	read, err := o.beside(ctx, a, in.Language, sections)
	if err != nil {
		return nil, err
	}
	all := personBeside{
		Conversation: c.Body, Addresses: make([]customerAddress, len(addresses)), Sections: []besideSection{},
		Values: map[string]string{}, Failed: read.failed,
	}
	for i, address := range addresses {
		all.Addresses[i] = showAddress(address)
	}
	for _, section := range sections {
		if shown, is := read.shown[section.Name]; is {
			all.Sections = append(all.Sections, besideSection{section.Name, showEntries(shown.Entries)})
		}
	}
	own, err := o.ownValues(ctx, a, c.Body)
	maps.Copy(all.Values, own)
	maps.Copy(all.Values, read.values())
	return &besideOutput{all}, err
}

// sections returns the sections that the caller may read.
func (o *service) sections(ctx context.Context) []beside.Section {
	scopes := httpapi.CallerOf(ctx).Scopes
	return slices.DeleteFunc(o.rooms.Beside(), func(s beside.Section) bool {
		return !slices.Contains(scopes, httpapi.ScopePrefix+s.Scope)
	})
}

// besides is what some sections have said of a person.
type besides struct {
	shown  map[string]beside.Shown
	failed []string // the sections that could not be read, by name; never nil
}

func (b besides) values() map[string]string {
	all := map[string]string{}
	for _, shown := range b.shown {
		maps.Copy(all, shown.Values)
	}
	return all
}

// beside reads sections of the person of a conversation. A section that cannot be read is logged and named.
func (o *service) beside(ctx context.Context, a address, language string, sections []beside.Section) (besides, error) {
	b := besides{failed: []string{}}
	if len(sections) == 0 {
		return b, nil
	}
	p, known, err := o.rooms.PersonOf(ctx, a.tenant, a.phone, a.customer, language)
	if err != nil || !known {
		return b, err
	}
	shown, failed := beside.Read(ctx, sections, p)
	for name, err := range failed {
		o.Log.WarnContext(ctx, "a section of a person was not read", "section", name, slog.Any("error", err))
		b.failed = append(b.failed, name)
	}
	slices.Sort(b.failed)
	b.shown = shown
	return b, nil
}

func showEntries(entries []beside.Entry) []besideEntry {
	all := make([]besideEntry, len(entries))
	for i, e := range entries {
		all[i] = besideEntry{
			Path: e.Path, ID: e.ID, In: e.In, Title: e.Title, Detail: e.Detail, Status: e.Status,
			Currency: e.Currency, At: string(e.At), Version: e.Version, Next: e.Next, Waiting: e.Waiting}
		if e.Amount != nil {
			all[i].Amount = operations.MoneyOf(*e.Amount)
		}
	}
	return all
}
