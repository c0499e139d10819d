package front

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// writeResponse writes a function's answer. As in payload version 2.0, an answer without a status code is itself the
// body. CORS headers come from the gateway and not from the function. If it returns an error, nothing was written.
func writeResponse(w http.ResponseWriter, payload []byte, cors map[string]string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(payload, &fields); err != nil || fields["statusCode"] == nil {
		if !json.Valid(payload) {
			return errors.New("the response is not JSON")
		}
		w.Header().Set("Content-Type", "application/json")
		setAll(w.Header(), cors)
		_, _ = w.Write(payload)
		return nil
	}
	var response events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(payload, &response); err != nil {
		return fmt.Errorf("decode response: %w", err)
	}
	if response.StatusCode < 200 || response.StatusCode > 599 {
		return fmt.Errorf("status code %d", response.StatusCode)
	}
	body := []byte(response.Body)
	if response.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(response.Body); err != nil {
			return fmt.Errorf("decode body: %w", err)
		}
	}
	header := w.Header()
	for name, value := range response.Headers {
		if !strings.HasPrefix(strings.ToLower(name), corsPrefix) {
			header.Set(name, value)
		}
	}
	setAll(header, cors)
	for _, cookie := range response.Cookies {
		header.Add("Set-Cookie", cookie)
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", "text/plain;charset=UTF-8")
	}
	header.Del("Content-Length") // the gateway sets it itself
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(body)
	return nil
}
