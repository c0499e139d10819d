package whatsappsim_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// upload posts a file, and returns the status and the decoded answer.
func (s simulator) upload(product, mimeType string, data []byte) (int, map[string]any) {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("messaging_product", product)
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="f"`}, "Content-Type": {mimeType}})
	if err != nil {
		s.t.Fatal(err)
	}
	_, _ = part.Write(data)
	_ = form.Close()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/v25.0/"+phone+"/media", &body)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", form.FormDataContentType())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, answer
}

// download gets an address of a file.
func (s simulator) download(address, token string) (int, string) {
	s.t.Helper()
	response, err := s.tryWith(token, http.MethodGet, strings.TrimPrefix(address, s.url), "")
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

func TestAFileIsUploadedSentDownloadedAndDeleted(t *testing.T) {
	clock := newClock()
	sim := start(t, whatsappsim.Options{Now: clock.Now})
	_, answer := sim.upload("whatsapp", "image/png", []byte("a picture"))
	id := at[string](t, answer, "id")
	sim.mustSend(message("image", `{"id":"`+id+`"}`))
	_, shown := sim.call("GET", "/v25.0/"+id, "")
	sum := sha256.Sum256([]byte("a picture"))
	if shown["mime_type"] != "image/png" || shown["file_size"] != 9.0 || shown["sha256"] != hex.EncodeToString(sum[:]) {
		t.Errorf("%v", shown)
	}
	address := at[string](t, shown, "url")
	if status, data := sim.download(address, token); status != http.StatusOK || data != "a picture" {
		t.Errorf("%d %s", status, data)
	}
	if status, data := sim.download(address, "another"); status != http.StatusUnauthorized ||
		strings.Contains(data, "a picture") {
		t.Errorf("without the token: %d %s", status, data)
	}
	clock.advance(6 * time.Minute)
	if status, _ := sim.download(address, token); status != http.StatusNotFound {
		t.Errorf("after six minutes: %d", status)
	}
	if status, answer := sim.call("DELETE", "/v25.0/"+id, ""); status != http.StatusOK || answer["success"] != true {
		t.Errorf("%d %v", status, answer)
	}
	for _, call := range [][2]string{{"GET", "/v25.0/" + id}, {"DELETE", "/v25.0/" + id}} {
		if status, answer := sim.call(call[0], call[1], ""); status != http.StatusBadRequest ||
			at[float64](t, answer, "error", "error_subcode") != 33 {
			t.Errorf("%s: %d %v", call, status, answer)
		}
	}
}

func TestFilesThatWhatsAppDoesNotTake(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	for name, c := range map[string]struct {
		product, mimeType string
		bytes, code       int
	}{
		"no product":        {"", "image/png", 1, 100},
		"an unknown type":   {"whatsapp", "image/gif", 1, 100},
		"nothing":           {"whatsapp", "image/png", 0, 131053},
		"too large":         {"whatsapp", "image/webp", 501 << 10, 131053},
		"larger than a PNG": {"whatsapp", "image/png", 5<<20 + 1, 131053},
	} {
		if status, answer := sim.upload(c.product, c.mimeType,
			make([]byte, c.bytes)); status != http.StatusBadRequest || errorCode(t, answer) != c.code {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
	if status, answer := sim.call("POST", "/v25.0/"+phone+"/media", `{}`); status != http.StatusBadRequest ||
		errorCode(t, answer) != 100 {
		t.Errorf("no form: %d %v", status, answer)
	}
}
