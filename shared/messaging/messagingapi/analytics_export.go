package messagingapi

import (
	"bytes"
	"context"
	"encoding/csv"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/spreadsheet"
)

// analyticsExport puts the export of counts.
func (o *service) analyticsExport() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "export-analytics", Method: http.MethodGet, Path: "/v1/analytics/export",
		Tags: []string{"Analytics"}, Summary: "Export what an account has sent and got as CSV",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		Description: "The days of get-analytics, one a line. Each kind, price and template has a column of its own. " +
			"The columns of what Meta has counted are empty if it was not asked.",
	}, o.exportAnalytics)
}

type csvOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

func (o *service) exportAnalytics(ctx context.Context, in *analyticsInput) (*csvOutput, error) {
	counted, err := o.getAnalytics(ctx, in)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := csv.NewWriter(&file).WriteAll(linesOf(counted.Body.Days)); err != nil {
		return nil, err
	}
	return &csvOutput{"text/csv; charset=utf-8", `attachment; filename="analytics.csv"`, file.Bytes()}, nil
}

// linesOf returns days as the lines of a file, under a header.
func linesOf(days []dayCounts) [][]string {
	header := []string{"date", "partial", "counted_at", "received", "sent", "delivered", "read", "failed",
		"meta_sent", "meta_delivered"}
	lines := make([][]string, len(days))
	for i, d := range days {
		lines[i] = []string{d.Date, strconv.FormatBool(d.Partial), string(d.CountedAt)}
		for _, n := range []int64{d.Received, d.Sent, d.Delivered, d.Read, d.Failed} {
			lines[i] = append(lines[i], strconv.FormatInt(n, 10))
		}
		meta := []string{"", ""}
		if d.Meta != nil {
			meta = []string{strconv.FormatInt(d.Meta.Sent, 10), strconv.FormatInt(d.Meta.Delivered, 10)}
		}
		lines[i] = append(lines[i], meta...)
	}
	for _, group := range []struct {
		name string
		of   func(dayCounts) map[string]int64
	}{
		{"kind", func(d dayCounts) map[string]int64 { return d.Kinds }},
		{"price", func(d dayCounts) map[string]int64 { return d.Prices }},
		{"template", func(d dayCounts) map[string]int64 { return d.Templates }},
		{"meta price", func(d dayCounts) map[string]int64 {
			if d.Meta == nil {
				return nil
			}
			return d.Meta.Prices
		}},
	} {
		names := map[string]bool{}
		for _, d := range days {
			for name := range group.of(d) {
				names[name] = true
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			header = append(header, spreadsheet.Escape(group.name+" "+name))
			for i, d := range days {
				lines[i] = append(lines[i], strconv.FormatInt(group.of(d)[name], 10))
			}
		}
	}
	return append([][]string{header}, lines...)
}
