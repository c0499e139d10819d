package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const (
	codesPath   = "/v1/numbers/{phoneNumberId}/qr-codes"
	blockedPath = "/v1/numbers/{phoneNumberId}/blocked"
)

// qrCodes puts the operations on the QR codes and short links of a number.
func (o *service) qrCodes() {
	tags, manage := []string{"Numbers"}, httpapi.Needs(httpapi.TenantsManage)
	conflicts := []int{http.StatusNotFound, http.StatusConflict}
	const asked = "Meta is asked within seconds: `asked` says what became of it."
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-qr-codes", Method: http.MethodGet, Path: codesPath, Tags: tags,
		Summary:  "List a number's QR codes and short links, the latest first",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "Those that were made elsewhere show after a sync.",
	}, o.listQRCodes)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-qr-code", Method: http.MethodGet, Path: codesPath + "/{id}", Tags: tags,
		Summary: "Get a QR code and its short link", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *QRCodeInput) (*qrCodeOutput, error) {
		found, err := o.entry(ctx, &in.NumberInput, numbers.KindQRCodes, model.Name(in.ID))
		return &qrCodeOutput{showQRCode(found)}, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-qr-code", Method: http.MethodPost, Path: codesPath, Tags: tags, Security: manage,
		Summary: "Make a QR code and a short link to the chat with a number", DefaultStatus: http.StatusAccepted,
		Errors: conflicts, Description: "Customers find a message written. " + asked,
	}, func(ctx context.Context, in *createQRCodeInput) (numbers.Of, operations.Subject, error) {
		return o.ofNumber(ctx, &in.NumberInput)
	}, o.createQRCode)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-qr-code", Method: http.MethodPut, Path: codesPath + "/{id}", Tags: tags, Security: manage,
		Summary: "Give a QR code another message", DefaultStatus: http.StatusAccepted, Errors: conflicts,
		Description: asked,
	}, func(ctx context.Context, in *changeQRCodeInput) (numbers.Of, operations.Subject, error) {
		return o.ofEntry(ctx, &in.NumberInput, in.ID)
	}, o.changeQRCode)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-qr-code", Method: http.MethodDelete, Path: codesPath + "/{id}", Tags: tags,
		Security: manage, Summary: "Delete a QR code and its short link", DefaultStatus: http.StatusNoContent,
		Errors: conflicts, Description: "At Meta first; it shows until it is gone there.",
	}, func(ctx context.Context, in *QRCodeInput) (numbers.Of, operations.Subject, error) {
		return o.ofEntry(ctx, &in.NumberInput, in.ID)
	}, func(ctx context.Context, in *QRCodeInput, of numbers.Of) (*done, error) {
		return nil, o.rooms.NumberSettings.Delete(ctx, of, numbers.KindQRCodes, model.Name(in.ID))
	})
}

// blocked puts the operations on people whom a number has blocked.
func (o *service) blocked() {
	tags, write := []string{"Numbers"}, httpapi.Needs(httpapi.InboxWrite)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-blocked-people", Method: http.MethodGet, Path: blockedPath, Tags: tags,
		Summary:  "List the people whom a number has blocked, the latest first",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "With those whom Meta did not block: `asked` says why. People who were blocked elsewhere show " +
			"after a sync.",
	}, o.listBlocked)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-blocked-person", Method: http.MethodGet, Path: blockedPath + "/{customerId}", Tags: tags,
		Summary: "Get whether a number has blocked a person", Security: httpapi.Needs(httpapi.InboxRead),
		Errors: []int{http.StatusNotFound}, Description: "404 if nobody has asked for it.",
	}, func(ctx context.Context, in *blockedInput) (*blockedOutput, error) {
		name := keys.Blocked(model.PhoneNumberID(in.PhoneNumberID), model.CustomerID(in.CustomerID))
		found, err := o.entry(ctx, &in.NumberInput, numbers.KindBlocked, name)
		return &blockedOutput{showBlocked(found)}, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "block-person", Method: http.MethodPut, Path: blockedPath + "/{customerId}", Tags: tags,
		Security: write, Summary: "Have a number block a person", DefaultStatus: http.StatusAccepted,
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "They cannot write to it, and it cannot write to them. WhatsApp lets only people be blocked who " +
			"have written within 24 hours. Meta is asked within seconds: `asked` says what became of it.",
	}, o.blockable, func(ctx context.Context, in *blockedInput, of numbers.Of) (*blockedOutput, error) {
		after, err := o.rooms.NumberSettings.Block(ctx, of, model.CustomerID(in.CustomerID))
		return &blockedOutput{showBlocked(after)}, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "unblock-person", Method: http.MethodDelete, Path: blockedPath + "/{customerId}", Tags: tags,
		Security: write, Summary: "Have a number unblock a person", DefaultStatus: http.StatusNoContent,
		Errors: []int{http.StatusNotFound}, Description: "At Meta first; they show until it is done there.",
	}, o.blockable, func(ctx context.Context, in *blockedInput, of numbers.Of) (*done, error) {
		return nil, o.rooms.NumberSettings.Delete(ctx, of, numbers.KindBlocked,
			keys.Blocked(of.Phone.PhoneNumberID, model.CustomerID(in.CustomerID)))
	})
}

