package conversationsapi

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/talks"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) lists() {
	read := func(id, path, summary, description string) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: companyPath + path, Tags: []string{conversationsTag},
			Summary: summary, Description: description, Security: httpapi.Needs(httpapi.ConversationsRead),
			Errors: []int{http.StatusNotFound},
		}
	}
	operations.Read(o.Registry, read("list-company-conversations", "/conversations", "List a company's conversations",
		"Of all projects or of one, in no order of time. A page may be short."), o.listOfCompany)
	operations.Read(o.Registry, read("list-conversations-by-address", "/addresses/{channel}/conversations",
		"List the conversations by one of the company's addresses",
		"By its present address or another one; with everybody, or with one person. A page may be short."),
		o.listByAddress)
	operations.Read(o.Registry, read("list-conversations-with", "/recipients/{recipient}/conversations",
		"List the conversations with a person, the newest first", "On all channels that have this address. A page "+
			"may be short."), o.listByTime)
	operations.Read(o.Registry, read("list-conversations-by-state", "/recipients/{recipient}/states/{status}",
		"List the conversations with a person in a state", "A page may be short."), o.listByState)
	operations.Read(o.Registry, read("list-conversations-by-task", "/recipients/{recipient}/tasks/{task}",
		"List the conversations with a person whose opening message was sent, or was not", "A page may be short."),
		o.listByTask)
	operations.Read(o.Registry, read("list-conversations-by-channel", "/recipients/{recipient}/channels/{channel}",
		"List the conversations with a person on a channel", "A page may be short."), o.listByChannel)
}

type talkListOutput struct{ Body httpapi.List[talkShown] }

// page answers a page of a list. what says which list it is.
func (o *service) page(ctx context.Context, page httpapi.Page, list talks.List,
	what ...string) (*talkListOutput, error) {
	l, err := operations.PageOf(page, what...)
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Talks.Page(ctx, list, page.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &talkListOutput{operations.ListOf(rows, showTalk, l.Position(next))}, nil
}

type listOfCompanyInput struct {
	CompanyInput
	httpapi.Page
	ProjectID string `query:"projectId" maxLength:"64" doc:"Those of one project."`
}

func (o *service) listOfCompany(ctx context.Context, in *listOfCompanyInput) (*talkListOutput, error) {
	c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	return o.page(ctx, in.Page, talks.OfProject(c.Company, model.Name(in.ProjectID)), "company", in.CompanyID,
		in.ProjectID)
}

type listByAddressInput struct {
	CompanyInput
	httpapi.Page
	Channel   string `path:"channel" enum:"whatsapp,sms,email" doc:"The channel."`
	Address   string `query:"address" maxLength:"254" doc:"One that the company had before; leave it out for the present one."`
	Recipient string `query:"recipient" maxLength:"254" doc:"Those with one person: a number in E.164, or an email address."`
}

func (o *service) listByAddress(ctx context.Context, in *listByAddressInput) (*talkListOutput, error) {
	c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	channel, own := model.Channel(in.Channel), c.Addresses()
	address := map[model.Channel]string{
		model.ChannelWhatsApp: own.WhatsApp, model.ChannelSMS: own.SMS, model.ChannelEmail: own.Email}[channel]
	if in.Address != "" {
		address = in.Address
	}
	if address == "" {
		return nil, httpapi.Invalid("query.address", "the company has no address on the channel")
	}
	where, err := parsed(address, "query.address", notAnAddress, conversationsmodel.ParseRecipient)
	if err != nil {
		return nil, err
	}
	recipient, err := parsed(in.Recipient, "query.recipient", notAnAddress, conversationsmodel.ParseRecipient)
	if err != nil {
		return nil, err
	}
	return o.page(ctx, in.Page, talks.Between(c.Company, channel, where, recipient), "address", in.CompanyID,
		in.Channel, string(where), string(recipient))
}

// parsed returns an address that a request may name; "" for none. The error names the field.
func parsed(text, field, wrong string, parse func(string) (model.Name, error)) (model.Name, error) {
	if text == "" {
		return "", nil
	}
	address, err := parse(text)
	if err != nil {
		return "", httpapi.Invalid(field, wrong)
	}
	return address, nil
}

const notAnAddress = "neither a phone number with its country code nor an email address"

// RecipientInput names a person with whom a company has conversations.
type RecipientInput struct {
	CompanyInput
	Recipient string `path:"recipient" maxLength:"254" example:"+447123456789" doc:"The person's number in E.164, or their email address."`
}

// with returns a company that the caller may see, and the address of a person.
func (o *service) with(ctx context.Context, in RecipientInput) (model.Name, model.Name, error) {
	c, err := o.company(ctx, in.CompanyID, httpapi.Caller.Sees)
	if err != nil {
		return "", "", err
	}
	recipient, err := conversationsmodel.ParseRecipient(in.Recipient)
	return c.Company, recipient, err
}

type listByTimeInput struct {
	RecipientInput
	httpapi.Page
	From time.Time `query:"from" doc:"Those that began from then on."`
	To   time.Time `query:"to" doc:"Those that began until then."`
}

func (o *service) listByTime(ctx context.Context, in *listByTimeInput) (*talkListOutput, error) {
	company, recipient, err := o.with(ctx, in.RecipientInput)
	if err != nil {
		return nil, err
	}
	from, to := model.At(in.From), model.At(in.To)
	if in.To.IsZero() {
		to = model.At(o.Now().AddDate(1, 0, 0))
	}
	if from > to {
		return nil, httpapi.Invalid("query.to", "it is before from")
	}
	return o.page(ctx, in.Page, talks.ByTime(company, recipient, from, to), "time", in.CompanyID, string(recipient),
		in.From.String(), in.To.String())
}

type listByStateInput struct {
	RecipientInput
	httpapi.Page
	Status string `path:"status" enum:"processing,initial_message_sent,awaiting_reply,with_person,completed,failed,expired" doc:"The state."`
}

func (o *service) listByState(ctx context.Context, in *listByStateInput) (*talkListOutput, error) {
	company, recipient, err := o.with(ctx, in.RecipientInput)
	if err != nil {
		return nil, err
	}
	return o.page(ctx, in.Page, talks.ByStatus(company, recipient, conversationsmodel.Status(in.Status)), "state",
		in.CompanyID, string(recipient), in.Status)
}

type listByTaskInput struct {
	RecipientInput
	httpapi.Page
	Task string `path:"task" enum:"complete,open" doc:"Whether the opening message was sent."`
}

func (o *service) listByTask(ctx context.Context, in *listByTaskInput) (*talkListOutput, error) {
	company, recipient, err := o.with(ctx, in.RecipientInput)
	if err != nil {
		return nil, err
	}
	return o.page(ctx, in.Page, talks.ByTask(company, recipient, in.Task == "complete"), "task", in.CompanyID,
		string(recipient), in.Task)
}

type listByChannelInput struct {
	RecipientInput
	httpapi.Page
	Channel string `path:"channel" enum:"whatsapp,sms,email" doc:"The channel."`
}

func (o *service) listByChannel(ctx context.Context, in *listByChannelInput) (*talkListOutput, error) {
	company, recipient, err := o.with(ctx, in.RecipientInput)
	if err != nil {
		return nil, err
	}
	return o.page(ctx, in.Page, talks.ByChannel(company, recipient, model.Channel(in.Channel)), "channel",
		in.CompanyID, string(recipient), in.Channel)
}
