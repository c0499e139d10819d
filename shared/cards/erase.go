package cards

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Names of the counts of an erasure.
const (
	countUsers         = "cardUsers"
	countNotifications = "cardNotifications"
	countCommands      = "cardCommands"
)

// kept is what an erasure keeps.
var kept = []erasure.Kept{{
	What: "cards, their transactions, scores, requests and who decided them, under an id that names nobody",
	Why:  "they are the business's books, which the law has it keep",
}}

// erase removes what names a customer. A user becomes nobody: disabled, without name, number, address and sign-in.
// Cards, transactions and scores are the business's books and name nobody; they stay under the user's id. Notifications
// to the customer, and those about the user's requests, lose recipient and text. Commands are deleted.
func (d *Domain) erase(ctx context.Context, of erasure.Subject,
	count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
	e := &eraser{cards: d, tenant: of.Tenant, count: count}
	for _, key := range recipientKeys(of) {
		if err := e.notifications(ctx, toRecipient(key)); err != nil {
			return nil, err
		}
	}
	for _, customer := range of.Accounts {
		if err := e.user(ctx, model.CustomerID(cardsmodel.Canonical(string(customer)))); err != nil {
			return nil, err
		}
	}
	for _, sender := range senders(of) {
		if err := e.commands(ctx, sender); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// recipientKeys returns under what the index of recipients has a person.
func recipientKeys(of erasure.Subject) []string {
	var all []string
	for _, account := range of.Accounts {
		all = append(all, keys.OfTenant(of.Tenant, cardsmodel.Canonical(string(account))))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// senders returns under what the index of senders has a person.
func senders(of erasure.Subject) []string {
	var all []string
	for _, id := range of.Identifiers {
		all = append(all, string(id), "+"+string(id))
	}
	return all
}

// toRecipient returns the query for the keys of the notifications to a recipient.
func toRecipient(key string) dynamo.Query {
	return query(tables.WhatsAppNotifications, tables.IndexNotificationsByRecipient, "recipientKey", key)
}

// aboutRequest returns the query for the notifications about a request.
func aboutRequest(request model.Name) dynamo.Query {
	return query(tables.WhatsAppNotifications, tables.IndexNotificationsByEntity, tables.PartitionRelatedEntity,
		keys.RelatedEntity(cardsmodel.RelatedRequest, request))
}

// fromSender returns the query for the commands of a sender to a tenant. Another tenant's are left out.
func fromSender(tenant model.TenantID, sender string) dynamo.Query {
	q := query(tables.WhatsAppInbound, tables.IndexInboundBySender, "senderPhone", sender)
	q.Filter, q.Values[":tenant"] = "tenantId = :tenant", dynamo.S(tenant)
	return q
}

// eraser erases one customer.
type eraser struct {
	cards  *Domain
	tenant model.TenantID
	count  func(string, int) []dynamo.Write
}

// user makes the user with an identifier nobody, after the notifications about the user's requests: the claim of the
// identifier, by which all is found, goes last. Its condition is that the user has not been erased yet.
func (e *eraser) user(ctx context.Context, identifier model.CustomerID) error {
	user, known, err := e.cards.Users.Identified(ctx, e.tenant, identifier)
	if err != nil || !known {
		return err
	}
	if err := e.pending(ctx, user.PendingRequestID); err != nil {
		return err
	}
	if err := e.requests(ctx, user.EcosystemID); err != nil {
		return err
	}
	return dynamo.Conflict(e.cards.DB.Transact(ctx, append(e.count(countUsers, 1), e.cards.Users.Nobody(user)...)))
}

// pending strips the notifications about a pending request. The tracker names them, because the index may be behind.
func (e *eraser) pending(ctx context.Context, request model.Name) error {
	if request == "" {
		return nil
	}
	approval, err := e.cards.Requests.Approval(ctx, request)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, id := range approval.NotificationIDs {
		if err := e.strip(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// requests strips the notifications about a user's requests.
func (e *eraser) requests(ctx context.Context, user model.Name) error {
	const page = 100
	below := model.Name("")
	for {
		requests, err := e.cards.Requests.Of(ctx, user, page, below)
		if err != nil {
			return err
		}
		for _, request := range requests {
			if err := e.notifications(ctx, aboutRequest(request.RequestID)); err != nil {
				return err
			}
			below = request.RequestID
		}
		if len(requests) < page {
			return nil
		}
	}
}

// notifications strips the notifications that a query finds.
func (e *eraser) notifications(ctx context.Context, q dynamo.Query) error {
	for {
		page, err := e.cards.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("erase notifications: %w", err)
		}
		for _, row := range page.Items {
			if err := e.strip(ctx, model.Name(dynamo.Text(row, "notificationId"))); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// strip takes recipient and text from a notification.
func (e *eraser) strip(ctx context.Context, id model.Name) error {
	c := changes.Of(tables.WhatsAppNotifications, keys.Notification(id)).Absent("erasedAt").Set("erasedAt",
		dynamo.S(model.At(e.cards.Now()))).
		Drop("recipientPhone", "recipientName", "messageContent", "parameters", "recipientKey", "aboutPerson",
			"nextRetryAt", tables.SortNextRetryAtNotificationID)
	return e.commit(ctx, countNotifications, c.Write())
}

// commands deletes the commands of a sender to the tenant. Another tenant's stay.
func (e *eraser) commands(ctx context.Context, sender string) error {
	q := fromSender(e.tenant, sender)
	for {
		page, err := e.cards.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("erase commands: %w", err)
		}
		for _, row := range page.Items {
			key := keys.InboundCommand(model.Name(dynamo.Text(row, "messageId")))
			if err := e.commit(ctx, countCommands,
				dynamo.Delete{Table: tables.WhatsAppInbound, Key: key, If: "attribute_exists(messageId)"}); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// commit makes one write of the erasure together with its count. A write that finds its work done is no error: the
// index is behind.
func (e *eraser) commit(ctx context.Context, counted string, write dynamo.Write) error {
	err := e.cards.DB.Transact(ctx, append(e.count(counted, 1), write))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Reasons[len(cancelled.Reasons)-1].Failed() {
		return nil
	}
	return dynamo.Conflict(err)
}
