package flows_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestAFlowIsCreatedChangedPublishedAndDeprecated(t *testing.T) {
	a := opened(t)
	draft := a.creates(flows.Draft{Name: "Feedback"})
	if draft.Status != "DRAFT" || draft.Name != "Feedback" || draft.WABAMetaID != wt.WABA || draft.PreviewURL == "" ||
		draft.PreviewEndsAt < model.At(noon) || draft.Asked.Problem != "" ||
		strings.Contains(string(draft.FlowID), "new") {
		t.Fatalf("%+v, %+v", draft, draft.Asked)
	}
	unable := a.asks(draft, flows.Publish)
	if unable.Status != "DRAFT" || !strings.Contains(unable.Asked.Problem, "validation errors") {
		t.Errorf("without JSON: %+v", unable.Asked)
	}
	put := func(text string) model.Flow {
		t.Helper()
		return a.is(a.rooms.Flows.PutJSON(t.Context(), a.bucket(), a.of, draft.FlowID, []byte(text)))
	}
	faulty := put(wrong)
	if len(faulty.Faults) != 1 || faulty.Faults[0].Path != "screens[0].layout.children[0].type" ||
		faulty.Faults[0].LineStart != 1 || faulty.Asked.Problem != "" {
		t.Errorf("%+v, %+v", faulty.Faults, faulty.Asked)
	}
	if got := put(right); len(got.Faults) != 0 || got.JSONVersion != "7.0" {
		t.Errorf("%+v", got)
	}
	var text bytes.Buffer
	now, err := a.rooms.Flows.Get(t.Context(), draft.FlowID)
	if err == nil {
		err = a.rooms.Flows.ReadJSON(t.Context(), a.bucket(), now, &text)
	}
	if err != nil || text.String() != right || len(a.files.Keys()) != 1 {
		t.Errorf("%v, %s, %v", err, &text, a.files.Keys())
	}
	changed := a.is(a.rooms.Flows.Change(t.Context(), a.of, draft.FlowID, flows.Draft{
		Name: "Survey", Categories: []string{"OTHER"}, EndpointURI: "https://haat.example/flows"}))
	if changed.Name != "Survey" || changed.EndpointURI != "https://haat.example/flows" ||
		changed.Categories[0] != "OTHER" {
		t.Errorf("%+v", changed)
	}
	for _, step := range []struct{ wish, status, problem string }{
		{flows.Publish, "PUBLISHED", ""},
		{flows.Publish, "PUBLISHED", ""}, // Meta is not asked again
		{flows.Delete, "PUBLISHED", "not a draft"},
		{flows.Deprecate, "DEPRECATED", ""},
		{flows.Deprecate, "DEPRECATED", ""},
		{flows.Publish, "DEPRECATED", "not a draft"},
	} {
		got := a.asks(draft, step.wish)
		if got.Status != step.status || !strings.Contains(got.Asked.Problem, step.problem) ||
			(step.problem == "") != (got.Asked.Problem == "") {
			t.Errorf("%+v: %+v %+v", step, got, got.Asked)
		}
	}
	if posts := strings.Count(strings.Join(a.meta.asked.All(), "\n"), "POST publish"); posts != 3 {
		t.Errorf("asked to publish %d times: %v", posts, a.meta.asked.All())
	}
	if got := put(right); !strings.Contains(got.Asked.Problem, "not a draft") || got.JSON == nil ||
		len(a.files.Keys()) != 1 {
		t.Errorf("%+v, %v", got.Asked, a.files.Keys())
	}
}

func TestAFlowIsPublishedAsItIsCreatedIfItsJSONIsRight(t *testing.T) {
	a := opened(t)
	good := a.creates(flows.Draft{Name: "Good", JSON: []byte(right), Publish: true})
	bad := a.creates(flows.Draft{Name: "Bad", JSON: []byte(wrong), Publish: true})
	clone := a.creates(flows.Draft{Name: "Clone", CloneFlowID: good.FlowID})
	if good.Status != "PUBLISHED" || good.JSON == nil || bad.Status != "DRAFT" || len(bad.Faults) != 1 ||
		clone.Status != "DRAFT" || clone.JSONVersion != "7.0" {
		t.Errorf("%+v\n%+v\n%+v", good, bad, clone)
	}
}

