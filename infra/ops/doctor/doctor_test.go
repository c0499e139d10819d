package doctor_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/doctor"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

func TestADeploymentInWhichAllIsWellIsOkInEveryLine(t *testing.T) {
	w := newFixture(t)
	report, err := w.examine()
	if err != nil {
		t.Errorf("%v", err)
	}
	for line := range strings.Lines(report) {
		if line != "\n" && !strings.HasPrefix(line, "ok ") &&
			!strings.HasSuffix(line, " ok, 0 missing, 0 warnings, 0 unknown\n") {
			t.Errorf("a line of its own: %s", line)
		}
	}
	if w.api.logged > 0 {
		t.Errorf("it leaves %d webhooks", w.api.logged)
	}
	has(t, report, "credentials: account 111122223333, region ap-south-1",
		"functions stack: haatline-functions-prod is UPDATE_COMPLETE",
		"app's webhooks: go to "+w.api.URL+"/webhooks/whatsapp, about messages", "alarms: none of 2 is on",
		"concurrent runs: the account runs 1000 functions at once",
		"number 15550783881 ("+phone+
			"): Simulated Business, CONNECTED, quality GREEN, name APPROVED, limit TIER_1K, throughput STANDARD")
}

func TestTheMessagingLimitHasAnotherNameInLaterVersions(t *testing.T) {
	w := newFixture(t)
	report, err := w.examine("-graph-url", w.meta.URL+"/v24.0/")
	if err != nil {
		t.Error(err)
	}
	has(t, report, "limit TIER_1K")
}

// trouble is a fault, with a part of the line that names it and a part of what to do about it.
type trouble struct {
	name   string
	break_ func(w *fixture)
	args   []string
	want   []string
	fine   bool // nothing is reported as missing
}

func (c trouble) run(t *testing.T) {
	t.Helper()
	w := newFixture(t)
	c.break_(w)
	report, err := w.examine(c.args...)
	if (err == nil) != c.fine {
		t.Errorf("ends with %v", err)
	}
	has(t, report, c.want...)
}

// secretIs returns a change of a variable's value in the secret; "" removes it.
func secretIs(variable, value string) func(*fixture) {
	return func(w *fixture) {
		w.secrets[variable] = value
		if value == "" {
			delete(w.secrets, variable)
		}
		w.putSecrets()
	}
}

// modelsAre returns a change of the language models that the deployment allows.
func modelsAre(list string) func(*fixture) {
	return func(w *fixture) {
		w.aws.Variables = map[string]map[string]string{"haatline-models-prod": {"MODELS": list}}
	}
}

func stackIs(name, status string) func(*fixture) {
	return func(w *fixture) {
		stack := w.aws.Stacks[name]
		stack.Status = status
		w.aws.Stacks[name] = stack
	}
}

