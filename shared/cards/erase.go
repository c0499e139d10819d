package cards

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
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
	What: "cards, their transactions, scores, requests and who decided them, under an id that names nobody", Why: "they are the business's books, which the law has it keep",
}}

// erase removes what names a customer. A user becomes nobody: disabled, without name, number, address and sign-in. Cards, transactions
// and scores are the business's books and name nobody; they stay under the user's id. Notifications to the customer, and those about
// the user's requests, lose recipient and text. Commands are deleted.
func (s *Store) erase(ctx context.Context, of erasure.Subject, count func(string, int) []dynamo.Write) (func(model.CustomerID) []dynamo.Write, error) {
	e := &eraser{store: s, tenant: of.Tenant, count: count}
	for _, customer := range of.Accounts {
		identifier := canonical(string(customer))
		if err := e.notifications(ctx, tables.IndexNotificationsByRecipient, "recipientKey", keys.OfTenant(of.Tenant, identifier)); err != nil {
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
	store  *Store
	tenant model.TenantID
	count  func(string, int) []dynamo.Write
}

// user makes the user with an identifier nobody, after the notifications about the user's requests: the claim of the identifier, by
// which all is found, goes last. Its condition is that the user has not been erased yet.
func (e *eraser) user(ctx context.Context, identifier model.CustomerID) error {
	s := e.store
	var claim struct{ LeadsTo model.Name }
	err := s.DB.Get(ctx, tables.CardUsers, keys.CardPhone(e.tenant, identifier), &claim)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("erase card user: %w", err)
	}
	user, err := s.User(ctx, claim.LeadsTo)
	if err != nil {
		return fmt.Errorf("erase card user: %w", err)
	}
	if err := e.pending(ctx, user.PendingRequestID); err != nil {
		return err
	}
	if err := e.requests(ctx, user.EcosystemID); err != nil {
		return err
	}
	writes := e.count(countUsers, 1)
	for _, key := range claimKeys(user) {
		writes = append(writes, dynamo.Delete{Table: tables.CardUsers, Key: key, If: "attribute_exists(ecosystemId)"})
	}
	update := s.changeUser(user.EcosystemID).asRead(user).absent("erasedAt").set("erasedAt", dynamo.S(s.now())).set("status", dynamo.S(cardsmodel.UserDisabled)).
		drop("firebaseUid", "email", "name", "phoneE164", "personKey", "waUserId", "language")
	return dynamo.Conflict(s.DB.Transact(ctx, append(writes, update.write())))
}

// pending strips the notifications about a pending request. The tracker names them, because the index may be behind.
func (e *eraser) pending(ctx context.Context, request model.Name) error {
	if request == "" {
		return nil
	}
	approval, err := e.store.Approval(ctx, request)
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
		requests, err := e.store.RequestsOf(ctx, user, page, below)
		if err != nil {
			return err
		}
		for _, request := range requests {
			about := keys.RelatedEntity(cardsmodel.RelatedRequest, request.RequestID)
			if err := e.notifications(ctx, tables.IndexNotificationsByEntity, tables.PartitionRelatedEntity, about); err != nil {
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
		Table: tables.WhatsAppNotifications, Index: index, Where: "#partition = :value", Names: map[string]string{"#partition": partition},
		Values: dynamo.Item{":value": dynamo.S(value)},
	}
	for {
		page, err := e.store.DB.Query(ctx, q)
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
	c := changeOf(tables.WhatsAppNotifications, keys.Notification(id)).absent("erasedAt").set("erasedAt", dynamo.S(e.store.now())).
		drop("recipientPhone", "recipientName", "messageContent", "parameters", "recipientKey", "aboutPerson", "nextRetryAt", tables.SortNextRetryAtNotificationID)
	return e.commit(ctx, countNotifications, c.write())
}

// commands deletes the commands of a sender to the tenant. Another tenant's stay.
func (e *eraser) commands(ctx context.Context, sender string) error {
	q := dynamo.Query{
		Table: tables.WhatsAppInbound, Index: tables.IndexInboundBySender, Where: "senderPhone = :sender", Filter: "tenantId = :tenant",
		Values: dynamo.Item{":sender": dynamo.S(sender), ":tenant": dynamo.S(e.tenant)},
	}
	for {
		page, err := e.store.DB.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("erase commands: %w", err)
		}
		for _, row := range page.Items {
			key := keys.InboundCommand(model.Name(dynamo.Text(row, "messageId")))
			if err := e.commit(ctx, countCommands, dynamo.Delete{Table: tables.WhatsAppInbound, Key: key, If: "attribute_exists(messageId)"}); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil
		}
	}
}

// commit makes one write of the erasure together with its count. A write that finds its work done is no error: the index is behind.
func (e *eraser) commit(ctx context.Context, counted string, write dynamo.Write) error {
	err := e.store.DB.Transact(ctx, append(e.count(counted, 1), write))
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Reasons[len(cancelled.Reasons)-1].Failed() {
		return nil
	}
	return dynamo.Conflict(err)
}
