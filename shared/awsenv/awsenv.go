// Package awsenv reads the credentials that Lambda gives a function by its environment. The SDK's default configuration
// chain would read them as well, and would add to every binary and every start.
package awsenv

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
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
