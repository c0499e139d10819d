package conversations

import (
	"cmp"
	"context"
	"slices"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
)

// talksBeside is how many conversations of companies with a person are shown.
const talksBeside = 5

// section shows the shop's people the latest conversations of the tenant's companies with a person, over all channels.
func (d *Domain) section() beside.Section {
	return beside.Section{Name: "company_conversations", Scope: "conversations.read", Of: d.talksOf}
}

func (d *Domain) talksOf(ctx context.Context, p lookup.Person) (all beside.Shown, err error) {
	keys, err := p.Keys(ctx)
	if err != nil {
		return all, err
	}
	var found []conversationsmodel.Conversation
	for _, key := range keys {
		some, err := d.Talks.Of(ctx, p.Tenant, key)
		if err != nil {
			return all, err
		}
		found = append(found, some...)
	}
	for _, c := range found {
		all.Entries = append(all.Entries, beside.Entry{
			Path: beside.Path("companies", string(c.CompanyID), "projects", string(c.ProjectID), "recipients",
				string(cmp.Or(c.RecipientTel, c.RecipientEmail)), "conversations", string(c.RequestID)),
			ID: string(c.RequestID), In: string(c.CompanyID), Status: string(c.Status),
			Title:  model.ShownLine(cmp.Or(c.ProjectName, string(c.ProjectID))),
			Detail: string(c.ChannelMethod), At: c.UpdatedAt,
		})
	}
	all.Entries = slices.CompactFunc(beside.Newest(all.Entries, len(all.Entries)),
		func(a, b beside.Entry) bool { return a.Path == b.Path })
	return beside.Shown{Entries: beside.Newest(all.Entries, talksBeside)}, nil
}
