// Package idempotency owns the records by which a repeated request of the API is answered as the first one was, for a
// day or longer. A record commits in the transaction of the request's effect. It stands in the messages table, or where
// the contract of a domain has it: see Place.
package idempotency

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
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
	StatusCode  int             // of the answer; 0 if the operation has only one
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
			PK: keys.Idempotency(r.ID).Partition, ItemType: model.ItemIdempotency, RequestID: r.ID,
			RequestHash: r.RequestHash,
			ProcessedAt: r.At, TTL: r.ExpiresAt, Result: model.Document(r.Result),
		}
	},
	Decode: func(item dynamo.Item) (Record, error) {
		var stored model.Idempotency
		err := dynamo.Unmarshal(item, &stored)
		return Record{
			ID: stored.RequestID, RequestHash: stored.RequestHash, At: stored.ProcessedAt, ExpiresAt: stored.TTL,
			Result: json.RawMessage(stored.Result),
		}, err
	},
}

// Origin says who has made a key up. Keys of different origins never meet: a client cannot choose the key by which the
// system itself writes an order into a book.
type Origin int

// The origins of keys. There are no others.
const (
	API     Origin = iota + 1 // a client of the operations
	Chat                      // what somebody has said
	Order                     // what follows from an order
	Claim                     // a customer's claim, which the shop has confirmed
	Command                   // an entry that the shop has written in the chat
	Job                       // what runs by itself
)

// space returns what the hashes of an origin begin with. Those of clients begin with nothing, as all did before there
// were origins: so a client's request that is repeated across the deployment is still known. A hash covers the number
// of its texts, so that no key of a client leads to another origin. What the system itself recorded under a client's
// key before has a mark of its own that keeps it from happening twice: the sale and the reversal of an order, and the
// messages that commit with what the chat writes.
func (o Origin) space() ([]string, error) {
	switch o {
	case API:
		return nil, nil
	case Chat, Order, Claim, Command, Job:
		return []string{"origin", strconv.Itoa(int(o))}, nil
	}
	return nil, fmt.Errorf("no origin of keys: %d", o)
}

// Request identifies a caller's request. The zero value is a request without a key, which is made again each time.
type Request struct {
	id              model.Name
	former          model.Name // under which it may be recorded as well; "" for none
	hash, operation string
	place           *Place
}

// NewRequest identifies a request by a hash of its key's origin, the tenant, the caller, the operation and the key, and
// by a hash of its body.
func NewRequest(origin Origin, tenant model.TenantID, caller, operation, key string, body any) (Request, error) {
	space, err := origin.space()
	if key == "" || err != nil {
		return Request{}, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return Request{}, fmt.Errorf("request: %w", err)
	}
	return Request{
		id: model.Name(Hash(append(space, string(tenant), caller, operation, key)...)), hash: Hash(string(text)),
		operation: operation, place: &messages}, nil
}

// In returns the request with its record in another place.
func (r Request) In(place Place) Request {
	r.place = &place
	return r
}

// KnownAs returns the request, which is known under the id of a former one as well. It is recorded under its own.
func (r Request) KnownAs(former Request) Request {
	r.former = former.id
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

// Refs returns the references of the request's records, so that the caller reads them together with its own items; none
// if the request has no key.
func (r Request) Refs() []dynamo.Ref {
	if r.id == "" {
		return nil
	}
	refs := []dynamo.Ref{{Table: r.place.Table, Key: r.place.Key(r.id)}}
	if r.former != "" {
		refs = append(refs, dynamo.Ref{Table: r.place.Table, Key: r.place.Key(r.former)})
	}
	return refs
}

// Earlier decodes the result of an earlier request with the same key into result, and reports whether there is one.
// found holds the items of Refs. It ignores an expired record. It returns ErrKeyReused if the key came with another
// request.
func (r Request) Earlier(found dynamo.Found, now time.Time, result any) (bool, error) {
	record, err := r.Before(found, now)
	if record == nil || err != nil {
		return false, err
	}
	return true, json.Unmarshal(record.Result, result)
}

// Before returns the record of what the same request led to before, with the same conditions and errors as Earlier; nil
// where there is none.
func (r Request) Before(found dynamo.Found, now time.Time) (*Record, error) {
	record, err := r.Recorded(found, now)
	if record != nil && record.RequestHash != r.hash {
		return nil, ErrKeyReused
	}
	return record, err
}

// Recorded returns the unexpired record under the request's key, whatever the request was that left it; nil where there
// is none. found holds the items of Refs.
func (r Request) Recorded(found dynamo.Found, now time.Time) (*Record, error) {
	for _, ref := range r.Refs() {
		item := ref.Found(found)
		if item == nil {
			continue
		}
		record, err := r.place.Decode(item)
		if err != nil {
			return nil, err
		}
		if record.ExpiresAt > now.Unix() {
			return &record, nil
		}
	}
	return nil, nil
}

// Writes returns the write that records the result, for the transaction of the effect; none if the request has no key.
// Its condition is that there is no unexpired record under the key.
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
		Table: table, Item: item,
		If:     "attribute_not_exists(#" + table.Partition.Name + ") OR #" + table.TTL + " <= :now",
		Values: dynamo.Item{":now": dynamo.N(now.Unix())},
	}}, nil
}

// Settled returns the write by which the record of a request with an id says what the request has led to by now, for an
// effect that comes after its answer; none for "". The record is in the messages table. The condition is that it is
// there.
func Settled(id model.Name, result any) ([]dynamo.Write, error) {
	if id == "" {
		return nil, nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	value, err := dynamo.Value(model.Document(text))
	return []dynamo.Write{dynamo.Update{
		Table: tables.Messages, Key: keys.Idempotency(id), Do: "SET #result = :result", If: dynamo.IfPresent,
		Names: map[string]string{"#result": "result"}, Values: dynamo.Item{":result": value},
	}}, err
}

// Forgotten returns the write that deletes the record of a request with an id that has led to nothing, so that it may
// be made again; none for "".
func Forgotten(id model.Name) []dynamo.Write {
	if id == "" {
		return nil
	}
	return []dynamo.Write{dynamo.Delete{ // it may have expired
		Table: tables.Messages, Key: keys.Idempotency(id), If: dynamo.Unconditional}}
}
