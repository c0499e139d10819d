package sending

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Event types of WhatsApp messages in the outbox, and their entity type.
const (
	EventMessage = "whatsapp.message"
	EventRead    = "whatsapp.read"
	EntityType   = "whatsapp"
)

// Outgoing is a message that a person or a domain wants to send.
type Outgoing struct {
	Tenant   model.TenantID
	Phone    model.PhoneNumberID
	Customer model.CustomerID // in the conversation's key, or any other identifier of the customer
	// NamedAt is when somebody named the customer by a number that may have another owner by now; "" for now. If the
	// message opens a conversation, it is the one of the person who had the number then.
	NamedAt model.Time
	SentBy  string          // a person's subject, or the name of a domain
	ReplyTo model.MessageID // "" for none
	Content content.Content

	// Line is what the caller has read of the number; the zero Line is a number about which nothing special is known.
	Line Line

	// With returns writes that commit with a message that a caller has accepted; nil for none. It is called for each
	// attempt, and reads what it needs anew.
	With func(ctx context.Context) ([]dynamo.Write, error)

	// Attached are files that the content names and that are recorded together with the message, for this customer
	// alone. WhatsApp gets them later, and the message waits for that.
	Attached []model.Media

	// ID is the message's id until WhatsApp names it; "" for a new one. A domain that derives it from what the message
	// is about cannot send the message twice: the key allows only one in the timeline.
	ID model.MessageID
	// Purpose names the domain that sends the message, which is told how it ends, and which alone acts on what is
	// chosen there; "" for a person's message.
	Purpose model.Purpose
	// About are the customers of whom the message tells somebody else, by the keys of their conversations: their
	// erasure empties it. ToldIn are messages of the recipient that tell of them as well, such as the one that it
	// answers.
	About  []model.CustomerID
	ToldIn []model.MessageID
	// CheckIdentity has WhatsApp refuse the message if the customer has got another encryption key since haatline saw
	// it.
	CheckIdentity bool
	// Quiet is set for a notice: it does not move the conversation in the inbox. Who waits for an answer there still
	// does.
	Quiet bool
	// NeedsPerson marks the conversation: a person has to go on with it.
	NeedsPerson bool
	// Secret is set for what is for the person alone who has the identifier by which the customer is named, such as a
	// code by which they sign in. It goes there, and to no other identifier of the customer's. The timeline shows which
	// template it is, and neither there nor in the outbox do operators see what it is filled with.
	Secret bool
	// Since is set for what is for the person alone who has had that identifier since an instant, such as what belongs
	// to their account. It goes there, and to nobody if the identifier has passed on since.
	Since model.Time
	// Campaign is the campaign that the message belongs to; "" for none. The message waits while the campaign is
	// paused.
	Campaign model.Name
	// OverrideOptOut sends the message even if the customer has opted out. The caller must have a reason.
	OverrideOptOut bool
	// Read holds the items of the Refs of the message and of its request if the caller of Accept has just read them;
	// nil if Accept reads them.
	Read dynamo.Found

	replays    *model.OutboxEvent
	original   model.MessageID
	replayedIn string
	earlier    *outbox.Earlier
	asked      model.CustomerID    // the identifier to which what is for one person alone goes
	resolved   *contacts.Addressee // the addressee, if found through another identifier
	awaits     []model.MediaID     // of a message that was composed before: the files that it waits for
}

// Accepted identifies a message that will be sent: its id from now on, and the outbox event that sends it.
type Accepted struct {
	MessageID      model.MessageID `json:"messageId"`
	OutboxEventID  string          `json:"outboxEventId"`
	ConversationPK string          `json:"conversationPk"`
	AcceptedAt     model.Time      `json:"acceptedAt"`
}

// Prepared is a message that will be sent when Writes commit: its timeline item, its conversation, the sequence and the
// outbox event. The caller adds its own writes to the same transaction. If the transaction is cancelled, read and
// prepare again; see dynamo.Conflict and dynamo.Retry.
type Prepared struct {
	Accepted
	To     contacts.Addressee
	Writes []dynamo.Write
}

