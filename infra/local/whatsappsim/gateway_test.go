package whatsappsim_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// throughRazorpay is an order that goes through a payment gateway.
const throughRazorpay = `"payment_settings":[{"type":"payment_gateway","payment_gateway":{"type":"razorpay",` +
	`"configuration_name":"shop","razorpay":{"receipt":"ord-1","notes":{"reference_id":"ord-1",` +
	`"phone_number_id":"` + phone + `"}}}}],"reference_id"`

// The gateway tells of a payment and of a refund, also where WhatsApp is silent. What it posts is signed, and read like
// Razorpay's.
func TestThePaymentGatewayTells(t *testing.T) {
	posted := make(chan string, 9)
	gateway := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte("s3cret"))
		mac.Write(body)
		var event struct {
			Event   string
			Payload struct {
				Payment, Refund struct {
					Entity struct {
						ID     string
						Amount int
						Notes  any
					}
				}
			}
		}
		err := json.Unmarshal(body, &event)
		of, back := event.Payload.Payment.Entity, event.Payload.Refund.Entity
		posted <- fmt.Sprint(r.URL.Path, " ",
			r.Header.Get("X-Razorpay-Signature") == hex.EncodeToString(mac.Sum(nil)), " ", event.Event, " ", of.ID, " ",
			of.Amount, " ", of.Notes, " ", back.ID, " ", back.Amount, " ", err)
	}))
	t.Cleanup(gateway.Close)
	sim := start(t, whatsappsim.Options{GatewayURL: gateway.URL + "/demo", GatewaySecret: "s3cret"})
	sim.call("POST", "/simulator/say", `{"from":"`+asha+`","text":"what do I owe?"}`)
	sim.mustSend(interactive("order_details", strings.Replace(order(1000, 1050), `"reference_id"`,
		throughRazorpay, 1)))
	sim.call("POST", "/simulator/pay",
		`{"phoneNumberId":"`+phone+`","referenceId":"ord-1","status":"pending","silent":true}`)
	sim.call("POST", "/simulator/pay",
		`{"phoneNumberId":"`+phone+`","referenceId":"ord-1","status":"captured","silent":true}`)
	const notes = " map[phone_number_id:" + phone + " reference_id:ord-1] "
	if got := <-posted; got != "/demo/shop true payment.captured pay_ord-1 1050"+notes+" 0 <nil>" {
		t.Error(got)
	}
	status, answer := sim.call("POST", "/v25.0/"+phone+"/payments_refund",
		`{"reference_id":"ord-1","speed":"normal","payment_config_id":"shop","amount":{"currency":"INR","value":"500",`+
			`"offset":"100"}}`)
	if got := <-posted; status != http.StatusOK ||
		got != "/demo/shop true refund.processed pay_ord-1 1050"+notes+fmt.Sprint(answer["id"])+" 500 <nil>" {
		t.Error(status, got)
	}
}
