package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// asksByForm has the store bring goods, and ask for the address by its form. One customer fills it in; of another one
// the address is known, and a language model reads what they want.
func (c *commerceClient) asksByForm(store, settings string) {
	c.t.Helper()
	const customer, known = "919876533335", "919876533336"
	c.want(http.StatusOK, http.MethodPut, store, `{`+settings+`,"settings":{"assistant":true,"model":"openai:gpt-4o-mini",`+
		`"delivery":{"charge":"0","addressFlow":"4711"}},"version":`+c.version(store)+`}`, nil)
	c.says(customer, "2 packet tata salt", 2)
	first := c.fills(`{"from":"` + customer + `"}`)
	if first.Screen != "ADDRESS" {
		c.t.Fatalf("the form opens with %+v", first)
	}
	wrong := c.fills(`{"from":"` + customer + `","screen":"ADDRESS","data":{"address":"14 MG Road"}}`)
	if wrong.Screen != "ADDRESS" || !strings.Contains(string(wrong.Data), "six digits") {
		c.t.Fatalf("half of an address leads to %+v", wrong)
	}
	done := c.fills(`{"from":"` + customer + `","screen":"ADDRESS","data":{"address":"14 MG Road","city":"Delhi",` +
		`"postal_code":"110 001","default":true}}`)
	if done.Screen != "SUCCESS" || done.Message.ID == "" {
		c.t.Fatalf("the form ends with %+v", done)
	}
	c.reads(customer, 4) // the order with its address
	c.says(customer, "haan", 6)
	var made struct {
		Items []struct{ DeliveryAddress string }
	}
	c.r.get(c.t, store+"/orders?customer="+customer, &made, func() bool { return len(made.Items) == 1 })
	if got := made.Items[0].DeliveryAddress; got != "14 MG Road, Delhi, 110001" {
		c.t.Errorf("the order goes to %q", got)
	}
	c.keepsAddresses("/v1/conversations/" + shopPhone + ":" + customer + "/addresses")
	c.says(known, "hello", 2)
	home := "/v1/conversations/" + shopPhone + ":" + known + "/addresses/home"
	c.want(http.StatusOK, http.MethodPut, home, `{"address":"3 Lane","city":"Delhi"}`, nil)
	c.want(http.StatusOK, http.MethodPost, home+"/default", "", nil)
	c.asksModel(known)
}

// says has a customer write to the store, and waits for the answer.
func (c *commerceClient) says(customer, text string, messages int) {
	c.t.Helper()
	c.r.simulate(c.t, "/say", `{"from":"`+customer+`","phoneNumberId":"`+shopPhone+`","text":"`+text+`"}`)
	c.reads(customer, messages)
}

// reads waits until a conversation has so many messages, and the customer has read them.
func (c *commerceClient) reads(customer string, messages int) {
	c.t.Helper()
	var page timeline
	c.r.get(c.t, "/v1/conversations/"+shopPhone+":"+customer+"/messages", &page,
		func() bool {
			return len(page.Messages) >= messages && !slices.ContainsFunc(page.Messages, func(m timelineMessage) bool {
				return m.Direction == "outbound" && (m.Delivery == nil || m.Delivery.Status != "read")
			})
		})
}

// filled is what the endpoint of forms answers.
type filled struct {
	Status  int
	Screen  string
	Data    json.RawMessage
	Message struct{ ID string }
}

// fills has a customer open the form that they were sent last, or send a screen of it.
func (c *commerceClient) fills(body string) (answer filled) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.r.simulate(c.t, "/fill", body)), &answer); err != nil || answer.Status != 200 {
		c.t.Fatalf("%+v, %v", answer, err)
	}
	return answer
}

// keepsAddresses reads and changes the addresses of a customer who has sent one.
func (c *commerceClient) keepsAddresses(path string) {
	c.t.Helper()
	type address struct {
		ID      string
		Default bool
	}
	var all struct{ Items []address }
	c.want(http.StatusOK, http.MethodPut, path+"/office", `{"address":"1 Tower Lane"}`, nil)
	c.want(http.StatusOK, http.MethodPost, path+"/office/default", "", nil)
	c.want(http.StatusOK, http.MethodGet, path, "", &all)
	at := slices.IndexFunc(all.Items, func(a address) bool { return a.Default })
	if len(all.Items) != 2 || at < 0 || all.Items[at].ID != "office" {
		c.t.Errorf("the addresses are %+v", all.Items)
	}
	c.want(http.StatusOK, http.MethodGet, path+"/office", "", nil)
	c.want(http.StatusNoContent, http.MethodDelete, path+"/office", "", nil)
}
