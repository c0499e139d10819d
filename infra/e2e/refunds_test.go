package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/tables"
)

// givesBack has a customer pay what a message of the shop asks for, and gives some of it back.
func (c *commerceClient) givesBack() {
	c.t.Helper()
	var sent struct{ ID string }
	c.want(http.StatusAccepted, http.MethodPost,
		"/v1/conversations/"+shopPhone+":"+shopCustomer+"/messages/order-details",
		`{"body":"Please pay.","order":{"referenceId":"BACK-1","goods":"physical_goods","currency":"INR",`+
			`"paymentType":"upi","paymentConfiguration":"upi-main","quickPay":true,"subtotal":9500,"tax":{"amount":0},`+
			`"total":9500}}`, &sent)
	var message struct{ SentAt string }
	c.r.get(c.t, "/v1/messages/"+sent.ID, &message, func() bool { return message.SentAt != "" })
	c.r.simulate(c.t, "/pay", `{"phoneNumberId":"`+shopPhone+`","referenceId":"BACK-1","status":"captured"}`)
	const order = "/v1/numbers/" + shopPhone + "/payment-orders/BACK-1"
	var paid struct{ Status string }
	c.r.get(c.t, order, &paid, func() bool { return paid.Status == "completed" })
	var refund struct{ RefundID, Status string }
	c.want(http.StatusAccepted, http.MethodPost, order+"/refunds", `{"amount":"20.50","reason":"damaged"}`, &refund)
	c.r.get(c.t, order+"/refunds/"+refund.RefundID, &refund, func() bool { return refund.Status == "completed" })
	c.want(http.StatusOK, http.MethodGet, order+"/refunds", "", nil)
}

// payable has the business take payments by UPI: a configuration is made at Meta, validated, the default, and deleted.
func (c *commerceClient) payable() {
	c.t.Helper()
	const all = "/v1/tenants/demo/payment-configurations"
	const one = all + "/e2e"
	var shown struct{ Status string }
	c.want(http.StatusAccepted, http.MethodPut, one,
		`{"type":"upi","wabaId":"102290129340398","upiId":"shop@bank","mcc":"5411","purposeCode":"00"}`, nil)
	c.r.get(c.t, one, &shown, func() bool { return shown.Status == "active" })
	c.want(http.StatusAccepted, http.MethodPost, one+"/validate", "", nil)
	c.want(http.StatusOK, http.MethodPost, one+"/make-default", "", nil)
	c.want(http.StatusConflict, http.MethodDelete, one, "", nil)
	c.want(http.StatusOK, http.MethodPatch, "/v1/tenants/demo", `{"defaultPaymentConfig":""}`, nil)
	c.want(http.StatusNoContent, http.MethodDelete, one, "", nil)
	var left struct{ Items []any }
	c.r.get(c.t, all, &left, func() bool { return len(left.Items) == 0 })
}

// throughGateway has a customer pay through a payment gateway, whose own webhook alone tells of it: WhatsApp is silent.
func (c *commerceClient) throughGateway() {
	c.t.Helper()
	const one = "/v1/tenants/demo/payment-configurations/razorpay-e2e"
	var shown struct{ Status string }
	c.want(http.StatusAccepted, http.MethodPut, one,
		`{"type":"pg","wabaId":"102290129340398","provider":"razorpay","mcc":"5411","purposeCode":"00"}`, nil)
	c.r.get(c.t, one, &shown, func() bool { return shown.Status != "" })
	if status, answer := c.r.callAs(c.t, c.r.mint(c.t, "platform"), http.MethodPut, one+"/webhook-secret",
		`{"secret":"secretsmanager:`+names.AccountSecrets(tables.Dev)+`gateway"}`); status != http.StatusOK {
		c.t.Fatalf("the secret of the gateway: %d %s", status, answer)
	}
	var sent struct{ ID string }
	c.want(http.StatusAccepted, http.MethodPost,
		"/v1/conversations/"+shopPhone+":"+shopCustomer+"/messages/order-details",
		`{"body":"Please pay.","order":{"referenceId":"GATE-1","goods":"physical_goods","currency":"INR",`+
			`"paymentConfiguration":"razorpay-e2e","quickPay":true,"subtotal":9500,"tax":{"amount":0},`+
			`"total":9500}}`, &sent)
	var message struct{ SentAt string }
	c.r.get(c.t, "/v1/messages/"+sent.ID, &message, func() bool { return message.SentAt != "" })
	c.r.simulate(c.t, "/pay",
		`{"phoneNumberId":"`+shopPhone+`","referenceId":"GATE-1","status":"captured","silent":true}`)
	var paid struct{ Status string }
	c.r.get(c.t, "/v1/numbers/"+shopPhone+"/payment-orders/GATE-1", &paid,
		func() bool { return paid.Status == "completed" })
	const body = `{"event":"settlement.processed"}` // which is nothing to us, and comes twice
	for range 2 {
		mac := hmac.New(sha256.New, []byte("local-gateway-secret"))
		mac.Write([]byte(body))
		request := c.r.request(c.t, "", http.MethodPost, "/webhooks/payments/demo/razorpay-e2e", body)
		request.Header.Set("X-Razorpay-Signature", hex.EncodeToString(mac.Sum(nil)))
		if status, answer := do(c.t, request); status != http.StatusOK {
			c.t.Errorf("what the gateway posts: %d %s", status, answer)
		}
	}
}
