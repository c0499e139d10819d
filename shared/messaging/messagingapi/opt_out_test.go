package messagingapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// hears has Asha write something, and her wish not to be written to have its effect.
func (w *world) hears(id, text string, secondsAgo int) {
	w.t.Helper()
	event := w.receives(number, waba, wt.Contact(asha, "Asha"),
		wt.Text(asha, id, text, noon.Add(-time.Duration(secondsAgo)*time.Second)))
	if err := w.rooms.MessageReader(w.rooms.OptOut()).Apply(w.t.Context(), event); err != nil {
		w.t.Fatal(err)
	}
}

func TestACustomerWhoHasOptedOutIsNotWrittenTo(t *testing.T) {
	text, template := wt.Object{"body": "We have offers."}, wt.Object{"name": "offer", "language": "en"}
	for name, c := range map[string]struct {
		hears []string
		taken bool
	}{
		"STOP":                      {[]string{"hello", "STOP"}, false},
		"STOP, and then an order":   {[]string{"STOP", "2 kg rice"}, true},
		"STOP and START":            {[]string{"STOP", "START"}, true},
		"an order, and then STOP":   {[]string{"2 kg rice", "STOP", "STOP"}, false},
		"STOP, an order, and STOP":  {[]string{"STOP", "2 kg rice", "STOP"}, false},
		"a sentence":                {[]string{"sms mat karo, whatsapp karo"}, true},
		"nothing about being asked": {[]string{"do not stop"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			for i, words := range c.hears {
				w.hears("wamid.opt-"+string(rune('a'+i)), words, 30-i)
			}
			for path, body := range map[string]wt.Object{sendPath: text, templating: template} {
				answer := w.post(operator(shop), path, body)
				if c.taken {
					answer.Want(t, http.StatusAccepted)
					continue
				}
				if p := answer.WantProblem(t, http.StatusConflict); !strings.HasSuffix(p.Type, ":opted-out") {
					t.Errorf("refused as %s", p.Type)
				}
			}
		})
	}
}

func TestAnOptOutIsOverriddenWithAReason(t *testing.T) {
	w := open(t)
	w.hears("wamid.stop", "STOP", 3)
	w.post(operator(shop), sendPath,
		wt.Object{"body": "Your parcel is here.", "overrideOptOut": wt.Object{"reason": " "}}).WantProblem(t,
		http.StatusUnprocessableEntity)
	w.post(operator(shop), sendPath,
		wt.Object{"body": "Your parcel is here.", "overrideOptOut": wt.Object{"reason": "She asked on the phone."}}).
		Want(t, http.StatusAccepted)
	found := false
	for _, r := range w.records(operator(shop), "conversationId", number+":"+asha) {
		found = found || r.Action == "send-text" && r.Reason == "She asked on the phone."
	}
	if !found {
		t.Error("the reason is in no record")
	}
}

func TestADeadLetterOfACustomerWhoHasOptedOutIsNotReplayed(t *testing.T) {
	w := open(t)
	dead := sent(w, refuses)[0]
	w.hears("wamid.stop", "STOP", 0)
	w.post(operator(shop), "/v1/outbox/"+dead.OutboxEventID+"/replay", nil).WantProblem(t, http.StatusConflict)
}
