package messagingapi

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/tables"
)

const flowText = `{"version":"7.0","screens":[{"id":"ASK","terminal":true,"layout":{}}]}`

// onFlows are the requests about one flow: the end of its id, for each change has a flow of its own, the path behind
// the flow, and the body.
var onFlows = map[string]struct{ end, path, body string }{
	"get-flow":        {},
	"get-flow-json":   {path: "/json"},
	"change-flow":     {end: "1", body: `{"name":"Survey","categories":["OTHER"],"endpointUri":"https://haat.example/flows"}`},
	"put-flow-json":   {end: "2", path: "/json", body: `{"json":` + flowText + `}`},
	"publish-flow":    {end: "3", path: "/publish"},
	"deprecate-flow":  {end: "4", path: "/deprecate"},
	"delete-flow":     {end: "5"},
	"preview-flow":    {end: "6", path: "/preview"},
	"fetch-flow-json": {end: "8", path: "/json/fetch"},
	"count-flow":      {end: "7", path: "/metrics", body: `{"granularity":"day","from":"2026-11-01","to":"2026-11-21"}`},
}

// hasFlow stores a flow of an account, with JSON.
func (w *world) hasFlow(id model.Name, of model.WABAID, text string) {
	w.t.Helper()
	file := &model.FlowJSON{Key: flows.Kept + string(id) + ".json", Sum: "0", Size: int64(len(text)),
		PutAt: model.At(minutesAgo(4))}
	w.db.Seed(w.t, tables.Messages, model.Flow{
		PK: keys.Flow(id).Partition, ItemType: model.ItemFlow, FlowID: id, WABAMetaID: of, Name: text, Status: "DRAFT",
		JSON: file, ReadAt: model.At(minutesAgo(4)), Version: 1,
		Faults: []model.FlowFault{{Error: "INVALID_PROPERTY", Message: text, LineStart: 3}},
		Health: model.Document(`{"can_send_message":"AVAILABLE"}`),
		Metrics: &model.FlowMetrics{Granularity: "DAY", ReadAt: model.At(noon),
			Points: map[string]model.Document{"A": model.Document(`[]`)}},
		Alerts: map[string]model.FlowAlert{"ENDPOINT_LATENCY": {
			Order: model.OrderOf(model.At(minutesAgo(4)), 0), Value: model.Document(fmt.Sprintf(`{"message":%q}`, text))}}})
	if err := w.bucket.Put(w.t.Context(), objects.Object{
		Key: file.Key, ContentType: "application/json", Body: strings.NewReader(text), Size: file.Size,
		SHA256: sha256.Sum256([]byte(text))}); err != nil {
		w.t.Fatal(err)
	}
}

// hasFlows gives a tenant a flow for each request.
func (w *world) hasFlows(b belongings, text string) {
	w.t.Helper()
	for _, of := range onFlows {
		w.hasFlow(model.Name(b.flow+of.end), model.WABAID(b.waba), text)
	}
}

// flowRequests are the requests that name somebody's flows.
func flowRequests() map[string]func(b belongings) []request {
	account := func(path string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: path, Query: url.Values{"wabaId": {b.waba}}}}
		}
	}
	all := map[string]func(b belongings) []request{
		"list-flows": account(flowsPath), "get-flow-read": account(flowReadsPath),
		"read-flows": func(b belongings) []request {
			return []request{{Path: flowReadsPath, Body: `{"wabaId":"` + b.waba + `"}`}}
		},
		"create-flow": func(b belongings) []request {
			return []request{{Path: flowsPath, Body: `{"wabaId":"` + b.waba + `","name":"New","categories":["SURVEY"],` +
				`"json":` + flowText + `,"publish":true}`}}
		},
	}
	for operation, of := range onFlows {
		all[operation] = func(b belongings) []request {
			return []request{{Path: flowsPath + "/" + b.flow + of.end + of.path, Body: of.body}}
		}
	}
	return all
}

// flowCalls are the ways to call the operations that change flows.
func flowCalls() map[string][]call {
	has := func(w *world) string { w.hasFlow("700001", waba, "Feedback"); return "" }
	all := map[string][]call{
		"read-flows": {{name: "of an account", prepare: has, path: flowReadsPath, body: `{"wabaId":"` + waba + `"}`}},
		"create-flow": {
			{name: "without JSON", prepare: has, path: flowsPath,
				body: `{"wabaId":"` + waba + `","name":"New","categories":["SURVEY"],"cloneFlowId":"700001"}`},
			{name: "with JSON", prepare: has, path: flowsPath, body: `{"wabaId":"` + waba + `","name":"New",` +
				`"categories":["SURVEY"],"json":` + flowText + `}`},
		},
	}
	for operation, of := range onFlows {
		if of.end != "" {
			all[operation] = []call{{name: "one", prepare: has, path: flowsPath + "/700001" + of.path, body: of.body}}
		}
	}
	return all
}