// A request that is refused, or that waits already, leaves no file behind.
func TestTheJSONOfARequestThatIsRefusedIsNotKept(t *testing.T) {
	a := opened(t)
	f := a.creates(flows.Draft{Name: "Feedback"})
	put := func(id model.Name, text string) error {
		_, err := a.rooms.Flows.PutJSON(t.Context(), a.bucket(), a.of, id, []byte(text))
		return err
	}
	a.Must(put(f.FlowID, right))
	a.Passes(time.Second)
	a.Must(put(f.FlowID, right))
	waits, gone := put(f.FlowID, wrong), put("7999", right)
	_, exists := a.rooms.Flows.Create(t.Context(), a.bucket(), a.of, flows.Draft{Name: "Feedback", JSON: []byte(right)})
	if !errors.Is(waits, flows.ErrWaits) || !errors.Is(gone, dynamo.ErrNotFound) ||
		!errors.Is(exists, flows.ErrExists) {
		t.Errorf("%v, %v, %v", waits, gone, exists)
	}
	if kept := a.files.Keys(); len(kept) != 1 {
		t.Errorf("kept are %v", kept)
	}
}

func TestTheIDOfARequestLeadsToTheFlow(t *testing.T) {
	a := opened(t)
	asked, err := a.rooms.Flows.Create(t.Context(), a.bucket(), a.of,
		flows.Draft{Name: "Feedback", Categories: []string{"SURVEY"}})
	if err != nil || asked.Status != "" || len(a.list()) != 1 {
		t.Fatalf("%+v, %v, %+v", asked, err, a.list())
	}
	_, err = a.rooms.Flows.Ask(t.Context(), a.of, asked.FlowID, flows.Preview)
	if !errors.Is(err, flows.ErrWaits) {
		t.Errorf("while it is created: %v", err)
	}
	f := a.is(asked, nil)
	if f.FlowID == asked.FlowID || f.Status != "DRAFT" || len(a.list()) != 1 {
		t.Errorf("%+v, %+v", f, a.list())
	}
	_, err = a.rooms.Flows.Create(t.Context(), a.bucket(), a.of,
		flows.Draft{Name: "Feedback", Categories: []string{"SURVEY"}})
	if !errors.Is(err, flows.ErrExists) {
		t.Errorf("a second time: %v", err)
	}
	// The name is free again.
	if got, err := a.rooms.Flows.Ask(t.Context(), a.of, f.FlowID, flows.Delete); err != nil {
		t.Fatal(got, err)
	}
	a.settles()
	if _, err := a.rooms.Flows.Get(t.Context(), f.FlowID); !errors.Is(err, dynamo.ErrNotFound) || len(a.list()) != 0 {
		t.Errorf("%v, %+v", err, a.list())
	}
	if again := a.creates(flows.Draft{Name: "Feedback"}); again.Status != "DRAFT" || again.FlowID == f.FlowID {
		t.Errorf("%+v", again)
	}
}

func TestAFlowWhoseAnswerIsLostIsNotCreatedTwice(t *testing.T) {
	a := opened(t)
	a.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	got := a.creates(flows.Draft{Name: "Feedback", JSON: []byte(right)})
	if got.Status != "DRAFT" || got.JSON == nil || got.Asked.Problem != "" {
		t.Errorf("%+v, %+v", got, got.Asked)
	}
	if posts := strings.Count(strings.Join(a.meta.asked.All(), "\n"), "POST flows"); posts != 1 || len(a.reads()) != 1 {
		t.Errorf("asked %v: %+v", a.meta.asked.All(), a.list())
	}
}

func TestAChangeWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	a := opened(t)
	f := a.creates(flows.Draft{Name: "Feedback", JSON: []byte(right)})
	for _, wish := range []string{flows.Publish, flows.Deprecate} {
		a.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
		if got := a.asks(f, wish); got.Asked.Problem != "" {
			t.Errorf("%s: %+v", wish, got.Asked)
		}
	}
	draft := a.creates(flows.Draft{Name: "Draft", JSON: []byte(right)})
	a.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	if _, err := a.rooms.Flows.Ask(t.Context(), a.of, draft.FlowID, flows.Delete); err != nil {
		t.Fatal(err)
	}
	a.settles()
	if all := a.list(); len(all) != 1 || len(a.files.Keys()) != 1 {
		t.Errorf("%+v, %v", all, a.files.Keys())
	}
}

