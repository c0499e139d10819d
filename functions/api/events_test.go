package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// sampleEvents are the function's sample events, by case.
func sampleEvents(t *testing.T) map[string]events.APIGatewayV2HTTPRequest {
	t.Helper()
	paths, err := filepath.Glob("../../events/api/*")
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]events.APIGatewayV2HTTPRequest{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var event events.APIGatewayV2HTTPRequest
		if err := json.Unmarshal(text, &event); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		samples[strings.TrimSuffix(filepath.Base(path), ".json")] = event
	}
	return samples
}

func TestSampleEventsAreAnswered(t *testing.T) {
	samples := sampleEvents(t)
	cases := map[string]func(t *testing.T, w *world, a answer){
		"list-conversations": func(t *testing.T, w *world, a answer) {
			var list conversationList
			a.want(t, http.StatusOK, &list)
			if len(list.Conversations) != 1 || list.Conversations[0].ID != ashas {
				t.Errorf("lists %+v", list)
			}
		},
		"send-text": func(t *testing.T, w *world, a answer) {
			var taken accepted
			a.want(t, http.StatusAccepted, &taken)
			if len(w.sendings()) != 1 || taken.ConversationID != ashas {
				t.Errorf("took %+v", taken)
			}
		},
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(cases)), slices.Sorted(maps.Keys(samples))); diff != "" {
		t.Errorf("cases, and the files under events/api:\n%s", diff)
	}
	for name, check := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.ours("demo", number, waba)
			w.receives(number, waba, wt.Contact(asha, "Asha Sharma"),
				wt.Text(asha, "wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgUM0E4RjdCMTJDNEQ1RTZGNzA4MTkA", "2 kg rice और 1 packet चाय bhej do 🙏", minutesAgo(0)))
			response, err := httpapi.Serve(t.Context(), w.mux, samples[name])
			if err != nil {
				t.Fatal(err)
			}
			check(t, w, answer{response.StatusCode, response.Headers, response.Body})
		})
	}
}