// messagePayload is the payload of a message's outbox event.
type messagePayload struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	MessageID     model.MessageID     `json:"messageId"`
	Request       json.RawMessage     `json:"request,omitempty"` // none of an event that was emptied
	Purpose       model.Purpose       `json:"purpose,omitempty"`
	// the request names them by haatline's ids until WhatsApp has them
	Files []model.MediaID `json:"files,omitempty"`
	// the request is for the recipient alone
	Secret bool `json:"secret,omitempty"`
	// the recipient is to have had the number since then
	Since    model.Time `json:"since,omitempty"`
	Campaign model.Name `json:"campaign,omitempty"`
	Line
}

// Refs returns the items that Prepare needs, so that the caller reads them together with its own.
func (s *Sender) Refs(out Outgoing) []dynamo.Ref {
	refs := append(s.Contacts.AddressRefs(out.Phone, out.Customer), sequenceRef(out.Tenant, out.Phone, out.Customer))
	if id := out.named(); id != "" {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)})
	}
	if name, language, is := content.TemplateOf(out.Content); is {
		refs = append(refs, s.Templates.CheckRefs(out.Phone, name, language)...)
	}
	return slices.Concat(refs, out.payRefs(), fileRefs(out.Content))
}

func sequenceRef(tenant model.TenantID, phone model.PhoneNumberID, customer model.CustomerID) dynamo.Ref {
	return outbox.SequenceRef(tenant, EntityType, keys.WhatsAppEntityID(phone, customer))
}

// Prepare returns the writes of a message, for the caller's transaction. found holds the items of Refs. It returns
// ErrOptedOut, ErrMarketingStopped, ErrWindowClosed (for anything but a template outside the customer service window),
// ErrUnreachable, ErrNoSuchMessage or ErrNoSuchTarget, ErrNotForGroups, ErrOnlyGroups, ErrNeedsNumber,
// ErrIdentityUnknown, ErrFileNotUploaded, payments.ErrReferenceUsed, a problem with the template or a file, or a
// *problem.Error that names all faults of the content.
func (s *Sender) Prepare(ctx context.Context, out Outgoing, found dynamo.Found) (Prepared, error) {
	if out.replays != nil {
		if err := replayable(*out.replays); err != nil {
			return Prepared{}, err
		}
	}
	if out.forOne() && out.asked == "" {
		return s.prepareForOne(ctx, out, found)
	}
	to, err := s.Contacts.Address(ctx, out.Phone, out.Customer, found)
	if err != nil {
		return Prepared{}, err
	}
	if to.Customer() != out.Customer {
		out.Customer, out.resolved = to.Customer(), &to
		if found, err = s.DB.BatchGet(ctx, s.Refs(out)); err != nil {
			return Prepared{}, fmt.Errorf("read conversation: %w", err)
		}
		return s.Prepare(ctx, out, found) // the new key leads nowhere else
	}
	if out.resolved != nil {
		to = out.resolved.ResolvedTo(to)
	}
	out = out.throughGateway(found)
	message, err := compose(out)
	if err != nil {
		return Prepared{}, err
	}
	if over := content.Over(out.Content, s.Now()); len(over) > 0 {
		return Prepared{}, Refused(over)
	}
	message, file, err := s.withFiles(ctx, out, message, found)
	if err != nil {
		return Prepared{}, err
	}
	replyTo, named, err := s.replyTo(ctx, out, to, found)
	switch recipient := to.Recipient(); {
	case err != nil:
		return Prepared{}, err
	case !to.Reachable(), out.forOne() && !out.goesWhereAsked(recipient):
		return Prepared{}, ErrUnreachable
	case inbox.OptedOut(to.Conversation()) && !out.OverrideOptOut:
		return Prepared{}, ErrOptedOut
	case recipient.Group && !message.ForGroups():
		return Prepared{}, ErrNotForGroups
	case !recipient.Group && !message.ForPeople():
		return Prepared{}, ErrOnlyGroups
	case out.CheckIdentity && keyHash(to) == "":
		return Prepared{}, ErrIdentityUnknown
	case !message.Kind.AnyTime && !windowOpen(to.Conversation(), s.Now()):
		return Prepared{}, ErrWindowClosed
	}
	if message, err = s.checkTemplate(ctx, out, message, to, found); err != nil {
		return Prepared{}, err
	}
	ready, err := s.writes(ctx, prepared{out, to, message, replyTo, named, file},
		sequenceRef(out.Tenant, out.Phone, out.Customer).Found(found))
	if err == nil {
		err = s.askToPay(&ready, out, found)
	}
	return ready, err
}

