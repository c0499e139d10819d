package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
)

var manyRecipients = flag.Int("recipients", 10, "recipients of the campaign whose functions are killed; from 1,000 on "+
	"the answers to customers are timed")

const (
	demoShopPhone = "106540352242923"
	// answersWithin bounds 99 of 100 answers to customers while a campaign sends and functions are killed.
	answersWithin = 2 * time.Second
	talkers       = 4
)

// A campaign sends while one function after the other is killed with -9, statuses come in disorder and twice, and
// customers ask the shop at the same number. Each recipient gets one message, the counts are those of the messages, and
// customers do not wait for the campaign.
func TestACampaignUnderKillsSendsEachMessageOnce(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.Demo = true })
	recipients := *manyRecipients
	r.simulator(t, http.MethodPut, "/account", `{"limit":"TIER_100K"}`)
	r.simulate(t, "/faults", `{"match":{"type":"template"},"times":-1,"statuses":{"reorder":true,"duplicate":true}}`)
	path := r.plansCampaign(t, recipients)
	taken, answers := taken{}, answered{}
	stop := make(chan struct{})
	var around sync.WaitGroup
	around.Go(func() { r.killsOneEachSecond(stop) })
	around.Go(func() { taken.watch(t, r, stop) })
	for talker := range talkers {
		around.Go(func() { answers.talk(t, r, talker, stop) })
	}
	began := time.Now()
	r.ofCampaigns(t, path+"/start", "application/json", "")
	var seen struct {
		Status string
		Counts struct{ Sent, Failed, Cancelled, Queued, Waiting int }
	}
	shows := func() int {
		_, body := r.call(t, http.MethodGet, path, "")
		_ = json.Unmarshal([]byte(body), &seen)
		return seen.Counts.Sent
	}
	for ends := began.Add(4*time.Minute + time.Duration(recipients)*time.Second/10); shows() < recipients*99/100; {
		if time.Now().After(ends) {
			t.Errorf("slow: %+v", seen)
			break
		}
		time.Sleep(time.Second)
	}
	t.Logf("%d of %d after %v", seen.Counts.Sent, recipients, time.Since(began))
	close(stop)
	around.Wait()
	r.wake(t)
	r.get(t, path, &seen, func() bool { return seen.Status == "completed" && seen.Counts.Sent == recipients })
	taken.look(t, r)
	if len(taken.by) != recipients {
		t.Errorf("%d of %d people have a message", len(taken.by), recipients)
	}
	for to, ids := range taken.by {
		if len(ids) != 1 {
			t.Errorf("%s got %d messages", to, len(ids))
		}
	}
	if by := r.recountsCampaign(t, path); by["sent"] != seen.Counts.Sent || len(by) != 1 {
		t.Errorf("counted %+v, and there are %v", seen.Counts, by)
	}
	answers.judge(t, recipients >= 1000)
}

// plansCampaign makes a campaign of the demo shop's number with so many recipients, and returns its path.
func (r *running) plansCampaign(t *testing.T, recipients int) string {
	t.Helper()
	path := "/v1/campaigns/" + field(t, r.ofCampaigns(t, "/v1/campaigns", "application/json", `{"phoneNumberId":"`+
		demoShopPhone+`","name":"Diwali","templates":[{"name":"hello_world","language":"en_US"}]}`), "campaignId")
	var file strings.Builder
	file.WriteString("to,name\n")
	for i := range recipients {
		fmt.Fprintf(&file, "9196%08d,Asha\n", i)
	}
	r.ofCampaigns(t, path+"/files", "text/csv", file.String())
	return path
}

// ofCampaigns calls an operation of campaigns with an idempotency key of its own, and returns the answer.
func (r *running) ofCampaigns(t *testing.T, path, contentType, body string) string {
	t.Helper()
	request := r.request(t, r.Addresses.Token, http.MethodPost, path, body)
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Idempotency-Key", "POST "+path)
	status, answer := do(t, request)
	if status >= 300 {
		t.Fatalf("POST %s: %d %s", path, status, answer)
	}
	return answer
}

// recountsCampaign counts a campaign's recipients by outcome: who has got or read a message counts as sent.
func (r *running) recountsCampaign(t *testing.T, path string) map[string]int {
	t.Helper()
	token, by := r.mintFor(t, "recount", "tenant:demo"), map[string]int{}
	for after := ""; ; {
		var page struct {
			Items  []struct{ Outcome string }
			Cursor string
		}
		status, body := r.callAs(t, token, http.MethodGet,
			path+"/recipients?limit=100&cursor="+url.QueryEscape(after), "")
		if status == http.StatusTooManyRequests {
			time.Sleep(time.Second)
			continue
		}
		if err := json.Unmarshal([]byte(body), &page); status != http.StatusOK || err != nil {
			t.Fatalf("recipients: %d %s", status, body)
		}
		for _, recipient := range page.Items {
			switch recipient.Outcome {
			case "delivered", "read":
				recipient.Outcome = "sent"
			}
			by[recipient.Outcome]++
		}
		if after = page.Cursor; after == "" {
			return by
		}
	}
}

func (r *running) killsOneEachSecond(stop chan struct{}) {
	functions := []string{"inbound", "slow-lane", "status", "webhook", "outbox"}
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		case <-time.After(time.Second):
			_ = r.Kill(functions[i%len(functions)]) // it may not be running
		}
	}
}

// taken is the templates that WhatsApp has taken, by recipient and id. WhatsApp's list holds the latest messages only.
type taken struct{ by map[string]map[string]bool }

func (c *taken) watch(t *testing.T, r *running, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(3 * time.Second):
			c.look(t, r)
		}
	}
}

func (c *taken) look(t *testing.T, r *running) {
	t.Helper()
	var list struct {
		Messages []struct{ ID, To, Type string }
	}
	if err := json.Unmarshal([]byte(r.simulator(t, http.MethodGet, "/messages?limit=2000", "")), &list); err != nil {
		t.Fatal(err)
	}
	if c.by == nil {
		c.by = map[string]map[string]bool{}
	}
	for _, m := range list.Messages {
		if m.Type != "template" {
			continue
		}
		if c.by[m.To] == nil {
			c.by[m.To] = map[string]bool{}
		}
		c.by[m.To][m.ID] = true
	}
}

// answered is how long customers waited for the shop's answer.
type answered struct {
	mu   sync.Mutex
	took []time.Duration
}

// talk has one customer after the other ask the shop.
func (a *answered) talk(t *testing.T, r *running, talker int, stop chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(200 * time.Millisecond):
		}
		from := fmt.Sprintf("9195%02d%06d", talker, n)
		began := time.Now()
		r.simulate(t, "/say", `{"phoneNumberId":"`+demoShopPhone+`","from":"`+from+`","text":"menu"}`)
		for !strings.Contains(r.simulator(t, http.MethodGet, "/messages?to="+from, ""), `"id"`) {
			if time.Since(began) > 4*time.Minute { // an attempt whose end nobody knows waits two
				t.Errorf("%s got no answer", from)
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		a.mu.Lock()
		a.took = append(a.took, time.Since(began))
		a.mu.Unlock()
	}
}

func (a *answered) judge(t *testing.T, timed bool) {
	t.Helper()
	slices.Sort(a.took)
	n := len(a.took)
	if n == 0 {
		return
	}
	t.Logf("%d answers: median %v, p90 %v, p99 %v, longest %v", n, a.took[n/2], a.took[n*90/100], a.took[n*99/100],
		a.took[n-1])
	if p99 := a.took[n*99/100]; timed && p99 > answersWithin {
		t.Errorf("one of 100 customers waits longer than %v", p99)
	}
}
