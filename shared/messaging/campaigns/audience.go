package campaigns

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Ask says which customers of a number are meant.
type Ask struct {
	Kind    string
	Label   string
	Since   model.Time
	Product model.Name
	AtLeast model.Amount
}

// Audience adds the customers of a number who are meant, with their names, as far as these are known. A customer may be
// added twice. It returns an error of add as it is.
type Audience func(ctx context.Context, number model.Phone, ask Ask,
	add func(to model.CustomerID, name string) error) error

// The kinds of audiences that messaging itself knows.
const (
	AudienceLabel   = "label"
	AudienceNotSeen = "not_seen_since"
)

// ErrAudience means that nobody knows such an audience, or that it lacks something.
var ErrAudience = problem.New("not an audience", problem.Error{
	Class: problem.Invalid, Field: "body.kind",
	Detail: "label needs a label, not_seen_since a time, and bought and owes a number that serves a store",
})

// Find returns the customers of an audience, each once. It returns ErrAudience and ErrTooMany.
func Find(ctx context.Context, of Audience, number model.Phone, ask Ask) (all []model.CampaignRecipient, err error) {
	if of == nil {
		return nil, ErrAudience
	}
	seen := map[model.CustomerID]bool{}
	err = of(ctx, number, ask, func(to model.CustomerID, name string) error {
		switch {
		case to == "" || seen[to]:
			return nil
		case len(all) == MaxRecipients:
			return ErrTooMany
		}
		seen[to] = true
		all = append(all, model.CampaignRecipient{To: to, Values: []string{model.Truncate(name, 200)}})
		return nil
	})
	return all, err
}

// Audiences returns the audiences that follow from the inbox, by kind.
func (s *Campaigns) Audiences() map[string]Audience {
	return map[string]Audience{
		AudienceLabel: func(ctx context.Context, number model.Phone, ask Ask,
			add func(model.CustomerID, string) error) error {
			if ask.Label == "" {
				return ErrAudience
			}
			return s.conversations(ctx, number, "", "contains(labels, :label)",
				dynamo.Item{":label": dynamo.S(ask.Label)}, add)
		},
		AudienceNotSeen: func(ctx context.Context, number model.Phone, ask Ask,
			add func(model.CustomerID, string) error) error {
			if ask.Since == "" {
				return ErrAudience
			}
			return s.conversations(ctx, number, "receivedAt < :since", "",
				dynamo.Item{":since": dynamo.S(ask.Since)}, add)
		},
	}
}

// conversations adds the customers of the conversations of a number that a condition on the index and a filter let
// pass.
func (s *Campaigns) conversations(ctx context.Context, number model.Phone, where, filter string, values dynamo.Item,
	add func(model.CustomerID, string) error) error {
	values[":inbox"] = dynamo.S(keys.InboxConversations(number.PhoneNumberID))
	query := dynamo.Query{
		Table: tables.Messages, Index: tables.IndexInbox, Where: dynamo.And("inboxPk = :inbox", where),
		Filter: dynamo.And(filter, "attribute_not_exists(mergedInto)", "attribute_not_exists(groupId)"),
		Values: values,
	}
	for {
		page, err := s.DB.Query(ctx, query)
		if err != nil {
			return fmt.Errorf("list conversations: %w", err)
		}
		for _, row := range page.Items {
			if _, customer, ok := keys.ConversationIDs(dynamo.Text(row, keys.PK)); ok {
				if err := add(customer, dynamo.Text(row, "senderName")); err != nil {
					return err
				}
			}
		}
		if query.After = page.Next; query.After == nil {
			return nil
		}
	}
}
