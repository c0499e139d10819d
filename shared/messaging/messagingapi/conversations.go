package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) conversations() {
	const tag = "Conversations"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-conversations", Method: http.MethodGet, Path: "/v1/conversations", Tags: []string{tag},
		Summary: "List conversations, newest first", Security: httpapi.Needs(httpapi.InboxRead),
		Description: "The inbox of one number, or of all numbers of your tenants. Filters go together, but for " +
			"marked, which stands alone and has an order of its own: who has ordered last, who owes most, who was " +
			"written with last. A page may hold fewer conversations than asked for, where another page follows.",
		Errors: []int{http.StatusNotFound},
	}, o.listConversations)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "count-conversations", Method: http.MethodGet, Path: "/v1/conversation-counts",
		Tags:    []string{tag},
		Summary: "Count conversations by filter", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
		Description: "Of one number, or of all numbers of your tenants, for the badges beside the filters. The " +
			"newest 2000 of each number are counted, and of more than ten numbers 20000 in all. What was erased is " +
			"counted for up to five minutes.",
	}, o.countConversations)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-conversation", Method: http.MethodGet, Path: "/v1/conversations/{conversationId}",
		Tags:    []string{tag},
		Summary: "Get a conversation", Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
	}, o.getConversation)
	for _, mark := range []struct {
		id, path, summary, description string
		do                             func(context.Context, address) error
	}{
		{"mark-conversation-read", "read", "Mark as read",
			"Also sends Meta's read receipt for the customer's last message.",
			func(ctx context.Context, a address) error {
				return o.rooms.MarkRead(ctx, a.tenant, a.phone, a.customer)
			}},
		{"mark-conversation-unread", "unread", "Mark as unread", "", func(ctx context.Context, a address) error {
			return o.rooms.MarkUnread(ctx, a.phone, a.customer)
		}},
		{"archive-conversation", "archive", "Archive", "A new message of the customer brings it back.",
			func(ctx context.Context, a address) error {
				return o.rooms.SetArchived(ctx, a.phone, a.customer, true)
			}},
		{"acknowledge-identity", "acknowledge-identity", "Acknowledge a change of identity",
			"The customer has got another encryption key, with a new phone for example. The mark goes.",
			func(ctx context.Context, a address) error {
				return o.rooms.AcknowledgeIdentity(ctx, a.phone, a.customer)
			}},
		{"unarchive-conversation", "unarchive", "Take out of the archive", "",
			func(ctx context.Context, a address) error {
				return o.rooms.SetArchived(ctx, a.phone, a.customer, false)
			}},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: mark.id, Method: http.MethodPost, Path: "/v1/conversations/{conversationId}/" + mark.path,
			Tags:    []string{tag},
			Summary: mark.summary, Description: mark.description, DefaultStatus: http.StatusNoContent,
			Security: httpapi.Needs(httpapi.InboxWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, o.ownConversation,
			func(ctx context.Context, _ *ConversationInput, a address) (*done, error) { return nil, mark.do(ctx, a) })
	}
}

type ConversationInput struct {
	ConversationID string `path:"conversationId" maxLength:"1100" doc:"{phoneNumberId}:{customerId}" example:"106540352242922:919876543210"`
}

// ownConversation finds a conversation that the caller may change.
func (o *service) ownConversation(ctx context.Context, in *ConversationInput) (address, operations.Subject, error) {
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Owns)
	return a, operations.Subject{
		Tenant: a.tenant, Target: erasure.ConversationTarget(a.tenant, a.phone, a.customer)}, err
}

