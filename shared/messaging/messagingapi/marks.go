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
	Marked string `query:"marked" maxLength:"40" doc:"Only customers of one number who have a mark: open_orders, or owed. It goes with no other filter." example:"owed"`
}

// mayMark returns the marks that the caller may see.
func (o *service) mayMark(ctx context.Context) []beside.Mark {
	scopes := httpapi.CallerOf(ctx).Scopes
	return slices.DeleteFunc(o.rooms.Marks(), func(m beside.Mark) bool {
		return !slices.Contains(scopes, httpapi.ScopePrefix+m.Scope)
	})
}

// listMarked lists the conversations with the customers of a number who have a mark.
func (o *service) listMarked(ctx context.Context, in *listConversationsInput) (*conversationListOutput, error) {
	marks := o.mayMark(ctx)
	at := slices.IndexFunc(marks, func(m beside.Mark) bool { return m.Name == in.Marked })
	switch {
	case at < 0:
		return nil, httpapi.Invalid("query.marked", "no mark that you may see")
	case in.PhoneNumberID == "":
		return nil, httpapi.Invalid("query.phoneNumberId", "marked needs one number")
	case in.Unread || in.Waiting || in.NeedsPerson || in.Archived || in.SinceQuery != SinceQuery{} ||
		in.WorkQuery != WorkQuery{}:
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
