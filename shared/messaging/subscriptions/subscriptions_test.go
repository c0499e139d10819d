package subscriptions_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/outward"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/standardwebhooks"
	"github.com/haatline/haatline/shared/tables"
)

func started(t testing.TB) (*house, *endpoints, *dynamotest.DB) {
	db := dynamotest.Start(t, used...)
	owns(t, db)
	return houseOn(db.Client), serve(t), db
}

func TestAnEventIsToldToWhoeverWantsItAndNobodyElse(t *testing.T) {
	h, e, db := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	h.put(t, "n8n", subscriptions.Wanted{
		URL: e.address + "/n8n", Kinds: []string{"message.received"}, Enabled: true, Secret: secret})
	h.sweeps(t, e, nil, 0)
	if since := h.get(t, "erp").ListensSince; since == "" {
		t.Error("the domains do not know of it")
	}
	h.publish(t, ordered("1"))
	h.sweeps(t, e, nil, 0)
	h.publish(t, ordered("1")) // the reaction is repeated
	h.sweeps(t, e, nil, 0)
	got := e.at("/erp")
	if len(got) != 1 || len(e.at("/n8n")) > 0 {
		t.Fatalf("%d and others", len(got))
	}
	want := map[string]any{
		"type": "order.created", "timestamp": string(model.At(noon)),
		"data": map[string]any{"orderId": "ORD-1", "tenantId": tenant}}
	if diff := cmp.Diff(want, h.verified(t, got[0], secret)); diff != "" {
		t.Error(diff)
	}
	if id := got[0].header.Get("webhook-id"); id != keys.PublishedID(tenant, "order.created", "1") ||
		strings.Contains(id, ".") {
		t.Error(id)
	}
	for _, item := range db.Items(t, tables.Messages) {
		if strings.Contains(fmt.Sprint(item), secret) {
			t.Error("a secret is stored in clear")
		}
	}
}

func TestBothSecretsSignForADayAfterARotation(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	made, err := h.EventSubscriptions.Rotate(t.Context(), tenant, "erp", "")
	if err != nil || made == secret {
		t.Fatal(made, err)
	}
	h.publish(t, ordered("1"))
	h.sweeps(t, e, nil, 0)
	got := e.at("/erp")
	if len(got) != 1 {
		t.Fatalf("%d", len(got))
	}
	h.verified(t, got[0], secret)
	h.verified(t, got[0], made)
	// a repeated request replaces nothing
	again := secret
	for range 2 {
		if _, err := h.EventSubscriptions.Rotate(t.Context(), tenant, "erp", again); err != nil {
			t.Fatal(err)
		}
	}
	h.publish(t, ordered("2"))
	h.sweeps(t, e, nil, subscriptions.Overlap)
	got = e.at("/erp")
	if len(got) != 1 || len(strings.Fields(got[0].header.Get("webhook-signature"))) != 1 {
		t.Fatalf("%v", got)
	}
	h.verified(t, got[0], again)
}

func TestASecretIsMadeWhereNoneIsGiven(t *testing.T) {
	h, e, _ := started(t)
	w := to(e.address + "/erp")
	w.Secret = ""
	made, err := h.EventSubscriptions.Put(t.Context(), tenant, "erp", w)
	if _, bad := standardwebhooks.ParseSecret(made); err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	if again, err := h.EventSubscriptions.Put(t.Context(), tenant, "erp", w); err != nil || again != "" {
		t.Errorf("a repeated request made another one: %v", err)
	}
}

// An endpoint that is broken gets one try at a time, more and more rarely. Another one gets its events meanwhile. After
// five days it is disabled; what could not be told is there to be told again.
func TestABrokenEndpointHoldsUpNobodyAndIsDisabled(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	h.put(t, "n8n", to(e.address+"/n8n"))
	e.answer("/erp", http.StatusBadGateway)
	attempts, told := 0, 0
	for hour := range 6 * 24 {
		h.publish(t, ordered(fmt.Sprint(hour)))
		h.sweeps(t, e, nil, time.Hour-30*time.Second)
		attempts, told = attempts+len(e.at("/erp")), told+len(e.at("/n8n"))
	}
	sub := h.get(t, "erp")
	if sub.DisabledBecause != subscriptions.Failing || sub.LastFailure == "" || sub.Failures < 10 {
		t.Errorf("%+v", sub)
	}
	if told != 6*24 || attempts < 10 || attempts > 40 {
		t.Errorf("told %d, tried %d times", told, attempts)
	}
	if other := h.get(t, "n8n"); !other.Active() || other.Failures != 0 {
		t.Errorf("%+v", other)
	}
	h.sweeps(t, e, nil, time.Hour)
	dead, _, err := h.Outbox().ListOnly(t.Context(), tenant, model.OutboxDeadLetter, 200, "",
		func(o model.OutboxEvent) bool { return subscriptions.IsOf(o, "erp") })
	if err != nil || len(dead) < 100 {
		t.Fatalf("%d given up, %v", len(dead), err)
	}
	// it works again
	e.answer("/erp", http.StatusOK)
	h.put(t, "erp", to(e.address+"/erp"))
	h.publish(t, ordered("new"))
	h.sweeps(t, e, nil, time.Minute)
	if got := e.at("/erp"); len(got) != 1 {
		t.Errorf("told %d", len(got))
	}
	if sub := h.get(t, "erp"); sub.Failures != 0 || sub.FailingSince != "" || !sub.Active() {
		t.Errorf("%+v", sub)
	}
}

