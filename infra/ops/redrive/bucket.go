package redrive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// bucket is a minimal S3 client, because three operations do not justify another SDK module.
type bucket struct {
	account aws.Config
	name    string
}

// maxObject bounds the size of an object that is read: a batch has at most 6 MB, and is escaped.
const maxObject = 64 << 20

// list returns one page of the keys under a prefix, and where the next page starts, "" after the last.
func (b bucket) list(ctx context.Context, prefix, after string) (keys []string, next string, err error) {
	query := url.Values{"list-type": {"2"}, "prefix": {prefix}, "encoding-type": {"url"}}
	if after != "" {
		query.Set("continuation-token", after)
	}
	body, err := b.call(ctx, http.MethodGet, "", query)
	if err != nil {
		return nil, "", err
	}
	var page struct {
		Contents              []struct{ Key string }
		NextContinuationToken string
	}
	if err := xml.Unmarshal(body, &page); err != nil {
		return nil, "", fmt.Errorf("list of objects: %w", err)
	}
	for _, object := range page.Contents {
		key, err := url.QueryUnescape(object.Key)
		if err != nil {
			return nil, "", fmt.Errorf("key of an object: %w", err)
		}
		keys = append(keys, key)
	}
	return keys, page.NextContinuationToken, nil
}

func (b bucket) read(ctx context.Context, key string) ([]byte, error) {
	return b.call(ctx, http.MethodGet, key, nil)
}

func (b bucket) remove(ctx context.Context, key string) error {
	_, err := b.call(ctx, http.MethodDelete, key, nil)
	return err
}

func (b bucket) call(ctx context.Context, method, key string, query url.Values) ([]byte, error) {
	address := "https://" + b.name + ".s3." + b.account.Region + ".amazonaws.com/"
	if base := aws.ToString(b.account.BaseEndpoint); base != "" {
		address = strings.TrimSuffix(base, "/") + "/" + b.name + "/"
	}
	segments := strings.Split(key, "/")
	for i := range segments {
		segments[i] = url.PathEscape(segments[i])
	}
	request, err := http.NewRequestWithContext(ctx, method, address+strings.Join(segments, "/"), nil)
	if err != nil {
		return nil, err
	}
	request.URL.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	credentials, err := b.account.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, err
	}
	nothing := sha256.Sum256(nil)
	hash := hex.EncodeToString(nothing[:])
	request.Header.Set("X-Amz-Content-Sha256", hash)
	err = v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }).
		SignHTTP(ctx, credentials, request, hash, "s3", b.account.Region, time.Now())
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxObject))
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		var refusal struct{ Code, Message string } // other fields may quote the request
		_ = xml.NewDecoder(bytes.NewReader(body)).Decode(&refusal)
		return nil, fmt.Errorf("S3 answers %d %s %s", response.StatusCode, refusal.Code, refusal.Message)
	}
	return body, nil
}
