package conversationsapi

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// history is one random history of a company and three people.
type history struct {
	*world
	random   *rand.Rand
	begun    []string          // "{number} {request}"
	over     map[string]bool   // those that were completed
	expected map[string]string // the conversation that a quoting message belongs to, by the message
	written  []wt.Object       // everything that people have written
	waited   int               // how often a conversation was seen that waits
}

func (h *history) some() (number, id string) {
	_, _ = fmt.Sscan(h.begun[h.random.IntN(len(h.begun))], &number, &id)
	return number, id
}

// step does one thing.
func (h *history) step(n int) {
	h.now = h.now.Add(time.Duration(1+h.random.IntN(100)) * time.Second)
	if len(h.begun) == 0 || h.random.IntN(6) == 0 {
		number, id := fmt.Sprintf("91987654321%d", h.random.IntN(3)), fmt.Sprint("r", n)
		h.begins(number, id, "").Want(h.t, http.StatusAccepted)
		h.begun = append(h.begun, number+" "+id)
		return
	}
	number, id := h.some()
	talk := h.stored(number, id)
	switch h.random.IntN(9) {
	case 0:
		h.deliver(talk.OutboxEventID)
	case 1:
		h.do(http.MethodPost, talkAt(number, id)+"/complete", "", "")
		h.over[number+" "+id] = h.stored(number, id).Status == "completed"
	case 2:
		h.do(http.MethodPost, talkAt(number, id)+"/hand-back", "", "")
	case 3:
		h.do(http.MethodPost, talkAt(number, id)+"/messages", fmt.Sprint("k", n), `{"text":"Thank you."}`)
	case 4:
		h.later(time.Duration(h.random.IntN(12)) * day)
		h.endsInTime()
	default:
		message := h.text(number, fmt.Sprint("wamid.", n), fmt.Sprint("says ", n))
		if h.random.IntN(2) == 0 && talk.OpeningID != "" {
			message["context"] = wt.Object{"from": wt.Display, "id": string(talk.OpeningID)}
			h.expected[fmt.Sprint("wamid.", n)] = ""
			if !h.over[number+" "+id] {
				h.expected[fmt.Sprint("wamid.", n)] = number + " " + id
			}
		}
		h.written = append(h.written, message)
		h.says(message)
		if h.random.IntN(3) == 0 { // an older message comes again
			h.says(h.written[h.random.IntN(len(h.written))])
		}
	}
}

// endsInTime checks that no conversation waits beyond its time, and that each one that waits has its end planned.
func (h *history) endsInTime() {
	h.t.Helper()
	for _, one := range h.begun {
		var number, id string
		_, _ = fmt.Sscan(one, &number, &id)
		c := h.stored(number, id)
		if !c.Status.Waits() {
			continue
		}
		event := h.ending(number, id)
		if c.ExpiresAt() <= model.At(h.now) || event.Status != model.OutboxWaiting || event.NotBefore > c.ExpiresAt() {
			h.t.Errorf("%s is to end at %s, and at %s there is %+v", one, c.ExpiresAt(), model.At(h.now), event)
		}
		h.waited++
	}
}

// expired returns how many conversations have expired at the end.
func (h *history) expired() (n int) {
	for _, item := range h.db.Items(h.t, tables.Conversations) {
		if dynamo.Text(item, "conversation_status") == string(conversationsmodel.Expired) {
			n++
		}
	}
	return n
}

// holds checks that each message is in one conversation at most, and where it belongs.
func (h *history) holds() {
	h.t.Helper()
	found := map[string]string{} // the conversation, by the message
	for _, one := range h.begun {
		var number, id string
		_, _ = fmt.Sscan(one, &number, &id)
		c, whole := h.stored(number, id), h.talk(number, id)
		if c.Entries != len(whole.Messages) {
			h.t.Errorf("%s counts %d messages, and has %d", one, c.Entries, len(whole.Messages))
		}
		last := ""
		for _, m := range whole.Messages {
			if m.At < last {
				h.t.Errorf("%s is out of order", one)
			}
			if last = m.At; m.Role != "user" {
				continue
			}
			if before, twice := found[m.ID]; twice {
				h.t.Errorf("%s is in %s and in %s", m.ID, before, one)
			}
			found[m.ID] = one
		}
	}
	for message, want := range h.expected {
		if found[message] != want {
			h.t.Errorf("%s is in %q, and belongs to %q", message, found[message], want)
		}
	}
	markers := 0
	for _, item := range h.db.Items(h.t, tables.Conversations) {
		if dynamo.Text(item, "conversation_id") == keys.ItemSort && dynamo.Text(item, "talk") != "" {
			markers++
		}
	}
	if markers != len(found) {
		h.t.Errorf("%d messages belong to a conversation, and %d are in one", markers, len(found))
	}
}

// Whatever people and the company do, in whatever order messages come and however often: each reply is in one right
// conversation at most.
func TestRandomHistoriesLoseAndDoubleNothing(t *testing.T) {
	waited, expired := 0, 0
	for seed := range uint64(8) {
		h := &history{
			world: firm(t), random: rand.New(rand.NewPCG(seed, 25)), over: map[string]bool{},
			expected: map[string]string{}}
		for n := range 50 {
			h.step(n)
		}
		if h.holds(); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		waited, expired = waited+h.waited, expired+h.expired()
	}
	if waited == 0 || expired == 0 {
		t.Errorf("%d conversations were seen waiting, and %d have expired", waited, expired)
	}
}
