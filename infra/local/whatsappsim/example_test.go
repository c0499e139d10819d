package whatsappsim_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// The example tests a program that answers customers: a customer writes, the program gets a signed webhook and sends an
// answer, and WhatsApp reports the delivery of the answer.
func Example() {
	const appSecret, accessToken, phoneNumberID = "a-secret", "a-token", "106540352242922"

	// This is the program's webhook.
	events := make(chan string, 10)
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte(appSecret))
		mac.Write(body)
		if r.Header.Get("X-Hub-Signature-256") != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		events <- event(body)
	}))
	defer program.Close()

	// This is WhatsApp. The program sends its Graph API calls here instead of to graph.facebook.com.
	simulator, err := whatsappsim.New(whatsappsim.Options{
		WebhookURL:   program.URL,
		AppSecret:    appSecret,
		AccessToken:  accessToken,
		PhoneNumbers: map[string]string{phoneNumberID: "15550001111"},
		Delays:       whatsappsim.Delays{Sent: time.Millisecond, Delivered: time.Millisecond, Read: time.Millisecond},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer simulator.Close()
	whatsapp := httptest.NewServer(simulator)
	defer whatsapp.Close()

	// A customer writes. This opens the 24-hour window in which the program may answer.
	post(whatsapp.URL+"/simulator/say", "", `{"from": "919812345678", "name": "Asha", "text": "Is rice available?"}`)
	fmt.Println("the webhook got", <-events)

	// The program answers.
	post(whatsapp.URL+"/v25.0/"+phoneNumberID+"/messages", accessToken,
		`{"messaging_product": "whatsapp", "to": "919812345678", "type": "text", "text": {"body": "Yes, ₹60 `+
			`for 1 kg."}}`)
	for range 3 {
		fmt.Println("the webhook got", <-events)
	}

	// The test asks which messages WhatsApp accepted.
	var listed struct{ Messages []whatsappsim.AcceptedMessage }
	response, err := http.Get(whatsapp.URL + "/simulator/messages?to=919812345678")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	_ = json.NewDecoder(response.Body).Decode(&listed)
	for _, message := range listed.Messages {
		fmt.Println("WhatsApp accepted a message of type", message.Type, "to", message.To)
	}

	// Output:
	// the webhook got a message: Is rice available?
	// the webhook got a status: sent
	// the webhook got a status: delivered
	// the webhook got a status: read
	// WhatsApp accepted a message of type text to 919812345678
}

// event describes the message or the status in the body of a webhook.
func event(body []byte) string {
	var webhook struct {
		Entry []struct {
			Changes []struct {
				Value struct {
					Messages []struct{ Text struct{ Body string } }
					Statuses []struct{ Status string }
				}
			}
		}
	}
	if err := json.Unmarshal(body, &webhook); err != nil {
		return err.Error()
	}
	value := webhook.Entry[0].Changes[0].Value
	if len(value.Messages) > 0 {
		return "a message: " + value.Messages[0].Text.Body
	}
	return "a status: " + value.Statuses[0].Status
}

// post sends JSON. It prints an answer other than 200.
func post(url, token, body string) {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		fmt.Println(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		answer, _ := io.ReadAll(response.Body)
		fmt.Printf("%s: %d %s\n", url, response.StatusCode, answer)
	}
}
