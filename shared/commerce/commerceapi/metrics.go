package commerceapi

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/spreadsheet"
)

func (o *service) metrics() {
	const path = "/v1/stores/{storeId}/metrics"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-metrics", Method: http.MethodGet, Path: path, Tags: []string{metricsTag},
		Summary: "List a store's figures by day",
		Description: "The earliest day first; a day without orders is left out. Days are those of the store's time " +
			"zone. A change of an order shows within seconds. Figures are kept for 90 days.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listMetrics)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "export-metrics", Method: http.MethodGet, Path: path + "/export", Tags: []string{metricsTag},
		Summary: "Export a store's figures as CSV", Description: "The days of list-metrics, one a line.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.exportMetrics)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-store-metrics", Method: http.MethodGet, Path: "/v1/store-metrics",
		Tags:    []string{metricsTag},
		Summary: "List all stores' figures of a day",
		Description: "For the platform's operators; everybody else finds nothing. The sum of all stores is brought " +
			"up to date every hour, for the latest week; a customer of two stores counts twice in it.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listStoreMetrics)
}

// maxDays bounds the days of one answer.
const maxDays = 92

type metricsInput struct {
	StoreInput
	DaysInput
}

// DaysInput names some days.
type DaysInput struct {
	From string `query:"from" required:"true" format:"date" maxLength:"10" example:"2026-11-01" doc:"The first day."`
	To   string `query:"to" required:"true" format:"date" maxLength:"10" example:"2026-11-30" doc:"The last day; at most 92 days in all."`
}

func (in DaysInput) check() error {
	from, err := day(in.From, "query.from")
	if err != nil {
		return err
	}
	to, err := day(in.To, "query.to")
	if err != nil {
		return err
	}
	if to.Before(from) || to.Sub(from) >= maxDays*24*time.Hour {
		return httpapi.Invalid("query.to", "not before from, and at most 92 days in all")
	}
	return nil
}

type channelCount struct {
	Channel string `json:"channel" enum:"whatsapp,sms,web,rcs" doc:"Where orders come from."`
	Orders  int64  `json:"orders" doc:"How many do."`
}

type metricsShown struct {
	Date              string           `json:"date" doc:"The day."`
	StoreID           string           `json:"storeId,omitempty" doc:"Whose figures they are; left out for those of all stores."`
	TotalOrders       int64            `json:"totalOrders" doc:"Orders that were made on the day."`
	ConfirmedOrders   int64            `json:"confirmedOrders" doc:"Those of them that were confirmed, and neither cancelled nor refunded since."`
	CancelledOrders   int64            `json:"cancelledOrders" doc:"Those that were cancelled."`
	TotalRevenue      operations.Money `json:"totalRevenue" doc:"What the confirmed ones come to."`
	AverageOrderValue operations.Money `json:"averageOrderValue" doc:"The revenue by all orders."`
	UniqueCustomers   int64            `json:"uniqueCustomers" doc:"How many customers made them."`
	Channels          []channelCount   `json:"channels" doc:"Where they come from."`
	UpdatedAt         string           `json:"updatedAt" doc:"When the figures changed last."`
}

func showMetrics(m commercemodel.Metric) metricsShown {
	v := m.Values
	all := metricsShown{
		Date: m.Date, StoreID: string(m.StoreID), TotalOrders: v.TotalOrders, ConfirmedOrders: v.ConfirmedOrders,
		CancelledOrders: v.CancelledOrders,
		TotalRevenue:    operations.MoneyOf(v.TotalRevenue), AverageOrderValue: operations.MoneyOf(v.AverageOrderValue),
		UniqueCustomers: v.UniqueCustomers,
		Channels:        []channelCount{}, UpdatedAt: string(m.UpdatedAt),
	}
	for channel, n := range m.ChannelBreakdown {
		all.Channels = append(all.Channels, channelCount{string(channel), n})
	}
	slices.SortFunc(all.Channels,
		func(a, b channelCount) int { return bytes.Compare([]byte(a.Channel), []byte(b.Channel)) })
	return all
}

