package e2e

import (
	"net/http"
)

// givesBack has a customer pay what a message of the shop asks for, and gives some of it back.
func (c *commerceClient) givesBack() {
	c.t.Helper()
	var sent struct{ MessageID string }
	c.want(http.StatusAccepted, http.MethodPost,
		"/v1/conversations/"+shopPhone+":"+shopCustomer+"/messages/order-details",
		`{"body":"Please pay.","order":{"referenceId":"BACK-1","goods":"physical_goods","currency":"INR",`+
			`"paymentType":"upi","paymentConfiguration":"upi-main","quickPay":true,"subtotal":9500,"tax":{"amount":0},`+
			`"total":9500}}`, &sent)
	var message struct{ Status string }
	c.r.get(c.t, "/v1/messages/"+sent.MessageID, &message,
		func() bool { return message.Status != "" && message.Status != "queued" })
	c.r.simulate(c.t, "/pay", `{"phoneNumberId":"`+shopPhone+`","referenceId":"BACK-1","status":"captured"}`)
	const order = "/v1/numbers/" + shopPhone + "/payment-orders/BACK-1"
	var paid struct{ Status string }
	c.r.get(c.t, order, &paid, func() bool { return paid.Status == "completed" })
	var refund struct{ RefundID, Status string }
	c.want(http.StatusAccepted, http.MethodPost, order+"/refunds", `{"amount":"20.50","reason":"damaged"}`, &refund)
	c.r.get(c.t, order+"/refunds/"+refund.RefundID, &refund, func() bool { return refund.Status == "completed" })
	c.want(http.StatusOK, http.MethodGet, order+"/refunds", "", nil)
}
