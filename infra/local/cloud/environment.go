package cloud

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/infra/local/eum"
	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/infra/local/sms"
	"github.com/haatline/haatline/infra/local/starts"
	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/tables"
)

const defaultTenant = "demo"

// Setting returns a configuration variable's value: the caller's, or the local default for a simulated WhatsApp at the
// given address.
func (c Config) Setting(name, whatsapp string) string {
	if value := c.Getenv(name); value != "" {
		if variable, isReference := strings.CutPrefix(value, "env:"); isReference {
			return c.Getenv(variable)
		}
		return value
	}
	return map[string]string{
		"WHATSAPP_APP_SECRET":   "local-app-secret",
		"WHATSAPP_VERIFY_TOKEN": "local-verify-token",
		"WHATSAPP_GRAPH_URL":    whatsapp + "/v23.0",
		"WHATSAPP_ACCESS_TOKEN": "local-access-token",
		"DEFAULT_TENANT":        defaultTenant,
		"TENANT_RATE":           "1000", // no person on a laptop calls as fast, and a test may
		"FLOW_PRIVATE_KEY":      whatsappsim.FormKey,
		topology.CursorKeys:     "local-cursor-keys",
	}[name]
}

// checkSecrets finds secret references that cannot be resolved, before anything is built.
func (c Config) checkSecrets() error {
	for _, function := range c.Functions {
		for _, name := range slices.Concat(function.Secrets, function.Optional) {
			value := c.Getenv(name)
			variable, isVariable := strings.CutPrefix(value, "env:")
			switch {
			case isVariable && c.Getenv(variable) == "":
				return fmt.Errorf("%s refers to %s, which is not set", name, variable)
			case strings.HasPrefix(value, "secretsmanager:"):
				return fmt.Errorf(
					"%s refers to AWS Secrets Manager, which is not here: give the value itself, or env: and the "+
						"name of a variable", name)
			}
		}
	}
	return nil
}

// numberTokens is the prefix of the variables with access tokens of single numbers.
const numberTokens = "WHATSAPP_ACCESS_TOKEN_"

// accountSecrets is the prefix of the variables with secrets of the webhooks of single accounts and of payment
// gateways, and gatewayVariable the one with the secret of the simulated gateway.
const (
	accountSecrets  = "WEBHOOK_"
	gatewayVariable = "WEBHOOK_GATEWAY"
)

// gatewaySecret returns the secret with which the simulated payment gateway signs.
func (c Config) gatewaySecret() string {
	return cmp.Or(c.Getenv(gatewayVariable), "local-gateway-secret")
}

// xrayDaemon is the variable with the address of an X-Ray daemon. Without it no invocation is sampled.
const xrayDaemon = "AWS_XRAY_DAEMON_ADDRESS"

// collects has the garbage collector of a function run twice as often as usual. Many functions run beside each other
// here, and the memory of a laptop is worth more than the little time that takes.
const collects = "GOGC=50"

// environment returns a function's variables, without those that Lambda sets.
func (c Config) environment(function topology.Function, dynamodb, whatsapp, s3, channel string) []string {
	variables := []string{"STAGE=" + stage, "DYNAMODB_ENDPOINT=" + dynamodb, collects}
	for _, table := range function.Tables() {
		variables = append(variables, table.Env()+"="+table.Name(tables.Stage(stage)))
	}
	if len(function.Objects) > 0 {
		variables = append(variables, "MEDIA_BUCKET="+files.Bucket, "S3_ENDPOINT="+s3)
	}
	if function.SMS {
		variables = append(variables, "AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2="+s3+sms.Path)
	}
	if function.Email {
		variables = append(variables, "AWS_ENDPOINT_URL_SESV2="+s3+email.Path)
	}
	if len(function.EUM) > 0 {
		variables = append(variables, "AWS_ENDPOINT_URL_SOCIALMESSAGING="+s3+eum.Path)
	}
	if function.Live {
		variables = append(variables, live.Variable+"="+channel)
	}
	if len(function.Wakes) > 0 {
		variables = append(variables, "AWS_ENDPOINT_URL_LAMBDA="+s3+starts.Path)
	}
	for _, name := range function.Wakes {
		if woken, is := topology.Named(name); is {
			variables = append(variables, woken.Starter()+"="+name)
		}
	}
	if daemon := c.Getenv(xrayDaemon); daemon != "" {
		variables = append(variables, xrayDaemon+"="+daemon)
	}
	for _, name := range function.Variables() {
		if value := c.Setting(name, whatsapp); value != "" {
			variables = append(variables, name+"="+value)
		}
	}
	if function.Accounts {
		variables = append(variables, gatewayVariable+"="+c.gatewaySecret())
	}
	for _, variable := range c.Environ {
		if function.Numbers && strings.HasPrefix(variable, numberTokens) ||
			function.Accounts && strings.HasPrefix(variable, accountSecrets) {
			variables = append(variables, variable)
		}
	}
	if c.Watch != nil {
		variables = append(variables, c.Watch(function.Name, dynamodb, s3)...) // the last value of a variable counts
	}
	return variables
}

// appSecret returns the secret with which the simulated WhatsApp signs: the first one that the webhook tries.
func (c Config) appSecret() string {
	secret, _, _ := strings.Cut(c.Setting("WHATSAPP_APP_SECRET", ""), ",")
	return strings.TrimSpace(secret)
}
