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
	"github.com/haatline/haatline/shared/engine"
)

// errNotRunning means that no local cloud has written its addresses.
var errNotRunning = errors.New("a text needs the running local cloud: make run")

// text has somebody write a text to a company's number.
func text(ctx context.Context, from, to, says string, out io.Writer) error {
	root, err := engine.Root()
	if err != nil {
		return err
	}
	running, err := cloud.ReadAddresses(cloud.Dir(root, os.Getenv))
	if err != nil || running.HTTP == "" {
		return errors.Join(errNotRunning, err)
	}
	id := rand.Text()
	notice, err := json.Marshal(map[string]string{
		"inboundMessageId": id, "originationNumber": from, "destinationNumber": to, "messageBody": says})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, running.HTTP+cloud.TextsPath,
		bytes.NewReader(notice))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return errors.Join(errNotRunning, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusAccepted {
		why, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10)) // what there is of it
		return fmt.Errorf("not said: %s", strings.TrimSpace(string(why)))
	}
	_, err = fmt.Fprintf(out, "said %s: the text is on its way to the functions\n", id)
	return err
}
