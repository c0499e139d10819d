package dynamo

import (
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// wire sends requests whose body is read and nothing else.
//
// The SDK closes a request's body as soon as the answer begins. Its closed body answers Read with io.EOF, as it should, and
// WriteTo with io.EOF too, which io.Copy takes for a failure. Where the answer comes while net/http looks for the end of a
// body larger than its buffer, net/http therefore closes the connection, and the rest of the answer is lost ("use of
// closed network connection"). A body without WriteTo has no such end.
type wire struct{ next dynamodb.HTTPClient }

// bodiesOnly puts a wire before an SDK client's HTTP client.
func bodiesOnly(options *dynamodb.Options) { options.HTTPClient = wire{next: options.HTTPClient} }

func (w wire) Do(request *http.Request) (*http.Response, error) {
	if request.Body != nil && request.Body != http.NoBody {
		request.Body = struct{ io.ReadCloser }{request.Body}
	}
	return w.next.Do(request)
}
