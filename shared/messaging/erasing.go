package messaging

import (
	"context"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/messaging/answers"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
)

// stays returns what an erasure leaves, and why.
func stays() []erasure.Kept {
	return []erasure.Kept{
		{What: "Meta's ids of the erased messages, in which the number can be read, for 37 days",
			Why: "Meta may send the messages again"},
		{What: "statuses and notices in the log, until they expire", Why: "they cannot be told by customer"},
		{What: "that nothing is sent to an email address any more, by a hash of it",
			Why: "somebody who calls emails spam must get none after an erasure either"},
		{What: "at Meta, that a number has blocked the customer",
			Why: "it is forgotten here, and shows again if the list is read at Meta"},
		{What: "at Meta, that the customer is in a group, or asks to join it",
			Why: "it is forgotten here, and shows again if the group is looked up at Meta"},
		{What: "what the customer wrote into groups", Why: "it belongs to the groups' conversations"},
		{What: "messages to others that told of the customer, emptied",
			Why: "they belong to the others' conversations; messages from before haatline recorded whom they " +
				"tell of keep their text"},
	}
}

// eraser erases what the outbox holds for a customer, what was told to others about them, the calls with them, their
// places in groups, what they have filled in, notes about them, drafts of answers to them, their number on orders and
// refunds, that they are blocked, whether they may be called, and the words by which search finds them.
func (d *Domain) eraser() erasure.Eraser {
	return erasure.Eraser{
		Domain: Name,
		Keeps:  stays(),
		Counts: []string{
			sending.CountEvents, sending.CountTold, calls.CountCalls, groups.CountGroups, payments.CountOrders,
			payments.CountRefunds, answers.CountAnswers,
			texting.CountTexts, mailing.CountEmails, arrivals.CountArrivals, numbers.CountBlocked,
			numbers.CountPermissions,
			campaigns.CountRecipients, teamwork.CountNotes, teamwork.CountDrafts, search.CountWords,
		},
		Erase: func(ctx context.Context, of erasure.Subject,
			count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
			// Before the messages: nobody is sent one from a list from now on.
			if err := d.Campaigns.Erase(ctx, of.Tenant, of.Identifiers, count); err != nil {
				return nil, err
			}
			if err := d.Calls.Erase(ctx, of.Tenant, of.Phone, of.Keys, count); err != nil {
				return nil, err
			}
			if err := d.Groups.Erase(ctx, of.Phone, of.Identifiers, count); err != nil {
				return nil, err
			}
			if err := d.Answers.Erase(ctx, of.Customer, count); err != nil {
				return nil, err
			}
			if err := d.Teamwork.EraseNotes(ctx, of.Customer, count); err != nil {
				return nil, err
			}
			if err := d.Teamwork.EraseDrafts(ctx, of.Customer, count); err != nil {
				return nil, err
			}
			if err := d.Payments.Erase(ctx, of.Tenant, of.Identifiers, count); err != nil {
				return nil, err
			}
			if err := d.NumberSettings.Erase(ctx, of.Phone, of.Identifiers, count); err != nil {
				return nil, err
			}
			if err := d.Texting.Erase(ctx, of.Tenant, of.Accounts, count); err != nil {
				return nil, err
			}
			if err := d.Mailing.Erase(ctx, of.Tenant, of.Accounts, count); err != nil {
				return nil, err
			}
			if err := d.Arrivals.Erase(ctx, of.Tenant, of.Accounts, count); err != nil {
				return nil, err
			}
			if err := d.EraseTold(ctx, of.Tenant, of.Accounts, count); err != nil {
				return nil, err
			}
			gathered, err := d.Search.Erase(ctx, of.Customer, count)
			if err != nil {
				return nil, err
			}
			unchanged, err := d.EraseEvents(ctx, of.Tenant, of.Phone, of.Keys, count)
			if err != nil {
				return nil, err
			}
			// After the events of messages: a paper that is asked for from now on comes with an answer, which unchanged
			// sees.
			return func(key model.CustomerID) []dynamo.Write {
				return append(unchanged(key), gathered(key)...)
			}, d.Papers.Erase(ctx, of.Tenant, of.Phone, of.Keys, count)
		},
	}
}
