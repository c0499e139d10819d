package content_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp/content"
)

func settings(text string) (all []map[string]any) {
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		panic(err)
	}
	return all
}

// What a payment gateway keeps with a payment names the order and the number that has asked for the money.
func TestAGatewayIsGivenTheReference(t *testing.T) {
	many := map[string]any{}
	for i := range 15 {
		many[fmt.Sprintf("n%02d", i)] = "x"
	}
	for name, c := range map[string]struct {
		order, want content.Order
		provider    string
	}{
		"a configuration alone": {content.Order{PaymentConfiguration: "main", PaymentType: "upi"},
			content.Order{PaymentSettings: settings(`[{"type":"payment_gateway","payment_gateway":{"type":"razorpay",
				"configuration_name":"main","razorpay":{"receipt":"R1",
				"notes":{"reference_id":"R1","phone_number_id":"106540352242922"}}}}]`)}, "razorpay"},
		"notes of the caller's": {content.Order{PaymentSettings: settings(`[{"type":"payment_gateway",
				"payment_gateway":{"type":"razorpay","configuration_name":"main","razorpay":{"receipt":"mine",
				"notes":{"table":"7","reference_id":"another"}}}},{"type":"upi"}]`)},
			content.Order{PaymentSettings: settings(`[{"type":"payment_gateway","payment_gateway":{"type":"razorpay",
				"configuration_name":"main","razorpay":{"receipt":"mine","notes":{"table":"7","reference_id":"R1",
				"phone_number_id":"106540352242922"}}}},{"type":"upi"}]`)}, "razorpay"},
		"payu": {content.Order{PaymentConfiguration: "main"},
			content.Order{PaymentSettings: settings(`[{"type":"payment_gateway","payment_gateway":{"type":"payu",
				"configuration_name":"main","payu":{"udf4":"106540352242922:R1"}}}]`)}, "payu"},
		"a provider that keeps nothing": {content.Order{PaymentConfiguration: "main"},
			content.Order{PaymentConfiguration: "main"}, "zaakpay"},
		"no gateway": {content.Order{PaymentConfiguration: "upi", PaymentType: "upi"},
			content.Order{PaymentConfiguration: "upi", PaymentType: "upi"}, ""},
	} {
		before, _ := json.Marshal(c.order)
		c.order.ReferenceID, c.want.ReferenceID = "R1", "R1"
		got := c.order.ThroughGateway(c.provider, "106540352242922")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got.Configuration() != c.want.Configuration() || got.Configuration() == "" {
			t.Errorf("%s: the configuration is %q", name, got.Configuration())
		}
		c.order.ReferenceID = ""
		if after, _ := json.Marshal(c.order); string(after) != string(before) {
			t.Errorf("%s: the caller's order has changed: %s", name, after)
		}
	}
	full := content.Order{ReferenceID: "R1", PaymentSettings: []map[string]any{{"payment_gateway": map[string]any{
		"type": "razorpay", "razorpay": map[string]any{"notes": many}}}}}
	razorpay := full.ThroughGateway("razorpay", "1").PaymentSettings[0]["payment_gateway"].(map[string]any)["razorpay"]
	if notes := razorpay.(map[string]any)["notes"].(map[string]any); len(notes) != 15 || notes["reference_id"] != "R1" {
		t.Errorf("%v", notes)
	}
}

func TestAnotherOrderTakesThePlaceOfTheOneToBePaid(t *testing.T) {
	order := func(id string) *content.Order { return &content.Order{ReferenceID: id} }
	for _, c := range []content.Content{
		content.OrderDetails{Order: *order("R1")}, &content.OrderDetails{Order: *order("R1")},
		&content.Template{Buttons: []content.TemplateButton{{}, {Order: order("R1")}, {Order: order("other")}}},
	} {
		got, is := content.ToPay(content.WithOrder(c, *order("R2")))
		if before, _ := content.ToPay(c); !is || got.ReferenceID != "R2" || before.ReferenceID != "R1" {
			t.Errorf("%T: %s, and it was %s", c, got.ReferenceID, before.ReferenceID)
		}
	}
	if c := content.WithOrder(content.Text{Body: "hello"}, *order("R2")); c != (content.Text{Body: "hello"}) {
		t.Errorf("%+v", c)
	}
}
