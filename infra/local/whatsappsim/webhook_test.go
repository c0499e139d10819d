package whatsappsim_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

func TestStatusesComeInOrderWithWhatTheySay(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL, WABAID: "4711"})
	sim.control("POST", "say",
		`{"from":"`+asha+`","userId":"IN.20819","username":"asha.rao","name":"Asha","text":"hello"}`)
	receiver.wait(1)
	id := sim.mustSend(`{"messaging_product":"whatsapp","to":"+` + asha +
		`","biz_opaque_callback_data":"event-1","text":{"body":"hi"}}`)
	if !strings.HasPrefix(id, "wamid.HBg") {
		t.Errorf("id %q has not Meta's form", id)
	}
	for i, want := range []string{"sent", "delivered", "read"} {
		receiver.wait(1)
		raw := receiver.all()[i+1]
		status := statusOf(t, raw)
		for key, value := range map[string]string{
			"id": id, "status": want, "recipient_id": asha, "recipient_user_id": "IN.20819",
			"biz_opaque_callback_data": "event-1",
		} {
			if status[key] != value {
				t.Errorf("%s: %s is %v, want %s", want, key, status[key], value)
			}
		}
		if seconds := at[string](t, status, "timestamp"); len(seconds) != 10 {
			t.Errorf("%s: timestamp %q is not in seconds", want, seconds)
		}
		if _, priced := status["pricing"]; priced != (want == "sent") {
			t.Errorf("%s: pricing there is %v", want, priced)
		}
		if _, there := status["conversation"]; there {
			t.Errorf("%s: has a conversation", want)
		}
		value := valueOf(t, raw)
		if at[string](t, value, "metadata", "phone_number_id") != phone ||
			at[string](t, value, "metadata", "display_phone_number") != "15550001111" {
			t.Errorf("%s: metadata %v", want, value["metadata"])
		}
		profile := at[map[string]any](t, value, "contacts", 0, "profile")
		if _, named := profile["username"]; named == (want == "sent") || profile["name"] != "Asha" {
			t.Errorf("%s: profile %v", want, profile)
		}
	}
}

func TestRecipientIsWhatTheMessageWasSentTo(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	sim.control("POST", "say", `{"userId":"US.1349","name":"No Number","text":"hello"}`)
	receiver.wait(1)
	status, answer := sim.send(
		`{"messaging_product":"whatsapp","recipient":"US.1349","type":"text","text":{"body":"hi"}}`)
	contact := at[map[string]any](t, answer, "contacts", 0)
	if status != http.StatusOK || contact["input"] != "US.1349" || contact["user_id"] != "US.1349" ||
		contact["wa_id"] != nil {
		t.Errorf("%d, contact %v", status, contact)
	}
	sent := statusOf(t, receiver.wait(3)[1])
	if sent["recipient_user_id"] != "US.1349" || sent["recipient_id"] != nil {
		t.Errorf("status of a message to a BSUID: %v", sent)
	}

	sim.control("POST", "say", `{"from":"`+asha+`","groupId":"g1","text":"hello"}`)
	receiver.wait(1)
	sim.mustSend(
		`{"messaging_product":"whatsapp","recipient_type":"group","to":"g1","type":"text","text":{"body":"hi"}}`)
	sent = statusOf(t, receiver.wait(3)[5])
	if sent["recipient_id"] != "g1" || sent["recipient_type"] != "group" {
		t.Errorf("status of a message to a group: %v", sent)
	}
}

func TestWebhookBytesAreEscapedAsMetaEscapesThem(t *testing.T) {
	receiver := newReceiver(t)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	said := `ä/नमस्ते <b> & 😀 \\/ "quoted"`
	sim.control("POST", "say", `{"from":"`+asha+`","text":"ä/नमस्ते <b> & 😀 \\\\/ \"quoted\""}`)
	raw := receiver.wait(1)[0]
	if !bytes.Contains(raw, []byte(`\u00e4\/`)) || !bytes.Contains(raw, []byte(`\ud83d\ude00`)) ||
		!bytes.Contains(raw, []byte(`<b> &`)) {
		t.Errorf("escapes are missing in %s", raw)
	}
	if got := at[string](t, valueOf(t, raw), "messages", 0, "text", "body"); got != said {
		t.Errorf("decodes to %q, want %q", got, said)
	}
}

func TestAWebhookIsPostedUntilItIsTaken(t *testing.T) {
	receiver := newReceiver(t, 500, 403)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	answer := sim.control("POST", "say", `{"from":"`+asha+`","text":"hello"}`)
	if at[float64](t, answer, "status") != 500 || !at[bool](t, answer, "retrying") {
		t.Errorf("said: %v", answer)
	}
	raw := receiver.wait(3)
	if !bytes.Equal(raw[0], raw[1]) || !bytes.Equal(raw[0], raw[2]) {
		t.Error("what is posted again differs")
	}
	sim.mustSend(text(asha, "hi"))
	if last := statusOf(t, receiver.wait(3)[5]); last["status"] != "read" {
		t.Errorf("after the retries: %v", last)
	}
}

func TestStatusesGoOnAfterOneThatIsNeverTaken(t *testing.T) {
	receiver := newReceiver(t, 200, 500, 500, 500)
	sim := start(t, whatsappsim.Options{WebhookURL: receiver.server.URL})
	sim.say()
	sim.mustSend(text(asha, "hi"))
	raw := receiver.wait(6)
	var got []string
	for _, body := range raw[1:] {
		got = append(got, at[string](t, statusOf(t, body), "status"))
	}
	if strings.Join(got, " ") != "sent sent sent delivered read" {
		t.Errorf("posted %v", got)
	}
}

func TestCloseEndsWhatIsUnderWay(t *testing.T) {
	receiver := newReceiver(t)
	s, err := whatsappsim.New(whatsappsim.Options{
		AppSecret: secret, WebhookURL: receiver.server.URL,
		Delays: whatsappsim.Delays{Sent: time.Hour, Delivered: time.Hour, Read: time.Hour},
	})
	if err != nil {
		t.Fatal(err)
	}
	recorder := newRequest(t, s, "POST", "/v25.0/"+phone+"/messages", text(asha, "hi"))
	if recorder.Code != http.StatusOK {
		t.Fatal(recorder.Code)
	}
	closed := make(chan struct{})
	go func() {
		s.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(deadline):
		t.Fatal("Close waits for statuses that are an hour away")
	}
	if n := len(receiver.all()); n != 0 {
		t.Errorf("%d webhooks came all the same", n)
	}
}
