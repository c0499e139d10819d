package messagingapi

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

type flowAsked struct {
	Wish       string     `json:"wish" enum:"list,create,change,put_json,fetch_json,publish,deprecate,delete,preview,metrics" doc:"What was asked."`
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	Count      int        `json:"count,omitempty" doc:"How many flows were read so far."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way, in Meta's words."`
}

func showFlowAsked(a *model.FlowAsked) *flowAsked {
	if a == nil {
		return nil
	}
	return &flowAsked{a.Wish, a.By, a.At, a.Count, a.AnsweredAt, a.Problem}
}

// AccountFlow is a flow as lists show it.
type AccountFlow struct {
	FlowID         string      `json:"flowId" doc:"Meta's id. Of a flow that Meta has not created yet, an id that leads to the flow then, too."`
	WABAID         string      `json:"wabaId" doc:"The WhatsApp Business Account."`
	Name           string      `json:"name,omitempty" doc:"Its name; absent if only events have told of it."`
	Status         string      `json:"status,omitempty" example:"PUBLISHED" doc:"In Meta's words: DRAFT, PUBLISHED, DEPRECATED, BLOCKED or THROTTLED. Absent if Meta has not created it."`
	Categories     []string    `json:"categories" nullable:"false" doc:"What it is for; never null."`
	EndpointURI    string      `json:"endpointUri,omitempty" doc:"Where Meta asks for data while a customer fills it in."`
	JSONVersion    string      `json:"jsonVersion,omitempty" doc:"The version of its JSON."`
	DataAPIVersion string      `json:"dataApiVersion,omitempty" doc:"The version of the requests to its endpoint."`
	Errors         []flowFault `json:"validationErrors" nullable:"false" doc:"What Meta finds wrong with its JSON; never null."`
	JSONPutAt      model.Time  `json:"jsonPutAt,omitempty" doc:"When its JSON was put here that Meta has taken; absent if none was."`
	JSONFetchedAt  model.Time  `json:"jsonFetchedAt,omitempty" doc:"When Meta was asked for its JSON that is shown; absent if that was put here."`
	PreviewURL     string      `json:"previewUrl,omitempty" doc:"A link that shows it. Anybody who has the link can open it."`
	PreviewEndsAt  model.Time  `json:"previewEndsAt,omitempty" doc:"Until when."`
	ReadAt         model.Time  `json:"readAt,omitempty" doc:"When Meta has last said all of this; absent if only events have told of it."`
	Asked          *flowAsked  `json:"asked,omitempty" doc:"What Meta was asked last, and the answer."`
}

// flowFault is what Meta finds wrong with the JSON of a flow.
type flowFault struct {
	Error       string `json:"error,omitempty" doc:"What kind of fault it is, in Meta's words."`
	Type        string `json:"errorType,omitempty" doc:"What kind of check has found it."`
	Message     string `json:"message,omitempty" doc:"What is wrong."`
	Path        string `json:"path,omitempty" doc:"Where it is in the JSON."`
	LineStart   int64  `json:"lineStart,omitempty" doc:"The line where it begins."`
	LineEnd     int64  `json:"lineEnd,omitempty" doc:"The line where it ends."`
	ColumnStart int64  `json:"columnStart,omitempty" doc:"The column where it begins."`
	ColumnEnd   int64  `json:"columnEnd,omitempty" doc:"The column where it ends."`
}

func showFlow(f model.Flow) AccountFlow {
	shown := AccountFlow{
		FlowID: string(f.FlowID), WABAID: string(f.WABAMetaID), Name: f.Name, Status: f.Status,
		Categories: append([]string{}, f.Categories...), EndpointURI: f.EndpointURI, JSONVersion: f.JSONVersion,
		DataAPIVersion: f.DataAPIVersion, Errors: []flowFault{}, PreviewURL: f.PreviewURL,
		PreviewEndsAt: f.PreviewEndsAt, ReadAt: f.ReadAt, Asked: showFlowAsked(f.Asked)}
	for _, fault := range f.Faults {
		shown.Errors = append(shown.Errors, flowFault(fault))
	}
	if f.JSON != nil {
		shown.JSONPutAt, shown.JSONFetchedAt = f.JSON.PutAt, f.JSON.FetchedAt
	}
	return shown
}

type flowOutput struct{ Body AccountFlow }

type wholeFlow struct {
	AccountFlow
	Health  json.RawMessage `json:"health,omitempty" doc:"Whether it can be sent, and what stands in the way, as Meta writes it."`
	Alerts  []flowAlert     `json:"alerts" nullable:"false" doc:"The latest alert of each kind, the latest first; never null."`
	Metrics *flowMetrics    `json:"metrics,omitempty" doc:"The counts of the requests to its endpoint, as they were asked for last."`
}

// flowAlert is an event about how a flow works.
type flowAlert struct {
	Kind  string          `json:"kind" example:"ENDPOINT_LATENCY" doc:"What it is about, in Meta's words."`
	At    model.Time      `json:"at" doc:"When Meta has told it."`
	Value json.RawMessage `json:"value,omitempty" doc:"What Meta has told; absent if it is long."`
}

// flowMetrics are counts of the requests to the endpoint of a flow.
type flowMetrics struct {
	Granularity string                     `json:"granularity" enum:"day,hour,lifetime" doc:"What is counted together."`
	From        string                     `json:"from,omitempty" doc:"The first day that was asked for."`
	To          string                     `json:"to,omitempty" doc:"The last day that was asked for."`
	ReadAt      model.Time                 `json:"readAt" doc:"When Meta has said them."`
	Points      map[string]json.RawMessage `json:"points" nullable:"false" doc:"The counts by the name of the metric, as Meta writes them; never null."`
	Problems    map[string]string          `json:"problems,omitempty" doc:"Why Meta does not say a metric."`
}

func showWholeFlow(f model.Flow) wholeFlow {
	shown := wholeFlow{AccountFlow: showFlow(f), Health: json.RawMessage(f.Health), Alerts: []flowAlert{}}
	for _, kind := range slices.Sorted(maps.Keys(f.Alerts)) {
		alert := f.Alerts[kind]
		shown.Alerts = append(shown.Alerts, flowAlert{kind, alert.Order.At(), json.RawMessage(alert.Value)})
	}
	slices.SortStableFunc(shown.Alerts, func(a, b flowAlert) int { return cmp.Compare(b.At, a.At) })
	if m := f.Metrics; m != nil {
		shown.Metrics = &flowMetrics{
			strings.ToLower(m.Granularity), m.Since, m.Until, m.ReadAt, map[string]json.RawMessage{}, m.Problems}
		for name, points := range m.Points {
			shown.Metrics.Points[name] = json.RawMessage(points)
		}
	}
	return shown
}

type wholeFlowOutput struct{ Body wholeFlow }
