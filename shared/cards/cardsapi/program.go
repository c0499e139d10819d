package cardsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const programTag = "Card program"

func (o *service) program() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-card-program", Method: http.MethodGet, Path: "/v1/cards/program", Tags: []string{programTag},
		Summary: "Get a tenant's card program", Security: httpapi.Needs(httpapi.CardsRead),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.getProgram)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-card-program", Method: http.MethodPut, Path: "/v1/cards/program", Tags: []string{programTag},
		Summary: "Set up or change a tenant's card program",
		Description: "It replaces the program: the number that messages are sent from, the admins who decide by " +
			"WhatsApp, and the policy. Give the version " +
			"that you have read; leave it out for the first. The policy's fields have defaults.",
		Security: httpapi.Needs(httpapi.CardsDecide), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setProgramInput) (model.TenantID, operations.Subject, error) {
		tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Owns)
		return tenant, operations.Subject{}, err
	}, o.setProgram)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "confirm-card-admin", Method: http.MethodPost, Path: "/v1/cards/program/admins/{adminId}/confirm",
		Tags:    []string{programTag},
		Summary: "Confirm an admin whose number has changed hands",
		Description: "WhatsApp tells when somebody gives up a number. An admin's number is suspended then: nobody " +
			"who has it is asked, or may answer. " +
			"Confirm it when the right person has the number, or change the admin's number in the program.",
		Security: httpapi.Needs(httpapi.CardsDecide), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *confirmAdminInput) (model.TenantID, operations.Subject, error) {
		tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Owns)
		return tenant, operations.Subject{}, err
	}, o.confirmAdmin)
}

type cardProgram struct {
	TenantID      string       `json:"tenantId" doc:"Whose program it is."`
	Version       int64        `json:"version" doc:"Increases with every change."`
	PhoneNumberID string       `json:"phoneNumberId" doc:"Meta's id of the number that messages are sent from."`
	Language      string       `json:"language" enum:"en,hi,es" doc:"In which people are written to whose language is unknown."`
	Admins        []shownAdmin `json:"admins" doc:"Who decides by WhatsApp: up to ten."`
	Policy        CardPolicy   `json:"policy" doc:"What follows from scores, and from payments."`
	UpdatedAt     string       `json:"updatedAt" doc:"When it changed last."`
}

// CardAdmin is an admin.
type CardAdmin struct {
	ID       string `json:"id" minLength:"1" maxLength:"40" pattern:"^[A-Za-z0-9_-]+$" doc:"A short name that you choose. Audit records name the admin by it."`
	Name     string `json:"name" minLength:"1" maxLength:"100" doc:"What the admin is called."`
	Phone    string `json:"phone" maxLength:"20" pattern:"^\\+[0-9]{8,15}$" example:"+919811111111" doc:"The admin's number, as in E.164."`
	WAUserID string `json:"waUserId,omitempty" maxLength:"131" pattern:"^[A-Z]{2}\\.[A-Za-z0-9.]+$" doc:"Meta's user id of the admin, who may hide the number."`
	Subject  string `json:"subject,omitempty" maxLength:"128" doc:"The subject of the admin's tokens, so that audit records name one person."`
	Language string `json:"language,omitempty" enum:"en,hi,es" doc:"In which the admin is written to; the program's where it is left out."`
}

// shownAdmin is an admin as the API shows them.
type shownAdmin struct {
	CardAdmin
	Suspended bool `json:"suspended,omitempty" doc:"Whether the number has passed to somebody else. The admin is neither asked nor may answer until somebody confirms the number."`
}

// CardPolicy is the card policy of a tenant.
type CardPolicy struct {
	MediumFrom      *int              `json:"mediumFrom,omitempty" minimum:"1" maximum:"1000" doc:"The lowest score of the medium tier. Default 500."`
	HighFrom        *int              `json:"highFrom,omitempty" minimum:"1" maximum:"1000" doc:"The lowest score of the high tier, whose requests are approved at once. Default 700."`
	ApprovalSeconds *int              `json:"approvalSeconds,omitempty" minimum:"1" maximum:"2592000" doc:"How long admins may take to answer. Default 172800, which is two days."`
	Products        []CardProduct     `json:"products,omitempty" maxItems:"20" doc:"The cards that users may ask for. Default: standard."`
	MinimumShare    *operations.Money `json:"minimumShare,omitempty" pattern:"^(0(\\.[0-9]{1,4})?|1)$" doc:"The part of the balance that is due. Default 0.05."`
	MinimumPayment  *operations.Money `json:"minimumPayment,omitempty" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" doc:"But no less than this, or the balance. Default 100."`
	BillingDays     *int              `json:"billingDays,omitempty" minimum:"1" maximum:"365" doc:"From one due date to the next. Default 30."`
	OnTimePoints    *int              `json:"onTimePoints,omitempty" minimum:"0" maximum:"1000" doc:"What a payment in time of at least the minimum adds to the score. Default 5."`
	LatePoints      []LatePayment     `json:"latePoints,omitempty" maxItems:"20" doc:"What a late payment takes from it. Default: 5 up to 7 days, 20 up to 30 days, else 50."`
	Ceiling         *operations.Money `json:"ceiling,omitempty" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" doc:"The most for one purchase or payment. Default 1000000."`
	ApproveWords    []string          `json:"approveWords,omitempty" maxItems:"20" doc:"Words that approve, beside those of English, Hindi and Spanish."`
	RejectWords     []string          `json:"rejectWords,omitempty" maxItems:"20" doc:"Words that reject, beside them."`
}

