package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// otherPhone is a number that nobody has stopped from sending.
const otherPhone = "206540352242922"

// mishaps make the functions measure what everything else does not: what is posted twice, what cannot be dealt with, and
// what fails after WhatsApp has taken it.
func (r *running) mishaps(t *testing.T) {
	t.Helper()
	post := func(field, value string) {
		r.simulate(t, "/webhook", `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","time":1,"changes":[{"field":"`+field+
			`","value":{"metadata":{"phone_number_id":"`+otherPhone+`"},`+value+`}}]}]}`)
	}
	for range 2 {
		post("messages", `"messages":[{"type":"text","text":{"body":"from nobody"}}]`)
	}
	post("user_id_update", `"user_id_update":[{"wa_id":"919876500001"}]`)
	post("messages", `"statuses":[{"id":"wamid.of-somebody-else","status":"played","timestamp":"1795200000"}]`)
	r.simulate(t, "/webhook", `{"object":"whatsapp_business_account","entry":["what is this"]}`)
	r.simulate(t, "/say", `{"phoneNumberId":"`+otherPhone+`","from":"919876500009","text":"hello"}`)
	const messages = "/v1/conversations/" + otherPhone + ":919876500009/messages"
	var page timeline
	r.get(t, messages, &page, func() bool { return len(page.Messages) == 1 })
	r.giveToken(t, otherPhone, "secretsmanager:"+names.NumberSecrets(tables.Dev)+otherPhone)
	r.simulate(t, "/faults", `{"match":{"to":"919876500009"},"failStatus":{"code":131026,"title":"Message undeliverable"}}`)
	r.want(t, 202, "POST", messages+"/text", `{"body":"six"}`)
	r.get(t, messages, &page, func() bool { return page.Messages[0].Delivery != nil && page.Messages[0].Delivery.Status == "failed" })
}

// engine is a client of the running engine.
func (r *running) engine(list ...tables.Table) *dynamo.Client {
	env := map[string]string{"DYNAMODB_ENDPOINT": r.Addresses.DynamoDB, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
	return dynamo.Open(func(name string) string { return env[name] }, list...)
}

// appendUnknown puts an event of a type that no function of this version sends into the outbox.
func (r *running) appendUnknown(t *testing.T) {
	t.Helper()
	sequence := keys.OutboxSequenceID(keys.OutboxEntityKey("demo", "unknown", "1"))
	event := model.OutboxEvent{
		EventID: keys.OutboxEventID(sequence, 1), EventType: "unknown.kind", EntityType: "unknown", EntityID: "1", EcosystemID: "demo",
		SequenceNumber: 1, Payload: model.Document("{}"), Status: model.OutboxPending, CreatedAt: model.At(time.Now()),
	}
	event.CreatedAtEventID = keys.Joined(event.CreatedAt, event.EventID)
	item, err := dynamo.Marshal(event)
	if err == nil {
		err = r.engine(tables.Outbox).Put(t.Context(), dynamo.Put{Table: tables.Outbox, Item: item, If: "attribute_not_exists(eventId)"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// giveToken says where a number's own access token is, as an operator does by hand.
func (r *running) giveToken(t *testing.T, phone model.PhoneNumberID, ref string) {
	t.Helper()
	_, err := r.engine(tables.Messages).Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET accessTokenRef = :ref", If: "attribute_exists(pk)", Values: dynamo.Item{":ref": dynamo.S(ref)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// measuresWhatItSays compares what each function has measured with what the topology says of it: an alarm on what is never
// written would be quiet for ever.
func measuresWhatItSays(t *testing.T, logs *lockedBuffer) {
	t.Helper()
	var differing []string
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		differing = nil
		lines := linesOf(logs.String())
		for _, f := range topology.Functions {
			for _, metric := range topology.Metrics() {
				said := slices.Contains(f.Metrics, metric)
				written := slices.ContainsFunc(lines, func(l line) bool {
					return l.function == f.Name && strings.Contains(l.attributes, " "+metric.Name+"=")
				})
				if said != written {
					differing = append(differing, fmt.Sprintf("%s: %s is said: %t, measured: %t", f.Name, metric.Name, said, written))
				}
			}
		}
		if len(differing) == 0 {
			return
		}
	}
	t.Errorf("metrics:\n%s", strings.Join(differing, "\n"))
}
