package khataapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) claims() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-payment-claims", Method: http.MethodGet, Path: path + "/claims", Tags: []string{khataTag},
		Summary: "List what customers say that they have paid",
		Description: "Those of a state, the newest first. An open claim is no entry yet: somebody of the shop looks " +
			"whether the money has come, and confirms or refuses it, here or by the buttons on WhatsApp.",
		Security: httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound},
	}, o.listClaims)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "confirm-payment-claim", Method: http.MethodPost, Path: path + "/claims/{claimId}/confirm",
		Tags:    []string{khataTag},
		Summary: "Confirm that a customer has paid",
		Description: "The claim becomes a payment in the customer's ledger, and the customer is told. A claim is " +
			"settled once: of two who settle it, here or on WhatsApp, the second changes nothing. Repeating the " +
			"request changes nothing.",
		Security: httpapi.Needs(httpapi.KhataAdd), Errors: addErrors,
	}, func(ctx context.Context, in *claimInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetClaim, in.ClaimID)
	}, func(ctx context.Context, in *claimInput, store khata.Shop) (*claimOutput, error) {
		return o.settleClaim(ctx, in, store, true)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "refuse-payment-claim", Method: http.MethodPost, Path: path + "/claims/{claimId}/refuse",
		Tags:    []string{khataTag},
		Summary: "Say that a customer's payment was not found",
		Description: "Nothing is written down, and the customer is told so. Repeating the request changes nothing; a " +
			"claim that was settled otherwise stays as it is.",
		Security: httpapi.Needs(httpapi.KhataAdd), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *claimInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetClaim, in.ClaimID)
	}, func(ctx context.Context, in *claimInput, store khata.Shop) (*claimOutput, error) {
		return o.settleClaim(ctx, in, store, false)
	})
}

const targetClaim = "payment_claim"

type claimShown struct {
	ID          string           `json:"id" doc:"The claim's id."`
	Customer    string           `json:"customer" doc:"Who says so: the number, or Meta's user id."`
	Amount      operations.Money `json:"amount" doc:"What they say that they have paid."`
	ReferenceID string           `json:"referenceId,omitempty" doc:"The reference of the UPI payment, if they have named it."`
	State       string           `json:"state" enum:"open,confirmed,refused,withdrawn" doc:"What has become of it. It is withdrawn if the customer has deleted the message."`
	SaidAt      string           `json:"saidAt" format:"date-time" doc:"When they have said it."`
	MessageID   string           `json:"messageId" doc:"The message by which they have said it."`
	SettledAt   string           `json:"settledAt,omitempty" format:"date-time" doc:"When it was settled."`
	SettledBy   string           `json:"settledBy,omitempty" doc:"Who has confirmed or refused it: a subject, or the shop's number."`
	EntryID     string           `json:"entryId,omitempty" doc:"The entry that it has become."`
}

func showClaim(c khatamodel.Claim, customer string) claimShown {
	return claimShown{
		ID: string(c.ClaimID), Customer: customer, Amount: operations.MoneyOf(c.Amount), ReferenceID: c.ReferenceID,
		State: string(c.State), SaidAt: string(c.CreatedAt), MessageID: string(c.MessageID),
		SettledAt: string(c.SettledAt), SettledBy: c.SettledBy, EntryID: string(c.TransactionID),
	}
}

func ofClaim(c khatamodel.Claim) model.Name { return c.CustomerPhone }

type (
	claimOutput     struct{ Body claimShown }
	claimListOutput struct{ Body httpapi.List[claimShown] }
)

type listClaimsInput struct {
	StoreInput
	httpapi.Page
	State string `query:"state" enum:"open,confirmed,refused,withdrawn" default:"open" doc:"Of which state."`
}

func (o *service) listClaims(ctx context.Context, in *listClaimsInput) (*claimListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "claims", in.StoreID, in.State)
	if err != nil {
		return nil, err
	}
	rows, err := o.khata.Claims.List(ctx, store.ID, khatamodel.ClaimState(in.State), in.Probe(), model.Name(l.After))
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(c khatamodel.Claim) httpapi.Position { return l.Position(string(c.ClaimID)) })
	show, err := shownAs(ctx, o, store, rows, ofClaim, showClaim)
	if err != nil {
		return nil, err
	}
	return &claimListOutput{operations.ListOf(rows, show, next)}, nil
}

type claimInput struct {
	StoreInput
	ClaimID string `path:"claimId" maxLength:"64" doc:"The claim's id."`
}

func (o *service) settleClaim(ctx context.Context, in *claimInput, store khata.Shop, yes bool) (*claimOutput, error) {
	id, err := model.Parse[model.Name](in.ClaimID)
	if err != nil {
		return nil, err
	}
	claim, err := o.khata.Chat.Settle(ctx, store, id, yes, httpapi.CallerOf(ctx).Subject, sourceAPI)
	if err != nil {
		return nil, err
	}
	show, err := shownAs(ctx, o, store, []khatamodel.Claim{claim}, ofClaim, showClaim)
	if err != nil {
		return nil, err
	}
	return &claimOutput{show(claim)}, nil
}
