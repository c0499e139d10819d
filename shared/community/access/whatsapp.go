package access

import (
	"context"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/templates"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

// whatsApp returns the writes that have a message sent over WhatsApp; none to somebody who has asked the tenant for no
// more, or whom WhatsApp does not reach by the number, and none if the tenant lacks the template. Which message it is
// decides nothing about what is read: what any of them needs is read for each.
func (a *Access) whatsApp(ctx context.Context, l letter, of communitymodel.Settings, purpose model.Purpose, name,
	code string) ([]dynamo.Write, error) {
	owner, err := a.Numbers.TenantOf(ctx, of.WhatsAppNumber)
	if err != nil {
		return nil, err
	}
	var out sending.Outgoing
	var refs []dynamo.Ref
	for _, each := range templates.ForCodes {
		one := sending.Outgoing{
			Tenant: l.tenant, Phone: of.WhatsAppNumber, Customer: l.to.Customer(), SentBy: a.Domain, Purpose: purpose,
			ID: l.id, Quiet: true, Secret: true, Content: templates.ForCode(each, of.Language, code),
		}
		if refs = append(refs, a.Sender.Refs(one)...); each == name {
			out = one
		}
	}
	found, err := a.DB.BatchGet(ctx, refs)
	if err != nil || owner != l.tenant {
		return nil, err
	}
	prepared, err := a.Sender.Prepare(ctx, out, found)
	if sending.IsRefusal(err) {
		return nil, nil
	}
	return prepared.Writes, err
}
