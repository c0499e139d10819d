package stacks_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/tables"
)

// resource is a table in a template.
type resource struct {
	Type                string
	DeletionPolicy      string
	UpdateReplacePolicy string
	Properties          struct {
		TableName                        string
		BillingMode                      string
		DeletionProtectionEnabled        bool
		KeySchema                        []key
		AttributeDefinitions             []attribute
		GlobalSecondaryIndexes           []index
		LocalSecondaryIndexes            []index
		PointInTimeRecoverySpecification struct{ PointInTimeRecoveryEnabled bool }
		SSESpecification                 struct{ SSEEnabled bool }
		StreamSpecification              struct{ StreamViewType tables.StreamView }
		TimeToLiveSpecification          struct {
			AttributeName string
			Enabled       bool
		}
		Tags []struct{ Key, Value string }
	}
}

type key struct{ AttributeName, KeyType string }

type attribute struct {
	AttributeName string
	AttributeType tables.Type
}

type index struct {
	IndexName  string
	KeySchema  []key
	Projection struct {
		ProjectionType   tables.Projection
		NonKeyAttributes []string
	}
}

// dataStack is the data stack of a stage, and its resources by logical id.
type dataStack struct {
	data      *stacks.Data
	resources map[string]resource
}

var (
	dataStacks = map[tables.Stage]dataStack{}
	dataMu     sync.Mutex
)

// synthesise returns the data stack of a stage and its resources by logical id. They are made once for all tests.
func synthesise(t *testing.T, stage tables.Stage) (*stacks.Data, map[string]resource) {
	t.Helper()
	dataMu.Lock()
	defer dataMu.Unlock()
	if made, known := dataStacks[stage]; known {
		return made.data, made.resources
	}
	data := stacks.NewData(awscdk.NewApp(nil), settings.Options{Stage: stage})
	encoded, err := json.Marshal(assertions.Template_FromStack(data.Stack, nil).ToJSON())
	if err != nil {
		t.Fatal(err)
	}
	var template struct{ Resources map[string]resource }
	if err := json.Unmarshal(encoded, &template); err != nil {
		t.Fatal(err)
	}
	dataStacks[stage] = dataStack{data, template.Resources}
	return data, template.Resources
}

// A changed logical id or name replaces the table and loses its data.
func TestLogicalIDsAndNamesStay(t *testing.T) {
	_, dev := synthesise(t, tables.Dev)
	_, prod := synthesise(t, tables.Prod)
	if want := len(tables.All()) + 2; len(dev) != want || len(prod) != want {
		t.Errorf("%d and %d resources, want %d: the tables, the bucket of files and its policy", len(dev), len(prod),
			want)
	}
	var lines strings.Builder
	for _, id := range slices.Sorted(maps.Keys(dev)) {
		fmt.Fprintf(&lines, "%s %s %s %s\n", id, dev[id].Type, dev[id].Properties.TableName,
			prod[id].Properties.TableName)
	}
	// data is lost where an identity changes: update it only if none is at stake
	golden.Compare(t, "testdata/data.golden", lines.String())
}

func TestEveryTableIsAsDescribed(t *testing.T) {
	_, resources := synthesise(t, tables.Dev)
	for _, table := range tables.All() {
		t.Run(table.ID, func(t *testing.T) {
			made := resources[table.ID].Properties
			types := map[string]tables.Type{}
			for _, a := range made.AttributeDefinitions {
				if types[a.AttributeName] != "" {
					t.Errorf("%s is defined twice", a.AttributeName)
				}
				types[a.AttributeName] = a.AttributeType
			}
			used := map[string]bool{}
			keys := func(schema []key) (partition, sort tables.Attribute) {
				for i, k := range schema {
					used[k.AttributeName] = true
					a := tables.Attribute{Name: k.AttributeName, Type: types[k.AttributeName]}
					switch {
					case i == 0 && k.KeyType == "HASH":
						partition = a
					case i == 1 && k.KeyType == "RANGE":
						sort = a
					default:
						t.Errorf("key %d is %v", i, k)
					}
				}
				return partition, sort
			}
			read := func(made []index) (list []tables.Index) {
				for _, i := range made {
					partition, sort := keys(i.KeySchema)
					list = append(list, tables.Index{
						Name: i.IndexName, Partition: partition, Sort: sort,
						Projection: i.Projection.ProjectionType, Attributes: i.Projection.NonKeyAttributes,
					})
				}
				return list
			}
			partition, sort := keys(made.KeySchema)
			if partition != table.Partition || sort != table.Sort {
				t.Errorf("key %v %v, want %v %v", partition, sort, table.Partition, table.Sort)
			}
			described := slices.Clone(table.Global)
			for i := range described {
				described[i].FewValues, described[i].Unread = false, false // they are not of the table
			}
			if diff := cmp.Diff(described, read(made.GlobalSecondaryIndexes)); diff != "" {
				t.Errorf("global indexes:\n%s", diff)
			}
			if diff := cmp.Diff(table.Local, read(made.LocalSecondaryIndexes)); diff != "" {
				t.Errorf("local indexes:\n%s", diff)
			}
			if len(used) != len(types) {
				t.Errorf("attributes %v are defined, %v are keys", types, used)
			}
			if made.TimeToLiveSpecification.AttributeName != table.TTL ||
				made.TimeToLiveSpecification.Enabled != (table.TTL != "") {
				t.Errorf("expiry %v, want %q", made.TimeToLiveSpecification, table.TTL)
			}
			if made.StreamSpecification.StreamViewType != table.Stream {
				t.Errorf("stream %q, want %q", made.StreamSpecification.StreamViewType, table.Stream)
			}
			if made.BillingMode != "PAY_PER_REQUEST" {
				t.Errorf("billing mode %s", made.BillingMode)
			}
		})
	}
}

