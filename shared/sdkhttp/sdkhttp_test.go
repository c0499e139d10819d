package sdkhttp_test

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/shared/sdkhttp"
)

// early is a transport whose answer arrives before it has read the end of the request's body. The SDK closes the body
// meanwhile.
type early struct{ err error }

func (e *early) RoundTrip(request *http.Request) (*http.Response, error) {
	_, read := io.Copy(io.Discard, io.LimitReader(request.Body, request.ContentLength))
	closed := request.Body.Close()
	_, end := io.Copy(io.Discard, request.Body)
	e.err = errors.Join(read, closed, end)
	return nil, errors.New("no answer")
}

func TestAnEarlyAnswerFailsNoRequest(t *testing.T) {
	transport := &early{err: errors.New("nothing was sent")}
	db := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String("http://127.0.0.1:1"), Region: "ap-south-1", Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient:  sdkhttp.Client(&http.Client{Transport: transport}),
	})
	if _, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("any")}); err == nil {
		t.Error("an answer out of nothing")
	}
	if transport.err != nil {
		t.Errorf("the end of the request: %v", transport.err)
	}
}
