package whatsappsim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// button is a button of an accepted message that a customer can tap.
type button struct {
	Title, Payload string
	// of an interactive message, how webhooks call the answer: button_reply, list_reply; "" of a template
	reply string
}

// tapped returns the message of a customer who taps a button or a row of a list: that of the latest message to them
// which has one with the title or payload. The error names the buttons that there are.
func (s *Server) tapped(said SayRequest) (map[string]any, error) {
	var titles []string
	to := said.From
	if to == "" {
		to = said.UserID
	}
	for _, m := range slices.Backward(s.accepted.list(to, "", 0)) {
		for _, b := range s.buttons(m) {
			if !strings.EqualFold(b.Title, said.Button) && b.Payload != said.Button {
				titles = append(titles, strconv.Quote(b.Title))
				continue
			}
			message := map[string]any{
				"type": "button", "button": map[string]any{"payload": b.Payload, "text": b.Title},
				"context": map[string]any{"from": digitsOf(s.displayNumber(m.PhoneNumberID)), "id": m.ID},
			}
			if b.reply != "" {
				delete(message, "button")
				message["type"] = "interactive"
				message["interactive"] = map[string]any{
					"type": b.reply, b.reply: map[string]any{"id": b.Payload, "title": b.Title}}
			}
			return message, nil
		}
	}
	if titles == nil {
		return nil, fmt.Errorf("no message to %s has buttons", to)
	}
	slices.Sort(titles)
	return nil, fmt.Errorf("no message to %s has such a button; there are %s", to,
		strings.Join(slices.Compact(titles), ", "))
}

// choice is a button or a row as it was sent.
type choice struct{ ID, Title string }

// buttons returns the buttons of an accepted message. Its content was checked when it was accepted.
func (s *Server) buttons(m AcceptedMessage) []button {
	var sent struct {
		Template struct {
			Name       string
			Language   struct{ Code string }
			Components []struct {
				Type       string
				Index      json.Number
				Parameters []struct{ Payload string }
			}
		}
		Interactive struct {
			Action struct {
				Buttons  []struct{ Reply choice }
				Sections []struct{ Rows []choice }
				Cards    []struct {
					Action struct {
						Buttons []struct {
							QuickReply choice `json:"quick_reply"`
						}
					}
				}
			}
		}
	}
	if json.Unmarshal(m.Body, &sent) != nil {
		return nil
	}
	var found []button
	for _, b := range sent.Interactive.Action.Buttons {
		found = append(found, button{b.Reply.Title, b.Reply.ID, "button_reply"})
	}
	for _, section := range sent.Interactive.Action.Sections {
		for _, row := range section.Rows {
			found = append(found, button{row.Title, row.ID, "list_reply"})
		}
	}
	for _, card := range sent.Interactive.Action.Cards {
		for _, b := range card.Action.Buttons {
			found = append(found, button{b.QuickReply.Title, b.QuickReply.ID, "button_reply"})
		}
	}
	for _, t := range s.templates.list() {
		if t.Name != sent.Template.Name || t.Language != sent.Template.Language.Code {
			continue
		}
		for i, b := range t.component("BUTTONS").Buttons {
			if b.Type != "QUICK_REPLY" {
				continue
			}
			tap := button{Title: b.Text, Payload: b.Text} // as WhatsApp has it where no payload was sent
			for _, c := range sent.Template.Components {
				if strings.EqualFold(c.Type, "button") && c.Index.String() == strconv.Itoa(i) &&
					len(c.Parameters) > 0 && c.Parameters[0].Payload != "" {
					tap.Payload = c.Parameters[0].Payload
				}
			}
			found = append(found, tap)
		}
	}
	return found
}