// days returns a store's figures of the days that a request names.
func (o *service) days(ctx context.Context, in *metricsInput) ([]commercemodel.Metric, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	return o.shop.Figures.Days(ctx, store.ID, in.From, in.To)
}

// day returns a day of a request.
func day(text, field string) (time.Time, error) {
	at, err := time.Parse(stores.DateLayout, text)
	if err != nil {
		return at, httpapi.Invalid(field, "not a day, such as 2026-11-30")
	}
	return at, nil
}

type metricsOutput struct{ Body httpapi.List[metricsShown] }

func (o *service) listMetrics(ctx context.Context, in *metricsInput) (*metricsOutput, error) {
	rows, err := o.days(ctx, in)
	return &metricsOutput{operations.ListOf(rows, showMetrics, httpapi.Position{})}, err
}

func (o *service) exportMetrics(ctx context.Context, in *metricsInput) (*fileOutput, error) {
	rows, err := o.days(ctx, in)
	if err != nil {
		return nil, err
	}
	channels := []commercemodel.Channel{commercemodel.WhatsApp, commercemodel.SMS, commercemodel.Web, commercemodel.RCS}
	lines := [][]string{
		{"date", "total_orders", "confirmed_orders", "cancelled_orders", "total_revenue", "average_order_value",
			"unique_customers"}}
	for _, channel := range channels {
		lines[0] = append(lines[0], string(channel))
	}
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	for _, m := range rows {
		v := m.Values
		line := []string{
			m.Date, count(v.TotalOrders), count(v.ConfirmedOrders), count(v.CancelledOrders),
			v.TotalRevenue.StringFixed(2), v.AverageOrderValue.StringFixed(2), count(v.UniqueCustomers),
		}
		for _, channel := range channels {
			line = append(line, count(m.ChannelBreakdown[channel]))
		}
		lines = append(lines, line)
	}
	return csvOf("metrics.csv", lines)
}

// csvOf returns lines as a CSV file in which no cell is a formula. A number stays one.
func csvOf(name string, lines [][]string) (*fileOutput, error) {
	for _, line := range lines {
		for i, cell := range line {
			if _, err := decimal.NewFromString(cell); err != nil {
				line[i] = spreadsheet.Escape(cell)
			}
		}
	}
	var file bytes.Buffer
	if err := csv.NewWriter(&file).WriteAll(lines); err != nil {
		return nil, err
	}
	return csvFile(name, file.Bytes()), nil
}

type storeMetricsInput struct {
	httpapi.Page
	Date string `query:"date" required:"true" format:"date" maxLength:"10" example:"2026-11-21" doc:"The day."`
}

type storeMetricsOutput struct {
	Body struct {
		httpapi.List[metricsShown]
		System *metricsShown `json:"system,omitempty" doc:"All stores together; left out before the first sum."`
	}
}

func (o *service) listStoreMetrics(ctx context.Context, in *storeMetricsInput) (*storeMetricsOutput, error) {
	out := &storeMetricsOutput{}
	if !httpapi.CallerOf(ctx).Platform {
		out.Body.List = operations.ListOf([]commercemodel.Metric(nil), showMetrics, httpapi.Position{})
		return out, nil
	}
	if _, err := day(in.Date, "query.date"); err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "store-metrics", in.Date)
	if err != nil {
		return nil, err
	}
	rows, err := o.shop.Figures.On(ctx, in.Date, in.Probe(), model.Name(l.After))
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(m commercemodel.Metric) httpapi.Position { return l.Position(string(m.StoreID)) })
	out.Body.List = operations.ListOf(rows, showMetrics, next)
	system, err := o.shop.Figures.System(ctx, in.Date)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
	case err != nil:
		return nil, err
	default:
		all := showMetrics(system)
		out.Body.System = &all
	}
	return out, nil
}
