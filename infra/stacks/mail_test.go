package stacks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/tables"
)

// Emails come in for the domains that a deployment names. Only its own rule may put them into the bucket, below mail/,
// and the function that sends emails is told by the topic.
func TestEmailsComeInForTheDomainsOfADeployment(t *testing.T) {
	for name, of := range stage(t, tables.Prod) {
		if len(of.of("AWS::SES::ReceiptRule"))+len(of.of("AWS::SES::ReceiptRuleSet")) > 0 {
			t.Errorf("%s has a rule that nobody asked for", name)
		}
	}
	context := map[string]any{
		"stage": "prod", "defaultTenant": "", "mailDomains": "jobs.acme.example,shop.acme.example"}
	own := deploy(t, context)
	rule := own["functions"].Resources["Mail"]
	action := at(rule.Properties, "Rule", "Actions").([]any)[0]
	domains, _ := at(rule.Properties, "Rule", "Recipients").([]any)
	if !slices.Equal(domains, []any{"jobs.acme.example", "shop.acme.example"}) ||
		at(rule.Properties, "Rule", "ScanEnabled") != true || at(rule.Properties, "RuleSetName") != "haatline-prod" ||
		at(action, "S3Action", "ObjectKeyPrefix") != "mail/" ||
		said(at(action, "S3Action", "TopicArn")) != "${Notices}" ||
		!strings.HasPrefix(said(at(action, "S3Action", "BucketName")), "haatline-files-prod-") ||
		len(own["functions"].of("AWS::SES::ReceiptRuleSet")) != 1 {
		t.Errorf("%v", rule.Properties)
	}
	statements, _ := at(own["data"].Resources["FilesPolicy"].Properties, "PolicyDocument", "Statement").([]any)
	may := statements[len(statements)-1]
	source := said(at(may, "Condition", "StringEquals", "aws:SourceArn"))
	if len(statements) != 2 || at(may, "Principal", "Service") != "ses.amazonaws.com" ||
		at(may, "Action") != "s3:PutObject" || said(at(may, "Resource")) != "${Files.Arn}/mail/*" ||
		said(at(may, "Condition", "StringEquals", "aws:SourceAccount")) != "${AWS::AccountId}" ||
		!strings.HasSuffix(source, ":receipt-rule-set/haatline-prod:receipt-rule/haatline-mail-prod") {
		t.Errorf("%v", may)
	}
	context["mailRuleSet"] = "acme"
	shared := deploy(t, context)["functions"]
	if len(shared.of("AWS::SES::ReceiptRuleSet")) > 0 ||
		at(shared.Resources["Mail"].Properties, "RuleSetName") != "acme" {
		t.Errorf("%v", shared.Resources["Mail"].Properties)
	}
}
