// Command greeter is a function that greets the person in its event.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
)

type person struct{ Name string }

func main() {
	lambda.Start(func(_ context.Context, p person) (string, error) {
		if p.Name == "" {
			return "", errors.New("no name")
		}
		return os.Getenv("GREETING") + ", " + p.Name, nil
	})
}
