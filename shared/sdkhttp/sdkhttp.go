// Package sdkhttp owns the HTTP client under AWS's SDK, so that an answer is read whole, and a dead connection costs no more
// than one attempt.
package sdkhttp

import (
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/haatline/haatline/shared/invocation"
)

// client sends requests whose body can be read and closed, and nothing else.
type client struct{ next aws.HTTPClient }

// Client returns an HTTP client that sends through next and loses no answer that comes early.
//
// The SDK closes a request's body as soon as the answer begins. Its closed body answers Read with io.EOF, as it should, and
// WriteTo with io.EOF too, which io.Copy takes for a failure. Where the answer comes while net/http still looks for the end
// of the body, net/http therefore closes the connection, and the rest of the answer is lost ("use of closed network
// connection"). A body without WriteTo has no such end.
func Client(next aws.HTTPClient) aws.HTTPClient { return client{next} }

func (c client) Do(request *http.Request) (*http.Response, error) {
	if request.Body != nil && request.Body != http.NoBody {
		request.Body = struct{ io.ReadCloser }{request.Body}
	}
	return c.next.Do(request)
}

// attempts sends each request within a time of its own.
type attempts struct {
	client  http.Client
	longest time.Duration
}

// Attempts returns an HTTP client that gives up a request after the longest time, or earlier where the invocation would have
// no time for another try. The SDK then repeats it; the end of the request's own context it would take for the caller's.
func Attempts(transport http.RoundTripper, longest time.Duration) aws.HTTPClient {
	return attempts{http.Client{Transport: transport, CheckRedirect: asItIs}, longest}
}

// asItIs follows no redirect: the services give none, and a signature holds for one address.
func asItIs(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func (a attempts) Do(request *http.Request) (*http.Response, error) {
	client := a.client
	client.Timeout = invocation.Attempt(request.Context(), a.longest)
	return client.Do(request)
}
