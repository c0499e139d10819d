package inbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	customerServiceWindow = 24 * time.Hour
	mediaLifetime         = 7 * 24 * time.Hour
	// maxMessage bounds the bytes of a message's content in one item. A longer message keeps its text, and its content
	// stays in the log only.
	maxMessage = 300 << 10
	maxText    = 64 << 10
	maxID      = 512 // bytes of an identifier
	maxName    = 512 // bytes of a customer's name
)

// The senders of messages that haatline does not send.
const (
	sentByPhoneApp = "phone_app"
	sentByOther    = "another_sender"
)

// origin says where a message comes from.
type origin int

const (
	live     origin = iota
	echo            // sent by the business from its phone app
	history         // imported, possibly years old
	lateFile        // a file of an imported message, which comes after it
	standby         // another sender of the number has the conversation just now
)

// messageDecoder decodes the messages of one logged value. problems names what cannot be used. unplaced holds messages
// that can be stored but belong to no conversation.
type messageDecoder struct {
	entry      model.WebhookEvent
	display    string           // the business's own number, if the body names it
	businessID model.CustomerID // the same as an identifier; "" if it is none
	contacts   []whatsapp.Contact

	errors []model.Problem // of the value, beside its messages
	count  int             // of the messages decoded so far

	messages []decodedMessage
	attached []decodedMessage // edits, deletions and reactions: they change the message that they name
	unplaced []model.Message
	files    []decodedMessage // of imported messages
	declined []string         // why there is no history
	problems []string
}

// fieldHistory is the webhook field of the messages that a business had on its phone before.
const fieldHistory = "history"

// fieldStandby is the webhook field of what another sender of the number handles.
const fieldStandby = "standby"

// typePlaceholder is the type of an imported message whose file has not come yet.
const typePlaceholder = "media_placeholder"

func decodeMessages(entry model.WebhookEvent, value json.RawMessage) *messageDecoder {
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v) // only objects are logged as messages
	r := &messageDecoder{
		entry: entry, display: v.Object("metadata").Text("display_phone_number"),
		contacts: whatsapp.DecodeContacts(v.List("contacts")),
	}
	r.businessID, _ = model.ParseCustomer(r.display) // the zero id, which no customer has, if the number is invalid
	came := live
	switch r.entry.Field {
	case fieldHistory:
		came = lateFile
	case fieldStandby:
		came = standby
	}
	for _, e := range whatsapp.DecodeErrors(v.List("errors")) {
		r.errors = append(r.errors, problemOf(e))
	}
	r.decodeList("messages", v.List("messages"), came)
	r.errors = nil
	r.decodeList("message_echoes", v.List("message_echoes"), echo)
	for i, chunk := range v.List("history").Objects() {
		for _, e := range whatsapp.DecodeErrors(chunk.List("errors")) {
			r.declined = append(r.declined, fmt.Sprintf("%d %s", e.Code, cmp.Or(e.Title, e.Message)))
		}
		for j, thread := range chunk.List("threads").Objects() {
			r.decodeThread(fmt.Sprintf("history[%d].threads[%d]", i, j), thread)
		}
	}
	return r
}

func (r *messageDecoder) decodeThread(position string, thread whatsapp.Object) {
	with := thread.Text("id")
	for i, raw := range thread.List("messages") {
		r.decode(fmt.Sprintf("%s.messages[%d]", position, i), raw, history, with, false)
	}
}

func (r *messageDecoder) decodeList(name string, list whatsapp.List, from origin) {
	sole := whatsapp.SoleSender(list)
	for i, raw := range list {
		r.decode(fmt.Sprintf("%s[%d]", name, i), raw, from, "", sole)
	}
}

