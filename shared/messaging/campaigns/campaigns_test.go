package campaigns_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
)

func TestEveryRecipientGetsTheMessageOnce(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 130)
	if added := w.add(c, "list-2", people(120, 30)); added != (campaigns.Added{Recipients: 20, Known: 10}) {
		t.Errorf("%+v", added)
	}
	w.start(c)
	w.start(c) // a second tap changes nothing
	got := w.until(c, model.CampaignCompleted)
	if len(w.sent.to) != 150 || len(w.sent.at) != 150 {
		t.Errorf("%d messages to %d people", len(w.sent.at), len(w.sent.to))
	}
	if got.SentCount != 150 || got.Queued != 0 || got.TotalRecipients != 150 || got.Failed != 0 ||
		got.Markets["India"] != 150 || got.Run != 1 {
		t.Errorf("%+v", got)
	}
	messages, next, err := w.Campaigns.Sent(t.Context(), c.CampaignID, 200, "")
	if err != nil || len(messages) != 150 || next != "" || messages[0].CampaignID != string(c.CampaignID) {
		t.Errorf("%d messages in the index, %v", len(messages), err)
	}
}

// Answers to customers never wait behind a campaign: it takes half of what the number may send.
func TestACampaignTakesHalfOfItsNumbersPace(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 300)
	w.outboxKeepsUp(c)
	w.start(c)
	began := w.clock.now
	for w.read(c).Part < 2 {
		w.goOn()
	}
	took := w.clock.now.Sub(began)
	if rate := 200 / took.Seconds(); rate > 52 || rate < 25 { // 40 a second, and a bucket that was full
		t.Errorf("%.1f messages a second", rate)
	}
}

// outboxKeepsUp has the outbox send a campaign's messages whenever the campaign waits for some moments.
func (w *world) outboxKeepsUp(c model.Campaign) {
	w.Campaigns.Sleep = func(ctx context.Context, d time.Duration) error {
		w.streams(sending.EventMessage)
		return w.clock.sleep(ctx, d)
	}
}

// Answers to customers do not queue behind a campaign whose messages the outbox sends slower than it could.
func TestACampaignWaitsForASlowOutbox(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 300)
	w.start(c)
	w.goOn()
	if got := w.read(c); got.Queued != 20 || got.WaitsFor != "" {
		t.Fatalf("nothing is sent: %+v", got)
	}
	w.streams(sending.EventMessage)
	w.goOn()
	if got := w.read(c); got.Position != 40 {
		t.Fatalf("some are sent: %+v", got)
	}
	for range 5 {
		if w.read(c).WaitsFor == "" {
			w.goOn()
		}
	}
	if got := w.read(c); got.Position != 40 || got.WaitsFor != "outbox" {
		t.Fatalf("nothing is sent for long: %+v", got)
	}
	w.streams(sending.EventMessage)
	if got := w.until(c, model.CampaignCompleted); got.SentCount != 300 {
		t.Errorf("%+v", got)
	}
}

// An event works for some seconds and has the next one go on. Nothing waits for a sweep before everybody is dealt with.
func TestACampaignGoesOnByTheStreamAlone(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 450)
	w.outboxKeepsUp(c)
	w.start(c)
	began := w.clock.now
	for slices := 0; w.read(c).HandedAt == ""; slices++ {
		w.goOn()
		w.streams(sending.EventMessage)
		if slices > 10 {
			t.Fatalf("after %d slices: %+v", slices, w.read(c))
		}
	}
	got, took := w.read(c), w.clock.now.Sub(began)
	if got.Queued > 300 || took > 25*time.Second || len(w.sent.to) < 300 {
		t.Errorf("after %v: %d sent, %+v", took, len(w.sent.to), got)
	}
}

func TestACampaignThatIsPausedSendsNothingMore(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 130)
	w.start(c)
	w.goOn()
	if _, err := w.Campaigns.Pause(t.Context(), c.CampaignID); err != nil {
		t.Fatal(err)
	}
	paused := w.clock.now
	for range 14 {
		w.clock.now = w.clock.now.Add(30 * time.Second)
		w.pass()
	}
	for _, at := range w.sent.at {
		if at.Sub(paused) > 5*time.Second {
			t.Fatalf("a message went out %v after the pause", at.Sub(paused))
		}
	}
	if got := w.read(c); got.Status != model.CampaignPaused || got.Queued == 0 {
		t.Errorf("%+v", got)
	}
	w.start(c)
	got := w.until(c, model.CampaignCompleted)
	if len(w.sent.to) != 130 || len(w.sent.at) != 130 || got.SentCount != 130 {
		t.Errorf("%d messages to %d people: %+v", len(w.sent.at), len(w.sent.to), got)
	}
}

func TestACampaignThatIsCancelledTakesBackWhatWasNotSent(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 130)
	w.start(c)
	w.goOn()
	if _, err := w.Campaigns.Cancel(t.Context(), c.CampaignID); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		w.clock.now = w.clock.now.Add(time.Minute)
		w.pass()
	}
	got := w.read(c)
	by, _ := w.recount(c)
	if len(w.sent.to) != 0 || got.Cancelled < 20 || got.Cancelled != by[campaigns.OutcomeCancelled] ||
		got.Queued != 0 || by[campaigns.OutcomeWaiting]+got.Cancelled != 130 {
		t.Errorf("%d sent: %+v, %v", len(w.sent.to), got, by)
	}
	if _, err := w.Campaigns.Start(t.Context(), got); !errors.Is(err, campaigns.ErrState) {
		t.Errorf("it begins again: %v", err)
	}
}

