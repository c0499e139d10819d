package corpus

import (
	"encoding/base64"
	"encoding/json"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/whatsapp"
)

// inside returns the body in a sample event of the webhook function. It returns any other file unchanged. why is set if
// the webhook would refuse the sample, which is then left out.
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
