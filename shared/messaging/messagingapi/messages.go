package messagingapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

func (o *service) messages() {
	const tag = "Messages"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-messages", Method: http.MethodGet, Path: "/v1/conversations/{conversationId}/messages",
		Tags:    []string{tag},
		Summary: "List a conversation's messages, newest first", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
	}, o.listMessages)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-message", Method: http.MethodGet, Path: "/v1/messages/{messageId}", Tags: []string{tag},
		Summary: "Get a message",
		Description: "By Meta's id, or by the id it got when it was accepted. It alone shows the versions of an " +
			"edited or deleted message. " +
			"The id of an edit, a deletion or a reaction leads to the message that it changed.",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
	}, o.getMessage)
	o.sends()
}

type message struct {
	ID                string          `json:"id" doc:"Meta's id, or until Meta has it, the id it got when it was accepted."`
	ConversationID    string          `json:"conversationId" doc:"The conversation it is in."`
	Direction         string          `json:"direction" enum:"inbound,outbound" doc:"Whether the customer wrote it, or you."`
	Type              string          `json:"type" doc:"What kind of message it is: text, image, template and others."`
	Preview           string          `json:"preview,omitempty" doc:"Its beginning, or what kind of message it is."`
	Text              string          `json:"text,omitempty" doc:"The text."`
	Caption           string          `json:"caption,omitempty" doc:"The text beside a picture, video or document."`
	From              string          `json:"from,omitempty" doc:"Who wrote it: the address that Meta gives."`
	To                string          `json:"to,omitempty" doc:"To whom it goes."`
	SenderName        string          `json:"senderName,omitempty" doc:"The customer's name at that time."`
	SentBy            string          `json:"sentBy,omitempty" doc:"Who sent an outbound message: a user's id, phone_app, or another_sender."`
	SentByName        string          `json:"sentByName,omitempty" doc:"What that person is called, also when the account is gone."`
	ReceivedAt        string          `json:"receivedAt" doc:"When it was written; messages are in this order."`
	SentAt            string          `json:"sentAt,omitempty" doc:"When Meta took it."`
	FailedAt          string          `json:"failedAt,omitempty" doc:"When it was refused, or failed after it had been taken."`
	ReplyTo           string          `json:"replyTo,omitempty" doc:"The message this one answers."`
	ReplayOf          string          `json:"replayOf,omitempty" doc:"The failed message this one sends again."`
	PossibleDuplicate bool            `json:"possibleDuplicate,omitempty" doc:"The customer may have it twice: an attempt got no answer, and it was sent again."`
	Media             *media          `json:"media,omitempty" doc:"The file it holds."`
	EditedAt          string          `json:"editedAt,omitempty" doc:"When its sender last changed it. The text is that of the last version."`
	RevokedAt         string          `json:"revokedAt,omitempty" doc:"When its sender deleted it. It has no text any more."`
	Reactions         []shownReaction `json:"reactions,omitempty" doc:"What people have reacted with, the last of each person."`
	Versions          []version       `json:"versions,omitempty" doc:"What it has said before and after each change, the original first. Only where one message is asked for."`
	Standby           bool            `json:"standby,omitempty" doc:"Another sender of the number, such as an agent of Meta, handles it just now. Nothing of it is unread."`
	Forwarded         *forwarded      `json:"forwarded,omitempty" doc:"Set on a message that was forwarded."`
	Source            *source         `json:"source,omitempty" doc:"The product or the advertisement that the customer looked at when they wrote."`
	Order             *cart           `json:"order,omitempty" doc:"What the customer has ordered from a catalogue."`
	Choice            *chosen         `json:"choice,omitempty" doc:"The button or the row that the customer has chosen."`
	Form              *form           `json:"form,omitempty" doc:"The form that the customer has filled in."`
	CallPermission    *callPermission `json:"callPermission,omitempty" doc:"The customer's answer to whether you may call."`
	PaymentMethod     *paymentMethod  `json:"paymentMethod,omitempty" doc:"How the customer has chosen to pay an order."`
	Content           any             `json:"content,omitempty" doc:"What the message holds beside text, as Meta wrote it."`
	Delivery          *Delivery       `json:"delivery,omitempty" doc:"How far a message of yours has come."`
	Waiting           *waiting        `json:"waiting,omitempty" doc:"Why a queued message has not gone out yet; absent while it is on its way."`
	Errors            []problem       `json:"errors,omitempty" doc:"Why it failed, or could not be shown."`
	QueuedID          string          `json:"queuedId,omitempty" doc:"The id it got when it was accepted."`
	OutboxEventID     string          `json:"outboxEventId,omitempty" doc:"The outbox event that sends it."`
	WebhookEventID    string          `json:"webhookEventId,omitempty" doc:"The entry of the webhook log that it came with, which expires after 30 days."`
}