func TestAFlowOfSomebodyElsesWithTheNameIsNotTaken(t *testing.T) {
	a := opened(t)
	a.elsewhere("POST", wt.WABA, "flows", map[string]any{"name": "Feedback", "categories": []string{"OTHER"}})
	asked, err := a.rooms.Flows.Create(t.Context(), a.bucket(), a.of,
		flows.Draft{Name: "Feedback", Categories: []string{"SURVEY"}, JSON: []byte(right)})
	got := a.is(asked, err)
	if !strings.Contains(got.Asked.Problem, "another flow") || got.Status != "" || len(a.files.Keys()) != 0 {
		t.Errorf("%+v, %v", got.Asked, a.files.Keys())
	}
	if _, err := a.rooms.Flows.Ask(t.Context(), a.of, got.FlowID, flows.Publish); !errors.Is(err, flows.ErrNotCreated) {
		t.Error(err)
	}
	if _, err := a.rooms.Flows.Ask(t.Context(), a.of, got.FlowID, flows.Delete); err != nil {
		t.Fatal(err)
	}
	a.settles()
	if all := a.reads(); len(all) != 1 || all["Feedback"].Categories[0] != "OTHER" {
		t.Errorf("%+v", all)
	}
}

func TestWhatCannotBeAskedForIsRefused(t *testing.T) {
	a := opened(t)
	f := a.creates(flows.Draft{Name: "Feedback"})
	rooms, ctx, categories := a.rooms.Flows, t.Context(), []string{"SURVEY"}
	var faulty *problem.Error
	_, err := rooms.PutJSON(ctx, a.bucket(), a.of, f.FlowID, []byte(`{"screens":[{"id":"1"}]}`))
	if !errors.As(err, &faulty) || len(faulty.Fields) != 3 || faulty.Fields[0].Path != "body.json.version" {
		t.Errorf("%+v, %v", faulty, err)
	}
	_, err = rooms.Create(ctx, a.bucket(), a.of, flows.Draft{Name: "A", Categories: categories, JSON: []byte("[]")})
	if !errors.As(err, &faulty) || faulty.Fields[0].Path != "body.json" {
		t.Errorf("%+v, %v", faulty, err)
	}
	for _, c := range []struct {
		of    flows.Of
		draft flows.Draft
		want  error
	}{
		{a.of, flows.Draft{Name: "A", Categories: categories, Publish: true}, flows.ErrNoJSON},
		{a.of, flows.Draft{Name: "A", Categories: categories, CloneFlowID: "404"}, flows.ErrClone},
		{flows.Of{Tenant: "other", WABA: wt.WABA}, flows.Draft{Name: "A", Categories: categories}, tenancy.ErrNoNumber},
	} {
		if _, err := rooms.Create(ctx, a.bucket(), c.of, c.draft); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.draft, err)
		}
	}
	if _, err := rooms.Ask(ctx, a.of, "404", flows.Publish); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
	if len(a.files.Keys()) != 0 {
		t.Error(a.files.Keys())
	}
}

func TestTheFlowsOfAnAccountAreAsMetaHasThem(t *testing.T) {
	a := opened(t)
	const many = 1150
	for i := range many {
		a.elsewhere("POST", wt.WABA, "flows", map[string]any{
			"name": fmt.Sprintf("f%04d", i), "categories": []string{"OTHER"}})
	}
	a.meta.asked.Forget()
	all := a.reads()
	if pages := len(a.meta.asked.All()); len(all) != many || pages != 12 {
		t.Fatalf("%d flows, %d pages", len(all), pages)
	}
	asked, err := a.rooms.Flows.OfAccount(t.Context(), wt.WABA)
	if err != nil || asked.Count != many || asked.By != "user-1" {
		t.Errorf("%+v, %v", asked, err)
	}
	waiting, err := a.rooms.Flows.Create(t.Context(), a.bucket(), a.of,
		flows.Draft{Name: "f0003", Categories: []string{"OTHER"}})
	if err != nil {
		t.Fatal(err)
	}
	a.elsewhere("DELETE", string(all["f0007"].FlowID), "", nil)
	a.elsewhere("POST", string(all["f0008"].FlowID), "", map[string]any{"name": "renamed"})
	all = a.reads()
	_, gone := all["f0007"]
	if gone || all["renamed"].Status != "DRAFT" {
		t.Errorf("%+v, %+v", all["f0007"], all["renamed"])
	}
	if _, err := a.rooms.Flows.Get(t.Context(), waiting.FlowID); err != nil {
		t.Errorf("what Meta has not created: %v", err)
	}
	if _, err := a.rooms.Flows.Ask(t.Context(), a.of, "404", flows.Preview); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
}

