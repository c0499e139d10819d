package whatsappsim_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

func TestWhoWroteByAnotherWayMayBeAnswered(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	body := func(kind string, at time.Time) []byte {
		return fmt.Appendf(nil, `{"object":"whatsapp_business_account","entry":[7,{"changes":[{"value":{"metadata":`+
			`{"phone_number_id":%q},"contacts":["?",{"wa_id":"919811111111"}],"messages":[null,{"from":"919811111111",`+
			`"type":%q,"timestamp":"%d"}]}}]}]}`, phone, kind, at.Unix())
	}
	signed := func(body []byte) string {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		return "sha256=" + hex.EncodeToString(mac.Sum(nil))
	}
	hour := now.Add(-time.Hour)
	for name, c := range map[string]struct {
		body      []byte
		signature string
		want      int
	}{
		"signed":            {body("text", hour), signed(body("text", hour)), http.StatusOK},
		"a day old":         {body("text", now.Add(-25*time.Hour)), signed(body("text", now.Add(-25*time.Hour))), 400},
		"not a message":     {body("reaction", hour), signed(body("reaction", hour)), 400},
		"signed as another": {body("text", hour), signed([]byte("other")), 400},
		"not signed":        {body("text", hour), "", 400},
		"not JSON":          {[]byte("{"), signed([]byte("{")), 400},
	} {
		t.Run(name, func(t *testing.T) {
			sim := start(t,
				whatsappsim.Options{RefuseOutsideWindow: true, Now: func() time.Time { return now }})
			sim.Posted(c.body, c.signature)
			status, answer := sim.call(http.MethodPost, "/v23.0/"+phone+"/messages", text("919811111111", "hi"))
			if status != c.want || status != http.StatusOK && errorCode(t, answer) != 131047 {
				t.Errorf("%d %v", status, answer)
			}
		})
	}
}
