package templates_test

import (
	"context"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const atAWS = "waba-fb2594b8a7974770b128a409e2example"

// The item of a template at AWS follows the template: whatever changes that, changes it in the same transaction.
func TestWhatAWSHasOfATemplateFollowsTheTemplate(t *testing.T) {
	s := newShop(t)
	one := listed("good", "APPROVED")
	one.AWSAccount, one.Quality = atAWS, "GREEN"
	s.meta.listed = []whatsapp.ListedTemplate{one}
	if err := s.send("good"); err != nil {
		t.Fatal(err)
	}
	s.runs()
	follows := func(status string) {
		t.Helper()
		now, err := s.rooms.TemplateCache.Get(t.Context(), wt.WABA, "good", "en")
		has, err2 := s.rooms.TemplateCache.AtAWS(t.Context(), now)
		if err != nil || err2 != nil || has.TemplateStatus != status || has.WABAID != atAWS ||
			has.MetaTemplateID != "1" || has.QualityScore != "GREEN" || has.WABAMetaID != wt.WABA ||
			has.Version != now.Version {
			t.Errorf("%+v, %v, %v", has, err, err2)
		}
	}
	follows("APPROVED")
	named, err := s.rooms.TemplateCache.Named(t.Context(), wt.WABA, "good")
	inStatus, err2 := s.rooms.TemplateCache.InStatus(t.Context(), wt.WABA, "APPROVED")
	if err != nil || err2 != nil || len(named) != 1 || len(inStatus) != 1 {
		t.Errorf("the item at AWS is listed as a template: %d, %d", len(named), len(inStatus))
	}
	s.now = s.now.Add(2 * time.Hour)
	s.meta.listed = nil // Meta does not have it any more
	_, err = s.rooms.TemplateCache.RequestSync(t.Context(),
		templates.Sync{Tenant: "demo", WABA: wt.WABA, Phone: wt.Phone}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.runs()
	follows(templates.Deleted)
}

func TestKeepingWhatAWSHasSurvivesEveryCrashPoint(t *testing.T) {
	one := listed("good", "APPROVED")
	one.AWSAccount = atAWS
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon }})
			handler := rooms.SyncHandlers(&meta{listed: []whatsapp.ListedTemplate{one}})[templates.EventSync]
			_, err := handler.Send(ctx, model.OutboxEvent{
				EcosystemID: "demo", AttemptStartedAt: model.At(noon),
				Payload: []byte(`{"wabaId":"` + wt.WABA + `","phoneNumberId":"` + wt.Phone + `"}`)})
			return err
		},
	})
	t.Logf("%d crash points", points)
}
