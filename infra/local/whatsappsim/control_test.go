package whatsappsim_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

func newRequest(t *testing.T, handler http.Handler, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+token)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestOnlyTheRightTokenPasses(t *testing.T) {
	s, err := whatsappsim.New(whatsappsim.Options{AppSecret: secret, AccessToken: token})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, header := range []string{"", "Bearer ", "Bearer other", "Basic " + token, token} {
		request := httptest.NewRequestWithContext(t.Context(), "POST", "/v25.0/1/messages",
			strings.NewReader(text(asha, "hi")))
		request.Header.Set("Authorization", header)
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, request)
		if recorder.Code != http.StatusUnauthorized || !strings.Contains(recorder.Body.String(), `"code":190`) {
			t.Errorf("%q: %d %s", header, recorder.Code, recorder.Body)
		}
	}
}

func TestUnknownPathsAndVersions(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	for _, path := range []string{"/", "/1/messages/x/y", "/25/" + phone + "/messages", "/vx/" + phone + "/messages"} {
		if status, answer := sim.call("POST", path, text(asha, "hi")); status != http.StatusBadRequest ||
			errorCode(t, answer) != 2500 {
			t.Errorf("%s: %d %v", path, status, answer)
		}
	}
}

func TestPhoneNumbers(t *testing.T) {
	sim := start(t,
		whatsappsim.Options{WABAID: "4711", PhoneNumbers: map[string]string{phone: "15550001111", "999": ""}})
	_, known := sim.call("GET", "/v25.0/"+phone+"?fields=display_phone_number,quality_rating", "")
	if known["display_phone_number"] != "15550001111" || known["quality_rating"] != "GREEN" {
		t.Errorf("known: %v", known)
	}
	_, made := sim.call("GET", "/v25.0/999", "")
	_, again := sim.call("GET", "/v25.0/999", "")
	if number := at[string](t, made, "display_phone_number"); len(number) != 11 ||
		number != again["display_phone_number"] {
		t.Errorf("made up: %v, then %v", made, again)
	}
	if _, account := sim.call("GET", "/v25.0/4711", ""); account["currency"] != "INR" {
		t.Errorf("the business account: %v", account)
	}
}

func TestCustomersSayWhatPeopleSay(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	for i, c := range []struct {
		rule, body string
		want       map[string]any // dotted path in the message
	}{
		{"text", `{"from":"+91 98123 45678","text":"hello"}`,
			map[string]any{"from": asha, "type": "text", "text.body": "hello", "from_user_id": nil}},
		{"number and BSUID", `{"from":"919812345678","userId":"IN.2","text":"hello"}`,
			map[string]any{"from": asha, "from_user_id": "IN.2"}},
		{"BSUID only", `{"userId":"IN.2","username":"asha","text":"hello"}`,
			map[string]any{"from": nil, "from_user_id": "IN.2"}},
		{"in a group", `{"from":"919812345678","groupId":"g1","text":"hello"}`, map[string]any{"group_id": "g1"}},
		{"reaction", `{"from":"919812345678","message":{"reaction":{"message_id":"wamid.x","emoji":"👍"}}}`,
			map[string]any{"type": "reaction", "reaction.emoji": "👍"}},
		{"button reply",
			`{"from":"919812345678","message":{"type":"interactive","context":{"id":"wamid.x"},` +
				`"interactive":{"type":"button_reply","button_reply":{"id":"ok","title":"OK"}}}}`, map[string]any{
				"interactive.button_reply.id": "ok", "context.from": "15550001111"}},
		{"template button", `{"from":"919812345678","message":{"button":{"payload":"approve","text":"Approve"}}}`,
			map[string]any{"type": "button", "button.payload": "approve"}},
		{"image", `{"from":"919812345678","message":{"image":{"caption":"A cat"}}}`,
			map[string]any{"type": "image", "image.caption": "A cat", "image.mime_type": "image/jpeg"}},
		{"document with its own id", `{"from":"919812345678","message":{"document":{"id":"42","filename":"a.pdf"}}}`,
			map[string]any{"document.id": "42", "document.mime_type": "application/pdf"}},
		{"order with a decimal price",
			`{"from":"919812345678","message":{"order":{"catalog_id":"1","product_items":[{"item_price":7.99}]}}}`,
			map[string]any{"type": "order"}},
		{"the same message again",
			`{"from":"919812345678","message":{"id":"wamid.same","timestamp":"1","text":{"body":"x"}}}`,
			map[string]any{"id": "wamid.same", "timestamp": "1"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			answer := sim.control("POST", "say", c.body)
			raw := receiver.wait(1)
			message := at[map[string]any](t, valueOf(t, raw[i]), "messages", 0)
			if message["id"] != answer["id"] || answer["status"] != 200.0 || answer["retrying"] != false {
				t.Errorf("answer %v for message %v", answer, message["id"])
			}
			for path, want := range c.want {
				var value any = message
				for key := range strings.SplitSeq(path, ".") {
					object, _ := value.(map[string]any)
					value = object[key]
				}
				if value != want {
					t.Errorf("%s is %v, want %v", path, value, want)
				}
			}
		})
	}
}