func TestWhatIsWrongInAWSIsNamedWithWhatToDo(t *testing.T) {
	messages, cards := tables.Messages.Name(tables.Prod), "table "+tables.Messages.Name(tables.Prod)
	for _, c := range []trouble{
		{"credentials", func(w *fixture) {
			w.aws.Refuse["GetCallerIdentity"] = "InvalidClientTokenId:The security token is invalid."
		}, nil,
			[]string{"MISSING  credentials: InvalidClientTokenId", "aws sts get-caller-identity",
				"not looked at, because of the above: data stack, identity stack, functions stack, tables, " +
					"concurrent runs, secret WHATSAPP_APP_SECRET", "1 ok, 1 missing, 0 warnings, 0 unknown"}, false},
		{"no region", func(w *fixture) { w.t.Setenv("AWS_REGION", "") }, nil,
			[]string{"MISSING  credentials: no region", "AWS_REGION"}, false},
		{"no credentials", func(w *fixture) { w.t.Setenv("AWS_ACCESS_KEY_ID", "") }, nil,
			[]string{"MISSING  credentials: no AWS credentials: put them into the environment",
				"not looked at, because of the above: data stack, ", "1 missing, 0 warnings, 0 unknown"}, false},
		{"no stack", func(w *fixture) { delete(w.aws.Stacks, "haatline-functions-prod") }, nil,
			[]string{"MISSING  functions stack: stack haatline-functions-prod is not there in ap-south-1",
				"make deploy STAGE=prod",
				"not looked at, because of the above: API, API without a token, webhook handshake, forged webhook, " +
					"signed webhook, app's webhooks"}, false},
		{"failed stack", stackIs("haatline-functions-prod", "UPDATE_FAILED"), nil,
			[]string{"MISSING  functions stack: haatline-functions-prod is UPDATE_FAILED", "CloudFormation's console"},
			false},
		{"first deployment that failed", stackIs("haatline-functions-prod", "ROLLBACK_COMPLETE"), nil,
			[]string{"MISSING  functions stack: haatline-functions-prod is ROLLBACK_COMPLETE: its first deployment " +
				"failed, and nothing of it runs", "the stack's events say what failed; then deploy again, which " +
				"deletes what is left and makes it anew: make deploy STAGE=prod"}, false},
		{"first deployment that failed and is protected", func(w *fixture) {
			w.aws.Stacks["haatline-functions-prod"] = awstest.Stack{Status: "ROLLBACK_FAILED", Protected: true}
		}, nil, []string{
			"MISSING  functions stack: haatline-functions-prod is ROLLBACK_FAILED",
			"aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name " +
				"haatline-functions-prod"}, false},
		{"first deployment of the tables that failed", stackIs("haatline-data-prod", "ROLLBACK_COMPLETE"), nil,
			[]string{"MISSING  data stack: haatline-data-prod is ROLLBACK_COMPLETE",
				fmt.Sprint(len(tables.All()), " of its tables are there without it: make deploy takes them over, "+
					"with what they hold")}, false},
		{"tables without their stack", func(w *fixture) { delete(w.aws.Stacks, "haatline-data-prod") }, nil,
			[]string{"MISSING  data stack: stack haatline-data-prod is not there",
				fmt.Sprint(len(tables.All()), " of its tables are there without it: make deploy takes them over, "+
					"with what they hold")}, false},
		{"stack in review", stackIs("haatline-data-prod", "REVIEW_IN_PROGRESS"), nil,
			[]string{"MISSING  data stack: haatline-data-prod is REVIEW_IN_PROGRESS: its first deployment was " +
				"prepared and never begun", "make deploy STAGE=prod"}, false},
		{"unprotected stack", func(w *fixture) {
			w.aws.Stacks["haatline-data-prod"] = awstest.Stack{Status: "CREATE_COMPLETE"}
		}, nil, []string{
			"warning  data stack: haatline-data-prod is CREATE_COMPLETE, and not protected from deletion",
			"go run ./infra/ops protect -stage prod"}, true},
		{"a new account", func(w *fixture) { w.aws.Runs = 10 }, nil,
			[]string{"warning  concurrent runs: the account runs 10 functions at once, in all",
				"aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 " +
					"--desired-value 1000"}, true},
		{"models without a key", modelsAre("openai:gpt-4o-mini,bedrock:amazon.nova-lite-v1:0"), nil,
			[]string{"ok       language models: projects may choose 2",
				"MISSING  language models: haatline/prod/whatsapp holds no MODEL_API_KEY",
				"make secret STAGE=prod NAME=MODEL_API_KEY"}, false},
		{"models with a key", func(w *fixture) {
			modelsAre("openai:gpt-4o-mini")(w)
			secretIs("MODEL_API_KEY", "a key of a model")(w)
		}, nil, []string{"ok       language models: projects may choose 1",
			"ok       language models: haatline/prod/whatsapp holds its value"}, true},
		{"models that need no key", modelsAre("bedrock:amazon.nova-lite-v1:0"), nil,
			[]string{"ok       language models: projects may choose 1"}, true},
		{"no key of forms", func(*fixture) {}, nil, []string{"ok       forms: there is no FLOW_PRIVATE_KEY"}, true},
		{"a key of forms", secretIs("FLOW_PRIVATE_KEY", whatsappsim.FormKey), nil,
			[]string{"ok       forms: haatline/prod/whatsapp holds its value"}, true},
		{"half of a key of forms", secretIs("FLOW_PRIVATE_KEY", "half"), nil,
			[]string{"MISSING  forms: haatline/prod/whatsapp holds no private key of RSA",
				"make secret STAGE=prod NAME=FLOW_PRIVATE_KEY"}, false},
		{"no models", modelsAre(""), nil, []string{"ok       language models: no project may choose any"}, true},
		{"models that cannot be read", modelsAre("gpt"), nil, []string{"MISSING  language models: the list of models"},
			false},
		{"models not to be seen",
			func(w *fixture) { w.aws.Refuse["GetFunctionConfiguration"] = "AccessDeniedException:no" }, nil,
			[]string{"unknown  language models: AccessDeniedException: no"}, false},
		{"runs not to be seen",
			func(w *fixture) { w.aws.Refuse["GetAccountSettings"] = "AccessDeniedException:no" }, nil,
			[]string{"unknown  concurrent runs: AccessDeniedException: no", "lambda:GetAccountSettings"}, false},
		{"rolled back stack", stackIs("haatline-data-prod", "UPDATE_ROLLBACK_COMPLETE"), nil,
			[]string{"warning  data stack", "the one before it runs"}, true},
		{"stack under way", stackIs("haatline-data-prod", "UPDATE_IN_PROGRESS"), nil,
			[]string{"warning  data stack", "wait until it is done"}, true},
		{"stack not to be seen",
			func(w *fixture) { w.aws.Refuse["DescribeStacks"] = "AccessDenied:not authorized" }, nil,
			[]string{"unknown  data stack: AccessDenied: not authorized", "cloudformation:DescribeStacks",
				"not looked at, because of the above: API, "}, false},
		{"no table", func(w *fixture) { delete(w.aws.Tables, messages) }, nil,
			[]string{"MISSING  " + cards + ": is not there", "make deploy"}, false},
		{"table in the making",
			func(w *fixture) { w.aws.Tables[messages] = awstest.Table{Status: "CREATING"} }, nil,
			[]string{"MISSING  " + cards + ": is CREATING"}, false},
		{"unprotected table",
			func(w *fixture) { w.aws.Tables[messages] = awstest.Table{Status: "ACTIVE", Recoverable: true} }, nil,
			[]string{"MISSING  " + cards + ": is not protected",
				"aws dynamodb update-table --deletion-protection-enabled --table-name " + messages}, false},
		{"table without recovery",
			func(w *fixture) { w.aws.Tables[messages] = awstest.Table{Status: "ACTIVE", Protected: true} }, nil,
			[]string{"MISSING  " + cards + ": cannot be recovered", "update-continuous-backups"}, false},
		{"tables not to be seen",
			func(w *fixture) { w.aws.Refuse["DescribeTable"] = "AccessDeniedException:no" }, nil,
			[]string{"unknown  tables: AccessDeniedException: no"}, false},
		{"no secret", func(w *fixture) { clear(w.aws.Secrets) }, nil,
			[]string{"MISSING  secret WHATSAPP_APP_SECRET: haatline/prod/whatsapp is not there"}, false},
		{"no value", secretIs("WHATSAPP_ACCESS_TOKEN", ""), nil,
			[]string{"MISSING  secret WHATSAPP_ACCESS_TOKEN: haatline/prod/whatsapp holds no WHATSAPP_ACCESS_TOKEN",
				"System users", "make secret STAGE=prod NAME=WHATSAPP_ACCESS_TOKEN",
				"not looked at, because of the above: access token, app's webhooks, WhatsApp accounts, numbers, " +
					"sending, numbers' own tokens"}, false},
		{"no JSON", func(w *fixture) {
			w.aws.Secrets[names.Secret("", tables.Prod)] = awstest.Secret{Value: verifyToken}
		}, nil, []string{"MISSING  secret WHATSAPP_VERIFY_TOKEN", "holds no JSON object"}, false},
		{"empty secret", secretIs("WHATSAPP_APP_SECRET", " "), nil,
			[]string{"MISSING  secret WHATSAPP_APP_SECRET", "holds no WHATSAPP_APP_SECRET"}, false},
		{"no app secret", secretIs("WHATSAPP_APP_SECRET", accessToken), nil,
			[]string{"MISSING  secret WHATSAPP_APP_SECRET", "32 hexadecimal digits", "App settings, Basic"}, false},
		{"line break", secretIs("WHATSAPP_VERIFY_TOKEN", verifyToken+"\n"), nil,
			[]string{"ok       secret WHATSAPP_VERIFY_TOKEN",
				"ok       webhook handshake: our verify token is answered"}, true},
		{"no keys of cursors",
			func(w *fixture) { delete(w.aws.Secrets, names.Secret(topology.CursorKeys, tables.Prod)) }, nil,
			[]string{"MISSING  secret CURSOR_KEYS: haatline/prod/cursors is not there", "make deploy STAGE=prod"},
			false},
		{"a short key of cursors", func(w *fixture) {
			w.aws.Secrets[names.Secret(topology.CursorKeys, tables.Prod)] = awstest.Secret{
				Value: `{"CURSOR_KEYS":"abc"}`}
		}, nil, []string{
			"MISSING  secret CURSOR_KEYS: haatline/prod/cursors holds a key of cursors that can be guessed",
			"make secret STAGE=prod NAME=CURSOR_KEYS"}, false},
		{"secret not to be seen",
			func(w *fixture) { w.aws.Refuse["GetSecretValue"] = "AccessDeniedException:no" }, nil,
			[]string{"unknown  secret WHATSAPP_APP_SECRET", "secretsmanager:GetSecretValue"}, false},
		{"no pages", func(w *fixture) { delete(w.aws.Stacks["haatline-identity-prod"].Outputs, "SignInUrl") }, nil,
			[]string{"MISSING  sign-in pages",
				"add -c domainPrefix=… to everything you deploy with (what is left out is undone)"}, false},
		{"no console", func(w *fixture) { delete(w.aws.Stacks["haatline-functions-prod"].Outputs, "ConsoleUrl") }, nil,
			[]string{"ok       console: there is none"}, true},
		{"no configuration", func(w *fixture) { w.page.instead["GET /config.json"] = answers(403, "<Error>") }, nil,
			[]string{"MISSING  console: /config.json of http://127.0.0.1", "deploy again"}, false},
		{"a console of another deployment", func(w *fixture) {
			w.page.instead["GET /config.json"] = answers(200, `{"signIn":"https://old.example","clientId":"console"}`)
		}, nil, []string{"MISSING  console: it leads to the sign-in pages https://old.example, and this"}, false},
		{"a console that nobody reaches", func(w *fixture) {
			w.aws.Stacks["haatline-functions-prod"].Outputs["ConsoleUrl"] = "http://127.0.0.1:1"
		}, nil, []string{"MISSING  console: ", "ConsoleDomainTarget"}, false},
		{"a console without the API", func(w *fixture) {
			w.page.instead["GET /v1/conversations"] = answers(200, "<!doctype html>")
		}, nil, []string{"MISSING  console: the API is not behind it: /v1/conversations answers 200"}, false},
		{"no address", func(w *fixture) { delete(w.aws.Stacks["haatline-functions-prod"].Outputs, "ApiUrl") }, nil,
			[]string{"unknown  API: not looked at: the check of functions stack has not found what this needs",
				"not looked at, because of the above: API without a token"}, false},
		{"nobody", func(w *fixture) { w.aws.Users = nil }, nil, []string{
			"MISSING  operators", "make operator STAGE=prod"}, false},
		{"alarm", func(w *fixture) { w.aws.Alarms[1].State = "ALARM" }, nil, []string{
			"warning  alarm haatline-prod-WebhookErrors: is on: errors", "haatline-prod in CloudWatch"}, true},
		{"no alarms", func(w *fixture) { w.aws.Alarms = nil }, nil, []string{"MISSING  alarms: there are none"}, false},
		{"nobody confirmed", func(w *fixture) { w.aws.Subscribed, w.aws.Unconfirmed = 0, 1 }, nil,
			[]string{"warning  who hears of alarms: nobody hears of them yet: 1 subscribed", "follow the link"}, true},
		{"nobody hears", func(w *fixture) { w.aws.Subscribed = 0 }, nil,
			[]string{"warning  who hears of alarms: nobody hears of them: their topic has no subscribers",
				"add -c alarmEmail=you@example.com to everything you deploy with (what is left out is undone), or " +
					"put it into the context in cdk.json"}, true},
	} {
		t.Run(c.name, c.run)
	}
}

