package cloud_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	"github.com/haatline/haatline/shared/whatsapp/content/contenttest"
)

// sent returns the body of a sample as haatline sends it.
func sent(t *testing.T, sample contenttest.Sample, to whatsapp.Recipient) string {
	t.Helper()
	at := slices.IndexFunc(content.Kinds, func(k content.Kind) bool { return k.Name == sample.Kind })
	c := content.Kinds[at].New()
	if err := json.Unmarshal([]byte(sample.Body), c); err != nil {
		t.Fatal(err)
	}
	m, err := content.Compose(c)
	if err != nil {
		t.Fatal(err)
	}
	body, err := m.Body(to, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestTheSimulatedWhatsAppAcceptsEveryKindThatHaatlineSends(t *testing.T) {
	const phone = "106540352242922"
	simulator, err := whatsappsim.New(whatsappsim.Options{
		AppSecret:    "a-secret",
		PhoneNumbers: map[string]string{phone: "15550001111"},
		MediaIDs:     []string{"1", "123", contenttest.MediaID},
		TemplatesDir: "../whatsappsim/testdata/templates",
		Logger:       slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(simulator.Close)
	for i, sample := range slices.Concat(contenttest.Samples, contenttest.Templates) {
		t.Run(sample.Kind+" "+sample.Name, func(t *testing.T) {
			// Two customers stay within the rate for one customer.
			to := whatsapp.Recipient{ID: []string{"919800000001", "919800000002"}[i%2]}
			if sample.Kind == "pin" || sample.Kind == "unpin" {
				to = whatsapp.Recipient{ID: "Y2FwaV9ncm91cDox", Group: true}
			}
			request := httptest.NewRequest("POST", "/v25.0/"+phone+"/messages", strings.NewReader(sent(t, sample, to)))
			request.Header.Set("Authorization", "Bearer a-token")
			answer := httptest.NewRecorder()
			simulator.ServeHTTP(answer, request)
			if answer.Code != http.StatusOK {
				text, _ := io.ReadAll(answer.Body)
				t.Errorf("%d %s", answer.Code, text)
			}
		})
	}
}
