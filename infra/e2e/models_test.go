package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/haatline/haatline/infra/local/cloud"
)

// People who talk with a language model.
const (
	modelPerson = "919876555554"
	hungPerson  = "919876555555"
)

// aSalary is what the company's list says, so long that older entries of a conversation move to a continuation.
var aSalary = "The salary is ₹18000 a month. " + strings.Repeat("Ask us. ", 100)

// modelServer stands in for a server of the Responses API. It looks up what a person asks for, says what was looked up,
// and else what the list says. In what is written to a shop it reads that salt is wanted.
type modelServer struct {
	url string

	mu     sync.Mutex
	during map[string]func() // happens while it is asked, by words of the person
	busy   bool              // it refuses the next question
}

func newModelServer(t *testing.T) *modelServer {
	t.Helper()
	m := &modelServer{during: map[string]func(){}}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// while has something happen the next time that a person's words are asked for.
func (m *modelServer) while(words string, do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.during[words] = do
}

func (m *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Input []struct{ Type, Role, Content, Name, Output string }
	}
	body, _ := io.ReadAll(r.Body)
	if json.Unmarshal(body, &asked) != nil || len(asked.Input) == 0 ||
		r.Header.Get("Authorization") != "Bearer local-model-key" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	said, tool, result := "", "", ""
	for _, item := range asked.Input {
		switch {
		case item.Type == "function_call":
			tool = item.Name
		case item.Type == "function_call_output":
			result = item.Output
		case item.Role == "user":
			said = item.Content
		}
	}
	m.mu.Lock()
	do, busy := m.during[said], m.busy
	delete(m.during, said)
	m.busy = false
	m.mu.Unlock()
	if busy {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if do != nil {
		do()
	}
	answer := func(reply, source string) (string, string) {
		text, _ := json.Marshal(map[string]any{"action": "answer", "reply": reply, "sources": []string{source},
			"asks": nil, "values": map[string]any{}})
		return "answer", string(text)
	}
	name, arguments := answer(aSalary, "salary")
	for words, lookup := range map[string]string{
		"order": "order_state", "owe": "khata_balance", "card": "card_request", "visit": "book_visit"} {
		if tool == "" && strings.Contains(said, words) {
			name, arguments = lookup, "{}"
		}
	}
	if tool != "" {
		name, arguments = answer(result, tool)
	}
	if strings.Contains(string(body), `"name":"read"`) { // of a message to a shop
		name = "read"
		arguments = `{"action":"order","lines":[{"thing":null,"product":"salt","quantity":null}]}`
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"status": "completed", "usage": map[string]any{"input_tokens": 900, "output_tokens": 40},
		"output": []any{map[string]any{"type": "function_call", "name": name, "arguments": arguments}}})
}

// withModel allows one model, at a server.
func withModel(m *modelServer) func(*cloud.Config) {
	return func(c *cloud.Config) {
		env := c.Getenv
		c.Getenv = func(name string) string {
			if value := map[string]string{"MODELS": "openai:gpt-4o-mini", "MODEL_URL": m.url,
				"MODEL_API_KEY": "local-model-key", "FUNCTION_HOSTS": unansweredHost}[name]; value != "" {
				return value
			}
			return env(name)
		}
	}
}

// asksModels has a language model answer: from a list, with what it looks up, and after it was busy.
func (c *bookClient) asksModels(m *modelServer, company string) {
	c.t.Helper()
	project := company + "/projects/pi-model"
	c.modelled(project, modelPerson)
	talk := project + "/recipients/+" + modelPerson + "/conversations/req-1"
	var shown struct {
		Messages []struct {
			Text  string
			Usage struct{ TotalTokens int }
		}
	}
	says := func(person, text string) {
		c.r.simulate(c.t, "/say", `{"from":"`+person+`","phoneNumberId":"`+companyPhone+`","text":"`+text+`"}`)
	}
	for n := range 4 {
		says(modelPerson, "what salary do you pay")
		c.r.get(c.t, talk, &shown, func() bool {
			return len(shown.Messages) == 3+2*n && strings.Contains(shown.Messages[2+2*n].Text, "18000 a month")
		})
	}
	c.keepsSomething(modelPerson)
	for n, looked := range []struct{ says, told string }{
		{"where is my order", "Your order"}, {"how much do I owe", "owe"}, {"what about my card", "card"}} {
		says(modelPerson, looked.says)
		c.r.get(c.t, talk, &shown, func() bool {
			return len(shown.Messages) == 11+2*n && strings.Contains(shown.Messages[10+2*n].Text, looked.told)
		})
	}
	m.mu.Lock()
	m.busy = true
	m.mu.Unlock()
	says(modelPerson, "what salary do you pay")
	c.r.get(c.t, talk, &shown, func() bool { return len(shown.Messages) == 17 })
	asked := make(chan struct{})
	m.while("a visit, please", func() { close(asked) })
	says(modelPerson, "a visit, please") // which calls the company's server in vain
	<-asked
	c.r.eraseWith(c.t, "/v1/conversations/"+companyPhone+":"+modelPerson,
		`{"reason":"asked for it","openOrders":"cancel"}`)
}