func TestTwoAppSecretsAreFineWhileOneIsBeingChanged(t *testing.T) {
	w := newFixture(t)
	const next = "00112233445566778899aabbccddeeff"
	secretIs("WHATSAPP_APP_SECRET", next+", "+appSecret)(w)
	report, _ := w.examine()
	// the functions have not read them yet
	has(t, report, "MISSING  signed webhook", "ok       app secret: Meta knows it")
	w.api.appSecret += "," + next
	if report, err := w.examine(); err != nil {
		t.Errorf("%v in:\n%s", err, report)
	}
}

func TestWhatIsWrongBetweenMetaAndUsIsNamedWithWhatToDo(t *testing.T) {
	instead := func(route string, handler http.HandlerFunc) func(*fixture) {
		return func(w *fixture) { w.api.instead[route] = handler }
	}
	for _, c := range []trouble{
		{"API fails", instead("GET /openapi.json", answers(500, "<html>")), nil,
			[]string{"MISSING  API: /openapi.json", "answers 500", "aws logs tail /aws/lambda/haatline-openapi-prod"},
			false},
		{"API is something else", instead("GET /openapi.json", answers(200, "hello")), nil,
			[]string{"MISSING  API: /openapi.json", "answers 200 hello"}, false},
		{"API is open", instead("GET /v1/conversations", answers(200, "{}")), nil,
			[]string{"MISSING  API without a token", "should answer 401", "authorizer"}, false},
		{"verify token",
			func(w *fixture) { w.api.verifyToken = "another" }, nil,
			[]string{"MISSING  webhook handshake: the webhook refuses our verify token", "within five minutes",
				"haatline-webhook-prod"}, false},
		{"handshake fails", instead("GET /webhooks/whatsapp", answers(500, "unavailable")), nil,
			[]string{"MISSING  webhook handshake: the webhook answers 500 unavailable"}, false},
		{"challenge changed", instead("GET /webhooks/whatsapp", answers(200, `"1234"`)), nil,
			[]string{"MISSING  webhook handshake: what answers is not the webhook"}, false},
		{"everything is believed", instead("POST /webhooks/whatsapp", answers(200, "ok")), nil,
			[]string{"MISSING  forged webhook: the webhook answers 200 ok", "should answer 401"}, false},
		{"signature",
			func(w *fixture) { w.api.appSecret = "another" }, nil,
			[]string{"MISSING  signed webhook: the webhook refuses", "byte for byte"}, false},
		{"something before the webhook", instead("POST /webhooks/whatsapp", answers(400, "Bad Request")), nil,
			[]string{"MISSING  signed webhook: the webhook answers 400 Bad Request to what is signed"}, false},
		{"clock", func(w *fixture) { w.api.date = time.Now().Add(-10 * time.Minute) }, nil, []string{
			"MISSING  clocks: this machine's clock is 10m", "from the API's", "timedatectl"}, false},
		{"API not there", func(w *fixture) { w.api.Close() }, nil,
			[]string{"MISSING  API: no answer from 127.0.0.1", "-api https://"}, false},
		{"another address",
			func(w *fixture) { w.aws.Stacks["haatline-functions-prod"].Outputs["ApiUrl"] = "http://127.0.0.1:1" },
			[]string{"-api", "API/"}, []string{"ok       API: describes"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			original := c.break_
			c.break_ = func(w *fixture) {
				original(w)
				for i, arg := range c.args {
					c.args[i] = strings.Replace(arg, "API", w.api.URL, 1)
				}
			}
			c.run(t)
		})
	}
}

