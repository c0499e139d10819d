package main

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
)

func (o *operations) numbers(api huma.API) {
	const tag = "Numbers"
	read(o, api, huma.Operation{
		OperationID: "list-numbers", Method: http.MethodGet, Path: "/v1/numbers", Tags: []string{tag},
		Summary: "List your numbers, and whether they can send", Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "A number stops sending when the platform refuses everything it sends: its token has expired, or it is restricted. " +
			"Messages wait meanwhile, and lose nothing.",
	}, o.listNumbers)
	change(o, api, huma.Operation{
		OperationID: "resume-number", Method: http.MethodPost, Path: "/v1/numbers/{phoneNumberId}/resume", Tags: []string{tag},
		Summary: "Have a stopped number send again", DefaultStatus: http.StatusNoContent,
		Description: "For when the cause is mended. One waiting message is tried within about a minute, and the others follow when it has gone out. " +
			"Where the cause is not mended the number stops again.",
		Security: httpapi.Needs(httpapi.OutboxReplay), Errors: []int{http.StatusNotFound},
	}, o.ownNumber, func(ctx context.Context, _ *numberInput, phone model.PhoneNumberID) (*done, error) {
		return nil, o.outbox.Resume(ctx, messaging.SenderGroup(phone))
	})
}

type numberInput struct {
	PhoneNumberID string `path:"phoneNumberId" maxLength:"512" example:"106540352242922"`
}

// ownNumber finds a number that the caller may have send again.
func (o *operations) ownNumber(ctx context.Context, in *numberInput) (model.PhoneNumberID, subject, error) {
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return "", subject{}, err
	}
	tenant, err := o.tenantOf(ctx, phone, httpapi.Caller.Owns)
	return phone, subject{tenant: tenant, target: audit.Target{Type: messaging.TargetNumber, ID: string(phone)}}, err
}

type listNumbersInput struct {
	TenantID string `query:"tenantId" maxLength:"512" doc:"One of your tenants; leave it out for all of them."`
}

type numberState struct {
	PhoneNumberID      string `json:"phoneNumberId" doc:"The platform's id of the number."`
	TenantID           string `json:"tenantId"`
	WABAID             string `json:"wabaId,omitempty" doc:"Its WhatsApp Business Account."`
	DisplayPhoneNumber string `json:"displayPhoneNumber,omitempty" doc:"The number as people write it."`
	StoppedUntil       string `json:"stoppedUntil,omitempty" doc:"Until when it sends nothing; absent while it sends."`
	StopReason         string `json:"stopReason,omitempty" doc:"What the platform said when it refused."`
	Waiting            int    `json:"waiting" doc:"How many messages wait for the number to send again, counted up to 1000."`
}

type numberList struct {
	Numbers []numberState `json:"numbers"`
}

type numberListOutput struct{ Body numberList }

func (o *operations) listNumbers(ctx context.Context, in *listNumbersInput) (*numberListOutput, error) {
	caller := httpapi.CallerOf(ctx)
	tenants := caller.Tenants
	if in.TenantID != "" {
		tenants = []model.TenantID{model.TenantID(in.TenantID)}
		if !caller.Sees(tenants[0]) {
			return nil, httpapi.NotFound()
		}
	}
	var phones []model.Phone
	for _, tenant := range tenants {
		of, err := o.store.Phones(ctx, tenant)
		if err != nil {
			return nil, err
		}
		phones = append(phones, of...)
	}
	slices.SortFunc(phones, func(a, b model.Phone) int { return cmp.Compare(a.PhoneNumberID, b.PhoneNumberID) })
	out := &numberListOutput{numberList{Numbers: make([]numberState, len(phones))}}
	jobs := make([]func() error, len(phones))
	for i, phone := range phones {
		jobs[i] = func() (err error) {
			out.Body.Numbers[i], err = o.showNumber(ctx, phone)
			return err
		}
	}
	for _, err := range lanes.SideBySide(numbersAtOnce, jobs...) {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// numbersAtOnce is how many numbers' states are read side by side.
const numbersAtOnce = 16

func (o *operations) showNumber(ctx context.Context, phone model.Phone) (numberState, error) {
	group, err := o.outbox.GroupOf(ctx, messaging.SenderGroup(phone.PhoneNumberID))
	if err != nil {
		return numberState{}, err
	}
	shown := numberState{
		PhoneNumberID: string(phone.PhoneNumberID), TenantID: string(phone.TenantID), WABAID: string(phone.WABAMetaID),
		DisplayPhoneNumber: phone.DisplayPhoneNumber, StopReason: group.Reason, Waiting: group.Waiting,
	}
	if !group.StoppedUntil.IsZero() {
		shown.StoppedUntil = string(model.At(group.StoppedUntil))
	}
	return shown, nil
}
