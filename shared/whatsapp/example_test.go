package whatsapp_test

import (
	"fmt"

	"github.com/haatline/haatline/shared/whatsapp"
)

// A webhook is verified before it is read. More than one secret counts while a secret is being replaced.
func ExampleVerifySignature() {
	body := []byte(`{"object":"whatsapp_business_account"}`)
	header := whatsapp.Sign("the app's secret", body)
	fmt.Println(whatsapp.VerifySignature([]string{"the next secret", "the app's secret"}, header, body))
	fmt.Println(whatsapp.VerifySignature([]string{"another app's"}, header, body))
	// Output:
	// true
	// false
}

// Each change of a body becomes an entry, whether its kind is known or not.
func ExampleDecodeWebhook() {
	entries, err := whatsapp.DecodeWebhook(
		[]byte(`{"object": "whatsapp_business_account", "entry": [{"id": "1010", "changes": [
		{"field": "messages", "value": {"metadata": {"phone_number_id": "1060"}, "messages": [
			{"from": "919876543210", "id": "wamid.1", "timestamp": "1795000000", "type": "text", "text": {"body": "2 kg rice"}}]}},
		{"field": "a_field_of_next_year", "value": {}}]}]}`))
	for _, entry := range entries {
		fmt.Printf("%s is %s of %q\n", entry.Field, entry.Kind, entry.PhoneNumberID)
	}
	fmt.Println(err)
	// Output:
	// messages is message of "1060"
	// a_field_of_next_year is unknown of ""
	// <nil>
}
