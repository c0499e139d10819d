package groups_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestAGroupIsVisibleUntilMetaTellsOfIt(t *testing.T) {
	s := opened(t)
	id := s.wants("Rice", groups.AutoApprove)
	if again := s.wants("Rice", groups.AutoApprove); again != id {
		t.Errorf("the repeated request asks for another group")
	}
	other := groups.New{Name: "Dal", JoinApprovalMode: groups.AutoApprove}
	if _, err := s.rooms.Groups.Create(t.Context(), theNumber, other,
		s.request("Rice", groups.New{Name: "Rice", Description: "On Mondays", JoinApprovalMode: groups.AutoApprove,
			By: "user-1"})); !errors.Is(err, idempotency.ErrKeyReused) {
		t.Errorf("another group by the same key: %v", err)
	}
	if _, err := s.rooms.Groups.Ask(t.Context(), "demo", id,
		model.GroupAsked{Wish: groups.Delete}); !errors.Is(err, groups.ErrNotMade) {
		t.Errorf("what is not made yet is deleted: %v", err)
	}
	all, err := s.rooms.Groups.Of(t.Context(), wt.Phone)
	if err != nil || len(all) != 1 || all[0].State != model.GroupCreating || all[0].Asked.AnsweredAt != "" {
		t.Fatalf("%+v, %v", all, err)
	}
	s.settles()
	s.hears(1)
	asked := s.is(id, "")
	made := s.get(asked.BecameID)
	if made.Name != "Rice" || made.Description != "On Mondays" || made.State != model.GroupActive ||
		made.InviteLink == "" || made.JoinApprovalMode != groups.AutoApprove || made.RequestID != asked.RequestID {
		t.Errorf("%+v", made)
	}
	all, err = s.rooms.Groups.Of(t.Context(), wt.Phone)
	if err != nil || len(all) != 1 || all[0].GroupID != string(asked.BecameID) || asked.TTL == 0 {
		t.Errorf("%+v, %v", all, err)
	}
	s.settles()
	if count(s, "POST groups") != 1 {
		t.Errorf("asked %v", s.meta.asked.All())
	}
}

// count returns how often Meta was asked something.
func count(s *shop, what string) (n int) {
	for _, asked := range s.meta.asked.All() {
		if asked == what {
			n++
		}
	}
	return n
}

func TestALostAnswerMakesOneGroup(t *testing.T) {
	s := opened(t)
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	id := s.wants("Rice", groups.AutoApprove)
	s.settles()
	if g := s.is(id, ""); g.BecameID == "" || g.RequestID != "" {
		t.Errorf("%+v", g)
	}
	if n := count(s, "POST groups"); n != 1 {
		t.Errorf("asked %d times: %v", n, s.meta.asked.All())
	}
	s.hears(1)
	if g := s.get(s.get(id).BecameID); g.InviteLink == "" || g.State != model.GroupActive {
		t.Errorf("%+v", g)
	}
}

func TestTheWebhookTellsOfAGroupWhoseAnswerIsLost(t *testing.T) {
	s := opened(t)
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	id := s.wants("Rice", groups.AutoApprove)
	s.sweeps()
	s.hears(1)
	if g := s.is(id, ""); g.BecameID == "" {
		t.Errorf("%+v", g)
	}
}

func TestAPersonLooksAfterAGroupThatNobodyKnowsOf(t *testing.T) {
	for name, c := range map[string]struct {
		fault, problem string
		twins          bool
	}{
		"no answer, and no group": {`{"match":{"type":"setting"},"http":503}`, "look for it there", false},
		"two of the name":         {`{"match":{"type":"setting"},"loseAnswer":true,"times":1}`, "several new groups", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t)
			s.Control("POST", "/faults", c.fault)
			id := s.wants("Rice", groups.AutoApprove)
			if c.twins { // somebody makes another one at Meta
				s.Passes(time.Minute)
				if _, err := s.meta.Graph.AboutNumber(t.Context(), wt.Phone, whatsapp.NumberCall{Method: "POST",
					Edge: "groups", Body: map[string]string{"messaging_product": "whatsapp", "subject": "Rice"}},
				); err == nil {
					t.Fatal("the answer was to be lost")
				}
				s.Control("POST", "/faults", c.fault)
			}
			for range 6 {
				s.settles()
			}
			g := s.is(id, c.problem)
			if g.State != model.GroupFailed || g.TTL == 0 || count(s, "POST groups") > 1 {
				t.Errorf("%+v, asked %v", g, s.meta.asked.All())
			}
		})
	}
}

