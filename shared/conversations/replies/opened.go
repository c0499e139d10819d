package replies

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
)

// mostProjects bounds the projects of a company whose routing rules are asked.
const mostProjects = 100

// opened returns the conversation that a message opens which belongs to none, by the routing rules of the company's
// projects: the first project by its id whose rule holds. A rule holds for messages that come after it was set, so that
// one which comes again is dealt with as it was. person is the key of who has written.
func (a arrived) opened(ctx context.Context, person model.CustomerID) (c conversationsmodel.Conversation, is bool,
	err error) {
	from := a.from()
	if from == "" || !a.company.Active {
		return c, false, nil
	}
	projects, err := a.Companies.Projects(ctx, a.company.Company, mostProjects, "")
	if err != nil {
		return c, false, err
	}
	for _, p := range projects {
		if p.ProjectStatus != conversationsmodel.ProjectActive || a.At < p.UpdatedAt ||
			!slices.Contains(p.AllowedChannels, a.Channel) || !p.Rules.Opens(from) {
			continue
		}
		c = a.begun(p, from, person)
		return c, a.goesBy(c), nil
	}
	return c, false, nil
}

// from returns the number or the email address of who has written. It returns "" for somebody who shows no number on
// WhatsApp, also if they have had one: it may be somebody else's by now.
func (a arrived) from() model.Name {
	if a.Channel != model.ChannelWhatsApp {
		return model.Name(a.Person)
	}
	for _, id := range a.Customers {
		if identity.IsNumber(id) {
			return model.PhoneOf(id)
		}
	}
	return ""
}

// begun returns the conversation of a project that the message begins. There is no opening message to send.
func (a arrived) begun(p conversationsmodel.Project, from model.Name,
	person model.CustomerID) conversationsmodel.Conversation {
	c := opening.Begin(a.company, p, a.Now())
	c.RequestID = model.Name("in-" + idempotency.Hash(string(a.ID))[:20])
	c.ChannelMethod, c.Customer, c.CreatedAt = a.Channel, person, a.At
	c.Status, c.TaskComplete = conversationsmodel.AwaitingReply, 1
	switch a.Channel {
	case model.ChannelEmail:
		c.RecipientEmail, c.PhoneNumberID = from, ""
		c.EmailSubject = opening.Subject(cmp.Or(withoutMarks(a.Subject), p.ProjectName))
		if a.EmailID != "" && len(a.EmailID) <= maxEmailID {
			c.EmailID = &a.EmailID
		}
	case model.ChannelSMS:
		c.RecipientTel, c.PhoneNumberID = from, a.Phone
	default:
		c.RecipientTel = from
	}
	c.SetKeys()
	return c
}

// withoutMarks returns a subject without the marks of replies and forwarded emails before it.
func withoutMarks(subject string) string {
	for {
		mark, rest, found := strings.Cut(strings.TrimSpace(subject), ":")
		if !found || !slices.Contains(marks, strings.ToLower(strings.TrimSpace(mark))) {
			return strings.TrimSpace(subject)
		}
		subject = rest
	}
}

// marks are what mail programs put before the subject of an email that they answer or pass on, without the colon.
var marks = []string{"re", "fw", "fwd", "aw", "wg", "sv", "rv"}
