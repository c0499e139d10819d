package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/cloud"
)

// The number of a company, and people with whom it has conversations.
const (
	companyPhone   = "406540352242955"
	companyPerson  = "919876555551"
	otherPerson    = "919876555552"
	assistedPerson = "919876555553"
	hookedPerson   = "919876555556"
	textedPerson   = "447700900555" // a text to India needs a registration
	strangerByText = "447700900556"
	mailedPerson   = "asha@example.com"
	strangerByMail = "ravi@example.com"
	goneMail       = "bounces@example.com"
)

// callConversations makes every call of companies and their conversations.
func callConversations(t *testing.T, r *running) {
	t.Helper()
	r.serves(t, companyPhone)
	r.texts(t, "+447700900444")
	c := &bookClient{commerceClient{client{t: t, r: r, name: "conversations"}}}
	const company, project = "/v1/companies/ci-e2e", "/v1/companies/ci-e2e/projects/pi-e2e"
	settings := `"name":"Cucumber Recruitment","phoneNumberId":"` + companyPhone + `","channelConfig":{` +
		`"company_whatsapp_number":"+447588713814","company_sms_number":"+447700900444",` +
		`"company_email":"replies@example.com"}}`
	c.want(http.StatusCreated, http.MethodPost, "/v1/companies", `{"id":"ci-e2e",`+settings, nil)
	c.want(http.StatusOK, http.MethodPut, company, `{"active":true,"version":1,`+settings, nil)
	c.want(http.StatusOK, http.MethodPut, project, `{"name":"Clarify CV","allowedChannels":["whatsapp","sms","email"],`+
		`"opening":{"template":"hello_world","language":"en_US","text":"Is your CV up to date?"},`+
		`"rules":{"initialMessage":true},"version":0}`, nil)
	c.converses(project)
	c.assists(project)
	c.signsCalls(company + "/projects/pi-call")
	c.asksModels(r.model, company)
	for _, list := range []string{
		"/v1/companies?tenantId=demo", company, company + "/projects", project, company + "/conversations?limit=1",
		company + "/conversations?projectId=pi-e2e", company + "/addresses/whatsapp/conversations",
		company + "/addresses/sms/conversations?recipient=%2B" + textedPerson,
		company + "/addresses/email/conversations",
		company + "/recipients/+" + companyPerson + "/conversations",
		company + "/recipients/+" + companyPerson + "/states/completed",
		company + "/recipients/+" + companyPerson + "/tasks/complete",
		company + "/recipients/+" + companyPerson + "/channels/sms",
	} {
		// whose calls are counted anew
		if status, answer := r.callAs(t, r.mintFor(t, "recruiter", "tenant:demo"), http.MethodGet, list,
			""); status != http.StatusOK {
			t.Fatalf("%s: %d %s", list, status, answer)
		}
	}
	r.eraseWith(t, "/v1/conversations/"+companyPhone+":"+companyPerson, `{"reason":"asked for it"}`)
}

// assists has an assistant answer from a list, hand over, and be given the conversation back.
func (c *bookClient) assists(project string) {
	c.t.Helper()
	for _, salary := range []string{"18000", "19000"} { // the second takes the place of the first
		c.want(http.StatusOK, http.MethodPut, project+"/questions",
			"id,question,answer,language\nsalary,What is the salary?,The salary is ₹"+salary+" a month. "+
				strings.Repeat("Ask us. ", 100)+",en\n", nil)
	}
	c.want(http.StatusOK, http.MethodGet, project+"/questions", "", nil)
	c.want(http.StatusOK, http.MethodPut, project, `{"name":"Clarify CV","allowedChannels":["whatsapp","sms"],`+
		`"opening":{"template":"hello_world","language":"en_US","text":"Is your CV up to date?"},`+
		`"aiConfig":{"assistant":"rules","lookups":["order_state","khata_balance","card_request"]},`+
		`"rules":{"replyMessage":true},"version":1}`, nil)
	c.want(http.StatusAccepted, http.MethodPost, project+"/conversations",
		`{"requestId":"req-3","channel":"whatsapp","recipient":{"tel":"+`+assistedPerson+`"},"consent":true}`, nil)
	talk := c.talk(project, assistedPerson, "req-3", "initial_message_sent")
	c.endsLater(talk)
	says := func(text string) {
		c.r.simulate(c.t, "/say", `{"from":"`+assistedPerson+`","phoneNumberId":"`+companyPhone+`","text":"`+text+`"}`)
	}
	var shown struct {
		Messages []struct{ Role, Text string }
	}
	for n := range 4 { // older entries move to a continuation, which the next turn reads
		says("What is the salary?")
		c.r.get(c.t, talk, &shown, func() bool {
			return len(shown.Messages) == 3+2*n && strings.Contains(shown.Messages[2+2*n].Text, "19000 a month")
		})
	}
	c.keepsSomething(assistedPerson)
	for n, looked := range []struct{ says, told string }{
		{"where is my order", "Verma Kirana: Your order"}, {"mera hisaab kitna hai", "Verma Kirana mein aapka baaki"},
		{"card ka kya hua", "ke liye aapka anurodh"},
	} {
		says(looked.says)
		c.r.get(c.t, talk, &shown, func() bool {
			return len(shown.Messages) == 11+2*n && strings.Contains(shown.Messages[10+2*n].Text, looked.told)
		})
	}
	says("agent")
	c.talk(project, assistedPerson, "req-3", "with_person")
}