// checkTemplate returns the message with what is known of its template. It returns an error for a template that Meta
// would refuse, as far as that is known.
func (s *Sender) checkTemplate(
	ctx context.Context, out Outgoing, message content.Message, to contacts.Addressee, found dynamo.Found,
) (content.Message, error) {
	name, language, is := content.TemplateOf(message)
	if !is {
		return message, nil
	}
	template, err := s.Templates.Check(ctx,
		templates.Asked{Tenant: out.Tenant, Phone: out.Phone, Name: name, Language: language}, found)
	if err != nil {
		return message, err
	}
	message.Marketing = message.Marketing || template.Category == "MARKETING"
	message.Authentication = message.Authentication || template.Category == "AUTHENTICATION"
	switch c := to.Conversation(); {
	case message.Marketing && c != nil && c.MarketingStoppedAt != "":
		return message, ErrMarketingStopped
	case message.Authentication && to.Recipient().ByUserID():
		return message, ErrNeedsNumber
	}
	return message, nil
}

// keyHash returns the hash of the encryption key that the addressee last showed; "" for none.
func keyHash(to contacts.Addressee) string {
	if c := to.Conversation(); c != nil {
		return c.IdentityKeyHash
	}
	return ""
}

func windowOpen(c *model.Conversation, now time.Time) bool {
	return c != nil && c.WindowExpiresAt > model.At(now)
}

// replyTo returns Meta's id of the message to answer, or to react to, and its item. The message must be in the
// conversation. A queued message has no such id yet.
func (s *Sender) replyTo(ctx context.Context, out Outgoing, to contacts.Addressee,
	found dynamo.Found) (string, dynamo.Item, error) {
	id, noSuch := out.named(), ErrNoSuchMessage
	if id == "" {
		return "", nil, nil
	}
	if id != out.ReplyTo {
		noSuch = ErrNoSuchTarget
	}
	item := dynamo.Ref{Table: tables.Messages, Key: keys.Message(id)}.Found(found)
	if sent := dynamo.Text(item, "waMessageId"); sent != "" {
		id = model.MessageID(sent)
		var err error
		if item, err = s.Inbox.MessageItem(ctx, id); err != nil {
			return "", nil, err
		}
	}
	queued := dynamo.Text(item, "outboxEventId") != "" && dynamo.Text(item, "queuedId") == ""
	if queued || !to.Holds(dynamo.Text(item, "conversationPk")) {
		return "", nil, noSuch
	}
	return string(id), item, nil
}

// prepared is a checked message.
type prepared struct {
	out     Outgoing
	to      contacts.Addressee
	message content.Message
	replyTo string      // WhatsApp's id of the message that it answers or changes
	named   dynamo.Item // that message
	file    shownFile
}

