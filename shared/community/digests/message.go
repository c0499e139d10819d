package digests

import (
	"cmp"
	"context"
	"errors"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/templates"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

// message returns the writes that have a digest sent, and until when it tells; none where there is nothing to tell, or
// where the person can or wants to be told no more: what they have not read counts again for the next one.
func (p *pass) message(ctx context.Context, person communitymodel.User, is communitymodel.Digest,
	of communitymodel.Settings) (told model.Time, writes []dynamo.Write, err error) {
	if !person.Active() {
		return is.ToldUntil, nil, nil
	}
	c, err := p.unread(ctx, is)
	if err != nil || c.newest == "" {
		return is.ToldUntil, nil, err
	}
	send := p.mail
	if is.By == communitymodel.DigestWhatsApp {
		send = p.whatsApp
	}
	if writes, err = send(ctx, person, is, of, c); err != nil || len(writes) == 0 {
		return is.ToldUntil, nil, err
	}
	return c.newest, writes, nil
}

// mail returns the writes of a digest by email; none to an address to which the tenant sends nothing any more.
func (p *pass) mail(ctx context.Context, person communitymodel.User, is communitymodel.Digest,
	of communitymodel.Settings, c counts) ([]dynamo.Write, error) {
	if person.Email == "" || of.From == "" {
		return nil, nil
	}
	found, err := p.DB.BatchGet(ctx, mailing.Refs(person.TenantID, person.Email))
	if err != nil {
		return nil, err
	}
	subject, text := c.letter(of.Language)
	_, writes, err := p.Mailing.Prepare(ctx, mailing.Email{
		Tenant: person.TenantID, Purpose: p.purpose(is), From: of.From, FromName: of.FromName, To: person.Email,
		Subject: subject, Text: text, Automatic: true,
	}, found)
	if errors.Is(err, mailing.ErrSuppressed) || errors.Is(err, sending.ErrLeft) {
		return nil, nil
	}
	return writes, err
}

// whatsApp returns the writes of a digest over WhatsApp; none to somebody who has asked the tenant for no more, none if
// the person's number has passed on to somebody else since they have proved it, and none if the tenant's number is not
// theirs any more, or may not send the template.
func (p *pass) whatsApp(ctx context.Context, person communitymodel.User, is communitymodel.Digest,
	of communitymodel.Settings, c counts) ([]dynamo.Write, error) {
	if person.PhoneE164 == "" || of.WhatsAppNumber == "" {
		return nil, nil
	}
	owner, err := p.Numbers.TenantOf(ctx, of.WhatsAppNumber)
	if err != nil || owner != person.TenantID {
		return nil, err
	}
	out := sending.Outgoing{
		ID:     model.MessageID(idempotency.Hash("community digest", string(person.ID), string(is.DueAt))),
		Tenant: person.TenantID, Phone: of.WhatsAppNumber, SentBy: p.Domain, Purpose: p.purpose(is), Quiet: true,
		Customer: users.Address{Phone: person.PhoneE164}.Customer(),
		Since:    cmp.Or(person.PhoneSince, model.At(p.Now())),
		Content:  templates.ForDigest(of.Language, c.in(of.Language)),
	}
	found, err := p.DB.BatchGet(ctx, p.Sender.Refs(out))
	if err != nil {
		return nil, err
	}
	prepared, err := p.Sender.Prepare(ctx, out, found)
	if sending.IsRefusal(err) {
		return nil, nil
	}
	return prepared.Writes, err
}

func (p *pass) purpose(is communitymodel.Digest) model.Purpose {
	return model.PurposeOf(p.Domain, reference(is.DueAt))
}
