package khataapi

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	reader "github.com/ledongthuc/pdf"
)

// words returns what a PDF file says.
func words(t *testing.T, content []byte) string {
	t.Helper()
	file, err := reader.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for i := range file.NumPage() {
		for _, piece := range file.Page(i + 1).Content().Text {
			all.WriteString(piece.S)
		}
	}
	return all.String()
}

func TestAStatementIsAFileInTheLanguageAskedFor(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	path := "/v1/stores/" + b.store + "/khata/customers/" + b.customer + "/statement/export?from=2026-11-01&to=2026-11-30"
	for query, want := range map[string]struct {
		status     int
		kind, says string
	}{
		"":                             {http.StatusOK, "text/csv; charset=utf-8", "credit_sale,500.00"},
		"&format=pdf":                  {http.StatusOK, "application/pdf", "You owe now"},
		"&format=pdf&language=hi-Latn": {http.StatusOK, "application/pdf", "Ab baaki"},
		"&format=png":                  {http.StatusUnprocessableEntity, "application/problem+json", "query.format"},
		"&format=pdf&language=ta":      {http.StatusUnprocessableEntity, "application/problem+json", "query.language"},
	} {
		answer := w.call("auditor", http.MethodGet, path+query, "", "")
		said := answer.Body
		if want.kind == "application/pdf" && answer.Status == http.StatusOK {
			file, err := base64.StdEncoding.DecodeString(answer.Body)
			w.must(err)
			said = words(t, file)
		}
		if answer.Status != want.status || answer.Headers["content-type"] != want.kind || !strings.Contains(said, want.says) {
			t.Errorf("%s: %d %s %.200s", query, answer.Status, answer.Headers["content-type"], said)
		}
	}
}
