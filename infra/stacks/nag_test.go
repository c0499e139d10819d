package stacks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"

	"github.com/haatline/haatline/infra/stacks"
	"github.com/haatline/haatline/infra/stacks/settings"
)

// accepted lists the findings of AWS's rules (cdk-nag) that are accepted, each with its reason. where and finding are
// patterns for the path of a construct and for the finding.
var accepted = []struct{ where, finding, reason string }{
	{"haatline-identity-prod/UserPool", "AwsSolutions-COG3",
		"threat protection is a paid plan of Cognito; nobody signs up on their own"},
	{"haatline-data-prod/Files", "AwsSolutions-S1", "who reads it is in CloudTrail where data events are on"},
	{"haatline-functions-prod/MessagingApiRole", `AwsSolutions-IAM5\[Resource::arn:*haatline-files-prod-*\]`,
		"the objects of one bucket, of all tenants"},
	{"haatline-functions-prod/SlowLaneRole", `AwsSolutions-IAM5\[Resource::arn:*haatline-files-prod-*\]`,
		"the objects of one bucket, of all tenants"},
	{"haatline-functions-prod/CommunityApiRole", `AwsSolutions-IAM5\[Resource::arn:*haatline-files-prod-*\]`,
		"the objects of one bucket, of all tenants"},
	{"haatline-functions-prod/KhataApiRole", `AwsSolutions-IAM5\[Resource::arn:*haatline-files-prod-*\]`,
		"the objects of one bucket, of all tenants"},
	{"haatline-functions-prod/RemindersRole", `AwsSolutions-IAM5\[Resource::arn:*haatline-files-prod-*\]`,
		"the objects of one bucket, of all tenants"},
	{"haatline-functions-prod/SlowLaneRole", `AwsSolutions-IAM5\[Resource::arn:*:secret:haatline/prod/numbers/\*\]`,
		"people make a secret for each number with a token of its own"},
	{"haatline-functions-prod/SlowLaneRole", `AwsSolutions-IAM5\[Resource::arn:*:secret:haatline/prod/webhooks/\*\]`,
		"people make a secret for each account whose webhooks have their own"},
	{"haatline-functions-prod/WebhookRole", `AwsSolutions-IAM5\[Resource::arn:*:secret:haatline/prod/webhooks/\*\]`,
		"people make a secret for each account whose webhooks have their own"},
	{"haatline-functions-prod/FlowExchangeRole", `AwsSolutions-IAM5\[Resource::arn:*:secret:haatline/prod/webhooks/\*\]`,
		"people make a secret for each account whose webhooks have their own"},
	{"haatline-functions-prod/PaymentWebhookRole",
		`AwsSolutions-IAM5\[Resource::arn:*:secret:haatline/prod/webhooks/\*\]`,
		"people make a secret for each payment configuration whose gateway posts"},
	{"haatline-functions-prod/SlowLaneRole", `AwsSolutions-IAM5\[Resource::arn:*:sms-voice:*\]`,
		"from which number, sender id or pool an SMS comes is a setting"},
	{"haatline-functions-prod/SlowLaneRole", `AwsSolutions-IAM5\[Resource::arn:*:ses:*\]`,
		"from which verified address a company writes is its own setting"},
	{"haatline-functions-prod/FailureBucket", "AwsSolutions-S1",
		"only Lambda writes it; who reads it is in CloudTrail where data events are on"},
	{"haatline-functions-prod/FailureQueue", "AwsSolutions-SQS3",
		"it is a dead-letter queue, of schedules, which the rule does not see"},
	{"haatline-functions-prod/Whatsapp*", "AwsSolutions-SMG4",
		"the secret is Meta's: it is changed there and put here"},
	{"haatline-functions-prod/Cursors*", "AwsSolutions-SMG4",
		"a key serves for as long as the cursors that it has sealed: whoever changes it keeps the old one beside " +
			"it for a while"},
	{"haatline-functions-prod/*Role", `AwsSolutions-IAM5\[Resource::\*\]`, "X-Ray knows no resources"},
	{"haatline-functions-prod/*Role", `AwsSolutions-IAM5\[Resource::arn:*:log-group:*`,
		"the streams of the function's own log group, which it makes as it goes"},
	{"haatline-functions-prod/*Role", `AwsSolutions-IAM5\[Resource::arn:*:table/*/stream/\*\]`,
		"which streams the table has is asked before one is known"},
	{"haatline-functions-prod/*Role", `AwsSolutions-IAM5\[Resource::<FailureBucket.Arn>/aws/lambda/\*\]`,
		"Lambda names the objects it puts below its own prefix"},
	{"haatline-functions-prod/OutboxRole", `AwsSolutions-IAM5\[Resource::arn:*:secret:haatline/prod/numbers/\*\]`,
		"people make a secret for each number with a token of its own"},
	{"haatline-functions-prod/*Role", `AwsSolutions-IAM5\[Resource::arn:*:phone-number-id/\*\]`,
		"a number sends by AWS as soon as its item says so"},
	{"haatline-functions-prod/SlowLaneRole", `AwsSolutions-IAM5\[Resource::arn:*:waba/\*\]`,
		"an account's templates are at AWS as soon as one of its numbers sends there"},
	{"haatline-functions-prod/Route*Webhooks*", "AwsSolutions-APIG4",
		"Meta signs what it posts, and the function verifies it"},
	{"haatline-functions-prod/RoutePostV1CommunityAccess*", "AwsSolutions-APIG4",
		"people sign up and sign in there, and have no token yet"},
	{"haatline-functions-prod/RouteGetOpenapiJson", "AwsSolutions-APIG4", "the description of the API is public"},
	{"haatline-functions-prod/RouteGetDocs*", "AwsSolutions-APIG4", "so is the page that shows it"},
	{"haatline-functions-prod/ConsoleDistribution", "AwsSolutions-CFR1", "people travel"},
	{"haatline-functions-prod/ConsoleDistribution", "AwsSolutions-CFR2", "a web ACL is a setting, webAcl"},
	{"haatline-functions-prod/ConsoleDistribution", "AwsSolutions-CFR3",
		"who calls the API is in the API's own log, and the files of the page are the same for everybody"},
	{"haatline-functions-prod/ConsoleDistribution", "AwsSolutions-CFR4",
		"the certificate of CloudFront's own name takes no other setting; one of a domain takes TLS 1.2"},
	{"haatline-functions-prod/ConsoleFiles*", "AwsSolutions-S1", "CloudFront alone reads it, and it holds no data"},
	{"haatline-functions-prod/Custom::CDKBucketDeployment*", "AwsSolutions-L1",
		"the CDK chooses the runtime of its own function"},
	{"haatline-functions-prod/Custom::CDKBucketDeployment*", "AwsSolutions-IAM[45]*",
		"the CDK's own function copies the console from the CDK's bucket, during a deployment"},
}

