package registry_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func (e echo) entry(_ context.Context, event webhooklog.Event) error {
	*e.heard = append(*e.heard, "an entry "+event.Value.Text("said"))
	return nil
}

func (e echo) note(_ context.Context, event model.OutboxEvent) (string, error) {
	*e.heard = append(*e.heard, "an event of "+event.EntityID)
	return event.EventID, nil
}

func (e echo) rekey(_ context.Context, of contacts.Rekeyed) error {
	*e.heard = append(*e.heard, fmt.Sprintf("%s is %s", of.From, of.To))
	return nil
}

func (e echo) suspends(_ context.Context, of contacts.PassedOn) (bool, error) {
	*e.heard = append(*e.heard, fmt.Sprintf("%s has passed on", of.Number))
	return false, nil
}

func (e echo) owned(_ context.Context, tenant model.TenantID) ([]tenancy.Belonging, error) {
	return []tenancy.Belonging{{Kind: "echoes of " + string(tenant), Count: 3}}, nil
}

func (e echo) paid(_ context.Context, order model.PaymentOrder) error {
	*e.heard = append(*e.heard, order.ReferenceID+" is paid")
	return nil
}

func (e echo) refunded(_ context.Context, order model.PaymentOrder, refund model.Refund) error {
	*e.heard = append(*e.heard, refund.Amount.String()+" of "+order.ReferenceID+" went back")
	return nil
}

func (e echo) listens(_ context.Context, tenant model.TenantID, heard bool) error {
	*e.heard = append(*e.heard, fmt.Sprintf("%s is heard: %t", tenant, heard))
	return nil
}

// A domain gets to know whether somebody outside is told events of a tenant, and adds its kinds to those of all.
func TestADomainKnowsWhetherSomebodyListens(t *testing.T) {
	var heard []string
	rooms := house(dynamotest.Start(t, echoTables...).Client, &heard)
	if !slices.ContainsFunc(rooms.EventKinds(), func(k publishing.Kind) bool { return k.Name == "echo.heard" }) {
		t.Errorf("%v", rooms.EventKinds())
	}
	_, err := rooms.EventSubscriptions.Put(t.Context(), "demo", "bus",
		subscriptions.Wanted{Kinds: []string{"echo.heard"}, Enabled: true})
	if err != nil {
		t.Fatal(err)
	}
	handler := rooms.EventSubscriptions.Handlers(nil, nil)[subscriptions.EventNote]
	for _, want := range []string{"demo is heard: true", "demo is heard: false"} {
		if _, err := handler.Send(t.Context(), model.OutboxEvent{EcosystemID: "demo"}); err != nil {
			t.Fatal(err)
		}
		if last := heard[len(heard)-1]; last != want {
			t.Errorf("%s, want %s", last, want)
		}
		if err := rooms.EventSubscriptions.Delete(t.Context(), "demo", "bus"); err != nil {
			t.Fatal(err)
		}
	}
}

// What a domain cannot show of a person is named, and what others show is there.
func TestADomainShowsWhatItKeepsOfAPerson(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	var heard []string
	rooms := house(db.Client, &heard)
	if err := receive(t.Context(), rooms, says(t, db, "hello")); err != nil {
		t.Fatal(err)
	}
	p, known, err := rooms.PersonOf(t.Context(), "demo", wt.Phone, asha, "en")
	if err != nil || !known {
		t.Fatal(known, err)
	}
	shown, failed := beside.Read(t.Context(), rooms.Beside(), p)
	if entries := shown["echoes"].Entries; len(entries) != 1 || entries[0].Title != wt.Phone ||
		len(failed) != 1 || !errors.Is(failed["silence"], errDaily) {
		t.Errorf("%+v, %v", shown, failed)
	}
	if _, known, err := rooms.PersonOf(t.Context(), "demo", wt.Phone, "919800000009", "en"); known || err != nil {
		t.Errorf("nobody is somebody: %v", err)
	}
}

