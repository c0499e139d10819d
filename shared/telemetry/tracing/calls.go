package tracing

import (
	"context"
	"errors"
	"net/http"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// AWS adds tracing to an AWS SDK client. A segment has the call's service, operation, region, status and duration.
func AWS(options *[]func(*middleware.Stack) error) {
	*options = append(*options, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Trace", traceCall), middleware.After)
	})
}

func traceCall(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	middleware.InitializeOutput, middleware.Metadata, error) {
	ctx, s := begin(ctx, awsmiddleware.GetServiceID(ctx))
	if s == nil {
		return next.HandleInitialize(ctx, in)
	}
	defer s.end()
	s.Namespace = "aws"
	s.AWS = map[string]string{"operation": awsmiddleware.GetOperationName(ctx), "region": awsmiddleware.GetRegion(ctx)}
	out, metadata, err := next.HandleInitialize(ctx, in)
	if id, ok := awsmiddleware.GetRequestIDMetadata(metadata); ok {
		s.AWS["request_id"] = id
	}
	status := http.StatusOK
	if err != nil {
		var refused *smithyhttp.ResponseError
		status = 0
		if errors.As(err, &refused) {
			status = refused.HTTPStatusCode()
		}
	}
	s.answered(status)
	s.failed(err)
	return out, metadata, err
}

// HTTP returns a client whose requests are traced. A segment has host, path, status and duration, and no content.
func HTTP(client *http.Client) *http.Client {
	traced := *client
	if traced.Transport == nil {
		traced.Transport = http.DefaultTransport
	}
	traced.Transport = transport{traced.Transport}
	return &traced
}

type transport struct{ http.RoundTripper }

// CloseIdleConnections passes the call on, because http.Client only closes connections of transports with this method.
func (t transport) CloseIdleConnections() {
	if closer, ok := t.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, s := begin(request.Context(), request.URL.Host)
	if s == nil {
		return t.RoundTripper.RoundTrip(request)
	}
	defer s.end()
	s.Namespace = "remote"
	s.HTTP = &httpData{
		Request: &httpRequest{
			Method: request.Method, URL: request.URL.Scheme + "://" + request.URL.Host + request.URL.Path}}
	response, err := t.RoundTripper.RoundTrip(request.WithContext(ctx))
	if response != nil {
		s.answered(response.StatusCode)
	}
	s.failed(err)
	return response, err
}