// The rules find nothing that is not listed above, and every listed finding still occurs.
func TestRulesOfAWSFindNothingUnreasoned(t *testing.T) {
	options, err := settings.Read(built(t),
		func(name string) any {
			return map[string]any{"stage": "prod", "defaultTenant": "acme", "live": "on",
				"domainPrefix": "acme-line",
				"eumTopic":     "arn:aws:sns:ap-south-1:123456789012:whatsapp"}[name]
		})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: &dir, AnalyticsReporting: jsii.Bool(false)})
	if err := stacks.NewAll(app, options); err != nil {
		t.Fatal(err)
	}
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{Reports: jsii.Bool(false)}), nil)
	app.Synth(nil)

	used := make([]bool, len(accepted))
	for _, found := range findings(t, dir) {
		known := false
		for i, a := range accepted {
			if matches(t, a.where, found.where) && matches(t, a.finding, found.finding) {
				known, used[i] = true, true
			}
		}
		if !known {
			t.Errorf("%s: %s", found.where, found.finding)
		}
	}
	for i, a := range accepted {
		if !used[i] {
			t.Errorf("%s is not found at %s any more: take it off the list", a.finding, a.where)
		}
	}
}

type finding struct{ where, finding string }

// findings returns what the rules wrote into the metadata of the synthesised stacks.
func findings(t *testing.T, dir string) []finding {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []finding
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var metadata map[string][]struct{ Data any }
		if err := json.Unmarshal(text, &metadata); err != nil {
			t.Fatal(err)
		}
		for where, entries := range metadata {
			for _, entry := range entries {
				rule, _, _ := strings.Cut(fmt.Sprint(entry.Data), ": ")
				if strings.HasPrefix(rule, "AwsSolutions-") {
					list = append(list, finding{strings.TrimPrefix(where, "/"), rule})
				}
			}
		}
	}
	return list
}

// matches reports whether text matches a pattern in which * stands for anything, including slashes.
func matches(t *testing.T, pattern, text string) bool {
	t.Helper()
	flat := strings.NewReplacer("/", "|").Replace
	ok, err := path.Match(flat(pattern), flat(text))
	if err != nil {
		t.Fatal(err)
	}
	return ok
}
