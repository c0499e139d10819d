package eum

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/haatline/haatline/shared/eum/notices"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Notice returns what AWS tells of an entry of a webhook: as raw message delivery brings it, or as SNS wraps it.
func Notice(region string, entry json.RawMessage, at time.Time, wrapped bool) []byte {
	of := notices.Origin{AWSAccount: AWSAccount, MessageID: uuid.NewString(), Topic: TopicARN(region), At: at}
	parts, _ := whatsapp.DecodeEntry(entry) // AWS looks at nothing but ids
	for _, part := range parts {
		account := notices.Resource{ID: part.WABAID, ARN: AccountARN(region, part.WABAID)}
		number := notices.Resource{ID: part.PhoneNumberID, ARN: NumberARN(region, part.PhoneNumberID)}
		if account.ID != "" && !slices.Contains(of.Accounts, account) {
			of.Accounts = append(of.Accounts, account)
		}
		if number.ID != "" && !slices.Contains(of.Numbers, number) {
			of.Numbers = append(of.Numbers, number)
		}
	}
	notice := notices.Write(string(entry), of)
	if wrapped {
		notice = notices.WriteBySNS(notice, of)
	}
	return notice
}
