// Package names defines the names of a deployment's resources. It is separate from the stacks, so that programs that
// look up a deployment do not depend on the CDK, which is much larger than they are.
package names

import (
	"strings"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

// The stacks of a deployment.
const (
	Data      = "data"
	Identity  = "identity"
	Functions = "functions"
)

// Stacks lists the stacks in the order in which they are created.
var Stacks = []string{Data, Identity, Functions}

// Outputs of the stacks. The functions' stack has the addresses of the API and of the console, what the DNS records of
// their own domains point at, and where people listen to the live channel; the identity stack has the others. A target
// exists only if there is a domain of one's own, LiveURL only with the live channel, ConsoleURL only with the console,
// and SignInURL only if the sign-in pages have a domain.
const (
	APIURL        = "ApiUrl"
	DomainTarget  = "ApiDomainTarget"
	ConsoleURL    = "ConsoleUrl"
	ConsoleTarget = "ConsoleDomainTarget"
	LiveURL       = "LiveUrl"
	UserPoolID    = "UserPoolId"
	ClientID      = "ClientId"
	SignInURL     = "SignInUrl"
)

const (
	// GraphURL is the default address of the Cloud API.
	GraphURL = "https://graph.facebook.com/v23.0"
	// CallbackURL is the default address to which the sign-in pages send a person back.
	CallbackURL = "http://localhost:3000/callback"
	// WebhookPath is the API's path for Meta's webhooks.
	WebhookPath = "/webhooks/whatsapp"
)

// AlarmTopic is the logical id of the topic that alarms go to, in the functions' stack.
const AlarmTopic = "Alarms"

// The bucket for records that the streams gave up on: its logical id in the functions' stack, and the prefix of its
// objects.
const (
	FailureBucket = "FailureBucket"
	FailurePrefix = "aws/lambda/"
)

// Stages lists the stages that a deployment can have.
var Stages = []tables.Stage{tables.Dev, tables.Staging, tables.Prod}

// Stack returns a stack's full name: haatline-functions-prod for the functions of prod.
func Stack(name string, stage tables.Stage) string { return "haatline-" + name + "-" + string(stage) }

// Secret returns the name of the stage's secret that holds a secret variable's value. It is a JSON object with a member
// per variable, because each secret costs money every month: one for what haatline shares with WhatsApp, one for the
// keys of cursors, and one for the keys of sessions.
func Secret(variable string, stage tables.Stage) string {
	of := "whatsapp"
	switch variable {
	case topology.CursorKeys:
		of = "cursors"
	}
	return "haatline/" + string(stage) + "/" + of
}

// SecretRef returns the reference to a secret variable's value, in the form that functions read.
func SecretRef(variable string, stage tables.Stage) string {
	return "secretsmanager:" + Secret(variable, stage) + "#" + variable
}

// FormerSecret returns the name of the secret that held a single variable in deployments before there was one for all.
func FormerSecret(variable string, stage tables.Stage) string {
	return "haatline/" + string(stage) + "/" + strings.ReplaceAll(strings.ToLower(variable), "_", "-")
}

// NumberSecrets returns the name prefix of the secrets with access tokens of single numbers.
func NumberSecrets(stage tables.Stage) string { return "haatline/" + string(stage) + "/numbers/" }

// AccountSecrets returns the name prefix of the secrets of the webhooks of single accounts.
func AccountSecrets(stage tables.Stage) string { return "haatline/" + string(stage) + "/webhooks/" }

// AlarmPrefix returns the name prefix of a stage's alarms.
func AlarmPrefix(stage tables.Stage) string { return "haatline-" + string(stage) + "-" }

// TokensKey returns the alias of the key that encrypts the access tokens of single numbers.
func TokensKey(stage tables.Stage) string { return "alias/haatline-" + string(stage) + "-tokens" }
