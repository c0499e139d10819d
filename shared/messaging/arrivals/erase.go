package arrivals

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// CountArrivals is the count of an erasure's removed messages.
const CountArrivals = "arrivals"

// EventForget is the type of the outbox events that delete the files of erased messages.
const EventForget = "arrivals.forget"

// forget is the payload of such an event.
type forget struct {
	Keys []string `json:"keys"`
}

// Query returns the query for the keys of what a person has sent to a tenant.
func Query(tenant model.TenantID, customer model.CustomerID) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :p",
		Values: dynamo.Item{":p": dynamo.S(keys.ReceivedFrom(tenant, customer))},
	}
}

// Erase removes what people have sent to a tenant: the items, what the log holds of them, and their files. count
// returns the writes by which an erasure counts it.
func (a *Arrivals) Erase(ctx context.Context, tenant model.TenantID, people []model.CustomerID,
	count func(name string, n int) []dynamo.Write) error {
	for _, person := range people {
		rows, err := a.DB.Rows(ctx, Query(tenant, person))
		if err != nil {
			return fmt.Errorf("erase messages: %w", err)
		}
		all, err := dynamo.Whole[model.Received](ctx, a.DB, tables.Messages, rows)
		if err != nil {
			return fmt.Errorf("erase messages: %w", err)
		}
		for _, m := range all {
			if err := a.erase(ctx, m, count); err != nil {
				return fmt.Errorf("erase messages: %w", err)
			}
		}
	}
	return nil
}

// erase removes one message. The log's entry goes first: a call that dies in between finds the item again.
func (a *Arrivals) erase(ctx context.Context, m model.Received, count func(string, int) []dynamo.Write) error {
	id, _ := keys.ReceivedID(m.PK)
	if err := a.Log.Empty(ctx, id); err != nil {
		return err
	}
	writes := append(count(CountArrivals, 1),
		dynamo.Delete{Table: tables.Messages, Key: keys.ByPK(m.PK), If: dynamo.IfPresent})
	if len(m.Files) > 0 {
		var of forget
		for _, file := range m.Files {
			of.Keys = append(of.Keys, file.Key)
		}
		payload, err := json.Marshal(of)
		if err != nil {
			return err
		}
		order := outbox.SequenceRef(m.TenantID, keys.EntityFile, string(id))
		found, err := a.DB.BatchGet(ctx, []dynamo.Ref{order})
		if err != nil {
			return err
		}
		_, more, err := a.Outbox.Append(ctx, order.Found(found), outbox.Draft{
			Type: EventForget, Tenant: m.TenantID, EntityType: keys.EntityFile, EntityID: string(id), Payload: payload})
		if err != nil {
			return err
		}
		writes = append(writes, more...)
	}
	return dynamo.Conflict(a.DB.Transact(ctx, writes))
}

// Bucket keeps the files: objects.Bucket.
type Bucket interface {
	Delete(ctx context.Context, key string) error
}

// Handlers returns the handler of the events that delete files. It is one of the slow lane.
func Handlers(bucket Bucket) map[string]outbox.Handler {
	return map[string]outbox.Handler{EventForget: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			var of forget
			if err := json.Unmarshal(event.Payload, &of); err != nil {
				return "", &outbox.Failure{Reason: "the stored request cannot be read", Attempts: 1}
			}
			var failed error
			for _, key := range of.Keys {
				failed = errors.Join(failed, bucket.Delete(ctx, key))
			}
			if failed != nil {
				return "", &outbox.Failure{
					Reason: "the bucket could not be reached", Class: "forget", Attempts: attempts, Wait: wait}
			}
			return "", nil
		},
	}}
}

// attempts and wait are how often the deletion of files is tried, and how long it waits in between: for weeks.
const attempts, wait = 1000, time.Hour
