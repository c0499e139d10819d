package ledger

import (
	"encoding/json"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
)

// encodeRecord returns a record in the contract's form.
func encodeRecord(r idempotency.Record) any {
	var led result
	_ = json.Unmarshal(r.Result, &led) // it was made of this type
	return khatamodel.IdempotencyKey{
		PK: keys.KhataReplay(r.ID).Partition, IdempotencyKey: r.ID, TransactionID: led.Transaction,
		Result:    khatamodel.Result{Success: true, TransactionID: led.Transaction, NewBalance: led.Balance},
		CreatedAt: r.At, TTL: r.ExpiresAt, StoreID: led.Store, CustomerPhone: led.Customer, RequestHash: r.RequestHash,
	}
}

// decodeRecord is the reverse of encodeRecord.
func decodeRecord(item dynamo.Item) (idempotency.Record, error) {
	var stored khatamodel.IdempotencyKey
	if err := dynamo.Unmarshal(item, &stored); err != nil {
		return idempotency.Record{}, err
	}
	led, err := json.Marshal(result{
		stored.TransactionID, stored.StoreID, stored.CustomerPhone, stored.Result.NewBalance})
	return idempotency.Record{
		ID: stored.IdempotencyKey, RequestHash: stored.RequestHash, Result: led, At: stored.CreatedAt,
		ExpiresAt: stored.TTL,
	}, err
}
