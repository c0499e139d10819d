package stacks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
)

// samTemplate is what SAM reads of the functions' template.
type samTemplate struct {
	Resources map[string]struct {
		Type       string
		Properties struct {
			Runtime, Handler string
			Environment      struct{ Variables map[string]any }
			RouteKey         string
			Target           any
			IntegrationURI   map[string][]string `json:"IntegrationUri"`
		}
		Metadata map[string]any
	}
}

var sam struct {
	once     sync.Once
	template samTemplate
	folder   string
}

// synthesised returns the functions' template as the CDK writes it, and its folder. It is made once for all tests.
func synthesised(t *testing.T) (samTemplate, string) {
	t.Helper()
	sam.once.Do(func() { sam.template, sam.folder = synthesiseForSAM(t) })
	return sam.template, sam.folder
}

// synthesiseForSAM synthesises with the metadata by which SAM finds a program.
func synthesiseForSAM(t *testing.T) (samTemplate, string) {
	t.Helper()
	options, err := settings.Read(built(t), func(string) any { return nil })
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.MkdirTemp("", "synthesised-") // removed after all tests
	if err != nil {
		t.Fatal(err)
	}
	app := awscdk.NewApp(&awscdk.AppProps{
		Outdir: &out, AnalyticsReporting: jsii.Bool(false),
		Context: &map[string]any{"aws:cdk:enable-asset-metadata": true, "aws:cdk:enable-path-metadata": true},
	})
	if err := stacks.NewAll(app, options); err != nil {
		t.Fatal(err)
	}
	app.Synth(nil)
	text, err := os.ReadFile(filepath.Join(out, "haatline-functions-dev.template.json"))
	if err != nil {
		t.Fatal(err)
	}
	var made samTemplate
	if err := json.Unmarshal(text, &made); err != nil {
		t.Fatal(err)
	}
	return made, out
}

// SAM runs a function in a container, which tests cannot. Everything it needs must be in the template.
func TestSAMFindsEveryFunctionAndItsProgram(t *testing.T) {
	template, out := synthesised(t)
	for _, function := range topology.Functions {
		made := template.Resources[idOf(function)]
		if made.Type != "AWS::Lambda::Function" || made.Properties.Runtime != "provided.al2023" ||
			made.Properties.Handler != "bootstrap" {
			t.Errorf("%s is %+v", idOf(function), made)
		}
		if made.Metadata["aws:asset:property"] != "Code" || made.Metadata["aws:asset:is-bundled"] != false ||
			made.Metadata["aws:cdk:path"] != "haatline-functions-dev/"+idOf(function) {
			t.Errorf("%s: metadata %v", idOf(function), made.Metadata)
		}
		path, _ := made.Metadata["aws:asset:path"].(string)
		if path == "" || filepath.IsAbs(path) {
			t.Fatalf("%s: the asset is at %q", idOf(function), path)
		}
		program, err := os.ReadFile(filepath.Join(out, path, "bootstrap"))
		if err != nil || string(program) != "stands in for "+function.Name {
			t.Errorf("%s: %q, %v", idOf(function), program, err)
		}
	}
}

// SAM sets only variables that the template has, so it must have those that point to the local cloud.
func TestSAMCanPointEveryFunctionToTheLocalCloud(t *testing.T) {
	text, err := os.ReadFile("../sam.json")
	if err != nil {
		t.Fatal(err)
	}
	var values struct{ Parameters map[string]string }
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	template, _ := synthesised(t)
	needed := []string{"DYNAMODB_ENDPOINT"}
	for _, function := range topology.Functions {
		variables := template.Resources[idOf(function)].Properties.Environment.Variables
		for _, name := range slices.Concat(function.Config, function.Secrets, []string{"DYNAMODB_ENDPOINT"}) {
			if _, declared := variables[name]; !declared || values.Parameters[name] == "" {
				t.Errorf("%s: %s cannot be set", function.Name, name)
			}
			needed = append(needed, name)
		}
	}
	for name := range values.Parameters {
		if !slices.Contains(needed, name) {
			t.Errorf("nothing reads %s", name)
		}
	}
}

// SAM follows logical ids from a route to its integration and from there to the function.
func TestSAMCanServeEveryRoute(t *testing.T) {
	template, _ := synthesised(t)
	served := map[string]string{}
	for _, made := range template.Resources {
		if made.Type != "AWS::ApiGatewayV2::Route" {
			continue
		}
		join, _ := at(made.Properties.Target, "Fn::Join").([]any)
		if len(join) != 2 || join[0] != "" {
			t.Fatalf("the target of %s is %v", made.Properties.RouteKey, made.Properties.Target)
		}
		parts := join[1].([]any)
		integration, _ := at(parts[1], "Ref").(string)
		of := template.Resources[integration].Properties.IntegrationURI["Fn::GetAtt"]
		if parts[0] != "integrations/" || len(of) != 2 || of[1] != "Arn" {
			t.Fatalf("%s leads to %v, %v", made.Properties.RouteKey, parts, of)
		}
		served[made.Properties.RouteKey] = of[0]
	}
	for _, function := range topology.Functions {
		for _, route := range function.Routes {
			if key := route.Method + " " + route.Path; served[key] != idOf(function) {
				t.Errorf("%s is served by %q", key, served[key])
			}
		}
	}
}
