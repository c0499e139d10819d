// Package names owns what a deployment's things are called. It is apart from the stacks, so that a program that looks
// for what was deployed finds it without the CDK, which weighs many times what such a program does.
package names

import (
	"strings"

	"github.com/haatline/haatline/shared/tables"
)

// The stacks of a deployment.
const (
	Data      = "data"
	Identity  = "identity"
	Functions = "functions"
)

// Stacks are all of them, in the order in which they are made.
var Stacks = []string{Data, Identity, Functions}

// Outputs of the stacks: the API's address is the functions', the others are the identity's. SignInURL is there only
// where the deployment was given a name for the sign-in pages.
const (
	APIURL     = "ApiUrl"
	UserPoolID = "UserPoolId"
	ClientID   = "ClientId"
	SignInURL  = "SignInUrl"
)

const (
	// GraphURL is the Cloud API that the functions use where the deployment names no other.
	GraphURL = "https://graph.facebook.com/v23.0"
	// CallbackURL is where the sign-in pages send a person back to where the deployment names no other place.
	CallbackURL = "http://localhost:3000/callback"
	// WebhookPath is where the API takes what the platform posts.
	WebhookPath = "/webhooks/whatsapp"
)

// AlarmsByEmail is the logical id of the subscription of whoever hears of alarms, in the functions' stack.
const AlarmsByEmail = "AlarmsByEmail"

// What the streams gave up on lies in a bucket of the functions' stack with this logical id, under this prefix.
const (
	FailureBucket = "FailureBucket"
	FailurePrefix = "aws/lambda/"
)

// Stages are those a deployment can have.
var Stages = []tables.Stage{tables.Dev, tables.Staging, tables.Prod}

// Stack is haatline-functions-prod for the functions of prod.
func Stack(name string, stage tables.Stage) string { return "haatline-" + name + "-" + string(stage) }

// Secret is the secret of a stage that holds the values of all its secret variables: a JSON object with a member for each, because
// a secret is charged by the month.
func Secret(stage tables.Stage) string { return "haatline/" + string(stage) + "/whatsapp" }

// SecretRef is the reference to the value of a secret variable, as a function reads it.
func SecretRef(variable string, stage tables.Stage) string {
	return "secretsmanager:" + Secret(stage) + "#" + variable
}

// FormerSecret is the secret that held the value of one variable alone, in deployments before there was one for all.
func FormerSecret(variable string, stage tables.Stage) string {
	return "haatline/" + string(stage) + "/" + strings.ReplaceAll(strings.ToLower(variable), "_", "-")
}

// NumberSecrets is what the names of the secrets that hold the access tokens of single numbers begin with.
func NumberSecrets(stage tables.Stage) string { return "haatline/" + string(stage) + "/numbers/" }

// AlarmPrefix is what the names of a stage's alarms begin with.
func AlarmPrefix(stage tables.Stage) string { return "haatline-" + string(stage) + "-" }