func TestDevGoesAndTheOtherStagesKeepTheirData(t *testing.T) {
	for stage, keeps := range map[tables.Stage]bool{tables.Dev: false, tables.Staging: true, tables.Prod: true} {
		policy := map[bool]string{true: "Retain", false: "Delete"}[keeps]
		data, resources := synthesise(t, stage)
		if protected := *data.TerminationProtection(); protected != keeps {
			t.Errorf("%s: termination protection %v", stage, protected)
		}
		if name := *data.StackName(); name != "haatline-data-"+string(stage) {
			t.Errorf("%s: the stack is named %s", stage, name)
		}
		for _, table := range tables.All() {
			made := resources[table.ID]
			if made.DeletionPolicy != policy || made.UpdateReplacePolicy != policy {
				t.Errorf("%s %s: %s on deletion, %s on replacement, want %s", stage, table.ID, made.DeletionPolicy,
					made.UpdateReplacePolicy, policy)
			}
			if made.Properties.TableName != table.Name(stage) {
				t.Errorf("%s %s: named %s", stage, table.ID, made.Properties.TableName)
			}
			recovers := made.Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled
			if recovers != table.Recoverable(stage) ||
				made.Properties.DeletionProtectionEnabled != table.Recoverable(stage) {
				t.Errorf("%s %s: recovery %v, deletion protection %v", stage, table.ID, recovers,
					made.Properties.DeletionProtectionEnabled)
			}
		}
	}
}

// The contracts require recovery and deletion protection for every table in prod.
func TestEveryTableOfProdCanBeRecovered(t *testing.T) {
	_, resources := synthesise(t, tables.Prod)
	for id, made := range resources {
		if made.Type != "AWS::DynamoDB::Table" {
			continue
		}
		if !made.Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled ||
			!made.Properties.DeletionProtectionEnabled {
			t.Errorf("%s is not protected", id)
		}
	}
}

func TestEncryptionIsTheContracts(t *testing.T) {
	for stage, inAccount := range map[tables.Stage]bool{tables.Dev: false, tables.Staging: true, tables.Prod: true} {
		_, resources := synthesise(t, stage)
		for id, made := range resources {
			if made.Type != "AWS::DynamoDB::Table" {
				continue
			}
			want := inAccount && id != "Conversations"
			if managed := made.Properties.SSESpecification.SSEEnabled; managed != want {
				t.Errorf("%s in %s: encrypted with the account's key: %v", id, stage, managed)
			}
		}
	}
}

func TestEverythingIsTagged(t *testing.T) {
	_, resources := synthesise(t, tables.Staging)
	for id, made := range resources {
		if made.Type == "AWS::S3::BucketPolicy" {
			continue
		}
		if tags := fmt.Sprint(made.Properties.Tags); tags != "[{project haatline} {stage staging}]" {
			t.Errorf("%s: tags %s", id, tags)
		}
	}
}

