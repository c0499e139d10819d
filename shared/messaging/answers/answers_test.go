package answers_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const asha = "919876543210"

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func reply(id, name, answers, to string) wt.Object {
	m := wt.Message(asha, id, "interactive", noon,
		wt.Object{"interactive": wt.Object{
			"type": "nfm_reply", "nfm_reply": wt.Object{"name": name, "response_json": answers}}})
	if to != "" {
		m["context"] = wt.Object{"id": to}
	}
	return m
}

// A form and an address are kept once, under the form's own id where the message that asked for it names it. An erasure
// removes them, and a redelivery does not bring them back.
func TestWhatACustomerFillsInIsKept(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs)
	d := messaging.New(messaging.Config{DB: db.Client, Now: func() time.Time { return noon }})
	for id, phone := range map[model.MessageID]model.PhoneNumberID{
		"wamid.ours": wt.Phone, "wamid.theirs": "700000000000001"} {
		db.Seed(t, tables.Messages, model.Message{
			PK: keys.Message(id).Partition, ItemType: model.ItemMessage, Direction: model.Outbound,
			ConversationPK: keys.Conversation(phone, asha).Partition,
			Content: model.Document(
				`{"interactive":{"type":"flow","action":{"parameters":{"flow_id":"4711"}}}}`),
		})
	}
	event := model.WebhookEvent{
		EventID: "e1", EventType: "message", PhoneNumberID: wt.Phone, ReceivedAt: model.At(noon)}
	event.Payload = wt.Encode(wt.Messages(wt.List{wt.Contact(asha, "Asha")},
		reply("wamid.1", "flow", `{"pin":560001,"screen":"LAST"}`, "wamid.ours"),
		reply("wamid.2", "flow", `{"pin":1}`, "wamid.theirs"),
		reply("wamid.3", "flow", `{"pin":2}`, ""), reply("wamid.4", "flow", `not json`, ""),
		reply("wamid.5", "address_message",
			`{"values":{"name":"Asha","phone_number":"+919876543210","in_pin_code":"560001","house_number":"12",`+
				`"address":"MG Road","landmark_area":"near the lake","city":"Bengaluru","state":"Karnataka"}}`, ""),
	)["value"])
	for range 2 { // the second time nothing is added
		if err := d.MessageReader(d.Subscriptions()...).Apply(t.Context(), event); err != nil &&
			!dynamo.Permanent(err) {
			t.Fatal(err)
		}
	}
	them := contacts.KnownByKey(wt.Phone, asha)
	responses, err := d.Answers.Responses(t.Context(), them)
	if err != nil {
		t.Fatal(err)
	}
	flows := map[string]string{}
	for _, r := range responses {
		flows[r.ResponseID] = r.FlowID + " " + string(r.Data)
	}
	want := map[string]string{
		"wamid.1": `4711 {"pin":560001,"screen":"LAST"}`, "wamid.2": `flow {"pin":1}`, "wamid.3": `flow {"pin":2}`}
	if diff := cmp.Diff(want, flows); diff != "" {
		t.Error(diff)
	}
	addresses, err := d.Answers.Addresses(t.Context(), them)
	if err != nil || len(addresses) != 1 || addresses[0].Address != "12, MG Road, near the lake" ||
		addresses[0].PostalCode != "560001" || addresses[0].City != "Bengaluru" {
		t.Errorf("%+v, %v", addresses, err)
	}
	if others, err := d.Answers.Responses(t.Context(), contacts.KnownByKey("700000000000001", asha)); len(others) > 0 ||
		err != nil {
		t.Errorf("another number sees %v, %v", others, err)
	}

	erased := 0
	count := func(_ string, n int) []dynamo.Write { erased += n; return nil }
	if err := d.Answers.Erase(t.Context(), them, count); err != nil || erased != 4 {
		t.Errorf("erased %d, %v", erased, err)
	}
	db.Seed(t, tables.Messages,
		model.Message{PK: keys.Message("wamid.1").Partition, ItemType: model.ItemMessage, ErasedAt: model.At(noon)})
	late := inbound.Of(model.Message{
		PK: keys.Message("wamid.1").Partition, ConversationPK: keys.Conversation(wt.Phone, asha).Partition,
		Type: "interactive", ReceivedAt: model.At(noon),
		Content: model.Document(
			`{"interactive":{"type":"nfm_reply","nfm_reply":{"name":"flow","response_json":"{}"}}}`),
	}, []model.CustomerID{asha}, true)
	if _, err := d.Answers.Subscription().React(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	if left, err := d.Answers.Responses(t.Context(), them); len(left) > 0 || err != nil {
		t.Errorf("after the erasure there are %v, %v", left, err)
	}
}