// A field of the part that echo leaves empty is tested by nobody.
func TestTheEchoHoldsWhatAPartCanHold(t *testing.T) {
	part := reflect.ValueOf(echo{log: &webhooklog.Log{}}.join())
	for i := range part.NumField() {
		if part.Field(i).IsZero() {
			t.Errorf("echo joins without %s", part.Type().Field(i).Name)
		}
	}
}

// delivers puts an event into the outbox and sends it.
func delivers(t *testing.T, rooms *messaging.Domain, d outbox.Draft) {
	t.Helper()
	d.Tenant = "demo"
	event, writes, err := rooms.Outbox().Append(t.Context(), nil, d)
	if err == nil {
		err = rooms.DB.Transact(t.Context(), writes)
	}
	if err == nil {
		err = relayOf(rooms, accepts{}).Deliver(t.Context(), event)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestADomainIsToldOfEntriesEventsAndNumbersThatMove(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	var heard []string
	rooms := house(db.Client, &heard)
	if err := receive(t.Context(), rooms, says(t, db, "hello")); err != nil {
		t.Fatal(err)
	}
	heard = nil
	entry := model.WebhookEvent{EventID: "e1", Field: "echoes", Payload: wt.Encode(wt.Object{"said": "twice"})}
	for _, reader := range rooms.Readers() {
		if reader.Reads(entry) {
			if err := reader.Apply(t.Context(), entry); err != nil {
				t.Fatal(err)
			}
		}
	}
	delivers(t, rooms, outbox.Draft{Type: "echo.note", EntityType: "echo", EntityID: "7", Payload: []byte(`{}`)})
	delivers(t, rooms, outbox.Draft{
		Type: contacts.EventRekey, EntityType: contacts.EntityRekey, EntityID: "7",
		Payload: []byte(`{"phoneNumberId":"` + string(wt.Phone) + `","passed":["` + asha + `"]}`)})
	want := []string{"an entry twice", "an event of 7", asha + " has passed on"}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}

// Two conversations turn out to be one person's.
func TestADomainIsToldThatTwoKeysAreOnePersons(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	var heard []string
	rooms := house(db.Client, &heard)
	hidden := wt.Text(asha, "wamid.hidden", "hello", noon)
	delete(hidden, "from")
	hidden["from_user_id"] = "IN.7"
	both := wt.Text(asha, "wamid.both", "it is me", noon)
	both["from_user_id"] = "IN.7"
	first := says(t, db, "hello")
	if err := receive(t.Context(), rooms, append(first, logged(t, db, hidden, both)...)); err != nil {
		t.Fatal(err)
	}
	heard = nil
	for _, item := range db.Items(t, tables.Outbox) {
		var event model.OutboxEvent
		if err := dynamo.Unmarshal(item, &event); err != nil {
			t.Fatal(err)
		}
		if err := relayOf(rooms, accepts{}).Deliver(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	if len(heard) != 1 || heard[0] != "IN.7 is "+asha && heard[0] != asha+" is IN.7" {
		t.Errorf("heard %q", heard)
	}
}

func TestADomainSaysToWhomACampaignMayGo(t *testing.T) {
	rooms := house(dynamotest.Start(t, echoTables...).Client, new([]string))
	found, err := rooms.Audience(t.Context(), model.Phone{}, campaigns.Ask{Kind: "echo_heard"})
	if err != nil || len(found) != 1 || found[0].To != asha {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := rooms.Audience(t.Context(), model.Phone{}, campaigns.Ask{Kind: "nobody"}); !errors.Is(err,
		campaigns.ErrAudience) {
		t.Error(err)
	}
}

func TestADomainAnswersTheScreensOfItsForms(t *testing.T) {
	rooms := house(dynamotest.Start(t, echoTables...).Client, new([]string))
	token, open, err := rooms.Forms.Open(model.OpenForm{
		Form: "echo.form", About: "row-7-", PhoneNumberID: wt.Phone, Customer: asha, CustomerPhone: asha})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rooms.Forms.Find(t.Context(), token); !errors.Is(err, forms.ErrUnknown) {
		t.Errorf("before the message is sent: %v", err)
	}
	if err := rooms.DB.Transact(t.Context(), []dynamo.Write{open}); err != nil {
		t.Fatal(err)
	}
	form, err := rooms.Forms.Find(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	screen, err := rooms.Screens()[form.Form](t.Context(), form, forms.Ask{Screen: "FIRST"})
	if err != nil || screen.Name != "row-7-FIRST" {
		t.Errorf("%+v, %v", screen, err)
	}
}

func TestADomainIsAskedWhatATenantHas(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	has, err := house(db.Client, new([]string)).Tenants.Belongings(t.Context(), "demo")
	if diff := cmp.Diff([]tenancy.Belonging{{Kind: "echoes of demo", Count: 3}}, has); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestADomainIsToldThatAnOrderIsPaid(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	var heard []string
	db.Seed(t, tables.Messages, model.PaymentOrder{
		PK: keys.PaymentOrder(wt.Phone, "R1").Partition, ItemType: model.ItemPaymentOrder, TenantID: "demo",
		PhoneNumberID: wt.Phone, ReferenceID: "R1", OrderID: "R1", PaymentStatus: "captured", CustomerPhone: asha,
		CreatedAt: model.At(noon), FromPK: keys.PaymentOrdersOf("demo", wt.Phone), ReceivedAt: model.At(noon)})
	handler := house(db.Client, &heard).SlowHandlers(messaging.SlowClients{})[payments.EventPaid]
	_, err := handler.Send(t.Context(), model.OutboxEvent{
		Payload: []byte(`{"phoneNumberId":"` + string(wt.Phone) + `","referenceId":"R1"}`)})
	if diff := cmp.Diff([]string{"R1 is paid"}, heard); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestADomainIsToldThatMoneyHasGoneBack(t *testing.T) {
	db := dynamotest.Start(t, echoTables...)
	var heard []string
	amount := model.Amount{Decimal: decimal.NewFromInt(5)}
	db.Seed(t, tables.Messages, model.PaymentOrder{
		PK: keys.PaymentOrder(wt.Phone, "R1").Partition, ItemType: model.ItemPaymentOrder, TenantID: "demo",
		PhoneNumberID: wt.Phone, ReferenceID: "R1", OrderID: "R1", PaymentStatus: "captured", CustomerPhone: asha,
		CreatedAt: model.At(noon), FromPK: keys.PaymentOrdersOf("demo", wt.Phone), ReceivedAt: model.At(noon)},
		model.Refund{
			PK: keys.Refund("r1").Partition, ItemType: model.ItemRefund, RefundID: "r1", OrderID: "R1",
			TenantID: "demo", CustomerPhone: asha, Amount: amount, Currency: "INR", Status: "completed",
			CreatedAt: model.At(noon), PhoneNumberID: wt.Phone, ReferenceID: "R1", Version: 1})
	handler := house(db.Client, &heard).SlowHandlers(messaging.SlowClients{})[payments.EventRefunded]
	_, err := handler.Send(t.Context(), model.OutboxEvent{
		Payload: []byte(`{"phoneNumberId":"` + string(wt.Phone) + `","referenceId":"R1","refundId":"r1"}`)})
	if diff := cmp.Diff([]string{"5 of R1 went back"}, heard); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestADomainsScheduleRuns(t *testing.T) {
	schedules := house(nil, new([]string)).Schedules()
	if err := schedules["echo-daily"](t.Context()); !errors.Is(err, errDaily) || schedules["templates-sync"] == nil {
		t.Errorf("%v, %v", err, schedules)
	}
}

func TestADomainsTemplatesWordingsAndChoicesAreKnown(t *testing.T) {
	rooms := house(nil, new([]string))
	known := false
	for _, own := range rooms.Templates() {
		known = known || own.Name == "echo_heard"
	}
	worded := slices.ContainsFunc(rooms.Wordings(), func(w sms.Wording) bool { return w.Name == "echo_heard_sms" })
	if !known || !worded || !slices.Contains(rooms.Choices(), "echo:") {
		t.Errorf("%+v, %+v, %q", rooms.Templates(), rooms.Wordings(), rooms.Choices())
	}
}
