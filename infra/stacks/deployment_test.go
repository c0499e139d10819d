package stacks_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/bill"
	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/tables"
)

// made is a resource in a template.
type made struct {
	Type                string
	Properties          map[string]any
	DeletionPolicy      string `json:",omitempty"`
	UpdateReplacePolicy string `json:",omitempty"`
	DependsOn           any    `json:",omitempty"`
	UpdatePolicy        any    `json:",omitempty"`
}

// template is the part of a stack's template that tests read.
type template struct {
	Resources map[string]made
	Outputs   map[string]any
	protected bool
}

// of returns the ids of the resources of a type.
func (t template) of(resourceType string) []string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(t.Resources)) {
		if t.Resources[id].Type == resourceType {
			ids = append(ids, id)
		}
	}
	return ids
}

// built returns a folder with a stand-in for the console and for each built function, so that no test needs a build.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"console/index.html", "console/assets/a.js"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("stands in for "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, function := range topology.All() {
		if err := os.Mkdir(filepath.Join(dir, function.Name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, function.Name, "bootstrap"), []byte("stands in for "+function.Name),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// deploy returns every stack of a deployment with a context, by its name without project and stage.
func deploy(t *testing.T, context map[string]any) map[string]template {
	t.Helper()
	options, err := settings.Read(built(t), func(name string) any { return context[name] })
	if err != nil {
		t.Fatal(err)
	}
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir()), AnalyticsReporting: jsii.Bool(false)})
	if err := stacks.NewAll(app, options); err != nil {
		t.Fatal(err)
	}
	all := map[string]template{}
	for _, artifact := range *app.Synth(nil).Stacks() {
		text, err := json.Marshal(artifact.Template())
		if err != nil {
			t.Fatal(err)
		}
		made := template{protected: artifact.TerminationProtection() != nil && *artifact.TerminationProtection()}
		if err := json.Unmarshal(text, &made); err != nil {
			t.Fatal(err)
		}
		all[strings.Split(*artifact.StackName(), "-")[1]] = made
	}
	return all
}

var (
	deployed = map[tables.Stage]map[string]template{}
	deploys  sync.Mutex
)

// stage returns every stack of a stage without further context. They are made once for all tests.
func stage(t *testing.T, stage tables.Stage) map[string]template {
	t.Helper()
	deploys.Lock()
	defer deploys.Unlock()
	if deployed[stage] == nil {
		deployed[stage] = deploy(t, map[string]any{"stage": string(stage), "defaultTenant": ""})
	}
	return deployed[stage]
}

// chosen returns every stack of prod with a context that chooses much that does not concern each other. They are made
// once for all tests.
var chosen = func() func(t *testing.T) map[string]template {
	var once sync.Once
	var made map[string]template
	return func(t *testing.T) map[string]template {
		t.Helper()
		once.Do(func() {
			made = deploy(t, map[string]any{
				"stage": "prod", "defaultTenant": "acme", "domainPrefix": "acme-line", "alarmEmail": "ops@acme.example",
				"reservedConcurrency": "webhook=50", "parallelism": "outbox=10", "unprotected": "data,functions",
				"corsOrigins": "https://desk.acme.example,http://localhost:5173", "warmWrites": "Messages=20000",
			})
		})
		return made
	}
}()

// at returns the value at a path in properties: at(p, "Target", "RetryPolicy").
func at(value any, path ...string) any {
	for _, name := range path {
		properties, _ := value.(map[string]any)
		value = properties[name]
	}
	return value
}

// said formats a value of a template as one line: references as ${Id} or ${Id.Attribute}, with joined strings joined.
func said(value any) string {
	reference, ok := value.(map[string]any)
	if !ok {
		return fmt.Sprint(value)
	}
	if id, ok := reference["Ref"]; ok {
		return fmt.Sprintf("${%v}", id)
	}
	if path, ok := reference["Fn::GetAtt"].([]any); ok {
		return fmt.Sprintf("${%v.%v}", path[0], path[1])
	}
	if name, ok := reference["Fn::ImportValue"]; ok {
		return fmt.Sprintf("${%v}", name)
	}
	if join, ok := reference["Fn::Join"].([]any); ok {
		var b strings.Builder
		for _, part := range join[1].([]any) {
			b.WriteString(said(part))
		}
		return b.String()
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// write formats a value in lines of path and text, so that a difference shows where it is.
func write(lines *strings.Builder, path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if name == "Ref" || strings.HasPrefix(name, "Fn::") {
				fmt.Fprintf(lines, "%s = %s\n", path, said(value))
				return
			}
			write(lines, path+"."+name, value[name])
		}
	case []any:
		for i, element := range value {
			write(lines, fmt.Sprintf("%s[%d]", path, i), element)
		}
	default:
		fmt.Fprintf(lines, "%s = %v\n", path, value)
	}
}

