package messagingapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// serve says which kinds of items of the messages table the operations of a tag read or change. Those without any are
// about tables of haatline's own.
var serve = map[string][]string{
	"Analytics":              {"ANALYTICS"},
	"Answers":                {"FLOW_RESPONSE", "ADDRESS"},
	"Audit":                  nil,
	"Calls":                  {"CALL"},
	"Campaigns":              {"CAMPAIGN"},
	"Catalogues":             {"CATALOG", "PRODUCT"},
	"Conversations":          {"CONVERSATION"},
	"Customers":              {"CONVERSATION", "MESSAGE"},
	"Event subscriptions":    {"EVENT_SUBSCRIPTION"},
	"Files":                  {"MEDIA", "TEMPLATE_MEDIA"},
	"Flows":                  {"FLOW"},
	"Groups":                 {"GROUP"},
	"Messages":               {"MESSAGE", "IDEMPOTENCY"},
	"Numbers":                {"PHONE", "BUSINESS_PROFILE", "QUALITY_RATING"},
	"Outbox":                 nil,
	"Payments":               {"PAYMENT_ORDER", "REFUND", "PAYMENT_CONFIG"},
	"People":                 {"PERSON", "MEMBER"},
	"Platform":               {"TENANT", "CONFIG#INFRA", "CONFIG#MEDIA_TYPES", "IDEMPOTENCY"},
	"SMS":                    {"RECEIVED"},
	"Suppressions":           {"SUPPRESSION"},
	"Teamwork":               {"DRAFT", "FILTERS", "MENTION", "NOTE", "QUICK_REPLY", "PUSH_DEVICE", "PUSH_KEY"},
	"Templates":              {"TEMPLATE_EUM", "TEMPLATE_META", "TEMPLATE_MEDIA", "LIBRARY_SEARCH"},
	"Tenants":                {"TENANT"},
	"Webhook configurations": {"WEBHOOK_CONFIG"},
	"Webhook events":         {"WEBHOOK_EVENT"},
	"You":                    nil,
}

// TestThePageListsEveryOperation keeps OPERATIONS.md: each operation with its route and its tests.
func TestThePageListsEveryOperation(t *testing.T) {
	byTag := map[string][]*huma.Operation{}
	for id, op := range apitest.Operations(newWorld(t).api) {
		if _, known := serve[op.Tags[0]]; !known {
			t.Errorf("%s: nobody says what the operations of %q serve", id, op.Tags[0])
		}
		byTag[op.Tags[0]] = append(byTag[op.Tags[0]], op)
	}
	for tag := range serve {
		if byTag[tag] == nil {
			t.Errorf("no operation has the tag %q", tag)
		}
	}
	requests, crashes := reaching(), calls()
	var page strings.Builder
	page.WriteString(operationsHead)
	for _, tag := range slices.Sorted(maps.Keys(byTag)) {
		fmt.Fprintf(&page, "\n## %s\n\n", tag)
		if items := serve[tag]; len(items) > 0 {
			fmt.Fprintf(&page, "Items: `%s`.\n\n", strings.Join(items, "`, `"))
		}
		page.WriteString("| operation | route | what it does | tests |\n|---|---|---|---|\n")
		slices.SortFunc(byTag[tag], func(a, b *huma.Operation) int {
			return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
		})
		for _, op := range byTag[tag] {
			tests := []string{}
			if requests[op.OperationID] != nil {
				tests = append(tests, "walk")
			}
			for _, c := range crashes[op.OperationID] {
				tests = append(tests, strings.TrimSpace("crash "+c.name))
			}
			if len(tests) == 0 {
				t.Errorf("%s: no test calls it", op.OperationID)
			}
			fmt.Fprintf(&page, "| `%s` | %s %s | %s | %s |\n", op.OperationID, op.Method, op.Path, op.Summary,
				strings.Join(tests, "; "))
		}
	}
	golden.Compare(t, "OPERATIONS.md", page.String())
}

const operationsHead = `# The operations of messaging

<!-- The page is made from the API: go test ./shared/messaging/messagingapi -run ThePage -update -->

Each operation with its route and its tests. *walk* is ` + "`TestTheAPI`" + `: it calls the operation as the owner, as a stranger, in every
role and without a token, and breaks it at every call of DynamoDB. *crash* is a case of
` + "`TestTheAPI/ChangesSurviveEveryCrashPoint`" + `: a change that dies at every call and is repeated.
`

// Every kind of item of the WhatsApp contract has operations, and every index of the table a reader.
func TestEveryKindOfItemHasOperations(t *testing.T) {
	served := slices.Concat(slices.Collect(maps.Values(serve))...)
	// These stand behind the others: nobody asks for one.
	behind := []string{
		"ABOUT", "ACCOUNT", "ALIAS", "CAMPAIGN_PART", "CAMPAIGN_PROGRESS", "CAMPAIGN_USE", "ERASED", "FORM",
		"LIBRARY_PAGE",
		"NUMBER_SETTING", "RESPONSE_TIMES", "SEARCH", "SEARCH_SEGMENT", "SENDER",
		"WEBHOOK_CHUNK", "WEBHOOK_SOURCE", "CALL_PERMISSION"}
	var kinds []string
	for _, p := range keys.MessagesPatterns() {
		if !slices.Contains(behind, p.ItemType) {
			kinds = append(kinds, p.ItemType)
		}
	}
	for _, kind := range kinds {
		if !slices.Contains(served, kind) && !slices.ContainsFunc(served, func(s string) bool {
			return strings.HasPrefix(s, kind+"#")
		}) {
			t.Errorf("no operation serves %s", kind)
		}
	}
	for _, index := range tables.Messages.Global {
		if index.Unread {
			t.Errorf("nobody reads %s", index.Name)
		}
	}
}
