package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/conversations/turns"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// otherPhone is a number that nobody has stopped from sending.
const otherPhone = "206540352242922"

// mishaps make the functions measure what everything else does not: what is posted twice, what cannot be dealt with,
// and what fails after WhatsApp has taken it.
func (r *running) mishaps(t *testing.T) {
	t.Helper()
	post := func(field, value string) {
		r.simulate(t, "/webhook",
			`{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","time":1,"changes":[{"field":"`+
				field+
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
	r.losesFiles(t)
	r.simulate(t, "/faults",
		`{"match":{"to":"919876500009"},"failStatus":{"code":131026,"title":"Message undeliverable"}}`)
	r.want(t, 202, "POST", messages+"/text", `{"body":"six"}`)
	r.get(t, messages, &page,
		func() bool { return page.Messages[0].Delivery != nil && page.Messages[0].Delivery.Status == "failed" })
}

// engine is a client of the running engine.
func (r *running) engine() *dynamo.Client {
	env := map[string]string{
		"DYNAMODB_ENDPOINT": r.Addresses.DynamoDB, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "local",
		"AWS_SECRET_ACCESS_KEY": "local"}
	return dynamo.Open(func(name string) string { return env[name] })
}

// appendUnknown puts events of a type that no function of this version sends into the outbox, one for each of its
// functions.
func (r *running) appendUnknown(t *testing.T) {
	t.Helper()
	for _, entity := range []string{"unknown", keys.EntityFile, keys.EntityModel} {
		r.appendEvent(t, "unknown.kind", entity, "1", "{}", time.Now())
	}
}

// appendEvent puts the first event of an entity into the outbox.
func (r *running) appendEvent(t *testing.T, kind, entity, id, payload string, created time.Time) {
	t.Helper()
	store := outbox.Outbox{
		DB: r.engine(), Now: func() time.Time { return created }}
	_, writes, err := store.Append(t.Context(), nil,
		outbox.Draft{Type: kind, Tenant: "demo", EntityType: entity, EntityID: id, Payload: model.Document(payload)})
	if err == nil {
		err = store.DB.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// losesFiles has the function of files meet what it cannot fetch: a request that cannot be read, a file that Meta does
// not show, and one that it has forgotten.
func (r *running) losesFiles(t *testing.T) {
	t.Helper()
	for id, created := range map[string]time.Time{
		"hidden": time.Now(), "forgotten": time.Now().Add(-8 * 24 * time.Hour)} {
		record := model.Media{
			PK: keys.Media(model.MediaID(id)).Partition, ItemType: model.ItemMedia, MediaID: model.MediaID(id),
			PhoneNumberID: otherPhone}
		item, err := dynamo.Marshal(record)
		if err == nil {
			err = r.engine().Put(t.Context(),
				dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent})
		}
		if err != nil {
			t.Fatal(err)
		}
		r.appendEvent(t, media.EventFile, keys.EntityFile, id, `{"phoneNumberId":"`+otherPhone+`","mediaId":"`+id+`"}`,
			created)
	}
	r.appendEvent(t, media.EventFile, keys.EntityFile, "unreadable", `{}`, time.Now())
	r.appendEvent(t, turns.AskType, keys.EntityModel, "unreadable", `{}`, time.Now())
	for id, want := range map[string]string{"hidden": "the last attempt", "forgotten": "has forgotten"} {
		deadline := time.Now().Add(eventually.Limit)
		for {
			if _, body := r.call(t, http.MethodGet, "/v1/media/"+id, ""); strings.Contains(body, want) {
				break
			} else if time.Now().After(deadline) {
				t.Fatalf("%s: %s", id, body)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// giveToken says where a number's own access token is, as an operator does by hand.
func (r *running) giveToken(t *testing.T, phone model.PhoneNumberID, ref string) {
	t.Helper()
	err := r.engine().Update(t.Context(), dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(phone), Do: "SET accessTokenRef = :ref", If: "attribute_exists(pk)",
		Values: dynamo.Item{":ref": dynamo.S(ref)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// measuresWhatItSays compares what each function has measured with what the topology says of it: an alarm on what is
// never written would be quiet for ever.
func measuresWhatItSays(t *testing.T, logs *lockedBuffer) {
	t.Helper()
	var differing []string
	for deadline := time.Now().Add(eventually.Limit); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		differing = nil
		lines := linesOf(logs.String())
		for _, f := range topology.Functions {
			for _, metric := range topology.Metrics() {
				said := slices.Contains(f.Metrics, metric)
				written := slices.ContainsFunc(lines, func(l line) bool {
					return l.function == f.Name && strings.Contains(l.attributes, " "+metric.Name+"=")
				})
				if said != written {
					differing = append(differing,
						fmt.Sprintf("%s: %s is said: %t, measured: %t", f.Name, metric.Name, said, written))
				}
			}
		}
		if len(differing) == 0 {
			return
		}
	}
	t.Errorf("metrics:\n%s", strings.Join(differing, "\n"))
}
