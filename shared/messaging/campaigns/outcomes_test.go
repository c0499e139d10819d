package campaigns_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// template stores a template of Meta's, and says that the account's templates are known.
func (w *world) template(name, category, status string) {
	w.db.Seed(w.t, tables.Messages,
		model.Account{
			PK: keys.Account(wt.WABA).Partition, ItemType: "ACCOUNT", WABAMetaID: wt.WABA,
			TemplatesSyncedAt: model.At(noon), Version: 1},
		model.Template{
			PK: keys.TemplateMeta(wt.WABA, model.Name(name), "en").Partition, ItemType: model.ItemTemplateMeta,
			WABAMetaID: wt.WABA, TemplateName: name, Language: "en", Status: status, Category: category, Version: 1})
}

// conversation stores a conversation with a recipient.
func (w *world) conversation(to model.CustomerID, change func(c *model.Conversation)) {
	key := keys.Conversation(wt.Phone, to)
	c := model.Conversation{
		PK: key.Partition, ItemType: model.ItemConversation, InboxPK: keys.InboxConversations(wt.Phone),
		From:       string(to),
		ReceivedAt: model.At(noon.Add(-72 * time.Hour)), SenderName: "Asha"}
	change(&c)
	w.db.Seed(w.t, tables.Messages, c)
}

func TestWhoGetsNoMessageIsSkippedWithTheReason(t *testing.T) {
	w := newWorld(t)
	w.template("offer", "MARKETING", "APPROVED")
	w.conversation(person(1), func(c *model.Conversation) {
		c.Decisions = []model.Decision{{OptOut: true, Order: model.OrderOf(model.At(noon.Add(-time.Hour)), 1)}}
	})
	w.conversation(person(2), func(c *model.Conversation) { c.MarketingStoppedAt = model.At(noon.Add(-time.Hour)) })
	all := people(0, 5)
	all[3].Values = []string{""}
	all[4].Values = []string{strings.Repeat("long ", 300)}
	c := w.campaign(facts(func(f *campaigns.Facts) {
		f.Variants = []model.Document{campaigns.Variant(content.Template{
			Name: "offer", Language: "en", Body: []content.TemplateParameter{{Text: "{{name}}"}}})}
	}), 0)
	w.add(c, "list-1", all)
	w.start(c)
	got := w.until(c, model.CampaignCompleted)
	by, _ := w.recount(c)
	if got.SentCount != 1 || by[campaigns.OutcomeSent] != 1 || by[campaigns.OutcomeSkipped] != 4 {
		t.Errorf("%+v, %v", got, by)
	}
	for _, reason := range []string{"opted_out", "marketing_stopped", "missing_value", "invalid_content"} {
		if got.Skipped[reason] != 1 {
			t.Errorf("%d skipped as %s: %v", got.Skipped[reason], reason, got.Skipped)
		}
	}
}

func TestATemplateThatMetaPausesPausesTheCampaign(t *testing.T) {
	w := newWorld(t)
	w.template("offer", "MARKETING", "PAUSED")
	c := w.campaign(facts(), 30)
	if _, err := w.Campaigns.Start(t.Context(), c); err == nil {
		t.Fatal("it begins with a template that Meta has paused")
	}
	w.template("offer", "MARKETING", "APPROVED")
	w.start(c)
	w.template("offer", "MARKETING", "PAUSED")
	if got := w.until(c, model.CampaignPaused); !strings.Contains(got.Problem, "template") || got.SentCount != 0 ||
		len(got.Skipped) > 0 {
		t.Errorf("%+v", got)
	}
	w.template("offer", "MARKETING", "APPROVED")
	w.start(c)
	if got := w.until(c, model.CampaignCompleted); got.SentCount != 30 || got.Problem != "" {
		t.Errorf("%+v", got)
	}
}

func TestAColumnThatIsMissingIsNamedBeforeTheCampaignBegins(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(func(f *campaigns.Facts) {
		f.Variants = []model.Document{campaigns.Variant(content.Template{
			Name: "offer", Language: "en", Body: []content.TemplateParameter{{Text: "{{name}} in {{city}}"}}})}
	}), 3)
	if _, err := w.Campaigns.Start(t.Context(), c); err == nil || w.read(c).Status != model.CampaignDraft {
		t.Errorf("%v", err)
	}
	empty := w.campaign(facts(func(f *campaigns.Facts) { f.Name = "Nobody" }), 0)
	if _, err := w.Campaigns.Start(t.Context(), empty); !errors.Is(err, campaigns.ErrNobody) {
		t.Errorf("%v", err)
	}
}

