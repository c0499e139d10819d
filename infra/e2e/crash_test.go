package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/lanes"
)

type inbox struct {
	Conversations []struct {
		ID          string `json:"id"`
		UnreadCount int    `json:"unreadCount"`
	} `json:"items"`
}

type timeline struct {
	Messages []timelineMessage `json:"items"`
}

type timelineMessage struct {
	ID        string `json:"id"`
	Direction string `json:"direction"`
	Text      string `json:"text"`
	Delivery  *struct {
		Status string `json:"status"`
	} `json:"delivery"`
}

var (
	manyTexts = flag.Int("texts", 90, "texts that customers write while functions are killed")
	manySends = flag.Int("sends", 6, "answers that are sent while functions are killed")
)

// Functions are killed with -9 again and again while customers write and operators answer. Nothing may be lost, nothing
// counted twice, and nothing sent twice: WhatsApp says what became of each message, as Meta does.
func TestFunctionsKilledInMidWorkLoseNothing(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir())
	customers := max(6, *manyTexts/20)
	each, answers := *manyTexts/customers, max(1, *manySends/customers)
	stop, killed := make(chan struct{}), 0
	var killer sync.WaitGroup
	killer.Go(func() {
		for ; ; killed++ {
			select {
			case <-stop:
				return
			case <-time.After(70 * time.Millisecond):
				r.Kill([]string{"inbound", "webhook", "status", "outbox"}[killed%4])
			}
		}
	})
	number := func(customer int) string { return fmt.Sprintf("9198765%05d", customer) }
	id := func(customer int) string { return "106540352242922:" + number(customer) }
	everybody := func(does func(customer int)) {
		jobs := make([]func() error, customers)
		for customer := range customers {
			jobs[customer] = func() error { does(customer); return nil }
		}
		lanes.Concurrently(8, jobs...)
	}
	everybody(func(customer int) {
		for n := range each {
			r.simulate(t, "/say", fmt.Sprintf(`{"from":"%s","text":"message %d"}`, number(customer), n))
		}
	})
	for customer := range customers {
		var conversation struct {
			UnreadCount int `json:"unreadCount"`
		}
		r.get(t, "/v1/conversations/"+id(customer), &conversation,
			func() bool { return conversation.UnreadCount == each })
	}
	everybody(func(customer int) {
		for range answers {
			status, body := r.call(t, http.MethodPost, "/v1/conversations/"+id(customer)+"/messages/text",
				`{"body":"answer"}`)
			if status != http.StatusAccepted {
				t.Errorf("answer: %d %s", status, body)
			}
		}
	})
	time.Sleep(2 * time.Second) // under fire
	close(stop)
	killer.Wait()
	r.wake(t)
	for customer := range customers {
		var page timeline
		r.get(t, "/v1/conversations/"+id(customer)+"/messages?limit=100", &page, func() bool {
			read := 0
			for _, m := range page.Messages {
				if m.Direction == "outbound" && m.Delivery != nil && m.Delivery.Status == "read" {
					read++
				}
			}
			return read == answers && len(page.Messages) == each+answers
		})
		var sent struct{ Messages []struct{} }
		if err := json.Unmarshal([]byte(r.simulator(t, http.MethodGet, "/messages?to="+number(customer), "")),
			&sent); err != nil || len(sent.Messages) != answers {
			t.Errorf("%d messages have reached a customer, and %d were sent: %v", len(sent.Messages), answers, err)
		}
	}
	t.Logf("%d texts, %d answers, %d functions killed", customers*each, customers*answers, killed)
	if killed < 80 && *manyTexts >= 2000 {
		t.Error("too few were killed to say anything")
	}
}

// wake lets the sweep find at once what a killed relay has left, as it would within minutes: an attempt whose end
// nobody knows has to wait two minutes for a status, unless one has come.
func (r *running) wake(t *testing.T) {
	t.Helper()
	if _, err := r.Trigger(t.Context(), "outbox-sweep"); err != nil {
		t.Fatal(err)
	}
}

func TestDataSurvivesARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Run("before", func(t *testing.T) {
		r := start(t, dir)
		r.simulate(t, "/say", `{"from":"919876500009","text":"remember me"}`)
		var list inbox
		r.get(t, "/v1/conversations", &list, func() bool { return len(list.Conversations) == 1 })
	})
	r := start(t, dir)
	var page timeline
	r.get(t, "/v1/conversations/106540352242922:919876500009/messages", &page, func() bool {
		return len(page.Messages) == 1 && page.Messages[0].Text == "remember me"
	})
}

func TestOnlyGoodTokensAreLetIn(t *testing.T) {
	r := start(t, t.TempDir())
	for name, token := range map[string]string{
		"none": "", "not a token": "abc", "unsigned": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
		"cut off": r.Addresses.Token[:len(r.Addresses.Token)-4],
	} {
		if status, body := r.callAs(t, token, http.MethodGet, "/v1/conversations",
			""); status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}
