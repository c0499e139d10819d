package topology

import (
	"time"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// commerceDomain is the domain of the commerce contract's stores.
var commerceDomain = Part{
	Name: commerce.Name,
	Tables: []Owned{
		{tables.Stores, "not: it is the store's", "store"},
		{tables.Products, "not: it is the store's", "product"},
		{tables.Orders, "orders", "order"},
		{tables.Sessions, "sessions", "not: a basket expires within days"},
		{tables.Metrics, "not: it counts orders", "figures"},
		{tables.RateLimits, "not: it expires within a day", "not: it counts calls"},
	},
	Functions: []Function{
		{
			Name: "commerce-api", Purpose: "the operators' API of stores, what they sell, and their orders",
			Traced:   true,
			MemoryMB: 512, Timeout: 29 * time.Second,
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"BatchGetItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{"GSI1", "GSI2", tables.IndexStoresByTenant}},
				{Table: tables.Products,
					Actions: []string{"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"},
					Indexes: []string{"GSI1", "GSI2", "GSI3"}},
				{Table: tables.Orders, Actions: []string{"GetItem", "PutItem"},
					Indexes: []string{"GSI1", "GSI3", tables.IndexOrderByID, tables.IndexOrdersByTime}},
				{Table: tables.Sessions, Actions: []string{"BatchGetItem", "GetItem", "PutItem"}},
				{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"},
					Indexes: []string{"GSI1"}},
				{Table: tables.Metrics, Actions: []string{"BatchGetItem", "GetItem", "Query", "UpdateItem"},
					Indexes: []string{"GSI1"}},
				{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
				// numbers, people, and records by which orders are not repeated
				{Table: tables.Messages, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}},
				{Table: tables.Outbox, Actions: []string{"PutItem"}}, // a catalogue at Meta follows
			},
			Config:  []string{"DEFAULT_TENANT", "MODELS", "TENANT_RATE"},
			Secrets: []string{CursorKeys},
			Routes: apiRoutes("/v1/stores", "/v1/store-metrics", "/v1/products", "/v1/orders", "/v1/assistant-texts",
				"/v1/rate-limits"),
			Metrics: []telemetry.Metric{telemetry.ReadUnits, telemetry.WriteUnits},
		},
		{
			Name:     "orders",
			Purpose:  "does what follows from an order: figures, stock, and what customer and shop are told",
			Optional: []string{"ANALYTICS_DSN"},
			MemoryMB: 512, Timeout: 60 * time.Second,
			Grants: append([]Grant{
				{Table: tables.Orders, Actions: []string{"BatchGetItem", "ConditionCheckItem", "UpdateItem"}},
				{Table: tables.Stores, Actions: []string{"BatchGetItem"}},
				{Table: tables.Products, Actions: []string{"BatchGetItem", "UpdateItem"}},
				{Table: tables.Metrics,
					Actions: []string{"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"},
					Indexes: []string{"GSI1"}},
				// what leads an erasure to what the shop was told of an order
				{Table: tables.Messages, Actions: []string{"PutItem"}},
			}, sends...),
			Streams: []StreamSource{{
				Table: tables.Orders, Filters: []string{`{"eventName":["INSERT","MODIFY","REMOVE"]}`},
				BatchSize: 100, BatchingWindow: time.Second, MaxRecordAge: 24 * time.Hour, MaxAttempts: -1,
				Parallelism: 10,
			}},
			Schedules: []Schedule{
				{Name: "orders-sweep", Expression: "rate(15 minutes)",
					Input: `{"source":"haatline.schedule","detail-type":"orders-sweep"}`},
				{Name: "figures-roll-up", Expression: "rate(1 hour)",
					Input: `{"source":"haatline.schedule","detail-type":"` + commerce.RollUp + `"}`},
			},
			Metrics: []telemetry.Metric{
				commerce.NoticesSent, commerce.NoticesRefused, commerce.FollowUpsAside, commerce.AnalyticsAside,
				telemetry.EventsParked, telemetry.ReadUnits, telemetry.WriteUnits,
			},
		},
	},
	Shared: map[string]Needs{
		// erasing and exporting, what a tenant has, what stands beside a conversation, and campaigns to those who have
		// bought
		"messaging-api": {
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"GetItem"}, Indexes: []string{tables.IndexStoresByTenant}},
				{Table: tables.Orders, Actions: []string{"GetItem", "PutItem"},
					Indexes: []string{"GSI1", "GSI3", tables.IndexOrdersByTime}},
				{Table: tables.Sessions, Actions: []string{"DeleteItem"}, Indexes: []string{"GSI1"}},
			},
		},
		"outbox": { // sessions and orders of people who were known under two keys
			Grants: []Grant{
				{Table: tables.Orders, Actions: []string{"UpdateItem"}, Indexes: []string{"GSI1"}},
				{Table: tables.Sessions, Actions: []string{"BatchGetItem", "DeleteItem", "PutItem"}},
			},
		},
		// the invoices that customers ask for, what they pay through WhatsApp, and that somebody outside is told events
		"slow-lane": {
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"BatchGetItem", "GetItem", "UpdateItem"},
					Indexes: []string{tables.IndexStoresByTenant}},
				{Table: tables.Orders, Actions: []string{"GetItem", "PutItem"}},
				{Table: tables.Products,
					Actions: []string{"BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"}},
			},
		},
		"flow-exchange": { // the form of addresses
			Grants: []Grant{{Table: tables.Stores, Actions: []string{"GetItem"}}},
		},
		"models": { // the assistant, with what a model has read, and what the tenant has models do in a day
			Grants: []Grant{
				{Table: tables.Stores, Actions: []string{"BatchGetItem"}},
				{Table: tables.Products, Actions: []string{"BatchGetItem", "Query"}},
				{Table: tables.Orders, Actions: []string{"GetItem"}, Indexes: []string{"GSI1"}},
				{Table: tables.Sessions, Actions: []string{"BatchGetItem", "GetItem", "PutItem"}},
				{Table: tables.Conversations, Actions: []string{"UpdateItem"}},
				{Table: tables.Messages, Indexes: []string{tables.IndexCustomerPhone}}, // the addresses of customers
			},
		},
		"inbound": { // the assistant, and what owners do in the chat
			Grants: append([]Grant{
				{Table: tables.Stores, Actions: []string{"BatchGetItem", "UpdateItem"}},
				{Table: tables.Products, Actions: []string{"BatchGetItem", "PutItem", "Query", "UpdateItem"}},
				{Table: tables.Orders, Actions: []string{"BatchGetItem", "PutItem"}, Indexes: []string{"GSI1", "GSI3"}},
				{Table: tables.Metrics, Actions: []string{"BatchGetItem", "Query"}},
				{Table: tables.Sessions, Actions: []string{"BatchGetItem", "DeleteItem", "PutItem"}},
				{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "UpdateItem", "PutItem"}},
				{Table: tables.Messages, Indexes: []string{tables.IndexCustomerPhone}}, // the addresses of customers
			}, sends...),
		},
	},
}
