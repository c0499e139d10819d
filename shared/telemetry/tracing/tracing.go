// Package tracing writes AWS X-Ray segments below the segment that Lambda begins for each invocation, if Lambda samples
// the invocation. The functions webhook, inbound and status do not use it: they appear in a trace through Lambda's own
// segments, and in a flow through the correlation id on their log lines.
//
// No segment holds a message body, a name, a phone number, or the text of an error.
//
// # Why it writes segments by itself
//
// It uses the X-Ray SDK only for the format of trace headers and the daemon's address. A segment is one datagram of
// JSON to the daemon that Lambda runs beside each function, so a function does not wait for it. AWS recommends
// OpenTelemetry instead of the X-Ray SDK, which gets only security fixes since February 2026. Both cost much more here.
// Measured for the function outbox with Go 1.26 (the sizes for arm64, built as make build does; the start is the median
// time of 40 starts until the function asked for work, on x86-64):
//
//	                                                size    as zip     start
//	this package                                 11.7 MB    4.4 MB    4.2 ms
//	the recorder and clients of X-Ray SDK 2.0    20.3 MB    7.1 MB    6.2 ms
//	OpenTelemetry 1.47, with OTLP over HTTP      21.9 MB    7.6 MB    6.0 ms
//
// Both bring gRPC. The SDK can trace its calls and those of fasthttp, and its package brings both to everybody.
// OpenTelemetry's exporter brings gRPC even if it sends over HTTP. This package could do without the SDK, but the
// function would be only 7 kB smaller as a zip.
//
// Without a collector, OpenTelemetry sends spans to the OTLP endpoint of X-Ray. It needs more than this package: a
// signed HTTPS request before the end of each traced invocation, because Lambda freezes the function after it; a
// permission to write spans; and Transaction Search, which somebody must enable for the whole account and which stores
// spans in CloudWatch Logs. Its Go module for X-Ray's ids and headers is deprecated. OpenTelemetry is right when traces
// have to go to another service than X-Ray.
package tracing

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/aws/aws-xray-sdk-go/v2/daemoncfg"
	"github.com/aws/aws-xray-sdk-go/v2/header"

	"github.com/haatline/haatline/shared/telemetry"
)

// The annotations to search traces by. Several stages can share an account.
const (
	CorrelationAnnotation = "correlationId"
	StageAnnotation       = "stage"
)

// stage returns the stage that the function runs in.
var stage = sync.OnceValue(func() string { return cmp.Or(os.Getenv("STAGE"), "dev") })

// Traced returns a handler with a segment per invocation, named after the function.
func Traced[I, O any](function string, handle func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	return func(ctx context.Context, in I) (out O, err error) {
		err = Step(ctx, function, func(ctx context.Context) error {
			out, err = handle(ctx, in)
			return err
		})
		return out, err
	}
}

// Step runs work within a segment that is annotated with the correlation id. It returns work's error.
func Step(ctx context.Context, name string, work func(ctx context.Context) error) error {
	ctx, s := begin(ctx, name)
	defer s.end() // also after a panic
	err := work(ctx)
	s.failed(err)
	return err
}

// segment is an X-Ray segment document. It is nil if the invocation is not sampled.
type segment struct {
	Name        string            `json:"name"`
	ID          string            `json:"id"`
	TraceID     string            `json:"trace_id"`
	ParentID    string            `json:"parent_id"`
	Type        string            `json:"type"`
	Start       float64           `json:"start_time"` // seconds since 1970
	End         float64           `json:"end_time"`
	Namespace   string            `json:"namespace,omitempty"` // aws or remote, for a call to another service
	Annotations map[string]string `json:"annotations,omitempty"`
	HTTP        *httpData         `json:"http,omitempty"`
	AWS         map[string]string `json:"aws,omitempty"`
	Error       bool              `json:"error,omitempty"`    // 4xx: the caller's fault
	Throttle    bool              `json:"throttle,omitempty"` // 429: too many requests
	Fault       bool              `json:"fault,omitempty"`    // 5xx: the service's fault
	Cause       *cause            `json:"cause,omitempty"`
}

type (
	httpData struct {
		Request  *httpRequest `json:"request,omitempty"`
		Response httpResponse `json:"response"`
	}
	httpRequest struct {
		Method string `json:"method"`
		URL    string `json:"url"`
	}
	httpResponse struct {
		Status int `json:"status"`
	}
	cause struct {
		Exceptions []exception `json:"exceptions"`
	}
	exception struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	}
)

type segmentKey struct{}

// lambdaHeader is the context key under which aws-lambda-go stores the invocation's trace header.
const lambdaHeader = "x-amzn-trace-id"

// begin starts a segment below the context's segment, or below Lambda's.
func begin(ctx context.Context, name string) (context.Context, *segment) {
	s := &segment{Name: name, ID: newID(), Type: "subsegment", Start: now()}
	if parent, ok := ctx.Value(segmentKey{}).(*segment); ok {
		s.TraceID, s.ParentID = parent.TraceID, parent.ID
	} else {
		text, _ := ctx.Value(lambdaHeader).(string)
		of := header.FromString(text)
		if of.SamplingDecision != header.Sampled || of.TraceID == "" || of.ParentID == "" {
			return ctx, nil
		}
		s.TraceID, s.ParentID = of.TraceID, of.ParentID
	}
	s.Annotations = map[string]string{StageAnnotation: stage()}
	if flow := telemetry.Correlation(ctx); flow != "" {
		s.Annotations[CorrelationAnnotation] = flow
	}
	return context.WithValue(ctx, segmentKey{}, s), s
}

// failed records the type of the error that ended the work. The error's text is only in the log.
func (s *segment) failed(err error) {
	if s == nil || err == nil {
		return
	}
	s.Fault = !s.Error
	s.Cause = &cause{[]exception{{ID: newID(), Type: fmt.Sprintf("%T", err)}}}
}

// answered records the HTTP status of a call.
func (s *segment) answered(status int) {
	if s == nil || status == 0 {
		return
	}
	if s.HTTP == nil {
		s.HTTP = &httpData{}
	}
	s.HTTP.Response.Status = status
	s.Throttle = status == 429
	s.Error = status >= 400 && status < 500
	s.Fault = status >= 500
}

func (s *segment) end() {
	if s == nil {
		return
	}
	s.End = now()
	text, err := json.Marshal(s)
	if err != nil {
		return
	}
	if conn := daemon(); conn != nil {
		_, _ = conn.Write(append([]byte(`{"format":"json","version":1}`+"\n"), text...)) // a lost segment is acceptable
	}
}

// daemon returns the connection to the X-Ray daemon that Lambda runs beside a function.
var daemon = sync.OnceValue(func() net.Conn {
	addresses, err := daemoncfg.GetDaemonEndpointsFromEnv()
	if err != nil {
		return nil
	}
	if addresses == nil {
		addresses = daemoncfg.GetDefaultDaemonEndpoints()
	}
	conn, err := net.DialUDP("udp", nil, addresses.UDPAddr)
	if err != nil {
		return nil
	}
	return conn
})

func newID() string {
	var id [8]byte
	_, _ = rand.Read(id[:]) // documented never to return an error
	return hex.EncodeToString(id[:])
}

func now() float64 { return float64(time.Now().UnixMicro()) / 1e6 }
