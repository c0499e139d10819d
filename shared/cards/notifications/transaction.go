package notifications

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Transaction collects what commits together: changes, audit records, and WhatsApp messages with their notifications.
type Transaction struct {
	room     *Notifications
	program  cardsmodel.Program
	writes   []dynamo.Write
	messages []message
	err      error // those of Put and Add
}

// Begin returns an empty transaction of a tenant's program.
func (s *Notifications) Begin(program cardsmodel.Program) *Transaction {
	return &Transaction{room: s, program: program}
}

// message is a WhatsApp message of a transaction.
type message struct {
	out          sending.Outgoing         // of a reply
	notification *cardsmodel.Notification // nil for a reply, which is kept in the conversation alone
}

// Put adds a new item. Its condition is that there is none with its key.
func (t *Transaction) Put(table tables.Table, entity any) {
	write, err := changes.Put(table, entity)
	t.writes, t.err = append(t.writes, write), errors.Join(t.err, err)
}

// Add adds writes.
func (t *Transaction) Add(writes []dynamo.Write, err error) {
	t.writes, t.err = append(t.writes, writes...), errors.Join(t.err, err)
}

// Ask adds the message that asks an admin about a request, and returns the notification's id.
func (t *Transaction) Ask(admin cardsmodel.Admin, user cardsmodel.User, request cardsmodel.Request,
	what string) model.Name {
	n := t.room.newNotification(request, cardsmodel.NotifyApprovalRequest, recipient{
		key: string(admin.ID), name: admin.Name, phone: admin.Phone, userID: admin.WAUserID,
		language: policy.LanguageOf(admin.Language, t.program.Language),
		since:    admin.ConfirmedAt,
	})
	name := strings.TrimSpace(user.Name)
	if name == "" {
		name = string(user.EcosystemID)
	}
	n.AboutPerson = user.Person()
	n.Parameters = []string{name, what, command.Show(request.Code)}
	n.Replies = []string{
		command.Payload(command.Approve, request.RequestID), command.Payload(command.Reject, request.RequestID)}
	t.send(n)
	return n.NotificationID
}

// Tell adds the message that tells a user about their request. A user without a number and user id is not told.
func (t *Transaction) Tell(user cardsmodel.User, request cardsmodel.Request, kind string, parameters ...string) {
	if user.PhoneE164 == "" && user.WAUserID == "" {
		return
	}
	n := t.room.newNotification(request, kind, recipient{
		key: "user", name: user.Name, phone: user.PhoneE164, userID: user.WAUserID,
		language: policy.LanguageOf(user.Language, t.program.Language),
		since:    user.CreatedAt,
	})
	n.Parameters = parameters
	t.send(n)
}

// recipient is who gets a notification.
type recipient struct {
	key         string // tells apart those who get the same notification
	name, phone string
	userID      model.CustomerID
	language    string
	since       model.Time // who had the number then is the recipient
}

// newNotification returns a notification about a request, without what it says. Its id follows from the request, the
// kind and the recipient, so that there is one.
func (s *Notifications) newNotification(request cardsmodel.Request, kind string,
	to recipient) *cardsmodel.Notification {
	id := model.Name(IDOf(request.RequestID, kind, to.key))
	n := &cardsmodel.Notification{
		NotificationID: id, NotificationType: kind, TenantID: request.TenantID, EcosystemID: request.EcosystemID,
		RecipientName: to.name, Language: to.language,
		RecipientPhone: to.phone, RecipientSince: to.since, RelatedEntityType: cardsmodel.RelatedRequest,
		RelatedEntityID: request.RequestID,
		RelatedEntity:   keys.RelatedEntity(cardsmodel.RelatedRequest, request.RequestID),
		CreatedAt:       s.now(), CreatedAtNotificationID: keys.Joined(s.now(), string(id)),
	}
	if to.phone == "" {
		n.RecipientPhone = string(to.userID)
	}
	// until the recipient is found
	n.RecipientKey = keys.OfTenant(request.TenantID, cardsmodel.Canonical(n.RecipientPhone))
	setStatus(n, cardsmodel.NotificationPending)
	return n
}

