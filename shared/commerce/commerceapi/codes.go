package commerceapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/codes"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) codes() {
	const path = "/v1/stores/{storeId}/codes"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-codes", Method: http.MethodGet, Path: path, Tags: []string{codesTag},
		Summary: "List a store's discount codes", Description: "By name, with how often each was used.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listCodes)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-code", Method: http.MethodPut, Path: path + "/{code}", Tags: []string{codesTag},
		Summary: "Create or change a discount code",
		Description: "It replaces what is set of the code. Give the version that you have read; leave it out for a " +
			"new code. How often it was used stays, and orders keep what it has taken off them.",
		Security: httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setCodeInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetCode, in.Code)
	}, o.setCode)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-code", Method: http.MethodDelete, Path: path + "/{code}", Tags: []string{codesTag},
		Summary:     "Delete a discount code",
		Description: "It counts no more, and how often customers have used it is forgotten. To keep that, set ends.",
		Security:    httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusNoContent,
	}, func(ctx context.Context, in *CodeInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetCode, in.Code)
	}, func(ctx context.Context, in *CodeInput, found commercemodel.Store) (*struct{}, error) {
		code, err := in.code()
		if err != nil {
			return nil, err
		}
		return nil, o.shop.Codes.Delete(ctx, found.ID, code)
	})
}

// CodeInput names a store's discount code.
type CodeInput struct {
	StoreInput
	Code string `path:"code" maxLength:"20" example:"DIWALI10" doc:"The code: 3 to 20 letters and digits. Small letters count as capital ones."`
}

func (in CodeInput) code() (model.Name, error) {
	code, ok := codes.Parse(in.Code)
	if !ok {
		return "", dynamo.ErrNotFound
	}
	return code, nil
}

// CodeBody is what is set of a discount code.
type CodeBody struct {
	Percent        Quantity `json:"percent,omitempty" pattern:"^[0-9]{1,3}(\\.[0-9]{1,2})?$" example:"10" doc:"How much of a hundred it takes off."`
	Amount         Quantity `json:"amount,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"How much money it takes off, in place of a percentage."`
	From           Quantity `json:"from,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"The least that the lines of an order cost. Left out, it counts for every order."`
	Starts         string   `json:"starts,omitempty" format:"date" maxLength:"10" doc:"The first day on which it counts, by the store's clock."`
	Ends           string   `json:"ends,omitempty" format:"date" maxLength:"10" doc:"The last day on which it counts."`
	MaxUses        *int64   `json:"maxUses,omitempty" minimum:"1" maximum:"1000000000" doc:"How often it counts in total. Left out, there is no limit."`
	MaxPerCustomer *int64   `json:"maxPerCustomer,omitempty" minimum:"1" maximum:"1000000" doc:"How often it counts for one customer. Left out, there is no limit."`
}

type codeShown struct {
	Code    string `json:"code" doc:"The code."`
	StoreID string `json:"storeId" doc:"Whose it is."`
	Version int64  `json:"version" doc:"Increases with every change. A use changes nothing."`
	CodeBody
	Used      int64  `json:"used" doc:"How many orders have used it that were not cancelled."`
	CreatedAt string `json:"createdAt" doc:"When it was created."`
	UpdatedAt string `json:"updatedAt" doc:"When it changed last."`
}

type codeOutput struct{ Body codeShown }

type setCodeInput struct {
	CodeInput
	Body struct {
		Version int64 `json:"version,omitempty" minimum:"0" doc:"The version that you have read; leave it out for a new code."`
		CodeBody
	}
}

func (o *service) setCode(ctx context.Context, in *setCodeInput, found commercemodel.Store) (*codeOutput, error) {
	code, ok := codes.Parse(in.Code)
	if !ok {
		return nil, httpapi.Invalid("path.code", "3 to 20 letters and digits")
	}
	var wrong fieldProblems
	b := in.Body.CodeBody
	discount := commercemodel.Discount{
		Percent: wrong.amount(b.Percent, "body.percent"), Amount: wrong.amount(b.Amount, "body.amount")}
	if from := wrong.amount(b.From, "body.from"); from != nil {
		discount.From = *from
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	c, err := o.shop.Codes.Set(ctx, found, code, in.Body.Version, func(c *commercemodel.Code) {
		c.Discount, c.Starts, c.Ends = discount, b.Starts, b.Ends
		c.MaxUses, c.MaxPerCustomer = b.MaxUses, b.MaxPerCustomer
	})
	return &codeOutput{showCode(c)}, err
}

func showCode(c commercemodel.Code) codeShown {
	return codeShown{
		Code: string(c.Code), StoreID: string(c.StoreID), Version: c.Version, Used: c.Used,
		CodeBody: CodeBody{
			Percent: shown(c.Discount.Percent), Amount: shown(c.Discount.Amount),
			From: Quantity(c.Discount.From.String()), Starts: c.Starts, Ends: c.Ends,
			MaxUses: c.MaxUses, MaxPerCustomer: c.MaxPerCustomer},
		CreatedAt: string(c.CreatedAt), UpdatedAt: string(c.UpdatedAt),
	}
}

type listCodesInput struct {
	StoreInput
	httpapi.Page
}

type codeListOutput struct{ Body httpapi.List[codeShown] }

func (o *service) listCodes(ctx context.Context, in *listCodesInput) (*codeListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "codes", string(store.ID))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.shop.Codes.List(ctx, store.ID, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &codeListOutput{operations.ListOf(rows, showCode, l.Position(next))}, nil
}
