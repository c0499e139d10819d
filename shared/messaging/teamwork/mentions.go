package teamwork

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// maxMentions bounds the mentions of a colleague that are listed of a number, the newest.
const maxMentions = 100

// named returns the writes by which the colleagues whom a note names learn of it, beyond those whom it named before,
// and by which those whom no note of the customer names any more are left alone. None has a condition: each says what
// holds with the note that commits with it.
func (s *Teamwork) named(of contacts.Customer, n model.Note, before []string, all []model.Note) ([]dynamo.Write,
	error) {
	var writes []dynamo.Write
	for _, subject := range n.Mentions {
		if slices.Contains(before, subject) {
			continue
		}
		item, err := dynamo.Marshal(model.Mention{
			PK: keys.Mention(of.Phone(), model.Name(subject), of.Key()).Partition, ItemType: model.ItemMention,
			ConversationPK: keys.MentionsOf(of.Phone(), model.Name(subject)), ReceivedAt: model.At(s.Now()),
			PhoneNumberID: of.Phone(), CustomerID: of.Key(), Subject: subject, NoteID: n.NoteID})
		if err != nil {
			return nil, err
		}
		writes = append(writes, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional})
	}
	for _, subject := range before {
		elsewhere := func(other model.Note) bool {
			return other.PK != n.PK && slices.Contains(other.Mentions, subject)
		}
		if !slices.Contains(n.Mentions, subject) && !slices.ContainsFunc(all, elsewhere) {
			writes = append(writes, unnamed(of, subject)...)
		}
	}
	return writes, nil
}

// unnamed returns the writes that take a colleague's mention in the notes about a customer away. What is gone may go
// again.
func unnamed(of contacts.Customer, subject string) (writes []dynamo.Write) {
	for _, key := range of.Keys() {
		writes = append(writes, dynamo.Delete{
			Table: tables.Messages, Key: keys.Mention(of.Phone(), model.Name(subject), key)})
	}
	return writes
}

// Seen says that a colleague has looked at the notes about a customer that name them.
func (s *Teamwork) Seen(ctx context.Context, of contacts.Customer, subject model.Name) error {
	return s.DB.Write(ctx, unnamed(of, string(subject)))
}

// Mentioning returns the customers of a number in whose notes a colleague is named and has not looked yet, who was
// named last first. One that was just written may be missing.
func (s *Teamwork) Mentioning(ctx context.Context, phone model.PhoneNumberID, subject model.Name) (
	customers []model.CustomerID, err error) {
	page, err := s.DB.Query(ctx, dynamo.Query{
		Table: tables.Messages, Index: tables.IndexConversation, Where: "conversationPk = :mentions", Backwards: true,
		Limit: maxMentions, Values: dynamo.Item{":mentions": dynamo.S(keys.MentionsOf(phone, subject))}})
	if err != nil {
		return nil, fmt.Errorf("list mentions: %w", err)
	}
	for _, item := range page.Items {
		customers = append(customers, model.CustomerID(dynamo.Text(item, "customerId")))
	}
	return customers, nil
}

// eraseMentions takes away that notes about a customer name colleagues.
func (s *Teamwork) eraseMentions(ctx context.Context, of contacts.Customer, all []model.Note) error {
	var writes []dynamo.Write
	done := map[string]bool{}
	for _, n := range all {
		for _, subject := range n.Mentions {
			if !done[subject] {
				done[subject] = true
				writes = append(writes, unnamed(of, subject)...)
			}
		}
	}
	for batch := range slices.Chunk(writes, 50) {
		if err := s.DB.Write(ctx, batch); err != nil {
			return fmt.Errorf("erase mentions: %w", dynamo.Conflict(err))
		}
	}
	return nil
}
