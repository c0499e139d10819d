// Command probe does what its event asks for.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type request struct {
	Do   string
	Size int
}

func main() {
	if message := os.Getenv("FAIL_AT_START"); message != "" {
		log.Fatal(message)
	}
	lambda.Start(func(ctx context.Context, r request) (any, error) {
		switch r.Do {
		case "fail":
			return nil, errors.New("asked to fail")
		case "panic":
			panic("asked to panic")
		case "exit":
			os.Exit(3)
		case "hang":
			fmt.Println("hanging")
			select {}
		case "slow":
			time.Sleep(300 * time.Millisecond)
		case "big":
			return strings.Repeat("x", r.Size), nil
		}
		deadline, _ := ctx.Deadline()
		about, _ := lambdacontext.FromContext(ctx)
		return map[string]any{
			"pid": os.Getpid(), "deadline": deadline.UnixMilli(), "requestId": about.AwsRequestID,
			"arn": about.InvokedFunctionArn, "trace": ctx.Value("x-amzn-trace-id"), "environment": os.Environ(),
		}, nil
	})
}
