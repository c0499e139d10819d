package messagingapi

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/recorded"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	"github.com/haatline/haatline/shared/whatsapp/content/contenttest"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// grouped is a conversation of a group, in which Asha has just written.
func grouped(w *world) string {
	w.receives(number, waba, wt.Contact(asha, "Asha"),
		wt.Message(asha, "wamid.GROUPED", "text", minutesAgo(1),
			wt.Object{"group_id": groupOf("1"), "text": wt.Object{"body": "hi all"}}))
	return "/v1/conversations/" + number + ":" + groupOf("1")
}

func TestEveryKindIsSentAsWhatsAppTakesItAndAgainWhenItHasFailed(t *testing.T) {
	w := open(t)
	group := grouped(w)
	for _, sample := range slices.Concat(contenttest.Samples, contenttest.Templates[:2]) {
		t.Run(sample.Kind+" "+sample.Name, func(t *testing.T) {
			w.t, w.now = t, w.now.Add(15*time.Second) // within WhatsApp's limit for one customer
			path, body, want := toAsha, sample.Body, sample.Graph
			if pins(sample) {
				path = group
				body, want = strings.ReplaceAll(body, contenttest.Target, "wamid.GROUPED"),
					strings.ReplaceAll(want, contenttest.Target, "wamid.GROUPED")
			}
			var taken, again accepted
			w.do(request{
				By: operator(shop), Method: http.MethodPost, Path: path + "/messages/" + sample.Kind, Body: body}).
				Want(t, http.StatusAccepted, &taken)
			w.relays(taken.OutboxEventID, refuses)
			w.post(operator(shop), "/v1/outbox/"+taken.OutboxEventID+"/replay", nil).Want(t, http.StatusAccepted,
				&again)
			w.relays(again.OutboxEventID, refuses)
			for _, one := range []accepted{taken, again} {
				var shown message
				w.get(operator(shop), "/v1/messages/"+one.ID, nil).Want(t, http.StatusOK, &shown)
				var sent map[string]json.RawMessage
				if err := json.Unmarshal(w.sendings()[one.OutboxEventID], &sent); err != nil {
					t.Fatal(err)
				}
				if sample.Kind == "reaction" { // it shows on its message, and not once it has failed
					if shown.ID != contenttest.Target || len(shown.Reactions) > 0 {
						t.Errorf("the reaction is shown as %+v", shown)
					}
					equalJSON(t, want, string(sent["reaction"]))
					continue
				}
				if shown.Preview == "" || string(sent["type"]) != `"`+shown.Type+`"` {
					t.Errorf("%s is shown as %+v", sent["type"], shown)
				}
				equalJSON(t, want, string(sent[shown.Type]))
				if shown.Type != "text" {
					equalJSON(t, want, encode(t, shown.Content.(map[string]any)[shown.Type]))
				}
			}
		})
	}
}

