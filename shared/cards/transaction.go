package cards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// transaction collects what commits together: changes, audit records, and WhatsApp messages with their notifications.
type transaction struct {
	store    *Store
	program  cardsmodel.Program
	user     *change // nil if the user stays unchanged
	writes   []dynamo.Write
	messages []message
	err      error // the first error of put and add
}

// message is a WhatsApp message of a transaction.
type message struct {
	out          sending.Outgoing         // of a reply
	notification *cardsmodel.Notification // nil for a reply, which is kept in the conversation alone
}

// put adds a new item. Its condition is that there is none with its key.
func (t *transaction) put(table tables.Table, entity any) {
	write, err := put(table, entity)
	t.writes, t.err = append(t.writes, write), errors.Join(t.err, err)
}

// add adds writes.
func (t *transaction) add(writes []dynamo.Write, err error) {
	t.writes, t.err = append(t.writes, writes...), errors.Join(t.err, err)
}

// addCard adds a new card, to the user's summary as well.
func (t *transaction) addCard(card cardsmodel.Card) {
	t.put(tables.Cards, card)
	t.user.add("cardSummary.activeCards", dynamo.N(1)).add("cardSummary.totalLimit", number(card.Limit))
}

// ask adds the message that asks an admin about a request, and returns the notification's id.
func (t *transaction) ask(admin cardsmodel.Admin, user cardsmodel.User, request cardsmodel.Request, what string) model.Name {
	n := t.store.newNotification(request, cardsmodel.NotifyApprovalRequest, recipient{
		key: string(admin.ID), name: admin.Name, phone: admin.Phone, userID: admin.WAUserID, language: policy.LanguageOf(admin.Language, t.program.Language),
		since: admin.ConfirmedAt,
	})
	name := strings.TrimSpace(user.Name)
	if name == "" {
		name = string(user.EcosystemID)
	}
	n.AboutPerson = personOf(user)
	n.Parameters = []string{name, what, command.Show(request.Code)}
	n.Replies = []string{command.Payload(command.Approve, request.RequestID), command.Payload(command.Reject, request.RequestID)}
	t.send(n)
	return n.NotificationID
}

// personOf returns the key of the person who is a user; "" for a user without a number and user id.
func personOf(user cardsmodel.User) model.CustomerID {
	return address(cmp.Or(string(user.PersonKey), user.PhoneE164, string(user.WAUserID)))
}

