package mail_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/mail"
)

var hello = mail.Message{
	From: mail.Person{Name: "Haat नौकरी", Address: "jobs@haat.example"}, To: "asha@example.com",
	Subject: "आपका आवेदन – your application, which is long enough that the line has to be folded somewhere",
	Text:    "Dear Asha,\n\nनमस्ते! ₹18,000 <a month>.", Date: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC),
	ID: "c1.7@haat.example", ReplyOf: "m2@example.com", Thread: []string{"m1@example.com"}, Automatic: true,
	Leave: mail.Leave{URL: "https://haat.example/leave?t=x", Address: "leave@haat.example"},
}

func TestAMessageHasWhatMailProgramsLookFor(t *testing.T) {
	raw, err := mail.Bytes(hello)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(raw), "\r\n\r\n")
	head = strings.ReplaceAll(head, "\r\n ", " ")
	for _, want := range []string{
		"Message-Id: <c1.7@haat.example>", "In-Reply-To: <m2@example.com>", "References: <m1@example.com> " +
			"<m2@example.com>",
		"List-Unsubscribe: <https://haat.example/leave?t=x>, <mailto:leave@haat.example?subject=unsubscribe>",
		"List-Unsubscribe-Post: List-Unsubscribe=One-Click", "Auto-Submitted: auto-generated", "To: <asha@example.com>",
		"Content-Type: multipart/alternative", "X-Loop: jobs@haat.example", "Date: Tue, 24 Nov 2026 10:00:00 +0000",
	} {
		if !strings.Contains(head, want) {
			t.Errorf("no %q in\n%s", want, head)
		}
	}
	body = strings.ReplaceAll(body, "=\r\n", "")
	for _, want := range []string{"text/plain", "text/html", "&lt;a month&gt;", "<a month>"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	for _, line := range strings.Split(string(raw), "\r\n") {
		if len(line) > 998 || strings.ContainsFunc(line, func(r rune) bool { return r > 0x7f || r == '\n' }) {
			t.Errorf("a line that servers refuse: %q", line)
		}
	}
}

func TestNobodyWritesAHeaderOfTheirOwn(t *testing.T) {
	for name, change := range map[string]func(*mail.Message){
		"to":         func(m *mail.Message) { m.To = "asha@example.com\r\nBcc: all@example.com" },
		"two":        func(m *mail.Message) { m.To = "asha@example.com, all@example.com" },
		"from":       func(m *mail.Message) { m.From.Address = "jobs@haat.example\nX: y" },
		"name":       func(m *mail.Message) { m.From.Name = "Haat\r\nBcc: all@example.com" },
		"subject":    func(m *mail.Message) { m.Subject = "Hello\nBcc: all@example.com" },
		"reply to":   func(m *mail.Message) { m.ReplyTo = "x" },
		"id":         func(m *mail.Message) { m.ID = "a@b>\r\nX: <c@d" },
		"no id":      func(m *mail.Message) { m.ID = "" },
		"reply of":   func(m *mail.Message) { m.ReplyOf = "no id" },
		"thread":     func(m *mail.Message) { m.Thread = []string{"a@b c@d"} },
		"link":       func(m *mail.Message) { m.Leave.URL = "https://haat.example/>\r\nX: y" },
		"plain link": func(m *mail.Message) { m.Leave.URL = "http://haat.example/" },
		"no text":    func(m *mail.Message) { m.Text = " " },
		"bytes":      func(m *mail.Message) { m.Text = "\xff" },
		"no date":    func(m *mail.Message) { m.Date = time.Time{} },
		"long":       func(m *mail.Message) { m.Subject = strings.Repeat("x", mail.MaxSubject+1) },
	} {
		m := hello
		change(&m)
		raw, err := mail.Bytes(m)
		if !errors.Is(err, mail.ErrInvalid) || len(raw) > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, len(raw))
		}
		if err != nil && strings.Contains(err.Error(), "example") {
			t.Errorf("%s: the error holds what was written: %v", name, err)
		}
	}
}

func TestALongThreadKeepsItsFirstAndItsLastMessages(t *testing.T) {
	m := hello
	m.Thread = nil
	for i := range 100 {
		m.Thread = append(m.Thread, fmt.Sprintf("m%d@example.com", i))
	}
	raw, err := mail.Bytes(m)
	if err != nil || !strings.Contains(string(raw), "<m0@example.com>") || strings.Contains(string(raw), "<m50@") ||
		!strings.Contains(string(raw), "<m99@example.com>") {
		t.Errorf("%v\n%s", err, raw)
	}
}

// A link lets the recipient leave with one click of their mail program.
func ExampleBytes() {
	raw, err := mail.Bytes(mail.Message{
		From: mail.Person{Name: "Haat", Address: "hello@haat.example"}, To: "asha@example.com", Subject: "Your order",
		Text: "Your order is ready.", Date: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC), ID: "o7@haat.example",
		Leave: mail.Leave{URL: "https://haat.example/leave"},
	})
	for line := range strings.SplitSeq(string(raw), "\r\n") {
		if strings.HasPrefix(line, "List-") {
			fmt.Println(line)
		}
	}
	fmt.Println(err)
	// Output:
	// List-Unsubscribe: <https://haat.example/leave>
	// List-Unsubscribe-Post: List-Unsubscribe=One-Click
	// <nil>
}
