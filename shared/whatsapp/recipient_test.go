package whatsapp

import (
	"fmt"
	"testing"
)

func TestAStatusMustNameTheMessagesRecipient(t *testing.T) {
	for name, c := range map[string]struct {
		number, user string
		addresses    []string
		same         bool
	}{
		"the number":                   {"919876543210", "", []string{"919876543210"}, true},
		"the number written otherwise": {"919876543210", "", []string{"+91 98765-43210"}, true},
		"another number":               {"918888888888", "", []string{"919876543210"}, false},
		"the user id":                  {"", "IN.1", []string{"IN.1"}, true},
		"another user id":              {"", "IN.2", []string{"IN.1"}, false},
		"the user id, and a number nobody sent to": {"919876543210", "IN.1", []string{"IN.1"}, true},
		"a user id of somebody sent to by number":  {"", "IN.1", []string{"919876543210"}, true},
		"another number beside a user id":          {"918888888888", "IN.1", []string{"919876543210"}, false},
		"a parent's user id and a person's":        {"", "US.ENT.1", []string{"US.2"}, true},
		"nobody":                                   {"", "", []string{"919876543210"}, true},
		"the group":                                {"120363-group@g.us", "", []string{"120363-group@g.us"}, true},
		"another group":                            {"120363-other@g.us", "", []string{"120363-group@g.us"}, false},
		"Brazil without the ninth digit":           {"551187654321", "", []string{"5511987654321"}, true},
		"Brazil with it":                           {"5511987654321", "", []string{"551187654321"}, true},
		"Argentina":                                {"5491123456789", "", []string{"541123456789"}, true},
		"Mexico":                                   {"5215512345678", "", []string{"525512345678"}, true},
		"a longer number elsewhere":                {"4915123456789", "", []string{"495123456789"}, false},
		"any address will do": {
			"919876543210", "", []string{"918888888888", "919876543210"}, true},
	} {
		status := Status{RecipientID: c.number, RecipientUserID: c.user}
		if same := SameRecipient(status, c.addresses...); same != c.same {
			t.Errorf("%s: %v", name, same)
		}
	}
}

// A user id is no form of the phone number that its digits happen to be.
func TestOnlyNumbersHaveOtherForms(t *testing.T) {
	for name, want := range map[string]string{
		"551187654321": "[5511987654321]", "5511987654321": "[551187654321]", "5215512345678": "[525512345678]",
		"919876543210": "[]", "IN.6591234567": "[]", "5+5491123456": "[]", "": "[]",
	} {
		if got := fmt.Sprint(OtherForms(name)); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
