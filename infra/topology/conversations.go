package topology

import (
	"slices"
	"time"

	"github.com/haatline/haatline/shared/conversations"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// conversationsDomain is the domain of the multi-channel contract.
var conversationsDomain = Part{
	Name:   conversations.Name,
	Tables: []Owned{{tables.Conversations, "companyConversations", "companyConversation"}},
	Functions: []Function{{
		Name: "conversations-api", Purpose: "the operators' API of companies, their projects and their conversations",
		Traced:   true,
		MemoryMB: 512, Timeout: 29 * time.Second,
		Grants: append([]Grant{
			{Table: tables.Conversations,
				Actions: []string{"BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"},
				Indexes: []string{
					tables.IndexTalksByChannel, tables.IndexTalksByEmail, tables.IndexTalksBySMS,
					tables.IndexTalksByStatus, tables.IndexTalksByTask, tables.IndexTalksByTime,
					tables.IndexTalksByWhatsApp, tables.IndexTalksOfProject}},
			{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
			{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}},
			// the records by which requests are not repeated, and the numbers of a tenant
			{
				Table:   tables.Messages,
				Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"},
				Indexes: []string{tables.IndexTenant},
			},
		}, sends[1:]...),
		Config:  []string{"DEFAULT_TENANT", "FUNCTION_HOSTS", "MODELS", "TENANT_RATE"},
		Secrets: []string{CursorKeys}, Optional: []string{TokensKey}, Opens: true,
		Routes:  apiRoutes("/v1/companies"),
		Metrics: []telemetry.Metric{telemetry.ReadUnits, telemetry.WriteUnits},
	}},
	Shared: map[string]Needs{
		"inbound": { // replies
			Grants: []Grant{{Table: tables.Conversations,
				Actions: []string{"BatchGetItem", "PutItem", "Query"},
				Indexes: []string{tables.IndexTalksByEmail, tables.IndexTalksBySMS, tables.IndexTalksByWhatsApp}}},
		},
		// how opening messages end, with the plan of the conversation's own end, and people who were known under two
		// keys
		"outbox": {
			Grants: []Grant{
				{Table: tables.Conversations, Actions: []string{"GetItem", "PutItem", "Query"}},
				{Table: tables.Outbox, Actions: []string{"PutItem"}}},
		},
		"status": { // how far they come, and settling by the first status
			Grants: []Grant{{Table: tables.Conversations, Actions: []string{"GetItem", "PutItem"}}},
		},
		// texts, emails, the answers of assistants, calls of companies' servers, and the ends of conversations
		"slow-lane": {
			Email: true, Config: []string{"FUNCTION_HOSTS", "SES_CONFIGURATION"},
			Secrets: []string{CursorKeys}, Opens: true,
			Grants: append([]Grant{{Table: tables.Conversations,
				Actions: []string{"BatchGetItem", "GetItem", "PutItem", "Query"}}}, lookups...),
		},
		"models": { // the conversations that models answer, and what they look up
			Config: []string{"FUNCTION_HOSTS"}, Secrets: []string{CursorKeys}, Opens: true,
			Grants: joined(lookups, []Grant{{Table: tables.Conversations,
				Actions: []string{"BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"}}}),
		},
		"messaging-api": { // erasing and exporting
			Grants: []Grant{{Table: tables.Conversations, Actions: []string{"DeleteItem", "Query"}}},
		},
	},
}

// joined returns two lists of grants as one, with one grant for a table.
func joined(all, more []Grant) []Grant {
	all = slices.Clone(all)
	for _, grant := range more {
		all = add(all, grant)
	}
	return all
}

// lookups is what looking up needs that is a person's, in a function that has assistants answer.
var lookups = []Grant{
	{Table: tables.Messages, Actions: []string{"BatchGetItem", "GetItem"}, Indexes: []string{tables.IndexTenant}},
	{Table: tables.Stores, Actions: []string{"GetItem"}},
	{Table: tables.Orders, Actions: []string{"GetItem"}, Indexes: []string{"GSI1"}},
	{Table: tables.CustomerBalances, Actions: []string{"GetItem"}},
	{Table: tables.CardUsers, Actions: []string{"GetItem"}},
	{Table: tables.CardRequests, Actions: []string{"Query"}},
}
