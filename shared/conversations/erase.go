package conversations

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/sorting"
	"github.com/haatline/haatline/shared/tables"
)

// countConversations is the name of the count of an erasure.
const countConversations = "companyConversations"

// kept is what an erasure keeps.
var kept = []erasure.Kept{{
	What: "a number that a company names in the routing rules of a project",
	Why:  "it is the company's setting, and the company changes it",
}, {
	What: "conversations that go to another address of the person, and name this one",
	Why:  "nobody can know that both are the same person's: erase each address",
}}

// queries returns the queries for what is kept of a person, in the order of the numbers under which it lies.
func queries(of erasure.Subject) []dynamo.Query {
	identifiers := slices.Clone(of.Identifiers)
	for _, c := range of.Customer.Conversations() { // a conversation stays under the number that it began with
		identifiers = append(identifiers, model.ParseCustomers(contacts.IdentifiersOf(c)...)...)
	}
	all := talks.Queries(of.Tenant, of.Accounts, identifiers)
	var sorted []dynamo.Query
	for _, number := range slices.Sorted(maps.Keys(all)) {
		sorted = append(sorted, all[number])
	}
	return sorted
}

// erase deletes the conversations with a person, open or not, with their continuations and what says which messages
// belong to them.
func (d *Domain) erase(ctx context.Context, of erasure.Subject, count func(int) []dynamo.Write) error {
	for _, q := range queries(of) {
		rows, err := d.DB.Rows(ctx, q)
		if err != nil {
			return fmt.Errorf("erase conversations: %w", err)
		}
		// A continuation sorts behind its conversation, and goes first. What models have taken goes last: an erasure
		// waits while a model is asked, and what it takes still counts.
		slices.Reverse(rows)
		sorting.Func(rows, func(a, b dynamo.Item) int {
			return cmp.Compare(countsModels(a), countsModels(b))
		})
		for _, row := range rows {
			if err := d.eraseRow(ctx, row, count); err != nil {
				return fmt.Errorf("erase conversations: %w", err)
			}
		}
	}
	return nil
}

// countsModels returns 1 for an item that counts what models have taken, and 0 for others.
func countsModels(row dynamo.Item) int {
	if keys.IsTalkSpent(dynamo.Text(row, "conversation_id")) {
		return 1
	}
	return 0
}

// perTransaction bounds the deletes of one transaction. DynamoDB takes 100 writes.
const perTransaction = 50

// eraseRow deletes a conversation, or a continuation of one. The condition for a conversation is that it is as it was
// read: a message that is added meanwhile is erased as well.
func (d *Domain) eraseRow(ctx context.Context, row dynamo.Item, count func(int) []dynamo.Write) error {
	var part conversationsmodel.Continuation // its messages have the same name in both
	if err := dynamo.Unmarshal(row, &part); err != nil {
		return err
	}
	var markers []dynamo.Write
	for _, entry := range part.Messages {
		id, err := model.Parse[model.MessageID](entry.EntryID)
		if err == nil && entry.Role == conversationsmodel.User {
			markers = append(markers,
				dynamo.Delete{Table: tables.Conversations, Key: keys.Reply(id), If: dynamo.Unconditional})
		}
	}
	for some := range slices.Chunk(markers, perTransaction) {
		if err := d.DB.Transact(ctx, some); err != nil {
			return dynamo.Conflict(err)
		}
	}
	remove := dynamo.Delete{Table: tables.Conversations, Key: keyOf(row), If: dynamo.Unconditional}
	if !keys.IsTalk(part.ConversationID) {
		return dynamo.Conflict(d.DB.Transact(ctx, []dynamo.Write{remove}))
	}
	var talk conversationsmodel.Conversation
	if err := dynamo.Unmarshal(row, &talk); err != nil {
		return err
	}
	kinds := []string{keys.EntityExpiry} // an end that was replayed has a number
	if conversationsmodel.AssistantIn(talk.AIConfig) != "" {
		kinds = append(kinds, keys.EntityTurn, keys.EntityModel)
	}
	if talk.FunctionCall {
		kinds = append(kinds, keys.EntityCall)
	}
	for _, kind := range kinds {
		if _, err := d.Outbox.Erase(ctx, talks.Entity(talk, kind), nothing); err != nil {
			return err
		}
	}
	remove.If, remove.Values = "#version = :version", dynamo.Item{":version": row["version"]}
	unplan := outbox.Unplan(talks.Entity(talk, keys.EntityExpiry))
	return dynamo.Conflict(d.DB.Transact(ctx, append(count(1), remove, unplan)))
}

func nothing(context.Context, []model.OutboxEvent) ([]dynamo.Write, error) { return nil, nil }

// keyOf returns the key of a row of the conversations table.
func keyOf(row dynamo.Item) keys.Key {
	table := tables.Conversations
	return keys.Key{
		PartitionName: table.Partition.Name, Partition: dynamo.Text(row, table.Partition.Name),
		SortName: table.Sort.Name, Sort: dynamo.Text(row, table.Sort.Name)}
}
