// Package arrivals keeps what people send by email and SMS. Each message has an item of its own and an entry of the log
// with the same id; from the log it goes to the domains, as messages by WhatsApp do. Package taking reads emails.
package arrivals

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/suppression"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// The outcomes of a message.
const (
	Claimed   = "claimed"   // it is in a conversation, or a domain has dealt with it
	Unclaimed = "unclaimed" // no domain knows what to do with it: it is kept here and in the log
	OptedOut  = "opted_out" // it has asked to stop
	OptedIn   = "opted_in"  // it has taken that back
	Held      = "held"      // no person has written it, or it may not be read
)

// Arrivals keeps what has come in.
type Arrivals struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Log    *webhooklog.Log
	Outbox *outbox.Outbox
	List   *suppression.List
	// Decided publishes that somebody has asked to stop, or has taken that back. It may be called again.
	Decided func(ctx context.Context, id model.EventID, m model.Received, out bool) error
}

// ID returns the id of a message: the same whenever a notice of it comes. name is the provider's id of it.
func ID(channel model.Channel, business, name string) model.EventID {
	sum := sha256.Sum256([]byte(business + "\n" + name))
	return model.EventID(string(channel) + "." + hex.EncodeToString(sum[:16]))
}

// ErrKnown means that a message is in the log already.
var ErrKnown = errors.New("the message is in the log already")

// Keep stores a message, before it is logged: an erasure finds it by its item. The conditions are that it is not there,
// and that it was not logged before: what was erased does not come back with a repeated notice. It returns ErrKnown.
func (a *Arrivals) Keep(ctx context.Context, id model.EventID, m model.Received) error {
	m.PK, m.ItemType = keys.Received(id).Partition, model.ItemReceived
	m.FromPK = keys.ReceivedFrom(m.TenantID, m.CustomerID)
	item, err := dynamo.Marshal(m)
	if err != nil {
		return err
	}
	err = a.DB.Transact(ctx, []dynamo.Write{
		dynamo.Check{Table: tables.Messages, Key: keys.WebhookEvent(id), If: dynamo.IfAbsent},
		dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent},
	})
	var canceled *dynamo.TransactionCancelled
	switch {
	case errors.As(err, &canceled) && canceled.Of(0).Failed():
		return ErrKnown
	case errors.As(err, &canceled) && canceled.Of(1).Failed():
		return nil // an attempt before this one has died in between
	case err != nil:
		return fmt.Errorf("keep a message: %w", err)
	}
	return nil
}

// Append appends a message that is kept to the log.
func (a *Arrivals) Append(ctx context.Context, log webhooklog.Appender, id model.EventID, m model.Received) error {
	value, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return log.Append(ctx, []whatsapp.Entry{entry(id, m.Channel, m.TenantID, value)})
}

// Unread is a message that nobody can read, or that came to an address of nobody.
type Unread struct {
	ID      model.EventID
	Channel model.Channel
	Tenant  model.TenantID // "" if nobody has the address
	Key     string         // where it lies in the bucket; "" for nowhere
	Why     string         // it names nobody
}

// AppendUnread appends to the log that such a message has come. The entry is a failed one, which people see, and holds
// nothing of the message.
func (a *Arrivals) AppendUnread(ctx context.Context, log webhooklog.Appender, m Unread) error {
	value, err := json.Marshal(map[string]string{"channel": string(m.Channel), "key": m.Key})
	if err != nil {
		return err
	}
	e := entry(m.ID, m.Channel, m.Tenant, value)
	e.Malformed = m.Why
	return log.Append(ctx, []whatsapp.Entry{e})
}

func entry(id model.EventID, channel model.Channel, tenant model.TenantID, value []byte) whatsapp.Entry {
	e := whatsapp.Entry{ID: string(id), Kind: string(channel), Field: string(channel), Value: value}
	if tenant != "" {
		e.WABAID = string(webhooklog.AccountOf(tenant))
	}
	return e
}

// Get returns a message, or dynamo.ErrNotFound.
func (a *Arrivals) Get(ctx context.Context, id model.EventID) (m model.Received, err error) {
	return m, a.DB.Get(ctx, tables.Messages, keys.Received(id), &m)
}

// ofNobody are the outcomes of messages that are listed, because nobody has got them.
var ofNobody = []string{Unclaimed, Held}

// outcome returns the write by which a message says what has become of it. Its condition is that the message was not
// erased.
func outcome(id model.EventID, m model.Received, what string) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Received(id), Do: "SET outcome = :outcome REMOVE attentionPk, attentionAt",
		If: dynamo.IfPresent, Values: dynamo.Item{":outcome": dynamo.S(what)},
	}
	if slices.Contains(ofNobody, what) {
		u.Do = "SET outcome = :outcome, attentionPk = :list, attentionAt = :at"
		u.Values[":list"] = dynamo.S(keys.AttentionArrivals(m.TenantID, what))
		u.Values[":at"] = dynamo.S(m.ReceivedAt)
	}
	return u
}
