package stacks_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/tables"
)

// idOf returns the logical id of a function.
func idOf(function topology.Function) string {
	id := ""
	for word := range strings.SplitSeq(function.Name, "-") {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

func TestEveryFunctionIsAsTheTopologySays(t *testing.T) {
	for _, s := range []tables.Stage{tables.Dev, tables.Prod} {
		functions := stage(t, s)["functions"]
		if got := len(functions.of("AWS::Lambda::Function")); got != len(topology.Functions) {
			t.Errorf("%d functions, want %d", got, len(topology.Functions))
		}
		for _, function := range topology.Functions {
			variables := map[string]any{"STAGE": string(s), "GOGC": "400", "GOMEMLIMIT": "384MiB"}
			if limit := map[int]string{256: "192MiB", 1024: "768MiB"}[function.MemoryMB]; limit != "" {
				variables["GOMEMLIMIT"] = limit
			}
			for _, table := range function.Tables() {
				variables[table.Env()] = table.Name(s)
			}
			if len(function.Objects) > 0 {
				bucket := "haatline-files-" + string(s) + "-"
				variables["MEDIA_BUCKET"] = map[string]any{
					"Fn::Join": []any{
						"", []any{bucket, map[string]any{"Ref": "AWS::AccountId"}, "-",
							map[string]any{"Ref": "AWS::Region"}}}}
				if s == tables.Dev {
					variables["S3_ENDPOINT"] = ""
				}
			}
			for _, name := range function.Secrets {
				of := "whatsapp"
				if own := map[string]string{"CURSOR_KEYS": "cursors"}[name]; own != "" {
					of = own
				}
				variables[name] = fmt.Sprintf("secretsmanager:haatline/%s/%s#%s", s, of, name)
			}
			if slices.Contains(function.Config, "WHATSAPP_GRAPH_URL") {
				variables["WHATSAPP_GRAPH_URL"] = "https://graph.facebook.com/v23.0"
			}
			if slices.Contains(function.Config, "WEBHOOK_MAX_AGE") {
				variables["WEBHOOK_MAX_AGE"] = "192h"
			}
			for name, value := range map[string]string{
				"MODEL_URL": "https://api.openai.com/v1", "MODEL_DAY_LIMIT": "5"} {
				if slices.Contains(function.Config, name) {
					variables[name] = value
				}
			}
			for _, name := range function.Wakes {
				alias := map[bool]string{true: ":live"}[s != tables.Dev]
				variables[strings.ToUpper(name)+"_FUNCTION"] = "haatline-" + name + "-" + string(s) + alias
			}
			if slices.Contains(function.Config, "TENANT_RATE") {
				variables["TENANT_RATE"] = "20"
			}
			if s == tables.Dev { // variables that SAM may set
				for _, name := range append(slices.Clone(function.Config), "DYNAMODB_ENDPOINT") {
					if variables[name] == nil {
						variables[name] = ""
					}
				}
			}
			id := idOf(function)
			got := maps.Clone(functions.Resources[id].Properties)
			delete(got, "Code")
			want := map[string]any{
				"FunctionName": "haatline-" + function.Name + "-" + string(s), "Description": function.Purpose,
				"Architectures": []any{"arm64"}, "Runtime": "provided.al2023", "Handler": "bootstrap",
				"MemorySize": float64(function.MemoryMB), "Timeout": function.Timeout.Seconds(),
				"Environment": map[string]any{"Variables": variables},
				"LoggingConfig": map[string]any{
					"LogFormat": "JSON", "LogGroup": map[string]any{"Ref": id + "Logs"}, "ApplicationLogLevel": "INFO",
					"SystemLogLevel": "WARN"},
				"TracingConfig": map[string]any{"Mode": "PassThrough"},
				"Role":          map[string]any{"Fn::GetAtt": []any{id + "Role", "Arn"}},
				"Tags":          tags("function", function.Name, "project", "haatline", "stage", string(s)),
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s:\n%s", s, function.Name, diff)
			}
		}
	}
}

func tags(pairs ...string) []any {
	var list []any
	for pair := range slices.Chunk(pairs, 2) {
		list = append(list, map[string]any{"Key": pair[0], "Value": pair[1]})
	}
	return list
}

func TestLogsEnd(t *testing.T) {
	for s, days := range map[tables.Stage]float64{tables.Dev: 7, tables.Prod: 30} {
		functions := stage(t, s)["functions"]
		groups := functions.of("AWS::Logs::LogGroup")
		if len(groups) != len(topology.Functions)+1 {
			t.Errorf("%d log groups, want one for each function and one for the API", len(groups))
		}
		for _, id := range groups {
			if got := functions.Resources[id].Properties["RetentionInDays"]; got != days {
				t.Errorf("%s %s: %v days", s, id, got)
			}
		}
	}
}

// A secret costs money every month, so one holds all values that are shared with WhatsApp, one the keys of cursors, and
// one the keys of sessions. AWS makes the first key of both. No template may contain a value.
func TestThereAreThreeSecretsAndNoTemplateHoldsAValue(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	generated := map[any]any{}
	for _, id := range functions.of("AWS::SecretsManager::Secret") {
		properties := functions.Resources[id].Properties
		if properties["SecretString"] != nil || at(properties, "GenerateSecretString", "SecretStringTemplate") != "{}" {
			t.Errorf("%v", properties)
		}
		generated[properties["Name"]] = at(properties, "GenerateSecretString", "GenerateStringKey")
	}
	want := map[any]any{
		"haatline/prod/whatsapp": "unused", "haatline/prod/cursors": "CURSOR_KEYS"}
	if diff := cmp.Diff(want, generated); diff != "" {
		t.Error(diff)
	}
}

// granted returns "action on resource" for a role's policies. It fails on anything but plain permissions.
func granted(t *testing.T, id string, role made) []string {
	t.Helper()
	var lines []string
	if role.Properties["ManagedPolicyArns"] != nil {
		t.Errorf("%s has managed policies", id)
	}
	for _, policy := range role.Properties["Policies"].([]any) {
		for _, statement := range at(policy, "PolicyDocument", "Statement").([]any) {
			if at(statement, "Effect") != "Allow" || at(statement, "NotAction") != nil ||
				at(statement, "NotResource") != nil {
				t.Errorf("%s: %v", id, statement)
			}
			limit := limitOf(t, id, statement)
			for _, action := range at(statement, "Action").([]any) {
				for _, resource := range at(statement, "Resource").([]any) {
					lines = append(lines, fmt.Sprintf("%s on %s%s", action, said(resource), limit))
				}
			}
		}
	}
	return lines
}

// limitOf returns the items of a table that a statement is limited to. It fails on any other condition.
func limitOf(t *testing.T, id string, statement any) string {
	t.Helper()
	condition, limited := at(statement, "Condition").(map[string]any)
	if !limited {
		return ""
	}
	leading, ok := at(condition, "ForAllValues:StringLike", "dynamodb:LeadingKeys").([]any)
	if !ok || len(condition) != 1 {
		t.Errorf("%s: %v", id, condition)
	}
	return fmt.Sprintf(" of %v", leading)
}

// The golden file lists everything that the deployed roles allow, for review.
func TestGrantsAreTheCommittedOnes(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	var lines strings.Builder
	for _, id := range functions.of("AWS::IAM::Role") {
		for _, line := range granted(t, id, functions.Resources[id]) {
			fmt.Fprintln(&lines, id, line)
		}
	}
	golden.Compare(t, "testdata/grants.golden", lines.String())
}

func TestNoRoleHasAWildcardForAnAction(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	for _, id := range functions.of("AWS::IAM::Role") {
		for _, line := range granted(t, id, functions.Resources[id]) {
			action, resource, _ := strings.Cut(line, " on ")
			resource, _, _ = strings.Cut(resource, " of ")
			if strings.Contains(action, "*") {
				t.Errorf("%s: %s", id, line)
			}
			// X-Ray has no resource-level permissions, and CloudWatch lists alarms only as a whole
			whole := strings.HasPrefix(action, "xray:") || action == "cloudwatch:DescribeAlarms"
			below := strings.HasPrefix(action, "logs:") || strings.HasPrefix(action, "s3:") ||
				strings.HasPrefix(action, "sms-voice:") || strings.HasPrefix(action, "ses:") ||
				action == "dynamodb:ListStreams" ||
				strings.HasSuffix(resource, ":secret:haatline/prod/numbers/*") ||
				strings.HasSuffix(resource, ":secret:haatline/prod/webhooks/*")
			if strings.Contains(resource, "*") && !whole &&
				!(below && strings.HasSuffix(resource, "*") && strings.Count(resource, "*") == 1 &&
					len(resource) > 20) {
				t.Errorf("%s: %s", id, line)
			}
		}
	}
}

// Roles grant exactly the topology's actions, tables and indexes.
func TestGrantsOnTablesAreThoseOfTheTopology(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	const arn = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/"
	for _, function := range topology.Functions {
		var want, got []string
		for _, grant := range function.Grants {
			limited := func(prefixes []string) string {
				if len(prefixes) == 0 {
					return ""
				}
				return " of [" + strings.Join(prefixes, "* ") + "*]"
			}
			for _, action := range grant.Actions {
				want = append(want, "dynamodb:"+action+" on "+arn+grant.Table.Name(tables.Prod)+limited(grant.Leading))
			}
			for _, index := range grant.Indexes {
				if !slices.ContainsFunc(grant.Table.Indexes(), func(i tables.Index) bool { return i.Name == index }) {
					t.Errorf("%s: %s has no index %s", function.Name, grant.Table.ID, index)
				}
				want = append(want, "dynamodb:Query on "+arn+grant.Table.Name(tables.Prod)+"/index/"+index+
					limited(grant.Within))
			}
		}
		for _, line := range granted(t, function.Name, functions.Resources[idOf(function)+"Role"]) {
			if strings.HasPrefix(line, "dynamodb:") && !strings.Contains(line, "Stream") &&
				!strings.Contains(line, "GetShardIterator") {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", function.Name, diff)
		}
	}
}

// Everybody can post to the webhook, so it may only put log entries, and read how accounts' webhooks are verified.
func TestTheWebhookPutsIntoTheLogOnly(t *testing.T) {
	functions := stage(t, tables.Prod)["functions"]
	const table = " on arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:" +
		"table/base-wecare-digital-whatsapp-prod"
	var may []string
	for _, line := range granted(t, "WebhookRole", functions.Resources["WebhookRole"]) {
		if strings.HasPrefix(line, "dynamodb:") {
			may = append(may, line)
		}
	}
	want := []string{
		"dynamodb:PutItem" + table + " of [WEBHOOK#* WEBHOOK_SOURCE#*]",
		"dynamodb:BatchGetItem" + table + " of [WEBHOOK_CONFIG#*]",
		"dynamodb:Query" + table + "/index/gsi_from of [WEBHOOK_CONFIGS*]",
	}
	if diff := cmp.Diff(want, may); diff != "" {
		t.Error(diff)
	}
}

// Policy has no side effects and returns nothing that shares memory with the topology.
func TestPolicyLeavesTheTopologyAlone(t *testing.T) {
	for _, function := range topology.Functions {
		first := stacks.Policy(function)
		for _, statement := range stacks.Policy(function) {
			clear(statement.Actions)
		}
		if diff := cmp.Diff(first, stacks.Policy(function), cmp.AllowUnexported(tables.Table{})); diff != "" {
			t.Errorf("%s:\n%s", function.Name, diff)
		}
	}
}