// DynamoDB allows 20 global indexes, 5 local ones, and 100 included attributes in all of a table's indexes. The local
// engine checks none of this.
func TestTablesKeepToTheLimitsOfDynamoDB(t *testing.T) {
	_, resources := synthesise(t, tables.Dev)
	for id, made := range resources {
		included := 0
		for _, i := range slices.Concat(made.Properties.GlobalSecondaryIndexes, made.Properties.LocalSecondaryIndexes) {
			included += len(i.Projection.NonKeyAttributes)
			if (i.Projection.ProjectionType == tables.ProjectSome) != (len(i.Projection.NonKeyAttributes) > 0) {
				t.Errorf("%s %s: projects %s with %v", id, i.IndexName, i.Projection.ProjectionType,
					i.Projection.NonKeyAttributes)
			}
		}
		if included > 100 || len(made.Properties.GlobalSecondaryIndexes) > 20 ||
			len(made.Properties.LocalSecondaryIndexes) > 5 {
			t.Errorf("%s: %d included attributes, %d global and %d local indexes", id, included,
				len(made.Properties.GlobalSecondaryIndexes), len(made.Properties.LocalSecondaryIndexes))
		}
	}
}

func TestStages(t *testing.T) {
	for value, want := range map[any]tables.Stage{
		nil: tables.Dev, "dev": tables.Dev, "staging": tables.Staging, "prod": tables.Prod} {
		if stage, err := settings.ParseStage(value); err != nil || stage != want {
			t.Errorf("%v: %s, %v", value, stage, err)
		}
	}
	for _, value := range []any{"", "production", "Prod", 1.0, true} {
		stage, err := settings.ParseStage(value)
		if err == nil || stage != "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %s, %v", value, stage, err)
		}
	}
}

// The manual lists what stays when a stack is deleted, because it costs money and contains personal data.
func TestWhatADestroyedDeploymentLeavesIsListed(t *testing.T) {
	text, err := os.ReadFile("../OPERATING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, deleting, _ := strings.Cut(string(text), "\n## Deleting a deployment\n")
	listed := map[string]string{
		"AWS::DynamoDB::Table": "| every table", "AWS::Cognito::UserPool": "| the user pool with its people",
		"AWS::Cognito::UserPoolClient":         "its client",
		"AWS::Cognito::UserPoolResourceServer": "its resource server", "AWS::SecretsManager::Secret": "| the secrets",
		"AWS::S3::Bucket":       "| the failure bucket",
		"AWS::S3::BucketPolicy": "and its policy", "AWS::Logs::LogGroup": "| the log groups",
	}
	kept := map[string]bool{}
	for _, made := range stage(t, tables.Prod) {
		for id, r := range made.Resources {
			if strings.HasPrefix(r.DeletionPolicy, "Retain") {
				kept[r.Type] = true
				if words := listed[r.Type]; words == "" || !strings.Contains(deleting, words) {
					t.Errorf("%s, %s, stays, and OPERATING.md does not say so", id, r.Type)
				}
			}
		}
	}
	for name, made := range stage(t, tables.Dev) {
		for id, r := range made.Resources {
			if strings.HasPrefix(r.DeletionPolicy, "Retain") {
				t.Errorf("%s of dev's %s stays", id, name)
			}
		}
	}
	for listedType := range listed {
		if !kept[listedType] {
			t.Errorf("%s is listed and does not stay", listedType)
		}
	}
}

// A file that was deleted can be brought back for a month, and then by nobody. What was put under a link goes sooner.
func TestADeletedFileCanBeBroughtBackForAMonth(t *testing.T) {
	bucket := stage(t, tables.Prod)["data"].Resources["Files"].Properties
	if got := at(bucket, "VersioningConfiguration", "Status"); got != "Enabled" {
		t.Errorf("versions: %v", got)
	}
	former := map[string]any{}
	for _, rule := range at(bucket, "LifecycleConfiguration", "Rules").([]any) {
		former[said(at(rule, "Id"))] = at(rule, "NoncurrentVersionExpiration", "NoncurrentDays")
	}
	want := map[string]any{"abort": nil, "incoming": 1.0, "mail": 1.0, "deleted": 30.0}
	if diff := cmp.Diff(want, former); diff != "" {
		t.Error(diff)
	}
}

// A table that a deployment makes ready is so with each of its indexes, and no other table is.
func TestATableIsReadyForWhatADeploymentAsks(t *testing.T) {
	made := chosen(t)["data"]
	for _, id := range made.of("AWS::DynamoDB::Table") {
		want := any(nil)
		if id == tables.Messages.ID {
			want = 20000.0
		}
		table := made.Resources[id].Properties
		if got := at(table, "WarmThroughput", "WriteUnitsPerSecond"); got != want {
			t.Errorf("%s is ready for %v, want %v", id, got, want)
		}
		indexes, _ := table["GlobalSecondaryIndexes"].([]any)
		for _, index := range indexes {
			if got := at(index, "WarmThroughput", "WriteUnitsPerSecond"); got != want {
				t.Errorf("%s/%v is ready for %v, want %v", id, at(index, "IndexName"), got, want)
			}
		}
	}
}
