package topology

import (
	"slices"
	"time"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// chatTables are the tables of both kinds of chats.
func chatTables(actions []string, indexed bool) []Grant {
	groups, privates := Grant{Table: tables.GroupChats, Actions: actions}, Grant{
		Table: tables.PrivateChats, Actions: actions}
	if indexed {
		groups.Indexes, privates.Indexes = []string{tables.IndexGroupChatsOf}, []string{tables.IndexPrivateChatsOf}
	}
	return []Grant{groups, privates}
}

// theirs is why the export of a tenant leaves out what people say.
const theirs = "not: it is the people's own, and the export of a person holds it"

// communityDomain is the domain of the community contract.
var communityDomain = Part{
	Name: community.Name,
	Tables: []Owned{
		{tables.CommunityUsers, "communityUsers", "communitySettings"},
		{tables.Communities, "communityMemberships", "community"},
		{tables.CommunityNotifications, "communityNotifications", theirs},
		{tables.GroupChats, "groupChatMessages", theirs},
		{tables.PrivateChats, "privateChatMessages", theirs},
		{tables.ChatRequests, "chatRequests", theirs},
	},
	Functions: []Function{{
		Name: "community-api", Purpose: "people sign in to communities, and write, ask and read there",
		Traced:   true,
		MemoryMB: 1024, Timeout: 29 * time.Second, // a password takes memory and time
		Grants: slices.Concat([]Grant{
			{Table: tables.CommunityUsers, Actions: []string{
				"BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"}},
			{Table: tables.Communities,
				Actions: []string{
					"BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"},
				Indexes: []string{
					tables.IndexCommunityGroupChats, tables.IndexCommunityLocations, tables.IndexCommunityMembers}},
			{Table: tables.CommunityNotifications, Actions: []string{
				"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"}},
			{Table: tables.ChatRequests, Actions: []string{"GetItem", "PutItem", "Query", "UpdateItem"},
				Indexes: []string{tables.IndexPendingChatRequests}},
			{Table: tables.AuditLogs, Actions: []string{"PutItem"}},
			{Table: tables.RateLimits, Actions: []string{"BatchGetItem", "PutItem", "UpdateItem"}},
			// codes over WhatsApp, and the records by which requests are not repeated
			{Table: tables.Messages,
				Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"}},
			{Table: tables.Conversations, Actions: []string{"BatchGetItem"}}, // whose an email address is
			{Table: tables.Outbox, Actions: []string{"PutItem"}},
			{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "UpdateItem"}},
		}, chatTables([]string{
			"BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"}, true)),
		// all but a look at what was uploaded through the links that it makes
		Objects: []ObjectGrant{{files.Prefix, []string{"GetObject", "PutObject"}}},
		Config:  []string{"DEFAULT_TENANT", "TENANT_RATE"},
		Secrets: []string{CursorKeys},
		Routes: slices.Concat(apiRoutes(
			"/v1/community-settings", "/v1/community-people", "/v1/community-bridges"), []Route{
			{Method: "ANY", Path: "/v1/community/{proxy+}", For: Sessions},
			{Method: "POST", Path: "/v1/community-access/sign-up", For: Everybody},
			{Method: "POST", Path: "/v1/community-access/confirm-sign-up", For: Everybody},
			{Method: "POST", Path: "/v1/community-access/sign-in", For: Everybody},
			{Method: "POST", Path: "/v1/community-access/refresh", For: Everybody},
			{Method: "POST", Path: "/v1/community-access/reset-password", For: Everybody},
			{Method: "POST", Path: "/v1/community-access/confirm-reset", For: Everybody},
		}),
		Live:    true,
		Metrics: []telemetry.Metric{telemetry.LiveTold, telemetry.ReadUnits, telemetry.WriteUnits},
	}},
	Shared: map[string]Needs{
		"outbox": { // members are told, bridges mirror, what waits is posted, what is closed is deleted, chats move
			Live: true, Metrics: []telemetry.Metric{telemetry.LiveTold},
			Grants: append([]Grant{
				{Table: tables.CommunityNotifications, Actions: []string{
					"BatchGetItem", "DeleteItem", "PutItem", "Query"}},
				{Table: tables.CommunityUsers, Actions: []string{"BatchGetItem", "ConditionCheckItem", "GetItem"}},
				{Table: tables.Communities, Actions: []string{
					"BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "Query", "UpdateItem"}},
				{Table: tables.GroupChats, Actions: []string{
					"ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"}},
				{Table: tables.PrivateChats, Actions: []string{"ConditionCheckItem", "PutItem", "UpdateItem"}},
				{Table: tables.ChatRequests, Actions: []string{"DeleteItem", "Query"}},
				// the records of the requests whose messages were queued
				{Table: tables.Messages, Actions: []string{"DeleteItem", "UpdateItem"}},
				{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem"}}},
				chatTables([]string{"BatchGetItem", "Query"}, true)...),
		},
		"status": { // the daily digests
			Grants: []Grant{
				{Table: tables.CommunityUsers, Actions: []string{"BatchGetItem", "GetItem"}},
				{Table: tables.CommunityNotifications, Actions: []string{
					"BatchGetItem", "DeleteItem", "PutItem", "Query", "UpdateItem"}},
			},
			Metrics: []telemetry.Metric{community.DigestsSent},
			Schedules: []Schedule{{Name: community.SendDigests, Expression: "rate(1 hour)",
				Input: `{"source":"haatline.schedule","detail-type":"` + community.SendDigests + `"}`}},
		},
		"inbound": { // bridges hear what is written in WhatsApp groups
			Grants: []Grant{
				{Table: tables.Communities, Actions: []string{"BatchGetItem"}},
				{Table: tables.GroupChats, Actions: []string{"PutItem"}},
				{Table: tables.Outbox, Actions: []string{"PutItem"}},
				{Table: tables.OutboxSequences, Actions: []string{"BatchGetItem", "UpdateItem"}},
			},
		},
		"slow-lane": { // files that no message has go
			Grants: append(chatTables([]string{"DeleteItem", "GetItem"}, false),
				Grant{Table: tables.CommunityNotifications, Actions: []string{"DeleteItem"}}, // and pictures
				Grant{Table: tables.Communities, Actions: []string{"DeleteItem"}}),
			Objects: []ObjectGrant{{files.Prefix, []string{"DeleteObject"}}},
		},
		"messaging-api": { // erasing and exporting; the chats of who is erased move
			Live: true, Metrics: []telemetry.Metric{telemetry.LiveTold},
			Grants: append([]Grant{
				{Table: tables.CommunityUsers, Actions: []string{
					"DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"}},
				{Table: tables.Communities, Actions: []string{"BatchGetItem", "PutItem", "Query"},
					Indexes: []string{tables.IndexCommunityMembers}},
				{Table: tables.CommunityNotifications, Actions: []string{"DeleteItem", "GetItem", "Query"}},
				{Table: tables.ChatRequests, Actions: []string{"DeleteItem", "Query"}},
			}, chatTables([]string{
				"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"}, true)...),
		},
	},
}
