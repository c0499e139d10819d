package dynamo_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// startEngine starts an engine with the messages table of a stage.
func startEngine(t *testing.T, stage tables.Stage) *engine.Engine {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	if err := engine.CreateTables(t.Context(), engine.Client(e.Endpoint), []tables.Table{tables.Messages},
		stage); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTableNamesComeFromTheEnvironment(t *testing.T) {
	e := startEngine(t, tables.Prod)
	base := map[string]string{
		"AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"DYNAMODB_ENDPOINT": e.Endpoint,
	}
	for name, c := range map[string]struct {
		more  map[string]string
		opens bool
	}{
		"the stage's name": {map[string]string{"STAGE": "prod"}, true},
		"the override": {
			map[string]string{"MESSAGES_TABLE_NAME": tables.Messages.Name(tables.Prod)}, true},
		"the override over the stage's": {
			map[string]string{"STAGE": "staging", "MESSAGES_TABLE_NAME": tables.Messages.Name(tables.Prod)}, true},
		"dev where no stage is named": {nil, false},
		"another stage's name":        {map[string]string{"STAGE": "staging"}, false},
	} {
		client := dynamo.Open(func(variable string) string {
			if value, ok := c.more[variable]; ok {
				return value
			}
			return base[variable]
		})
		err := client.Get(t.Context(), tables.Messages, keys.Message("1"), &struct{}{})
		var missing *types.ResourceNotFoundException
		if opened := errors.Is(err, dynamo.ErrNotFound); opened != c.opens || !opened && !errors.As(err, &missing) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// throttling answers the first calls of BatchGetItem with all keys unprocessed, as a throttled table does.
type throttling struct {
	times int
	calls int
	then  func()
}

func (f *throttling) RoundTrip(request *http.Request) (*http.Response, error) {
	f.calls++
	if f.calls > f.times || !strings.HasSuffix(request.Header.Get("X-Amz-Target"), "BatchGetItem") {
		return http.DefaultTransport.RoundTrip(request)
	}
	if f.then != nil {
		f.then()
	}
	asked, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	answer := bytes.Replace(asked, []byte(`{"RequestItems":`), []byte(`{"Responses":{},"UnprocessedKeys":`), 1)
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:   io.NopCloser(bytes.NewReader(answer)), ContentLength: int64(len(answer)),
	}, nil
}

func through(endpoint string, transport http.RoundTripper) *dynamo.Client {
	return dynamo.Wrap(dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(endpoint), Region: "ap-south-1", Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient:  &http.Client{Transport: transport},
	}), tables.Dev)
}

func TestABatchIsRepeatedForUnprocessedKeys(t *testing.T) {
	e := startEngine(t, tables.Dev)
	item := messageItem("1", nil)
	if err := through(e.Endpoint, http.DefaultTransport).Put(t.Context(),
		dynamo.Put{Table: tables.Messages, Item: item}); err != nil {
		t.Fatal(err)
	}
	there := dynamo.Ref{Table: tables.Messages, Key: keys.Message("1")}
	refs := []dynamo.Ref{there, {Table: tables.Messages, Key: keys.Message("nobody")}}

	transport := &throttling{times: 2}
	found, err := through(e.Endpoint, transport).BatchGet(t.Context(), refs)
	if err != nil || there.Found(found) == nil || len(found) != 1 || transport.calls != 3 {
		t.Errorf("%v, %v after %d calls", found, err, transport.calls)
	}

	transport = &throttling{times: 100}
	found, err = through(e.Endpoint, transport).BatchGet(t.Context(), refs)
	if err == nil || found != nil || dynamo.Permanent(err) || transport.calls != 9 {
		t.Errorf("%v, %v after %d calls: what was not read must not pass for absent", found, err, transport.calls)
	}

	ctx, cancel := context.WithCancel(t.Context())
	transport = &throttling{times: 100, then: cancel}
	if _, err = through(e.Endpoint, transport).BatchGet(ctx, refs); !errors.Is(err, context.Canceled) ||
		transport.calls != 1 {
		t.Errorf("%v after %d calls", err, transport.calls)
	}
}

func TestAStoppedEngineCausesNoPermanentError(t *testing.T) {
	e := startEngine(t, tables.Dev)
	e.Stop()
	client := through(e.Endpoint, &http.Transport{})
	for name, err := range map[string]error{
		"get": client.Get(t.Context(), tables.Messages, keys.Message("1"), &struct{}{}),
		"put": client.Put(t.Context(), dynamo.Put{Table: tables.Messages, Item: messageItem("1", nil)}),
		"write": client.Transact(t.Context(),
			[]dynamo.Write{dynamo.Put{Table: tables.Messages, Item: messageItem("1", nil)}}),
	} {
		if err == nil || dynamo.Permanent(err) || errors.Is(err, dynamo.ErrNotFound) ||
			errors.Is(dynamo.Conflict(err), dynamo.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnAttributeOfAnotherTypeReadsAsItsZeroValue(t *testing.T) {
	item := dynamo.Item{
		"text": dynamo.S("a"), "number": dynamo.N(int64(1) << 60),
		"fraction": &types.AttributeValueMemberN{Value: "1.5"}, "truth": dynamo.Bool(true),
		"list": dynamo.L(dynamo.S("a"), dynamo.N(-1)), "bytes": dynamo.Binary([]byte{0}),
	}
	for name := range item {
		if text := dynamo.Text(item, name); (text == "a") != (name == "text") || text != "" && text != "a" {
			t.Errorf("%s reads as the text %q", name, text)
		}
		if n := dynamo.Int(item, name); (n == 1<<60) != (name == "number") || n != 0 && n != 1<<60 {
			t.Errorf("%s reads as the number %d", name, n)
		}
	}
	if dynamo.Text(nil, "a") != "" || dynamo.Int(nil, "a") != 0 {
		t.Error("no item has attributes")
	}
	if wrapped, ok := dynamo.AsMap(dynamo.S("a")).(*types.AttributeValueMemberM); !ok ||
		dynamo.Text(wrapped.Value, "value") != "a" {
		t.Errorf("a text as a map is %v", wrapped)
	}
	if m := (&types.AttributeValueMemberM{Value: item}); dynamo.AsMap(m) != dynamo.AttributeValue(m) {
		t.Error("a map was wrapped")
	}
}