// decode decodes one message. with is the customer of a history thread. sole says that the body has one sender.
func (r *messageDecoder) decode(position string, raw json.RawMessage, from origin, with string, sole bool) {
	m, err := whatsapp.DecodeMessage(raw)
	if err != nil {
		r.problem(position, err.Error())
		return
	}
	if len(raw) > maxMessage {
		m.Content, m.Text = nil, model.Truncate(m.Text, maxText)
		r.problem(position, "over 300 KB: its content is kept in the log only")
	}
	message := r.message(position, m, raw)
	message.Standby = r.entry.Field == fieldStandby
	a := decodedMessage{
		position: position, loggedAt: r.entry.ReceivedAt, imported: from == history || from == lateFile,
		contact: contact{waba: r.entry.WABAMetaID},
	}
	outbound := from == echo || a.imported && r.sentByBusiness(m, with)
	message.Direction = model.Inbound
	if outbound {
		message.Direction = model.Outbound
		message.SentAt = message.ReceivedAt
		message.SentBy = sentByPhoneApp
		if message.Standby {
			message.SentBy = sentByOther
		}
	}
	switch {
	case m.GroupID != "":
		r.withGroup(&a, &message, m)
	case from == history && with != "":
		a.ids = r.customerIDs(with) // the thread names the customer; its messages may differ
	case outbound:
		if a.ids = r.customerIDs(m.To, m.ToUserID); len(a.ids) == 0 {
			a.ids = r.customerIDs(m.From, m.FromUserID) // sender and recipient are swapped
		}
	case m.Type == "system":
		r.withSystem(&a, m)
	case a.imported:
		a.ids = r.customerIDs(m.From, m.FromUserID)
	default:
		r.withSender(&a, &message, m, sole)
	}
	if message.Direction == model.Inbound {
		message.From = model.Truncate(cmp.Or(m.From, m.FromUserID), maxID)
		message.FromPK = message.From
		message.FromUserID = model.Truncate(m.FromUserID, maxID)
		message.To = cmp.Or(message.To, r.display)
	}
	a.live = from == live && m.Type != "system"
	a.unread = a.live && m.OpensWindow()
	if a.unread || from == standby && m.OpensWindow() {
		message.WindowExpiresAt = model.At(message.ReceivedAt.Go().Truncate(time.Second).Add(customerServiceWindow))
	}
	r.place(a, message, m, from)
}

// message returns the attributes that every kind of message has.
func (r *messageDecoder) message(position string, m whatsapp.Message, raw json.RawMessage) model.Message {
	id, err := model.Parse[model.MessageID](m.ID)
	if err != nil {
		// A person should see a message without an id too. The id made here is the same in every body that contains the
		// message.
		sum := sha256.Sum256(append([]byte(r.entry.PhoneNumberID+"#"), raw...))
		id = model.MessageID("unidentified-" + hex.EncodeToString(sum[:12]))
		r.problem(position, fmt.Sprintf("no usable id; kept as %s", id))
	}
	message := model.Message{
		PK: keys.Message(id).Partition, ItemType: model.ItemMessage,
		ReceivedAt:  model.StoredTime(m.At(), r.entry.ReceivedAt),
		Arrival:     model.Arrival(r.entry.ReceivedAt, r.entry.Position, r.count),
		WATimestamp: model.Truncate(m.Timestamp, 64), To: model.Truncate(m.To, maxID),
		Type: model.Truncate(m.Type, 64), Preview: m.Preview(), TextBody: m.Text,
		Context: model.DocumentOf(m.Context), EventID: r.entry.EventID,
	}
	r.count++
	if len(m.Content) > 0 {
		content, _ := json.Marshal(m.Content)
		message.Content = model.DocumentOf(content)
	}
	for _, e := range m.Errors {
		message.Errors = append(message.Errors, problemOf(e))
	}
	message.Errors = append(message.Errors, r.errors...)
	if media, ok := m.Media(); ok {
		message.Caption, message.MimeType = media.Caption, media.MimeType
		if mediaID, err := model.Parse[model.MediaID](media.ID); err == nil {
			message.MediaID = mediaID
		}
	}
	return message
}

func problemOf(e whatsapp.Error) model.Problem {
	return model.Problem{Code: e.Code, Title: e.Title, Message: e.Message, Details: e.Details}
}

