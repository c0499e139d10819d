package messagingapi

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

type MarkQuery struct {
	Marks  bool   `query:"marks" doc:"Show what domains know of the customers, as far as your scopes allow it."`
	Marked string `query:"marked" maxLength:"40" doc:"Only customers of one number who have a mark: open_orders, or owed. With mentions, those in whose notes you are named and have not looked yet, of one number or of all. It goes with no other filter." example:"owed"`
}

// mayMark returns the marks that the caller may see.
func (o *service) mayMark(ctx context.Context) []beside.Mark {
	scopes := httpapi.CallerOf(ctx).Scopes
	marks := slices.DeleteFunc(o.rooms.Marks(), func(m beside.Mark) bool {
		return !slices.Contains(scopes, httpapi.ScopePrefix+m.Scope)
	})
	return append(marks, beside.Mark{Name: markMentions, Of: o.mentionedIn})
}

// markMentions marks the customers in whose notes the caller is named, and has not looked yet.
const markMentions = "mentions"

func (o *service) mentionedIn(ctx context.Context, number model.Phone, _ []model.CustomerID) (
	map[model.CustomerID]string, error) {
	rows, err := o.mentioning(ctx, number.PhoneNumberID)
	marked := map[model.CustomerID]string{}
	for _, row := range rows {
		_, customer, _ := keys.ConversationIDs(row.PK)
		marked[customer] = "1"
	}
	return marked, err
}

// mentioning returns the conversations of a number in whose notes the caller is named, and has not looked yet.
func (o *service) mentioning(ctx context.Context, phone model.PhoneNumberID) ([]model.Conversation, error) {
	subject, err := model.Parse[model.Name](httpapi.CallerOf(ctx).Subject)
	if err != nil {
		return nil, err
	}
	customers, err := o.rooms.Teamwork.Mentioning(ctx, phone, subject)
	if err != nil || len(customers) == 0 {
		return nil, err
	}
	return o.rooms.Living(ctx, phone, customers)
}

// listMentions lists the conversations in whose notes the caller is named, and has not looked yet, the newest first:
// of a number, or of all.
func (o *service) listMentions(ctx context.Context, in *listConversationsInput) (*conversationListOutput, error) {
	phones, err := o.inboxPhones(ctx, in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	var all []model.Conversation
	for _, phone := range phones {
		rows, err := o.mentioning(ctx, phone)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	at := func(c model.Conversation) httpapi.Position {
		return httpapi.Position{At: string(c.ReceivedAt), Key: c.PK}
	}
	slices.SortFunc(all, func(a, b model.Conversation) int { return at(b).Compare(at(a)) })
	if after != (httpapi.Position{}) {
		all = slices.DeleteFunc(all, func(c model.Conversation) bool { return at(c).Compare(after) >= 0 })
	}
	page, next := httpapi.Cut(in.Page, all, at)
	return o.marking(ctx, in.MarkQuery, page, next)
}

// filters reports whether a list is filtered by anything but its number and a mark.
func (in *listConversationsInput) filters() bool {
	return in.Unread || in.Waiting || in.NeedsPerson || in.Archived || in.SinceQuery != SinceQuery{} ||
		in.WorkQuery != WorkQuery{}
}

// listMarked lists the conversations with the customers of a number who have a mark.
func (o *service) listMarked(ctx context.Context, in *listConversationsInput) (*conversationListOutput, error) {
	if in.Marked == markMentions && !in.filters() {
		return o.listMentions(ctx, in)
	}
	marks := o.mayMark(ctx)
	at := slices.IndexFunc(marks, func(m beside.Mark) bool { return m.Name == in.Marked })
	switch {
	case at < 0:
		return nil, httpapi.Invalid("query.marked", "no mark that you may see")
	case in.PhoneNumberID == "":
		return nil, httpapi.Invalid("query.phoneNumberId", "marked needs one number")
	case in.filters():
		return nil, httpapi.Invalid("query.marked", "it goes with no other filter")
	}
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	number, err := o.number(ctx, phone, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "marked", in.PhoneNumberID, in.Marked)
	if err != nil {
		return nil, err
	}
	customers, next, err := marks[at].Page(ctx, number, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	rows, err := o.rooms.ConversationsWith(ctx, phone, customers)
	if err != nil {
		return nil, err
	}
	return o.marking(ctx, MarkQuery{Marks: true}, rows, l.Position(next))
}

// marking shows a page of conversations, with the marks of the customers if these are asked for.
func (o *service) marking(ctx context.Context, asked MarkQuery, rows []model.Conversation,
	next httpapi.Position) (*conversationListOutput, error) {
	out := &conversationListOutput{}
	out.Body.Cursor = next.Cursor()
	var err error
	if out.Body.Items, err = o.showConversations(ctx, rows); err != nil || !asked.Marks {
		return out, err
	}
	of := map[model.PhoneNumberID][]model.CustomerID{}
	for _, row := range rows {
		phone, customer, _ := keys.ConversationIDs(row.PK)
		of[phone] = append(of[phone], customer)
	}
	for phone, customers := range of {
		number, err := o.rooms.Number(ctx, phone)
		if err != nil {
			return nil, err
		}
		for _, mark := range o.mayMark(ctx) {
			found, err := mark.Of(ctx, number, customers)
			if err != nil {
				return nil, err
			}
			for i, row := range rows {
				at, customer, _ := keys.ConversationIDs(row.PK)
				if value := found[customer]; at == phone && value != "" {
					if out.Body.Items[i].Marks == nil {
						out.Body.Items[i].Marks = map[string]string{}
					}
					out.Body.Items[i].Marks[mark.Name] = value
				}
			}
		}
	}
	return out, nil
}
