// Package eumtest makes what AWS End User Messaging Social tells by SNS, for tests.
package eumtest

import (
	"encoding/json"
	"time"

	"github.com/haatline/haatline/shared/eum/notices"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// origin is where all notices come from.
func origin() notices.Origin {
	const of = "arn:aws:social-messaging:ap-south-1:123456789012:"
	return notices.Origin{
		AWSAccount: "123456789012",
		Accounts:   []notices.Resource{{ID: wt.WABA, ARN: of + "waba/fb2594b8a7974770b128a409e2example"}},
		Numbers:    []notices.Resource{{ID: wt.Phone, ARN: of + "phone-number-id/976c72a700aac43eaf573ae050example"}},
		MessageID:  "6d69f07a-c317-4278-9d5c-6a84078419ec", Topic: "arn:aws:sns:ap-south-1:123456789012:whatsapp",
		At: time.Date(2026, 11, 21, 12, 0, 0, 271279391, time.UTC)}
}

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
func Notice(entry string) string { return string(notices.Write(entry, origin())) }

// Wrapped returns a notice as SNS wraps it.
func Wrapped(notice string) string { return string(notices.WriteBySNS([]byte(notice), origin())) }
