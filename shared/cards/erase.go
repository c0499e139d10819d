package cards

import (
	"context"
	"errors"
	"fmt"

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
	for _, customer := range of.Accounts {
		identifier := cardsmodel.Canonical(string(customer))
		if err := e.notifications(ctx, tables.IndexNotificationsByRecipient, "recipientKey",
			keys.OfTenant(of.Tenant, identifier)); err != nil {
			return nil, err
		}
		if err := e.user(ctx, model.CustomerID(identifier)); err != nil {
			return nil, err
		}
	}
	for _, customer := range of.Identifiers {
		for _, sender := range []string{string(customer), "+" + string(customer)} {
			if err := e.commands(ctx, sender); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
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
			about := keys.RelatedEntity(cardsmodel.RelatedRequest, request.RequestID)
			if err := e.notifications(ctx, tables.IndexNotificationsByEntity, tables.PartitionRelatedEntity,
				about); err != nil {
				return err
			}
			below = request.RequestID
		}
		if len(requests) < page {
			return nil
		}
	}
}

// notifications strips the notifications in a partition of an index.
func (e *eraser) notifications(ctx context.Context, index, partition, value string) error {
	q := dynamo.Query{
		Table: tables.WhatsAppNotifications, Index: index, Where: "#partition = :value",
		Names:  map[string]string{"#partition": partition},
		Values: dynamo.Item{":value": dynamo.S(value)},
	}
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
	q := dynamo.Query{
		Table: tables.WhatsAppInbound, Index: tables.IndexInboundBySender, Where: "senderPhone = :sender",
		Filter: "tenantId = :tenant",
		Values: dynamo.Item{":sender": dynamo.S(sender), ":tenant": dynamo.S(e.tenant)},
	}
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
