package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
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

// Functions are killed with -9 again and again while customers write and operators answer. Nothing may be lost, and
// nothing counted twice.
func TestFunctionsKilledInMidWorkLoseNothing(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir())
	const customers, each = 6, 15
	stop := make(chan struct{})
	var killer sync.WaitGroup
	killer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(70 * time.Millisecond):
				r.Kill([]string{"inbound", "webhook", "status", "outbox"}[i%4])
			}
		}
	})
	var writers sync.WaitGroup
	for customer := range customers {
		writers.Go(func() {
			for n := range each {
				r.simulate(t, "/say", fmt.Sprintf(`{"from":"91987650000%d","text":"message %d"}`, customer, n))
			}
		})
	}
	writers.Wait()
	id := func(customer int) string { return fmt.Sprintf("106540352242922:91987650000%d", customer) }
	for customer := range customers {
		var conversation struct {
			UnreadCount int `json:"unreadCount"`
		}
		r.get(t, "/v1/conversations/"+id(customer), &conversation,
			func() bool { return conversation.UnreadCount == each })
	}
	for customer := range customers {
		status, body := r.call(t, http.MethodPost, "/v1/conversations/"+id(customer)+"/messages/text",
			`{"body":"answer"}`)
		if status != http.StatusAccepted {
			t.Fatalf("answer: %d %s", status, body)
		}
	}
	time.Sleep(2 * time.Second) // under fire
	close(stop)
	killer.Wait()
	r.wake(t)
	for customer := range customers {
		var page timeline
		r.get(t, "/v1/conversations/"+id(customer)+"/messages?limit=100", &page, func() bool {
			answers := 0
			for _, m := range page.Messages {
				if m.Direction == "outbound" && m.Delivery != nil && m.Delivery.Status == "read" {
					answers++
				}
			}
			return answers == 1 && len(page.Messages) == each+1
		})
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
