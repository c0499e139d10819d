package campaigns

import (
	"context"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// CountRecipients names the count of places in campaigns that an erased customer had.
const CountRecipients = "campaignRecipients"

// Erase takes a customer out of the lists of all campaigns of a tenant. What became of them there stays in the counts.
// count returns the writes by which an audit record counts. The condition is that a part is as it was read.
func (s *Campaigns) Erase(ctx context.Context, tenant model.TenantID, who []model.CustomerID,
	count func(name string, n int) []dynamo.Write) error {
	return s.eachPartOf(ctx, tenant, func(c model.Campaign, at place, part model.CampaignPart) error {
		if !slices.ContainsFunc(part.Recipients, func(r model.CampaignRecipient) bool {
			return slices.Contains(who, r.To)
		}) {
			return nil
		}
		progress, err := s.progress(ctx, c.CampaignID, at)
		if err != nil {
			return err
		}
		outcomes, err := s.outcomes(ctx, c, at, part, progress, 0, len(part.Recipients))
		if err != nil {
			return err
		}
		return dynamo.Change(ctx, s.DB, tables.Messages, keys.CampaignPart(c.CampaignID, at.list, at.number),
			func(p *model.CampaignPart) ([]dynamo.Write, bool, error) {
				erased := 0
				for i, r := range p.Recipients {
					if slices.Contains(who, r.To) {
						p.Recipients[i] = outcomes[i].erased()
						erased++
					}
				}
				p.Unknown = nil // what this release does not know may name them
				if erased == 0 {
					return nil, false, nil
				}
				return count(CountRecipients, erased), true, nil
			})
	})
}

// erased returns what is kept of a recipient who is erased. A message that the outbox still has is not sent any more.
func (o Outcome) erased() model.CampaignRecipient {
	switch o.Outcome {
	case OutcomeWaiting, OutcomeErased:
		return model.CampaignRecipient{}
	case OutcomeQueued:
		return model.CampaignRecipient{Was: OutcomeCancelled}
	}
	return model.CampaignRecipient{Was: o.Outcome, Replied: o.Replied}
}

// Recipient is a place that a person has on a list of a campaign.
type Recipient struct {
	Campaign model.Campaign
	AddedAt  model.Time
	Columns  []string
	model.CampaignRecipient
}

// Of returns the places that a person has on the lists of a tenant's campaigns.
func (s *Campaigns) Of(ctx context.Context, tenant model.TenantID, who []model.CustomerID) (all []Recipient,
	err error) {
	err = s.eachPartOf(ctx, tenant, func(c model.Campaign, at place, part model.CampaignPart) error {
		for _, r := range part.Recipients {
			if slices.Contains(who, r.To) {
				all = append(all, Recipient{c, at.addedAt, part.Columns, r})
			}
		}
		return nil
	})
	return all, err
}

// eachPartOf hands over every part of every list of a tenant's campaigns that is still kept. A part that disappears
// meanwhile is no error.
func (s *Campaigns) eachPartOf(ctx context.Context, tenant model.TenantID,
	each func(model.Campaign, place, model.CampaignPart) error) error {
	oldest := model.At(s.Now().Add(-keptFor))
	for after := ""; ; {
		campaigns, next, err := s.List(ctx, tenant, 100, after)
		if err != nil {
			return err
		}
		for _, c := range campaigns {
			kept := slices.DeleteFunc(everyPlace(c), func(at place) bool { return at.addedAt < oldest })
			err := s.eachPart(ctx, c.CampaignID, kept, func(at place, part model.CampaignPart) error {
				if part.Version == 0 {
					return nil
				}
				if err := each(c, at, part); !errors.Is(err, dynamo.ErrNotFound) {
					return err
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if after = next; after == "" {
			return nil
		}
	}
}

// everyPlace returns the places of the parts of all lists, those of lists that are not stored as a whole included.
// Nobody on such a list has got a message yet, so that the places of its recipients among all do not matter.
func everyPlace(c model.Campaign) []place {
	all := placesOf(c)
	for _, list := range c.Lists {
		if list.Announced {
			all = append(all, placesIn(list, 0)...)
		}
	}
	return all
}