// writes returns the writes of the message, its conversation, the outbox event and the sequence.
func (s *Sender) writes(ctx context.Context, p prepared, sequence dynamo.Item) (Prepared, error) {
	out, to, composed, replyTo := p.out, p.to, p.message, p.replyTo
	newID := string(out.ID)
	switch {
	case out.replayedIn != "": // the same id for every attempt of the replay
		newID = idempotency.Hash(out.replayedIn, out.replays.EventID)
	case newID == "":
		newID = s.NewID()
	}
	id, err := model.Parse[model.MessageID](newID)
	if err != nil {
		return Prepared{}, err
	}
	if composed.Kind.About {
		composed, replyTo = composed.Naming(replyTo), ""
	}
	body, err := composed.Body(to.Recipient(), replyTo)
	if err != nil {
		return Prepared{}, err
	}
	marketing := out.Line.Marketing && composed.Marketing
	if marketing {
		if body, err = composed.MarketingBody(body); err != nil {
			return Prepared{}, err
		}
	}
	if out.CheckIdentity {
		if body, err = whatsapp.WithIdentity(body, keyHash(to)); err != nil {
			return Prepared{}, err
		}
	}
	message := timelineItem(out, id, to.Recipient(), composed, replyTo)
	message.MediaID, message.MimeType, message.S3Bucket, message.S3Key = p.file.MediaID, p.file.ContentType,
		p.file.S3Bucket, p.file.S3Key
	if p.file.S3Key != "" { // otherwise, what keeps the file puts both on the message
		message.ContentLength, message.Look = p.file.ContentLength, p.file.Look
	}
	message.PrivateFile = len(out.Attached) > 0
	message.ReceivedAt, message.Arrival = s.outboundOrder(to.Conversation())
	payload := messagePayload{
		PhoneNumberID: out.Phone, MessageID: id, Request: body, Purpose: out.Purpose, Line: out.Line,
		Files: out.awaited(), Secret: out.Secret, Since: out.Since, Campaign: out.Campaign}
	payload.Marketing = marketing
	event, writes, err := s.appendEvent(ctx, out, sequence, payload)
	if err != nil {
		return Prepared{}, err
	}
	message.OutboxEventID, message.CorrelationID, message.PossibleDuplicate = event.EventID, event.CorrelationID,
		event.PossibleDuplicate
	message.About = out.others()
	timeline, err := s.timelineWrites(p, message)
	if err != nil {
		return Prepared{}, err
	}
	about, err := s.Inbox.AboutWrites(out.Tenant, message.About, append([]model.MessageID{id}, out.ToldIn...)...)
	return Prepared{
		Accepted: Accepted{
			MessageID: id, OutboxEventID: event.EventID, ConversationPK: message.ConversationPK,
			AcceptedAt: event.CreatedAt},
		To:     to,
		Writes: slices.Concat(writes, timeline, about),
	}, err
}

// others returns the customers of whom the message tells somebody else.
func (out Outgoing) others() (all []model.CustomerID) {
	for _, customer := range out.About {
		if customer != "" && customer != out.Customer && !slices.Contains(all, customer) {
			all = append(all, customer)
		}
	}
	return all
}

// timelineWrites returns the writes by which a message shows: in its timeline, or a reaction on its message.
func (s *Sender) timelineWrites(p prepared, message model.Message) ([]dynamo.Write, error) {
	if p.message.Kind.Type == "reaction" {
		return s.Inbox.ReactionWrites(p.named, message, p.message.Emoji())
	}
	return s.Inbox.OutboundWrites(p.to, message, p.out.NamedAt, p.out.NeedsPerson)
}

// appendEvent returns the outbox event of a message and its writes. If the message replays a dead letter, they mark it
// as replayed.
func (s *Sender) appendEvent(
	ctx context.Context, out Outgoing, sequence dynamo.Item, payload messagePayload,
) (model.OutboxEvent, []dynamo.Write, error) {
	text, err := json.Marshal(payload)
	if err != nil {
		return model.OutboxEvent{}, nil, err
	}
	draft := outbox.Draft{
		Type: EventMessage, Tenant: out.Tenant, EntityType: EntityType, Payload: text,
		EntityID: keys.WhatsAppEntityID(out.Phone, out.Customer),
	}
	if out.replays != nil {
		draft.ReplayOf, draft.PossibleDuplicate, draft.Earlier = out.replays.EventID,
			outbox.MayHaveBeenAccepted(*out.replays), out.earlier
	}
	event, writes, err := s.Outbox().Append(ctx, sequence, draft)
	if err == nil && out.replays != nil {
		writes = append(writes, outbox.MarkReplayed(*out.replays, event.EventID, out.replayedIn))
	}
	return event, writes, err
}

// outboundOrder returns the time and the arrival of an outbound message: now, and after everything that the
// conversation shows.
func (s *Sender) outboundOrder(existing *model.Conversation) (model.Time, int64) {
	now := s.Now().UTC()
	if now.Sub(now.Truncate(time.Second)) >= model.LastInSecond { // the last millisecond is for late messages
		now = now.Truncate(time.Second).Add(model.LastInSecond - time.Millisecond)
	}
	at := model.At(now)
	if existing != nil {
		if last := max(existing.ReceivedAt, existing.LastOrder.At()); last >= at {
			at = model.At(last.Go().Add(time.Millisecond))
		}
	}
	return at, model.Arrival(model.At(s.Now()), 0, 0)
}

// Outbox returns the outbox to which messages are appended.
func (s *Sender) Outbox() *outbox.Outbox {
	return &outbox.Outbox{DB: s.DB, Now: s.Now, NewToken: s.NewToken}
}
