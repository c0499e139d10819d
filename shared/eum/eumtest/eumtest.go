// Package eumtest makes what AWS End User Messaging Social tells by SNS, for tests.
package eumtest

import (
	"encoding/json"

	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// Entries returns the elements of the list of entries of a body of Meta's, as they are written there.
func Entries(body []byte) []string {
	var in struct{ Entry []json.RawMessage }
	if err := json.Unmarshal(body, &in); err != nil {
		panic(err) // a test bug
	}
	var all []string
	for _, entry := range in.Entry {
		all = append(all, string(entry))
	}
	return all
}

// Notice returns AWS's notice of an entry, as raw message delivery brings it.
func Notice(entry string) string {
	const of = "arn:aws:social-messaging:ap-south-1:123456789012:"
	return string(wt.Encode(wt.Object{
		"context": wt.Object{
			"MetaWabaIds": wt.List{
				wt.Object{"wabaId": wt.WABA, "arn": of + "waba/fb2594b8a7974770b128a409e2example"}},
			"MetaPhoneNumberIds": wt.List{wt.Object{
				"metaPhoneNumberId": wt.Phone, "arn": of + "phone-number-id/976c72a700aac43eaf573ae050example"}},
		},
		"whatsAppWebhookEntry": entry, "aws_account_id": "123456789012",
		"message_timestamp": "2026-11-21T12:00:00.271279391Z", "messageId": "6d69f07a-c317-4278-9d5c-6a84078419ec",
	}))
}

// Wrapped returns a notice as SNS wraps it.
func Wrapped(notice string) string {
	return string(wt.Encode(wt.Object{
		"Type": "Notification", "MessageId": "1b1ff20b-65f7-5b9e-b60b-92f6c9c3a1f0",
		"TopicArn": "arn:aws:sns:ap-south-1:123456789012:whatsapp", "Message": notice,
		"Timestamp": "2026-11-21T12:00:00.500Z", "SignatureVersion": "1", "Signature": "EXAMPLE",
		"SigningCertURL": "https://sns.ap-south-1.amazonaws.com/SimpleNotificationService-example.pem",
		"UnsubscribeURL": "https://sns.ap-south-1.amazonaws.com/?Action=Unsubscribe",
	}))
}
