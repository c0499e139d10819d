package doctor

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/stacks/names"
)

// The secrets that the doctor knows how to judge and use. Which there are, the topology says.
const (
	appSecret   = "WHATSAPP_APP_SECRET"
	verifyToken = "WHATSAPP_VERIFY_TOKEN"
	accessToken = "WHATSAPP_ACCESS_TOKEN"
)

// whence is where a person finds the value of a secret.
func whence(variable string) string {
	return map[string]string{
		appSecret:   "copy it from Meta's dashboard: developers.facebook.com, the app, App settings, Basic, App secret, Show",
		verifyToken: "make one up: openssl rand -hex 24",
		accessToken: "make one in Meta's business settings: Users, System users, the system user, Generate token, for the app, never expiring, " +
			"with whatsapp_business_messaging and whatsapp_business_management",
	}[variable]
}

// checkSecret says whether a secret is there and holds a value that somebody put there, and of the right form. Only what
// passes is used by later checks.
func (x *examination) checkSecret(ctx context.Context, variable string) []finding {
	name := names.Secret(variable, x.stage)
	client := secretsmanager.NewFromConfig(x.account.value)
	described, err := client.DescribeSecret(ctx, &secretsmanager.DescribeSecretInput{SecretId: &name})
	if deployment.Is(err, "ResourceNotFoundException") {
		return []finding{lacks(name+" is not there", fmt.Sprintf("deploy the functions: make deploy STAGE=%s ARGS=\"-c …\"", x.stage))}
	}
	if err != nil {
		return []finding{x.refused(err, "secretsmanager:DescribeSecret on "+name)}
	}
	if described.DeletedDate != nil {
		return []finding{lacks(name+" is about to be deleted", "aws secretsmanager restore-secret --secret-id "+name)}
	}
	read, err := client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if deployment.Is(err, "ResourceNotFoundException") {
		return []finding{lacks(name+" holds no value", whence(variable)+"; "+x.putSecret(variable))}
	}
	if err != nil {
		return []finding{x.refused(err, "secretsmanager:GetSecretValue on "+name)}
	}
	value := aws.ToString(read.SecretString)
	x.private.add(value)
	if wrong := judge(variable, value, len(described.VersionIdsToStages)); wrong != "" {
		return []finding{lacks(name+" "+wrong, whence(variable)+"; "+x.putSecret(variable))}
	}
	x.learn(variable, value)
	return []finding{fine("%s holds a value of its own", name)}
}

// judge says what is wrong with a secret's value, "" where nothing is.
//
// A placeholder is told by two signs together. It has the form of what the stack generates, which neither an app secret
// nor an access token has; a verify token can have it, so it counts only as long as the secret has had one version, the
// one it was made with: whoever puts a value makes a second, and the first stays as the previous one. Dates would say
// the same less surely: the stack's and the version's are some seconds apart, and a tag changes the secret's.
func judge(variable, value string, versions int) string {
	switch {
	case strings.TrimSpace(value) == "":
		return "holds no text"
	case versions <= 1 && looksGenerated(value):
		return "still holds the placeholder it was made with"
	case strings.HasPrefix(strings.TrimSpace(value), "{"):
		return "holds JSON, and should hold the bare value: Plaintext in the console, not Key/value"
	case variable == appSecret:
		for _, secret := range split(value) {
			if raw, err := hex.DecodeString(secret); err != nil || len(raw) != 16 {
				return "holds no app secret: that has 32 hexadecimal digits"
			}
		}
	case variable == accessToken && strings.ContainsAny(strings.TrimSpace(value), " \t\r\n"):
		return "holds more than a token: there is a blank or a line break in it"
	}
	return ""
}

// looksGenerated says whether a text has the form of the placeholders: letters and digits, so many and no others.
func looksGenerated(value string) bool {
	return len(value) == names.PlaceholderLength && strings.IndexFunc(value, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
