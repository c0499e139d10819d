package whatsapp

import (
	"errors"
	"strings"
	"testing"
)

func TestInteractiveBodies(t *testing.T) {
	to := Recipient{ID: "919876543210"}
	for name, c := range map[string]struct {
		message Interactive
		want    string
	}{
		"buttons": {
			Interactive{Header: "Card request", Body: "Approve it?", Footer: "haatline", Buttons: []Choice{{ID: "yes", Title: "Approve"}, {ID: "no", Title: "Reject"}}},
			`{"context":{"message_id":"wamid.1"},"interactive":{"action":{"buttons":[{"reply":{"id":"yes","title":"Approve"},"type":"reply"},` +
				`{"reply":{"id":"no","title":"Reject"},"type":"reply"}]},"body":{"text":"Approve it?"},"footer":{"text":"haatline"},` +
				`"header":{"text":"Card request","type":"text"},"type":"button"},"messaging_product":"whatsapp","recipient_type":"individual","to":"919876543210","type":"interactive"}`,
		},
		"a list": {
			Interactive{Body: "Which rice?", ListButton: "Choose", Sections: []Section{{Rows: []Choice{{ID: "r1", Title: "Basmati", Description: "1 kg, ₹120"}}}}},
			`{"context":{"message_id":"wamid.1"},"interactive":{"action":{"button":"Choose","sections":[{"rows":[{"id":"r1","title":"Basmati","description":"1 kg, ₹120"}]}]},` +
				`"body":{"text":"Which rice?"},"type":"list"},"messaging_product":"whatsapp","recipient_type":"individual","to":"919876543210","type":"interactive"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := InteractiveBody(to, c.message, "wamid.1")
			if err != nil || string(body) != c.want {
				t.Errorf("%s, %v", body, err)
			}
		})
	}
}

func TestAnInteractiveMessageThatWhatsAppWouldRefuseIsRefused(t *testing.T) {
	yes := Choice{ID: "yes", Title: "Yes"}
	many := make([]Choice, 11)
	for i := range many {
		many[i] = Choice{ID: strings.Repeat("x", i+1), Title: "Row"}
	}
	for name, m := range map[string]Interactive{
		"nothing to choose":         {Body: "Well?"},
		"buttons and a list":        {Body: "Well?", Buttons: []Choice{yes}, ListButton: "Choose", Sections: []Section{{Rows: []Choice{yes}}}},
		"no body":                   {Buttons: []Choice{yes}},
		"a long title":              {Body: "Well?", Buttons: []Choice{{ID: "yes", Title: strings.Repeat("é", 21)}}},
		"four buttons":              {Body: "Well?", Buttons: []Choice{yes, {ID: "2", Title: "2"}, {ID: "3", Title: "3"}, {ID: "4", Title: "4"}}},
		"one id twice":              {Body: "Well?", Buttons: []Choice{yes, yes}},
		"a list without its button": {Body: "Well?", Sections: []Section{{Rows: []Choice{yes}}}},
		"eleven rows":               {Body: "Well?", ListButton: "Choose", Sections: []Section{{Title: "A", Rows: many[:5]}, {Title: "B", Rows: many[5:]}}},
		"two untitled sections":     {Body: "Well?", ListButton: "Choose", Sections: []Section{{Rows: many[:1]}, {Rows: many[1:2]}}},
		"an empty section":          {Body: "Well?", ListButton: "Choose", Sections: []Section{{Title: "A"}}},
	} {
		if _, err := InteractiveBody(Recipient{ID: "919876543210"}, m, ""); !errors.Is(err, ErrInteractive) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