// isBusiness reports whether an identifier is the business's own number.
func (r *messageDecoder) isBusiness(id string) bool {
	other, err := model.ParseCustomer(id)
	return err == nil && other == r.businessID
}

// sentByBusiness reports whether the business sent an imported message: it is from the business's number. If the body
// does not name that number, it is not from the thread's customer.
func (r *messageDecoder) sentByBusiness(m whatsapp.Message, with string) bool {
	if r.display != "" {
		return r.isBusiness(m.From)
	}
	return with != "" && m.From != "" && m.From != with
}

// customerIDs returns the valid identifiers except the business's own number.
func (r *messageDecoder) customerIDs(ids ...string) []model.CustomerID {
	return slices.DeleteFunc(model.ParseCustomers(ids...), func(id model.CustomerID) bool { return id == r.businessID })
}

func (r *messageDecoder) withGroup(a *decodedMessage, message *model.Message, m whatsapp.Message) {
	a.ids = model.ParseCustomers(m.GroupID)
	message.GroupID = model.Truncate(m.GroupID, maxID)
	a.contact.groupID, a.contact.address = message.GroupID, message.GroupID
	message.SentAt = message.ReceivedAt
	if contact, ok := r.contactOf(m, false); ok {
		message.SenderName = model.Truncate(contact.Name, maxName)
	}
}

// withSystem decodes the notices that a customer's identifiers have changed.
func (r *messageDecoder) withSystem(a *decodedMessage, m whatsapp.Message) {
	system := m.Content.Object("system")
	userID, previous := system.Text("user_id"), system.Text("previous_user_id")
	parent, previousParent := system.Text("parent_user_id"), system.Text("previous_parent_user_id")
	switch system.Text("type") {
	case "user_changed_number", "customer_changed_number":
		now := cmp.Or(system.Text("wa_id"), system.Text("new_wa_id"))
		a.ids = model.ParseCustomers(now, m.From)
		gives := model.ParseCustomers(m.From, previous, previousParent)
		a.setChange(gives, model.ParseCustomers(now, userID, parent), nil)
	case "user_changed_user_id":
		a.ids = model.ParseCustomers(m.From, previous, userID)
		gives, takes := model.ParseCustomers(previous, previousParent), model.ParseCustomers(userID, parent)
		a.setChange(gives, takes, model.ParseCustomers(m.From))
	default:
		a.ids = model.ParseCustomers(m.From, m.FromUserID, system.Text("customer"), system.Text("wa_id"), userID)
		if a.newIdentity = system.Text("type") == "customer_identity_changed"; a.newIdentity {
			hash := cmp.Or(system.Text("identity"), m.Content.Object("identity").Text("hash"))
			a.contact.keyHash = model.Truncate(hash, maxID)
		}
	}
}

// setChange sets the change of identifiers that a notice reports, if it reports one.
func (a *decodedMessage) setChange(gives, takes, shows []model.CustomerID) {
	if a.change = contacts.ChangeOf(gives, takes, shows); a.change == nil {
		return
	}
	a.contact.address, a.contact.userID = a.change.Shown()
}

func (r *messageDecoder) withSender(a *decodedMessage, message *model.Message, m whatsapp.Message, sole bool) {
	contact, _ := r.contactOf(m, sole)
	userID := model.Truncate(cmp.Or(m.FromUserID, contact.UserID), maxID)
	parent := cmp.Or(m.FromParentID, contact.ParentUserID)
	shared := m.SharedNumbers()
	if a.ids = r.customerIDs(append([]string{contact.WAID, m.From, userID, parent}, shared...)...); len(a.ids) == 0 {
		a.ids = model.ParseCustomers(contact.WAID, m.From, userID) // the business writes to itself
	}
	if len(a.ids) > 0 {
		a.contact.address = string(a.ids[0])
	}
	if numbers := r.customerIDs(shared...); len(numbers) > 0 && contact.WAID == "" && m.From == "" {
		a.contact.address = string(numbers[0]) // the number that the customer has hidden until now
	}
	a.contact.keyHash = model.Truncate(cmp.Or(contact.KeyHash, m.Content.Object("identity").Text("hash")), maxID)
	a.contact.name = model.Truncate(contact.Name, maxName)
	a.contact.username = model.Truncate(contact.Username, maxName)
	a.contact.userID = userID
	message.SenderName = a.contact.name
}

