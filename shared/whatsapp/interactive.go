package whatsapp

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Interactive is a free-form message that the customer answers by choosing: one of up to three buttons, or a row of a list. The
// answer brings back the id of what was chosen. Lengths are in characters.
type Interactive struct {
	Header  string   `json:"header,omitempty"` // up to 60
	Body    string   `json:"body"`             // up to 1,024, above a list up to 4,096
	Footer  string   `json:"footer,omitempty"` // up to 60
	Buttons []Choice `json:"buttons,omitempty"`
	// ListButton is what opens the list of Sections, up to 20.
	ListButton string    `json:"listButton,omitempty"`
	Sections   []Section `json:"sections,omitempty"`
}

// Section is a part of a list.
type Section struct {
	Title string   `json:"title,omitempty"` // up to 24; needed where there are several sections
	Rows  []Choice `json:"rows"`
}

// Choice is a button or a row of a list.
type Choice struct {
	ID          string `json:"id"`                    // up to 256 of a button, 200 of a row; differs from that of every other choice
	Title       string `json:"title"`                 // up to 20 of a button, 24 of a row
	Description string `json:"description,omitempty"` // of a row, up to 72
}

// ErrInteractive is wrapped by the errors of interactive messages that WhatsApp would refuse.
var ErrInteractive = errors.New("not an interactive message that WhatsApp takes")

const (
	maxButtons, maxSections, maxRows = 3, 10, 10 // rows of all sections together
	maxShort                         = 60        // of a header and a footer
	maxButtonBody, maxListBody       = 1024, 4096
)

// InteractiveBody returns the body of an interactive message. replyTo is the wamid of the message it answers, or "". It returns
// ErrInteractive for what WhatsApp would refuse, so that it fails before anybody has accepted it.
func InteractiveBody(to Recipient, m Interactive, replyTo string) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	content := map[string]any{"body": map[string]string{"text": m.Body}}
	if m.Header != "" {
		content["header"] = map[string]string{"type": "text", "text": m.Header}
	}
	if m.Footer != "" {
		content["footer"] = map[string]string{"text": m.Footer}
	}
	if len(m.Buttons) > 0 {
		buttons := make([]any, len(m.Buttons))
		for i, button := range m.Buttons {
			buttons[i] = map[string]any{"type": "reply", "reply": map[string]string{"id": button.ID, "title": button.Title}}
		}
		content["type"], content["action"] = "button", map[string]any{"buttons": buttons}
	} else {
		content["type"], content["action"] = "list", map[string]any{"button": m.ListButton, "sections": m.Sections}
	}
	return body(to, "interactive", content, replyTo)
}

// check returns ErrInteractive with what WhatsApp would refuse.
func (m Interactive) check() error {
	isList := len(m.Sections) > 0
	if (len(m.Buttons) > 0) == isList {
		return fmt.Errorf("%w: it needs either buttons or a list", ErrInteractive)
	}
	longest := maxButtonBody
	if isList {
		longest = maxListBody
	}
	checks := []error{
		length("the body", m.Body, 1, longest), length("the header", m.Header, 0, maxShort), length("the footer", m.Footer, 0, maxShort),
	}
	if isList {
		checks = append(checks, m.checkList()...)
	} else {
		checks = append(checks, count("buttons", len(m.Buttons), maxButtons))
		checks = append(checks, checkChoices(m.Buttons, 256, 20)...)
	}
	return errors.Join(checks...)
}

func (m Interactive) checkList() []error {
	var rows []Choice
	checks := []error{length("the list's button", m.ListButton, 1, 20), count("sections", len(m.Sections), maxSections)}
	for _, section := range m.Sections {
		least := 0
		if len(m.Sections) > 1 {
			least = 1
		}
		checks = append(checks, length("a section's title", section.Title, least, 24), count("rows", len(section.Rows), maxRows))
		rows = append(rows, section.Rows...)
	}
	checks = append(checks, count("rows", len(rows), maxRows))
	return append(checks, checkChoices(rows, 200, 24)...)
}

func checkChoices(choices []Choice, longestID, longestTitle int) []error {
	var checks []error
	seen := map[string]bool{}
	for _, choice := range choices {
		checks = append(checks, length("an id", choice.ID, 1, longestID), length("a title", choice.Title, 1, longestTitle),
			length("a description", choice.Description, 0, 72))
		if seen[choice.ID] {
			checks = append(checks, fmt.Errorf("%w: two choices have one id", ErrInteractive))
		}
		seen[choice.ID] = true
	}
	return checks
}

func length(what, text string, least, most int) error {
	if n := utf8.RuneCountInString(text); n < least || n > most {
		return fmt.Errorf("%w: %s has %d characters, it takes %d to %d", ErrInteractive, what, n, least, most)
	}
	return nil
}

func count(what string, n, most int) error {
	if n < 1 || n > most {
		return fmt.Errorf("%w: %d %s, it takes 1 to %d", ErrInteractive, n, what, most)
	}
	return nil
}
