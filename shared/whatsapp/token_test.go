package whatsapp_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestATokenSaysWhenItEnds(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		answer string
		ends   time.Time
		fails  bool
	}{
		"at a time":       {200, `{"data":{"is_valid":true,"expires_at":1795264263}}`, time.Unix(1795264263, 0), false},
		"never":           {200, `{"data":{"is_valid":true,"expires_at":0}}`, time.Time{}, false},
		"nobody knows":    {200, `{"data":{}}`, time.Time{}, true},
		"not accepted":    {401, `{"error":{"code":190,"message":"expired"}}`, time.Time{}, true},
		"no answer of it": {503, `busy`, time.Time{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := ""
			g := graph(t, func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.Path + " " + r.URL.Query().Get("input_token") + " " + r.Header.Get("Authorization")
				answering(c.status, c.answer)(w, r)
			})
			ends, err := g.TokenEnds(t.Context())
			if !ends.Equal(c.ends) || (err != nil) != c.fails || err != nil && strings.Contains(err.Error(), token) {
				t.Errorf("%v, %v", ends, err)
			}
			if asked != "/v24.0/debug_token "+token+" Bearer "+token {
				t.Errorf("asked %q", asked)
			}
		})
	}
}
