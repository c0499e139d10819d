package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/sns"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/stacks/names"
)

// peopleChecks returns the checks of accounts and alarms.
func (x *examination) peopleChecks() []check {
	return []check{
		{"sign-in pages", []need{&x.pages}, x.checkPages},
		{"console", []need{&x.pages, &x.consoleURL}, x.checkConsole},
		{"operators", []need{&x.account, &x.userPool}, x.checkOperators},
		{"alarms", []need{&x.account}, x.checkAlarms},
		{"who hears of alarms", []need{&x.account}, x.checkAlarmTopic},
	}
}

func (x *examination) checkPages(context.Context) []finding {
	if x.pages.value == "" {
		return []finding{lacks("there are none: tokens get no scopes, and nobody can use the API",
			"choose a name for them, unique in the region: "+deployment.Adding(x.stage, "domainPrefix=…"))}
	}
	return []finding{fine("%s", x.pages.value)}
}

func (x *examination) checkOperators(ctx context.Context) []finding {
	listed, err := cognitoidentityprovider.NewFromConfig(x.account.value).ListUsers(ctx,
		&cognitoidentityprovider.ListUsersInput{
			UserPoolId: &x.userPool.value, Limit: aws.Int32(1), AttributesToGet: []string{"sub"},
		})
	if err != nil {
		return []finding{x.refused(err, "cognito-idp:ListUsers")}
	}
	if len(listed.Users) == 0 {
		return []finding{
			lacks("there is nobody who may sign in",
				fmt.Sprintf("make operator STAGE=%s EMAIL=you@example.com TENANT=your-tenant", x.stage))}
	}
	return []finding{fine("there is somebody who may sign in")}
}

// checkAlarms names the alarms that are on. An alarm without data is fine.
func (x *examination) checkAlarms(ctx context.Context) []finding {
	prefix, number := names.AlarmPrefix(x.stage), 0
	var on []finding
	pages := cloudwatch.NewDescribeAlarmsPaginator(cloudwatch.NewFromConfig(x.account.value),
		&cloudwatch.DescribeAlarmsInput{AlarmNamePrefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return append(on, x.refused(err, "cloudwatch:DescribeAlarms"))
		}
		number += len(page.MetricAlarms)
		for _, alarm := range page.MetricAlarms {
			if alarm.StateValue == types.StateValueAlarm {
				says := strings.TrimSuffix("is on: "+x.private.cleaned(aws.ToString(alarm.AlarmDescription)), ": ")
				on = append(on,
					warns(says, "the dashboard haatline-"+string(x.stage)+" in CloudWatch shows what is behind it").
						of("alarm "+aws.ToString(alarm.AlarmName)))
			}
		}
	}
	if number == 0 {
		return []finding{
			lacks("there are none whose name begins with "+prefix,
				fmt.Sprintf("deploy the functions again: make deploy STAGE=%s ARGS=\"-c …\"", x.stage))}
	}
	if len(on) > 0 {
		return on
	}
	return []finding{fine("none of %d is on", number)}
}

// checkAlarmTopic checks whether anybody hears of alarms: an address counts only after its owner has confirmed it.
func (x *examination) checkAlarmTopic(ctx context.Context) []finding {
	topic, err := deployment.Resource(ctx, x.account.value, names.Functions, x.stage, names.AlarmTopic)
	if err != nil {
		return []finding{x.refused(err, "cloudformation:DescribeStackResource")}
	}
	read, err := sns.NewFromConfig(x.account.value).GetTopicAttributes(ctx,
		&sns.GetTopicAttributesInput{TopicArn: &topic})
	if err != nil {
		return []finding{x.refused(err, "sns:GetTopicAttributes")}
	}
	confirmed, pending := read.Attributes["SubscriptionsConfirmed"], read.Attributes["SubscriptionsPending"]
	switch {
	case confirmed != "" && confirmed != "0":
		return []finding{fine("%s subscribed to them", confirmed)}
	case pending != "" && pending != "0":
		return []finding{warns("nobody hears of them yet: "+pending+" subscribed, and nobody has confirmed it",
			"follow the link in the mail of AWS Notifications")}
	}
	return []finding{warns("nobody hears of them: their topic has no subscribers",
		fmt.Sprintf("%s; or subscribe to the topic haatline-alarms-%s yourself",
			deployment.Adding(x.stage, "alarmEmail=you@example.com"), x.stage))}
}