type shownReaction struct {
	Emoji     string `json:"emoji" doc:"What they have reacted with."`
	Direction string `json:"direction" enum:"inbound,outbound" doc:"Whether the customer has reacted, or you."`
	From      string `json:"from,omitempty" doc:"Who, of a customer: the address that Meta gives."`
	At        string `json:"at" doc:"When they reacted, by Meta's clock."`
}

type media struct {
	ID       string `json:"id" doc:"Meta's id of the file."`
	MimeType string `json:"mimeType,omitempty" doc:"What kind of file it is, such as image/jpeg."`
	Fetched  bool   `json:"fetched" doc:"Whether the file is here, and GET /v1/media/{mediaId} gives a link to it."`
	Size     int64  `json:"size,omitempty" doc:"How many bytes it has, once it is here."`
	Look
	Thumbnail bool `json:"thumbnail,omitempty" doc:"Whether GET /v1/media/{mediaId} gives a link to a small picture of it, too."`
}

// Look is what is known of a file by its content, so that a page can keep room for it.
type Look struct {
	Width    int     `json:"width,omitempty" doc:"Of a picture or a video: how many points wide it is as it is shown."`
	Height   int     `json:"height,omitempty" doc:"And how high."`
	Duration float64 `json:"duration,omitempty" doc:"Of sound or a video: how many seconds it lasts."`
}

// lookOf returns what is known of a file, and the type of its thumbnail; "" if it has none.
func lookOf(of *model.Look) (known Look, thumbnail string) {
	if of == nil {
		return Look{}, ""
	}
	return Look{of.Width, of.Height, (time.Duration(of.Millis) * time.Millisecond).Seconds()}, of.Thumbnail
}

type Delivery struct {
	Status   string          `json:"status" enum:"queued,held,sent,delivered,read,played,failed,cancelled" doc:"How far it has come; held: Meta holds it back for a check of its quality; cancelled: it was not sent, because what it says did not hold any more."`
	History  []update        `json:"history" doc:"What Meta has reported, in the order in which it came."`
	Receipts *memberReceipts `json:"receipts,omitempty" doc:"Of a message to a group: which members have it."`
}

// memberReceipts counts, for a group's message, the members who have it.
type memberReceipts struct {
	Delivered int             `json:"delivered" doc:"How many members have it on their phone, those who have read it included."`
	Read      int             `json:"read" doc:"How many members have read it."`
	Members   []memberReceipt `json:"members" doc:"How far the message has come, for each member that Meta has reported on."`
}

type memberReceipt struct {
	Participant string `json:"participant" doc:"The member: the address that Meta gives."`
	Status      string `json:"status" doc:"How far it has come to them."`
	Timestamp   string `json:"timestamp" doc:"Since when, by Meta's clock."`
}

// receiptsOf returns what a message's history says of the members of its group; nil if it says nothing of any.
func receiptsOf(history []model.StatusUpdate) *memberReceipts {
	var all memberReceipts
	at := map[string]int{}
	for _, u := range history {
		if u.Participant == "" {
			continue
		}
		i, known := at[u.Participant]
		if !known {
			i, at[u.Participant] = len(all.Members), len(all.Members)
			all.Members = append(all.Members, memberReceipt{Participant: u.Participant})
		}
		if model.DeliveryStatus(u.Status).Rank() > model.DeliveryStatus(all.Members[i].Status).Rank() {
			all.Members[i].Status, all.Members[i].Timestamp = u.Status, string(u.Timestamp)
		}
	}
	for _, member := range all.Members {
		switch model.DeliveryStatus(member.Status) {
		case model.Read, model.Played:
			all.Delivered, all.Read = all.Delivered+1, all.Read+1
		case model.Delivered:
			all.Delivered++
		}
	}
	if len(all.Members) == 0 {
		return nil
	}
	return &all
}

type update struct {
	Status      string    `json:"status" doc:"What Meta has reported."`
	Timestamp   string    `json:"timestamp" doc:"When it happened, by Meta's clock."`
	Participant string    `json:"participant,omitempty" doc:"Of a group's message: who."`
	Errors      []problem `json:"errors,omitempty" doc:"Why it failed."`
	Pricing     any       `json:"pricing,omitempty" doc:"What Meta charges, as it says it."`
}