func TestCustomersWhoCannotBe(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	for _, body := range []string{
		`{"text":"who is it"}`, `{"from":"12","text":"x"}`, `{"userId":"nobody","text":"x"}`, `{"from":"919812345678"}`,
		`{"from":"919812345678","text":"x","message":{"text":{"body":"x"}}}`, `{"from":"919812345678","message":{}}`,
		`{"from":"919812345678","txt":"x"}`, `{} {}`, `x`,
	} {
		if status, answer := sim.call("POST", "/simulator/say", body); status != http.StatusBadRequest ||
			answer["error"] == nil {
			t.Errorf("%s: %d %v", body, status, answer)
		}
	}
}

func TestSayingToNobody(t *testing.T) {
	receiver := newReceiver(t)
	receiver.server.Close()
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	answer := sim.control("POST", "say", `{"from":"`+asha+`","text":"hello"}`)
	if answer["status"] != 0.0 || answer["retrying"] != true || answer["error"] == nil {
		t.Errorf("%v", answer)
	}
}

func TestRawWebhooksArePostedAsTheyAre(t *testing.T) {
	receiver := newReceiver(t, 200, 418)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	body := `{"object": "whatsapp_business_account",  "entry":{}}`
	if answer := sim.control("POST", "webhook", body); answer["status"] != 200.0 {
		t.Errorf("%v", answer)
	}
	if raw := receiver.wait(1)[0]; string(raw) != body {
		t.Errorf("posted %s", raw)
	}
	if answer := sim.control("POST", "webhook", body); answer["status"] != 418.0 {
		t.Errorf("%v", answer)
	}
	if status, _ := sim.call("POST", "/simulator/webhook",
		strings.Repeat("x", 5<<20)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("5 MB: %d", status)
	}
}

func TestAcceptedMessagesAreListedAndForgotten(t *testing.T) {
	clock := newClock()
	sim := start(t, whatsappsim.Options{Now: clock.Now, MaxMessages: 3})
	callback := func(data, to string) string {
		return `{"messaging_product":"whatsapp","to":"` + to + `","biz_opaque_callback_data":"` + data +
			`","text":{"body":"hi"}}`
	}
	for _, data := range []string{"dropped", "twice", "once", "twice"} {
		sim.mustSend(callback(data, asha))
	}
	listed := at[[]any](t, sim.control("GET", "messages", ""), "messages")
	var got []string
	for i := range listed {
		got = append(got,
			fmt.Sprint(at[string](t, listed, i, "callbackData"), at[float64](t, listed, i, "callbackDataCount")))
	}
	if strings.Join(got, " ") != "twice2 once1 twice2" {
		t.Errorf("listed %v", got)
	}
	if at[string](t, listed, 0, "to") != asha || at[string](t, listed, 0, "type") != "text" ||
		at[string](t, listed, 0, "body", "text", "body") != "hi" ||
		at[string](t, listed, 0, "receivedAt") != "2026-11-21T09:00:00Z" ||
		at[string](t, listed, 0, "phoneNumberId") != phone {
		t.Errorf("listed %v", listed[0])
	}
	sim.mustSend(callback("", "919900000001"))
	for query, want := range map[string]int{
		"?to=919900000001": 1, "?callback_data=twice": 1, "?limit=2": 2, "?to=1": 0} {
		if n := len(at[[]any](t, sim.control("GET", "messages"+query, ""), "messages")); n != want {
			t.Errorf("%s: %d messages, want %d", query, n, want)
		}
	}
	sim.control("DELETE", "messages", "")
	if n := len(at[[]any](t, sim.control("GET", "messages", ""), "messages")); n != 0 {
		t.Errorf("%d messages after clearing", n)
	}
	if status, _ := sim.call("GET", "/simulator/messages?limit=x", ""); status != http.StatusBadRequest {
		t.Errorf("limit=x: %d", status)
	}
}

func TestBodiesHaveALimit(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	status, answer := sim.send(message("text", `{"body":"`+strings.Repeat("x", 300<<10)+`"}`))
	if status != http.StatusBadRequest || errorCode(t, answer) != 100 {
		t.Errorf("%d %v", status, answer)
	}
}

func TestManyCallersAtOnce(t *testing.T) {
	receiver := newReceiver(t)
	clock := newClock()
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL, Now: clock.Now})
	done := make(chan error, 40)
	for i := range 40 {
		go func() {
			to := fmt.Sprintf("9199000%05d", i)
			response, err := sim.try("POST", "/simulator/say", `{"from":"`+to+`","text":"hello"}`)
			if err == nil {
				response.Body.Close()
				response, err = sim.try("POST", "/v25.0/"+phone+"/messages", text(to, "hi"))
			}
			if err == nil {
				response.Body.Close()
				if response.StatusCode != http.StatusOK {
					err = fmt.Errorf("status %d", response.StatusCode)
				}
			}
			done <- err
		}()
	}
	for range 40 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	order := map[any][]string{}
	for _, raw := range receiver.wait(40 + 3*40) {
		if strings.Contains(string(raw), `"statuses"`) {
			status := statusOf(t, raw)
			order[status["id"]] = append(order[status["id"]], at[string](t, status, "status"))
		}
	}
	if len(order) != 40 {
		t.Errorf("statuses of %d messages", len(order))
	}
	for id, statuses := range order {
		if strings.Join(statuses, " ") != "sent delivered read" {
			t.Errorf("%v: %v", id, statuses)
		}
	}
}
