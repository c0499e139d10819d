package notices

import (
	"encoding/json"
	"time"
)

// Origin is where an entry comes from. Phone is "" for one that is about the account.
type Origin struct {
	AWSAccount          string
	WABA, WABAARN       string // Meta's id of the account, and AWS's ARN of it
	Phone, PhoneARN     string // the same of the number
	MessageID, SNSTopic string // of the notice, and the topic that brings it
	At                  time.Time
}

// Write returns AWS's notice of an entry of a webhook, as raw message delivery brings it. The local cloud and the tests
// play AWS by it.
func Write(entry string, of Origin) []byte {
	type account struct {
		WABA string `json:"wabaId"`
		ARN  string `json:"arn"`
	}
	type number struct {
		Phone string `json:"metaPhoneNumberId"`
		ARN   string `json:"arn"`
	}
	var notice struct {
		Context struct {
			Accounts []account `json:"MetaWabaIds"`
			Numbers  []number  `json:"MetaPhoneNumberIds"`
		} `json:"context"`
		Entry      string `json:"whatsAppWebhookEntry"`
		AWSAccount string `json:"aws_account_id"`
		At         string `json:"message_timestamp"`
		ID         string `json:"messageId"`
	}
	notice.Context.Accounts, notice.Context.Numbers = []account{{of.WABA, of.WABAARN}}, []number{}
	if of.Phone != "" {
		notice.Context.Numbers = append(notice.Context.Numbers, number{of.Phone, of.PhoneARN})
	}
	notice.Entry, notice.AWSAccount, notice.ID = entry, of.AWSAccount, of.MessageID
	notice.At = of.At.UTC().Format(time.RFC3339Nano)
	text, _ := json.Marshal(notice) // it is texts
	return text
}

// WriteBySNS returns a notice as SNS wraps it, without raw message delivery.
func WriteBySNS(notice []byte, of Origin) []byte {
	const service = "https://sns.ap-south-1.amazonaws.com/"
	text, _ := json.Marshal(map[string]string{ // it is texts
		"Type": "Notification", "MessageId": of.MessageID, "TopicArn": of.SNSTopic, "Message": string(notice),
		"Timestamp":        of.At.UTC().Format("2006-01-02T15:04:05.000Z"),
		"SignatureVersion": "1", "Signature": "EXAMPLE",
		"SigningCertURL": service + "SimpleNotificationService-example.pem",
		"UnsubscribeURL": service + "?Action=Unsubscribe"})
	return text
}
