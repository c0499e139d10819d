// Package dynamo is the only way to DynamoDB. Its reads and writes are typed, every write names its condition, and SDK
// errors become typed errors. The package knows tables and keys but not what items mean.
package dynamo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/haatline/haatline/shared/awsenv"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/sdkhttp"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Item is one item, or the values of an expression, by attribute name.
type Item = map[string]types.AttributeValue

// Client reads and writes tables. It is safe for concurrent use.
type Client struct {
	api   *dynamodb.Client
	names *tableNames
}

// tableNames holds the names of tables in a stage, by the tables' ids. A name is made when it is first used, because a
// function uses few tables, and some only at times.
type tableNames struct {
	resolve func(tables.Table) string
	known   sync.Map
}

func (n *tableNames) of(table tables.Table) *string {
	if known, ok := n.known.Load(table.ID); ok {
		return known.(*string)
	}
	name := n.resolve(table)
	known, _ := n.known.LoadOrStore(table.ID, &name)
	return known.(*string)
}

// connections bounds concurrent calls, and how many idle connections are kept. A batch makes as many calls at once, and
// a TLS handshake costs a small function more processor time than the call itself.
const connections = 64

// Open returns a client that is configured by a process's environment: AWS_REGION, Lambda's credentials, STAGE and the
// variables with table names, and DYNAMODB_ENDPOINT for a local engine. It does not use the SDK's default configuration
// chain, which would add half a megabyte to the binary and time to each cold start.
func Open(getenv func(string) string) *Client {
	options := dynamodb.Options{
		Region:      getenv("AWS_REGION"),
		Retryer:     retryer(),
		HTTPClient:  sdkhttp.Attempts(transport(), callTimeout),
		Credentials: awsenv.Provider(getenv),
	}
	if endpoint := getenv("DYNAMODB_ENDPOINT"); endpoint != "" {
		options.BaseEndpoint = aws.String(endpoint)
	}
	stage := tables.Stage(getenv("STAGE"))
	if stage == "" {
		stage = tables.Dev
	}
	return &Client{
		api:   dynamodb.New(options, keepEarlyAnswers, keepEndpoint),
		names: &tableNames{resolve: func(table tables.Table) string { return table.Resolve(getenv, stage) }},
	}
}

// idleConnTimeout is how long an idle connection is reused. DynamoDB closes idle connections, which a frozen function
// does not notice. Go checks the age of a connection before it reuses it.
const idleConnTimeout = 30 * time.Second

func transport() *http.Transport {
	t := awshttp.NewBuildableClient().GetTransport()
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.MaxConnsPerHost = connections, connections, connections
	t.IdleConnTimeout = idleConnTimeout
	return t
}

// keepEarlyAnswers prevents the SDK from losing early answers; see sdkhttp.Client.
func keepEarlyAnswers(options *dynamodb.Options) {
	options.HTTPClient = sdkhttp.Client(options.HTTPClient)
}

// Wrap returns a client that uses an SDK client and the stage's table names. It retries like a client that Open made,
// unless the SDK client retries nothing.
func Wrap(api *dynamodb.Client, stage tables.Stage) *Client {
	options := api.Options()
	if !retriesNothing(options.Retryer) {
		options.Retryer = retryer()
	}
	return &Client{
		api:   dynamodb.New(options, keepEarlyAnswers, keepEndpoint),
		names: &tableNames{resolve: func(table tables.Table) string { return table.Name(stage) }},
	}
}

// With returns a copy of the client with added middleware, for example to watch or trace calls.
func (c *Client) With(instrument func(options *[]func(*middleware.Stack) error)) *Client {
	options := c.api.Options()
	instrument(&options.APIOptions)
	return &Client{api: dynamodb.New(options), names: c.names}
}

func (c *Client) name(table tables.Table) *string { return c.names.of(table) }

// S, N, Bool, L and M return attribute values: a string, an integer, a boolean, a list and a map.
func S[T ~string](value T) types.AttributeValue {
	return &types.AttributeValueMemberS{Value: string(value)}
}
func N[T ~int | ~int64](value T) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(int64(value), 10)}
}
func Bool(value bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: value} }
func L(values ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: values}
}

