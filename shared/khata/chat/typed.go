package chat

import (
	"context"
	"strings"

	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// recentMessages is how far back the question may be that a typed yes answers.
const recentMessages = 6

// typed settles the claim that the shop was asked about last, by a typed yes or no: what a button says. It reports
// false if the last question to the shop was another.
func (t talk) typed(ctx context.Context, yes bool) (bool, error) {
	c, err := t.Inbox.Conversation(ctx, t.m.Phone, t.m.Customer)
	if err != nil {
		return false, ignoreMissing(err)
	}
	recent, _, err := t.Inbox.Timeline(ctx, c, recentMessages, inbox.Position{})
	if err != nil {
		return false, err
	}
	for _, m := range recent {
		if m.Direction != model.Outbound || m.Purpose == "" {
			continue
		}
		code, ours := m.Purpose.Asked(t.Domain)
		if !ours {
			return false, nil // somebody else has asked since
		}
		a, found := answerIn(m, yes)
		if !found || a.code != code || a.store != t.shop.ID {
			return false, nil
		}
		return true, t.settle(ctx, a)
	}
	return false, nil
}

// answerIn returns what the button of a question for a yes, or for a no, says.
func answerIn(m model.Message, yes bool) (a answer, found bool) {
	look := func(o whatsapp.Object) {
		for _, name := range []string{"id", "payload"} {
			if id := o.Text(name); strings.HasPrefix(id, AnswerPrefix) {
				if one, ok := parseAnswer(id); ok && one.yes == yes {
					a, found = one, true
				}
			}
		}
	}
	interactive := whatsapp.Text(m.Content).Object().Object("interactive")
	for _, b := range interactive.Object("action").List("buttons").Objects() {
		look(b.Object("reply"))
	}
	for _, c := range whatsapp.Text(m.Content).Object().Object("template").List("components").Objects() {
		for _, p := range c.List("parameters").Objects() {
			look(p)
		}
	}
	return a, found
}
