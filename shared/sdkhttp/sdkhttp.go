// Package sdkhttp owns the HTTP client under AWS's SDK, so that an answer is read whole.
package sdkhttp

import (
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
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
