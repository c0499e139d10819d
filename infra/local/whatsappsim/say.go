package whatsappsim

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// SayRequest is what POST /simulator/say takes: one message of a customer. From or UserID names the customer, and one
// of Text, Button and Message says what they write.
type SayRequest struct {
	From     string `json:"from,omitempty"`    // digits; left out for a customer who hides the number
	UserID   string `json:"userId,omitempty"`  // BSUID
	GroupID  string `json:"groupId,omitempty"` // set where the customer writes in a group
	Name     string `json:"name,omitempty"`
	Username string `json:"username,omitempty"`
	// the business's; the first of those configured where left out
	PhoneNumberID string `json:"phoneNumberId,omitempty"`

	Text string `json:"text,omitempty"`
	// Marketing is what the customer chooses in the chat about marketing messages: stop or resume.
	Marketing string `json:"marketing,omitempty"`
	// Button is the title or the payload of a button of a message to the customer, who taps it. The latest such message
	// counts.
	Button string `json:"button,omitempty"`
	// Message is a message object as in a webhook, without its sender. A type left out is the one of its content;
	// an id or timestamp left out is made, and so are the id, type and hash of a media object.
	Message map[string]any `json:"message,omitempty"`
}

// SayAnswer is what became of it.
type SayAnswer struct {
	ID       string `json:"id"`
	Status   int    `json:"status"`          // what the webhook answered; 0 if nothing did
	Retrying bool   `json:"retrying"`        // the webhook was not taken and is posted again in the background
	Error    string `json:"error,omitempty"` // why nothing answered
}

func (r *SayRequest) validate() error {
	r.From = digitsOf(r.From)
	switch {
	case r.From == "" && r.UserID == "":
		return errors.New("from or userId must name the customer")
	case r.From != "" && !phoneForm.MatchString(r.From):
		return errors.New("from must be a phone number with its country code")
	case r.UserID != "" && !isUserID(r.UserID):
		return errors.New("userId must have the form US.1234")
	case count(r.Text != "", r.Button != "", r.Message != nil, r.Marketing != "") != 1:
		return errors.New("exactly one of text, button, marketing and message must be given")
	case r.Marketing != "" && r.Marketing != "stop" && r.Marketing != "resume":
		return errors.New("marketing must be stop or resume")
	case r.Message != nil && typeOf(r.Message) == "":
		return errors.New("message must have a type, or one content that shows it")
	}
	return nil
}

func count(given ...bool) int {
	n := 0
	for _, is := range given {
		if is {
			n++
		}
	}
	return n
}

// typeOf is the type of a message object, or the name of its only content.
func typeOf(message map[string]any) string {
	if kind, ok := message["type"].(string); ok {
		return kind
	}
	content := ""
	for key := range message {
		switch key {
		case "id", "from", "from_user_id", "timestamp", "context", "group_id", "referral", "errors":
			continue
		}
		if content != "" {
			return ""
		}
		content = key
	}
	return content
}