func TestWhatMetaRefusesOfANewGroupIsNotMade(t *testing.T) {
	s := opened(t)
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"fail":{"code":131211,"http":400}}`)
	refused := s.wants("Rice", groups.AutoApprove)
	s.settles()
	if g := s.is(refused, "131211"); g.State != model.GroupFailed {
		t.Errorf("%+v", g)
	}
	later := s.wants("reject this", groups.AutoApprove)
	s.settles()
	s.hears(1)
	if g := s.is(later, "131000"); g.State != model.GroupFailed || g.BecameID != "" {
		t.Errorf("%+v", g)
	}
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"fail":{"code":131208,"http":429}}`)
	busy := s.wants("Dal", groups.AutoApprove) // it is asked for again
	s.settles()
	s.hears(1)
	if g := s.is(busy, ""); g.BecameID == "" || count(s, "POST groups") != 4 {
		t.Errorf("%+v, asked %v", g, s.meta.asked.All())
	}
}

func TestAGroupIsChangedLookedUpAndDeleted(t *testing.T) {
	s := opened(t)
	id := s.has("Rice", groups.AutoApprove)
	name, empty := "Rice and dal", ""
	s.asks(id, model.GroupAsked{Wish: groups.Change, Name: &name, Description: &empty})
	if g := s.is(id, ""); g.Name != "Rice" {
		t.Error("it has the name before Meta tells of it")
	}
	s.hears(1)
	if g := s.get(id); g.Name != name || g.Description != "" {
		t.Errorf("%+v", g)
	}
	s.does(id, asha, "join")
	s.does(id, "IN.77", "join")
	s.does(id, asha, "leave")
	s.does(id, ravi, "join")
	s.does(id, "", "suspend")
	for range 5 { // they are lost
		s.Next()
	}
	s.asks(id, model.GroupAsked{Wish: groups.LookUp})
	g := s.is(id, "")
	if in(g) != ravi+" IN.77" || g.State != model.GroupSuspended || g.ReadAt == "" || g.Name != name {
		t.Errorf("%q, %+v", in(g), g)
	}
	s.asks(id, model.GroupAsked{Wish: groups.Change, Name: &name})
	s.is(id, "131207")
	s.asks(id, model.GroupAsked{Wish: groups.Delete})
	if g := s.is(id, ""); g.State == model.GroupDeleted {
		t.Error("it is deleted before Meta tells of it")
	}
	s.hears(1)
	if g := s.get(id); g.State != model.GroupDeleted || g.Name != name {
		t.Errorf("%+v", g)
	}
	if _, err := s.rooms.Groups.Ask(t.Context(), "demo", id,
		model.GroupAsked{Wish: groups.Change, Name: &name}); !errors.Is(err, groups.ErrDeleted) {
		t.Errorf("what is deleted is changed: %v", err)
	}
}

func TestAGroupThatMetaDoesNotHaveIsDeleted(t *testing.T) {
	for _, wish := range []string{groups.LookUp, groups.Delete, groups.ResetLink} {
		s := opened(t)
		id := s.has("Rice", groups.AutoApprove)
		_, err := s.meta.Graph.AboutGroup(t.Context(), string(id), whatsapp.NumberCall{Method: "DELETE"})
		s.Must(err)
		s.Next()
		s.asks(id, model.GroupAsked{Wish: wish})
		problem := ""
		if wish == groups.ResetLink {
			problem = "does not have the group"
		}
		if g := s.is(id, problem); g.State != model.GroupDeleted {
			t.Errorf("%s: %+v", wish, g)
		}
	}
}

func TestTheInviteLinkIsResetOnce(t *testing.T) {
	s := opened(t)
	id := s.has("Rice", groups.AutoApprove)
	was := s.get(id).InviteLink
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	s.asks(id, model.GroupAsked{Wish: groups.ResetLink})
	g := s.is(id, "")
	has, err := s.meta.Graph.AboutGroup(t.Context(), string(id), whatsapp.NumberCall{Edge: "invite_link"})
	if err != nil || g.InviteLink == was || g.InviteLink != has.Text("invite_link") {
		t.Errorf("%s after %s, and Meta has %v, %v", g.InviteLink, was, has, err)
	}
	if n := count(s, "POST group invite_link"); n != 1 || g.JoinApprovalMode != groups.AutoApprove {
		t.Errorf("asked %d times, %+v", n, g)
	}
}

