package mailing

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// ErrSuppressed means that nothing is sent to an address any more: it does not work, or its owner has called an email
// of the tenant spam.
var ErrSuppressed = problem.New("nothing is sent to the address any more", problem.Error{
	Class: problem.Conflict, Code: "address-suppressed", Title: "Address suppressed",
	Detail: "Nothing is sent to the address any more: an email has come back from it for good, or its owner has " +
		"called one spam. Reach the person on another channel.",
})

// Why is why nothing is sent to an address.
type Why string

const (
	Bounced    Why = "bounced"    // it does not work
	Complained Why = "complained" // its owner has called an email spam
)

// Suppressed is why an email is not sent any more whose address was suppressed after it was accepted.
const Suppressed = "address_suppressed"

// suppression says that a tenant sends nothing to an address, SUPPRESSION#{tenantId}#{hash}. It does not hold the
// address.
type suppression struct {
	PK       string         `dynamodbav:"pk"`
	ItemType string         `dynamodbav:"itemType"`
	TenantID model.TenantID `dynamodbav:"tenantId"`
	Why      Why            `dynamodbav:"why"`
	At       model.Time     `dynamodbav:"at"`
}

func suppressionRef(tenant model.TenantID, address string) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Suppression(tenant, address)}
}

// Suppress has a tenant send nothing to an address any more. The first reason stays.
func (m *Mailing) Suppress(ctx context.Context, tenant model.TenantID, address string, why Why) error {
	item, err := dynamo.Marshal(suppression{
		PK: keys.Suppression(tenant, address).Partition, ItemType: model.ItemSuppression, TenantID: tenant, Why: why,
		At: model.At(m.Sender.Now())})
	if err != nil {
		return err
	}
	if err := m.Sender.DB.PutOnce(ctx, tables.Messages, item); err != nil {
		return fmt.Errorf("suppress an address: %w", err)
	}
	return nil
}