func TestAFlowThatMetaHasNoMoreSaysSo(t *testing.T) {
	a := opened(t)
	f := a.creates(flows.Draft{Name: "Feedback"})
	a.elsewhere("DELETE", string(f.FlowID), "", nil)
	for _, wish := range []string{flows.Publish, flows.Preview, flows.Deprecate} {
		if got := a.asks(f, wish); !strings.Contains(got.Asked.Problem, "not have the flow any more") {
			t.Errorf("%s: %+v", wish, got.Asked)
		}
	}
}

func TestTheCountsOfAFlowAreKept(t *testing.T) {
	a := opened(t)
	f := a.creates(flows.Draft{Name: "Feedback", JSON: []byte(right), Publish: true})
	count := func() model.Flow {
		t.Helper()
		return a.is(a.rooms.Flows.Count(t.Context(), a.of, f.FlowID,
			flows.Span{Granularity: "DAY", Since: "2026-11-01", Until: "2026-11-21"}))
	}
	few := count()
	if len(few.Metrics.Problems) != 5 || len(few.Metrics.Points) != 0 || few.Asked.Problem != "" ||
		!strings.Contains(few.Metrics.Problems["ENDPOINT_AVAILABILITY"], "not enough data") {
		t.Errorf("%+v", few.Metrics)
	}
	a.Control("POST", "/flows", `{"id":"`+string(f.FlowID)+`","requests":300}`)
	got := count().Metrics
	if len(got.Points) != 5 || len(got.Problems) != 0 || got.Granularity != "DAY" || got.ReadAt == "" ||
		!strings.Contains(string(got.Points["ENDPOINT_REQUEST_COUNT"]), "300") {
		t.Errorf("%+v", got)
	}
}

func TestWhatMetaDoesNotAllowIsAProblemOfTheRequest(t *testing.T) {
	a := opened(t)
	f := a.creates(flows.Draft{Name: "Feedback"})
	a.Control("PUT", "/account", `{"scopes":["whatsapp_business_messaging"]}`)
	if _, err := a.rooms.Flows.Ask(t.Context(), a.of, f.FlowID, flows.Preview); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		a.settles()
		a.Passes(time.Hour)
	}
	got, err := a.rooms.Flows.Get(t.Context(), f.FlowID)
	if err != nil || !strings.Contains(got.Asked.Problem, "does not exist") || got.Status != "DRAFT" {
		t.Errorf("%+v, %v", got.Asked, err)
	}
}

func TestANumberThatHasMovedAsksNothing(t *testing.T) {
	a := opened(t)
	asked, err := a.rooms.Flows.Create(t.Context(), a.bucket(), a.of,
		flows.Draft{Name: "Feedback", Categories: []string{"SURVEY"}})
	moved := theNumber
	moved.TenantID = "other"
	a.db.Seed(t, tables.Messages, moved)
	if got := a.is(asked, err); !strings.Contains(got.Asked.Problem, "not the tenant's") ||
		len(a.meta.asked.All()) > 0 {
		t.Errorf("%+v, %v", got.Asked, a.meta.asked.All())
	}
}

