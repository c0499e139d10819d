package tracing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/shared/telemetry"
	"github.com/haatline/haatline/shared/telemetry/tracing"
)

// daemon stands in for X-Ray's daemon.
var daemon *net.UDPConn

func TestMain(m *testing.M) {
	var err error
	if daemon, err = net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}); err != nil {
		panic(err)
	}
	os.Setenv("STAGE", "staging")
	os.Setenv("AWS_XRAY_DAEMON_ADDRESS", daemon.LocalAddr().String())
	os.Exit(m.Run())
}

const (
	traceID  = "1-5759e988-bd862e3fe1be46a994272793"
	parentID = "53995c3f42cd8ad8"
)

// invocation returns a context as aws-lambda-go makes it.
func invocation(t *testing.T, sampled string) context.Context {
	//lint:ignore SA1029 the key is aws-lambda-go's
	return context.WithValue(t.Context(), "x-amzn-trace-id",
		"Root="+traceID+";Parent="+parentID+";Sampled="+sampled+";Lineage=1:a")
}

type segment struct {
	Name, ID, Type, Namespace string
	TraceID                   string  `json:"trace_id"`
	ParentID                  string  `json:"parent_id"`
	Start                     float64 `json:"start_time"`
	End                       float64 `json:"end_time"`
	Annotations, AWS          map[string]string
	Error, Fault, Throttle    bool
	HTTP                      struct {
		Request  struct{ Method, URL string }
		Response struct{ Status int }
	}
	Cause struct{ Exceptions []struct{ ID, Type string } }
	raw   string
}

// received returns the segments that the daemon has received, by name.
func received(t *testing.T, count int) map[string]segment {
	t.Helper()
	all := map[string]segment{}
	buffer := make([]byte, 64<<10)
	for {
		wait := 3 * time.Second
		if len(all) >= count {
			wait = 50 * time.Millisecond // to be sure that no more come
		}
		_ = daemon.SetReadDeadline(time.Now().Add(wait))
		n, err := daemon.Read(buffer)
		if err != nil {
			break
		}
		head, body, _ := bytes.Cut(buffer[:n], []byte("\n"))
		if string(head) != `{"format":"json","version":1}` {
			t.Fatalf("a datagram begins with %s", head)
		}
		s := segment{raw: string(body)}
		if err := json.Unmarshal(body, &s); err != nil {
			t.Fatal(err)
		}
		if s.TraceID != traceID || s.Type != "subsegment" || len(s.ID) != 16 || s.End < s.Start ||
			time.Since(time.Unix(int64(s.Start), 0)) > time.Minute {
			t.Errorf("%s", body)
		}
		if s.Annotations["stage"] != "staging" {
			t.Errorf("%s is not of its stage: %v", s.Name, s.Annotations)
		}
		all[s.Name] = s
	}
	if len(all) != count {
		t.Fatalf("%d segments, want %d: %v", len(all), count, all)
	}
	return all
}

func TestTheSegmentsOfAnInvocationFormATree(t *testing.T) {
	meta := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amzn-Trace-Id") != "" {
			t.Error("Meta is told our trace")
		}
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer meta.Close()
	client := tracing.HTTP(&http.Client{Timeout: time.Second})
	handle := tracing.Traced("outbox", func(ctx context.Context, in string) (string, error) {
		err := tracing.Step(telemetry.WithCorrelation(ctx, "flow-1"), "whatsapp.message",
			func(ctx context.Context) error {
				request, _ := http.NewRequestWithContext(ctx, http.MethodPost, meta.URL+"/v23.0/1/messages?token=hush",
					strings.NewReader("919876543210"))
				response, err := client.Do(request)
				if err == nil {
					_, _ = io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
				return err
			})
		return in + "!", err
	})
	if out, err := handle(invocation(t, "1"), "in"); out != "in!" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	all := received(t, 3)
	host := strings.TrimPrefix(meta.URL, "http://")
	root, step, call := all["outbox"], all["whatsapp.message"], all[host]
	if root.ParentID != parentID || step.ParentID != root.ID || call.ParentID != step.ID {
		t.Errorf("%+v", all)
	}
	if step.Annotations["correlationId"] != "flow-1" || root.Annotations["correlationId"] != "" {
		t.Errorf("annotated %v, %v", step.Annotations, root.Annotations)
	}
	if call.Namespace != "remote" || call.HTTP.Request.URL != meta.URL+"/v23.0/1/messages" ||
		call.HTTP.Response.Status != 429 ||
		!call.Error || !call.Throttle || call.Fault || strings.Contains(call.raw, "hush") ||
		strings.Contains(call.raw, "919876543210") {
		t.Errorf("%s", call.raw)
	}
}

func TestACallOfTheSDKIsASegment(t *testing.T) {
	status := http.StatusOK
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Amzn-Requestid", "r-1")
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(status)
		if status == http.StatusOK {
			_, _ = io.WriteString(w, `{}`)
		} else {
			_, _ = io.WriteString(w,
				`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",`+
					`"message":"919876543210"}`)
		}
	}))
	defer engine.Close()
	options := dynamodb.Options{
		Region: "ap-south-1", BaseEndpoint: &engine.URL, Credentials: aws.AnonymousCredentials{}}
	tracing.AWS(&options.APIOptions)
	client := dynamodb.New(options)
	put := func(ctx context.Context) error {
		_, err := client.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: aws.String("orders"), Item: map[string]types.AttributeValue{}})
		return err
	}
	for _, want := range []struct {
		status int
		error  bool
	}{{http.StatusOK, false}, {http.StatusBadRequest, true}} {
		status = want.status
		if err := put(invocation(t, "1")); (err != nil) != want.error {
			t.Fatal(err)
		}
		s := received(t, 1)["DynamoDB"]
		if s.Namespace != "aws" || s.AWS["operation"] != "PutItem" || s.AWS["region"] != "ap-south-1" ||
			s.AWS["request_id"] != "r-1" ||
			s.HTTP.Response.Status != want.status || s.Error != want.error || s.Fault ||
			strings.Contains(s.raw, "919876543210") {
			t.Errorf("%s", s.raw)
		}
	}
}

func TestAnErrorIsAFaultWithoutItsText(t *testing.T) {
	failed := errors.New("919876543210 owes 450")
	if err := tracing.Step(invocation(t, "1"), "work", func(context.Context) error { return failed }); !errors.Is(err,
		failed) {
		t.Errorf("became %v", err)
	}
	s := received(t, 1)["work"]
	if !s.Fault || s.Error || len(s.Cause.Exceptions) != 1 || s.Cause.Exceptions[0].Type != "*errors.errorString" ||
		strings.Contains(s.raw, "owes") {
		t.Errorf("%s", s.raw)
	}
}

func TestAPanicEndsItsSegment(t *testing.T) {
	func() {
		defer func() { _ = recover() }()
		_ = tracing.Step(invocation(t, "1"), "work", func(context.Context) error { panic("no") })
	}()
	received(t, 1)
}

func TestAnUnsampledInvocationSendsNothing(t *testing.T) {
	for _, ctx := range []context.Context{t.Context(), invocation(t, "0"), invocation(t, "?"), invocation(t, "")} {
		worked := false
		if err := tracing.Step(ctx, "work", func(context.Context) error { worked = true; return nil }); err != nil ||
			!worked {
			t.Errorf("%v, %v", worked, err)
		}
	}
	received(t, 0)
}
