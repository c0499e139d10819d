// Package accounts owns what Meta says of WhatsApp Business Accounts and of their numbers: quality, limits, names,
// restrictions. It stops the numbers of an account that may not send.
package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Accounts keeps accounts and their numbers.
type Accounts struct {
	DB      *dynamo.Client
	Now     func() time.Time
	Log     *webhooklog.Log
	Numbers *tenancy.Numbers
	Outbox  *outbox.Outbox
}

// Readers returns the readers of Meta's events about accounts and numbers.
func (s *Accounts) Readers() []webhooklog.Reader {
	return []webhooklog.Reader{
		s.Log.ReaderOf(webhooklog.Fields("phone_number_quality_update", "phone_number_name_update"), s.applyToNumber),
		s.Log.ReaderOf(func(entry model.WebhookEvent) bool { return kept[entry.Field] != unkept }, s.applyToAccount),
	}
}

// groupsOf returns the outbox groups of numbers.
func groupsOf(phones []model.Phone) []string {
	groups := make([]string, len(phones))
	for i, phone := range phones {
		groups[i] = sending.SenderGroup(phone.PhoneNumberID)
	}
	return groups
}

// Known is what is known of a number and its account, beside the number's item.
type Known struct {
	Account model.Account
	Quality model.Quality
}

// KnownOf reads what is known of numbers, in their order.
func (s *Accounts) KnownOf(ctx context.Context, phones []model.Phone) ([]Known, error) {
	var refs []dynamo.Ref
	for _, phone := range phones {
		refs = append(refs, accountRef(phone), qualityRef(phone))
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	all := make([]Known, len(phones))
	for i, phone := range phones {
		err := errors.Join(dynamo.Unmarshal(accountRef(phone).Found(found), &all[i].Account),
			dynamo.Unmarshal(qualityRef(phone).Found(found), &all[i].Quality))
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func accountRef(phone model.Phone) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Account(phone.WABAMetaID)}
}

func qualityRef(phone model.Phone) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Quality(phone.PhoneNumberID)}
}
