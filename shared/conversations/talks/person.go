package talks

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// addressesOf returns the numbers in E.164 and the email addresses under which conversations with people may lie. The
// key of a person who is known by an email address is that address.
func addressesOf(people ...model.CustomerID) []model.Name {
	var all []model.Name
	for _, person := range people {
		id := identity.IdentifierIn(person)
		if address := model.PhoneOf(id); (identity.IsNumber(id) || mailing.IsAddress(id)) &&
			!slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	return all
}

// of returns the query for what is kept of the person with one of some keys under a number: conversations and
// continuations.
func of(tenant model.TenantID, number model.Name, people []model.CustomerID) dynamo.Query {
	q := dynamo.Query{
		Table: tables.Conversations, Where: "primary_channel = :number",
		Filter: "tenant_id = :tenant AND customer IN (",
		Values: dynamo.Item{":number": dynamo.S(number), ":tenant": dynamo.S(tenant)},
	}
	for i, person := range people {
		name := fmt.Sprintf(":person%d", i)
		q.Values[name] = dynamo.S(person)
		if i > 0 {
			q.Filter += ", "
		}
		q.Filter += name
	}
	q.Filter += ")"
	return q
}

// Queries returns the queries for what is kept of a person, by the numbers and addresses under which it may lie. people
// are the keys under which the person is or was known, and identifiers are theirs now.
func Queries(tenant model.TenantID, people, identifiers []model.CustomerID) map[model.Name]dynamo.Query {
	all := map[model.Name]dynamo.Query{}
	if len(people) == 0 {
		return all
	}
	for _, number := range addressesOf(slices.Concat(people, identifiers)...) {
		all[number] = of(tenant, number, people)
	}
	return all
}

// Under returns the conversations of a tenant under a number, with whomever. It reads the table itself, which shows
// what an index does not show yet.
func (t *Talks) Under(ctx context.Context, tenant model.TenantID,
	number model.Name) ([]conversationsmodel.Conversation, error) {
	rows, err := t.DB.Rows(ctx, dynamo.Query{
		Table: tables.Conversations, Where: "primary_channel = :number", Filter: "tenant_id = :tenant",
		Values: dynamo.Item{":number": dynamo.S(number), ":tenant": dynamo.S(tenant)}})
	if err != nil {
		return nil, fmt.Errorf("conversations under a number: %w", err)
	}
	return talksIn(rows)
}

// talksIn returns the conversations among rows, without their continuations.
func talksIn(rows []dynamo.Item) (all []conversationsmodel.Conversation, err error) {
	for _, row := range rows {
		var c conversationsmodel.Conversation
		if !keys.IsTalk(dynamo.Text(row, "conversation_id")) {
			continue
		}
		if err := dynamo.Unmarshal(row, &c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Of returns the conversations of a tenant with a person under the number in their key.
func (t *Talks) Of(ctx context.Context, tenant model.TenantID,
	person model.CustomerID) (all []conversationsmodel.Conversation, err error) {
	for _, number := range addressesOf(person) {
		rows, err := t.DB.Rows(ctx, of(tenant, number, []model.CustomerID{person}))
		if err != nil {
			return nil, fmt.Errorf("conversations of a person: %w", err)
		}
		some, err := talksIn(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}
