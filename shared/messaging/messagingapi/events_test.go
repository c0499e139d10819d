package messagingapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]func(t *testing.T, w *world, a answer){
		"erase-customer": func(t *testing.T, w *world, a answer) {
			var done Erasure
			a.Want(t, http.StatusOK, &done)
			if !done.Complete || done.Erased != (erasedCounts{Messages: 1, Conversations: 1, LogEntries: 1}) {
				t.Errorf("erased %+v", done)
			}
			w.get(operator("demo"), toAsha, nil).WantProblem(t, http.StatusNotFound)
		},
		"list-conversations": func(t *testing.T, w *world, a answer) {
			var list conversationList
			a.Want(t, http.StatusOK, &list)
			if len(list.Items) != 1 || list.Items[0].ID != ashas {
				t.Errorf("lists %+v", list)
			}
		},
		"send-button": func(t *testing.T, w *world, a answer) {
			var taken accepted
			a.Want(t, http.StatusAccepted, &taken)
			if body := string(w.sendings()[taken.OutboxEventID]); !strings.Contains(body,
				`"reply":{"id":"yes","title":"Yes"}`) {
				t.Errorf("sends %s", body)
			}
		},
		"send-text": func(t *testing.T, w *world, a answer) {
			var taken accepted
			a.Want(t, http.StatusAccepted, &taken)
			if len(w.sendings()) != 1 || taken.ConversationID != ashas {
				t.Errorf("took %+v", taken)
			}
		},
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "messaging-api", cases)
	for name, check := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.ours("demo", number, waba)
			w.receives(number, waba, wt.Contact(asha, "Asha Sharma"),
				wt.Text(asha, "wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgUM0E4RjdCMTJDNEQ1RTZGNzA4MTkA",
					"2 kg rice और 1 packet चाय bhej do 🙏", minutesAgo(0)))
			response, err := httpapi.NewHandler(apitest.Cursors().On(w.mux), API)(t.Context(), samples[name])
			if err != nil {
				t.Fatal(err)
			}
			check(t, w, answer{Status: response.StatusCode, Headers: response.Headers, Body: response.Body})
		})
	}
}
