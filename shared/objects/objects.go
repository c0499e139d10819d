// Package objects keeps files in a bucket of S3: it stores, reads and deletes them, and makes links. It is a minimal
// client, because four operations do not justify another SDK module in every function.
package objects

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/haatline/haatline/shared/awsenv"
)

// Bucket is a bucket of S3.
type Bucket struct {
	name   string
	getenv func(string) string
	client *http.Client
	// Now is the clock by which requests are signed.
	Now func() time.Time
}

// Open returns the bucket that MEDIA_BUCKET names, in AWS_REGION, with Lambda's credentials. S3_ENDPOINT is the address
// of a local server instead of S3.
func Open(getenv func(string) string, client *http.Client) *Bucket {
	once := *client
	// a signature is valid for one address
	once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Bucket{name: getenv("MEDIA_BUCKET"), getenv: getenv, client: &once, Now: time.Now}
}

// Name returns the bucket's name.
func (b *Bucket) Name() string { return b.name }

// Object is a file to store. S3 checks that what it gets has the sum.
type Object struct {
	Key, ContentType string
	Body             io.Reader
	Size             int64
	SHA256           [32]byte
}

// Put stores a file, in place of what is under its key.
func (b *Bucket) Put(ctx context.Context, o Object) error {
	request, err := b.request(ctx, http.MethodPut, o.Key, io.NopCloser(io.LimitReader(o.Body, o.Size)))
	if err != nil {
		return err
	}
	request.ContentLength = o.Size
	if o.Size == 0 {
		request.Body = http.NoBody
	}
	request.Header.Set("Content-Type", o.ContentType)
	return b.do(request, o.SHA256)
}

// emptySHA256 is the hash of no bytes.
var emptySHA256 = [32]byte{
	0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
	0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
}

// Delete deletes what is under a key, if anything is.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	request, err := b.request(ctx, http.MethodDelete, key, nil)
	if err != nil {
		return err
	}
	return b.do(request, emptySHA256)
}

var signer = v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true })

func (b *Bucket) credentials() aws.Credentials {
	return awsenv.Credentials(b.getenv)
}

func (b *Bucket) request(ctx context.Context, method, key string, body io.Reader) (*http.Request, error) {
	address := "https://" + b.name + ".s3." + b.getenv("AWS_REGION") + ".amazonaws.com/"
	if endpoint := b.getenv("S3_ENDPOINT"); endpoint != "" {
		address = strings.TrimSuffix(endpoint, "/") + "/" + b.name + "/"
	}
	segments := strings.Split(key, "/")
	for i := range segments {
		segments[i] = url.PathEscape(segments[i])
	}
	return http.NewRequestWithContext(ctx, method, address+strings.Join(segments, "/"), body)
}

// do makes a request whose answer says nothing.
func (b *Bucket) do(request *http.Request, sum [32]byte) error {
	response, err := b.call(request, sum)
	if err == nil {
		discard(response)
	}
	return err
}

// call signs a request, and makes it. The caller closes the answer's body.
func (b *Bucket) call(request *http.Request, sum [32]byte) (*http.Response, error) {
	hash := hex.EncodeToString(sum[:])
	request.Header.Set("X-Amz-Content-Sha256", hash)
	if err := signer.SignHTTP(request.Context(), b.credentials(), request, hash, "s3", b.getenv("AWS_REGION"),
		b.Now()); err != nil {
		return nil, err
	}
	response, err := b.client.Do(request)
	if err != nil {
		return nil, errors.New("no answer from S3") // the error names the key
	}
	switch {
	case response.StatusCode < http.StatusMultipleChoices:
		return response, nil
	case response.StatusCode == http.StatusNotFound ||
		response.StatusCode == http.StatusForbidden && request.Method == http.MethodGet:
		err = ErrNone
	default:
		err = &statusError{response.StatusCode}
	}
	discard(response)
	return nil, err
}

// statusError is an answer of S3 that says that something has failed.
type statusError struct{ code int }

func (e *statusError) Error() string { return fmt.Sprintf("S3 answers %d", e.code) }

// discard reads the rest of an answer, so that its connection can be used again.
func discard(response *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	response.Body.Close()
}
