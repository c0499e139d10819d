package conversationsapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/sms"
)

// texter takes texts, or refuses them.
type texter struct{ refuses error }

func (x texter) Send(context.Context, sms.Text) (string, error) { return "sms-1", x.refuses }
func (x texter) Sender() string                                 { return "+447700900111" }

const textedTel = "447123456789"

// begunBySMS begins a conversation by SMS and returns its outbox event.
func (w *world) begunBySMS(relay *outbox.Relay) model.OutboxEvent {
	w.t.Helper()
	w.do(http.MethodPost, project+"/conversations", "k", `{"requestId":"r1","channel":"sms","recipient":{"tel":"+`+
		textedTel+`","firstName":"John"},"consent":true}`).Want(w.t, http.StatusAccepted)
	event, err := relay.Get(w.t.Context(), w.stored(textedTel, "r1").OutboxEventID)
	w.must(err)
	return event
}

// texting returns the relay that sends texts by a client.
func (w *world) texting(client texting.Client) *outbox.Relay {
	return &outbox.Relay{
		Outbox: *w.rooms.Outbox(), Lane: keys.LaneSlow, Owner: "test", Handlers: w.rooms.Texting.Handlers(client),
		Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
	}
}

// By SMS a conversation goes out from the company's own number, and the outcome settles into it.
func TestAConversationBySMS(t *testing.T) {
	for status, refuses := range map[string]error{
		"initial_message_sent": nil, "failed": &sms.Refused{HTTP: 400, Code: "ValidationException"}} {
		w := firm(t)
		relay := w.texting(texter{refuses})
		event := w.begunBySMS(relay)
		if !strings.Contains(string(event.Payload), `"from":"+447700900444"`) ||
			!strings.Contains(string(event.Payload), "Cucumber: Is your CV up to date?") {
			t.Errorf("sends %s", event.Payload)
		}
		w.must(relay.Deliver(t.Context(), event))
		if c := w.stored(textedTel, "r1"); string(c.Status) != status || (c.FailureReason == "") != (refuses == nil) ||
			c.GSICompanySMS != "+447700900444" || c.GSICompanyWhatsApp != "" {
			t.Errorf("%s: %+v", status, c)
		}
	}
}

// A text that waits does not go out from a number that is another company's by now.
func TestATextIsNotSentFromANumberThatWasTakenAway(t *testing.T) {
	w := firm(t)
	relay := w.texting(texter{})
	event := w.begunBySMS(relay)
	var c struct{ ChannelConfig Object }
	w.do(http.MethodGet, company, "", "").Want(t, http.StatusOK, &c)
	config := strings.Replace(string(c.ChannelConfig), "company_sms_number", "former", 1)
	w.do(http.MethodPut, company, "", `{"name":"Cucumber","active":true,"version":1,"channelConfig":`+config+`}`).
		Want(t, http.StatusOK)
	w.must(relay.Deliver(t.Context(), event))
	if c := w.stored(textedTel, "r1"); c.Status != conversationsmodel.Failed || c.FailureReason != sending.NotOurs {
		t.Errorf("%s %q", c.Status, c.FailureReason)
	}
}
