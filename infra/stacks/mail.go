package stacks

import (
	"cmp"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsses"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/jsii-runtime-go"

	"github.com/haatline/haatline/infra/stacks/settings"
	"github.com/haatline/haatline/shared/messaging/media"
)

// mailDays is for how many days an email stays in the bucket as it came, if nobody could read it.
const mailDays = 30

// mailRuleSet returns the name of the rule set that takes the rule for emails.
func mailRuleSet(options settings.Options) string {
	return cmp.Or(options.Mail.RuleSet, "haatline-"+string(options.Stage))
}

// mailRule returns the name of the rule.
func mailRule(options settings.Options) string { return "haatline-mail-" + string(options.Stage) }

// letMailIn returns the statement that lets the rule put emails into the bucket, and nobody else's rule.
func letMailIn(stack awscdk.Stack, options settings.Options, bucket *string) map[string]any {
	return map[string]any{
		"Effect": "Allow", "Principal": map[string]any{"Service": "ses.amazonaws.com"},
		"Action": "s3:PutObject", "Resource": *bucket + "/" + media.RawMail + "*",
		"Condition": map[string]any{"StringEquals": map[string]any{
			"aws:SourceAccount": stack.Account(),
			"aws:SourceArn": arn(stack, "ses",
				"receipt-rule-set/"+mailRuleSet(options)+":receipt-rule/"+mailRule(options)),
		}},
	}
}

// addMail adds the rule by which emails to the deployment's domains come into the bucket, and the function that sends
// them is told. SES tries both when the rule is made.
func (f *Functions) addMail(topic awssns.CfnTopic, policy awssns.CfnTopicPolicy) {
	mail := f.options.Mail
	if len(mail.Domains) == 0 {
		return
	}
	rule := awsses.NewCfnReceiptRule(f.Stack, jsii.String("Mail"), &awsses.CfnReceiptRuleProps{
		RuleSetName: jsii.String(mailRuleSet(f.options)),
		Rule: &awsses.CfnReceiptRule_RuleProperty{
			Name: jsii.String(mailRule(f.options)), Enabled: true, ScanEnabled: true,
			Recipients: jsii.Strings(mail.Domains...), TlsPolicy: jsii.String("Optional"),
			Actions: []any{&awsses.CfnReceiptRule_ActionProperty{
				S3Action: &awsses.CfnReceiptRule_S3ActionProperty{
					BucketName: jsii.String(f.data.filesBucketName()), ObjectKeyPrefix: jsii.String(media.RawMail),
					TopicArn: topic.Ref()},
			}},
		},
	})
	identify(rule, "Mail")
	rule.AddResourceDependency(policy, jsii.String("SES may tell by the topic"))
	if mail.RuleSet != "" {
		return
	}
	set := awsses.NewCfnReceiptRuleSet(f.Stack, jsii.String("MailRules"),
		&awsses.CfnReceiptRuleSetProps{RuleSetName: jsii.String(mailRuleSet(f.options))})
	identify(set, "MailRules")
	rule.AddResourceDependency(set, jsii.String("the rule is in it"))
}
