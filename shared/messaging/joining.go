package messaging

import (
	"context"
	"errors"
	"maps"

	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
)

// React has subscriptions of a domain react to messages, after those that were added before.
func (d *Domain) React(subscriptions ...inbound.Subscription) {
	d.reactions = append(d.reactions, subscriptions...)
}

// Join has a domain send, erase and export.
func (d *Domain) Join(other domain.Part) {
	d.joined = append(d.joined, other)
	if other.Hook != nil {
		d.Sender.Hooks = append(d.Sender.Hooks, *other.Hook)
	}
	if other.Eraser != nil {
		d.Erasers = append(d.Erasers, *other.Eraser)
	}
	if other.Exporter != nil {
		d.Exports.Exporters = append(d.Exports.Exporters, *other.Exporter)
	}
	maps.Copy(d.Sender.Others, other.Handlers)
}

// Audience returns the customers of a number who are meant, whichever domain knows them. It returns
// campaigns.ErrAudience and campaigns.ErrTooMany.
func (d *Domain) Audience(ctx context.Context, number model.Phone, ask campaigns.Ask) ([]model.CampaignRecipient,
	error) {
	all := d.Campaigns.Audiences()
	for _, joined := range d.joined {
		maps.Copy(all, joined.Audiences)
	}
	return campaigns.Find(ctx, all[ask.Kind], number, ask)
}

// Screens returns what answers the screens of forms, of all domains, by the forms' names.
func (d *Domain) Screens() map[string]forms.Form {
	all := map[string]forms.Form{}
	for _, joined := range d.joined {
		maps.Copy(all, joined.Forms)
	}
	return all
}

// DefaultAddress returns the default address of the customer of a conversation. It returns dynamo.ErrNotFound if there
// is none.
func (d *Domain) DefaultAddress(ctx context.Context, phone model.PhoneNumberID,
	customer model.CustomerID) (model.Address, error) {
	of, err := d.FindCustomer(ctx, phone, customer)
	if err != nil {
		return model.Address{}, err
	}
	return d.Answers.Default(ctx, of)
}

// owned returns what a tenant has in the domains.
func (d *Domain) owned(ctx context.Context, tenant model.TenantID) (all []tenancy.Belonging, err error) {
	for _, joined := range d.joined {
		if joined.Owned == nil {
			continue
		}
		has, err := joined.Owned(ctx, tenant)
		if err != nil {
			return nil, err
		}
		all = append(all, has...)
	}
	return all, nil
}

// settle tells the domains that an order is paid.
func (d *Domain) settle(ctx context.Context, order model.PaymentOrder) error {
	for _, joined := range d.joined {
		if joined.Paid == nil {
			continue
		}
		if err := joined.Paid(ctx, order); err != nil {
			return err
		}
	}
	return nil
}

// refunded tells the domains that a refund of an order has reached the customer.
func (d *Domain) refunded(ctx context.Context, order model.PaymentOrder, refund model.Refund) error {
	for _, joined := range d.joined {
		if joined.Refunded == nil {
			continue
		}
		if err := joined.Refunded(ctx, order, refund); err != nil {
			return err
		}
	}
	return nil
}

// rekey has every domain move what it keeps of a person. If one fails, the others still run.
func (d *Domain) rekey(ctx context.Context, of contacts.Rekeyed) error {
	var failed error
	for _, joined := range d.joined {
		if joined.Rekey != nil {
			failed = errors.Join(failed, joined.Rekey(ctx, of))
		}
	}
	return failed
}

// passed marks the conversation of the person who had a number, if the number had an authority in any domain. A person
// of the business then has to find out who has the number now.
func (d *Domain) passed(ctx context.Context, of contacts.PassedOn) error {
	suspends, err := d.suspends(ctx, of)
	if err != nil || !suspends {
		return err
	}
	former, err := d.FormerOwner(ctx, of.Phone, of.Number)
	if err != nil || former == "" {
		return err
	}
	return d.NeedsPerson(ctx, of.Phone, former)
}

// suspends reports whether a number that has passed on had an authority in any domain.
func (d *Domain) suspends(ctx context.Context, of contacts.PassedOn) (bool, error) {
	for _, joined := range d.joined {
		if joined.Suspends == nil {
			continue
		}
		if suspends, err := joined.Suspends(ctx, of); err != nil || suspends {
			return suspends, err
		}
	}
	return false, nil
}

// Subscriptions returns what reacts to messages, in order.
func (d *Domain) Subscriptions() []inbound.Subscription {
	all := []inbound.Subscription{
		d.TellReceived(), d.tellArrived(), d.Assigning.Subscription(), d.OptOut(), d.Answers.Subscription()}
	return append(all, d.reactions...)
}

// Schedules returns what is done by schedules beside the sweeps, of all domains, by the detail type of their events.
func (d *Domain) Schedules() map[string]func(ctx context.Context) error {
	all := map[string]func(ctx context.Context) error{templates.SyncSchedule: d.TemplateCache.SyncAll}
	for _, joined := range d.joined {
		maps.Copy(all, joined.Schedules)
	}
	return all
}

// SlowSchedules returns what the slow lane does by schedules beside its sweep.
func (d *Domain) SlowSchedules() map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{search.Schedule: d.Search.GatherAll}
}

// Templates returns the WhatsApp templates that the system itself sends, of all domains. An order is confirmed by a
// person.
func (d *Domain) Templates() []whatsapp.OwnTemplate {
	all := []whatsapp.OwnTemplate{{Name: "order_confirmation", Languages: []string{"en", "hi"}, Body: 3}}
	for _, joined := range d.joined {
		all = append(all, joined.Templates...)
	}
	return all
}

// Wordings returns the fixed texts that the system itself sends by SMS, of all domains.
func (d *Domain) Wordings() []sms.Wording {
	var all []sms.Wording
	for _, joined := range d.joined {
		all = append(all, joined.Wordings...)
	}
	return all
}

// Choices returns what begins the ids of buttons and rows of the domains, which nobody else may send.
func (d *Domain) Choices() []string {
	var all []string
	for _, joined := range d.joined {
		all = append(all, joined.Choices...)
	}
	return all
}
