package doctor_test

import (
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestANumberAtAWSHasToBeKnownAndToldOf(t *testing.T) {
	const (
		id    = "phone-number-id-976c72a700aac43eaf573ae050example"
		topic = "arn:aws:sns:ap-south-1:111122223333:whatsapp"
	)
	sends := func(numbers map[string]string, topic string) func(*fixture) {
		return func(w *fixture) {
			w.holds(tables.Messages, keys.Phone(model.PhoneNumberID(phone)), map[string]any{
				"awsPhoneNumberId": map[string]string{"S": id}, "phoneNumberId": map[string]string{"S": phone},
				"tenantId": map[string]string{"S": "acme"}})
			w.aws.WhatsAppNumbers, w.aws.WhatsAppTopic = numbers, topic
		}
	}
	ours := map[string]string{id: phone}
	const about = "15550783881 (" + phone + ") at AWS"
	for _, c := range []trouble{
		{"none", func(*fixture) {}, nil, []string{"ok       numbers at AWS: no number sends there"}, true},
		{"as it should be", sends(ours, topic), nil,
			[]string{"ok       " + about + ": AWS tells of it by the topic " + topic}, true},
		{"not known", sends(nil, topic), nil, []string{"MISSING  " + about + ": AWS does not know " + id,
			"make number STAGE=prod PHONE=" + phone + " TENANT=acme"}, false},
		{"another number", sends(map[string]string{id: "106540352242999"}, topic), nil,
			[]string{"MISSING  " + about + ": " + id + " is another number"}, false},
		{"not told of", sends(ours, ""), nil, []string{"MISSING  " + about + ": AWS tells no topic",
			"-c eumTopic={its ARN}"}, false},
		{"not to be seen", func(w *fixture) {
			sends(ours, topic)(w)
			w.aws.Refuse["GetLinkedWhatsAppBusinessAccountPhoneNumber"] = "AccessDeniedException:no"
		}, nil, []string{"unknown  " + about + ": AccessDeniedException: no",
			"social-messaging:GetLinkedWhatsAppBusinessAccountPhoneNumber"}, false},
	} {
		t.Run(c.name, c.run)
	}
}
