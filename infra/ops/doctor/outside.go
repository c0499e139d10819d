package doctor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/whatsapp"
)

const signedHeader = "X-Hub-Signature-256"

func (x *examination) webhook() string { return x.apiURL.value + names.WebhookPath }

// sameAsRun says what to do on a laptop if the local cloud has a different secret than the doctor.
func sameAsRun(variable string) string { return "give doctor the same " + variable + " as make run" }

// otherSecret says what to do if the functions have a different secret than the doctor, and what else may be wrong.
func (x *examination) otherSecret(variable, otherwise string) string {
	if x.isLocal() {
		return sameAsRun(variable)
	}
	return "the functions see a changed secret within five minutes: wait, and look again; after that " + otherwise
}

// logsOf returns where a function logs.
func (x *examination) logsOf(function string) string {
	if x.isLocal() {
		return "read what " + function + " says in the terminal of make run"
	}
	return fmt.Sprintf("read its log: aws logs tail /aws/lambda/haatline-%s-%s --since 10m", function, x.stage)
}

func (x *examination) notReached(err error) []finding {
	do := "look whether the address is right and this machine reaches it; where a domain of yours leads to the " +
		"API, name it: -api https://…"
	if x.isLocal() {
		do = "start the local cloud: make run"
	}
	return []finding{lacks(err.Error(), do)}
}

func (x *examination) checkAPI(ctx context.Context) []finding {
	a, err := x.fetch(ctx, http.MethodGet, x.apiURL.value+"/openapi.json", nil, "")
	if err != nil {
		return x.notReached(err)
	}
	x.reached.set(true)
	var described struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	if a.status != http.StatusOK || json.Unmarshal(a.body, &described) != nil || described.OpenAPI == "" {
		return []finding{
			lacks("/openapi.json of "+x.private.cleaned(x.apiURL.value)+" "+x.said(a), x.logsOf("openapi"))}
	}
	return []finding{fine("describes %d paths at %s/openapi.json", len(described.Paths), x.apiURL.value)}
}

func (x *examination) checkStrangers(ctx context.Context) []finding {
	a, err := x.fetch(ctx, http.MethodGet, x.apiURL.value+"/v1/conversations", nil, "")
	if err != nil {
		return x.notReached(err)
	}
	if a.status != http.StatusUnauthorized {
		return []finding{
			lacks(fmt.Sprintf("/v1/conversations answers %d to somebody without a token, and should answer 401",
				a.status),
				"look in API Gateway whether the route ANY /v1/{proxy+} has its authorizer, and deploy again")}
	}
	return []finding{fine("is refused, as it should be")}
}

// checkHandshake sends the request that Meta sends when the callback URL is set.
func (x *examination) checkHandshake(ctx context.Context) []finding {
	challenge := rand.Text()
	query := url.Values{
		"hub.mode": {"subscribe"}, "hub.verify_token": {x.verifyToken.value}, "hub.challenge": {challenge}}
	a, err := x.fetch(ctx, http.MethodGet, x.webhook()+"?"+query.Encode(), nil, "")
	switch {
	case err != nil:
		return x.notReached(err)
	case a.status == http.StatusForbidden:
		return []finding{lacks("the webhook refuses our verify token", x.otherSecret(verifyToken, x.logsOf("webhook")))}
	case a.status != http.StatusOK:
		return []finding{lacks("the webhook "+x.said(a), x.logsOf("webhook"))}
	case string(a.body) != challenge:
		return []finding{
			lacks("what answers is not the webhook: it does not give the bare challenge back",
				"look what stands before the API: nothing may change an answer on its way")}
	}
	return []finding{fine("our verify token is answered with the challenge")}
}

// checkForgedPost checks that the webhook refuses a post without a valid signature.
func (x *examination) checkForgedPost(ctx context.Context) []finding {
	forged := map[string]string{
		"Content-Type": "application/json", signedHeader: whatsapp.Sign(rand.Text(), []byte("{}"))}
	a, err := x.fetch(ctx, http.MethodPost, x.webhook(), forged, "{}")
	switch {
	case err != nil:
		return x.notReached(err)
	case a.status != http.StatusUnauthorized:
		return []finding{
			lacks("the webhook "+x.said(a)+" to a wrong signature, and should answer 401", x.logsOf("webhook"))}
	}
	return []finding{fine("is refused, as it should be")}
}

// checkSignedPost posts a text that is no JSON, signed with each of our app secrets. The webhook verifies before it
// parses: 401 means that it has a different secret, 400 that it accepted the signature; nothing is stored. Any valid
// webhook, even an empty one, would be logged and raise an alarm.
func (x *examination) checkSignedPost(ctx context.Context) []finding {
	const body, takenFor = "haatline doctor", "not JSON"
	for _, secret := range x.appSecrets.value {
		signed := map[string]string{"Content-Type": "text/plain", signedHeader: whatsapp.Sign(secret, []byte(body))}
		a, err := x.fetch(ctx, http.MethodPost, x.webhook(), signed, body)
		switch {
		case err != nil:
			return x.notReached(err)
		case a.status == http.StatusUnauthorized:
			return []finding{lacks("the webhook refuses what is signed with our app secret", x.otherSecret(appSecret,
				"look what stands before the API: the body must arrive as it was sent, byte for byte"))}
		// a 400 from another server says nothing about the signature
		case a.status != http.StatusBadRequest || strings.TrimSpace(string(a.body)) != takenFor:
			return []finding{
				lacks("the webhook "+x.said(a)+" to what is signed and no JSON, and should answer 400 "+takenFor,
					x.logsOf("webhook"))}
		}
	}
	x.signed.set(true)
	return []finding{fine("our signature is accepted")}
}

// drift is how far two clocks may differ. AWS refuses signatures that are older.
const drift = 5 * time.Minute

// checkClocks compares this machine's clock with those of the API and Meta, as their answers show them.
func (x *examination) checkClocks(ctx context.Context) []finding {
	var agree, differ []string
	for _, other := range []struct{ name, address string }{{"the API", x.apiURL.value}, {"Meta", x.graph.url}} {
		if other.address == "" {
			continue
		}
		a, err := x.fetch(ctx, http.MethodGet, other.address+"/", nil, "")
		if err != nil || a.date.IsZero() {
			continue
		}
		if apart := a.asked.Sub(a.date); apart.Abs() > drift {
			differ = append(differ, fmt.Sprintf("%s from %s's", apart.Round(time.Second), other.name))
		} else {
			agree = append(agree, other.name+"'s")
		}
	}
	switch {
	case len(differ) > 0:
		return []finding{
			lacks("this machine's clock is "+strings.Join(differ, " and "),
				"set it by the network (timedatectl set-ntp true): AWS refuses signatures that are five minutes off")}
	case len(agree) == 0 && !x.reached.known:
		return []finding{waits(x.reached.from)}
	case len(agree) == 0:
		return []finding{{state: note, says: "nobody told the time"}}
	}
	return []finding{fine("this machine's agrees with %s", strings.Join(agree, " and "))}
}
