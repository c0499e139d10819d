package tables_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/tables"
)

// contractTables has the tables of each contract in dev and in staging, as the contracts spell them.
var contractTables = map[string]map[string]string{
	"whatsapp": {
		"base-wecare-digital-whatsapp": "base-wecare-digital-whatsapp-staging",
	},
	"cards": {
		"tazco-users":                  "tazco-users-staging",
		"tazco-scores":                 "tazco-scores-staging",
		"tazco-cards":                  "tazco-cards-staging",
		"tazco-card-requests":          "tazco-card-requests-staging",
		"tazco-transactions":           "tazco-transactions-staging",
		"tazco-idempotency":            "tazco-idempotency-staging",
		"tazco-outbox":                 "tazco-outbox-staging",
		"tazco-outbox-sequences":       "tazco-outbox-sequences-staging",
		"tazco-audit-logs":             "tazco-audit-logs-staging",
		"tazco-whatsapp-notifications": "tazco-whatsapp-notifications-staging",
		"tazco-whatsapp-inbound":       "tazco-whatsapp-inbound-staging",
		"tazco-pending-approvals":      "tazco-pending-approvals-staging",
	},
	"community": {
		"community-users":         "community-users-staging",
		"community-communities":   "community-communities-staging",
		"community-notifications": "community-notifications-staging",
		"community-group-chats":   "community-group-chats-staging",
		"community-private-chats": "community-private-chats-staging",
		"community-chat-requests": "community-chat-requests-staging",
	},
	"conversations": {
		"conversations-dev": "conversations-staging",
	},
	"commerce": {
		"vyaparai-orders-dev":             "vyaparai-orders-staging",
		"vyaparai-sessions-dev":           "vyaparai-sessions-staging",
		"vyaparai-stores-dev":             "vyaparai-stores-staging",
		"vyaparai-products-dev":           "vyaparai-products-staging",
		"vyaparai-metrics-dev":            "vyaparai-metrics-staging",
		"vyaparai-rate-limits-dev":        "vyaparai-rate-limits-staging",
		"vyaparai-khata-transactions-dev": "vyaparai-khata-transactions-staging",
		"vyaparai-customer-balances-dev":  "vyaparai-customer-balances-staging",
		"vyaparai-payment-reminders-dev":  "vyaparai-payment-reminders-staging",
		"vyaparai-idempotency-keys-dev":   "vyaparai-idempotency-keys-staging",
	},
}

