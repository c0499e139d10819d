// Package suppression owns to which addresses a tenant sends nothing any more: emails that come back, people who call
// one spam, and people who have asked to stop, by email or SMS. WhatsApp's opt-outs are marks of conversations.
package suppression

import (
	"context"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
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

// Ref refers to the item that says whether a tenant sends to an address: an email address, or a number in E.164 for
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

// set writes the item of an address. Its condition is that no final reason stands there.
func (l *List) set(ctx context.Context, tenant model.TenantID, address string, why Why, at model.Time,
	and string) error {
	_, err := l.DB.Update(ctx, dynamo.Update{
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