func TestThoseWhoAskToJoinAreApprovedAndRejected(t *testing.T) {
	s := opened(t)
	id := s.has("Rice", groups.ApprovalRequired)
	for _, who := range []string{asha, ravi, "IN.77"} {
		s.does(id, who, "join")
	}
	s.hears(2)
	s.Next() // of the last one, nobody hears
	if n := len(asking(s.get(id))); n != 2 {
		t.Errorf("%d ask to join, want 2", n)
	}
	s.asks(id, model.GroupAsked{Wish: groups.LookUp})
	g := s.is(id, "")
	open := map[model.CustomerID]model.Name{}
	for _, j := range g.JoinRequests {
		open[j.CustomerID] = j.ID
	}
	if len(open) != 3 {
		t.Fatalf("%+v", g.JoinRequests)
	}
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	s.asks(id, model.GroupAsked{Wish: groups.Approve, JoinRequests: []model.Name{open[asha]}})
	if s.is(id, ""); count(s, "POST group join_requests") != 1 {
		t.Errorf("asked %v", s.meta.asked.All())
	}
	s.hears(1)
	s.asks(id, model.GroupAsked{Wish: groups.Reject, JoinRequests: []model.Name{open[ravi], "none"}})
	g = s.is(id, "join request is not known")
	if in(g) != asha || !slices.Equal(asking(g), []model.Name{open["IN.77"]}) {
		t.Errorf("%s, %+v", in(g), g.JoinRequests)
	}
	s.does(id, "IN.77", "withdraw")
	s.hears(1)
	if n := len(asking(s.get(id))); n != 0 {
		t.Errorf("%d ask to join, want none", n)
	}
}

func TestPeopleAreRemovedFromAGroup(t *testing.T) {
	s := opened(t)
	id := s.has("Rice", groups.AutoApprove)
	for _, who := range []string{asha, ravi, "IN.77"} {
		s.does(id, who, "join")
	}
	s.hears(3)
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	s.asks(id, model.GroupAsked{Wish: groups.Remove, People: []model.CustomerID{asha, "IN.77"}})
	s.is(id, "")
	s.hears(1)
	if g := s.get(id); in(g) != ravi || count(s, "DELETE group participants") != 1 {
		t.Errorf("%s, asked %v", in(g), s.meta.asked.All())
	}
	s.asks(id, model.GroupAsked{Wish: groups.Remove, People: []model.CustomerID{asha}})
	s.hears(1)
	s.is(id, "131212")
}

func TestWhatIsUnderWayIsNotAskedForAgain(t *testing.T) {
	s := opened(t)
	id := s.has("Rice", groups.AutoApprove)
	wanted := model.GroupAsked{Wish: groups.Remove, People: []model.CustomerID{asha}, By: "user-1"}
	for range 2 {
		if _, err := s.rooms.Groups.Ask(t.Context(), "demo", id, wanted); err != nil {
			t.Fatal(err)
		}
	}
	wanted.People = []model.CustomerID{ravi}
	if _, err := s.rooms.Groups.Ask(t.Context(), "demo", id, wanted); !errors.Is(err, groups.ErrWaits) {
		t.Errorf("somebody else is to be removed, too: %v", err)
	}
	if _, err := s.rooms.Groups.Ask(t.Context(), "demo", "none", wanted); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("of a group that nobody knows: %v", err)
	}
	moved := theNumber
	moved.TenantID = "other"
	s.db.Seed(t, tables.Messages, moved)
	s.settles()
	if s.is(id, "not the tenant's any more"); len(s.meta.asked.All()) > 0 {
		t.Errorf("asked %v", s.meta.asked.All())
	}
}

func TestAnErasureTakesAPersonOutOfTheGroups(t *testing.T) {
	s := opened(t)
	id := s.has("Rice", groups.ApprovalRequired)
	for _, who := range []string{asha, ravi} {
		s.does(id, who, "join")
	}
	s.hears(2)
	s.asks(id, model.GroupAsked{Wish: groups.Approve, JoinRequests: asking(s.get(id))[:1]})
	s.hears(1)
	people := []model.CustomerID{asha, ravi}
	_, err := s.rooms.Groups.Ask(t.Context(), "demo", id, model.GroupAsked{Wish: groups.Remove, People: people})
	s.Must(err)
	places, err := s.rooms.Groups.Places(t.Context(), wt.Phone, people)
	if err != nil || len(places) != 2 {
		t.Errorf("%+v, %v", places, err)
	}
	erased := 0
	s.Must(s.rooms.Groups.Erase(t.Context(), wt.Phone, people, func(_ string, n int) []dynamo.Write {
		erased += n
		return nil
	}))
	if text := fmt.Sprint(s.get(id), s.get(id).Asked); strings.Contains(text, asha) || strings.Contains(text, ravi) ||
		erased != 1 {
		t.Errorf("%s, erased from %d", text, erased)
	}
}

