// Package idempotency owns the records that let the API answer a repeated request like the first one, for 24 hours. A record
// commits in the transaction of the request's effect.
package idempotency

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

const lifetime = 24 * time.Hour

// ErrKeyReused means that an idempotency key came with another request before.
var ErrKeyReused = problem.New("the idempotency key was used for another request", problem.Error{
	Class: problem.Unprocessable, Code: "idempotency-key-reused", Title: "Idempotency key reused",
	Detail: "This Idempotency-Key came with another request within the last 24 hours. Use a new key for a new request.",
})

// Request identifies a caller's request. The zero value is a request without a key, whose repetition is a new request.
type Request struct {
	id   model.Name
	hash string
}

// NewRequest identifies a request by a hash of the tenant, the caller, the operation and the key, and by a hash of its body.
func NewRequest(tenant model.TenantID, caller, operation, key string, body any) (Request, error) {
	if key == "" {
		return Request{}, nil
	}
	text, err := json.Marshal(body)
	if err != nil {
		return Request{}, fmt.Errorf("request: %w", err)
	}
	return Request{id: model.Name(Hash(string(tenant), caller, operation, key)), hash: Hash(string(text))}, nil
}

// Hash returns a hash of texts, 40 hexadecimal digits.
func Hash(texts ...string) string {
	hash := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(hash, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(hash.Sum(nil)[:20])
}

// ID returns the hash under which the request is recorded; "" if it has no key.
func (r Request) ID() string { return string(r.id) }

// Refs returns the reference of the request's record, so that the caller reads it together with its own items; none if the
// request has no key.
func (r Request) Refs() []dynamo.Ref {
	if r.id == "" {
		return nil
	}
	return []dynamo.Ref{{Table: tables.Messages, Key: keys.Idempotency(r.id)}}
}

// Earlier decodes the result of an earlier request with the same key into result, and reports whether there is one. found holds
// the items of Refs. It ignores an expired record. It returns ErrKeyReused if the key came with another request.
func (r Request) Earlier(found dynamo.Found, now time.Time, result any) (bool, error) {
	if r.id == "" {
		return false, nil
	}
	item := r.Refs()[0].Found(found)
	if item == nil {
		return false, nil
	}
	var record model.Idempotency
	if err := dynamo.Unmarshal(item, &record); err != nil {
		return false, err
	}
	if record.TTL <= now.Unix() {
		return false, nil
	}
	if record.RequestHash != r.hash {
		return false, ErrKeyReused
	}
	return true, json.Unmarshal(record.Result, result)
}

// Writes returns the write that records the result, for the transaction of the effect; none if the request has no key. Its
// condition is that there is no unexpired record under the key.
func (r Request) Writes(now time.Time, result any) ([]dynamo.Write, error) {
	if r.id == "" {
		return nil, nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	item, err := dynamo.Marshal(model.Idempotency{
		PK: keys.Idempotency(r.id).Partition, ItemType: model.ItemIdempotency, RequestID: r.id, RequestHash: r.hash,
		ProcessedAt: model.At(now), TTL: now.Add(lifetime).Unix(), Result: text,
	})
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{dynamo.Put{
		Table: tables.Messages, Item: item, If: "attribute_not_exists(pk) OR #ttl <= :now", Values: dynamo.Item{":now": dynamo.N(now.Unix())},
	}}, nil
}
