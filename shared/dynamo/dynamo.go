// Package dynamo owns the way to DynamoDB: typed reads and writes whose conditions stand beside them, and errors
// translated by type. It knows tables and keys, not what the items mean.
package dynamo

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/sdkhttp"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Item is one item, or the values of an expression.
type Item = map[string]types.AttributeValue

// Client reads and writes the tables it was opened with.
type Client struct {
	api   *dynamodb.Client
	names map[string]string // table id → table name
}

// connections is how many calls are made at once, and how many connections are kept for the next: a batch makes as many
// calls, and a TLS handshake for each would take more of a small function's processor than the call.
const connections = 64

// Open makes a client from a process's environment: AWS_REGION, the credentials Lambda puts there, STAGE and the tables'
// names, DYNAMODB_ENDPOINT for a local engine. Everything is explicit, because the default configuration chain costs
// a cold start half a megabyte and its time.
func Open(getenv func(string) string, list ...tables.Table) *Client {
	options := dynamodb.Options{
		Region:     getenv("AWS_REGION"),
		Retryer:    retryer(),
		HTTPClient: sdkhttp.Attempts(transport(), callTimeout),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{
				AccessKeyID:     getenv("AWS_ACCESS_KEY_ID"),
				SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
				SessionToken:    getenv("AWS_SESSION_TOKEN"),
			}, nil
		}),
	}
	if endpoint := getenv("DYNAMODB_ENDPOINT"); endpoint != "" {
		options.BaseEndpoint = aws.String(endpoint)
	}
	stage := tables.Stage(getenv("STAGE"))
	if stage == "" {
		stage = tables.Dev
	}
	names := make(map[string]string, len(list))
	for _, table := range list {
		names[table.ID] = table.Resolve(getenv, stage)
	}
	return &Client{api: dynamodb.New(options, wholeAnswers), names: names}
}

// keptFor is how long an idle connection is used again. DynamoDB closes one after a while, which a frozen function does not
// see; Go asks the clock before it takes one.
const keptFor = 30 * time.Second

func transport() *http.Transport {
	t := awshttp.NewBuildableClient().GetTransport()
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.MaxConnsPerHost = connections, connections, connections
	t.IdleConnTimeout = keptFor
	return t
}

// wholeAnswers keeps the SDK from losing answers.
func wholeAnswers(options *dynamodb.Options) { options.HTTPClient = sdkhttp.Client(options.HTTPClient) }

// Wrap makes a client of an SDK client, with the tables' names in the stage. It retries as one that Open made, unless the
// SDK client was made to retry nothing.
func Wrap(api *dynamodb.Client, stage tables.Stage, list ...tables.Table) *Client {
	options := api.Options()
	if !retriesNothing(options.Retryer) {
		options.Retryer = retryer()
	}
	names := make(map[string]string, len(list))
	for _, table := range list {
		names[table.ID] = table.Name(stage)
	}
	return &Client{api: dynamodb.New(options, wholeAnswers), names: names}
}

// With is the client with something between it and the wire: what watches or traces calls.
func (c *Client) With(instrument func(options *[]func(*middleware.Stack) error)) *Client {
	options := c.api.Options()
	instrument(&options.APIOptions)
	return &Client{api: dynamodb.New(options), names: c.names}
}

func (c *Client) name(table tables.Table) *string {
	name, ok := c.names[table.ID]
	if !ok {
		// The engine answers this with an error that names the table: a function used one it was not opened with.
		name = "not-opened." + table.ID
	}
	return &name
}

// S, N, B and L are attribute values of a string, a whole number, a boolean, a list.
func S[T ~string](value T) types.AttributeValue {
	return &types.AttributeValueMemberS{Value: string(value)}
}
func N[T ~int | ~int64](value T) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(int64(value), 10)}
}
func B(value bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: value} }
func L(values ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: values}
}

// Marshal makes an item of an entity.
func Marshal(entity any) (Item, error) {
	item, err := attributevalue.MarshalMap(entity)
	if err != nil {
		return nil, fmt.Errorf("marshal %T: %w", entity, err)
	}
	return item, nil
}

// Unmarshal makes an entity of an item.
func Unmarshal(item Item, entity any) error {
	if err := attributevalue.UnmarshalMap(item, entity); err != nil {
		return fmt.Errorf("unmarshal %T: %w", entity, err)
	}
	return nil
}

// Value is the attribute value of anything an entity may hold.
func Value(v any) (types.AttributeValue, error) { return attributevalue.Marshal(v) }

// Text is the string under a name, or "".
func Text(item Item, name string) string {
	if s, ok := item[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// Int is the whole number under a name, or 0.
func Int(item Item, name string) int64 {
	if n, ok := item[name].(*types.AttributeValueMemberN); ok {
		value, _ := strconv.ParseInt(n.Value, 10, 64)
		return value
	}
	return 0
}

// What a call consumed is asked for with every call, and counted for the invocation.
const reportCapacity = types.ReturnConsumedCapacityTotal

func consumed(ctx context.Context, metric telemetry.Metric, reports ...types.ConsumedCapacity) {
	for _, report := range reports {
		telemetry.Count(ctx, metric, aws.ToFloat64(report.CapacityUnits))
	}
}

// one is the report of a call that touches one table, as the list that others give.
func one(report *types.ConsumedCapacity) []types.ConsumedCapacity {
	if report == nil {
		return nil
	}
	return []types.ConsumedCapacity{*report}
}

func keyItem(key keys.Key) Item {
	item := Item{key.PartitionName: S(key.Partition)}
	if key.SortName != "" {
		item[key.SortName] = S(key.Sort)
	}
	return item
}

// AttributeValue is one value.
type AttributeValue = types.AttributeValue

// Bytes is a binary value.
func Bytes(value []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: value} }

// AsMap is the value itself when it is a map, and a map that holds it otherwise.
func AsMap(value types.AttributeValue) types.AttributeValue {
	if _, ok := value.(*types.AttributeValueMemberM); ok {
		return value
	}
	return &types.AttributeValueMemberM{Value: Item{"value": value}}
}