// make bill counts what costs money every month from this inventory: of a deployment with all domains, where people can
// sign in.
func TestWhatIsChargedIsTheCommittedInventory(t *testing.T) {
	all := map[tables.Stage]bill.Inventory{}
	for _, s := range []tables.Stage{tables.Dev, tables.Staging, tables.Prod} {
		var templates [][]byte
		context := map[string]any{"stage": string(s), "defaultTenant": "", "domainPrefix": "acme-line"}
		for _, template := range deploy(t, context) {
			text, err := json.Marshal(template)
			if err != nil {
				t.Fatal(err)
			}
			templates = append(templates, text)
		}
		inventory, err := bill.Take(templates...)
		if err != nil {
			t.Fatal(err)
		}
		all[s] = inventory
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "../bill/measured/inventory.json", string(text)+"\n")
}

// Changes of what is deployed must be visible in review.
func TestTheTemplatesAreTheCommittedOnes(t *testing.T) {
	stacks := stage(t, tables.Prod)
	var ids strings.Builder
	for _, name := range []string{"identity", "functions"} {
		for _, id := range slices.Sorted(maps.Keys(stacks[name].Resources)) {
			fmt.Fprintln(&ids, name, id, stacks[name].Resources[id].Type)
		}
		var lines strings.Builder
		for _, id := range slices.Sorted(maps.Keys(stacks[name].Resources)) {
			r := stacks[name].Resources[id]
			fmt.Fprintf(&lines, "%s %s %s %s\n", id, r.Type, r.DeletionPolicy, r.UpdateReplacePolicy)
			write(&lines, "  ", r.Properties)
		}
		golden.Compare(t, "testdata/"+name+"-prod.golden", lines.String())
	}
	golden.Compare(t, "testdata/ids.golden", ids.String())

	var lines strings.Builder
	with := withConsole(t, nil)
	for _, id := range slices.Sorted(maps.Keys(with.Resources)) {
		if r := with.Resources[id]; strings.HasPrefix(id, "Console") {
			fmt.Fprintf(&lines, "%s %s %s %s\n", id, r.Type, r.DeletionPolicy, r.UpdateReplacePolicy)
			write(&lines, "  ", r.Properties)
		}
	}
	golden.Compare(t, "testdata/console-prod.golden", lines.String())
}

func TestAFunctionThatIsNotBuiltIsOneLineThatSaysWhatToDo(t *testing.T) {
	options, err := settings.Read(t.TempDir(), func(string) any { return nil })
	if err != nil {
		t.Fatal(err)
	}
	err = stacks.NewAll(awscdk.NewApp(nil), options)
	if err == nil || !strings.Contains(err.Error(), "make build") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

func TestWhatIsChosenInTheContextIsDeployed(t *testing.T) {
	all := chosen(t)
	functions, identity := all["functions"], all["identity"]
	if got := at(functions.Resources["Inbound"].Properties, "Environment", "Variables",
		"DEFAULT_TENANT"); got != "acme" {
		t.Errorf("tenant %v", got)
	}
	if got := functions.Resources["Webhook"].Properties["ReservedConcurrentExecutions"]; got != 50.0 {
		t.Errorf("reserved %v", got)
	}
	if got := functions.Resources["Outbox"].Properties["ReservedConcurrentExecutions"]; got != nil {
		t.Errorf("reserved %v for a function that was not named", got)
	}
	if got := functions.Resources["AlarmsByEmail"].Properties["Endpoint"]; got != "ops@acme.example" {
		t.Errorf("alarms go to %v", got)
	}
	if got := identity.Resources["Domain"].Properties["Domain"]; got != "acme-line" {
		t.Errorf("domain %v", got)
	}
}

func TestEveryStackIsProtectedOutsideDev(t *testing.T) {
	for _, s := range []tables.Stage{tables.Dev, tables.Prod} {
		all := stage(t, s)
		if len(all) != 3 {
			t.Errorf("%s: %d stacks, want data, identity and functions", s, len(all))
		}
		for name, made := range all {
			if made.protected != s.Durable() {
				t.Errorf("%s %s: protected %v", s, name, made.protected)
			}
		}
	}
}

// Resources with data are retained when their stack is deleted or they are replaced. All others are deleted.
func TestWhatHoldsDataIsKeptOutsideDev(t *testing.T) {
	kept := map[string]string{
		"AWS::Logs::LogGroup": "RetainExceptOnCreate", "AWS::SecretsManager::Secret": "RetainExceptOnCreate",
		"AWS::S3::Bucket": "RetainExceptOnCreate", "AWS::S3::BucketPolicy": "RetainExceptOnCreate",
		"AWS::Cognito::UserPool": "Retain", "AWS::Cognito::UserPoolClient": "Retain",
		"AWS::Cognito::UserPoolResourceServer": "Retain",
	}
	for _, s := range []tables.Stage{tables.Dev, tables.Prod} {
		for _, name := range []string{"identity", "functions"} {
			for id, made := range stage(t, s)[name].Resources {
				onDeletion, onReplacement := "", ""
				if policy := kept[made.Type]; policy != "" && s.Durable() {
					onDeletion, onReplacement = policy, "Retain"
				} else if policy != "" {
					onDeletion, onReplacement = "Delete", "Delete"
				}
				if made.DeletionPolicy != onDeletion || made.UpdateReplacePolicy != onReplacement {
					t.Errorf("%s %s: %q on deletion, %q on replacement, want %q and %q",
						s, id, made.DeletionPolicy, made.UpdateReplacePolicy, onDeletion, onReplacement)
				}
			}
		}
	}
}