func TestTheJSONOfAFlowIsTakenAsItIs(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.hasFlow("700001", waba, flowText)
	got := w.get(operator(shop), "/v1/flows/700001/json", nil)
	if got.Status != http.StatusOK || string(got.Body) != flowText {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	text := "{\"version\": \"7.0\",\n\t\"screens\": [{\"id\": \"ASK\", \"terminal\": true}]}"
	w.put(operator(shop), "/v1/flows/700001/json", `{"json": `+text+`}`).Want(t, http.StatusAccepted, &AccountFlow{})
	f, err := w.rooms.Flows.Get(t.Context(), "700001")
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	if err := w.bucket.Get(t.Context(), f.Asked.JSON.Key, &kept, 1<<20); err != nil || kept.String() != text {
		t.Errorf("%q, %v", kept.String(), err)
	}
}

// An answer of Lambda's is too small for the largest JSON that Meta takes.
func TestLargeJSONOfAFlowIsShownByALink(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.db.Seed(t, tables.Messages, model.Flow{
		PK: keys.Flow("700001").Partition, ItemType: model.ItemFlow, FlowID: "700001", WABAMetaID: waba,
		JSON: &model.FlowJSON{Key: flows.Kept + "700001.json", Size: 6 << 20, FetchedAt: model.At(noon)}, Version: 1})
	got := w.get(operator(shop), "/v1/flows/700001/json", nil)
	if link := got.Headers["location"]; got.Status != http.StatusSeeOther || len(got.Body) > 0 ||
		!strings.Contains(link, flows.Kept+"700001.json") {
		t.Errorf("%d %s, %d bytes", got.Status, link, len(got.Body))
	}
}

func TestEveryFaultOfAFlowsJSONIsNamed(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.hasFlow("700001", waba, flowText)
	create := func(json string) string {
		return `{"wabaId":"` + waba + `","name":"New","categories":["SURVEY"],"json":` + json + `}`
	}
	for _, c := range []struct {
		method, path, body, wants string
	}{
		{http.MethodPut, "/v1/flows/700001/json", `{"json":{"screens":[{"id":"1"}]}}`,
			"body.json.version body.json.screens[0].id body.json.screens"},
		{http.MethodPut, "/v1/flows/700001/json", `{"json":7}`, "body.json"},
		{http.MethodPost, "/v1/flows", create(`[]`), "body.json"},
		{http.MethodPost, "/v1/flows", create(`{"version":"7.0","screens":[{"id":"A"},{"id":"A","terminal":true}]}`),
			"body.json.screens[1].id"},
	} {
		got := w.do(request{By: operator(shop), Method: c.method, Path: c.path, Body: c.body})
		var told struct {
			Errors []struct{ Location string }
		}
		got.Want(t, http.StatusUnprocessableEntity, &told)
		var paths []string
		for _, e := range told.Errors {
			paths = append(paths, e.Location)
		}
		if strings.Join(paths, " ") != c.wants {
			t.Errorf("%s: %s", c.body, got.Body)
		}
	}
}

func TestFlowsAreFilteredByTheirStatus(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.hasFlow("700001", waba, "Feedback")
	for status, want := range map[string]int{"DRAFT": 1, "PUBLISHED": 0} {
		var page struct{ Items []AccountFlow }
		query := url.Values{"wabaId": {waba}, "status": {status}}
		w.get(operator(shop), "/v1/flows", query).Want(t, http.StatusOK, &page)
		if len(page.Items) != want {
			t.Errorf("%s: %+v", status, page)
		}
	}
}

func TestASecondRequestAboutAFlowWaitsForTheFirst(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.hasFlow("700001", waba, "Feedback")
	for _, c := range []struct {
		path   string
		status int
	}{
		{"/publish", http.StatusAccepted},
		{"/publish", http.StatusAccepted},
		{"/deprecate", http.StatusConflict},
	} {
		got := w.do(request{By: operator(shop), Method: http.MethodPost, Path: "/v1/flows/700001" + c.path})
		if got.Status != c.status {
			t.Errorf("%s: %d %s", c.path, got.Status, got.Body)
		}
	}
}