func TestFactsThatDoNotFitAreRefusedAllAtOnce(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(f *campaigns.Facts){
		"no template":            func(f *campaigns.Facts) { f.Variants = nil },
		"two templates, no test": func(f *campaigns.Facts) { f.Variants = append(f.Variants, f.Variants[0]) },
		"a test of one template": func(f *campaigns.Facts) { f.Test = &model.CampaignTest{Sample: 2, By: "read"} },
		"hours that end too early": func(f *campaigns.Facts) {
			f.Hours = &model.CampaignHours{From: "09:00", To: "08:00", TimeZone: "Asia/Kolkata"}
		},
		"a zone that nobody knows": func(f *campaigns.Facts) {
			f.Hours = &model.CampaignHours{From: "09:00", To: "20:00", TimeZone: "Asia/Atlantis"}
		},
		"a template without a name": func(f *campaigns.Facts) {
			f.Variants = []model.Document{campaigns.Variant(content.Template{Language: "en"})}
		},
	} {
		_, err := w.Campaigns.Create(t.Context(), number(), "asha", facts(change), request(t, name))
		if !errors.Is(err, campaigns.ErrFacts) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Outside of its hours a campaign waits, or skips whom it would reach.
func TestACampaignKeepsItsHours(t *testing.T) {
	evening := func(f *campaigns.Facts) { // 17:30 in India at noon of UTC
		f.Hours = &model.CampaignHours{From: "09:00", To: "17:00", TimeZone: "Asia/Kolkata"}
	}
	w := newWorld(t)
	c := w.campaign(facts(evening), 3)
	w.start(c)
	w.goOn()
	if got := w.read(c); got.WaitsFor != "hours" || got.WaitsUntil != "2026-11-22T03:30:00.000Z" {
		t.Errorf("%+v", got)
	}
	w.clock.now = time.Date(2026, 11, 22, 3, 29, 0, 0, time.UTC)
	if got := w.until(c, model.CampaignCompleted); got.SentCount != 3 || w.sent.at[0].Hour() != 3 {
		t.Errorf("%+v, at %v", got, w.sent.at)
	}
	skips := newWorld(t)
	c = skips.campaign(facts(evening, func(f *campaigns.Facts) { f.SkipsNotNow = true }), 3)
	skips.start(c)
	if got := skips.until(c, model.CampaignCompleted); got.SentCount != 0 || got.Skipped["hours"] != 3 {
		t.Errorf("%+v", got)
	}
}

// Meta lets an account write first to so many people in 24 hours. Two campaigns share that.
func TestCampaignsKeepToTheLimitOfTheirAccount(t *testing.T) {
	w := newWorld(t)
	w.db.Seed(t, tables.Messages, number(func(p *model.Phone) { p.MessagingLimit = "TIER_250" }))
	first := w.campaign(facts(), 200)
	second := w.campaign(facts(func(f *campaigns.Facts) { f.Name = "Second" }), 0)
	w.add(second, "list-2", people(500, 100))
	w.start(first)
	w.until(first, model.CampaignCompleted)
	w.start(second)
	for range 30 {
		w.clock.now = w.clock.now.Add(time.Minute)
		w.pass()
	}
	if got := w.read(second); got.WaitsFor != "limit" || len(w.sent.to) != 250 {
		t.Errorf("%d sent: %+v", len(w.sent.to), got)
	}
	w.clock.now = noon.Add(26 * time.Hour)
	if got := w.until(second, model.CampaignCompleted); got.SentCount != 100 || len(w.sent.to) != 300 {
		t.Errorf("%+v", got)
	}
}

func TestTheLimitIsReadAsMetaWritesIt(t *testing.T) {
	for text, want := range map[string]int64{
		"TIER_50": 50, "TIER_250": 250, "TIER_2K": 2000, "TIER_100K": 100_000, "TIER_UNLIMITED": 0, "": 0} {
		if got := campaigns.LimitOf(model.Phone{MessagingLimit: text}); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// A number that is held sends nothing. Its campaign waits, and goes on when the number is released.
func TestACampaignWaitsForAHeldNumber(t *testing.T) {
	w := newWorld(t)
	group := []string{sending.SenderGroup(wt.Phone)}
	writes, err := w.Outbox().HoldWrites(t.Context(), group, "disabled")
	if err == nil {
		err = w.DB.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := w.campaign(facts(), 10)
	w.start(c)
	for range 40 {
		w.clock.now = w.clock.now.Add(time.Minute)
		w.pass()
	}
	if got := w.read(c); got.WaitsFor != "number" || got.Part+got.Position != 0 {
		t.Errorf("%+v", got)
	}
	if writes, err = w.Outbox().ReleaseWrites(t.Context(), group); err == nil {
		err = w.DB.Transact(t.Context(), writes)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := w.until(c, model.CampaignCompleted); got.SentCount != 10 {
		t.Errorf("%+v", got)
	}
}

// marks gives messages that WhatsApp has taken a state.
func (w *world) marks(c model.Campaign, status model.DeliveryStatus, which func(o campaigns.Outcome, i int) bool) {
	w.t.Helper()
	i := 0
	for from := 0; from >= 0; {
		page, next, err := w.Campaigns.Outcomes(w.t.Context(), w.read(c), 100, from)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, o := range page {
			taken := o.Outcome == campaigns.OutcomeSent || o.Outcome == campaigns.OutcomeDelivered
			if i++; !taken || !which(o, i-1) {
				continue
			}
			err := w.DB.Update(w.t.Context(), dynamo.Update{
				Table: tables.Messages, Key: keys.Message(o.MessageID), If: dynamo.IfPresent,
				Do:     "SET deliveryStatus = :status, deliveryRank = :rank",
				Values: dynamo.Item{":status": dynamo.S(status), ":rank": dynamo.N(status.Rank())}})
			if err != nil {
				w.t.Fatal(err)
			}
		}
		from = next
	}
}

// The sample gets both templates in turn. The one that more people read goes to all others.
func TestTheBetterTemplateIsFound(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(func(f *campaigns.Facts) {
		f.Variants = []model.Document{hello("offer"), hello("sale")}
		f.Test = &model.CampaignTest{Sample: 40, By: "read", Minutes: 60}
	}), 150)
	w.start(c)
	for range 5 {
		w.clock.now = w.clock.now.Add(time.Minute)
		w.pass()
	}
	if got := w.read(c); got.WaitsFor != "test" || len(w.sent.to) != 40 {
		t.Fatalf("%d sent: %+v", len(w.sent.to), got)
	}
	w.marks(c, model.Read, func(o campaigns.Outcome, i int) bool { return o.Variant == 1 || i < 10 })
	got := w.until(c, model.CampaignCompleted)
	if got.Test.Winner != 1 || got.Test.DecidedAt == "" || got.SentCount != 150 || len(w.sent.at) != 150 {
		t.Errorf("%+v", got)
	}
	messages, _, err := w.Campaigns.Sent(t.Context(), c.CampaignID, 200, "")
	if err != nil {
		t.Fatal(err)
	}
	sale := 0
	for _, m := range messages {
		if strings.Contains(string(m.Content), "sale") {
			sale++
		}
	}
	if sale != 20+110 {
		t.Errorf("%d got the better one", sale)
	}
}

// Whatever happens while a campaign is sent, each recipient gets it once at most, and its counts are those of a
// recount.
func TestRandomHistoriesSendOnceAndCountExactly(t *testing.T) {
	db := dynamotest.Start(t, used...)
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 5))
		w := worldOn(t, db)
		w.clock.now = noon.Add(time.Duration(seed) * 30 * 24 * time.Hour)
		n := 30 + random.IntN(100)
		c, err := w.Campaigns.Create(t.Context(), number(), "asha", facts(), request(t, fmt.Sprint("make ", seed)))
		if err != nil {
			t.Fatal(err)
		}
		w.add(c, "list-1", people(int(seed)*1000, n))
		w.start(c)
		for range 60 {
			w.shake(random, c)
		}
		if got := w.read(c); got.Status == model.CampaignPaused {
			w.start(c)
		}
		for range 30 { // a round is found in one pass, and counted in the next
			w.clock.now = w.clock.now.Add(5 * time.Hour)
			w.pass()
		}
		w.settled(c, n, seed)
	}
}

// shake does something to a campaign that may happen at any time.
func (w *world) shake(random *rand.Rand, c model.Campaign) {
	w.t.Helper()
	ctx := w.t.Context()
	w.clock.now = w.clock.now.Add(time.Duration(random.IntN(40)) * time.Second)
	some := func(campaigns.Outcome, int) bool { return random.IntN(4) == 0 }
	switch random.IntN(12) {
	case 0:
		_, _ = w.Campaigns.Pause(ctx, c.CampaignID)
	case 1, 2:
		_, _ = w.Campaigns.Start(ctx, w.read(c))
	case 3:
		w.marks(c, []model.DeliveryStatus{model.Sent, model.Delivered, model.Read, model.Failed}[random.IntN(4)], some)
	case 4:
		_, _ = w.Campaigns.CountAgain(ctx, c.CampaignID)
	case 5: // the function dies in mid-work
		client, _ := w.db.Conflicting(int64(2 + random.IntN(9)))
		dying := roomsOn(client, w.clock)
		relay := w.relay(keys.LaneSlow)
		relay.Handlers = dying.Campaigns.Handlers()
		_ = relay.Sweep(ctx)
	case 6:
		if random.IntN(8) == 0 {
			_, _ = w.Campaigns.Cancel(ctx, c.CampaignID)
		}
	default:
		w.pass()
	}
}

// settled checks what must hold when nothing happens any more.
func (w *world) settled(c model.Campaign, n int, seed uint64) {
	w.t.Helper()
	for to, times := range w.sent.to {
		if times > 1 {
			w.t.Fatalf("history %d: %s got %d messages", seed, to, times)
		}
	}
	got := w.read(c)
	by, _ := w.recount(c)
	sent := by[campaigns.OutcomeSent] + by[campaigns.OutcomeDelivered] + by[campaigns.OutcomeRead]
	if got.Status != model.CampaignCompleted && got.Status != model.CampaignCancelled || got.SentCount != sent ||
		got.DeliveredCount != by[campaigns.OutcomeDelivered]+by[campaigns.OutcomeRead] ||
		got.ReadCount != by[campaigns.OutcomeRead] || got.Failed != by[campaigns.OutcomeFailed] ||
		got.Cancelled != by[campaigns.OutcomeCancelled] || got.Queued != 0 || got.Aside != 0 {
		w.t.Fatalf("history %d: %s, %d sent, %d delivered, %d read, %d failed, %d cancelled, %d queued, %d aside, "+
			"counting %+v until %q; recounted %v", seed, got.Status, got.SentCount, got.DeliveredCount, got.ReadCount,
			got.Failed, got.Cancelled, got.Queued, got.Aside, got.Counting, got.WaitsUntil, by)
	}
	if got.Status == model.CampaignCompleted && len(w.sent.to) != n {
		w.t.Fatalf("history %d: %d of %d people got it: %+v", seed, len(w.sent.to), n, got)
	}
}

func TestARunSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: used, Ignore: []string{"version", "ttl", "full_at"},
		Seed: func(t testing.TB, db *dynamotest.DB) {
			w := worldOn(t, db)
			c := w.campaign(facts(), 3)
			w.start(c)
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := roomsOn(client, &clock{now: noon})
			rooms.Campaigns.Sleep = func(context.Context, time.Duration) error { return nil }
			all, _, err := rooms.Campaigns.List(ctx, "demo", 1, "")
			if err != nil {
				return err
			}
			payload := fmt.Sprintf(`{"campaign":%q,"run":1}`, all[0].CampaignID)
			_, err = rooms.Campaigns.Handlers()[campaigns.EventRun].Send(ctx, model.OutboxEvent{
				EventType: campaigns.EventRun, Payload: model.Document(payload)})
			return err
		},
	})
	t.Logf("%d crash points", points)
}

