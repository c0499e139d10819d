package flows_test

import (
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
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func flowKey(id model.Name) keys.Key { return keys.Flow(id) }

// steady is a Meta that always says the same.
type steady struct{}

func (steady) AboutNode(_ context.Context, _, id string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	const one = `{"id":"7001","name":"Feedback","status":"DRAFT","categories":["OTHER"]}`
	answer := one
	switch {
	case call.Edge == "flows" && call.Method == "":
		answer = `{"data":[{"id":"7002","name":"Other","status":"PUBLISHED"}]}`
	case strings.HasPrefix(call.Query.Get("fields"), "metric"):
		answer = `{"id":"7001","metric":{"data_points":[{"data":[]}]}}`
	case call.Method != "" && call.Edge != "flows":
		answer = `{"success":true}`
	}
	return whatsapp.ObjectOf([]byte(answer)), nil
}

func (steady) Download(_ context.Context, _, _ string, w io.Writer) error {
	_, err := io.WriteString(w, "{}")
	return err
}

func (steady) PutFlow(context.Context, string, string, []byte) (whatsapp.Object, error) {
	return whatsapp.ObjectOf([]byte(`{"success":true,"validation_errors":[{"error":"INVALID"}]}`)), nil
}

func TestAskingAboutFlowsSurvivesEveryCrashPoint(t *testing.T) {
	json := &model.FlowJSON{Key: "flows/a.json", Sum: "a", Size: 2, PutAt: model.At(noon)}
	was := &model.FlowJSON{Key: "flows/b.json", Sum: "b", Size: 2, PutAt: model.At(noon)}
	for _, wish := range []string{flows.List, flows.Create, flows.Change, flows.PutJSON, flows.Publish,
		flows.Deprecate, flows.Delete, flows.Preview, flows.Metrics} {
		t.Run(wish, func(t *testing.T) {
			asked := &model.FlowAsked{Wish: wish, At: model.At(noon), Name: "Feedback", JSON: json}
			f := model.Flow{
				PK: keys.Flow("7001").Partition, ItemType: model.ItemFlow, FlowID: "7001", WABAMetaID: wt.WABA,
				Name: "Feedback", Status: "DRAFT", JSON: was, Version: 1}
			about := model.Account{PK: keys.Account(wt.WABA).Partition, ItemType: model.ItemAccount,
				WABAMetaID: wt.WABA, Version: 1}
			payload := `{"wabaId":"` + wt.WABA + `","phoneNumberId":"` + wt.Phone + `","askedAt":"` +
				string(model.At(noon)) + `"`
			switch wish {
			case flows.List:
				about.Flows = asked
			case flows.Create:
				f.FlowID = keys.NewFlow(wt.WABA, "Feedback")
				f.PK, f.Status, f.JSON = keys.Flow(f.FlowID).Partition, "", nil
				f.Asked = asked
			default:
				f.Asked = asked
			}
			if wish != flows.List {
				payload += `,"flowId":"` + string(f.FlowID) + `"`
			}
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used,
				Seed:   func(t testing.TB, db *dynamotest.DB) { db.Seed(t, tables.Messages, theNumber, f, about) },
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					files := &messagingtest.Bucket{}
					files.Lay(json.Key, "{}")
					files.Lay(was.Key, "{}")
					rooms := roomsOn(client, func() time.Time { return noon })
					handler := rooms.Flows.Handler(steady{}, files, sending.AsFailure)
					_, err := handler.Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: []byte(payload + "}")})
					var later *outbox.Later
					if errors.As(err, &later) {
						return nil
					}
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}

func TestReadingAnEventAboutAFlowSurvivesEveryCrashPoint(t *testing.T) {
	dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used,
		Seed:   func(t testing.TB, db *dynamotest.DB) { db.Seed(t, tables.Messages, theNumber) },
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := roomsOn(client, func() time.Time { return noon })
			for _, event := range told {
				body := wt.BodyAt(noon.Add(time.Duration(event.second)*time.Second), wt.Change("flows", event.value))
				if err := tells(ctx, rooms, body, noon.Add(time.Minute)); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
