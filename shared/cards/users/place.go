package users

import (
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Place keeps the idempotency records of a user's requests in the contract's table.
func Place(user model.Name) idempotency.Place {
	return idempotency.Place{
		Table: tables.CardIdempotency,
		Key:   func(id model.Name) keys.Key { return keys.CardIdempotency(user, id) },
		Encode: func(r idempotency.Record) any {
			return cardsmodel.Idempotency{
				EcosystemID: user, KeyHash: r.ID, Operation: r.Operation, Response: model.Document(r.Result),
				StatusCode: r.StatusCode,
				CreatedAt:  r.At, ExpiresAtEpochSeconds: r.ExpiresAt, RequestHash: r.RequestHash,
			}
		},
		Decode: func(item dynamo.Item) (idempotency.Record, error) {
			var stored cardsmodel.Idempotency
			err := dynamo.Unmarshal(item, &stored)
			return idempotency.Record{
				ID: stored.KeyHash, RequestHash: stored.RequestHash, Operation: stored.Operation,
				StatusCode: stored.StatusCode,
				Result:     []byte(stored.Response), At: stored.CreatedAt, ExpiresAt: stored.ExpiresAtEpochSeconds,
			}, err
		},
	}
}