func (s *Server) handleSay(w http.ResponseWriter, r *http.Request) {
	var said SayRequest
	if err := decodeControl(w, r, &said); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	if err := said.validate(); err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	if said.Button != "" {
		var err error
		if said.Message, err = s.tapped(said); err != nil {
			writeControlError(w, http.StatusBadRequest, err)
			return
		}
	}
	answer, err := s.say(r, said)
	if err != nil {
		writeControlError(w, http.StatusInternalServerError, err)
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

// say opens the window before it posts, so that an answer which is sent while the webhook is still running finds it.
func (s *Server) say(r *http.Request, said SayRequest) (SayAnswer, error) {
	if said.PhoneNumberID == "" {
		said.PhoneNumberID = s.defaultPhoneNumberID()
	}
	if said.Name == "" {
		said.Name = "Simulated Customer"
	}
	value := webhookValue{
		Contacts: []webhookContact{
			{Profile: webhookProfile{Name: said.Name, Username: said.Username}, WaID: said.From, UserID: said.UserID}},
	}
	answer, field := SayAnswer{}, "messages"
	if said.Marketing != "" {
		field, value.Preferences = "user_preferences", []any{s.prefers(said)}
	} else {
		message := s.customerMessage(said)
		value.Messages, answer.ID = []map[string]any{message}, fmt.Sprint(message["id"])
	}
	body, err := s.envelopeOf(field, said.PhoneNumberID, value)
	if err != nil {
		return SayAnswer{}, err
	}
	s.customers.remember(customer{waID: said.From, userID: said.UserID, name: said.Name, username: said.Username})
	s.known.number(said.PhoneNumberID)
	s.hears(said, value.Messages)
	answer.Status, err = s.post(r.Context(), body)
	if err != nil {
		answer.Error = err.Error()
	}
	if answer.Status != http.StatusOK {
		answer.Retrying = true
		s.background(func() { s.postUntilTaken(s.ctx, body, true) })
	}
	return answer, nil
}

// hears notes what a customer's messages change: a window opens, and the messages are known. What is said in a group
// opens the group, not the person. An edit, a revoke and a notice open nothing.
func (s *Server) hears(said SayRequest, messages []map[string]any) {
	for _, message := range messages {
		s.known.message(fmt.Sprint(message["id"]))
		switch kind := message["type"]; {
		case kind == "edit" || kind == "revoke" || kind == "system":
		case said.GroupID != "":
			s.limits.heard(s.options.Now(), said.PhoneNumberID, said.GroupID)
		default:
			s.limits.heard(s.options.Now(), said.PhoneNumberID, said.From, said.UserID)
		}
	}
}

// prefers notes what a customer chooses about marketing messages, and returns it as webhooks say it.
func (s *Server) prefers(said SayRequest) map[string]any {
	for _, id := range []string{said.From, said.UserID} {
		if id != "" {
			s.known.marketing(said.PhoneNumberID, userOf(id), said.Marketing == "stop")
		}
	}
	preference := map[string]any{
		"category": "marketing_messages", "value": said.Marketing,
		"detail":    "User requested to " + said.Marketing + " marketing messages",
		"timestamp": s.options.Now().Unix(),
	}
	for name, id := range map[string]string{"wa_id": said.From, "user_id": said.UserID} {
		if id != "" {
			preference[name] = id
		}
	}
	return preference
}

// customerMessage is the message object of the webhook.
func (s *Server) customerMessage(said SayRequest) map[string]any {
	message := said.Message
	if message == nil {
		message = map[string]any{"text": map[string]any{"body": said.Text}}
	}
	message["type"] = typeOf(message)
	if _, given := message["id"]; !given {
		message["id"] = newMessageID(fromCustomer, firstNonEmpty(said.From, said.UserID))
	}
	if _, given := message["timestamp"]; !given {
		message["timestamp"] = s.timestamp()
	}
	for key, value := range map[string]string{
		"from": said.From, "from_user_id": said.UserID, "group_id": said.GroupID} {
		if value != "" {
			message[key] = value
		}
	}
	s.completeMedia(message)
	if context, ok := message["context"].(map[string]any); ok && context["from"] == nil && context["id"] != nil {
		context["from"] = strings.TrimPrefix(s.displayNumber(said.PhoneNumberID), "+")
	}
	return message
}

// completeMedia fills in what a person who plays a customer need not make up.
func (s *Server) completeMedia(message map[string]any) {
	kind, _ := message["type"].(string)
	mimeTypes := map[string]string{
		"image": "image/jpeg", "audio": "audio/ogg; codecs=opus", "video": "video/mp4", "document": "application/pdf",
		"sticker": "image/webp",
	}
	media, ok := message[kind].(map[string]any)
	if mimeTypes[kind] == "" || !ok {
		return
	}
	id := newMediaID()
	for key, value := range map[string]string{"id": id, "mime_type": mimeTypes[kind], "sha256": hashOf(id)} {
		if media[key] == nil {
			media[key] = value
		}
	}
	s.media.hold(fmt.Sprint(media["id"]), file{fmt.Sprint(media["mime_type"]), []byte(id)})
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
