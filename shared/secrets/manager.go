package secrets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/haatline/haatline/shared/awsenv"
	"github.com/haatline/haatline/shared/invocation"
)

// manager calls one operation of Secrets Manager. The SDK's client would take a tenth of the webhook's cold start for
// one call in five minutes. The request's signature is made by the SDK.
type manager struct {
	getenv func(string) string
}

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
	var err error
	for attempt := range fetchAttempts {
		if attempt > 0 {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(time.Duration(attempt) * fetchWait):
			}
		}
		var value string
		if value, err = m.ask(ctx, id); err == nil || errors.Is(err, errRefused) {
			return value, err
		}
	}
	return "", err
}

func (m manager) ask(ctx context.Context, id string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, invocation.Attempt(ctx, fetchTimeout))
	defer cancel()
	body, err := json.Marshal(map[string]string{"SecretId": id})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint(), bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	request.Header.Set("X-Amz-Target", "secretsmanager.GetSecretValue")
	hash := sha256.Sum256(body)
	credentials := awsenv.Credentials(m.getenv)
	err = v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(hash[:]), "secretsmanager",
		m.getenv("AWS_REGION"), time.Now())
	if err != nil {
		return "", fmt.Errorf("sign: %w", err)
	}
	response, err := client.Do(request)
	if err != nil {
		return "", errors.New("no answer")
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxSecret))
	if err != nil {
		return "", errors.New("no whole answer")
	}
	return read(response.StatusCode, answer)
}

// endpoint returns the service's address in the process's region, or the one in AWS's own environment variable.
func (m manager) endpoint() string {
	if url := m.getenv("AWS_ENDPOINT_URL_SECRETS_MANAGER"); url != "" {
		return url
	}
	region, domain := m.getenv("AWS_REGION"), "amazonaws.com"
	if strings.HasPrefix(region, "cn-") {
		domain = "amazonaws.com.cn"
	}
	return "https://secretsmanager." + region + "." + domain + "/"
}

func read(status int, answer []byte) (string, error) {
	var out struct {
		SecretString string
		Type         string `json:"__type"`
	}
	err := json.Unmarshal(answer, &out)
	switch {
	case status == http.StatusOK && err == nil:
		return out.SecretString, nil
	case status >= http.StatusInternalServerError || strings.Contains(out.Type, "Throttling"):
		return "", fmt.Errorf("HTTP %d", status)
	}
	return "", fmt.Errorf("%w: HTTP %d %s", errRefused, status, out.Type)
}