type conversation struct {
	ID                 string       `json:"id" doc:"{phoneNumberId}:{customerId}, for the paths of other operations."`
	PhoneNumberID      string       `json:"phoneNumberId" doc:"The business number."`
	CustomerID         string       `json:"customerId" doc:"A phone number, a business-scoped user id, or a group id."`
	Address            string       `json:"address" doc:"Where messages to the customer go."`
	Name               string       `json:"name,omitempty" doc:"The customer's profile name."`
	UserID             string       `json:"userId,omitempty" doc:"The customer's business-scoped user id, where it is known."`
	Username           string       `json:"username,omitempty" doc:"The customer's WhatsApp username, where it is known."`
	IdentityChangedAt  string       `json:"identityChangedAt,omitempty" doc:"When the customer got another encryption key, with a new phone for example; absent once somebody has acknowledged it. Be careful with what is valuable."`
	GroupID            string       `json:"groupId,omitempty" doc:"Of a WhatsApp group: its id."`
	ReceivedAt         string       `json:"receivedAt" doc:"When the last message was written."`
	UnreadCount        int          `json:"unreadCount" doc:"How many messages nobody has read."`
	Archived           bool         `json:"archived" doc:"Whether somebody has archived it."`
	LastMessage        *lastMessage `json:"lastMessage,omitempty" doc:"The last message, as it stands now; absent before the first."`
	WindowExpiresAt    string       `json:"windowExpiresAt,omitempty" doc:"Until when free-form messages may be sent."`
	WindowOpen         bool         `json:"windowOpen" doc:"Whether a free-form message may be sent now."`
	OptedOutAt         string       `json:"optedOutAt,omitempty" doc:"Since when the customer asks not to be written to."`
	MarketingStoppedAt string       `json:"marketingStoppedAt,omitempty" doc:"Since when the customer has stopped marketing messages in WhatsApp. Only a single conversation shows it, not a list."`
	NeedsPersonSince   string       `json:"needsPersonSince,omitempty" doc:"Since when the assistant has left the conversation to a person."`
	Assignee           string       `json:"assignee,omitempty" doc:"The id of the colleague who takes care of it."`
	AssigneeName       string       `json:"assigneeName,omitempty" doc:"What that colleague is called."`
	State              string       `json:"state" enum:"open,waiting,snoozed,resolved" doc:"What is left to do."`
	SnoozedUntil       string       `json:"snoozedUntil,omitempty" doc:"Until when a snoozed one needs nobody."`
	Priority           string       `json:"priority,omitempty" enum:"low,high,urgent" doc:"How urgent it is; absent if it is normal."`
	Labels             []string     `json:"labels,omitempty" doc:"Its labels."`
	MergedInto         string       `json:"mergedInto,omitempty" doc:"The conversation that goes on in place of this one."`

	Marks map[string]string `json:"marks,omitempty" doc:"What is known of the customer at the store of the number: open_orders, how many; owed, how much; mentions, that you are named in a note and have not looked yet. Only a list that asks for them shows them."`
}

type lastMessage struct {
	ID      string `json:"id" doc:"The message's id."`
	Type    string `json:"type" doc:"What kind of message it is: text, image, template and others."`
	Preview string `json:"preview" doc:"Its beginning, or what kind of message it is."`

	Direction  string `json:"direction,omitempty" enum:"inbound,outbound" doc:"Whether the customer wrote it, or you."`
	Status     string `json:"status,omitempty" enum:"queued,sent,delivered,read,played,failed,cancelled" doc:"How far a message of yours has come."`
	At         string `json:"at,omitempty" format:"date-time" doc:"When it was written."`
	SentBy     string `json:"sentBy,omitempty" doc:"Who sent a message of yours: a colleague's id, phone_app, or another_sender."`
	SentByName string `json:"sentByName,omitempty" doc:"What that colleague is called."`
}

