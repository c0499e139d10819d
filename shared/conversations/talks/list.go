package talks

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// List is which conversations of a company are asked for. No list shows a continuation: it is in none of the indexes.
type List struct{ query dynamo.Query }

func listOf(company model.Name, index, where string, values dynamo.Item) List {
	values[":company"] = dynamo.S(company)
	return List{dynamo.Query{
		Table: tables.Conversations, Index: index, Where: where, Filter: "company_id = :company", Values: values}}
}

// OfProject returns the conversations of a company, of one project or of all ("").
func OfProject(company, project model.Name) List {
	l := List{dynamo.Query{
		Table: tables.Conversations, Index: tables.IndexTalksOfProject, Where: "company_id = :company",
		Values: dynamo.Item{":company": dynamo.S(company)}}}
	if project != "" {
		l.query.Where += " AND project_id = :project"
		l.query.Values[":project"] = dynamo.S(project)
	}
	return l
}

// The attributes of the indexes by address: the company's and the person's.
var addressed = map[model.Channel][3]string{
	model.ChannelWhatsApp: {tables.IndexTalksByWhatsApp, "gsi_company_whatsapp_number", "gsi_recipient_tel"},
	model.ChannelSMS:      {tables.IndexTalksBySMS, "gsi_company_sms_number", "gsi_recipient_tel"},
	model.ChannelEmail:    {tables.IndexTalksByEmail, "gsi_company_email", "gsi_recipient_email"},
}

// Between returns the conversations of a company by one of its addresses, with one person or with all ("").
func Between(company model.Name, channel model.Channel, address, recipient model.Name) List {
	names := addressed[channel]
	l := listOf(company, names[0], names[1]+" = :address", dynamo.Item{":address": dynamo.S(address)})
	if recipient != "" {
		l.query.Where += " AND " + names[2] + " = :recipient"
		l.query.Values[":recipient"] = dynamo.S(recipient)
	}
	return l
}

func with(company, recipient model.Name, index, and string, values dynamo.Item) List {
	values[":recipient"] = dynamo.S(recipient)
	return listOf(company, index, "primary_channel = :recipient AND "+and, values)
}

// ByTime returns the conversations with a person that began in a time, the newest first.
func ByTime(company, recipient model.Name, from, to model.Time) List {
	l := with(company, recipient, tables.IndexTalksByTime, "created_at BETWEEN :from AND :to",
		dynamo.Item{":from": dynamo.S(from), ":to": dynamo.S(to)})
	l.query.Backwards = true
	return l
}

// ByTask returns the conversations with a person whose opening message was sent, or was not.
func ByTask(company, recipient model.Name, complete bool) List {
	task := 0
	if complete {
		task = 1
	}
	return with(company, recipient, tables.IndexTalksByTask, "task_complete = :task",
		dynamo.Item{":task": dynamo.N(task)})
}

// ByStatus returns the conversations with a person in a state.
func ByStatus(company, recipient model.Name, status conversationsmodel.Status) List {
	return with(company, recipient, tables.IndexTalksByStatus, "conversation_status = :status",
		dynamo.Item{":status": dynamo.S(status)})
}

// ByChannel returns the conversations with a person on a channel.
func ByChannel(company, recipient model.Name, channel model.Channel) List {
	return with(company, recipient, tables.IndexTalksByChannel, "channel_method = :channel",
		dynamo.Item{":channel": dynamo.S(channel)})
}

// Page returns up to limit conversations of a list from after a place ("" for the beginning), and the place behind
// which the next page begins; "" at the end. A page may be short.
func (t *Talks) Page(ctx context.Context, l List, limit int,
	after string) (all []conversationsmodel.Conversation, next string, err error) {
	rows, next, err := t.DB.Some(ctx, l.query, limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("list conversations: %w", err)
	}
	if all, err = dynamo.Entities[conversationsmodel.Conversation](rows); err != nil {
		return nil, "", err
	}
	return all, next, nil
}

// Found returns all conversations on a channel by an address of a company with a person's address.
func (t *Talks) Found(ctx context.Context, company model.Name, channel model.Channel, address,
	recipient model.Name) ([]conversationsmodel.Conversation, error) {
	rows, err := t.DB.Rows(ctx, Between(company, channel, address, recipient).query)
	if err != nil {
		return nil, fmt.Errorf("find conversations: %w", err)
	}
	return dynamo.Entities[conversationsmodel.Conversation](rows)
}