// The simulated WhatsApp posts the webhooks of one second in any order.
func TestTheStatusIsWhatMetaToldLastInWhateverOrderItComes(t *testing.T) {
	a := opened(t)
	id := string(a.creates(flows.Draft{Name: "Feedback", JSON: []byte(right), Publish: true}).FlowID)
	a.Passes(time.Hour)
	for _, status := range []string{"THROTTLED", "BLOCKED"} {
		a.Passes(time.Minute)
		a.Control("POST", "/flows", `{"id":"`+id+`","status":"`+status+`"}`)
	}
	bodies := a.hooks(4)
	for range 2 { // they come again
		for _, body := range slices.Backward(bodies) {
			if err := tells(t.Context(), a.rooms, body, a.Clock()); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := a.rooms.Flows.Get(t.Context(), model.Name(id))
	if err != nil || got.Status != "BLOCKED" || got.Name != "Feedback" {
		t.Errorf("%+v, %v", got, err)
	}
	if looked := a.asks(got, flows.Preview); looked.Status != "BLOCKED" {
		t.Errorf("%+v", looked)
	}
}

// Meta may answer a read with the status of before, and tell of the new one within the same second.
func TestAnEventWithinTheSecondOfAReadIsNotLost(t *testing.T) {
	a := opened(t)
	f := a.creates(flows.Draft{Name: "Feedback"})
	a.Passes(time.Minute + 500*time.Millisecond)
	read := a.Clock()
	f = a.asks(f, flows.Preview)
	if f.Status != "DRAFT" || f.ReadAt < model.At(read) {
		t.Fatalf("%+v", f)
	}
	body := wt.BodyAt(f.ReadAt.Go(), wt.Change("flows", wt.Object{
		"event": "FLOW_STATUS_CHANGE", "flow_id": string(f.FlowID), "new_status": "PUBLISHED"}))
	if err := tells(t.Context(), a.rooms, body, a.Clock()); err != nil {
		t.Fatal(err)
	}
	if got, err := a.rooms.Flows.Get(t.Context(), f.FlowID); err != nil || got.Status != "PUBLISHED" {
		t.Errorf("%+v, %v", got, err)
	}
}

// told are events about flows, with the second in which Meta wrote them.
var told = []struct {
	second int
	value  wt.Object
}{
	{1, wt.Object{"event": "FLOW_STATUS_CHANGE", "flow_id": "7001", "new_status": "DRAFT"}},
	{2, wt.Object{"event": "FLOW_STATUS_CHANGE", "flow_id": "7001", "old_status": "DRAFT", "new_status": "PUBLISHED"}},
	{3, wt.Object{"event": "ENDPOINT_LATENCY", "flow_id": 7001, "p90_latency": 8000, "alert_state": "ACTIVATED"}},
	{3, wt.Object{"event": "ENDPOINT_AVAILABILITY", "flow_id": "7001", "availability": 75,
		"alert_state": "ACTIVATED"}},
	{4, wt.Object{"event": "FLOW_STATUS_CHANGE", "flow_id": "7001", "new_status": "THROTTLED"}},
	{4, wt.Object{"event": "FLOW_STATUS_CHANGE", "flow_id": "7001", "new_status": "BLOCKED"}},
	{5, wt.Object{"event": "ENDPOINT_LATENCY", "flow_id": "7001", "p90_latency": 900, "alert_state": "DEACTIVATED"}},
	{6, wt.Object{"event": "ENDPOINT_ERROR_RATE", "flow_id": "7001", "message": strings.Repeat("long ", 2000)}},
	{1, wt.Object{"event": "FLOW_STATUS_CHANGE", "flow_id": "7002", "new_status": "DRAFT"}},
	{1, wt.Object{"event": "FLOW_STATUS_CHANGE", "flow_id": "new-7", "new_status": "PUBLISHED"}},
	{1, wt.Object{"event": "FLOW_STATUS_CHANGE"}},
}

func TestEventsInAnyOrderAndRepeatedEndInTheSameFlow(t *testing.T) {
	a := opened(t)
	end := func(t interface{ Fatal(...any) }, order []int) model.Flow {
		if err := a.rooms.DB.Transact(a.Context(), []dynamo.Write{dynamo.Delete{
			Table: tables.Messages, Key: flowKey("7001")}}); err != nil {
			t.Fatal(err)
		}
		for arrival, i := range order {
			at := noon.Add(time.Duration(told[i].second) * time.Second)
			body := wt.BodyAt(at, wt.Change("flows", told[i].value))
			if err := tells(a.Context(), a.rooms, body, noon.Add(time.Minute+time.Duration(arrival))); err != nil {
				t.Fatal(err)
			}
		}
		f, err := a.rooms.Flows.Get(a.Context(), "7001")
		if err != nil {
			t.Fatal(err)
		}
		f.Version = 0
		return f
	}
	inOrder := make([]int, len(told))
	for i := range told {
		inOrder[i] = i
	}
	want := end(t, inOrder)
	if want.Status != "BLOCKED" || len(want.Alerts) != 3 || len(a.list()) != 1 ||
		!strings.Contains(string(want.Alerts["ENDPOINT_LATENCY"].Value), "DEACTIVATED") ||
		len(want.Alerts["ENDPOINT_ERROR_RATE"].Value) != 0 {
		t.Fatalf("%+v", want)
	}
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.Permutation(inOrder).Draw(t, "order")
		order = append(order, rapid.SliceOfN(rapid.SampledFrom(inOrder), 0, 3).Draw(t, "again")...)
		if diff := cmp.Diff(want, end(t, order)); diff != "" {
			t.Fatal(diff)
		}
	})
}
