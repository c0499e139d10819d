package messaging_test

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// logNumberEvent posts a change that Meta wrote at a time, repeatedly.
func (w *fixture) logNumberEvent(at time.Time, change wt.Object) {
	w.t.Helper()
	for range 2 {
		if err := w.postBody(wt.BodyAt(at, change)); err != nil {
			w.t.Fatal(err)
		}
		w.seen = map[model.EventID]bool{} // it is redelivered
	}
}

func TestANumberShowsMetasLatestEvent(t *testing.T) {
	type said struct {
		minutesAgo int
		change     wt.Object
	}
	flagged, unflagged := wt.QualityUpdate("FLAGGED", "TIER_10K"), wt.QualityUpdate("UNFLAGGED", "TIER_2K")
	for name, c := range map[string]struct {
		said []said
		want model.Phone
	}{
		"flagged": {
			[]said{{3, flagged}}, model.Phone{QualityRating: "RED", MessagingLimit: "TIER_10K"}},
		"flagged no longer": {
			[]said{{3, flagged}, {2, unflagged}}, model.Phone{QualityRating: "UNKNOWN", MessagingLimit: "TIER_2K"}},
		"what was said before and comes later": {
			[]said{{2, unflagged}, {3, flagged}}, model.Phone{QualityRating: "UNKNOWN", MessagingLimit: "TIER_2K"}},
		"a limit says nothing of the quality": {
			[]said{{3, flagged}, {2, wt.QualityUpdate("DOWNGRADE", "TIER_250")}},
			model.Phone{QualityRating: "RED", MessagingLimit: "TIER_250"}},
		"a higher throughput is no other limit": {
			[]said{{3, flagged}, {2, wt.QualityUpdate("THROUGHPUT_UPGRADE", "TIER_UNLIMITED")}},
			model.Phone{QualityRating: "RED", MessagingLimit: "TIER_10K", Throughput: "HIGH"}},
		"a limit by its newer name": {[]said{{3, wt.Change("phone_number_quality_update", wt.Object{
			"display_phone_number": "+1 555-078-3881", "event": "UPGRADE",
			"max_daily_conversations_per_business": "TIER_100K",
		})}}, model.Phone{MessagingLimit: "TIER_100K"}},
		"a name": {
			[]said{{3, wt.NameUpdate("APPROVED", "Haat")}, {2, wt.NameUpdate("REJECTED", "Best Haat")}},
			model.Phone{VerifiedName: "Haat"}},
		"another number": {
			[]said{{3, wt.Change("phone_number_name_update",
				wt.Object{"display_phone_number": "1", "decision": "APPROVED", "requested_verified_name": "Haat"})}},
			model.Phone{}},
		"what is not as it should be": {
			[]said{{3, wt.Change("phone_number_quality_update",
				wt.Object{"display_phone_number": 7, "event": wt.List{}})}, {2, wt.NameUpdate("APPROVED", "")}},
			model.Phone{}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.seedNumber(model.Phone{TenantID: "shop", WABAMetaID: wt.WABA, DisplayPhoneNumber: wt.Display})
			for _, s := range c.said {
				w.logNumberEvent(ago(s.minutesAgo), s.change)
			}
			got := w.number()
			if got.QualityRating != c.want.QualityRating || got.MessagingLimit != c.want.MessagingLimit ||
				got.Throughput != c.want.Throughput || got.VerifiedName != c.want.VerifiedName {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAnEventAboutAnUnknownNumberCreatesNoNumber(t *testing.T) {
	w := newFixture(t)
	w.logNumberEvent(ago(1), wt.NameUpdate("APPROVED", "Haat"))
	if item := w.db.Dump(t)[tables.Messages.ID][keys.Phone(wt.Phone).Partition]; item != nil {
		t.Errorf("%v", item)
	}
}