// notify adds the message that tells a user about their request. A user without a number and user id is not told.
func (t *transaction) notify(user cardsmodel.User, request cardsmodel.Request, kind string, parameters ...string) {
	if user.PhoneE164 == "" && user.WAUserID == "" {
		return
	}
	n := t.store.newNotification(request, kind, recipient{
		key: "user", name: user.Name, phone: user.PhoneE164, userID: user.WAUserID, language: policy.LanguageOf(user.Language, t.program.Language),
		since: user.CreatedAt,
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

// newNotification returns a notification about a request, without what it says. Its id follows from the request, the kind and the
// recipient, so that there is one.
func (s *Store) newNotification(request cardsmodel.Request, kind string, to recipient) *cardsmodel.Notification {
	id := model.Name(notificationID(request.RequestID, kind, to.key))
	n := &cardsmodel.Notification{
		NotificationID: id, NotificationType: kind, TenantID: request.TenantID, EcosystemID: request.EcosystemID, RecipientName: to.name, Language: to.language,
		RecipientPhone: to.phone, RecipientSince: to.since, RelatedEntityType: cardsmodel.RelatedRequest, RelatedEntityID: request.RequestID,
		RelatedEntity: keys.RelatedEntity(cardsmodel.RelatedRequest, request.RequestID),
		CreatedAt:     s.now(), CreatedAtNotificationID: keys.Joined(s.now(), string(id)),
	}
	if to.phone == "" {
		n.RecipientPhone = string(to.userID)
	}
	n.RecipientKey = keys.OfTenant(request.TenantID, canonical(n.RecipientPhone)) // until the recipient is found
	setStatus(n, cardsmodel.NotificationPending)
	return n
}

func notificationID(request model.Name, kind, to string) string {
	return string(request) + "." + kind + "." + to
}

// canonical returns the form in which a number or a user id is compared.
func canonical(identifier string) string {
	if digits := whatsapp.Digits(identifier); "+"+digits == identifier || digits == identifier {
		return whatsapp.CanonicalNumber(digits)
	}
	return identifier
}

// address returns the identifier to send to.
func address(identifier string) model.CustomerID {
	return model.CustomerID(strings.TrimPrefix(identifier, "+"))
}

// setStatus sets a notification's status, in its index keys as well.
func setStatus(n *cardsmodel.Notification, status cardsmodel.NotificationStatus) {
	n.DeliveryStatus, n.TenantStatus = status, keys.OfTenant(n.TenantID, status)
}

// send adds a notification's message.
func (t *transaction) send(n *cardsmodel.Notification) {
	for i, text := range n.Parameters { // WhatsApp refuses templates that are filled with nothing, line ends, tabs or many blanks
		n.Parameters[i] = cmp.Or(strings.Join(strings.Fields(model.Shown(text)), " "), "–")
	}
	n.MessageContent = strings.Join(append([]string{n.NotificationType}, n.Parameters...), " · ")
	t.messages = append(t.messages, message{notification: n})
}

// outgoing returns the WhatsApp message of a notification: its template, without its recipient.
func outgoing(n cardsmodel.Notification, from model.PhoneNumberID) sending.Outgoing {
	template := content.Template{Name: n.NotificationType, Language: n.Language}
	for _, text := range n.Parameters {
		template.Body = append(template.Body, content.TemplateParameter{Text: text})
	}
	for i, payload := range n.Replies {
		template.Buttons = append(template.Buttons, content.TemplateButton{Index: i, Type: "quick_reply", Value: payload})
	}
	return sending.Outgoing{
		ID:     model.MessageID(fmt.Sprintf("%s.%d", n.NotificationID, n.RetryCount)),
		Tenant: n.TenantID, Phone: from, SentBy: Name, NamedAt: n.RecipientSince, Purpose: model.PurposeOf(Name, string(n.NotificationID)), About: []model.CustomerID{n.AboutPerson},
		Content: template,
	}
}

// reply adds an answer to an admin's message.
func (t *transaction) reply(to model.MessageID, phone model.PhoneNumberID, customer model.CustomerID, text string) {
	t.messages = append(t.messages, message{out: sending.Outgoing{
		ID:     model.MessageID(idempotency.Hash("reply", string(to))), // one answer to a message
		Tenant: t.program.TenantID, Phone: phone, Customer: customer, SentBy: Name, ReplyTo: to, Content: content.Text{Body: text},
	}})
}

// commit prepares the messages and makes all writes. It returns dynamo.ErrConflict if what was read has changed.
func (t *transaction) commit(ctx context.Context) error {
	if t.err != nil {
		return t.err
	}
	to, err := t.store.recipients(ctx, t.messages, t.program.PhoneNumberID)
	if err != nil {
		return err
	}
	outs := make([]sending.Outgoing, len(t.messages))
	for i, m := range t.messages {
		outs[i] = m.out
		if m.notification != nil {
			outs[i] = outgoing(*m.notification, t.program.PhoneNumberID)
			outs[i].Customer = to[i]
		}
	}
	prepared, err := t.store.prepare(ctx, outs)
	if err != nil {
		return err
	}
	for i, m := range t.messages {
		t.writes = append(t.writes, prepared[i].Writes...)
		if m.notification == nil {
			if err := t.store.unanswered(ctx, m.out, prepared[i].refused); err != nil {
				return err
			}
			continue
		}
		m.notification.OutboxEventID = prepared[i].OutboxEventID
		if to[i] != "" {
			m.notification.RecipientKey = keys.OfTenant(m.notification.TenantID, canonical(string(to[i])))
		}
		if prepared[i].refused != nil {
			m.notification.LastError = prepared[i].refused.Error()
			setStatus(m.notification, cardsmodel.NotificationFailed)
		}
		t.put(tables.WhatsAppNotifications, *m.notification)
	}
	if t.user != nil {
		t.writes = append(t.writes, t.user.write())
	}
	if t.err != nil {
		return t.err
	}
	return dynamo.Conflict(t.store.DB.Transact(ctx, t.writes))
}

// unanswered marks the conversation of an admin whose message is dealt with and who cannot be told so, for example because it was read after
// the window had closed: the tenant's people see it then. It does nothing for an answer that is sent, and for an admin who gets another
// message about the same.
func (s *Store) unanswered(ctx context.Context, out sending.Outgoing, refused error) error {
	if refused == nil || errors.Is(refused, errSamePerson) {
		return nil
	}
	return s.Inbox.NeedsPerson(ctx, out.Phone, out.Customer)
}

// prepared is a message with its writes, or why it cannot be sent.
type prepared struct {
	sending.Prepared
	refused error
}

// prepare returns the writes of messages. A message that cannot be sent keeps nothing else from happening: it has no
// writes, and says why.
func (s *Store) prepare(ctx context.Context, outs []sending.Outgoing) ([]prepared, error) {
	if len(outs) == 0 {
		return nil, nil
	}
	owners := map[model.PhoneNumberID]model.TenantID{}
	var refs []dynamo.Ref
	for _, out := range outs {
		if _, known := owners[out.Phone]; !known {
			owner, err := s.Numbers.TenantOf(ctx, out.Phone)
			if err != nil {
				return nil, err
			}
			owners[out.Phone] = owner
		}
		if out.Customer != "" {
			refs = append(refs, s.Sender.Refs(out)...)
		}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("prepare messages: %w", err)
	}
	all := make([]prepared, len(outs))
	conversations := map[string]bool{}
	for i, out := range outs {
		if out.Customer == "" {
			all[i].refused = errPassedOn
			continue
		}
		one, err := s.Sender.Prepare(ctx, out, found)
		switch {
		case err == nil && owners[out.Phone] != out.Tenant:
			err = errNotOurNumber
		case err == nil && conversations[one.ConversationPK]:
			err = errSamePerson // two messages into one conversation would change the same items
		}
		var refused *problem.Error
		switch {
		case err == nil:
			all[i].Prepared, conversations[one.ConversationPK] = one, true
		case errors.As(err, &refused):
			all[i].refused = refused
		default:
			return nil, err
		}
	}
	return all, nil
}

var (
	errPassedOn     = problem.New("the recipient's number has passed to somebody else", problem.Error{Class: problem.Conflict})
	errNotOurNumber = problem.New("the number is not the tenant's any more", problem.Error{Class: problem.Conflict})
	errSamePerson   = problem.New("the same person gets another message about this already", problem.Error{Class: problem.Conflict})
)
