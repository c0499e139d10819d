package dynamo_test

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
)

// early is a transport whose answer comes before it has looked for the end of the request's body: the SDK closes the body
// meanwhile.
type early struct{ err error }

func (e *early) RoundTrip(request *http.Request) (*http.Response, error) {
	_, read := io.Copy(io.Discard, io.LimitReader(request.Body, request.ContentLength))
	closed := request.Body.Close()
	_, end := io.Copy(io.Discard, request.Body)
	e.err = errors.Join(read, closed, end)
	return nil, errors.New("no answer")
}

func TestAnAnswerThatComesEarlyFailsNoRequest(t *testing.T) {
	transport := &early{err: errors.New("nothing was sent")}
	if err := through("http://127.0.0.1:1", transport).Get(t.Context(), tables.Messages, keys.Message("1"), &struct{}{}); err == nil {
		t.Error("an answer out of nothing")
	}
	if transport.err != nil {
		t.Errorf("the end of the request: %v", transport.err)
	}
}
