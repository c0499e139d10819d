package whatsapp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestABodyNamesItsRecipientAndWhatItAnswers(t *testing.T) {
	content := json.RawMessage(`{"body":"hi"}`)
	for want, of := range map[string]struct {
		to      whatsapp.Recipient
		replyTo string
	}{
		`{"messaging_product":"whatsapp","recipient_type":"individual","text":{"body":"hi"},"to":"+919876543210",` +
			`"type":"text"}`: {whatsapp.Recipient{ID: "919876543210"}, ""},
		`{"messaging_product":"whatsapp","recipient":"IN.1234","recipient_type":"individual","text":{"body":"hi"},` +
			`"type":"text"}`: {whatsapp.Recipient{ID: "IN.1234"}, ""},
		`{"messaging_product":"whatsapp","recipient":"US.ENT.1234","recipient_type":"individual",` +
			`"text":{"body":"hi"},"type":"text"}`: {whatsapp.Recipient{ID: "US.ENT.1234"}, ""},
		`{"context":{"message_id":"wamid.0"},"messaging_product":"whatsapp","recipient_type":"group",` +
			`"text":{"body":"hi"},"to":"IN.group","type":"text"}`: {
			whatsapp.Recipient{ID: "IN.group", Group: true}, "wamid.0"},
		`{"messaging_product":"whatsapp","recipient_type":"group","text":{"body":"hi"},"to":"120363",` +
			`"type":"text"}`: {whatsapp.Recipient{ID: "120363", Group: true}, ""},
	} {
		got, err := whatsapp.Body(of.to, "text", content, of.replyTo)
		if err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

func TestAReadReceiptMayShowThatSomebodyIsWriting(t *testing.T) {
	const read, typing = `{"message_id":"wamid.1","messaging_product":"whatsapp","status":"read"}`,
		`{"message_id":"wamid.1","messaging_product":"whatsapp","status":"read","typing_indicator":{"type":"text"}}`
	for shown, want := range map[bool]string{false: read, true: typing} {
		got, err := whatsapp.ReadReceiptBody("wamid.1", shown)
		if err != nil || string(got) != want || string(whatsapp.WithoutTyping(got)) != read {
			t.Errorf("%s, %v", got, err)
		}
	}
}

func TestOnlyACountryAndADotMakeAUserID(t *testing.T) {
	for id, recipient := range map[string]bool{
		"IN.1": true, "US.ENT.1": true, "919876543210": false, "in.1": false, "IND.1": false, "I.1": false,
		"1N.1": false, ".1": false, "IN1": false, "": false,
	} {
		if to := (whatsapp.Recipient{ID: id}); to.ByUserID() != recipient {
			t.Errorf("%q is a user id: %v", id, !recipient)
		}
	}
}

func TestOnlyNumbersWithTheirCountryAndUserIDsAreReachable(t *testing.T) {
	for _, id := range []string{
		"91987654", "919876543210", "123456789012345", "US.13491208655302741918", "US.ENT.11815799212886844830",
		"IN.CURRENTBSUID", "US." + strings.Repeat("a", 128)} {
		if !whatsapp.Reachable(id) {
			t.Errorf("%q cannot be reached", id)
		}
	}
	for _, id := range []string{
		"", "1", "9198765", "0919876543210", "00919876543210", "1234567890123456", "+919876543210", "919876543210~x",
		"919876543210~1a2b3c4d", "91 9876543210",
		"US", "US.", "US..1", "US.1.", ".US.1", "us.1", "USA.1", "U.1", "US.1~2", "US.1 2", "US.1/2", "US.<BSUID>",
		"US.ä", "US." + strings.Repeat("a", 129), "GROUP-1", "me",
	} {
		if whatsapp.Reachable(id) {
			t.Errorf("%q can be reached", id)
		}
	}
}