// modelled makes a project that a model answers for, and begins conversations with people.
func (c *bookClient) modelled(project string, people ...string) {
	c.t.Helper()
	settings := func(model string) string {
		return `{"name":"Jobs","allowedChannels":["whatsapp"],"opening":{"template":"hello_world","language":"en_US"},` +
			`"aiConfig":{"assistant":"openai","model":"` + model + `","languages":["en"],` +
			`"lookups":["order_state","khata_balance","card_request"],"limits":{"conversation":{"tokens":200000}}},"function":` + aFunction("asked") + `,` +
			`"rules":{"replyMessage":true},"version":0}`
	}
	c.want(http.StatusUnprocessableEntity, http.MethodPut, project, settings("gpt-9"), nil)
	c.want(http.StatusOK, http.MethodPut, project, settings("gpt-4o-mini"), nil)
	c.want(http.StatusOK, http.MethodPut, project+"/questions",
		"id,question,answer,language\nsalary,What salary do you pay?,"+aSalary+",en\n", nil)
	for _, person := range people {
		c.want(http.StatusAccepted, http.MethodPost, project+"/conversations",
			`{"requestId":"req-1","channel":"whatsapp","recipient":{"tel":"+`+person+`"},"consent":true}`, nil)
		c.talk(project, person, "req-1", "initial_message_sent")
	}
}

// While the model hangs for one person, another one is answered by it, a file is fetched, and a message goes out.
func TestAModelThatHangsHoldsUpNobody(t *testing.T) {
	t.Parallel()
	m := newModelServer(t)
	r := start(t, t.TempDir(), withModel(m))
	r.serves(t, companyPhone)
	c := &bookClient{commerceClient{client{t: t, r: r, name: "conversations"}}}
	const company, project = "/v1/companies/ci-e2e", "/v1/companies/ci-e2e/projects/pi-model"
	c.want(http.StatusCreated, http.MethodPost, "/v1/companies", `{"id":"ci-e2e","name":"Haat Jobs","phoneNumberId":"`+
		companyPhone+`","channelConfig":{"company_whatsapp_number":"+447588713814"}}`, nil)
	c.modelled(project, hungPerson, modelPerson)
	says := func(person, text string) {
		r.simulate(t, "/say", `{"from":"`+person+`","phoneNumberId":"`+companyPhone+`","text":"`+text+`"}`)
	}
	reached, goOn := make(chan bool), make(chan bool)
	ends := sync.OnceFunc(func() { close(goOn) })
	defer ends()
	m.while("how is the salary", func() {
		close(reached)
		<-goOn
	})
	says(hungPerson, "how is the salary")
	<-reached
	says(modelPerson, "what salary do you pay")
	var talk struct{ Messages []struct{ Text string } }
	r.get(t, project+"/recipients/+"+modelPerson+"/conversations/req-1", &talk,
		func() bool { return len(talk.Messages) == 3 })
	r.simulate(t, "/say",
		`{"from":"919876500001","message":{"type":"image","image":{"id":"media-9","mime_type":"image/jpeg"}}}`)
	var page struct {
		Items []struct {
			Media    struct{ Fetched bool }
			Delivery struct{ Status string }
		}
	}
	inbox := "/v1/conversations/106540352242922:919876500001/messages"
	r.get(t, inbox, &page, func() bool { return len(page.Items) == 1 && page.Items[0].Media.Fetched })
	r.want(t, http.StatusAccepted, http.MethodPost, inbox+"/text", `{"body":"Thank you."}`)
	r.get(t, inbox, &page, func() bool {
		return len(page.Items) == 2 && page.Items[0].Delivery.Status+page.Items[1].Delivery.Status == "read"
	})
	r.get(t, project+"/recipients/+"+hungPerson+"/conversations/req-1", &talk, func() bool { return true })
	if len(talk.Messages) != 2 {
		t.Errorf("it does not hang: %+v", talk)
	}
	ends()
	r.get(t, project+"/recipients/+"+hungPerson+"/conversations/req-1", &talk,
		func() bool { return len(talk.Messages) == 3 })
}
