package corpus

import (
	"encoding/base64"
	"encoding/json"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/whatsapp"
)

// inside returns the body that a sample event of the webhook's function holds, as in events/webhook; any other file is
// returned as it is. It says why where the webhook would not take the sample: it is left out, because it shows a refusal.
func inside(raw []byte, secret string) (body []byte, why string) {
	var sample events.APIGatewayV2HTTPRequest
	if json.Unmarshal(raw, &sample) != nil || sample.Version != "2.0" || sample.RouteKey == "" {
		return raw, ""
	}
	if method := sample.RequestContext.HTTP.Method; method != "POST" {
		return nil, "a sample of a " + method + " posts nothing"
	}
	body = []byte(sample.Body)
	if sample.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(sample.Body); err != nil {
			return nil, "the sample's body is not base64"
		}
	}
	if sample.Headers["x-hub-signature-256"] != whatsapp.Sign(secret, body) {
		return nil, "a sample with a signature that is not of -secret, which the webhook refuses"
	}
	return body, ""
}