func TestAnEndpointThatIsGoneIsDisabledAtOnce(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	e.answer("/erp", http.StatusGone)
	h.publish(t, ordered("1"), ordered("2"))
	h.sweeps(t, e, nil, 0)
	if sub := h.get(t, "erp"); sub.DisabledBecause != subscriptions.Gone || sub.DisabledAt == "" {
		t.Errorf("%+v", sub)
	}
	e.at("/erp")
	h.publish(t, ordered("3"))
	h.sweeps(t, e, nil, time.Hour)
	if got := e.at("/erp"); len(got) > 0 {
		t.Errorf("told %d afterwards", len(got))
	}
}

// What an endpoint refuses alone is tried again by itself, and holds up nothing else of it.
func TestARefusalOfOneEventHoldsUpNoOther(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	e.answer("/erp", http.StatusUnprocessableEntity)
	h.publish(t, ordered("1"))
	h.sweeps(t, e, nil, 0)
	refused := e.at("/erp")
	e.answer("/erp", http.StatusOK)
	h.publish(t, ordered("2"))
	h.sweeps(t, e, nil, 0)
	if got := e.at("/erp"); len(refused) == 0 || len(got) == 0 {
		t.Errorf("%d refused, then %d told", len(refused), len(got))
	}
	h.sweeps(t, e, nil, time.Hour)
	if sub := h.get(t, "erp"); sub.Failures != 0 {
		t.Errorf("%+v", sub)
	}
}

