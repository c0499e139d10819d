package flows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// metrics are the counts that Meta has of the requests to the endpoint of a flow.
var metrics = []string{
	"ENDPOINT_REQUEST_COUNT", "ENDPOINT_REQUEST_ERROR", "ENDPOINT_REQUEST_ERROR_RATE",
	"ENDPOINT_REQUEST_LATENCY_SECONDS_CEIL", "ENDPOINT_AVAILABILITY"}

// maxPoints bounds the bytes that are kept of one metric: a flow is one item.
const maxPoints = 32 << 10

// problemLong is stored of a metric of which Meta says more than is kept.
const problemLong = "Meta says more than can be kept. Ask for a shorter time."

// count reads the counts, and keeps them. Meta refuses a metric of a flow that has had few requests: that is no
// problem of the others.
func (r *request) count(ctx context.Context, f model.Flow) error {
	a := *f.Asked
	counts := &model.FlowMetrics{
		Granularity: a.Granularity, Since: a.Since, Until: a.Until, ReadAt: model.At(r.Now()),
		Points: map[string]model.Document{}, Problems: map[string]string{}}
	for _, name := range metrics {
		answer, err := r.meta.AboutNode(ctx, string(r.of.PhoneNumberID), string(f.FlowID),
			whatsapp.NumberCall{Query: url.Values{"fields": {fieldOf(name, a)}}})
		var refused *whatsapp.SendError
		points := pointsIn(answer)
		switch {
		case errors.As(err, &refused) && refused.Class == whatsapp.Never:
			counts.Problems[name] = model.Truncate(refused.Error(), maxText)
		case err != nil:
			return r.orGone(ctx, err)
		case len(points) > maxPoints:
			counts.Problems[name] = problemLong
		default:
			counts.Points[name] = model.DocumentOf(points)
		}
	}
	return r.settle(ctx, "", func(f *model.Flow) { f.Metrics = counts })
}

// fieldOf returns the field by which Meta is asked for a metric.
func fieldOf(name string, a model.FlowAsked) string {
	field := fmt.Sprintf("metric.name(%s).granularity(%s)", name, a.Granularity)
	if a.Since != "" {
		field += ".since(" + a.Since + ")"
	}
	if a.Until != "" {
		field += ".until(" + a.Until + ")"
	}
	return field
}

// pointsIn returns the data points of an answer; an empty list for none.
func pointsIn(answer whatsapp.Object) json.RawMessage {
	if points := answer.Object("metric")["data_points"]; len(points) > 0 {
		return points
	}
	return json.RawMessage("[]")
}
