package content

import (
	"maps"
	"slices"

	"github.com/haatline/haatline/shared/whatsapp"
)

// gatewayFields return, by provider, the fields that a payment gateway keeps with a payment: those that an order has,
// with the reference and the number. These come first where there is no room for all.
var gatewayFields = map[string]func(has map[string]any, reference, number string) map[string]any{
	"razorpay": func(has map[string]any, reference, number string) map[string]any {
		const mostNotes = 15
		notes := map[string]any{whatsapp.GatewayReference: reference, whatsapp.GatewayNumber: number}
		given, _ := has["notes"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if _, ours := notes[name]; !ours && len(notes) < mostNotes {
				notes[name] = given[name]
			}
		}
		fields := object{"receipt": reference}
		maps.Copy(fields, has)
		return with(fields, "notes", notes)
	},
	"payu": func(has map[string]any, reference, number string) map[string]any {
		fields := object{}
		maps.Copy(fields, has)
		fields["udf4"] = number + ":" + reference
		return fields
	},
}

// Configuration returns the name of the payment configuration by which an order is paid; "" for none.
func (o Order) Configuration() string {
	if o.PaymentConfiguration != "" {
		return o.PaymentConfiguration
	}
	for _, setting := range o.PaymentSettings {
		gateway, _ := setting["payment_gateway"].(map[string]any)
		if name, _ := gateway["configuration_name"].(string); name != "" {
			return name
		}
	}
	return ""
}

// ThroughGateway returns an order that a payment gateway takes, so that what the gateway posts of the payment names the
// order and its number. An order of a provider that keeps nothing stays as it is.
func (o Order) ThroughGateway(provider, number string) Order {
	fields, known := gatewayFields[provider]
	if !known {
		return o
	}
	settings := o.PaymentSettings
	if len(settings) == 0 {
		settings = []map[string]any{{
			"type": "payment_gateway",
			"payment_gateway": map[string]any{
				"type": provider, "configuration_name": o.PaymentConfiguration}}}
		o.PaymentConfiguration, o.PaymentType = "", "" // the settings say both
	}
	o.PaymentSettings = make([]map[string]any, len(settings))
	for i, setting := range settings {
		o.PaymentSettings[i] = setting
		gateway, is := setting["payment_gateway"].(map[string]any)
		if !is || gateway["type"] != provider {
			continue
		}
		has, _ := gateway[provider].(map[string]any)
		gateway = maps.Clone(gateway)
		gateway[provider] = fields(has, o.ReferenceID, number)
		o.PaymentSettings[i] = maps.Clone(setting)
		o.PaymentSettings[i]["payment_gateway"] = gateway
	}
	return o
}
