package conversationsapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/sms"
)

// texter takes texts, or refuses them.
type texter struct{ refuses error }

func (x texter) Send(context.Context, sms.Text) (string, error) { return "sms-1", x.refuses }
func (x texter) Sender() string                                 { return "+447700900111" }

// By SMS a conversation goes out from the company's own number, and the outcome settles into it.
func TestAConversationBySMS(t *testing.T) {
	for status, refuses := range map[string]error{
		"initial_message_sent": nil, "failed": &sms.Refused{HTTP: 400, Code: "ValidationException"}} {
		w := firm(t)
		const tel = "447123456789"
		w.do(http.MethodPost, project+"/conversations", "k", `{"requestId":"r1","channel":"sms","recipient":{"tel":"+`+tel+
			`","firstName":"John"},"consent":true}`).Want(t, http.StatusAccepted)
		c := w.stored(tel, "r1")
		relay := &outbox.Relay{
			Outbox: *w.rooms.Outbox(), Lane: keys.LaneSlow, Owner: "test",
			Handlers: w.rooms.Texting.Handlers(texter{refuses}),
			Log:      slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
		}
		event, err := relay.Get(t.Context(), c.OutboxEventID)
		w.must(err)
		if !strings.Contains(string(event.Payload), `"from":"+447700900444"`) ||
			!strings.Contains(string(event.Payload), "Cucumber: Is your CV up to date?") {
			t.Errorf("sends %s", event.Payload)
		}
		w.must(relay.Deliver(t.Context(), event))
		if c = w.stored(tel, "r1"); string(c.Status) != status || (c.FailureReason == "") != (refuses == nil) ||
			c.GSICompanySMS != "+447700900444" || c.GSICompanyWhatsApp != "" {
			t.Errorf("%s: %+v", status, c)
		}
	}
}
