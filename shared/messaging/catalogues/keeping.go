package catalogues

import (
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// KeepWrite returns the write by which a store keeps a catalogue, or by which it gives the catalogue up. The condition
// is that the catalogue is the tenant's, and that no other store keeps it.
func (s *Catalogues) KeepWrite(id model.Name, tenant model.TenantID, store model.Name, has bool) dynamo.Update {
	const free = "attribute_not_exists(storeId) OR storeId = :id"
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Catalog(id), Do: "SET storeId = :id ADD version :one",
		If:     "tenantId = :tenant AND (" + free + ")",
		Values: dynamo.Item{":tenant": dynamo.S(tenant), ":id": dynamo.S(store), ":one": dynamo.N(1)},
	}
	if !has {
		u.Do, u.If = "REMOVE storeId ADD version :one", "attribute_exists(pk) AND storeId = :id"
		delete(u.Values, ":tenant")
	}
	return u
}
