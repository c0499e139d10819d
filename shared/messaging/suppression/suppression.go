// Package suppression owns to which addresses a tenant sends nothing any more: emails that come back, people who call
// one spam, and people who have asked to stop, by email or SMS. WhatsApp's opt-outs are marks of conversations.
package suppression

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Why is why nothing is sent to an address; "" if messages are sent.
type Why string

const (
	Bounced    Why = "bounced"    // it does not work
	Complained Why = "complained" // its owner has called an email spam
	Left       Why = "left"       // its owner has asked to stop
	back       Why = "back"       // its owner has taken that back
)

// Ref refers to the item by which a tenant sends nothing to an address: an email address, or a number in E.164 for
// SMS. The item, SUPPRESSION#{tenantId}#{hash}, does not hold the address.
func Ref(tenant model.TenantID, address string) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Suppression(tenant, address)}
}

// Of returns why nothing is sent to an address, by its item; "" for none, and for no item.
func Of(item dynamo.Item) Why {
	if why := Why(dynamo.Text(item, "why")); why != back {
		return why
	}
	return ""
}

// List changes who gets messages.
type List struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// Stop has a tenant send nothing to an address any more that does not work, or whose owner has called an email spam. It
// is final, and the first reason stays.
func (l *List) Stop(ctx context.Context, tenant model.TenantID, address string, why Why) error {
	return l.set(ctx, tenant, address, why, model.At(l.Now()), "")
}

// Decide records that the owner of an address has asked to stop, or has taken that back. The last word by its time
// counts, in whatever order the words come.
func (l *List) Decide(ctx context.Context, tenant model.TenantID, address string, out bool, at model.Time) error {
	why := back
	if out {
		why = Left
	}
	return l.set(ctx, tenant, address, why, at, " AND #at <= :at")
}

// ErrTheirWord means that only the owner of an address can have a tenant send to it again.
var ErrTheirWord = problem.New("the owner of the address has decided", problem.Error{
	Class: problem.Conflict, Code: "address-declined", Title: "Address declined",
	Detail: "The owner of the address has asked for no more messages, or has called one spam. Only they can take " +
		"that back: with START, where they asked to stop.",
})

// Item says that a tenant sends nothing to an address.
type Item struct {
	Why Why        `dynamodbav:"why"`
	At  model.Time `dynamodbav:"at"` // since when
}

// Get returns why a tenant sends nothing to an address. It returns dynamo.ErrNotFound if messages are sent.
func (l *List) Get(ctx context.Context, tenant model.TenantID, address string) (is Item, err error) {
	err = l.DB.Get(ctx, tables.Messages, keys.Suppression(tenant, address), &is)
	if err == nil && is.Why == back {
		return Item{}, dynamo.ErrNotFound
	}
	return is, err
}

// Lift has a tenant send again to an address that did not work. The condition is that it is still the only reason. It
// changes nothing for an address to which messages are sent. It returns ErrTheirWord if the owner of the address has
// decided, and dynamo.ErrConflict if they decide meanwhile.
func (l *List) Lift(ctx context.Context, tenant model.TenantID, address string) error {
	is, err := l.Get(ctx, tenant, address)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return nil
	case err != nil:
		return err
	case is.Why != Bounced:
		return ErrTheirWord
	}
	return dynamo.Conflict(l.DB.Write(ctx, []dynamo.Write{dynamo.Update{
		Table: tables.Messages, Key: keys.Suppression(tenant, address), Do: "SET why = :back, #at = :at",
		If: "why = :bounced", Values: dynamo.Item{
			":bounced": dynamo.S(Bounced), ":back": dynamo.S(back), ":at": dynamo.S(model.At(l.Now()))},
	}}))
}

// set writes the item of an address. Its condition is that no final reason stands there.
func (l *List) set(ctx context.Context, tenant model.TenantID, address string, why Why, at model.Time,
	and string) error {
	err := l.DB.Update(ctx, dynamo.Update{
		Table: tables.Messages, Key: keys.Suppression(tenant, address),
		Do: "SET itemType = :type, tenantId = :tenant, why = :why, #at = :at",
		If: "attribute_not_exists(pk) OR (why IN (:left, :back)" + and + ")",
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemSuppression), ":tenant": dynamo.S(tenant), ":why": dynamo.S(why),
			":at": dynamo.S(at), ":left": dynamo.S(Left), ":back": dynamo.S(back)},
	})
	if err = dynamo.IgnoreConditionFailed(err); err != nil {
		return fmt.Errorf("suppress an address: %w", err)
	}
	return nil
}
