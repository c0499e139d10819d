package flows_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// shown returns the JSON of a flow as it is shown.
func (a *account) shown(f model.Flow) string {
	a.Helper()
	var text bytes.Buffer
	a.Must(a.rooms.Flows.ReadJSON(a.Context(), a.bucket(), f, &text))
	return text.String()
}

func TestTheJSONOfAFlowThatWasMadeElsewhereIsFetched(t *testing.T) {
	a := opened(t)
	a.elsewhere("POST", wt.WABA, "flows", map[string]any{
		"name": "Theirs", "categories": []string{"OTHER"}, "flow_json": right})
	theirs := a.reads()["Theirs"]
	if theirs.JSON != nil {
		t.Fatalf("%+v", theirs)
	}
	got := a.asks(theirs, flows.FetchJSON)
	if got.Asked.Problem != "" || got.JSON.FetchedAt == "" || got.JSON.PutAt != "" || a.shown(got) != right {
		t.Fatalf("%+v, %+v", got, got.Asked)
	}
	// It has changed since, and is fetched again; the former file goes.
	_, err := a.meta.PutFlow(t.Context(), "", string(got.FlowID), []byte(wrong))
	a.Must(err)
	if got = a.asks(theirs, flows.FetchJSON); a.shown(got) != wrong || len(a.files.Keys()) != 1 || len(got.Unused) > 0 {
		t.Errorf("%+v, %v", got, a.files.Keys())
	}
	// JSON that is put here replaces what was fetched.
	got = a.is(a.rooms.Flows.PutJSON(t.Context(), a.bucket(), a.of, got.FlowID, []byte(right)))
	if a.shown(got) != right || got.JSON.PutAt == "" || len(a.files.Keys()) != 1 {
		t.Errorf("%+v, %v", got, a.files.Keys())
	}
	empty := a.creates(flows.Draft{Name: "Empty"})
	if got := a.asks(empty, flows.FetchJSON); !strings.Contains(got.Asked.Problem, "no JSON") || got.JSON != nil {
		t.Errorf("%+v", got.Asked)
	}
	a.elsewhere("DELETE", string(empty.FlowID), "", nil)
	if got := a.asks(empty, flows.FetchJSON); !strings.Contains(got.Asked.Problem, "any more") {
		t.Errorf("%+v", got.Asked)
	}
}

// linked is a Meta that has a link, and something behind it.
type linked struct {
	steady
	link    string
	content io.Reader
	err     error
}

func (l linked) AboutNode(context.Context, string, string, whatsapp.NumberCall) (whatsapp.Object, error) {
	return whatsapp.ObjectOf([]byte(`{"data":[{"asset_type":"FLOW_JSON","name":"flow.json","download_url":"` + l.link +
		`"}]}`)), nil
}

func (l linked) Download(_ context.Context, _, _ string, w io.Writer) error {
	if l.err != nil {
		return l.err
	}
	_, err := io.Copy(w, l.content)
	return err
}

