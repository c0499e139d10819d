package messagingapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// arrivals puts the operations on texts and emails that have come in.
func (o *service) arrivals() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-arrival", Method: http.MethodGet, Path: "/v1/arrivals/{arrivalId}",
		Tags:     []string{"Messages"},
		Summary:  "Get a text or an email that has come in, with its files",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "Its id is the one in the company's conversation that has taken it, and in the webhook log. " +
			"Anybody can read a file under its link, for five minutes.",
	}, o.getArrival)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-arrivals", Method: http.MethodGet, Path: "/v1/tenants/{tenantId}/arrivals",
		Tags:     []string{"Messages"},
		Summary:  "List the texts and the emails that nobody has got",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusUnprocessableEntity},
		Description: "The newest first. unclaimed: it belongs to no conversation, and no routing rule has opened " +
			"one. held: no person has written it, or it may not be read; get-arrival says why. What a conversation " +
			"has taken is in that conversation.",
	}, o.listArrivals)
}

type listArrivalsInput struct {
	httpapi.Page
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Outcome  string `query:"outcome" enum:"unclaimed,held" default:"unclaimed" doc:"Those of which this has become."`
}

type arrivalRow struct {
	ID      string `json:"id" doc:"The id of the message."`
	Channel string `json:"channel" enum:"sms,email" doc:"The channel."`
	From    string `json:"from" doc:"The person's number in E.164, or their email address."`
	Name    string `json:"name,omitempty" doc:"What the person calls themselves."`
	To      string `json:"to" doc:"The number or the address that it came to."`
	At      string `json:"at" doc:"When it came."`
	Subject string `json:"subject,omitempty" doc:"Of an email."`
	Preview string `json:"preview" doc:"How it begins."`
	Held    string `json:"held,omitempty" doc:"Why it reaches no conversation: infected, forged, spam, bounce, complaint, loop, automatic, list."`
	Files   int    `json:"files" doc:"How many files came with it and are kept."`
}

type arrivalListOutput struct{ Body httpapi.List[arrivalRow] }

// maxPreview bounds a preview, in bytes.
const maxPreview = 200

func (o *service) listArrivals(ctx context.Context, in *listArrivalsInput) (*arrivalListOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	after, err := in.AfterRow()
	if err != nil {
		return nil, err
	}
	found, last, err := o.rooms.Arrivals.OfNobody(ctx, tenant, in.Outcome, in.Limit,
		arrivals.Place{At: model.Time(after.At), ID: model.EventID(after.Key)})
	if err != nil {
		return nil, err
	}
	out := &arrivalListOutput{}
	out.Body.Items = make([]arrivalRow, len(found))
	out.Body.Cursor = httpapi.Position{At: string(last.At), Key: string(last.ID)}.Cursor()
	for i, m := range found {
		id, _ := keys.ReceivedID(m.PK)
		out.Body.Items[i] = arrivalRow{
			ID: string(id), Channel: string(m.Channel), From: m.Person, Name: model.ShownLine(m.SenderName),
			To: m.Business, At: string(m.ReceivedAt), Subject: model.ShownLine(m.Subject),
			Preview: model.Truncate(model.ShownLine(m.Text), maxPreview), Held: m.Held, Files: len(m.Files),
		}
	}
	return out, nil
}

type arrivalInput struct {
	ArrivalID string `path:"arrivalId" maxLength:"512" example:"email.5061a150fee2fe23740c6c61d490c284" doc:"The id of the message."`
}

type arrivalFile struct {
	Name        string `json:"name" doc:"What the sender calls it."`
	ContentType string `json:"contentType" doc:"What it is, by its content."`
	Size        int    `json:"size" doc:"How many bytes it has."`
	URL         string `json:"url" doc:"Where it can be read. Anybody who has this address can."`
	ExpiresAt   string `json:"expiresAt" doc:"Until when it can be read there."`
}

type arrivalLeftOut struct {
	Name   string `json:"name,omitempty" doc:"Of a file."`
	Reason string `json:"reason" doc:"Why it was not kept: too_large, too_many, too_deep, type, broken, infected."`
}

type arrivalShown struct {
	ID       string           `json:"id" doc:"The id of the message."`
	TenantID string           `json:"tenantId" doc:"The tenant whose it is."`
	Channel  string           `json:"channel" enum:"sms,email" doc:"The channel."`
	From     string           `json:"from" doc:"The person's number in E.164, or their email address."`
	Name     string           `json:"name,omitempty" doc:"What the person calls themselves."`
	To       string           `json:"to" doc:"The number or the address that it came to."`
	At       string           `json:"at" doc:"When it came."`
	Subject  string           `json:"subject,omitempty" doc:"Of an email."`
	Text     string           `json:"text" doc:"What is new in it: without quoted history and signature."`
	Held     string           `json:"held,omitempty" doc:"Why it reaches no conversation: infected, forged, spam, bounce, complaint, loop, automatic, list."`
	Outcome  string           `json:"outcome,omitempty" doc:"What has become of it: claimed, unclaimed, opted_out, opted_in, held. It is missing until that is known."`
	Files    []arrivalFile    `json:"files" doc:"What was attached and is kept."`
	LeftOut  []arrivalLeftOut `json:"leftOut" doc:"What was not kept."`
}

type arrivalOutput struct{ Body arrivalShown }

// getArrival shows a message of a tenant that the caller may see; any other is not there.
func (o *service) getArrival(ctx context.Context, in *arrivalInput) (*arrivalOutput, error) {
	id, err := model.Parse[model.EventID](in.ArrivalID)
	if err != nil {
		return nil, dynamo.ErrNotFound
	}
	m, err := o.rooms.Arrivals.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if !httpapi.CallerOf(ctx).Sees(m.TenantID) {
		return nil, dynamo.ErrNotFound
	}
	s := arrivalShown{
		ID: in.ArrivalID, TenantID: string(m.TenantID), Channel: string(m.Channel), From: m.Person,
		Name: model.ShownLine(m.SenderName), To: m.Business, At: string(m.ReceivedAt),
		Subject: model.ShownLine(m.Subject), Text: model.Shown(m.Text), Held: m.Held, Outcome: m.Outcome,
		Files: make([]arrivalFile, len(m.Files)), LeftOut: make([]arrivalLeftOut, len(m.LeftOut)),
	}
	for i, file := range m.Files {
		how := disposition(model.Media{DetectedType: file.Type, Filename: file.Name})
		address, err := o.bucket.Link(ctx, file.Key, linkLasts, url.Values{
			"response-content-type": {file.Type}, "response-content-disposition": {how}})
		if err != nil {
			return nil, err
		}
		s.Files[i] = arrivalFile{model.ShownLine(file.Name), file.Type, file.Size, address,
			string(model.At(o.rooms.Now().Add(linkLasts)))}
	}
	for i, part := range m.LeftOut {
		s.LeftOut[i] = arrivalLeftOut{model.ShownLine(part.Name), part.Reason}
	}
	return &arrivalOutput{s}, nil
}
