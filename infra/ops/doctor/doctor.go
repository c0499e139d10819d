// Package doctor checks a deployment: what is still missing in AWS, at Meta and between them, in the order in which
// people usually get stuck. It changes nothing. Its posts to the webhook are either forged or no JSON, so the webhook
// refuses them before it stores anything.
package doctor

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/tables"
)

// patience bounds the wait for one answer.
const patience = 15 * time.Second

// examination is one run: its arguments, and what its checks have found out so far.
type examination struct {
	stage   tables.Stage
	graph   graph
	http    *http.Client
	now     func() time.Time
	private *private

	account     fact[aws.Config]
	social      *socialmessaging.Client // of the local cloud's stand-in; nil for that of the account
	db          fact[*dynamo.Client]
	apiURL      fact[string] // without a trailing slash
	reached     fact[bool]   // the API answers, with any status
	signed      fact[bool]   // the webhook accepts our signature
	userPool    fact[string]
	pages       fact[string]   // of sign-in, "" if there are none
	consoleURL  fact[string]   // "" if there is none
	appSecrets  fact[[]string] // several while the secret is being changed
	verifyToken fact[string]
	accessToken fact[string]
	appID       fact[string]
	manages     fact[bool] // the access token may see accounts and numbers
	wabas       fact[[]string]
	numbers     fact[[]phoneNumber]
	simulated   bool   // Meta is simulated by the local cloud
	secretToken string // the access token as a shell finds it
	putSecret   func(variable string) string
}

// Run checks what the arguments name and prints the report. It returns an error if something is missing or could not be
// checked for a reason of its own.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("doctor", flag.ContinueOnError)
	stageName := flags.String("stage", "", "what to examine: dev, staging or prod, or local for the local cloud")
	graphURL := flags.String("graph-url", "",
		"the Cloud API with its version, where the deployment was given another than "+names.GraphURL)
	apiURL := flags.String("api", "",
		"the API's address as Meta sees it, where that is not the stack's own: a domain of yours, a tunnel")
	wabas := flags.String("waba", "",
		"the ids of the WhatsApp Business Accounts, separated by commas; those that the access token names where "+
			"it is left out")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	stage, err := deployment.ParseStage(*stageName, deployment.Local)
	if err != nil {
		return err
	}
	x := newExamination(stage)
	x.graph.url = strings.TrimSuffix(*graphURL, "/")
	if *apiURL != "" {
		x.apiURL.set(strings.TrimSuffix(*apiURL, "/"))
	}
	for id := range strings.SplitSeq(*wabas, ",") {
		if id = strings.TrimSpace(id); id != "" {
			x.wabas.set(append(x.wabas.value, id))
		}
	}
	var checks []check
	if stage == deployment.Local {
		checks = append(x.localChecks(), x.commonChecks()...)
		checks = append(checks, x.providerCheck())
	} else {
		checks = append(x.awsChecks(), x.commonChecks()...)
		checks = append(checks, x.providerCheck())
		checks = append(checks, x.peopleChecks()...)
	}
	counts := report(ctx, out, checks)
	fmt.Fprintf(out, "\n%d ok, %d missing, %d warnings, %d unknown\n", counts[good], counts[missing], counts[warning],
		counts[unknown])
	if err := verdict(stage, counts); err != nil {
		return err
	}
	return ctx.Err()
}

func newExamination(stage tables.Stage) *examination {
	x := &examination{
		stage: stage, now: time.Now, private: &private{},
		http: &http.Client{
			Timeout:       patience,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	x.graph.examination = x
	x.account.from, x.db.from = "credentials", "credentials"
	x.apiURL.from, x.userPool.from, x.pages.from = "functions stack", "identity stack", "identity stack"
	x.consoleURL.from = "functions stack"
	x.appSecrets.from, x.verifyToken.from, x.accessToken.from = "secret "+appSecret, "secret "+verifyToken,
		"secret "+accessToken
	x.reached.from, x.signed.from = "API", "signed webhook"
	x.appID.from, x.manages.from, x.wabas.from, x.numbers.from = "access token", "access token's permissions",
		"access token's accounts", "numbers"
	return x
}

// commonChecks returns the checks of Meta and the API, which are the same in AWS and on a laptop.
func (x *examination) commonChecks() []check {
	webhooks := []need{&x.apiURL, &x.appSecrets, &x.appID}
	if x.isLocal() {
		webhooks = append(webhooks, &x.signed) // there is one app secret here, and one thing wrong with it
	}
	return []check{
		{"API", []need{&x.apiURL}, x.checkAPI},
		{"API without a token", []need{&x.reached}, x.checkStrangers},
		{"clocks", nil, x.checkClocks},
		{"webhook handshake", []need{&x.reached, &x.verifyToken}, x.checkHandshake},
		{"forged webhook", []need{&x.reached}, x.checkForgedPost},
		{"signed webhook", []need{&x.reached, &x.appSecrets}, x.checkSignedPost},
		{"access token", []need{&x.accessToken}, x.checkToken},
		{"app's webhooks", webhooks, x.checkSubscription},
		{"WhatsApp accounts", []need{&x.appID, &x.manages, &x.wabas}, x.checkAccounts},
		{"numbers", []need{&x.appID, &x.manages, &x.wabas}, x.checkNumbers},
		{"sending", []need{&x.db, &x.numbers}, x.checkSending},
		{"numbers' own tokens", []need{&x.db, &x.numbers}, x.checkOwnTokens},
		{"cards", []need{&x.db, &x.numbers}, x.checkCards},
	}
}