// Every write of the messages of one recipient fails. The campaign goes on without that recipient, even if they are
// alone in a batch, and is completed.
func TestARecipientWhoKeepsFailingHoldsUpNobody(t *testing.T) {
	w := newWorld(t)
	sequence := outbox.SequenceRef("demo", sending.EntityType, keys.WhatsAppEntityID(wt.Phone, person(0))).Key.Partition
	id := keys.OutboxEventID(sequence, 1) // is there already, and the sequence does not know
	w.db.Seed(t, tables.Outbox, model.OutboxEvent{
		EventID: id, EventType: "test", Status: model.OutboxSent, CreatedAt: model.At(noon),
		CreatedAtEventID: keys.Joined(model.At(noon), id)})
	c := w.campaign(facts(), 1)
	w.add(c, "list-2", people(1, 1))
	w.start(c)
	got := w.until(c, model.CampaignCompleted)
	if got.SentCount != 1 || got.Skipped["failed"] != 1 || got.Aside != 0 || w.sent.to[string(person(1))] != 1 {
		t.Errorf("%+v", got)
	}
}

// The number passes to another tenant while some recipients are still to be tried again. They get nothing from it.
func TestNobodyIsTriedAgainFromAnotherTenantsNumber(t *testing.T) {
	w := newWorld(t)
	c := w.campaign(facts(), 2)
	key := keys.CampaignProgress(c.CampaignID, "list-1", 0)
	c.Status, c.Part, c.Aside, c.Run = model.CampaignRunning, 1, 2, 1
	c.StartedAt, c.HandedAt = model.At(noon), model.At(noon)
	c.Counting = &model.CampaignCounting{Round: 2}
	w.db.Seed(t, tables.Messages, c, number(func(p *model.Phone) { p.TenantID = "other" }), model.CampaignProgress{
		PK: key.Partition, ItemType: model.ItemCampaignProgress, Handed: 2, Aside: []int{0, 1}, Version: 1})
	event := model.OutboxEvent{Payload: model.Document(fmt.Sprintf(`{"campaign":%q,"run":1}`, c.CampaignID))}
	if _, err := w.Campaigns.Handlers()[campaigns.EventRun].Send(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if got := w.read(c); got.Queued != 0 || got.Aside != 2 {
		t.Errorf("%+v", got)
	}
}
