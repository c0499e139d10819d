package secrets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/awsenv"
	"github.com/haatline/haatline/shared/invocation"
)

// manager calls one operation of Secrets Manager. The SDK's client would take a tenth of the webhook's cold start for
// one call in five minutes. The request's signature is made by the SDK.
type manager struct {
	getenv func(string) string
}

// operation is one of a service of AWS that speaks JSON. The variable has the address of a stand-in.
type operation struct{ service, target, variable string }

var secretsManager = operation{"secretsmanager", "secretsmanager.GetSecretValue", "AWS_ENDPOINT_URL_SECRETS_MANAGER"}

const (
	// All attempts together take at most half of the webhook's 15 s, because the request still has to be processed.
	fetchAttempts = 3
	fetchTimeout  = 2 * time.Second
	fetchWait     = 100 * time.Millisecond
	maxSecret     = 1 << 20
)

// client keeps no idle connections. The next call comes minutes later, and a connection that died while the process was
// frozen would cost an attempt.
var client = &http.Client{
	Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, DisableKeepAlives: true}}

// errRefused means that repeating the call cannot help.
var errRefused = errors.New("refused")

// fetch returns a secret's text by its name or ARN. Its errors contain the service's error code and never its message.
func (m manager) fetch(ctx context.Context, id string) (string, error) {
	answer, err := m.call(ctx, secretsManager, map[string]string{"SecretId": id})
	return answer.SecretString, err
}

// answer is what the operations answer that are called.
type answer struct {
	SecretString              string
	Plaintext, CiphertextBlob []byte
	Type                      string `json:"__type"`
}

// call calls an operation, a few times if it must. It changes nothing, so that it may be repeated.
func (m manager) call(ctx context.Context, of operation, in any) (out answer, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	for attempt := range fetchAttempts {
		if attempt > 0 {
			select {
			case <-ctx.Done():
				return out, ctx.Err()
			case <-time.After(time.Duration(attempt) * fetchWait):
			}
		}
		if out, err = m.ask(ctx, of, body); err == nil || errors.Is(err, errRefused) {
			return out, err
		}
	}
	return out, err
}

func (m manager) ask(ctx context.Context, of operation, body []byte) (out answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, invocation.Attempt(ctx, fetchTimeout))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint(of), bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	request.Header.Set("X-Amz-Target", of.target)
	if err := awsenv.Sign(request, body, of.service, m.getenv); err != nil {
		return out, fmt.Errorf("sign: %w", err)
	}
	response, err := client.Do(request)
	if err != nil {
		return out, errors.New("no answer")
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxSecret))
	if err != nil {
		return out, errors.New("no whole answer")
	}
	return read(response.StatusCode, text)
}

// endpoint returns the service's address in the process's region, or the one in AWS's own environment variable.
func (m manager) endpoint(of operation) string {
	if url := m.getenv(of.variable); url != "" {
		return url
	}
	region, domain := m.getenv("AWS_REGION"), "amazonaws.com"
	if strings.HasPrefix(region, "cn-") {
		domain = "amazonaws.com.cn"
	}
	return "https://" + of.service + "." + region + "." + domain + "/"
}

func read(status int, text []byte) (out answer, err error) {
	err = json.Unmarshal(text, &out)
	switch {
	case status == http.StatusOK && err == nil:
		return out, nil
	case status >= http.StatusInternalServerError || strings.Contains(out.Type, "Throttling"):
		return answer{}, fmt.Errorf("HTTP %d", status)
	}
	return answer{}, fmt.Errorf("%w: HTTP %d %s", errRefused, status, out.Type)
}
