// Package sdkhttp provides the HTTP client for the AWS SDK. It reads every answer completely, and a dead connection
// costs no more than one attempt.
package sdkhttp

import (
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/haatline/haatline/shared/invocation"
)

// client hides every method of a request's body except Read and Close.
type client struct{ next aws.HTTPClient }

// Client returns an HTTP client that sends through next and loses no answer that arrives early.
//
// The SDK closes a request's body as soon as the answer begins. Read on its closed body correctly returns io.EOF, but
// WriteTo returns io.EOF, too, which io.Copy treats as a failure. If the answer arrives while net/http still looks for
// the end of the body, net/http then closes the connection and the rest of the answer is lost ("use of closed network
// connection"). Without WriteTo the problem does not occur.
func Client(next aws.HTTPClient) aws.HTTPClient { return client{next} }

func (c client) Do(request *http.Request) (*http.Response, error) {
	if request.Body != nil && request.Body != http.NoBody {
		request.Body = struct{ io.ReadCloser }{request.Body}
	}
	return c.next.Do(request)
}

// attempts sends each request with a time-out of its own.
type attempts struct {
	client  http.Client
	longest time.Duration
}

// Attempts returns an HTTP client that ends a request after longest, or earlier if the invocation would have no time
// for another attempt. It uses the client's time-out, because the SDK would not retry after the request's own context
// ended.
func Attempts(transport http.RoundTripper, longest time.Duration) aws.HTTPClient {
	return attempts{http.Client{Transport: transport, CheckRedirect: noRedirects}, longest}
}

// noRedirects follows no redirects: AWS services send none, and a signature is valid for one address only.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func (a attempts) Do(request *http.Request) (*http.Response, error) {
	client := a.client
	client.Timeout = invocation.Attempt(request.Context(), a.longest)
	return client.Do(request)
}