func TestWhatARecipientDoesNotTakeIsRefused(t *testing.T) {
	w := open(t)
	group := grouped(w)
	w.receives(number, waba, wt.Object{"user_id": "IN.99"},
		wt.Object{"from_user_id": "IN.99", "id": "wamid.HIDDEN", "type": "text", "timestamp": "1795262000",
			"text": wt.Object{"body": "hi"}})
	hidden := "/v1/conversations/" + number + ":IN.99"
	for name, c := range map[string]struct{ path, body, problem string }{
		"buttons in a group": {
			group + "/messages/button", `{"body":"Well?","buttons":[{"id":"1","title":"Yes"}]}`, "not-for-groups"},
		"a reaction in a group": {
			group + "/messages/reaction", `{"messageId":"wamid.GROUPED","emoji":"👍"}`, "not-for-groups"},
		"a template with buttons in one": {
			group + "/messages/template",
			`{"name":"t","language":"en","buttons":[{"index":0,"type":"url","value":"1"}]}`, "not-for-groups"},
		"a pin for a person": {
			toAsha + "/messages/pin", `{"messageId":"wamid.ASHA1","expirationDays":1}`, "only-for-groups"},
		"a code for a user id": {
			hidden + "/messages/template",
			`{"name":"code","language":"en","buttons":[{"index":0,"type":"otp","value":"1"}]}`, "needs-number"},
		"an authentication for one": {
			hidden + "/messages/template", `{"name":"code","language":"en","category":"authentication"}`,
			"needs-number"},
		"a reaction to nobody's message": {
			toAsha + "/messages/reaction", `{"messageId":"wamid.GROUPED","emoji":"👍"}`, ""},
		"a reaction to an invalid id": {toAsha + "/messages/reaction", `{"messageId":"a#b","emoji":"👍"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := w.do(request{By: operator(shop), Method: http.MethodPost, Path: c.path, Body: c.body})
			p := a.WantProblem(t, http.StatusUnprocessableEntity)
			if c.problem != "" && p.Type != "urn:haatline:problem:"+c.problem ||
				c.problem == "" && !slices.Equal(locations(t, a, 422), []string{"body.messageId"}) {
				t.Errorf("%s", a.Body)
			}
		})
	}
	if n := len(w.sendings()); n != 0 {
		t.Errorf("%d events: what was refused was sent", n)
	}
}

func TestAReactionToAMessageOfOursNamesItAsWhatsAppDoes(t *testing.T) {
	w := open(t)
	ours := sent(w, takes("wamid.OUT1"))[0]
	var taken accepted
	w.post(operator(shop), toAsha+"/messages/reaction", wt.Object{"messageId": ours.ID, "emoji": "✅"}).Want(t,
		http.StatusAccepted, &taken)
	if body := string(w.sendings()[taken.OutboxEventID]); !strings.Contains(body, `"message_id":"wamid.OUT1"`) ||
		strings.Contains(body, "context") {
		t.Error(body)
	}
	w.relays(taken.OutboxEventID, takes("wamid.OUT2"))
	reacted := func() []string {
		var m message
		w.get(operator(shop), "/v1/messages/wamid.OUT1", nil).Want(t, http.StatusOK, &m)
		var emoji []string
		for _, r := range m.Reactions {
			emoji = append(emoji, r.Direction+" "+r.Emoji)
		}
		return emoji
	}
	var list messageList
	w.get(operator(shop), toAsha+"/messages", nil).Want(t, http.StatusOK, &list)
	if got := reacted(); !slices.Equal(got, []string{"outbound ✅"}) ||
		slices.ContainsFunc(list.Items, func(m message) bool { return m.Type == "reaction" }) {
		t.Errorf("%v in %+v", got, list)
	}
	// WhatsApp takes it and then fails it.
	w.observes(wt.Statuses(wt.Status("wamid.OUT2", "failed", asha, w.now, wt.Object{
		"biz_opaque_callback_data": outbox.Callback(w.event(taken.OutboxEventID)),
		"errors":                   wt.List{wt.Object{"code": 131009}},
	}))["value"].(wt.Object))
	if got := reacted(); len(got) > 0 {
		t.Errorf("after its failure: %v", got)
	}
}

// recording takes everything, and remembers what it was.
type recording struct {
	taken    whatsapp.Taken
	requests recorded.List[whatsapp.Request]
}

func (r *recording) Send(_ context.Context, of whatsapp.Request) (whatsapp.Taken, error) {
	taken := r.taken
	taken.ID = fmt.Sprint("wamid.OUT", r.requests.Add(of))
	return taken, nil
}

// sendsTo makes one attempt at an event.
func (w *world) sendsTo(eventID string, to sending.WhatsApp) {
	w.t.Helper()
	relay := &outbox.Relay{
		Outbox: outbox.Outbox{DB: w.db.Client, Now: w.rooms.Now}, Handlers: w.rooms.Handlers(to), Owner: "test",
		Log:   slog.New(slog.DiscardHandler),
		Sleep: func(context.Context, time.Duration) error { return context.Canceled },
	}
	if err := relay.Deliver(w.t.Context(), w.event(eventID)); err != nil {
		w.t.Fatal(err)
	}
}

func TestANumberSaysHowFastAndWhichWayItsMessagesGo(t *testing.T) {
	for name, c := range map[string]struct {
		number    model.Phone
		burst     int
		marketing bool
	}{
		"a usual one":                   {model.Phone{}, 80, false},
		"a raised one":                  {model.Phone{Throughput: "HIGH", MarketingMessages: true}, 1000, true},
		"one that is in the app, too":   {model.Phone{Throughput: "HIGH", Coexistence: true}, 20, false},
		"one whose limit is not raised": {model.Phone{Throughput: "STANDARD"}, 80, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.number.PK, c.number.ItemType = keys.Phone(number).Partition, model.ItemPhone
			c.number.PhoneNumberID, c.number.TenantID = number, shop
			w.db.Seed(t, tables.Messages, c.number)
			meta := &recording{}
			for _, category := range []string{"marketing", "utility"} {
				var taken accepted
				w.post(operator(shop), templating,
					wt.Object{"name": "offer", "language": "en", "category": category}).Want(t, http.StatusAccepted,
					&taken)
				if burst := w.rooms.Handlers(nil)[sending.EventMessage].Pace(w.event(taken.OutboxEventID)).
					Group.Burst; burst != c.burst {
					t.Errorf("%d messages a second, want %d", burst, c.burst)
				}
				w.sendsTo(taken.OutboxEventID, meta)
				if got := meta.requests.All()[meta.requests.Len()-1].Marketing; got != (c.marketing &&
					category == "marketing") {
					t.Errorf("a %s template goes the way of marketing: %v", category, got)
				}
			}
		})
	}
}

func TestAMessageThatMetaHoldsBackIsHeldUntilAStatusComes(t *testing.T) {
	w := open(t)
	var taken accepted
	w.post(operator(shop), templating, wt.Object{"name": "offer", "language": "en"}).Want(t, http.StatusAccepted,
		&taken)
	w.sendsTo(taken.OutboxEventID, &recording{taken: whatsapp.Taken{Held: true}})
	state := func() string {
		var shown message
		w.get(operator(shop), "/v1/messages/"+taken.ID, nil).Want(t, http.StatusOK, &shown)
		return cmp.Or(shown.Delivery.Status, "none")
	}
	if got := state(); got != "held" {
		t.Errorf("it is %s", got)
	}
	w.observes(wt.Object{
		"metadata": metadata(number), "statuses": wt.List{wt.Status("wamid.OUT1", "sent", asha, noon, nil)}})
	if got := state(); got != "sent" {
		t.Errorf("it is %s after a status", got)
	}
}

func TestATypingIndicatorIsNotShownLate(t *testing.T) {
	w := open(t)
	meta := &recording{}
	for _, late := range []time.Duration{0, time.Minute} {
		var shown accepted
		w.post(operator(shop), toAsha+"/messages/typing", nil).Want(t, http.StatusAccepted, &shown)
		w.now = w.now.Add(late)
		w.sendsTo(shown.OutboxEventID, meta)
	}
	for i, want := range []bool{true, false} {
		if body := string(meta.requests.All()[i].Body); strings.Contains(body, "typing_indicator") != want ||
			!strings.Contains(body, `"message_id":"wamid.ASHA1"`) {
			t.Errorf("attempt %d: %s", i, body)
		}
	}
	w.post(operator(shop), "/v1/conversations/"+number+":917777777777/messages/typing", nil).WantProblem(t,
		http.StatusNotFound)
}

// A caller of the API and a domain that prepares a message are held to the same limits.
func TestADomainsMessageIsCheckedBeforeItIsStored(t *testing.T) {
	w := open(t)
	out := sending.Outgoing{
		Tenant: shop, Phone: number, Customer: asha, SentBy: "echo",
		Content: content.Buttons{Frame: content.Frame{Body: "Well?"}}}
	found, err := w.db.BatchGet(t.Context(), w.rooms.Refs(out))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.rooms.Prepare(t.Context(), out, found); err == nil || !strings.Contains(err.Error(), "buttons") {
		t.Errorf("%v", err)
	}
}
