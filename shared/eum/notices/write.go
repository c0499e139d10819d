package notices

import (
	"encoding/json"
	"time"
)

// Resource is an account or a number: Meta's id of it, and AWS's ARN.
type Resource struct{ ID, ARN string }

// Origin is where an entry comes from. There are no numbers of one that is about the account.
type Origin struct {
	AWSAccount        string
	Accounts, Numbers []Resource
	MessageID, Topic  string // the id of the notice, and the ARN of the topic that brings it
	At                time.Time
}

// Write returns AWS's notice of an entry of a webhook, as raw message delivery brings it. The local cloud and the tests
// play AWS by it.
func Write(entry string, of Origin) []byte {
	list := func(id string, all []Resource) []any {
		named := []any{}
		for _, r := range all {
			named = append(named, map[string]string{id: r.ID, "arn": r.ARN})
		}
		return named
	}
	text, _ := json.Marshal(map[string]any{ // it is texts
		"context": map[string]any{
			"MetaWabaIds": list("wabaId", of.Accounts), "MetaPhoneNumberIds": list("metaPhoneNumberId", of.Numbers)},
		"whatsAppWebhookEntry": entry, "aws_account_id": of.AWSAccount, "messageId": of.MessageID,
		"message_timestamp": of.At.UTC().Format(time.RFC3339Nano)})
	return text
}

// WriteBySNS returns a notice as SNS wraps it, without raw message delivery.
func WriteBySNS(notice []byte, of Origin) []byte {
	const service = "https://sns.ap-south-1.amazonaws.com/"
	text, _ := json.Marshal(map[string]string{ // it is texts
		"Type": "Notification", "MessageId": of.MessageID, "TopicArn": of.Topic, "Message": string(notice),
		"Timestamp":        of.At.UTC().Format("2006-01-02T15:04:05.000Z"),
		"SignatureVersion": "1", "Signature": "EXAMPLE",
		"SigningCertURL": service + "SimpleNotificationService-example.pem",
		"UnsubscribeURL": service + "?Action=Unsubscribe"})
	return text
}
