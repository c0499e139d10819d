package objects

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Link returns an address under which anybody can read what is under a key for some time. answer sets headers of the
// response, by the names that S3 gives them, such as response-content-type. It makes no call.
func (b *Bucket) Link(ctx context.Context, key string, lasts time.Duration, answer url.Values) (string, error) {
	request, err := b.request(ctx, http.MethodGet, key, nil)
	if err != nil {
		return "", err
	}
	return b.presign(ctx, request, lasts, answer)
}

// LinkToPut returns an address under which anybody can store one file under a key for some time, with a PUT request.
// The size and the type are signed: S3 refuses a request with other ones. It makes no call.
func (b *Bucket) LinkToPut(ctx context.Context, key, contentType string, size int64,
	lasts time.Duration) (string, error) {
	return b.linkToPut(ctx, key, contentType, size, lasts, http.Header{})
}

// LinkToPutOnce is LinkToPut for a key under which nothing is: the request has the header If-None-Match with an
// asterisk, and S3 refuses it once a file is there.
func (b *Bucket) LinkToPutOnce(ctx context.Context, key, contentType string, size int64,
	lasts time.Duration) (string, error) {
	return b.linkToPut(ctx, key, contentType, size, lasts, http.Header{"If-None-Match": {"*"}})
}

func (b *Bucket) linkToPut(ctx context.Context, key, contentType string, size int64, lasts time.Duration,
	headers http.Header) (string, error) {
	request, err := b.request(ctx, http.MethodPut, key, nil)
	if err != nil {
		return "", err
	}
	request.ContentLength, request.Header = size, headers
	request.Header.Set("Content-Type", contentType)
	return b.presign(ctx, request, lasts, nil)
}

// presign returns the address of a request with its signature.
func (b *Bucket) presign(ctx context.Context, request *http.Request, lasts time.Duration,
	query url.Values) (string, error) {
	all := url.Values{"X-Amz-Expires": {strconv.Itoa(int(lasts.Seconds()))}}
	for name, values := range query {
		all[name] = values
	}
	request.URL.RawQuery = strings.ReplaceAll(all.Encode(), "+", "%20")
	address, _, err := signer.PresignHTTP(ctx, b.credentials(), request, "UNSIGNED-PAYLOAD", "s3",
		b.getenv("AWS_REGION"), b.Now())
	return address, err
}
