package topology

import (
	"time"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// commerceDomain is the domain of the commerce contract's stores.
var commerceDomain = Domain{
	Name: commerce.Name,
	Functions: []Function{
		{
			Name: "commerce-api", Purpose: "the operators' API of stores, what they sell, and their orders", Traced: true,
			MemoryMB: 512, Timeout: 29 * time.Second,
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"}, Indexes: []string{"GSI1", "GSI2", tables.IndexStoresByTenant}},
				{Table: tables.Products, Actions: []string{"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query"}, Indexes: []string{"GSI1", "GSI2", "GSI3"}},
				{Table: tables.Orders, Actions: []string{"GetItem", "PutItem"}, Indexes: []string{"GSI1", "GSI3", tables.IndexOrderByID, tables.IndexOrdersByTime}},
				{Table: tables.Sessions, Actions: []string{"BatchGetItem", "GetItem", "PutItem"}},
				{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}, Indexes: []string{"GSI1"}},
				{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
				{Table: tables.Messages, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}}, // numbers, people, and records by which orders are not repeated
			},
			Config:  []string{"DEFAULT_TENANT"},
			Routes:  apiRoutes("/v1/stores", "/v1/products", "/v1/orders", "/v1/assistant-texts", "/v1/rate-limits"),
			Metrics: []telemetry.Metric{telemetry.ReadUnits, telemetry.WriteUnits},
		},
	},
	Shared: map[string]Needs{
		"inbound": { // the assistant
			Grants: append([]Grant{
				{Table: tables.Stores, Actions: []string{"BatchGetItem"}},
				{Table: tables.Products, Actions: []string{"BatchGetItem", "Query"}},
				{Table: tables.Orders, Actions: []string{"GetItem", "PutItem"}, Indexes: []string{"GSI1"}},
				{Table: tables.Sessions, Actions: []string{"BatchGetItem", "PutItem"}},
				{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "UpdateItem", "PutItem"}},
			}, sends...),
		},
	},
}
