package cloud

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/topology"
)

// PreTokenPath is where a command that makes tokens asks the function that says which groups they hold.
const PreTokenPath = "/_local/pre-token"

const maxPreToken = 1 << 20

func (c *Cloud) servePreToken(w http.ResponseWriter, r *http.Request) {
	event, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPreToken))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := c.Invoke(r.Context(), topology.ForTokens().Name, event)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer)
}

// PreToken asks the cloud at an address. It is for commands beside a running cloud.
func PreToken(front string) identity.Trigger {
	client := &http.Client{Timeout: 10 * time.Second}
	return func(event []byte) ([]byte, error) {
		response, err := client.Post(front+PreTokenPath, "application/json", bytes.NewReader(event))
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(io.LimitReader(response.Body, maxPreToken))
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", response.Status, answer)
		}
		return answer, err
	}
}