type problem struct {
	Code    int64  `json:"code" doc:"Meta's error code."`
	Title   string `json:"title,omitempty" doc:"Meta's name for it."`
	Message string `json:"message,omitempty" doc:"What is wrong, in Meta's words."`
	Details string `json:"details,omitempty" doc:"More, in Meta's words."`

	Meaning   string `json:"meaning" doc:"What has happened, in plain English."`
	Action    string `json:"action" doc:"What to do about it."`
	Retryable bool   `json:"retryable" doc:"Whether the same message can succeed later: at once, or when the cause is mended."`
}

func showMessage(m model.Message) message {
	id, _ := keys.MessageIDOf(m.PK)
	shown := message{
		ID: string(id), ConversationID: keys.ConversationID(m.ConversationPK), Direction: enumValue(m.Direction),
		Type: m.Type, Preview: model.ShownLine(m.Preview),
		Text: m.TextBody, Caption: model.Shown(m.Caption), From: m.From, To: m.To,
		SenderName: model.ShownLine(m.SenderName), SentBy: m.SentBy,
		ReceivedAt: string(m.ReceivedAt), SentAt: string(m.SentAt), FailedAt: string(m.FailedAt),
		PossibleDuplicate: m.PossibleDuplicate, ReplayOf: string(m.ReplayOf), Errors: showProblems(m.Errors),
		QueuedID: string(m.QueuedID), OutboxEventID: m.OutboxEventID, WebhookEventID: string(m.EventID),
		Content: showDocument(m.Content),
		Standby: m.Standby, EditedAt: string(m.EditedAt), RevokedAt: string(m.RevokedAt),
	}
	showContext(&shown, m)
	phone, _, _ := keys.ConversationIDs(m.ConversationPK)
	for _, r := range m.ShownReactions() {
		if r.Phone != "" && r.Phone != phone {
			continue // it waited for a message of ours, and came to another business
		}
		one := shownReaction{Emoji: r.Emoji, Direction: "outbound", At: string(r.Order.At())}
		if len(r.By) > 0 {
			one.Direction, one.From = "inbound", string(r.By[0])
		}
		shown.Reactions = append(shown.Reactions, one)
	}
	if m.MediaID != "" && m.RevokedAt == "" {
		shown.Media = &media{
			ID: string(m.MediaID), MimeType: m.MimeType, Fetched: m.S3Key != "", Size: m.ContentLength}
		known, thumbnail := lookOf(m.Look)
		shown.Media.Look, shown.Media.Thumbnail = known, thumbnail != ""
	}
	if m.Direction == model.Outbound && m.DeliveryStatus != "" {
		shown.Delivery = &Delivery{Status: string(m.DeliveryStatus), History: []update{}}
		shown.Delivery.Receipts = receiptsOf(m.DeliveryStatusHistory)
		for _, u := range m.DeliveryStatusHistory {
			shown.Delivery.History = append(shown.Delivery.History, update{
				Status: u.Status, Timestamp: string(u.Timestamp), Participant: u.Participant,
				Errors: showProblems(u.Errors), Pricing: showDocument(u.Pricing),
			})
			for _, p := range showProblems(u.Errors) {
				if !slices.Contains(shown.Errors, p) { // what ended a message may stand on it, too
					shown.Errors = append(shown.Errors, p)
				}
			}
		}
	}
	return shown
}

func showDocument(d model.Document) any {
	if len(d) == 0 || string(d) == "null" {
		return nil
	}
	return json.RawMessage(model.ShownJSON(d))
}

func showProblems(problems []model.Problem) []problem {
	var shown []problem
	for _, p := range problems {
		why := explain(strconv.FormatInt(p.Code, 10))
		if p.Code == model.CodeCancelled {
			why = explain(outbox.KindCancelled)
		}
		if p.Code == model.CodeRemark {
			why = whatsapp.Explanation{Meaning: p.Details, Action: "Ask the customer what they meant, if it matters."}
		}
		shown = append(shown, problem{p.Code, p.Title, p.Message, p.Details, why.Meaning, why.Action, why.Retryable})
	}
	return shown
}

type listMessagesInput struct {
	httpapi.Page
	ConversationInput
	SinceQuery
	Around    string `query:"around" maxLength:"512" doc:"The id of a message of the conversation: the first page is what was said around it, it included. The cursor goes on to what is older."`
	NewerThan string `query:"newerThan" maxLength:"512" doc:"The id of a message of the conversation: the messages that came right after it. There is no cursor; ask on with the first of them. Fewer than limit are the newest ones."`
}

