package messagingapi

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi/apitest"
)

func TestTheAPI(t *testing.T) {
	apitest.Walk(t, apitest.API[belongings]{
		Tables:   apiTables,
		Register: register,
		Furnish: func(t testing.TB, db *dynamotest.DB, digit string) belongings {
			return worldWith(t, db, db.Client, counting("queued-"+digit)).furnish(digit)
		},
		Absent:      nothing(),
		Requests:    reaching(),
		Last:        []string{"replay-outbox-event", "replay-outbox-events", "replay-webhook-event", "erase-customer"},
		PlatformMay: []string{"record-export"},
		Roles:       roles(),
		Changes:     changes(),
	})
}

func register() func(client *dynamo.Client, newID func() string) *apitest.Server {
	return func(client *dynamo.Client, newID func() string) *apitest.Server {
		return worldWith(nil, nil, client, newID).server
	}
}

// roles returns, by group of a role, the operations that it may call.
func roles() map[string][]string {
	reads := []string{"get-me", "list-conversations", "count-conversations", "get-conversation", "list-messages", "get-message", "record-export", "list-numbers"}
	answers := append(slices.Clone(reads), "mark-conversation-read", "mark-conversation-unread", "archive-conversation", "unarchive-conversation",
		"send-text", "send-template")
	outboxes := []string{"list-outbox-events", "get-outbox-event", "get-outbox-replay"}
	log := []string{"list-webhook-events", "get-webhook-event"}
	may := map[string][]string{
		"":         {"get-me"},
		"operator": answers,
		"supervisor": slices.Concat(answers, outboxes, log, []string{
			"replay-outbox-event", "replay-outbox-events", "continue-outbox-replay", "dismiss-outbox-event", "resume-number",
		}),
		"auditor":       slices.Concat(reads, outboxes, log, []string{"list-audit-records", "list-erasures"}),
		"operators":     {"get-me"},
		"Administrator": {"get-me"},
	}
	may["administrator"] = slices.Concat(may["supervisor"], []string{"replay-webhook-event", "erase-customer", "list-audit-records", "list-erasures"})
	return may
}
