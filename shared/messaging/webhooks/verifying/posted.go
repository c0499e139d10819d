package verifying

import (
	"context"
	"encoding/base64"

	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Body returns the raw body of a request, which Meta has signed. inBase64 says that the gateway has encoded the body.
// Body reports false if it cannot decode the body.
func Body(text string, inBase64 bool) ([]byte, bool) {
	if !inBase64 {
		return []byte(text), true
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	return raw, err == nil
}

// Apps are the app secrets of accounts that have secrets of their own: Secrets.
type Apps interface {
	Apps(ctx context.Context) []string
}

// Signed reports whether the header X-Hub-Signature-256 matches a raw body under one of the deployment's app secrets,
// or under one of the accounts' own. Those are read only if the deployment's do not fit. It returns an error if a
// secret of the deployment cannot be read.
func Signed(ctx context.Context, deployment []*secrets.Secret, accounts Apps, header string, body []byte) (bool,
	error) {
	values, err := secrets.Values(ctx, deployment)
	if err != nil {
		return false, err
	}
	return whatsapp.VerifySignature(values, header, body) ||
		whatsapp.VerifySignature(accounts.Apps(ctx), header, body), nil
}
