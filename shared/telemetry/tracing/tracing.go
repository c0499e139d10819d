// Package tracing owns the traces: segments for AWS X-Ray below the one that Lambda begins for each invocation, and only
// where Lambda samples it. Only the functions off the hot path use it; the others appear in a trace by Lambda's own
// segments, and in a flow by its id in their lines.
//
// Of the X-Ray SDK it takes how a trace header and the daemon's address are written. The rest of that SDK brings gRPC
// and two more HTTP stacks, 2.3 MB and half of a cold start, for what is one datagram of JSON per segment.
//
// No segment holds a body, a name, a customer's number, or the text of an error.
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

// The annotations by which traces are found: those of a flow, and those of a stage, which can share an account.
const (
	CorrelationAnnotation = "correlationId"
	StageAnnotation       = "stage"
)

// stage is the one that the function runs in.
var stage = sync.OnceValue(func() string { return cmp.Or(os.Getenv("STAGE"), "dev") })

// Traced gives each invocation of a handler a segment of the function's name.
func Traced[I, O any](function string, handle func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	return func(ctx context.Context, in I) (out O, err error) {
		err = Step(ctx, function, func(ctx context.Context) error {
			out, err = handle(ctx, in)
			return err
		})
		return out, err
	}
}

// Step is a segment for a part of the work, found by the flow it belongs to.
func Step(ctx context.Context, name string, work func(ctx context.Context) error) error {
	ctx, s := begin(ctx, name)
	defer s.end() // a panic ends it, too
	err := work(ctx)
	s.failed(err)
	return err
}

// segment is one as X-Ray reads it. A nil one is of an invocation that is not sampled.
type segment struct {
	Name        string            `json:"name"`
	ID          string            `json:"id"`
	TraceID     string            `json:"trace_id"`
	ParentID    string            `json:"parent_id"`
	Type        string            `json:"type"`
	Start       float64           `json:"start_time"` // epoch seconds
	End         float64           `json:"end_time"`
	Namespace   string            `json:"namespace,omitempty"` // aws or remote, for a call to another service
	Annotations map[string]string `json:"annotations,omitempty"`
	HTTP        *httpData         `json:"http,omitempty"`
	AWS         map[string]string `json:"aws,omitempty"`
	Error       bool              `json:"error,omitempty"`    // the caller's fault
	Throttle    bool              `json:"throttle,omitempty"` // too many
	Fault       bool              `json:"fault,omitempty"`    // the service's fault
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

// lambdaHeader is where aws-lambda-go puts the trace header of an invocation.
const lambdaHeader = "x-amzn-trace-id"

// begin begins a segment below that of the context: one begun here, or Lambda's.
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

// failed says that the work ended in an error, and of which type. What the error says stays in the log.
func (s *segment) failed(err error) {
	if s == nil || err == nil {
		return
	}
	s.Fault = !s.Error
	s.Cause = &cause{[]exception{{ID: newID(), Type: fmt.Sprintf("%T", err)}}}
}

// answered says with which HTTP status a call was answered.
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
		_, _ = conn.Write(append([]byte(`{"format":"json","version":1}`+"\n"), text...)) // a trace that is lost is lost
	}
}

// daemon is the way to the daemon that Lambda runs beside a function.
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
	_, _ = rand.Read(id[:]) // documented never to fail
	return hex.EncodeToString(id[:])
}

func now() float64 { return float64(time.Now().UnixMicro()) / 1e6 }
