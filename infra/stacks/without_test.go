package stacks_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/infra/topology"
)

// A deployment without a domain runs and costs nothing for it. A deployment with analytics has one variable and one
// grant more.
func TestADeploymentHoldsWhatItIsAskedFor(t *testing.T) {
	with := stage(t, "prod")["functions"]
	without := deploy(t,
		map[string]any{
			"stage": "prod", "defaultTenant": "", "without": "cards", "analytics": "acme/books#dsn"})["functions"]
	for _, kind := range []string{
		"AWS::Lambda::Function", "AWS::Scheduler::Schedule", "AWS::CloudWatch::Alarm", "AWS::ApiGatewayV2::Route"} {
		var gone []string
		for _, id := range with.of(kind) {
			if !slices.Contains(without.of(kind), id) {
				gone = append(gone, id)
			}
		}
		ours := slices.DeleteFunc(slices.Clone(gone),
			func(id string) bool { return strings.Contains(id, "Approvals") || strings.Contains(id, "Cards") })
		if len(gone) == 0 || len(ours) > 0 {
			t.Errorf("%s: without cards there are no %v", kind, gone)
		}
	}
	for _, id := range without.of("AWS::IAM::Role") {
		more := slices.DeleteFunc(granted(t, id, without.Resources[id]),
			func(line string) bool { return slices.Contains(granted(t, id, with.Resources[id]), line) })
		var want []string
		if id == "OrdersRole" {
			want = []string{
				"secretsmanager:GetSecretValue on " +
					"arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:acme/books-??????"}
		}
		if !slices.Equal(more, want) {
			t.Errorf("%s may beside: %q", id, more)
		}
	}
	for _, id := range without.of("AWS::Lambda::Function") {
		was, _ := at(with.Resources[id].Properties, "Environment", "Variables").(map[string]any)
		is, _ := at(without.Resources[id].Properties, "Environment", "Variables").(map[string]any)
		is = maps.Clone(is)
		if id == "Orders" && is["ANALYTICS_DSN"] == "secretsmanager:acme/books#dsn" {
			delete(is, "ANALYTICS_DSN")
		} else if id == "Orders" {
			t.Error("orders has no analytics")
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// A cluster of Aurora DSQL is signed in to with a grant on this one cluster, by the function that copies orders.
func TestTheGrantOnAClusterIsOfOneFunction(t *testing.T) {
	options := settings.Options{
		Analytics: settings.Analytics{
			DSN: "postgres://clerk@abc.dsql.ap-south-1.on.aws", Cluster: "abc", Region: "ap-south-1",
			Action: "DbConnect"}}
	for _, function := range topology.Functions {
		var want []stacks.Statement
		if function.Name == "orders" {
			want = []stacks.Statement{
				{Service: "dsql", Actions: []string{"DbConnect"},
					Resources: []stacks.Resource{{Kind: stacks.AnalyticsCluster}}}}
		}
		if got := stacks.Optional(function, options); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", function.Name, got)
		}
		if stacks.Optional(function, settings.Options{}) != nil {
			t.Errorf("%s may more than it needs", function.Name)
		}
	}
}