// signsCalls has the person tell all that a project asks for, so that the company's own server is called. Nobody is at
// its address.
func (c *bookClient) signsCalls(project string) {
	c.t.Helper()
	c.want(http.StatusOK, http.MethodPut, project, `{"name":"Visits","allowedChannels":["whatsapp"],`+
		`"opening":{"template":"hello_world","language":"en_US"},`+
		`"aiConfig":{"assistant":"rules","slots":[{"name":"city","kind":"text"}]},`+
		`"function":`+aFunction("complete")+`,"rules":{"replyMessage":true},"version":0}`, nil)
	c.want(http.StatusAccepted, http.MethodPost, project+"/conversations",
		`{"requestId":"req-1","channel":"whatsapp","recipient":{"tel":"+`+hookedPerson+`"},"consent":true}`, nil)
	talk := c.talk(project, hookedPerson, "req-1", "initial_message_sent")
	var shown struct{ Messages []struct{ Text string } }
	for n, text := range []string{"hello", "Pune"} {
		c.r.simulate(c.t, "/say", `{"from":"`+hookedPerson+`","phoneNumberId":"`+companyPhone+`","text":"`+text+`"}`)
		c.r.get(c.t, talk, &shown, func() bool { return len(shown.Messages) == 3+2*n })
	}
	c.talk(project, hookedPerson, "req-1", "completed")
}

// aFunction is a function of a project at a host that nobody answers for.
func aFunction(when string) string {
	return `{"name":"book_visit","when":"` + when + `","description":"Books a visit.",` +
		`"url":"https://` + unansweredHost + `/hook","secret":"a secret that only the two of us know"}`
}

const unansweredHost = "api.acme.invalid"

// endsLater checks that the end of a conversation is listed among what waits, with its time, and not as failed.
func (c *bookClient) endsLater(talk string) {
	c.t.Helper()
	var shown struct{ ExpiresAt string }
	c.want(http.StatusOK, http.MethodGet, talk, "", &shown)
	var events struct {
		Items []struct{ Type, State, PlannedFor string }
	}
	c.r.get(c.t, "/v1/outbox?state=waiting&tenantId=demo&limit=100", &events, func() bool {
		for _, e := range events.Items {
			if e.Type == "conversations.expiry" && e.State == "waiting" && e.PlannedFor == shown.ExpiresAt {
				return true
			}
		}
		return false
	})
	c.want(http.StatusOK, http.MethodGet, "/v1/outbox?state=failed&tenantId=demo&limit=100", "", &events)
	for _, e := range events.Items {
		if e.Type == "conversations.expiry" {
			c.t.Errorf("%+v", e)
		}
	}
}

// keepsSomething has other domains keep something of a person: an order on credit, and a request for a card.
func (c *bookClient) keepsSomething(person string) {
	c.t.Helper()
	var stores struct{ Items []struct{ ID, Name string } }
	c.want(http.StatusOK, http.MethodGet, "/v1/stores?tenantId=demo", "", &stores)
	for _, store := range stores.Items {
		if store.Name == "Verma Kirana" {
			c.want(http.StatusCreated, http.MethodPost, "/v1/stores/"+store.ID+"/orders",
				`{"customer":"+`+person+`","items":[{"productId":"salt","quantity":"1"}]}`, nil)
		}
	}
	var user made
	c.want(http.StatusCreated, http.MethodPost, "/v1/cards/users", `{"name":"Meera","phone":"+`+person+
		`","score":600}`, &user)
	c.want(http.StatusCreated, http.MethodPost, "/v1/cards/users/"+user.ID+"/requests", `{"productId":"standard"}`, nil)
}

// talk waits until a conversation has a state, and returns its path.
func (c *bookClient) talk(project, person, request, status string) string {
	c.t.Helper()
	path := project + "/recipients/+" + person + "/conversations/" + request
	var state struct{ Status string }
	c.r.get(c.t, path, &state, func() bool { return state.Status == status })
	return path
}

