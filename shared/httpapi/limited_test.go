package httpapi_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
)

// limiter keeps the calls of each, and answers what a test says.
type limiter struct {
	asked []string
	wait  time.Duration
	err   error
}

func (l *limiter) Take(_ context.Context, who model.Name, class string) (time.Duration, error) {
	l.asked = append(l.asked, string(who)+" "+class)
	return l.wait, l.err
}

func TestATenantThatCallsTooOftenIsRefusedBeforeAnythingIsRead(t *testing.T) {
	person := map[string]string{"sub": "p1", "cognito:groups": "[tenant:acme tenant:other operator]"}
	for name, c := range map[string]struct {
		claims map[string]string
		method string
		wait   time.Duration
		err    error
		asked  string
		status int
		after  string
	}{
		"a read":       {person, "GET", 0, nil, "acme tenant_reads", 204, ""},
		"a change":     {person, "POST", 0, nil, "acme tenant_changes", 204, ""},
		"too many":     {person, "GET", 1500 * time.Millisecond, nil, "acme tenant_reads", 429, "2"},
		"no tenant":    {map[string]string{"sub": "p1"}, "GET", time.Second, nil, "p1 tenant_reads", 429, "1"},
		"nobody":       {nil, "GET", time.Second, nil, "", 204, ""},
		"no answer":    {person, "GET", 0, errors.New("DynamoDB is down"), "acme tenant_reads", 204, ""},
		"a wrong name": {map[string]string{"sub": "p#1"}, "GET", time.Second, nil, "", 204, ""},
	} {
		l := &limiter{wait: c.wait, err: c.err}
		handle := httpapi.NewHandler(httpapi.Limited(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
		}), l, slog.New(slog.DiscardHandler)))
		var event events.APIGatewayV2HTTPRequest
		event.RawPath, event.RequestContext.HTTP.Method = "/v1/orders", c.method
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: c.claims}}
		answer, err := handle(t.Context(), event)
		asked := ""
		for _, one := range l.asked {
			asked += one
		}
		if err != nil || asked != c.asked || answer.StatusCode != c.status || answer.Headers["retry-after"] != c.after {
			t.Errorf("%s: %q, %d, %v, %v", name, asked, answer.StatusCode, answer.Headers, err)
		}
	}
}
