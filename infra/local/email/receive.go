package email

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/mail"
	"strings"
	"time"

	own "github.com/haatline/haatline/shared/mail"
	"github.com/haatline/haatline/shared/mail/ses"
)

// Letter is an email that somebody writes to a company.
type Letter struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Subject string `json:"subject"` // "" for the one of the email that it answers
	Text    string `json:"text"`
}

// Raw returns a letter as a mail program sends it. It answers the last email that was sent to its writer from the
// address that it goes to, and quotes it, if there is one. id is the id that SES gives it.
func (s *Server) Raw(l Letter, id string, now time.Time) ([]byte, error) {
	if strings.TrimSpace(l.Text) == "" {
		return nil, errors.New("it says nothing")
	}
	m := own.Message{
		From: own.Person{Address: l.From}, To: l.To, Subject: l.Subject, Text: l.Text, Date: now,
		ID: id + "@mail.example"}
	if last := s.last(l); last != nil {
		subject, text, err := show(*last)
		if err != nil {
			return nil, err
		}
		message, err := mail.ReadMessage(bytes.NewReader(last.Raw))
		if err != nil {
			return nil, err
		}
		m.ReplyOf = ses.MessageID(last.ID, s.Region)
		for field := range strings.FieldsSeq(message.Header.Get("References")) {
			m.Thread = append(m.Thread, own.ID(field))
		}
		if m.Subject == "" {
			m.Subject = "Re: " + strings.TrimPrefix(subject, "Re: ")
		}
		m.Text += "\n\nOn " + now.Format("Mon, 2 Jan 2006 at 15:04") + ", <" + l.To + "> wrote:\n> " +
			strings.ReplaceAll(text, "\n", "\n> ")
	}
	return own.Bytes(m)
}

// last returns the last email that was sent to the writer of a letter by the company that it goes to; nil for none.
func (s *Server) last(l Letter) *Email {
	var found *Email
	for _, email := range s.Sent() {
		if strings.EqualFold(email.To, l.From) && strings.EqualFold(email.From, l.To) {
			found = &email
		}
	}
	return found
}

// Received returns what SES tells by SNS of an email that has come in, which lies in a bucket. Its sender is who they
// say.
func Received(id, to, bucket, key string, at time.Time) []byte {
	passed := map[string]string{"status": "PASS"}
	text, _ := json.Marshal(map[string]any{ // texts can always be encoded
		"notificationType": "Received",
		"mail":             map[string]any{"messageId": id, "timestamp": at},
		"receipt": map[string]any{
			"timestamp": at, "recipients": []string{to}, "spamVerdict": passed, "virusVerdict": passed,
			"spfVerdict": passed, "dkimVerdict": passed, "dmarcVerdict": passed,
			"action": map[string]any{"type": "S3", "bucketName": bucket, "objectKey": key},
		}})
	return text
}
