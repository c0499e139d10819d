package commerceapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) followUps() {
	const path = "/v1/stores/{storeId}/follow-ups"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-follow-ups", Method: http.MethodGet, Path: path, Tags: []string{ordersTag},
		Summary: "List what could not follow from a store's orders yet",
		Description: "Changes of orders whose figures, stock or messages failed, with the reason. One is tried " +
			"again for a day, and then parked.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listFollowUps)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "retry-follow-up", Method: http.MethodPost, Path: path + "/{orderId}/{version}/retry",
		Tags:    []string{ordersTag},
		Summary: "Try again what could not follow from a change of an order",
		Description: "Within a quarter of an hour, and then for a day. A message about a step is only sent if the " +
			"order is still in it.",
		Security: httpapi.Needs(httpapi.OrdersWrite), Errors: []int{http.StatusNotFound},
		DefaultStatus: http.StatusAccepted,
	}, func(ctx context.Context, in *followUpInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetOrder, in.OrderID)
	}, o.retryFollowUp)
}

type followUpShown struct {
	OrderID       string `json:"orderId" doc:"The order."`
	Version       int64  `json:"version" doc:"That the change made."`
	Status        string `json:"status,omitempty" doc:"The state that the change brought the order into; left out if it kept its state."`
	State         string `json:"state" enum:"waiting,parked" doc:"waiting: it is tried again. parked: it is not."`
	Failures      int64  `json:"failures" doc:"How often it failed."`
	FirstFailedAt string `json:"firstFailedAt" doc:"When it failed first."`
	Reason        string `json:"reason" doc:"Why it failed last."`
	NextTryAt     string `json:"nextTryAt,omitempty" doc:"When it is tried again, by the next sweep after that."`
}

func showFollowUp(f commercemodel.FollowUp) followUpShown {
	all := followUpShown{
		OrderID: string(f.Change.OrderID), Version: f.Change.Version, Status: string(f.Change.To), State: "parked",
		Failures:      f.Failures,
		FirstFailedAt: string(f.FirstFailedAt), Reason: f.LastError,
	}
	if f.GSI1PK == keys.FollowUpsAside {
		all.State, all.NextTryAt = "waiting", string(f.GSI1SK)
	}
	return all
}

type listFollowUpsInput struct {
	StoreInput
	httpapi.Page
}

type followUpListOutput struct{ Body httpapi.List[followUpShown] }

func (o *service) listFollowUps(ctx context.Context, in *listFollowUpsInput) (*followUpListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "follow-ups", string(store.ID))
	if err != nil {
		return nil, err
	}
	rows, err := o.shop.Waiting.List(ctx, store.ID, in.Probe(), l.After)
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(f commercemodel.FollowUp) httpapi.Position { return l.Position(f.SK) })
	return &followUpListOutput{operations.ListOf(rows, showFollowUp, next)}, nil
}

type followUpInput struct {
	OrderInput
	Version int64 `path:"version" minimum:"1" doc:"The version that the change made."`
}

func (o *service) retryFollowUp(ctx context.Context, in *followUpInput, store commercemodel.Store) (*struct{}, error) {
	id, err := name(in.OrderID)
	if err != nil {
		return nil, err
	}
	return nil, o.shop.Waiting.Again(ctx, store.ID, id, in.Version)
}