func TestWhatCannotBeKeptOfMetasJSONIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		meta    linked
		problem string // "" if Meta is asked again
	}{
		"more than 10 MB":       {linked{content: io.LimitReader(endless{}, 11<<20), link: "x"}, "larger than 10 MB"},
		"no JSON":               {linked{content: strings.NewReader("<html>"), link: "x"}, "no JSON"},
		"another host":          {linked{err: whatsapp.ErrForeignHost, link: "x"}, "not on one of Meta's hosts"},
		"a link that has ended": {linked{err: whatsapp.ErrURLExpired, link: "x"}, ""},
		"no link":               {linked{}, "no JSON of the flow"},
	} {
		a := opened(t)
		a.elsewhere("POST", wt.WABA, "flows", map[string]any{
			"name": "Theirs", "categories": []string{"OTHER"}, "flow_json": right})
		f := a.reads()["Theirs"]
		asked, err := a.rooms.Flows.Ask(t.Context(), a.of, f.FlowID, flows.FetchJSON)
		a.Must(err)
		event := model.OutboxEvent{EcosystemID: "demo", Payload: []byte(`{"wabaId":"` + wt.WABA + `","phoneNumberId":"` +
			wt.Phone + `","flowId":"` + string(f.FlowID) + `","askedAt":"` + string(asked.Asked.At) + `"}`)}
		_, err = a.rooms.Flows.Handler(c.meta, a.files, sending.AsFailure).Send(t.Context(), event)
		got, getErr := a.rooms.Flows.Get(t.Context(), f.FlowID)
		if (err != nil) != (c.problem == "") || getErr != nil || !strings.Contains(got.Asked.Problem, c.problem) ||
			(got.Asked.AnsweredAt == "") != (c.problem == "") || len(a.files.Keys()) > 0 {
			t.Errorf("%s: %+v, %v, %v", name, got.Asked, err, a.files.Keys())
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// However an attempt ends, the next one leaves one file of a flow that has JSON, and none of one that is deleted.
func TestNoFileIsLeftWhereverAnAttemptDies(t *testing.T) {
	for _, c := range []struct {
		wish string
		left int
	}{{flows.PutJSON, 1}, {flows.FetchJSON, 1}, {flows.Delete, 0}, {flows.Publish, 1}} {
		for dies := range 3 { // at a call of the bucket
			t.Run(c.wish, func(t *testing.T) {
				put := &model.FlowJSON{Key: "flows/a.json", Sum: "a", Size: 2, PutAt: model.At(noon)}
				was := &model.FlowJSON{Key: "flows/b.json", Sum: "b", Size: 2, PutAt: model.At(noon)}
				asked := &model.FlowAsked{Wish: c.wish, At: model.At(noon)}
				if c.wish == flows.PutJSON {
					asked.JSON = put
				}
				f := model.Flow{
					PK: keys.Flow("7001").Partition, ItemType: model.ItemFlow, FlowID: "7001", WABAMetaID: wt.WABA,
					Name: "Feedback", Status: "DRAFT", JSON: was, Asked: asked, Version: 1}
				var files *messagingtest.Bucket
				dynamotest.EveryCrashPoint(t, dynamotest.Crash{
					Tables: used,
					Seed: func(t testing.TB, db *dynamotest.DB) {
						files = &messagingtest.Bucket{Fails: func(call int) error {
							if call == dies {
								return messagingtest.ErrUnreachable
							}
							return nil
						}}
						files.Lay(was.Key, "{}")
						if asked.JSON != nil {
							files.Lay(put.Key, "{}")
						}
						db.Seed(t, tables.Messages, theNumber, f)
					},
					Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
						rooms := roomsOn(client, func() time.Time { return noon })
						attempt := func() error {
							_, err := rooms.Flows.Handler(linkedAlways{}, files, sending.AsFailure).Send(ctx,
								model.OutboxEvent{EcosystemID: "demo", Payload: []byte(`{"wabaId":"` + wt.WABA +
									`","phoneNumberId":"` + wt.Phone + `","flowId":"7001","askedAt":"` +
									string(model.At(noon)) + `"}`)})
							return err
						}
						err := attempt()
						if errors.Is(err, messagingtest.ErrUnreachable) {
							err = attempt()
						}
						if err == nil && len(files.Keys()) != c.left {
							t.Errorf("left are %v", files.Keys())
						}
						return err
					},
				})
			})
		}
	}
}

// linkedAlways is a Meta that always says the same, and has JSON.
type linkedAlways struct{ steady }

func (l linkedAlways) AboutNode(ctx context.Context, phone, id string, call whatsapp.NumberCall) (whatsapp.Object,
	error) {
	if call.Edge == "assets" {
		return linked{link: "x"}.AboutNode(ctx, phone, id, call)
	}
	return l.steady.AboutNode(ctx, phone, id, call)
}
