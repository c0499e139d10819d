// Package email is a stand-in for Amazon SES: it takes emails, and shows them. It checks no signatures. An address
// whose name is "unverified" may not be written from, and one whose name is "refused" not to. It tells that what goes
// to "bounces" has come back, and that the owner of "complains" calls it spam. It also writes what people answer.
package email

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/mail"
	"strings"
	"sync"
)

// Path is where the stand-in is served.
const Path = "/ses"

// operation is the path of the one operation that it knows, as SES has it.
const operation = "/v2/email/outbound-emails"

// Email is an email that was sent.
type Email struct {
	From, To, Set string
	ID            string // that SES has given it
	Raw           []byte
	Tags          map[string]string
}

// Server takes emails. Its zero value shows them nowhere.
type Server struct {
	Log    *slog.Logger
	Region string // names the Message-IDs of emails at their recipients
	// Fail returns the exception with which an email is refused, as SES names it, with its HTTP status; "" to take the
	// email. It may be nil. It is called once at a time, so that it may keep a state.
	Fail func(Email) (exception string, status int)
	// Tell gets what SES tells by SNS of an email that was taken. It may be nil. It must not wait for the send.
	Tell func(notice []byte)

	failing sync.Mutex // of Fail
	mu      sync.Mutex
	sent    []Email
	begun   string
}

// Sent returns the emails that were taken.
func (s *Server) Sent() []Email {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Email(nil), s.sent...)
}

// shown is an email as a page lists it.
type shown struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// List answers with the emails that were sent to the address in the parameter to, in their order.
func (s *Server) List(w http.ResponseWriter, r *http.Request) {
	all := []shown{}
	for _, email := range s.Sent() {
		if email.To != r.URL.Query().Get("to") {
			continue
		}
		subject, text, err := show(email)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		all = append(all, shown{email.From, email.To, subject, text})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(all)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, exception string) {
		w.Header().Set("X-Amzn-Errortype", exception)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "{}")
	}
	email, err := read(r)
	shown, text, wrong := show(email)
	switch {
	case err != nil || wrong != nil:
		refuse(http.StatusBadRequest, "BadRequestException")
		return
	case strings.HasPrefix(email.From, "unverified@"), strings.HasPrefix(email.To, "refused@"):
		refuse(http.StatusBadRequest, "MessageRejected")
		return
	}
	if exception, status := s.failure(email); exception != "" {
		refuse(status, exception)
		return
	}
	s.mu.Lock()
	if s.begun == "" { // emails of an earlier server have other ids
		s.begun = strings.ToLower(rand.Text()[:8])
	}
	email.ID = fmt.Sprintf("0109018f-%s-%d", s.begun, len(s.sent)+1)
	s.sent = append(s.sent, email)
	s.mu.Unlock()
	if s.Log != nil { // on a laptop, to whoever runs it
		s.Log.Info("email", "to", email.To, "subject", shown, "text", text)
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"MessageId": email.ID})
	if notice := noticeOf(email); notice != nil && s.Tell != nil {
		s.Tell(notice)
	}
}

// read reads what is asked for.
func read(r *http.Request) (email Email, err error) {
	var in struct {
		From        string `json:"FromEmailAddress"`
		Set         string `json:"ConfigurationSetName"`
		Destination struct{ ToAddresses []string }
		Content     struct{ Raw struct{ Data []byte } }
		Tags        []struct{ Name, Value string } `json:"EmailTags"`
	}
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, operation) {
		return email, fmt.Errorf("%s %s is no operation", r.Method, r.URL.Path)
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return email, err
	}
	if len(in.Destination.ToAddresses) != 1 || in.From == "" {
		return email, fmt.Errorf("it goes to %d addresses", len(in.Destination.ToAddresses))
	}
	email = Email{
		From: in.From, To: in.Destination.ToAddresses[0], Set: in.Set, Raw: in.Content.Raw.Data,
		Tags: map[string]string{}}
	for _, tag := range in.Tags {
		if strings.Trim(tag.Value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return email, fmt.Errorf("the tag %s has another character", tag.Name)
		}
		email.Tags[tag.Name] = tag.Value
	}
	return email, nil
}

// show returns the subject and the plain text of an email.
func show(email Email) (subject, text string, err error) {
	message, err := mail.ReadMessage(bytes.NewReader(email.Raw))
	if err != nil {
		return "", "", err
	}
	if subject, err = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject")); err != nil {
		return "", "", err
	}
	_, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return "", "", err
	}
	part, err := multipart.NewReader(message.Body, params["boundary"]).NextRawPart()
	if err != nil {
		return "", "", err
	}
	plain, err := io.ReadAll(quotedprintable.NewReader(part))
	return subject, strings.TrimSpace(string(plain)), err
}

// noticeOf returns what SES tells of an email, as the event destination of a configuration set does; nil for nothing.
func noticeOf(email Email) []byte {
	about := []map[string]string{{"emailAddress": email.To}}
	tags := map[string][]string{}
	for name, value := range email.Tags {
		tags[name] = []string{value}
	}
	notice := map[string]any{"mail": map[string]any{"messageId": email.ID, "tags": tags}}
	switch name, _, _ := strings.Cut(email.To, "@"); name {
	case "bounces":
		notice["eventType"] = "Bounce"
		notice["bounce"] = map[string]any{"bounceType": "Permanent", "bouncedRecipients": about}
	case "complains":
		notice["eventType"] = "Complaint"
		notice["complaint"] = map[string]any{"complainedRecipients": about}
	default:
		return nil
	}
	text, _ := json.Marshal(notice) // texts can always be encoded
	return text
}

// failure asks Fail.
func (s *Server) failure(email Email) (exception string, status int) {
	if s.Fail == nil {
		return "", 0
	}
	s.failing.Lock()
	defer s.failing.Unlock()
	return s.Fail(email)
}
