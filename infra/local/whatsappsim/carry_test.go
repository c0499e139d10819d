package whatsappsim_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

func TestABodyThatIsCarriedIsNotPosted(t *testing.T) {
	receiver := newReceiver(t)
	carried := make(chan []byte, 10)
	var failing atomic.Int32
	failing.Store(1) // the first attempt fails, and is repeated
	sim := start(t, whatsappsim.Options{
		WebhookURL: receiver.server.URL, RetryDelays: []time.Duration{time.Millisecond},
		Carry: func(_ context.Context, body []byte) (bool, error) {
			if failing.Add(-1) == 0 {
				return false, errors.New("not now")
			}
			if !bytes.Contains(body, []byte("carried")) {
				return false, nil
			}
			carried <- body
			return true, nil
		}})
	answer := sim.control(http.MethodPost, "say", `{"from":"`+asha+`","text":"carried"}`)
	if at[bool](t, answer, "retrying") != true {
		t.Errorf("%v", answer)
	}
	if body := <-carried; !bytes.HasPrefix(body, []byte(`{"object":"whatsapp_business_account","entry":[`)) {
		t.Errorf("carried %s", body)
	}
	sim.control(http.MethodPost, "say", `{"from":"`+asha+`","text":"posted"}`)
	receiver.wait(1)
	if all := receiver.all(); len(all) != 1 || !bytes.Contains(all[0], []byte("posted")) {
		t.Errorf("posted %s", all)
	}
}
