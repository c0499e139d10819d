package whatsapp_test

import (
	"errors"
	"net/url"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestMetaIsAskedAboutANumber(t *testing.T) {
	for name, c := range map[string]struct {
		call   whatsapp.NumberCall
		status int
		answer string
		asks   string
		shows  string // the status in the answer
		class  whatsapp.Class
		says   string // the refusal
	}{
		"what it has": {whatsapp.NumberCall{Edge: "settings", Query: url.Values{"fields": {"a,b"}}}, 200,
			`{"calling":{"status":"ENABLED"}}`, "GET /v23.0/106540352242922/settings Bearer token",
			"ENABLED", 0, ""},
		"of the number itself": {whatsapp.NumberCall{Method: "POST", Body: map[string]string{"pin": "123456"}}, 200,
			`{"success":true}`, "POST /v23.0/106540352242922 Bearer token", "", 0, ""},
		"a refusal": {whatsapp.NumberCall{}, 400, `{"error":{"code":100,"message":"Invalid parameter"}}`, "", "",
			whatsapp.Never, "WhatsApp error 100: Invalid parameter"},
		"an error beside success": {whatsapp.NumberCall{}, 200, `{"error":{"code":2,"message":"down"}}`, "", "",
			whatsapp.Retry, "WhatsApp error 2: down"},
		"no JSON": {whatsapp.NumberCall{}, 502, `<html>`, "", "", whatsapp.Retry, "WhatsApp answered HTTP 502"},
		"a body that is none": {whatsapp.NumberCall{Body: make(chan int)}, 200, `{}`, "", "", whatsapp.Never,
			"WhatsApp error 0: the request cannot be written"},
		"a person who is not blocked": {whatsapp.NumberCall{Method: "POST", Edge: "block_users"}, 400,
			`{"block_users":{"failed_users":[{"errors":[{"code":139103,"message":"no",` +
				`"error_data":{"details":"they have not written"}}]}]},"error":{"code":139100,"message":"some"}}`, "", "",
			whatsapp.Never, "WhatsApp error 139103: they have not written"},
		"and no reason": {whatsapp.NumberCall{Method: "POST", Edge: "block_users"}, 200,
			`{"block_users":{"failed_users":[{"input":"1"}]}}`, "", "", whatsapp.Never,
			"WhatsApp error 0: Meta does not say why"},
	} {
		t.Run(name, func(t *testing.T) {
			graph, asked := meta(t, c.status, c.answer)
			o, err := graph.AboutNumber(t.Context(), "106540352242922", c.call)
			if c.says != "" {
				var refused *whatsapp.SendError
				if !errors.As(err, &refused) || refused.Class != c.class || refused.Ambiguous || err.Error() != c.says {
					t.Errorf("%v", err)
				}
				return
			}
			if got := o.Object("calling").Text("status"); err != nil || asked() != c.asks || got != c.shows {
				t.Errorf("asked %s, %q, %v", asked(), got, err)
			}
		})
	}
	graph, _ := meta(t, 200, `{}`)
	if _, err := graph.AboutNumber(t.Context(), "../me", whatsapp.NumberCall{}); err == nil {
		t.Error("another path was asked")
	}
}