// IDOf returns the id of the notification of a kind about a request. to tells apart those who get the same
// notification.
func IDOf(request model.Name, kind, to string) string {
	return string(request) + "." + kind + "." + to
}

// setStatus sets a notification's status, in its index keys as well.
func setStatus(n *cardsmodel.Notification, status cardsmodel.NotificationStatus) {
	n.DeliveryStatus, n.TenantStatus = status, keys.OfTenant(n.TenantID, status)
}

// send adds a notification's message.
func (t *Transaction) send(n *cardsmodel.Notification) {
	// WhatsApp refuses templates that are filled with nothing, line ends, tabs or many blanks
	for i, text := range n.Parameters {
		n.Parameters[i] = cmp.Or(strings.Join(strings.Fields(model.Shown(text)), " "), "–")
	}
	n.MessageContent = strings.Join(append([]string{n.NotificationType}, n.Parameters...), " · ")
	t.messages = append(t.messages, message{notification: n})
}

// outgoing returns the WhatsApp message of a notification: its template, without its recipient.
func (s *Notifications) outgoing(n cardsmodel.Notification, from model.PhoneNumberID) sending.Outgoing {
	template := content.Template{Name: n.NotificationType, Language: n.Language}
	for _, text := range n.Parameters {
		template.Body = append(template.Body, content.TemplateParameter{Text: text})
	}
	for i, payload := range n.Replies {
		template.Buttons = append(template.Buttons,
			content.TemplateButton{Index: i, Type: "quick_reply", Value: payload})
	}
	return sending.Outgoing{
		ID:     model.MessageID(fmt.Sprintf("%s.%d", n.NotificationID, n.RetryCount)),
		Tenant: n.TenantID, Phone: from, SentBy: s.Domain, NamedAt: n.RecipientSince,
		Purpose: model.PurposeOf(s.Domain, string(n.NotificationID)), About: []model.CustomerID{n.AboutPerson},
		Content: template,
	}
}

// Reply adds an answer to an admin's message.
func (t *Transaction) Reply(to model.MessageID, phone model.PhoneNumberID, customer model.CustomerID, text string) {
	t.messages = append(t.messages, message{out: sending.Outgoing{
		ID:     model.MessageID(idempotency.Hash("reply", string(to))), // one answer to a message
		Tenant: t.program.TenantID, Phone: phone, Customer: customer, SentBy: t.room.Domain, ReplyTo: to,
		Content: content.Text{Body: text},
	}})
}

// Commit prepares the messages and makes all writes. It returns dynamo.ErrConflict if what was read has changed.
func (t *Transaction) Commit(ctx context.Context) error {
	if t.err != nil {
		return t.err
	}
	to, err := t.room.recipients(ctx, t.messages, t.program.PhoneNumberID)
	if err != nil {
		return err
	}
	outs := make([]sending.Outgoing, len(t.messages))
	for i, m := range t.messages {
		outs[i] = m.out
		if m.notification != nil {
			outs[i] = t.room.outgoing(*m.notification, t.program.PhoneNumberID)
			outs[i].Customer = to[i]
		}
	}
	prepared, err := t.room.prepare(ctx, outs)
	if err != nil {
		return err
	}
	for i, m := range t.messages {
		t.writes = append(t.writes, prepared[i].Writes...)
		if m.notification == nil {
			if err := t.room.unanswered(ctx, m.out, prepared[i].refused); err != nil {
				return err
			}
			continue
		}
		m.notification.OutboxEventID = prepared[i].OutboxEventID
		if to[i] != "" {
			m.notification.RecipientKey = keys.OfTenant(m.notification.TenantID, cardsmodel.Canonical(string(to[i])))
		}
		if prepared[i].refused != nil {
			m.notification.LastError = prepared[i].refused.Error()
			setStatus(m.notification, cardsmodel.NotificationFailed)
		}
		t.Put(tables.WhatsAppNotifications, *m.notification)
	}
	if t.err != nil {
		return t.err
	}
	return dynamo.Conflict(t.room.DB.Transact(ctx, t.writes))
}