// CardProduct is a card that users may ask for.
type CardProduct struct {
	ID     string           `json:"id" minLength:"1" maxLength:"40" pattern:"^[A-Za-z0-9_-]+$" example:"standard" doc:"The product's id."`
	Name   string           `json:"name" minLength:"1" maxLength:"60" doc:"What people are told it is called."`
	Low    operations.Money `json:"limitLow" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" doc:"The limit in the low tier."`
	Medium operations.Money `json:"limitMedium" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" doc:"The limit in the medium tier."`
	High   operations.Money `json:"limitHigh" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" doc:"The limit in the high tier."`
}

// LatePayment is what a late payment takes from the score.
type LatePayment struct {
	UpToDays int `json:"upToDays" minimum:"0" maximum:"3650" doc:"For payments up to so many days late; 0 for any number, in the last entry."`
	Points   int `json:"points" minimum:"-1000" maximum:"0" doc:"What is added to the score: not positive."`
}

type programOutput struct{ Body cardProgram }

type setProgramInput struct {
	operations.TenantInput
	Body struct {
		Version       int64       `json:"version,omitempty" minimum:"0" doc:"The version that you have read; leave it out for the first."`
		PhoneNumberID string      `json:"phoneNumberId" maxLength:"20" doc:"Meta's id of one of your numbers."`
		Language      string      `json:"language,omitempty" enum:"en,hi,es" default:"en" doc:"In which people are written to whose language is unknown."`
		Admins        []CardAdmin `json:"admins" maxItems:"10" doc:"Who decides by WhatsApp."`
		Policy        CardPolicy  `json:"policy,omitempty" doc:"What follows from scores, and from payments."`
	}
}

func (o *service) getProgram(ctx context.Context, in *operations.TenantInput) (*programOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if caller := httpapi.CallerOf(ctx); err == nil && tenant == "" && len(caller.Tenants) > 0 {
		tenant = caller.Tenants[0]
	}
	if err == nil && tenant == "" {
		err = httpapi.Invalid("query.tenantId", "a program is one tenant's")
	}
	if err != nil {
		return nil, err
	}
	p, err := o.domain.Programs.Get(ctx, tenant)
	return o.shown(ctx, p, err)
}

func (o *service) setProgram(ctx context.Context, in *setProgramInput, tenant model.TenantID) (*programOutput, error) {
	if tenant == "" {
		return nil, dynamo.ErrNotFound
	}
	phone, err := model.ParsePhoneNumberID(in.Body.PhoneNumberID)
	if err != nil {
		return nil, httpapi.Invalid("body.phoneNumberId", "not a number of the tenant")
	}
	next := cardsmodel.Program{
		TenantID: tenant, Version: in.Body.Version, PhoneNumberID: phone, Language: in.Body.Language,
		Admins: []cardsmodel.Admin{}, Policy: in.Body.Policy.policy()}
	for _, a := range in.Body.Admins {
		next.Admins = append(next.Admins, cardsmodel.Admin{
			ID: model.Name(a.ID), Name: a.Name, Phone: a.Phone, WAUserID: model.CustomerID(a.WAUserID),
			Subject: a.Subject, Language: a.Language,
		})
	}
	by, err := o.by(ctx)
	if err != nil {
		return nil, err
	}
	set, err := o.domain.Programs.Set(ctx, next, by)
	return o.shown(ctx, set, err)
}

// shown returns an answer with a program.
func (o *service) shown(ctx context.Context, p cardsmodel.Program, err error) (*programOutput, error) {
	if err != nil {
		return nil, err
	}
	suspended, err := o.domain.Programs.Suspended(ctx, p)
	if err != nil {
		return nil, err
	}
	return &programOutput{showProgram(p, suspended)}, nil
}

