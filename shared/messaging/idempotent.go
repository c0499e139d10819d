package messaging

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

const idempotencyLifetime = 24 * time.Hour

// ErrKeyReused means that an idempotency key came with another request before.
var ErrKeyReused = errors.New("the idempotency key was used for another request")

// Request is a caller's request as far as repeating it goes. The zero value is one without a key, which may be repeated.
type Request struct {
	id   model.Name
	hash string
}

// NewRequest makes the identity of a request: a hash of who asks what of whom under which key, and a hash of the rest.
func NewRequest(tenant model.TenantID, caller, operation, key string, body any) (Request, error) {
	if key == "" {
		return Request{}, nil
	}
	text, err := json.Marshal(body)
	if err != nil {
		return Request{}, fmt.Errorf("request: %w", err)
	}
	return Request{
		id:   model.Name(hashOf(string(tenant), caller, operation, key)),
		hash: hashOf(string(text)),
	}, nil
}

func hashOf(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil)[:20])
}

func (r Request) keyed() bool { return r.id != "" }

func (r Request) refs() []dynamo.Ref {
	if !r.keyed() {
		return nil
	}
	return []dynamo.Ref{{Table: table, Key: keys.Idempotency(r.id)}}
}

// earlier reads what the same request led to before into result, and says whether it did. A record past its expiry
// counts as absent. It returns ErrKeyReused when the key came with another request.
func (s *Store) earlier(r Request, found dynamo.Item, result any) (bool, error) {
	if !r.keyed() || found == nil {
		return false, nil
	}
	var record model.Idempotency
	if err := dynamo.Unmarshal(found, &record); err != nil {
		return false, err
	}
	if record.TTL <= s.Now().Unix() {
		return false, nil
	}
	if record.RequestHash != r.hash {
		return false, ErrKeyReused
	}
	return true, json.Unmarshal(record.Result, result)
}

// rememberWrites is the write that records the result, for the transaction of the effect. Its condition is that nobody
// has recorded one under the key.
func (s *Store) rememberWrites(r Request, result any) ([]dynamo.Write, error) {
	if !r.keyed() {
		return nil, nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	item, err := dynamo.Marshal(model.Idempotency{
		PK: keys.Idempotency(r.id).Partition, ItemType: model.ItemIdempotency, RequestID: r.id, RequestHash: r.hash,
		ProcessedAt: model.At(now), TTL: now.Add(idempotencyLifetime).Unix(), Result: text,
	})
	if err != nil {
		return nil, err
	}
	return []dynamo.Write{dynamo.Put{
		Table: table, Item: item, If: "attribute_not_exists(pk) OR #ttl <= :now", Values: dynamo.Item{":now": dynamo.N(now.Unix())},
	}}, nil
}