// A table of no contract is called after haatline.
func TestTheTablesAreThoseOfTheContractsAndOurOwn(t *testing.T) {
	want := map[string]string{}
	for _, names := range contractTables {
		maps.Copy(want, names)
	}
	if len(want) != 30 {
		t.Fatalf("the contracts spell %d tables here, want 30", len(want))
	}
	got := map[string]string{}
	for _, table := range tables.All() {
		if name := table.Name(tables.Dev); !strings.HasPrefix(name, "haatline-") {
			got[name] = table.Name(tables.Staging)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("not the contracts' tables; a table of no contract has a name that begins with haatline-:\n%s", diff)
	}
}

// A table that is not registered has no stack.
func TestEveryTableIsRegistered(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var described, registered []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^\s*(?:var )?\w+ += Table\{\s*ID: *"(\w+)"`).FindAllStringSubmatch(
			string(text), -1) {
			described = append(described, found[1])
		}
	}
	for _, table := range tables.All() {
		registered = append(registered, table.ID)
	}
	slices.Sort(described)
	slices.Sort(registered)
	if diff := cmp.Diff(described, registered); diff != "" {
		t.Errorf("the files describe (-) other tables than are registered (+):\n%s", diff)
	}
}

func TestTableNamesIDsAndVariablesAreUnique(t *testing.T) {
	for _, stage := range []tables.Stage{tables.Dev, tables.Staging, tables.Prod, "anita"} {
		seen := map[string]string{}
		for _, table := range tables.All() {
			for _, name := range []string{"id " + table.ID, "name " + table.Name(stage), "variable " + table.Env()} {
				if other, taken := seen[name]; taken {
					t.Errorf("%s: %s is that of %s and of %s", stage, name, other, table.ID)
				}
				seen[name] = table.ID
			}
		}
	}
}

func TestNoStagesTableNameEqualsOneOfDev(t *testing.T) {
	dev := map[string]bool{}
	for _, table := range tables.All() {
		dev[table.Name(tables.Dev)] = true
	}
	for _, stage := range []tables.Stage{tables.Staging, tables.Prod} {
		for _, table := range tables.All() {
			name := table.Name(stage)
			if dev[name] || strings.Contains(name, "{") || !strings.HasSuffix(name, "-"+string(stage)) {
				t.Errorf("%s in %s is called %q", table.ID, stage, name)
			}
		}
	}
}

func TestAVariableOverridesTheNameInEveryStage(t *testing.T) {
	for variable, table := range map[string]tables.Table{
		"MESSAGES_TABLE_NAME":               tables.Messages,
		"OUTBOX_TABLE_NAME":                 tables.Outbox,
		"OUTBOX_SEQUENCES_TABLE_NAME":       tables.OutboxSequences,
		"WHATSAPP_NOTIFICATIONS_TABLE_NAME": tables.WhatsAppNotifications,
		"CARD_REQUESTS_TABLE_NAME":          tables.CardRequests,
		"CONVERSATIONS_TABLE_NAME":          tables.Conversations,
	} {
		if table.Env() != variable {
			t.Errorf("%s is overridden by %s, want %s", table.ID, table.Env(), variable)
		}
		for _, stage := range []tables.Stage{tables.Dev, tables.Prod} {
			getenv := func(name string) string { return map[string]string{variable: "elsewhere"}[name] }
			if got := table.Resolve(getenv, stage); got != "elsewhere" {
				t.Errorf("%s in %s resolves to %q", variable, stage, got)
			}
			unset := func(string) string { return "" }
			if got := table.Resolve(unset, stage); got != table.Name(stage) {
				t.Errorf("%s unset in %s resolves to %q", variable, stage, got)
			}
		}
	}
}

func TestOnlyDevLosesItsData(t *testing.T) {
	for stage, keeps := range map[tables.Stage]bool{
		tables.Dev: false, tables.Staging: true, tables.Prod: true, "anita": true} {
		if stage.Durable() != keeps {
			t.Errorf("stage %s keeps its data: %v, want %v", stage, stage.Durable(), keeps)
		}
		for _, table := range tables.All() {
			if table.Recoverable(stage) != keeps {
				t.Errorf("%s in %s is recoverable: %v, want %v", table.ID, stage, table.Recoverable(stage), keeps)
			}
		}
	}
}

// DynamoDB limits the sum over a table's indexes, which the local engine does not check.
func TestNoTableNamesMoreThanAHundredIncludedAttributes(t *testing.T) {
	for _, table := range tables.All() {
		included := 0
		for _, index := range table.Indexes() {
			included += len(index.Attributes)
		}
		if included > 100 {
			t.Errorf("%s includes %d attributes, DynamoDB allows 100", table.ID, included)
		}
	}
}

func TestAnIndexListsAttributesWhenItIncludesSomeAndOnlyThen(t *testing.T) {
	for _, table := range tables.All() {
		for _, index := range table.Indexes() {
			if some := index.Projection == tables.ProjectSome; some != (len(index.Attributes) > 0) {
				t.Errorf("%s %s projects %s with %d attributes", table.ID, index.Name, index.Projection,
					len(index.Attributes))
			}
			keys := []string{table.Partition.Name, table.Sort.Name, index.Partition.Name, index.Sort.Name}
			seen := map[string]bool{}
			for _, attribute := range index.Attributes {
				if slices.Contains(keys, attribute) || seen[attribute] {
					t.Errorf("%s %s includes %s, which it has already", table.ID, index.Name, attribute)
				}
				seen[attribute] = true
			}
		}
	}
}

func TestNamesAreValidInDynamoDB(t *testing.T) {
	ok := func(name string) bool {
		return len(name) >= 3 && len(name) <= 255 &&
			strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == ""
	}
	for _, table := range tables.All() {
		if !ok(table.Name(tables.Dev)) || !ok(table.Name(tables.Staging)) {
			t.Errorf("%s has the name %q", table.ID, table.Name(tables.Dev))
		}
		seen := map[string]bool{}
		for _, index := range table.Indexes() {
			if !ok(index.Name) || seen[index.Name] {
				t.Errorf("%s has an index %q", table.ID, index.Name)
			}
			seen[index.Name] = true
		}
	}
}

func TestAKeyAttributeHasOneTypeInATable(t *testing.T) {
	for _, table := range tables.All() {
		types := map[string]tables.Type{}
		attributes := []tables.Attribute{table.Partition, table.Sort}
		for _, index := range table.Indexes() {
			attributes = append(attributes, index.Partition, index.Sort)
		}
		for _, attribute := range attributes {
			if attribute.Name == "" {
				continue
			}
			if known := types[attribute.Name]; known != "" && known != attribute.Type {
				t.Errorf("%s: %s is %s and %s", table.ID, attribute.Name, known, attribute.Type)
			}
			if attribute.Type != tables.String && attribute.Type != tables.Number {
				t.Errorf("%s: %s has the type %q", table.ID, attribute.Name, attribute.Type)
			}
			types[attribute.Name] = attribute.Type
		}
		if table.Partition.Name == "" {
			t.Errorf("%s has no partition key", table.ID)
		}
	}
}

func TestALocalIndexSharesThePartitionAndATableHasAtMostTwentyAndFive(t *testing.T) {
	for _, table := range tables.All() {
		if len(table.Global) > 20 || len(table.Local) > 5 {
			t.Errorf("%s has %d global and %d local indexes, DynamoDB allows 20 and 5", table.ID, len(table.Global),
				len(table.Local))
		}
		for _, index := range table.Local {
			if index.Partition != table.Partition || index.Sort.Name == "" {
				t.Errorf("%s: %s is no local index", table.ID, index.Name)
			}
		}
		for _, index := range table.Global {
			if index.Partition.Name == "" {
				t.Errorf("%s: %s has no partition key", table.ID, index.Name)
			}
		}
	}
}

// Keys and projections cannot change once a table has data. The golden file makes every change visible in review.
func TestTheTablesMatchTheGoldenFile(t *testing.T) {
	var lines strings.Builder
	for _, table := range tables.All() {
		fmt.Fprintf(&lines, "%s %s, %s\n  %s\n", table.ID, table.Name(tables.Dev), table.Env(),
			key(table.Partition, table.Sort))
		for _, index := range table.Global {
			fmt.Fprintf(&lines, "  global %s: %s\n", index.Name, describe(index))
		}
		for _, index := range table.Local {
			fmt.Fprintf(&lines, "  local  %s: %s\n", index.Name, describe(index))
		}
		if table.TTL != "" {
			fmt.Fprintf(&lines, "  expires by %s\n", table.TTL)
		}
		if table.Stream != tables.NoStream {
			fmt.Fprintf(&lines, "  streams %s\n", table.Stream)
		}
	}
	golden.Compare(t, "testdata/tables.golden", lines.String())
}

func key(partition, sort tables.Attribute) string {
	text := partition.Name + " " + string(partition.Type)
	if sort.Name != "" {
		text += " / " + sort.Name + " " + string(sort.Type)
	}
	return text
}

func describe(index tables.Index) string {
	text := key(index.Partition, index.Sort) + ", " + string(index.Projection)
	for _, attribute := range index.Attributes {
		text += "\n    " + attribute
	}
	return text
}
