// Package mail writes messages of email as they are sent: a plain text beside HTML, with the headers by which replies
// find their conversation and people leave it. Package received reads what comes in.
package mail

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	gomail "github.com/emersion/go-message/mail"

	"github.com/haatline/haatline/shared/mailaddress"
)

// Bounds of a message.
const (
	MaxSubject    = 250     // characters
	MaxText       = 100_000 // bytes
	MaxHTML       = 500_000 // bytes
	MaxReferences = 20      // the first, and the last ones
)

// Message is a message to be sent.
type Message struct {
	From      Person // an address of the company
	To        string
	ReplyTo   string // "" for From's
	Subject   string
	Text      string
	HTML      string // "" for the text as HTML
	Date      time.Time
	ID        string   // Message-ID, without brackets; the service that sends it may put its own in place
	ReplyOf   string   // the Message-ID that is answered; "" for none
	Thread    []string // the Message-IDs of the conversation, oldest first
	Leave     Leave
	Automatic bool // nobody has written it: other machines must not answer
}

// Person is an address with a name.
type Person struct{ Name, Address string }

// Leave is how the recipient unsubscribes. A link is called by their mail program with a POST, without a question.
type Leave struct {
	URL     string // https; "" for none
	Address string // "" for none
}

// ErrInvalid means that a message cannot be written. The error says why, without the message's text.
var ErrInvalid = errors.New("the email cannot be written")

// Write writes a message as it is sent (RFC 5322). Its error wraps ErrInvalid if the message is wrong.
func Write(w io.Writer, m Message) error {
	header, err := m.header()
	if err != nil {
		return err
	}
	writer, err := gomail.CreateInlineWriter(w, header)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	for _, part := range []struct{ kind, text string }{
		{"text/plain", m.Text}, {"text/html", cmp.Or(m.HTML, asHTML(m.Text))}} {
		var of gomail.InlineHeader
		of.SetContentType(part.kind, map[string]string{"charset": "utf-8"})
		of.Set("Content-Transfer-Encoding", "quoted-printable")
		body, err := writer.CreatePart(of)
		if err != nil {
			return fmt.Errorf("mail: %w", err)
		}
		if _, err := io.WriteString(body, part.text); err != nil {
			return fmt.Errorf("mail: %w", err)
		}
		if err := body.Close(); err != nil {
			return fmt.Errorf("mail: %w", err)
		}
	}
	return writer.Close()
}

// Bytes returns a message as it is sent.
func Bytes(m Message) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, m)
	return b.Bytes(), err
}

// header returns the header of a message that is right.
func (m Message) header() (gomail.Header, error) {
	var h gomail.Header
	if err := m.check(); err != nil {
		return h, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	h.SetDate(m.Date)
	h.SetAddressList("From", []*gomail.Address{{Name: m.From.Name, Address: m.From.Address}})
	h.SetAddressList("To", []*gomail.Address{{Address: m.To}})
	if m.ReplyTo != "" {
		h.SetAddressList("Reply-To", []*gomail.Address{{Address: m.ReplyTo}})
	}
	h.SetSubject(m.Subject)
	h.SetMessageID(m.ID)
	if m.ReplyOf != "" {
		h.SetMsgIDList("In-Reply-To", []string{m.ReplyOf})
	}
	if thread := m.thread(); len(thread) > 0 {
		h.SetMsgIDList("References", thread)
	}
	if m.Automatic {
		h.Set("Auto-Submitted", "auto-generated")
		h.Set("X-Auto-Response-Suppress", "All")
	}
	h.Set("X-Loop", m.From.Address)
	var leave []string
	if m.Leave.URL != "" {
		leave = append(leave, "<"+m.Leave.URL+">")
		h.Set("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	if m.Leave.Address != "" {
		leave = append(leave, "<mailto:"+m.Leave.Address+"?subject=unsubscribe>")
	}
	if len(leave) > 0 {
		h.Set("List-Unsubscribe", strings.Join(leave, ", "))
	}
	return h, nil
}

// thread returns the references: the first message of the conversation, and the last ones.
func (m Message) thread() []string {
	thread := m.Thread
	if m.ReplyOf != "" && (len(thread) == 0 || thread[len(thread)-1] != m.ReplyOf) {
		thread = append(thread[:len(thread):len(thread)], m.ReplyOf)
	}
	if more := len(thread) - MaxReferences; more > 0 {
		thread = append([]string{thread[0]}, thread[more+1:]...)
	}
	return thread
}

// check returns why a message cannot be written.
func (m Message) check() error {
	for name, address := range map[string]string{
		"from": m.From.Address, "to": m.To, "reply to": cmp.Or(m.ReplyTo, m.To),
		"leave": cmp.Or(m.Leave.Address, m.To),
	} {
		if clean, err := mailaddress.Parse(address); err != nil || !strings.EqualFold(clean, address) {
			return fmt.Errorf("%s: %w", name, mailaddress.ErrInvalid)
		}
	}
	for _, id := range append([]string{m.ID, cmp.Or(m.ReplyOf, m.ID)}, m.Thread...) {
		if id == "" || ID(id) != id {
			return errors.New("a Message-ID is none")
		}
	}
	for name, text := range map[string]string{"subject": m.Subject, "name": m.From.Name} {
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > MaxSubject ||
			strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%s: one line of at most %d characters", name, MaxSubject)
		}
	}
	if m.Leave.URL != "" {
		link, err := url.Parse(m.Leave.URL)
		if err != nil || link.Scheme != "https" || link.Host == "" || strings.ContainsFunc(m.Leave.URL, unprintable) {
			return errors.New("leave: a link with https")
		}
	}
	switch {
	case m.Date.IsZero():
		return errors.New("it has no date")
	case strings.TrimSpace(m.Text) == "" || len(m.Text) > MaxText || len(m.HTML) > MaxHTML:
		return fmt.Errorf("text: 1 to %d bytes, and at most %d of HTML", MaxText, MaxHTML)
	case !utf8.ValidString(m.Text) || !utf8.ValidString(m.HTML):
		return errors.New("text: it is not in UTF-8")
	}
	return nil
}

// unprintable reports whether a character ends or breaks a link in a header.
func unprintable(r rune) bool { return r <= ' ' || r >= 0x7f || r == '<' || r == '>' || r == ',' }

// asHTML returns a text as HTML that looks the same.
func asHTML(text string) string {
	text = html.EscapeString(strings.ReplaceAll(text, "\r\n", "\n"))
	return `<!doctype html><html><body><p style="white-space:pre-line">` + text + "</p></body></html>"
}
