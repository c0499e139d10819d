package stacks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/tables"
)

const whatsAppTopic = "arn:aws:sns:ap-south-1:123456789012:whatsapp"

// A queue keeps what AWS tells until the function has taken it. Nobody but the topic may put messages into it.
func TestWhatAWSEndUserMessagingTellsComesByAQueue(t *testing.T) {
	without := stage(t, tables.Prod)["functions"]
	with := deploy(t, map[string]any{"stage": "prod", "defaultTenant": "", "eumTopic": whatsAppTopic})["functions"]
	var more []string
	for id := range with.Resources {
		if _, was := without.Resources[id]; !was && !strings.HasPrefix(id, "EumWebhookVersion") {
			more = append(more, id)
		}
	}
	slices.Sort(more)
	if diff := cmp.Diff([]string{
		"EumDeadLetters", "EumDeadLettersPolicy", "EumQueue", "EumQueueHolds", "EumQueuePolicy", "EumSubscription",
		"EumWebhook", "EumWebhookLive", "EumWebhookLogs", "EumWebhookMove", "EumWebhookQueue", "EumWebhookRole",
	}, more); diff != "" {
		t.Errorf("what is there only with the topic:\n%s", diff)
	}
	if n := len(with.Resources); n >= 500 {
		t.Errorf("%d resources, and CloudFormation takes 500", n)
	}
	queue := with.Resources["EumQueue"].Properties
	if said(at(queue, "RedrivePolicy", "deadLetterTargetArn")) != "${EumDeadLetters.Arn}" ||
		at(queue, "RedrivePolicy", "maxReceiveCount") != 20.0 || queue["VisibilityTimeout"] != 180.0 ||
		queue["SqsManagedSseEnabled"] != true || queue["MessageRetentionPeriod"] != 1209600.0 {
		t.Errorf("%v", queue)
	}
	statements, _ := at(with.Resources["EumQueuePolicy"].Properties, "PolicyDocument", "Statement").([]any)
	if may := statements[0]; len(statements) != 2 || at(may, "Principal", "Service") != "sns.amazonaws.com" ||
		at(may, "Action") != "sqs:SendMessage" || said(at(may, "Resource")) != "${EumQueue.Arn}" ||
		said(at(may, "Condition", "ArnEquals", "aws:SourceArn")) != whatsAppTopic {
		t.Errorf("%v", statements)
	}
	subscription := with.Resources["EumSubscription"].Properties
	if said(subscription["TopicArn"]) != whatsAppTopic || subscription["Protocol"] != "sqs" ||
		subscription["Region"] != "ap-south-1" || said(subscription["Endpoint"]) != "${EumQueue.Arn}" {
		t.Errorf("%v", subscription)
	}
	source := with.Resources["EumWebhookQueue"].Properties
	if diff := cmp.Diff([]any{"ReportBatchItemFailures"}, source["FunctionResponseTypes"]); diff != "" ||
		said(source["FunctionName"]) != "${EumWebhookLive}" || said(source["EventSourceArn"]) != "${EumQueue.Arn}" {
		t.Errorf("%v", source)
	}
}

// Where no number is at AWS, nothing may be done there.
func TestFunctionsDoAtAWSEndUserMessagingWhatTheyNeed(t *testing.T) {
	const of = " on arn:${AWS::Partition}:social-messaging:${AWS::Region}:${AWS::AccountId}:"
	const numbers, accounts = of + "phone-number-id/*", of + "waba/*"
	for topic, want := range map[string][]string{
		"": nil,
		whatsAppTopic: {
			"OutboxRole social-messaging:SendWhatsAppMessage" + numbers,
			"SlowLaneRole social-messaging:GetLinkedWhatsAppBusinessAccountPhoneNumber" + numbers,
			"SlowLaneRole social-messaging:GetWhatsAppMessageMedia" + numbers,
			"SlowLaneRole social-messaging:PostWhatsAppMessageMedia" + numbers,
			"SlowLaneRole social-messaging:CreateWhatsAppMessageTemplate" + accounts,
			"SlowLaneRole social-messaging:CreateWhatsAppMessageTemplateFromLibrary" + accounts,
			"SlowLaneRole social-messaging:CreateWhatsAppMessageTemplateMedia" + accounts,
			"SlowLaneRole social-messaging:DeleteWhatsAppMessageTemplate" + accounts,
			"SlowLaneRole social-messaging:GetWhatsAppMessageTemplate" + accounts,
			"SlowLaneRole social-messaging:ListWhatsAppMessageTemplates" + accounts,
			"SlowLaneRole social-messaging:ListWhatsAppTemplateLibrary" + accounts,
			"SlowLaneRole social-messaging:UpdateWhatsAppMessageTemplate" + accounts,
		},
	} {
		context := map[string]any{"stage": "prod", "defaultTenant": ""}
		if topic != "" {
			context["eumTopic"] = topic
		}
		functions := deploy(t, context)["functions"]
		var got []string
		for _, id := range functions.of("AWS::IAM::Role") {
			for _, line := range granted(t, id, functions.Resources[id]) {
				if strings.HasPrefix(line, "social-messaging:") {
					got = append(got, id+" "+line)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with the topic %q:\n%s", topic, diff)
		}
	}
}

func TestTheFunctionOfTheQueueAppendsAndReadsNothing(t *testing.T) {
	with := deploy(t, map[string]any{"stage": "prod", "defaultTenant": "", "eumTopic": whatsAppTopic})["functions"]
	const here = "${AWS::Region}:${AWS::AccountId}:"
	var got []string
	for _, line := range granted(t, "EumWebhookRole", with.Resources["EumWebhookRole"]) {
		if !strings.HasPrefix(line, "logs:") {
			got = append(got, strings.ReplaceAll(line, here, ""))
		}
	}
	const queue = " on arn:${AWS::Partition}:sqs:haatline-eum-prod"
	if diff := cmp.Diff([]string{
		"dynamodb:PutItem on arn:${AWS::Partition}:dynamodb:table/base-wecare-digital-whatsapp-prod " +
			"of [WEBHOOK#* WEBHOOK_SOURCE#*]",
		"sqs:DeleteMessage" + queue, "sqs:GetQueueAttributes" + queue, "sqs:ReceiveMessage" + queue,
	}, got); diff != "" {
		t.Error(diff)
	}
}