// ofEntry finds an entry of a number whose settings the caller may change.
func (o *service) ofEntry(ctx context.Context, in *NumberInput, id string) (numbers.Of, operations.Subject, error) {
	of, about, err := o.ofNumber(ctx, in)
	if err == nil {
		_, err = o.rooms.NumberSettings.Entry(ctx, of.Phone.PhoneNumberID, numbers.KindQRCodes, model.Name(id))
	}
	return of, about, err
}

// qrCode is a code with what is wanted of it and what Meta has.
type qrCode struct {
	ID     string             `json:"id" doc:"Its id, for the paths of other operations."`
	Wanted *numbers.QRCode    `json:"wanted,omitempty" doc:"What was set here; absent if it was made elsewhere."`
	Meta   *numbers.HasQRCode `json:"meta,omitempty" doc:"What Meta has, with the link; absent until it has it."`
	SettingState
}

func showQRCode(s numbers.Setting) qrCode {
	return qrCode{
		ID: string(s.Name), Wanted: partOf[numbers.QRCode](s.Wanted), Meta: partOf[numbers.HasQRCode](s.Meta),
		SettingState: showState(s)}
}

type qrCodeOutput struct{ Body qrCode }

type qrCodesOutput struct{ Body httpapi.List[qrCode] }

type numberListInput struct {
	NumberInput
	httpapi.Page
}

// entries lists what a number has several of.
func (o *service) entries(ctx context.Context, in *numberListInput, kind model.Name) (all []numbers.Setting,
	next httpapi.Position, err error) {
	id, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return nil, next, err
	}
	list, err := operations.PageOf(in.Page, "settings", in.PhoneNumberID, string(kind))
	if err != nil {
		return nil, next, err
	}
	if _, err := o.number(ctx, id, httpapi.Caller.Sees); err != nil {
		return nil, next, err
	}
	all, place, err := o.rooms.NumberSettings.List(ctx, id, kind, in.Limit, list.After)
	return all, list.Position(place), err
}

// entry finds an entry of a number that the caller may see.
func (o *service) entry(ctx context.Context, in *NumberInput, kind, name model.Name) (numbers.Setting, error) {
	id, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return numbers.Setting{}, err
	}
	if _, err := o.number(ctx, id, httpapi.Caller.Sees); err != nil {
		return numbers.Setting{}, err
	}
	return o.rooms.NumberSettings.Entry(ctx, id, kind, name)
}

func (o *service) listQRCodes(ctx context.Context, in *numberListInput) (*qrCodesOutput, error) {
	all, next, err := o.entries(ctx, in, numbers.KindQRCodes)
	return &qrCodesOutput{operations.ListOf(all, showQRCode, next)}, err
}

type createQRCodeInput struct {
	NumberInput
	operations.Keyed
	Body numbers.QRCode
}

func (o *service) createQRCode(ctx context.Context, in *createQRCodeInput, of numbers.Of) (*qrCodeOutput, error) {
	request, err := in.RequestOf(ctx, of.Phone.TenantID, in.PhoneNumberID, "create-qr-code", in.Body)
	if err != nil {
		return nil, err
	}
	made, err := o.rooms.NumberSettings.Create(ctx, of, in.Body, request)
	return &qrCodeOutput{showQRCode(made)}, err
}

type QRCodeInput struct {
	NumberInput
	ID string `path:"id" maxLength:"512" doc:"The id of the code."`
}

type changeQRCodeInput struct {
	QRCodeInput
	Body numbers.QRCode
}

func (o *service) changeQRCode(ctx context.Context, in *changeQRCodeInput, of numbers.Of) (*qrCodeOutput, error) {
	after, err := o.rooms.NumberSettings.Change(ctx, of, model.Name(in.ID), in.Body)
	return &qrCodeOutput{showQRCode(after)}, err
}

type blockedPerson struct {
	CustomerID string `json:"customerId" doc:"The phone number or the business-scoped user id."`
	Blocked    bool   `json:"blocked" doc:"Whether Meta has blocked them."`
	SettingState
}

func showBlocked(s numbers.Setting) blockedPerson {
	return blockedPerson{CustomerID: string(s.CustomerID), Blocked: len(s.Meta) > 0, SettingState: showState(s)}
}

type blockedOutput struct{ Body blockedPerson }

type blockedPeopleOutput struct{ Body httpapi.List[blockedPerson] }

func (o *service) listBlocked(ctx context.Context, in *numberListInput) (*blockedPeopleOutput, error) {
	all, next, err := o.entries(ctx, in, numbers.KindBlocked)
	return &blockedPeopleOutput{operations.ListOf(all, showBlocked, next)}, err
}

type blockedInput struct {
	NumberInput
	CustomerID string `path:"customerId" maxLength:"512" example:"919876543210" doc:"The person, as in the id of their conversation."`
}

// blockable finds a number that the caller may have block a person. The audit record names the person by a hash.
func (o *service) blockable(ctx context.Context, in *blockedInput) (of numbers.Of, about operations.Subject,
	err error) {
	if of, about, err = o.ofNumber(ctx, &in.NumberInput); err != nil {
		return of, about, err
	}
	customer, err := model.ParseCustomer(in.CustomerID)
	if err == nil {
		about.Target = erasure.ConversationTarget(of.Phone.TenantID, of.Phone.PhoneNumberID, customer)
	}
	return of, about, err
}
