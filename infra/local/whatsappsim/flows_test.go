package whatsappsim_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// flowText returns the JSON of a flow whose screen has a component.
func flowText(component string) string {
	return `{"version":"7.0","screens":[{"id":"ASK","terminal":true,"layout":{"children":[{"type":"` + component + `"}]}}]}`
}

// creates returns the body that creates a flow.
func creates(name, more string) string {
	return `{"name":"` + name + `","categories":["OTHER"]` + more + `}`
}

// puts uploads the JSON of a flow, and returns how many faults the simulator finds, or its refusal.
func (s simulator) puts(id, text string) (faults int, refused bool) {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("name", "flow.json")
	_ = form.WriteField("asset_type", "FLOW_JSON")
	file, _ := form.CreateFormFile("file", "flow.json")
	_, _ = io.WriteString(file, text)
	_ = form.Close()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/v25.0/"+id+"/assets", &body)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", form.FormDataContentType())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Faults []any `json:"validation_errors"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		s.t.Fatal(err)
	}
	return len(answer.Faults), response.StatusCode != http.StatusOK
}

func TestAFlowGoesThroughItsLifeAsMetaLetsIt(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	const account = "/v25.0/102290129340398/flows"
	_, answer := sim.call("POST", account, creates("Feedback", ""))
	id, _ := answer["id"].(string)
	one := "/v25.0/" + id
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", account, creates("Feedback", ""), "400 100"}, // the name is taken
		{"POST", account, `{"name":"Other","categories":[]}`, "400 100"},
		{"POST", account, `{"name":"Other","categories":["FUN"]}`, "400 100"},
		{"POST", account, creates("Other", `,"endpoint_uri":"http://shop.example"`), "400 100"},
		{"POST", account, creates("Other", `,"clone_flow_id":"404"`), "400 100"},
		{"POST", "/v25.0/404/flows", creates("Other", ""), "400 100"},
		{"POST", one + "/publish", "", "400 100"}, // it has no JSON
		{"POST", one + "/deprecate", "", "400 100"},
		{"GET", one + "?fields=metric.name(ENDPOINT_AVAILABILITY).granularity(DAY)", "", "400 100"}, // too few requests
		{"GET", one + "?fields=metric.name(NONE).granularity(DAY)", "", "400 100"},
		{"GET", "/v25.0/404?fields=name", "", "400 100"},
	} {
		if got := sim.asked(c.method, c.path, c.body); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
	for text, want := range map[string]int{
		flowText("Footer"): 0, flowText("Foot"): 1, "{": 1, "{}": 2,
		`{"version":"7.0","screens":[{"id":"SUCCESS","terminal":true}]}`: 2} {
		if faults, refused := sim.puts(id, text); refused || faults != want {
			t.Errorf("%s: %d faults, refused %v", text, faults, refused)
		}
	}
	if _, refused := sim.puts(id, flowText("Foot")); refused || sim.asked("POST", one+"/publish", "") != "400 100" {
		t.Error("JSON with a fault is published")
	}
	sim.puts(id, flowText("Footer"))
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", one, `{"name":"Survey","endpoint_uri":"https://shop.example"}`, "success:true"},
		{"POST", one + "/publish", "", "success:true"},
		{"POST", one + "/publish", "", "400 100"},
		{"DELETE", one, "", "400 100"},
		{"GET", one + "?fields=name,status,json_version,endpoint_uri", "",
			"endpoint_uri:https://shop.example json_version:7.0 name:Survey status:PUBLISHED"},
		{"GET", one + "/assets", "", "FLOW_JSON"},
		{"POST", one + "/deprecate", "", "success:true"},
		{"POST", one + "/deprecate", "", "400 100"},
	} {
		if got := sim.asked(c.method, c.path, c.body); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
	if _, refused := sim.puts(id, flowText("Footer")); !refused {
		t.Error("other JSON of a flow that is no draft")
	}
	_, answer = sim.call("POST", account, creates("Draft", ""))
	draft := "/v25.0/" + answer["id"].(string)
	if got := sim.asked("DELETE", draft, ""); !strings.Contains(got, "success:true") {
		t.Error(got)
	}
	if got := sim.asked("GET", account, ""); !strings.Contains(got, id) || strings.Contains(got, "Draft") {
		t.Error(got)
	}
}

func TestTheStatusOfAFlowIsPosted(t *testing.T) {
	hook := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: hook.server.URL})
	text, err := json.Marshal(flowText("Footer"))
	if err != nil {
		t.Fatal(err)
	}
	_, answer := sim.call("POST", "/v25.0/102290129340398/flows",
		creates("Feedback", `,"publish":true,"flow_json":`+string(text)))
	sim.control("POST", "flows", `{"id":"`+answer["id"].(string)+`","status":"BLOCKED"}`)
	var told []string
	for _, raw := range hook.wait(3) {
		var body map[string]any
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Fatal(err)
		}
		change := at[map[string]any](t, body, "entry", 0, "changes", 0)
		value, _ := change["value"].(map[string]any)
		told = append(told, fmt.Sprint(change["field"], " ", value["old_status"], ">", value["new_status"]))
	}
	slices.Sort(told) // they come in any order
	want := []string{"flows <nil>>DRAFT", "flows DRAFT>PUBLISHED", "flows PUBLISHED>BLOCKED"}
	if !slices.Equal(told, want) {
		t.Errorf("%v", told)
	}
}

func TestTheKeyOfANumberIsSigned(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	const one = "/v25.0/106540352242922/whatsapp_business_encryption"
	if got := sim.asked("POST", one, `{"business_public_key":"a key"}`); got != "400 100" {
		t.Error(got)
	}
	key := `{"business_public_key":"-----BEGIN PUBLIC KEY-----"}`
	if got := sim.asked("POST", one, key); !strings.Contains(got, "success:true") {
		t.Error(got)
	}
	for _, want := range []string{"VALID", "MISMATCH"} {
		if got := sim.asked("GET", one, ""); !strings.Contains(got, "signature_status:"+want) {
			t.Errorf("%s, want %s", got, want)
		}
		sim.call("POST", "/v25.0/106540352242922/register", `{"messaging_product":"whatsapp","pin":"123456"}`)
	}
}