// showConversations shows conversations, each with its last message as it stands, which it reads.
func (o *service) showConversations(ctx context.Context, rows []model.Conversation) ([]conversation, error) {
	last, err := o.rooms.LastMessages(ctx, rows)
	if err != nil {
		return nil, err
	}
	var senders []string
	for _, m := range last {
		if m.SentBy != "" {
			senders = append(senders, m.SentBy)
		}
	}
	for _, row := range rows {
		if row.Assignee != "" {
			senders = append(senders, row.Assignee)
		}
	}
	names, err := o.namesOf(ctx, senders...)
	if err != nil {
		return nil, err
	}
	shown := make([]conversation, len(rows))
	for i, row := range rows {
		shown[i] = o.showConversation(row)
		shown[i].AssigneeName = names[row.Assignee]
		m, found := last[row.PK]
		if l := shown[i].LastMessage; l != nil && found {
			id, _ := keys.MessageIDOf(m.PK)
			l.ID, l.Direction, l.At, l.SentBy, l.SentByName = string(id), enumValue(m.Direction), string(m.ReceivedAt),
				m.SentBy, names[m.SentBy]
			if m.Direction == model.Outbound {
				l.Status = string(m.DeliveryStatus)
			}
		}
	}
	return shown, nil
}

func (o *service) showConversation(c model.Conversation) conversation {
	phone, customer, _ := keys.ConversationIDs(c.PK)
	shown := conversation{
		ID: keys.ConversationID(c.PK), PhoneNumberID: string(phone), CustomerID: string(customer), Address: c.From,
		Name: model.ShownLine(c.SenderName), IdentityChangedAt: unacknowledged(c),
		UserID: c.UserID, Username: c.Username, GroupID: c.GroupID, ReceivedAt: string(c.ReceivedAt),
		UnreadCount: c.UnreadCount,
		Archived:    c.Archived, WindowExpiresAt: string(c.WindowExpiresAt),
		WindowOpen: c.WindowExpiresAt > model.At(o.rooms.Now()),
		OptedOutAt: string(c.OptedOutAt), MarketingStoppedAt: string(c.MarketingStoppedAt),
		NeedsPersonSince: string(c.NeedsPersonSince), MergedInto: keys.ConversationID(c.MergedInto),
	}
	shown.Assignee, shown.Priority, shown.Labels = c.Assignee, string(c.Priority), c.Labels
	work := c.Work(model.At(o.rooms.Now()))
	if shown.State = stateName(work); work == model.WorkSnoozed {
		shown.SnoozedUntil = string(c.SnoozedUntil)
	}
	if id, ok := keys.MessageIDOf(c.LastMessagePK); ok {
		shown.LastMessage = &lastMessage{ID: string(id), Type: c.LastType, Preview: model.ShownLine(c.LastPreview)}
	}
	return shown
}

type conversationOutput struct{ Body conversation }

func (o *service) getConversation(ctx context.Context, in *ConversationInput) (*conversationOutput, error) {
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	c, err := o.rooms.Conversation(ctx, a.phone, a.customer)
	if err != nil {
		return nil, err
	}
	shown, err := o.showConversations(ctx, []model.Conversation{c})
	if err != nil {
		return nil, err
	}
	return &conversationOutput{shown[0]}, nil
}

type listConversationsInput struct {
	httpapi.Page
	PhoneNumberID string `query:"phoneNumberId" maxLength:"512" doc:"One of your numbers; leave it out for all of them."`
	Unread        bool   `query:"unread" doc:"Only conversations with unread messages."`
	Waiting       bool   `query:"waitingForReply" doc:"Only conversations in which the customer wrote last."`
	NeedsPerson   bool   `query:"needsPerson" doc:"Only conversations that an assistant has left to a person."`
	Archived      bool   `query:"archived" doc:"The archived conversations instead of the others."`
	SinceQuery
	WorkQuery
	MarkQuery
}

type conversationList = httpapi.List[conversation]

type conversationListOutput struct{ Body conversationList }

