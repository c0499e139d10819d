// Package idempotency owns the records by which a repeated request of the API is answered as the first one was, for a day or longer. A
// record commits in the transaction of the request's effect. It stands in the messages table, or where the contract of a domain has
// it: see Place.
package idempotency

import (
	"cmp"
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
	Detail: "This Idempotency-Key came with another request before. Use a new key for a new request.",
})

// Record says what a request has led to.
type Record struct {
	ID          model.Name // the hash of the request's key
	RequestHash string
	Operation   string
	StatusCode  int             // of the answer; 0 where the operation has only one
	Result      json.RawMessage // an object
	At          model.Time
	ExpiresAt   int64 // epoch seconds
}

// Place says where records are kept, and in which form.
type Place struct {
	Table  tables.Table // its TTL attribute holds ExpiresAt
	Key    func(id model.Name) keys.Key
	Encode func(record Record) any // the entity to store
	Decode func(item dynamo.Item) (Record, error)
	// Lifetime is how long records are kept; 0 for a day.
	Lifetime time.Duration
}

// messages is the place of requests whose domain has no other: the messages table.
var messages = Place{
	Table: tables.Messages, Key: keys.Idempotency,
	Encode: func(r Record) any {
		return model.Idempotency{
			PK: keys.Idempotency(r.ID).Partition, ItemType: model.ItemIdempotency, RequestID: r.ID, RequestHash: r.RequestHash,
			ProcessedAt: r.At, TTL: r.ExpiresAt, Result: model.Document(r.Result),
		}
	},
	Decode: func(item dynamo.Item) (Record, error) {
		var stored model.Idempotency
		err := dynamo.Unmarshal(item, &stored)
		return Record{
			ID: stored.RequestID, RequestHash: stored.RequestHash, At: stored.ProcessedAt, ExpiresAt: stored.TTL, Result: json.RawMessage(stored.Result),
		}, err
	},
}

// Request identifies a caller's request. The zero value is a request without a key, which is made again each time.
type Request struct {
	id              model.Name
	hash, operation string
	place           *Place
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
	return Request{id: model.Name(Hash(string(tenant), caller, operation, key)), hash: Hash(string(text)), operation: operation, place: &messages}, nil
}

// In returns the request with its record in another place.
func (r Request) In(place Place) Request {
	r.place = &place
	return r
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
	return []dynamo.Ref{{Table: r.place.Table, Key: r.place.Key(r.id)}}
}

// Earlier decodes the result of an earlier request with the same key into result, and reports whether there is one. found holds
// the items of Refs. It ignores an expired record. It returns ErrKeyReused if the key came with another request.
func (r Request) Earlier(found dynamo.Found, now time.Time, result any) (bool, error) {
	record, err := r.Before(found, now)
	if record == nil || err != nil {
		return false, err
	}
	return true, json.Unmarshal(record.Result, result)
}

// Before returns the record of what the same request led to before, with the same conditions and errors as Earlier; nil where there
// is none.
func (r Request) Before(found dynamo.Found, now time.Time) (*Record, error) {
	if r.id == "" {
		return nil, nil
	}
	item := r.Refs()[0].Found(found)
	if item == nil {
		return nil, nil
	}
	record, err := r.place.Decode(item)
	switch {
	case err != nil:
		return nil, err
	case record.ExpiresAt <= now.Unix():
		return nil, nil
	case record.RequestHash != r.hash:
		return nil, ErrKeyReused
	}
	return &record, nil
}

// Writes returns the write that records the result, for the transaction of the effect; none if the request has no key. Its
// condition is that there is no unexpired record under the key.
func (r Request) Writes(now time.Time, result any) ([]dynamo.Write, error) {
	return r.Answered(now, 0, result)
}

// Answered returns the same write for an operation whose answers differ in their status.
func (r Request) Answered(now time.Time, status int, result any) ([]dynamo.Write, error) {
	if r.id == "" {
		return nil, nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	item, err := dynamo.Marshal(r.place.Encode(Record{
		ID: r.id, RequestHash: r.hash, Operation: r.operation, StatusCode: status, Result: text, At: model.At(now),
		ExpiresAt: now.Add(cmp.Or(r.place.Lifetime, lifetime)).Unix(),
	}))
	if err != nil {
		return nil, err
	}
	table := r.place.Table
	return []dynamo.Write{dynamo.Put{
		Table: table, Item: item, If: "attribute_not_exists(#" + table.Partition.Name + ") OR #" + table.TTL + " <= :now",
		Values: dynamo.Item{":now": dynamo.N(now.Unix())},
	}}, nil
}
