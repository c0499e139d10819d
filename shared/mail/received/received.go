// Package received reads email that comes in: who writes to whom, what is new in it, what is attached, and whether a
// person has written it. Everything in it is a stranger's, so everything is bounded: what is over a bound is left out
// and named, and the rest is read.
package received

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // the charsets that people's programs still use
	gomail "github.com/emersion/go-message/mail"

	"github.com/haatline/haatline/shared/mail"
	"github.com/haatline/haatline/shared/mailaddress"
)

// Bounds of what is read.
const (
	MaxHeader      = 256 << 10 // bytes
	MaxBody        = 1 << 20   // bytes of one text, before it is cut
	MaxText        = 20_000    // characters of what is new
	MaxSubject     = 500       // characters
	MaxParts       = 100
	MaxDepth       = 10
	MaxAttachments = 20
	MaxAttachment  = 16 << 20 // bytes
	MaxAttached    = 24 << 20 // bytes of all
	MaxReferences  = 50
)

// Email is what has come in.
type Email struct {
	From       mail.Person
	To         []string // To and Cc
	Subject    string
	Date       time.Time // as the sender's clock had it; zero if nobody knows
	ID         string    // Message-ID, without brackets; "" for none
	ReplyOf    string
	References []string // the oldest first
	Text       string   // what is new: without quoted history and signature
	Files      []File
	LeftOut    []LeftOut
	Kind       Kind
	Reports    []Report // of a bounce or a complaint
}

// File is something that was attached.
type File struct {
	Name string
	Type string // by its content
	Data []byte
}

// LeftOut is something that was not read.
type LeftOut struct {
	Name   string // of a file; "" for others
	Reason Reason
}

// Reason says why something was left out.
type Reason string

const (
	TooLarge Reason = "too_large"
	TooMany  Reason = "too_many"
	TooDeep  Reason = "too_deep"
	BadType  Reason = "type"
	Broken   Reason = "broken" // it ends early, or is not what it says
)

// ErrUnreadable means that something is no email.
var ErrUnreadable = errors.New("not an email")

// Read reads an email. own are the addresses of the company: what comes from them, or has passed them, is a loop. It
// returns ErrUnreadable if there is no header.
func Read(r io.Reader, own []string) (Email, error) {
	entity, err := message.ReadWithOptions(bufio.NewReader(r), &message.ReadOptions{MaxHeaderBytes: MaxHeader})
	if err != nil && !tolerable(err) || entity == nil {
		return Email{}, fmt.Errorf("%w: %w", ErrUnreadable, errHeader)
	}
	if entity.Header.Len() == 0 {
		return Email{}, fmt.Errorf("%w: it has no header", ErrUnreadable)
	}
	e := Email{}
	h := gomail.Header{Header: entity.Header}
	e.addressed(h)
	walk := walker{email: &e}
	walk.part(entity, 0)
	e.Text = cut(newest(walk.plain.String(), walk.html.String()), MaxText)
	e.Kind = kindOf(entity.Header, e, own)
	return e, nil
}

// errHeader stands for what the library says, because that holds the header's text.
var errHeader = errors.New("its header cannot be read")

// tolerable reports whether a part can be read all the same, as it stands.
func tolerable(err error) bool {
	return message.IsUnknownCharset(err) || message.IsUnknownEncoding(err)
}

// addressed reads who writes to whom, and in which conversation.
func (e *Email) addressed(h gomail.Header) {
	e.From = first(h, "From")
	for _, name := range []string{"To", "Cc"} {
		e.To = append(e.To, all(h, name)...)
	}
	subject, err := h.Subject()
	if err != nil {
		subject = h.Get("Subject")
	}
	e.Subject = line(subject, MaxSubject)
	e.Date, _ = h.Date()
	e.ID = mail.ID(h.Get("Message-Id"))
	e.ReplyOf = mail.ID(firstField(h.Get("In-Reply-To")))
	for _, id := range strings.Fields(h.Get("References")) {
		if id = mail.ID(id); id != "" {
			e.References = append(e.References, id)
		}
	}
	if more := len(e.References) - MaxReferences; more > 0 {
		e.References = append(e.References[:1], e.References[more+1:]...)
	}
}

// first returns the first sender that can be answered.
func first(h gomail.Header, name string) mail.Person {
	list, err := h.AddressList(name)
	if err != nil {
		address, _ := mailaddress.Parse(between(h.Get(name)))
		return mail.Person{Address: address}
	}
	for _, a := range list {
		if address, err := mailaddress.Parse(a.Address); err == nil {
			return mail.Person{Name: line(a.Name, maxName), Address: address}
		}
	}
	return mail.Person{}
}

// maxName bounds the name of a person or a file, in characters. maxRecipients bounds the recipients.
const maxName, maxRecipients = 200, 100

// all returns the addresses of a field.
func all(h gomail.Header, name string) []string {
	list, err := h.AddressList(name)
	if err != nil {
		return nil
	}
	var to []string
	for _, a := range list {
		if address, err := mailaddress.Parse(a.Address); err == nil && len(to) < maxRecipients {
			to = append(to, address)
		}
	}
	return to
}

// between returns what stands in the last angle brackets of a field that cannot be read, or all of it.
func between(text string) string {
	if from := strings.LastIndexByte(text, '<'); from >= 0 {
		text, _, _ = strings.Cut(text[from+1:], ">")
	}
	return text
}

func firstField(text string) string {
	for _, f := range strings.Fields(text) {
		return f
	}
	return ""
}

// line returns a text as one line of at most so many characters, without what cannot be printed.
func line(text string, limit int) string {
	return cut(strings.Join(strings.Fields(printable(text)), " "), limit)
}

// printable returns a text without characters that do not show, but for line breaks and tabs.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\ufeff' || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// cut returns at most so many characters of a text.
func cut(text string, limit int) string {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i]
		}
		n++
	}
	return text
}