// steady is a Meta that always says the same.
type steady struct{}

func (steady) AboutNumber(_ context.Context, _ string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	if call.Method == "POST" {
		return whatsapp.ObjectOf([]byte(`{"request_id":"R1"}`)), nil
	}
	return whatsapp.ObjectOf([]byte(`{"data":{"groups":[{"id":"Y2FwaQ==","subject":"Rice",` +
		`"created_at":"1795262400"}]}}`)), nil
}

func (steady) AboutGroup(_ context.Context, _, _ string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	answer := map[string]string{
		"": `{"subject":"Dal","join_approval_mode":"approval_required",` +
			`"participants":[{"wa_id":"919876543210"},{"wa_id":"919876543211"}]}`,
		"invite_link":   `{"invite_link":"https://chat.whatsapp.com/new"}`,
		"join_requests": `{"data":[{"join_request_id":"j2","wa_id":"919876543211"}]}`,
	}[call.Edge]
	switch {
	case call.Method != "" && call.Edge == "join_requests":
		answer = `{"approved_join_requests":["j1"],"rejected_join_requests":["j1"]}`
	case call.Method != "" && call.Edge != "invite_link":
		answer = `{"request_id":"R2"}`
	}
	return whatsapp.ObjectOf([]byte(answer)), nil
}

func (steady) PutGroupPicture(context.Context, string, string, []byte) (whatsapp.Object, error) {
	return whatsapp.ObjectOf([]byte(`{"request_id":"R3"}`)), nil
}

func TestAskingAboutGroupsSurvivesEveryCrashPoint(t *testing.T) {
	name := "Dal"
	for _, asked := range []model.GroupAsked{
		{Wish: groups.Create}, {Wish: groups.LookUp}, {Wish: groups.Change, Name: &name}, {Wish: groups.ResetLink},
		{Wish: groups.Approve, JoinRequests: []model.Name{"j1"}}, {Wish: groups.Delete},
		{Wish: groups.Reject, JoinRequests: []model.Name{"j1"}},
		{Wish: groups.Remove, People: []model.CustomerID{asha}}, {Wish: groups.Picture, Picture: "photo"},
	} {
		t.Run(asked.Wish, func(t *testing.T) {
			asked.At = model.At(noon)
			g := model.Group{
				PK: keys.Group("g1").Partition, ItemType: model.ItemGroup, GroupID: "g1", PhoneNumberID: wt.Phone,
				WABAMetaID: wt.WABA, Name: "Rice", State: model.GroupActive, Asked: &asked, Version: 1,
				Participants: []model.Participant{{ID: asha, Order: "2026"}},
				JoinRequests: []model.JoinRequest{{ID: "j1", CustomerID: asha, Order: "2026"}}}
			if asked.Wish == groups.Create {
				g.State, g.Participants, g.JoinRequests = model.GroupCreating, nil, nil
			}
			payload := fmt.Sprintf(`{"groupId":"g1","phoneNumberId":%q,"askedAt":%q}`, wt.Phone, model.At(noon))
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					db.Seed(t, tables.Messages, theNumber, g, photo)
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := roomsOn(client, func() time.Time { return noon })
					files := &messagingtest.Bucket{}
					files.Lay(photo.S3Key, string(picture(t, 192, 192)))
					handler := rooms.Groups.Handler(steady{}, files, sending.AsFailure)
					var later *outbox.Later
					err := error(&outbox.Later{})
					for errors.As(err, &later) { // Meta's list tells of the group
						_, err = handler.Send(ctx, model.OutboxEvent{EcosystemID: "demo", Payload: []byte(payload)})
					}
					return err
				},
				// a lost answer keeps the name of the request from being known: it is not noted
				Ignore: []string{"requestId", "version"},
			})
			t.Logf("%d crash points", points)
		})
	}
}