type confirmAdminInput struct {
	operations.TenantInput
	AdminID string `path:"adminId" maxLength:"40" doc:"The admin's short name."`
}

func (o *service) confirmAdmin(ctx context.Context, in *confirmAdminInput,
	tenant model.TenantID) (*programOutput, error) {
	id, err := model.Parse[model.Name](in.AdminID)
	if err != nil || tenant == "" {
		return nil, dynamo.ErrNotFound
	}
	by, err := o.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := o.domain.Programs.Confirm(ctx, tenant, id, by)
	return o.shown(ctx, p, err)
}

// policy returns the policy with the defaults in place of what is left out. Its forms have been checked by the schema.
func (p CardPolicy) policy() cardsmodel.Policy {
	all := policy.Default()
	or := func(into *int, given *int) {
		if given != nil {
			*into = *given
		}
	}
	orMoney := func(into *model.Amount, given *operations.Money) {
		if given != nil {
			*into = exact(*given)
		}
	}
	or(&all.MediumFrom, p.MediumFrom)
	or(&all.HighFrom, p.HighFrom)
	or(&all.ApprovalSeconds, p.ApprovalSeconds)
	or(&all.BillingDays, p.BillingDays)
	or(&all.OnTimePoints, p.OnTimePoints)
	orMoney(&all.MinimumShare, p.MinimumShare)
	orMoney(&all.MinimumPayment, p.MinimumPayment)
	orMoney(&all.Ceiling, p.Ceiling)
	all.ApproveWords, all.RejectWords = p.ApproveWords, p.RejectWords
	if len(p.Products) > 0 {
		all.Products = nil
	}
	for _, product := range p.Products {
		all.Products = append(all.Products,
			cardsmodel.Product{ID: model.Name(product.ID), Name: product.Name, Limits: map[cardsmodel.Tier]model.Amount{
				cardsmodel.TierLow: exact(product.Low), cardsmodel.TierMedium: exact(product.Medium),
				cardsmodel.TierHigh: exact(product.High),
			}})
	}
	if len(p.LatePoints) > 0 {
		all.LatePoints = nil
	}
	for _, late := range p.LatePoints {
		all.LatePoints = append(all.LatePoints, cardsmodel.LatePoints{Days: late.UpToDays, Points: late.Points})
	}
	return all
}

// exact returns an amount whose form the schema has checked.
func exact(m operations.Money) model.Amount {
	value, _ := decimal.NewFromString(string(m))
	return model.Amount{Decimal: value}
}

func showProgram(p cardsmodel.Program, suspended map[model.Name]bool) cardProgram {
	shown := cardProgram{
		TenantID: string(p.TenantID), Version: p.Version, PhoneNumberID: string(p.PhoneNumberID), Language: p.Language,
		Admins: []shownAdmin{}, UpdatedAt: string(p.UpdatedAt),
	}
	for _, a := range p.Admins {
		shown.Admins = append(shown.Admins,
			shownAdmin{CardAdmin{string(a.ID), a.Name, a.Phone, string(a.WAUserID), a.Subject, a.Language},
				suspended[a.ID]})
	}
	share, minimum, ceiling := operations.Money(p.Policy.MinimumShare.String()),
		operations.MoneyOf(p.Policy.MinimumPayment), operations.MoneyOf(p.Policy.Ceiling)
	shown.Policy = CardPolicy{
		MediumFrom: &p.Policy.MediumFrom, HighFrom: &p.Policy.HighFrom, ApprovalSeconds: &p.Policy.ApprovalSeconds,
		BillingDays:  &p.Policy.BillingDays,
		OnTimePoints: &p.Policy.OnTimePoints, MinimumShare: &share, MinimumPayment: &minimum, Ceiling: &ceiling,
		ApproveWords: p.Policy.ApproveWords, RejectWords: p.Policy.RejectWords,
	}
	for _, product := range p.Policy.Products {
		shown.Policy.Products = append(shown.Policy.Products, CardProduct{
			string(product.ID), product.Name, operations.MoneyOf(product.Limits[cardsmodel.TierLow]),
			operations.MoneyOf(product.Limits[cardsmodel.TierMedium]),
			operations.MoneyOf(product.Limits[cardsmodel.TierHigh]),
		})
	}
	for _, late := range p.Policy.LatePoints {
		shown.Policy.LatePoints = append(shown.Policy.LatePoints, LatePayment{late.Days, late.Points})
	}
	return shown
}
