package replies

import (
	"context"
	"slices"

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
// one which comes again is dealt with as it was. Somebody who shows no number opens none, also if they have had one.
func (a arrived) opened(ctx context.Context) (c conversationsmodel.Conversation, is bool, err error) {
	var numbers []model.Name
	for _, id := range append(slices.Clone(a.Customers), identity.IdentifierIn(a.Customer)) {
		if identity.IsNumber(id) {
			numbers = append(numbers, model.PhoneOf(id))
		}
	}
	if len(numbers) == 0 || !a.company.Active {
		return c, false, nil
	}
	projects, err := a.Companies.Projects(ctx, a.company.Company, mostProjects, "")
	if err != nil {
		return c, false, err
	}
	for _, p := range projects {
		if p.ProjectStatus != conversationsmodel.ProjectActive || a.At < p.UpdatedAt ||
			!slices.Contains(p.AllowedChannels, model.ChannelWhatsApp) ||
			!queued(p.Rules.QueueInitial, p.Rules.QueueInitialNumber, numbers[0]) {
			continue
		}
		c = opening.Begin(a.company, p, a.Now())
		c.RequestID = model.Name("in-" + idempotency.Hash(string(a.ID))[:20])
		c.ChannelMethod, c.RecipientTel, c.Customer = model.ChannelWhatsApp, numbers[0], a.Customer
		c.Status, c.TaskComplete = conversationsmodel.AwaitingReply, 1 // there is no opening message to send
		c.CreatedAt = a.At
		c.SetKeys()
		return c, true, nil
	}
	return c, false, nil
}
