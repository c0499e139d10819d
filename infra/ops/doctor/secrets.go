package doctor

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/whatsapp/flowcrypt"
)

// The secrets that the doctor can check and use. The topology lists which secrets exist.
const (
	appSecret   = "WHATSAPP_APP_SECRET"
	verifyToken = "WHATSAPP_VERIFY_TOKEN"
	accessToken = "WHATSAPP_ACCESS_TOKEN"
	cursorKeys  = topology.CursorKeys
	flowKey     = "FLOW_PRIVATE_KEY"
)

// seldom are the secrets that a deployment may do without. Checks of their own say who needs them.
var seldom = []string{modelKey, flowKey}

// whence returns where a person finds the value of a secret.
func whence(variable string) string {
	return map[string]string{
		appSecret: "copy it from Meta's dashboard: developers.facebook.com, the app, App settings, Basic, App " +
			"secret, Show",
		verifyToken: "make one up: openssl rand -hex 24",
		accessToken: "make one in Meta's business settings: Users, System users, the system user, Generate token, " +
			"for the app, never expiring, " +
			"with whatsapp_business_messaging and whatsapp_business_management",
		modelKey: "make one with the service of the models, such as OpenAI",
		flowKey: "make one up: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -outform DER | " +
			"base64 -w0",
		cursorKeys: "the deployment made one up; make up another: openssl rand -hex 24",
	}[variable]
}

// checkSecret reports whether a secret variable has a value, and whether the value has the right form. Later checks use
// only values that pass.
func (x *examination) checkSecret(ctx context.Context, variable string) []finding {
	name := names.Secret(variable, x.stage)
	read, err := secretsmanager.NewFromConfig(x.account.value).GetSecretValue(ctx,
		&secretsmanager.GetSecretValueInput{SecretId: &name})
	switch {
	case deployment.Is(err, "ResourceNotFoundException"):
		return []finding{
			lacks(name+" is not there",
				fmt.Sprintf("deploy the functions: make deploy STAGE=%s ARGS=\"-c …\"", x.stage))}
	case deployment.Is(err, "InvalidRequestException"):
		return []finding{lacks(name+" is about to be deleted", "aws secretsmanager restore-secret --secret-id "+name)}
	case err != nil:
		return []finding{x.refused(err, "secretsmanager:GetSecretValue on "+name)}
	}
	text := aws.ToString(read.SecretString)
	if variable == flowKey && !strings.Contains(text, flowKey) {
		return []finding{fine("there is no %s: haatline answers the screens of no form", flowKey)}
	}
	var members map[string]any
	if json.Unmarshal([]byte(text), &members) != nil {
		x.private.add(text)
		return []finding{
			lacks(name+" holds no JSON object with a member for each secret",
				whence(variable)+"; "+x.putSecret(variable))}
	}
	value, _ := members[variable].(string)
	x.private.add(value)
	if wrong := judge(variable, value); wrong != "" {
		return []finding{lacks(name+" "+wrong, whence(variable)+"; "+x.putSecret(variable))}
	}
	x.learn(variable, value)
	return []finding{fine("%s holds its value", name)}
}

// checkForms checks the keys by which the requests for the screens of forms are opened.
func (x *examination) checkForms(ctx context.Context) []finding { return x.checkSecret(ctx, flowKey) }

// judge returns what is wrong with a secret's value, or "".
func judge(variable, value string) string {
	switch {
	case strings.TrimSpace(value) == "":
		return "holds no " + variable
	case variable == appSecret:
		for _, secret := range split(value) {
			if raw, err := hex.DecodeString(secret); err != nil || len(raw) != 16 {
				return "holds no app secret: that has 32 hexadecimal digits"
			}
		}
	case variable == cursorKeys && slices.ContainsFunc(split(value), func(key string) bool { return len(key) < 16 }):
		return "holds a key of cursors that can be guessed: one has at least 16 characters"
	case variable == flowKey:
		if _, err := flowcrypt.Parse(value); err != nil {
			return "holds " + err.Error()
		}
	case variable == accessToken && strings.ContainsAny(strings.TrimSpace(value), " \t\r\n"):
		return "holds more than a token: there is a blank or a line break in it"
	}
	return ""
}