func (o *service) listConversations(ctx context.Context, in *listConversationsInput) (*conversationListOutput, error) {
	if in.Marked != "" {
		return o.listMarked(ctx, in)
	}
	phones, err := o.inboxPhones(ctx, in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	filter := in.filter(ctx, inbox.Filter{
		UnreadOnly: in.Unread, Waiting: in.Waiting, ForPerson: in.NeedsPerson, Archived: in.Archived, Since: in.at()})
	rows, next, err := o.rooms.Conversations(ctx, phones, filter, in.Limit, inboxPosition(after))
	if err != nil {
		return nil, err
	}
	return o.marking(ctx, in.MarkQuery, rows, position(next))
}

type countConversationsInput struct {
	PhoneNumberID string `query:"phoneNumberId" maxLength:"512" doc:"One of your numbers; leave it out for all of them."`
}

type conversationCounts struct {
	All             int  `json:"all" doc:"Conversations that are not archived."`
	Unread          int  `json:"unread" doc:"Of those, the ones with unread messages."`
	WaitingForReply int  `json:"waitingForReply" doc:"Of those, the ones in which the customer wrote last."`
	NeedsPerson     int  `json:"needsPerson" doc:"Of those, the ones that an assistant has left to a person."`
	Archived        int  `json:"archived" doc:"Archived conversations."`
	UnreadTotal     int  `json:"unreadTotal" doc:"Unread messages in all conversations that are not archived."`
	Complete        bool `json:"complete" doc:"Whether all were counted; false if there are more than are looked at."`

	States stateCounts    `json:"states" doc:"Those that are not archived, by what is left to do."`
	Open   openCounts     `json:"open" doc:"Of the open ones, those of the views."`
	Labels map[string]int `json:"labels" doc:"Those that are not archived, by label."`
}

type stateCounts struct {
	Open     int `json:"open" doc:"Those in which something is left to do."`
	Waiting  int `json:"waiting" doc:"Those that wait for the customer."`
	Snoozed  int `json:"snoozed" doc:"Those that need nobody until a time."`
	Resolved int `json:"resolved" doc:"Those that are resolved."`
}

type openCounts struct {
	Mine            int `json:"mine" doc:"Those that you take care of."`
	Unassigned      int `json:"unassigned" doc:"Those that nobody takes care of."`
	WaitingForReply int `json:"waitingForReply" doc:"Those in which the customer wrote last."`
}

type conversationCountsOutput struct{ Body conversationCounts }

func (o *service) countConversations(ctx context.Context,
	in *countConversationsInput) (*conversationCountsOutput, error) {
	phones, err := o.inboxPhones(ctx, in.PhoneNumberID)
	if err != nil {
		return nil, err
	}
	n, err := o.rooms.CountInbox(ctx, phones, httpapi.CallerOf(ctx).Subject)
	return &conversationCountsOutput{conversationCounts{
		All: n.All, Unread: n.Unread, WaitingForReply: n.WaitingForReply, NeedsPerson: n.NeedsPerson,
		Archived: n.Archived, UnreadTotal: n.UnreadTotal, Complete: n.Complete, Labels: n.Labels,
		States: stateCounts{Open: n.Open, Waiting: n.Waiting, Snoozed: n.Snoozed, Resolved: n.Resolved},
		Open:   openCounts{Mine: n.OpenMine, Unassigned: n.OpenUnassigned, WaitingForReply: n.OpenUnreplied},
	}}, err
}

// inboxPhones are the numbers a list covers: the one asked for, or all of the caller's tenants.
func (o *service) inboxPhones(ctx context.Context, asked string) ([]model.PhoneNumberID, error) {
	if asked != "" {
		phone, err := model.ParsePhoneNumberID(asked)
		if err != nil {
			return nil, err
		}
		_, err = o.tenantOf(ctx, phone, httpapi.Caller.Sees)
		return []model.PhoneNumberID{phone}, err
	}
	var ids []model.PhoneNumberID
	for _, tenant := range httpapi.CallerOf(ctx).Tenants {
		phones, err := o.rooms.Phones(ctx, tenant)
		if err != nil {
			return nil, err
		}
		for _, phone := range phones {
			ids = append(ids, phone.PhoneNumberID)
		}
	}
	return ids, nil
}

// unacknowledged returns when the customer got another encryption key; "" if nobody has to be told.
func unacknowledged(c model.Conversation) string {
	if c.IdentityChangedAt <= c.IdentityAcknowledgedAt {
		return ""
	}
	return string(c.IdentityChangedAt)
}