func TestAScheduledCampaignBeginsAtItsTime(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 5)
	for _, at := range []time.Time{noon, noon.Add(91 * 24 * time.Hour)} {
		if _, err := w.Campaigns.Schedule(t.Context(), c, model.At(at)); !errors.Is(err, campaigns.ErrTime) {
			t.Errorf("%v: %v", at, err)
		}
	}
	for _, at := range []time.Time{noon.Add(time.Hour), noon.Add(2 * time.Hour)} { // another time replaces the first
		if _, err := w.Campaigns.Schedule(t.Context(), w.read(c), model.At(at)); err != nil {
			t.Fatal(err)
		}
	}
	w.clock.now = noon.Add(119 * time.Minute)
	w.pass()
	if got := w.read(c); got.Status != model.CampaignScheduled || len(w.sent.to) != 0 {
		t.Fatalf("too early: %+v", got)
	}
	if got := w.until(c, model.CampaignCompleted); got.SentCount != 5 ||
		got.StartedAt.Go().Sub(noon.Add(2*time.Hour)) > 2*time.Minute {
		t.Errorf("%+v", got)
	}
}

// A request that adds a list dies half-way, and the campaign begins without it. The list does not join any more.
func TestAListThatIsNotWholeDoesNotJoinACampaignThatHasBegun(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 0)
	client, _ := w.db.Conflicting(2) // the campaign names the list, and no more
	_, err := roomsOn(client, w.clock).Campaigns.Add(t.Context(), w.read(c), campaigns.List{
		ID: "list-1", Source: "file", Columns: []string{"name"}, Recipients: people(0, 120)})
	if got := w.read(c); err == nil || len(got.Lists) != 1 || !got.Lists[0].Announced || got.TotalRecipients != 0 {
		t.Fatalf("%v: %+v", err, got)
	}
	w.add(c, "list-2", people(500, 5))
	w.start(c)
	_, err = w.Campaigns.Add(t.Context(), w.read(c), campaigns.List{
		ID: "list-1", Source: "file", Columns: []string{"name"}, Recipients: people(0, 120)})
	if !errors.Is(err, campaigns.ErrState) {
		t.Errorf("%v", err)
	}
	if got := w.until(c, model.CampaignCompleted); got.SentCount != 5 || got.TotalRecipients != 5 {
		t.Errorf("%+v", got)
	}
}

// People watch a campaign that was just handed over: while messages wait to be sent, what is shown is no older than a
// minute. Later it is counted in longer and longer intervals.
func TestACampaignWhoseMessagesWaitIsCountedEveryHalfMinute(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 3)
	w.start(c)
	for w.read(c).HandedAt == "" {
		w.goOn()
	}
	handed := w.read(c).HandedAt.Go()
	due := w.relay("")
	due.Handlers = w.Campaigns.DueHandlers()
	var oldest time.Duration
	for w.clock.Now().Sub(handed) < 9*time.Minute {
		w.clock.now = w.clock.now.Add(10 * time.Second)
		for _, of := range []*outbox.Relay{due, w.relay(keys.LaneSlow), w.relay(keys.LaneSlow)} { // and no messages
			if err := of.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.read(c); got.Queued != 3 {
			t.Fatalf("%+v", got)
		} else if counted := got.CountedAt; counted != "" {
			oldest = max(oldest, w.clock.Now().Sub(counted.Go()))
		}
	}
	if oldest > time.Minute {
		t.Errorf("what is shown is %v old", oldest)
	}
	if got := w.until(c, model.CampaignCompleted); got.SentCount != 3 {
		t.Errorf("%+v", got)
	}
}

// People whose messages wait for their next attempt hold up nobody behind them: a few for no moment, and many for some
// minutes.
func TestMessagesThatWaitForTheirNextAttemptHoldUpNoCampaign(t *testing.T) {
	handed := func(stuck int) time.Duration {
		w := newWorld(t)
		waits := map[string]bool{}
		for i := range stuck {
			waits[string(person(25+i))] = true
		}
		w.sent.fails = func(r whatsapp.Request) error {
			if waits[strings.TrimPrefix(whatsapp.ObjectOf(r.Body).Text("to"), "+")] {
				return &whatsapp.SendError{Class: whatsapp.WaitADay, HTTP: 400}
			}
			return nil
		}
		c := w.campaign(facts(), 150)
		w.start(c)
		began := w.clock.now
		for w.read(c).HandedAt == "" {
			if w.clock.now.Sub(began) > time.Hour {
				t.Fatalf("%d stuck: after an hour: %+v", stuck, w.read(c))
			}
			w.clock.now = w.clock.now.Add(10 * time.Second)
			w.pass()
		}
		return w.clock.now.Sub(began)
	}
	none, few, many := handed(0), handed(3), handed(40)
	if few > none+time.Second || many > none+15*time.Minute {
		t.Errorf("%s with none, %s with a few, %s with many", none, few, many)
	}
}