func TestWhatIsWrongAtMetaIsNamedWithWhatToDo(t *testing.T) {
	set := func(account string) func(*fixture) { return func(w *fixture) { w.account(account) } }
	soon := time.Now().Add(24 * time.Hour).Unix()
	for _, c := range []trouble{
		{"another token", secretIs("WHATSAPP_ACCESS_TOKEN", "EAAJanother"), nil,
			[]string{"MISSING  access token: Meta says (190)", "Generate token",
				"make secret STAGE=prod NAME=WHATSAPP_ACCESS_TOKEN"}, false},
		{"expired token", set(`{"expiresAt":1700000000}`), nil,
			[]string{"MISSING  access token: Meta says (190) Error validating access token: Session has expired.",
				"not looked at, because of the above: app's webhooks, WhatsApp accounts, numbers, sending, " +
					"numbers' own tokens"}, false},
		{"token about to expire", set(fmt.Sprintf(`{"expiresAt":%d}`, soon)), nil,
			[]string{"warning  access token: it expires on"}, true},
		{"token with an end", set(fmt.Sprintf(`{"expiresAt":%d}`, soon+60*24*3600)), nil,
			[]string{"ok       access token: of the app Simulated App (670843887433847), expires on"}, true},
		{"scope", set(`{"scopes":["whatsapp_business_management"]}`), nil,
			[]string{"MISSING  access token's permissions: it has no whatsapp_business_messaging"}, false},
		{"scope of management", set(`{"scopes":["whatsapp_business_messaging"]}`), nil,
			[]string{"MISSING  access token's permissions: it has no whatsapp_business_management",
				"not looked at, because of the above: access token's accounts, WhatsApp accounts, numbers, " +
					"sending, numbers' own tokens", "1 missing, 0 warnings, 0 unknown"}, false},
		{"no accounts", set(`{"wabaIds":[]}`), nil,
			[]string{"unknown  access token's accounts", `ARGS="-waba …"`,
				"not looked at, because of the above: WhatsApp accounts, numbers, sending, numbers' own tokens",
				"0 missing, 0 warnings, 1 unknown"}, false},
		{"accounts named", set(`{"wabaIds":[]}`), []string{"-waba", waba},
			[]string{"ok       account " + waba, "ok       number"}, true},
		{"somebody else's account", set(`{}`), []string{"-waba", "4711"},
			[]string{"MISSING  account 4711: it is not there, or not for this access token"}, false},
		{"another app's secret", secretIs("WHATSAPP_APP_SECRET", "00112233445566778899aabbccddeeff"), nil,
			[]string{"MISSING  app secret: Meta does not know it", "App settings, Basic"}, false},
		{"no callback", set(`{"callbackUrl":""}`), nil,
			[]string{"MISSING  app's webhooks: the app has none for WhatsApp", "Configuration, Webhook"}, false},
		{"callback elsewhere", set(`{"callbackUrl":"https://elsewhere.example/hook"}`), nil,
			[]string{"MISSING  app's webhooks: they go to https://elsewhere.example/hook, and not to"}, false},
		{"switched off", set(`{"active":false}`), nil, []string{"MISSING  app's webhooks: they are switched off"},
			false},
		{"fields", set(`{"fields":["account_update"]}`), nil,
			[]string{"MISSING  app's webhooks: they are not about messages", "subscribe to account_alerts, "}, false},
		{"few fields", set(`{"fields":["messages","calls"]}`), nil,
			[]string{"warning  app's webhooks: they are not about account_alerts, ",
				"user_preferences: what Meta says of these does not come"}, true},
		{"not subscribed", set(`{"subscribed":false}`), nil,
			[]string{"MISSING  account " + waba + ": the app is not subscribed", "/v23.0/" + waba + "/subscribed_apps"},
			false},
		{"not registered", set(`{"status":"PENDING"}`), nil,
			[]string{"MISSING  number 15550783881 (" + phone + "): it is PENDING", phone + "/register"}, false},
		{"flagged", set(`{"status":"FLAGGED"}`), nil,
			[]string{"warning  number 15550783881 (" + phone + "): it is FLAGGED"}, true},
		{"banned", set(`{"status":"BANNED"}`), nil, []string{"MISSING  number", "it is BANNED"}, false},
		{"not verified", set(`{"verification":"NOT_VERIFIED"}`), nil,
			[]string{"MISSING  number", "it was not verified"}, false},
		{"verified long ago", set(`{"verification":"EXPIRED"}`), nil, []string{"ok       number"}, true},
		{"quality", set(`{"quality":"RED"}`), nil, []string{"warning  number", "quality is RED"}, true},
		{"name declined", set(`{"nameStatus":"DECLINED"}`), nil, []string{"warning  number", "is DECLINED"}, true},
		{"name in review", set(`{"nameStatus":"PENDING_REVIEW"}`), nil,
			[]string{"warning  number", "waits for Meta's review"}, true},
		{"no payment method", set(`{"canSend":"BLOCKED"}`), nil,
			[]string{"MISSING  number", "(141006) There is an error with the payment method.",
				"Add a valid payment method"}, false},
		{"limited", set(`{"canSend":"LIMITED"}`), nil, []string{"warning  number", "sending is limited"}, true},
		{"nothing there",
			func(w *fixture) { w.meta.Close(); w.api.Close() }, nil,
			[]string{"MISSING  API: no answer", "MISSING  access token: no answer", "2 missing, 0 warnings, 0 unknown"},
			false},
		{"Meta not there", func(w *fixture) { w.meta.Close() }, nil,
			[]string{"MISSING  access token: no answer from 127.0.0.1"}, false},
	} {
		t.Run(c.name, c.run)
	}
}

func TestTheCommandLineIsChecked(t *testing.T) {
	for _, args := range [][]string{{}, {"-stage", "production"}, {"-stage", "prod", "more"}, {"-stge", "prod"}} {
		var wrong usage.Error
		if err := doctor.Run(t.Context(), args, discard{}); !errors.As(err, &wrong) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
