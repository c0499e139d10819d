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

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/haatline/haatline/shared/invocation"
)

// manager is Secrets Manager, as far as one operation goes. The SDK's client would do the same and cost every cold start
// of the webhook a tenth of its time, in a function that asks once in five minutes; the signature is the SDK's.
type manager struct {
	getenv func(string) string
}

const (
	// All attempts together end within half of the webhook's 15 s: what follows needs time, too.
	fetchAttempts = 3
	fetchTimeout  = 2 * time.Second
	fetchWait     = 100 * time.Millisecond
	maxSecret     = 1 << 20
)

// client keeps no connection: the next question comes after minutes, and a connection that died meanwhile, while the process
// was frozen, would take an attempt with it.
var client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, DisableKeepAlives: true}}

// errRefused is an answer that no repetition changes.
var errRefused = errors.New("refused")

// fetch reads a secret's text by its name or ARN. Its errors hold the service's code and never what the service said.
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
	credentials := aws.Credentials{
		AccessKeyID: m.getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: m.getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: m.getenv("AWS_SESSION_TOKEN"),
	}
	if err := v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(hash[:]), "secretsmanager", m.getenv("AWS_REGION"), time.Now()); err != nil {
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

// endpoint is the service in the process's region, or what AWS's own variable says.
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