// contactOf returns the contact of a message's sender: the one with the sender's number or user id. If all messages of
// the body have one sender, it is the body's only contact, whose number may be written differently.
func (r *messageDecoder) contactOf(m whatsapp.Message, sole bool) (whatsapp.Contact, bool) {
	for _, contact := range r.contacts {
		if m.From != "" && contact.WAID == m.From || m.FromUserID != "" && contact.UserID == m.FromUserID {
			return contact, true
		}
	}
	if sole && len(r.contacts) == 1 {
		return r.contacts[0], true
	}
	return whatsapp.Contact{}, false
}

// place decides whether a message belongs to a conversation, and makes its media record.
func (r *messageDecoder) place(a decodedMessage, message model.Message, m whatsapp.Message, from origin) {
	missing := ""
	file := from == lateFile && message.MediaID != "" && r.entry.PhoneNumberID != ""
	switch {
	case r.entry.PhoneNumberID == "":
		missing = "no phone_number_id"
	case len(a.ids) == 0 && !file:
		missing = "no sender"
	}
	if missing != "" {
		message.WindowExpiresAt = ""
		message.ConversationPK, message.InboxPK = "", ""
		r.unplaced = append(r.unplaced, message)
		r.problem(a.position, missing+"; kept without a conversation")
		return
	}
	message.InboxPK = keys.InboxMessages(r.entry.PhoneNumberID)
	if message.MediaID != "" {
		media, _ := m.Media()
		a.media = r.media(message, media)
	}
	if !slices.Equal(customerIDsOf(message), a.ids) {
		message.CustomerIDs = a.ids
	}
	a.message = message
	if file {
		r.files = append(r.files, a)
		return
	}
	if a.attachment = attachmentOf(a, m, r.entry.PhoneNumberID); a.attachment != nil {
		r.attached = append(r.attached, a)
		return
	}
	if what := unusable(m); what != "" {
		a.message.Errors = append(a.message.Errors, model.Remark(what))
	}
	r.messages = append(r.messages, a)
}

// unusable says what of a message's content cannot be used; "" if nothing.
func unusable(m whatsapp.Message) string {
	switch m.Type {
	case "edit", "revoke", "reaction":
		return "it does not say which message it changes, or how"
	case "interactive":
		reply := m.Content.Object("interactive")
		answers := whatsapp.Text(reply.Object("nfm_reply").Text("response_json")).Object()
		if reply.Text("type") == "nfm_reply" && answers == nil {
			return "the answers of the form are missing, or nobody can read them"
		}
	case "order":
		for _, line := range m.Content.Object("order").List("product_items").Objects() {
			if line.Text("item_price") == "" || line.Text("currency") == "" || line.Int("quantity") <= 0 {
				return "a line of the order has no price, no currency or no quantity"
			}
		}
	}
	return ""
}

func (r *messageDecoder) media(message model.Message, media whatsapp.Media) *model.Media {
	expires := message.ReceivedAt.Go().Add(mediaLifetime)
	return &model.Media{
		PK: keys.Media(message.MediaID).Partition, ItemType: model.ItemMedia, MediaID: message.MediaID,
		ContentType: media.MimeType, SHA256: media.SHA256, Filename: media.Filename,
		ExpiresAt: model.At(expires), TTL: r.entry.ReceivedAt.Go().Add(mediaLifetime).Unix(),
		WABAMetaID: r.entry.WABAMetaID, PhoneNumberID: r.entry.PhoneNumberID,
	}
}

func (r *messageDecoder) problem(position, what string) {
	r.problems = append(r.problems, position+": "+what)
}