// SinceQuery selects what was written at a time or later. Who asks again and again gets what is new for half a read
// unit.
type SinceQuery struct {
	Since time.Time `query:"since" doc:"Only what was written then or later. A late message, a status and a reaction do not count as written now."`
}

// at returns the time; "" for all.
func (q SinceQuery) at() model.Time {
	if q.Since.IsZero() {
		return ""
	}
	return model.At(q.Since)
}

type messageList = httpapi.List[message]

type messageListOutput struct{ Body messageList }

// inboxPosition and position convert between the position of an inbox or a timeline and that of its cursor.
func inboxPosition(p httpapi.Position) inbox.Position {
	return inbox.Position{At: model.Time(p.At), Arrival: p.Arrival, PK: p.Key}
}

func position(p inbox.Position) httpapi.Position {
	return httpapi.Position{At: string(p.At), Arrival: p.Arrival, Key: p.PK}
}

func (o *service) listMessages(ctx context.Context, in *listMessagesInput) (*messageListOutput, error) {
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	c, err := o.rooms.Conversation(ctx, a.phone, a.customer)
	if err != nil {
		return nil, err
	}
	messages, next, err := o.timeline(ctx, in, c, inboxPosition(after))
	if err != nil {
		return nil, err
	}
	out := &messageListOutput{messageList{Items: []message{}}}
	if out.Body.Items, err = o.showMessages(ctx, messages...); err != nil {
		return nil, err
	}
	out.Body.Cursor = position(next).Cursor()
	return out, nil
}

// timeline reads the page that is asked for.
func (o *service) timeline(ctx context.Context, in *listMessagesInput, c model.Conversation,
	after inbox.Position) ([]model.Message, inbox.Position, error) {
	asked := 0
	for _, set := range []bool{in.Around != "", in.NewerThan != "", !in.Since.IsZero()} {
		if set {
			asked++
		}
	}
	switch {
	case asked > 1 || in.NewerThan != "" && in.Cursor != "":
		return nil, inbox.Position{}, httpapi.Invalid("query",
			"around, newerThan and since exclude one another, and newerThan has no cursor")
	case in.NewerThan != "":
		at, err := o.placeIn(ctx, c, in.NewerThan)
		if err != nil {
			return nil, inbox.Position{}, err
		}
		messages, err := o.rooms.TimelineAbove(ctx, c, in.Limit, at)
		return messages, inbox.Position{}, err
	case in.Around != "" && in.Cursor == "":
		at, err := o.placeIn(ctx, c, in.Around)
		if err != nil {
			return nil, inbox.Position{}, err
		}
		return o.rooms.TimelineAround(ctx, c, in.Limit, at)
	}
	return o.rooms.TimelineSince(ctx, c, in.at(), in.Limit, after)
}

// placeIn returns the place of a message in a conversation; dynamo.ErrNotFound if it is not in it.
func (o *service) placeIn(ctx context.Context, c model.Conversation, text string) (inbox.Position, error) {
	id, err := model.Parse[model.MessageID](text)
	if err != nil {
		return inbox.Position{}, dynamo.ErrNotFound
	}
	m, err := o.rooms.Message(ctx, id)
	if err == nil && m.ConversationPK != c.PK && !slices.Contains(c.MergedFrom, m.ConversationPK) {
		err = dynamo.ErrNotFound
	}
	return inbox.PositionOf(m), err
}

type messageInput struct {
	MessageID string `path:"messageId" maxLength:"512" doc:"Meta's id, or the one it got when it was accepted."`
}

type messageOutput struct{ Body message }

func (o *service) getMessage(ctx context.Context, in *messageInput) (*messageOutput, error) {
	m, err := o.message(ctx, in.MessageID)
	if err != nil {
		return nil, err
	}
	shown, err := o.showMessages(ctx, m)
	if err != nil {
		return nil, err
	}
	shown[0].Versions = showVersions(m)
	return &messageOutput{shown[0]}, nil
}

// message reads a message that the caller may see; dynamo.ErrNotFound for any other.
func (o *service) message(ctx context.Context, text string) (model.Message, error) {
	id, err := model.Parse[model.MessageID](text)
	if err != nil {
		return model.Message{}, err
	}
	m, err := o.rooms.Message(ctx, id)
	if err != nil {
		return m, err
	}
	phone, _, placed := keys.ConversationIDs(m.ConversationPK)
	if !placed {
		return m, dynamo.ErrNotFound // a status nobody has a message to, or a message without a number
	}
	_, err = o.tenantOf(ctx, phone, httpapi.Caller.Sees)
	return m, err
}