// converses begins conversations on two channels, and plays one to its end.
func (c *bookClient) converses(project string) {
	c.t.Helper()
	begins := func(person, channel string) {
		c.want(http.StatusAccepted, http.MethodPost, project+"/conversations", `{"requestId":"req-1","channel":"`+channel+
			`","recipient":{"tel":"+`+person+`"},"consent":true}`, nil)
	}
	var mailed struct {
		Status   string
		Messages []struct{ ID string }
	}
	begins(textedPerson, "sms")
	c.talk(project, textedPerson, "req-1", "initial_message_sent")
	c.r.textsBack(c.t, strangerByText) // which belongs to no conversation
	c.r.textsBack(c.t, textedPerson)
	c.talk(project, textedPerson, "req-1", "with_person")
	c.want(http.StatusAccepted, http.MethodPost, project+"/conversations",
		`{"requestId":"req-1","channel":"email","recipient":{"email":"`+mailedPerson+`"},"consent":true}`, nil)
	c.r.get(c.t, project+"/recipients/"+mailedPerson+"/conversations/req-1", &mailed,
		func() bool { return mailed.Status == "initial_message_sent" })
	c.r.mailsBack(c.t, strangerByMail) // which belongs to no conversation
	c.r.mailsBack(c.t, mailedPerson)
	c.r.get(c.t, project+"/recipients/"+mailedPerson+"/conversations/req-1", &mailed,
		func() bool { return mailed.Status == "with_person" })
	c.want(http.StatusOK, http.MethodGet, "/v1/arrivals/"+mailed.Messages[1].ID, "", nil)
	c.want(http.StatusAccepted, http.MethodPost, project+"/conversations",
		`{"requestId":"req-1","channel":"email","recipient":{"email":"`+goneMail+`"},"consent":true}`, nil)
	c.r.get(c.t, project+"/recipients/"+goneMail+"/conversations/req-1", &mailed,
		func() bool { return mailed.Status == "failed" })
	c.r.simulate(c.t, "/faults", `{"match":{"to":"`+otherPerson+`"},"failStatus":{"code":131049,"title":"Not today"}}`)
	begins(otherPerson, "whatsapp")
	c.talk(project, otherPerson, "req-1", "failed")
	begins(companyPerson, "whatsapp")
	talk := c.talk(project, companyPerson, "req-1", "initial_message_sent")
	c.r.simulate(c.t, "/say", `{"from":"`+companyPerson+`","phoneNumberId":"`+companyPhone+`","text":"Yes, it is"}`)
	c.talk(project, companyPerson, "req-1", "with_person")
	c.want(http.StatusAccepted, http.MethodPost, talk+"/messages", `{"text":"Thank you."}`, nil)
	c.want(http.StatusOK, http.MethodPost, talk+"/hand-back", "", nil)
	c.want(http.StatusOK, http.MethodPost, talk+"/hand-over", `{"reason":"a question about pay"}`, nil)
	c.want(http.StatusOK, http.MethodPost, talk+"/complete", "", nil)
	// what the person writes now belongs to no open conversation, and opens one
	c.r.simulate(c.t, "/say", `{"from":"`+companyPerson+`","phoneNumberId":"`+companyPhone+`","text":"Any jobs?"}`)
	var opened struct{ Items []struct{ Status string } }
	c.r.get(c.t, "/v1/companies/ci-e2e/recipients/+"+companyPerson+"/states/with_person", &opened,
		func() bool { return len(opened.Items) == 1 })
	c.want(http.StatusOK, http.MethodPost, project+"/conversation-batches",
		`{"csv":"request_id,channel,tel,consent\nreq-2,whatsapp,+`+companyPerson+`,yes"}`, nil)
}

// mailsBack has somebody write an email to the company's address.
func (r *running) mailsBack(t *testing.T, from string) {
	t.Helper()
	r.written(t, cloud.EmailsPath, `{"from":"`+from+`","to":"replies@example.com","text":"Yes, it is"}`)
}

// textsBack has somebody write a text to the company's number.
func (r *running) textsBack(t *testing.T, from string) {
	t.Helper()
	r.written(t, cloud.TextsPath, `{"inboundMessageId":"from `+from+`","originationNumber":"+`+from+
		`","destinationNumber":"+447700900444","messageBody":"Yes, it is"}`)
}

// written gives the cloud what somebody has written.
func (r *running) written(t *testing.T, path, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.Addresses.HTTP+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if status, answer := do(t, request); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, answer)
	}
}
