// Command bare is a bare handler: it decodes its event and makes the writes that it was told to make for it, one after
// the other, and does nothing else. The functions are compared with it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// write is a write of an invocation.
type write struct {
	Operation string
	Input     json.RawMessage
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile(os.Getenv("BARE_WRITES"))
	if err != nil {
		return err
	}
	var told [][]write // by invocation
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(os.Getenv("DYNAMODB_ENDPOINT")), Region: os.Getenv("AWS_REGION"),
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""), Retryer: aws.NopRetryer{}})
	plans := make([][]func(context.Context) error, len(told))
	for i, writes := range told {
		for _, w := range writes {
			do, err := planned(client, w)
			if err != nil {
				return err
			}
			plans[i] = append(plans[i], do)
		}
	}
	invocation := 0
	lambda.Start(func(ctx context.Context, raw json.RawMessage) (any, error) {
		if err := decode(raw); err != nil {
			return nil, err
		}
		for _, do := range plans[invocation] {
			_ = do(ctx) // a write that was refused is refused again
		}
		invocation++
		return map[string]int{"statusCode": 200}, nil
	})
	return nil
}

// decode decodes an event of the kind that it is.
func decode(raw json.RawMessage) error {
	if strings.HasPrefix(string(raw), `{"Records":`) {
		return json.Unmarshal(raw, &events.DynamoDBEvent{})
	}
	return json.Unmarshal(raw, &events.APIGatewayV2HTTPRequest{})
}

// planned returns a function that makes the write.
func planned(client *dynamodb.Client, w write) (func(context.Context) error, error) {
	method := reflect.ValueOf(client).MethodByName(w.Operation)
	if !method.IsValid() {
		return nil, fmt.Errorf("no operation %s", w.Operation)
	}
	input := reflect.New(method.Type().In(1).Elem())
	if err := fill(input.Elem(), w.Input); err != nil {
		return nil, fmt.Errorf("%s: %w", w.Operation, err)
	}
	return func(ctx context.Context) error {
		err, _ := method.Call([]reflect.Value{reflect.ValueOf(ctx), input})[1].Interface().(error)
		return err
	}, nil
}

var attribute = reflect.TypeFor[types.AttributeValue]()

// fill sets a value of the SDK's from its JSON in DynamoDB's protocol.
func fill(to reflect.Value, raw json.RawMessage) error {
	switch {
	case to.Type() == reflect.MapOf(reflect.TypeFor[string](), attribute):
		values, err := attributevalue.UnmarshalMapJSON(raw)
		if err != nil {
			return err
		}
		to.Set(reflect.ValueOf(values))
		return nil
	case to.Kind() == reflect.Pointer && to.Type().Elem().Kind() == reflect.Struct:
		to.Set(reflect.New(to.Type().Elem()))
		return fill(to.Elem(), raw)
	case to.Kind() == reflect.Slice:
		var parts []json.RawMessage
		if err := json.Unmarshal(raw, &parts); err != nil {
			return err
		}
		to.Set(reflect.MakeSlice(to.Type(), len(parts), len(parts)))
		for i, part := range parts {
			if err := fill(to.Index(i), part); err != nil {
				return err
			}
		}
		return nil
	case to.Kind() != reflect.Struct:
		return json.Unmarshal(raw, to.Addr().Interface())
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		field := to.FieldByName(name)
		if !field.IsValid() {
			return fmt.Errorf("no field %s", name)
		}
		if err := fill(field, value); err != nil {
			return err
		}
	}
	return nil
}
