// Package awsenv reads the credentials that Lambda gives a function by its environment, and signs requests with them.
// The SDK's default configuration chain would read them as well, and would add to every binary and every start.
package awsenv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Credentials returns the credentials in an environment.
func Credentials(getenv func(string) string) aws.Credentials {
	return aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: getenv("AWS_SESSION_TOKEN"),
	}
}

// Provider returns what gives a client of the SDK these credentials, read anew for each request.
func Provider(getenv func(string) string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return Credentials(getenv), nil
	})
}

// Sign signs a request with a body to a service of AWS in AWS_REGION. It uses the context of the request.
func Sign(request *http.Request, body []byte, service string, getenv func(string) string) error {
	hash := sha256.Sum256(body)
	return v4.NewSigner().SignHTTP(request.Context(), Credentials(getenv), request, hex.EncodeToString(hash[:]),
		service, getenv("AWS_REGION"), time.Now())
}
