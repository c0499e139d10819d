package say

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/shared/engine"
)

// errNotRunning means that no local cloud has written its addresses.
var errNotRunning = errors.New("a text or an email needs the running local cloud: make run")

// text has somebody write a text to a company's number.
func text(ctx context.Context, from, to, says string, out io.Writer) error {
	id := rand.Text()
	_, err := hand(ctx, cloud.TextsPath, map[string]string{
		"inboundMessageId": id, "originationNumber": from, "destinationNumber": to, "messageBody": says})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "said %s: the text is on its way to the functions\n", id)
	return err
}

// letter has somebody write an email to a company's address.
func letter(ctx context.Context, l email.Letter, out io.Writer) error {
	id, err := hand(ctx, cloud.EmailsPath, l)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "said %s: the email is on its way to the functions\n", id)
	return err
}

// hand gives the running local cloud what somebody has written, and returns what it answers.
func hand(ctx context.Context, path string, written any) (answer string, err error) {
	root, err := engine.Root()
	if err != nil {
		return "", err
	}
	running, err := cloud.ReadAddresses(cloud.Dir(root, os.Getenv))
	if err != nil || running.HTTP == "" {
		return "", errors.Join(errNotRunning, err)
	}
	body, err := json.Marshal(written)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, running.HTTP+path, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", errors.Join(errNotRunning, err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	answer = strings.TrimSpace(string(said))
	if response.StatusCode != http.StatusAccepted {
		return "", fmt.Errorf("not said: %s", answer)
	}
	return answer, err
}