func TestAWebhookGoesNowhereElse(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	e.answer("/erp", http.StatusFound)
	h.publish(t, ordered("1"))
	h.sweeps(t, e, nil, 0)
	if sub := h.get(t, "erp"); sub.LastFailure != "the endpoint answered HTTP 302" || len(e.at("/inside")) > 0 {
		t.Errorf("%+v", sub)
	}
	e.poster = subscriptions.NewPoster(outward.Public, &http.Transport{})
	e.at("/erp")
	h.publish(t, ordered("2"))
	h.sweeps(t, e, nil, time.Hour)
	sub := h.get(t, "erp")
	if sub.LastFailure != "the host leads to an address inside a network" || len(e.at("/erp")) > 0 {
		t.Errorf("%+v", sub)
	}
	for _, url := range []string{"http://erp.example/", "https://10.0.0.1/", "https://a:b@erp.example/", ""} {
		if err := subscriptions.CheckURL(url); !errors.Is(err, outward.ErrLink) {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// An endpoint that answers slowly is told nothing from the stream, where others wait behind it.
func TestASlowEndpointHoldsUpNobodyInTheStream(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	h.sweeps(t, e, nil, 0)
	h.publish(t, ordered("1"))
	h.now = h.now.Add(10 * time.Second)
	relay := h.relay(e, nil)
	slowly := h.now
	e.poster.Now = func() time.Time { slowly = slowly.Add(4 * time.Second); return slowly }
	for range 2 {
		if err := relay.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.now = h.now.Add(10 * time.Second)
	}
	if sub := h.get(t, "erp"); sub.SlowUntil == "" || len(e.at("/erp")) != 1 || sub.Failures != 0 {
		t.Fatalf("%+v", sub)
	}
	h.publish(t, ordered("2"))
	stream := func(id string) {
		event, err := h.Outbox().Get(t.Context(), id)
		if err == nil {
			err = h.relay(e, nil).Deliver(t.Context(), event)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	published := keys.PublishedID(tenant, "order.created", "2")
	stream(outbox.LooseID(outbox.Entity{Tenant: tenant, Type: keys.EntityEvent, ID: published}))
	stream(outbox.LooseID(outbox.Entity{
		Tenant: tenant, Type: keys.EntityDelivery, ID: keys.DeliveryEntity("erp", published)}))
	if got := e.at("/erp"); len(got) > 0 {
		t.Errorf("the stream has waited for it: %d", len(got))
	}
	h.sweeps(t, e, nil, 0)
	if got := e.at("/erp"); len(got) != 1 {
		t.Errorf("the sweep has told it %d times", len(got))
	}
}

func TestWhatIsErasedIsNotTold(t *testing.T) {
	h, e, db := started(t)
	w := to(e.address + "/erp")
	w.Kinds = []string{"message.received"}
	h.put(t, "erp", w)
	db.Seed(t, tables.Messages, model.Message{
		PK: "MSG#wamid.1", ItemType: model.ItemMessage, Direction: model.Inbound,
		ConversationPK: keys.Conversation(phone, "919876543210").Partition})
	for _, id := range []string{"wamid.1", "wamid.erased"} {
		h.publish(t, publishing.Event{
			Tenant: tenant, Kind: "message.received", Of: id, At: model.At(noon),
			Data: map[string]string{"messageId": id}})
	}
	for _, item := range db.Items(t, tables.Outbox) {
		if strings.Contains(fmt.Sprint(item), "919876543210") {
			t.Error("a person's number waits in the outbox")
		}
	}
	h.sweeps(t, e, nil, 0)
	got := e.at("/erp")
	if len(got) != 1 {
		t.Fatalf("told %d", len(got))
	}
	data := h.verified(t, got[0], secret)["data"].(map[string]any)
	if data["messageId"] != "wamid.1" || data["conversationId"] != string(phone)+":919876543210" {
		t.Errorf("%v", data)
	}
	for _, item := range db.Items(t, tables.Outbox) {
		if strings.Contains(fmt.Sprint(item), "919876543210") {
			t.Error("a person's number stays in the outbox")
		}
	}
}

func TestTheEventBusGetsTheSameEvents(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "bus", subscriptions.Wanted{Kinds: []string{"order.created"}, Enabled: true})
	onto := &bus{err: errors.New("away")}
	h.publish(t, ordered("1"))
	h.sweeps(t, e, onto, 0)
	onto.err = nil
	h.sweeps(t, e, onto, time.Hour)
	if len(onto.got) != 1 || onto.got[0].Kind != "order.created" || !onto.got[0].At.Equal(noon) ||
		!strings.Contains(string(onto.got[0].Detail), `"id":"evt_`) {
		t.Errorf("%+v", onto.got)
	}
	_, err := h.EventSubscriptions.Rotate(t.Context(), tenant, "bus", "")
	if !errors.Is(err, subscriptions.ErrNoSecret) {
		t.Error(err)
	}
}

func TestATestIsToldWhateverIsWanted(t *testing.T) {
	h, e, _ := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	id, err := h.EventSubscriptions.Test(t.Context(), tenant, "erp", "1")
	if err != nil {
		t.Fatal(err)
	}
	h.sweeps(t, e, nil, 0)
	got := e.at("/erp")
	if len(got) != 1 || h.verified(t, got[0], secret)["type"] != subscriptions.KindTest {
		t.Errorf("%v", got)
	}
	if event, err := h.Outbox().Get(t.Context(), id); err != nil || event.Status != model.OutboxSent {
		t.Errorf("%+v %v", event, err)
	}
	off := to(e.address + "/erp")
	off.Enabled = false
	h.put(t, "erp", off)
	_, err = h.EventSubscriptions.Test(t.Context(), tenant, "erp", "2")
	if !errors.Is(err, subscriptions.ErrDisabled) {
		t.Error(err)
	}
}

func TestADeletedSubscriptionIsToldNothing(t *testing.T) {
	h, e, db := started(t)
	h.put(t, "erp", to(e.address+"/erp"))
	h.sweeps(t, e, nil, 0)
	if tenant, err := h.SubscribedTo(t.Context(), phone); err != nil || tenant != "shop" {
		t.Errorf("%q %v", tenant, err)
	}
	h.publish(t, ordered("1"))
	if err := h.EventSubscriptions.Delete(t.Context(), tenant, "erp"); err != nil {
		t.Fatal(err)
	}
	h.sweeps(t, e, nil, 0)
	if got := e.at("/erp"); len(got) > 0 {
		t.Errorf("told %d", len(got))
	}
	h.now = h.now.Add(time.Minute)
	if tenant, err := h.SubscribedTo(t.Context(), phone); err != nil || tenant != "" {
		t.Errorf("the number still publishes: %q %v", tenant, err)
	}
	if err := h.EventSubscriptions.Delete(t.Context(), tenant, "erp"); err != nil {
		t.Error(err)
	}
	for _, item := range db.Items(t, tables.Messages) {
		if item["subscriptionIds"] != nil || item["subscribed"] != nil {
			t.Errorf("%v", item)
		}
	}
}

func TestATenantHasSoManySubscriptions(t *testing.T) {
	h, e, _ := started(t)
	for i := range subscriptions.Most {
		h.put(t, model.Name(fmt.Sprintf("s%02d", i)), to(e.address+"/erp"))
	}
	_, err := h.EventSubscriptions.Put(t.Context(), tenant, "more", to(e.address+"/erp"))
	if !errors.Is(err, subscriptions.ErrMany) {
		t.Error(err)
	}
	h.publish(t, ordered("1")) // one transaction tells it to all
	h.sweeps(t, e, nil, 0)
	if got := e.at("/erp"); len(got) != subscriptions.Most {
		t.Errorf("told %d times", len(got))
	}
}
