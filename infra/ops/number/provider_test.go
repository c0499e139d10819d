package number_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const atAWS = "phone-number-id-976c72a700aac43eaf573ae050example"

func TestANumberIsSetToSendByAWSAndBackAndTheRecordsSaySo(t *testing.T) {
	w := newWorld(t, tables.Prod)
	acme := []string{"-stage", "prod", "-phone", phone, "-tenant", "acme"}
	for _, c := range []struct {
		args []string
		want string
	}{{nil, ""}, {[]string{"-aws", atAWS}, atAWS}, {nil, atAWS}, {[]string{"-aws", "meta"}, ""}} {
		if _, err := run(t, append(acme[:len(acme):len(acme)], c.args...)...); err != nil {
			t.Fatal(err)
		}
		var number model.Phone
		if err := w.db().Get(t.Context(), tables.Messages, keys.Phone(phone), &number); err != nil ||
			number.AWSPhoneNumberID != c.want {
			t.Errorf("%q: %q, %v", c.args, number.AWSPhoneNumberID, err)
		}
	}
	records := w.records()
	if len(records) != 3 || !strings.Contains(string(records[1].NewValue), `"awsPhoneNumberId":"`+atAWS+`"`) ||
		!strings.Contains(string(records[0].PreviousValue), atAWS) ||
		strings.Contains(string(records[0].NewValue), "aws") {
		t.Errorf("%+v", records)
	}
}

func TestAWSIsAskedForItsIDOfANumber(t *testing.T) {
	w := newWorld(t, tables.Prod)
	w.account.WhatsAppNumbers = map[string]string{"phone-number-id-other": "106540352242999", atAWS: phone}
	find := []string{"-stage", "prod", "-phone", phone, "-tenant", "acme", "-aws", "find"}
	if _, err := run(t, find...); err != nil {
		t.Fatal(err)
	}
	var number model.Phone
	if err := w.db().Get(t.Context(), tables.Messages, keys.Phone(phone), &number); err != nil ||
		number.AWSPhoneNumberID != atAWS {
		t.Errorf("%q, %v", number.AWSPhoneNumberID, err)
	}
	delete(w.account.WhatsAppNumbers, atAWS)
	if _, err := run(t, find...); err == nil || !strings.HasPrefix(err.Error(), "AWS knows no number "+phone) {
		t.Errorf("%v", err)
	}
	w.account.Refuse["ListLinkedWhatsAppBusinessAccounts"] = "AccessDeniedException:no"
	if _, err := run(t, find...); err == nil || err.Error() !=
		"list the accounts at AWS: AccessDeniedException: no" {
		t.Errorf("%v", err)
	}
}

func TestAWrongProviderIsRefused(t *testing.T) {
	for _, args := range [][]string{
		{"-phone", phone, "-aws", "106540352242922"}, {"-phone", phone, "-aws", "phone-number-id-"},
		{"-phone", phone, "-aws", "phone-number-id-a/b"}, {"-phone", phone, "-aws", atAWS, "-remove"},
		{"-sender", "+447700900444", "-aws", atAWS}, {"-phone", phone, "-aws", "find", "-remove"},
		{"-sender", "+447700900444", "-aws", "find"},
	} {
		if out, err := run(t, append([]string{"-stage", "prod", "-tenant", "acme"}, args...)...); err == nil {
			t.Errorf("%q: %s", args, out)
		}
	}
}
