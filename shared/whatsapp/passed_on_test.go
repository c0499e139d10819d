package whatsapp_test

import (
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestAnErrorThatAnotherServicePassesOnIsRead(t *testing.T) {
	long := whatsapp.Error{Code: 131030, Title: "OAuthException", Message: "not allowed", Details: "Not in the list"}
	for text, want := range map[string]whatsapp.Error{
		`{"error":{"message":"not allowed","type":"OAuthException","code":131030,` +
			`"error_data":{"details":"Not in the list"}}}`: long,
		`Meta refused: {"message":"not allowed","type":"OAuthException","code":131030,` +
			`"error_data":{"details":"Not in the list"}} (request 7)`: long,
		`(#131030) Recipient phone number not in allowed list`: {
			Code: 131030, Message: "Recipient phone number not in allowed list"},
		`failed: (#4)`: {Code: 4},
	} {
		if got, found := whatsapp.ErrorIn(text); !found || got != want {
			t.Errorf("%s: %+v, %t", text, got, found)
		}
	}
	for _, text := range []string{"", "no code", "}{", "{", `{"error":{}}`, `{"error":7}`, "(#)", "#4", `{"code":`} {
		if got, found := whatsapp.ErrorIn(text); found {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