func M(members Item) types.AttributeValue { return &types.AttributeValueMemberM{Value: members} }

// Marshal returns the item that stores an entity. A pointer to one that keeps what this release does not know stores
// that, too.
func Marshal(entity any) (Item, error) {
	item, err := attributevalue.MarshalMap(entity)
	if err != nil {
		return nil, fmt.Errorf("marshal %T: %w", entity, err)
	}
	if k, ok := entity.(keeper); ok {
		maps.Copy(item, *k.Others())
	}
	return item, nil
}

// StoredAlike reports whether two entities are stored alike.
func StoredAlike(a, b any) bool {
	one, errOne := Marshal(a)
	other, errOther := Marshal(b)
	return errOne == nil && errOther == nil && reflect.DeepEqual(one, other)
}

// ErrUndecodable means that a stored item has not the form that this version of the code reads. Another version may
// read it.
var ErrUndecodable = errors.New("the item cannot be decoded")

// Unmarshal decodes an item into entity, which must be a pointer. It returns ErrUndecodable.
func Unmarshal(item Item, entity any) error {
	if err := attributevalue.UnmarshalMap(item, entity); err != nil {
		return fmt.Errorf("%T: %w: %w", entity, ErrUndecodable, err)
	}
	if k, ok := entity.(keeper); ok {
		*k.Others() = unknown(item, reflect.TypeOf(entity).Elem())
	}
	return nil
}

// keeper is an entity that keeps the attributes that its type has no field for.
type keeper interface{ Others() *Item }

// fields holds the names of the attributes that a type has fields for, by type.
var fields sync.Map

// unknown returns the attributes of an item that a type has no field for; nil if there are none.
func unknown(item Item, of reflect.Type) (rest Item) {
	found, ok := fields.Load(of)
	if !ok {
		names := map[string]bool{}
		for _, field := range reflect.VisibleFields(of) {
			name, _, _ := strings.Cut(field.Tag.Get("dynamodbav"), ",")
			names[cmp.Or(name, field.Name)] = true
		}
		found, _ = fields.LoadOrStore(of, names)
	}
	for name, value := range item {
		if found.(map[string]bool)[name] {
			continue
		}
		if rest == nil {
			rest = Item{}
		}
		rest[name] = value
	}
	return rest
}

// Value returns the attribute value of v.
func Value(v any) (types.AttributeValue, error) { return attributevalue.Marshal(v) }

// Text returns the named string attribute, or "" if it is absent or no string.
func Text(item Item, name string) string {
	if s, ok := item[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// Int returns the named integer attribute, or 0 if it is absent or no integer.
func Int(item Item, name string) int64 {
	if n, ok := item[name].(*types.AttributeValueMemberN); ok {
		value, _ := strconv.ParseInt(n.Value, 10, 64)
		return value
	}
	return 0
}

// reportCapacity asks DynamoDB for each call's consumed capacity, which is counted for the invocation.
const reportCapacity = types.ReturnConsumedCapacityTotal

func countUnits(ctx context.Context, metric telemetry.Metric, reports ...types.ConsumedCapacity) {
	for _, report := range reports {
		telemetry.Count(ctx, metric, aws.ToFloat64(report.CapacityUnits))
	}
}

// asSlice returns a single report as a slice, because a call on one table reports no slice.
func asSlice(report *types.ConsumedCapacity) []types.ConsumedCapacity {
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

// AttributeValue is the value of one attribute.
type AttributeValue = types.AttributeValue

// Number returns a number of any size and precision, which its text must be.
func Number(text string) AttributeValue { return &types.AttributeValueMemberN{Value: text} }

// Binary returns a binary attribute value.
func Binary(value []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: value} }

// AsMap returns value if it is a map, and otherwise a map that holds it as "value".
func AsMap(value types.AttributeValue) types.AttributeValue {
	if _, ok := value.(*types.AttributeValueMemberM); ok {
		return value
	}
	return &types.AttributeValueMemberM{Value: Item{"value": value}}
}

// True reports whether an attribute is true; false if it is missing or no boolean.
func True(item Item, name string) bool {
	value, is := item[name].(*types.AttributeValueMemberBOOL)
	return is && value.Value
}
