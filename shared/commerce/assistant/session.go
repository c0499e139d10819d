package assistant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// lifetime is how long a session lasts after the customer's last message.
	lifetime = 30 * time.Minute
	// maxSaid and maxSeen bound what a session keeps of its messages.
	maxSaid      = 10
	maxSaidBytes = 500
	maxSeen      = 40
)

// SessionID returns the id of a customer's session with a store. It follows from both, so that two first messages
// cannot begin two.
func SessionID(store model.Name, customer model.CustomerID) model.Name {
	return model.Name("sess-" + strings.ToLower(keys.Code(16, "session", string(store), string(customer))))
}

// SessionRef refers to a customer's session with a store.
func SessionRef(store model.Name, customer model.CustomerID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Sessions, Key: keys.Session(SessionID(store, customer))}
}

// session returns the customer's session, from the item that was read; a new one where there is none, and one that has
// forgotten everything where it has expired.
func (a *Assistant) session(store commercemodel.Store, phone model.PhoneNumberID, customer model.CustomerID,
	item dynamo.Item) (*commercemodel.Session, error) {
	var s commercemodel.Session
	if err := dynamo.Unmarshal(item, &s); err != nil {
		return nil, err
	}
	now := a.Now()
	if s.Version == 0 || s.TTL > 0 && s.TTL <= now.Unix() {
		s.Context, s.StartedAt = commercemodel.Context{Language: s.Context.Language}, model.At(now)
	}
	id := SessionID(store.ID, customer)
	s.PK, s.SessionID, s.StoreID, s.TenantID = keys.Session(id).Partition, id, store.ID, store.TenantID
	s.CustomerPhone, s.Customer, s.PhoneNumberID = orders.CustomerPhone(customer), customer, phone
	return &s, nil
}

// keep stores a session with what has to agree with it. Its condition is that the session is as it was read.
func (a *Assistant) keep(ctx context.Context, s *commercemodel.Session, with []dynamo.Write) error {
	now := a.Now()
	s.LastActivity = model.At(now)
	s.GSI1PK, s.GSI1SK = keys.SessionsOf(s.CustomerPhone), s.LastActivity
	s.TTL = now.Add(lifetime).Unix()
	if s.HandedOverAt != "" {
		s.TTL = 0 // a person has to hand back
	}
	put, err := dynamo.PutVersion(tables.Sessions, s)
	if err != nil {
		return err
	}
	if len(with) == 0 {
		return dynamo.Conflict(a.DB.Put(ctx, put))
	}
	return dynamo.Conflict(a.DB.Transact(ctx, append(with, put)))
}

// said adds a message to what a session keeps of the conversation.
func said(c *commercemodel.Context, role, text string, at time.Time) {
	c.ConversationHistory = append(slices.Clone(c.ConversationHistory),
		commercemodel.Said{Role: role, Message: model.Truncate(text, maxSaidBytes), Timestamp: model.At(at)})
	if over := len(c.ConversationHistory) - maxSaid; over > 0 {
		c.ConversationHistory = c.ConversationHistory[over:]
	}
}

// Session returns a customer's session with a store, or dynamo.ErrNotFound.
func (a *Assistant) Session(ctx context.Context, store model.Name,
	customer model.CustomerID) (s commercemodel.Session, err error) {
	return s, a.DB.Get(ctx, tables.Sessions, keys.Session(SessionID(store, customer)), &s)
}

// SessionsOf returns a customer's sessions with a store's tenant, the latest first. The index may be behind by a
// moment.
func (a *Assistant) SessionsOf(ctx context.Context, tenant model.TenantID,
	customer model.CustomerID) (all []commercemodel.Session, err error) {
	rows, err := a.DB.Rows(ctx, dynamo.Query{
		Table: tables.Sessions, Index: "GSI1", Where: "gsi1pk = :customer", Backwards: true,
		Values: dynamo.Item{":customer": dynamo.S(keys.SessionsOf(orders.CustomerPhone(customer)))},
	})
	if err != nil {
		return nil, fmt.Errorf("sessions: %w", err)
	}
	for _, row := range rows {
		var s commercemodel.Session
		if err := dynamo.Unmarshal(row, &s); err != nil {
			return nil, err
		}
		if s.TenantID == tenant {
			all = append(all, s)
		}
	}
	return all, nil
}

// TakeOver stops the assistant for a customer's conversation with a store, until a person hands back. The condition is
// that the session is as it was read.
func (a *Assistant) TakeOver(ctx context.Context, store commercemodel.Store, phone model.PhoneNumberID,
	customer model.CustomerID) (commercemodel.Session, error) {
	return a.change(ctx, store, phone, customer, func(s *commercemodel.Session) bool {
		if s.HandedOverAt != "" {
			return false
		}
		handOver(s, "a person took over", a.Now())
		return true
	})
}

// HandBack has the assistant answer again. It begins with an empty session.
func (a *Assistant) HandBack(ctx context.Context, store commercemodel.Store,
	customer model.CustomerID) (commercemodel.Session, error) {
	return a.change(ctx, store, "", customer, func(s *commercemodel.Session) bool {
		if s.HandedOverAt == "" {
			return false
		}
		s.HandedOverAt, s.HandedOverFor, s.MutedUntil = "", "", ""
		s.Context = commercemodel.Context{Language: s.Context.Language}
		return true
	})
}

// handOver leaves a conversation to a person.
func handOver(s *commercemodel.Session, why string, now time.Time) {
	s.HandedOverAt, s.HandedOverFor = model.At(now), why
}

func (a *Assistant) change(
	ctx context.Context, store commercemodel.Store, phone model.PhoneNumberID, customer model.CustomerID,
	decide func(s *commercemodel.Session) bool,
) (session commercemodel.Session, err error) {
	return session, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		key := SessionRef(store.ID, customer)
		found, err := a.DB.BatchGet(ctx, []dynamo.Ref{key})
		if err != nil {
			return err
		}
		if key.Found(found) == nil && phone == "" {
			return dynamo.ErrNotFound
		}
		s, err := a.session(store, phone, customer, key.Found(found))
		if err != nil {
			return err
		}
		if phone == "" {
			s.PhoneNumberID = model.PhoneNumberID(dynamo.Text(key.Found(found), "phone_number_id"))
		}
		if session = *s; !decide(s) {
			return nil
		}
		err = a.keep(ctx, s, nil)
		session = *s
		return err
	})
}
