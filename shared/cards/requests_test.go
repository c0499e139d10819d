package cards_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestTheFirstAdminsAnswerDecidesAndEverybodyIsTold(t *testing.T) {
	h := newHouse(t)
	user := h.user(600, "+"+ashaWA)
	request := h.asked(user)
	if request.Status != cardsmodel.RequestPending || request.TierAtRequest != cardsmodel.TierMedium ||
		request.ExpiresAt != model.At(noon.Add(48*time.Hour)) {
		t.Errorf("%+v", request)
	}
	if h.read(user.EcosystemID).PendingRequestID != request.RequestID {
		t.Error("the user has no pending request")
	}
	p := &phones{}
	asked := h.sends(p)
	slices.SortFunc(asked, func(a, b sent) int { return strings.Compare(a.to, b.to) })
	if len(asked) != 3 || asked[0].to != joao || asked[0].template != cardsmodel.NotifyApprovalRequest {
		t.Fatalf("%+v", asked)
	}
	if tracker, err := h.cards.Requests.Approval(t.Context(), request.RequestID); err != nil ||
		len(tracker.NotificationIDs) != 3 || tracker.NotificationsSentAt == "" {
		t.Errorf("%+v, %v", tracker, err)
	}

	h.now = h.now.Add(time.Hour)
	// João, in WhatsApp's form without the ninth digit
	h.taps("551187654321", command.Payload(command.Approve, request.RequestID), questionTo("joao", request))
	decided, err := h.cards.Requests.Get(t.Context(), user.EcosystemID, request.RequestID)
	if err != nil || decided.Status != cardsmodel.RequestApproved || decided.Decision.AdminName != "João" ||
		decided.Decision.Via != cardsmodel.ViaWhatsApp {
		t.Fatalf("%+v, %v", decided, err)
	}
	card, err := h.cards.Issued.Get(t.Context(), user.EcosystemID, decided.ResultingCardID)
	if err != nil || card.Limit.String() != "10000" || card.ApprovedBy != cardsmodel.ByAdmin {
		t.Errorf("%+v, %v", card, err)
	}
	h.summed(user.EcosystemID)
	told := h.sends(p)
	if len(told) != 2 ||
		!slices.ContainsFunc(told,
			func(s sent) bool { return s.to == ashaWA && s.template == cardsmodel.NotifyApproved }) ||
		!slices.ContainsFunc(told, func(s sent) bool { return strings.HasPrefix(s.text, "Approved: Standard card.") }) {
		t.Errorf("%+v", told)
	}

	h.now = h.now.Add(time.Hour)
	h.says(meena, "REJECT "+string(request.Code)+" too much")
	late := h.sends(p)
	if len(late) != 1 || late[0].to != meena ||
		late[0].text != "कुछ नहीं बदला: João ने 2026-11-21 13:00 UTC को यह अनुरोध मंज़ूर कर दिया था।" {
		t.Errorf("%+v", late)
	}
	if got := h.records(); !slices.Equal(got, []string{"card-request.approved"}) {
		t.Errorf("audit records: %v", got)
	}
	if kept := h.commands(); len(kept) != 2 || kept[0].ProcessedStatus != cardsmodel.InboundProcessed ||
		kept[1].ProcessedStatus != cardsmodel.InboundProcessed {
		t.Errorf("%+v", kept)
	}
	if request, err := h.asks(user); err != nil || request.RequestID != decided.RequestID {
		t.Errorf("the repeated request: %+v, %v", request, err)
	}
}

func TestARequestOfTheHighTierIsApprovedAtOnce(t *testing.T) {
	h := newHouse(t)
	user := h.user(700, "+"+ashaWA)
	request := h.asked(user)
	if request.Status != cardsmodel.RequestApproved || request.Decision.By != cardsmodel.ByAuto ||
		request.ResultingCardID == "" {
		t.Errorf("%+v", request)
	}
	if told := h.sends(&phones{}); len(told) != 1 || told[0].template != cardsmodel.NotifyApproved {
		t.Errorf("%+v", told)
	}
	h.summed(user.EcosystemID)
}

func TestARequestThatBreaksARuleChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(h *house, user cardsmodel.User)
		product model.Name
		rule    error
	}{
		"an unknown product": {nil, "gold", requests.ErrUnknownProduct},
		"a disabled user": {func(h *house, user cardsmodel.User) {
			if _, err := h.cards.Users.SetStatus(h.t.Context(), user.EcosystemID, cardsmodel.UserDisabled, "left",
				boss); err != nil {
				h.t.Fatal(err)
			}
		}, "standard", users.ErrDisabled},
		"a pending request": {func(h *house, user cardsmodel.User) { h.asked(user) }, "standard", requests.ErrPending},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			user := h.user(500, "")
			if c.prepare != nil {
				c.prepare(h, user)
			}
			before := h.db.Dump(t)
			_, err := h.cards.Requests.Make(t.Context(),
				requests.Ask{
					Tenant: tenant, User: user.EcosystemID, Product: c.product, By: boss,
					Key: key(t, "request-card", "other", nil)})
			if !errors.Is(err, c.rule) {
				t.Errorf("%v", err)
			}
			if diff := difference(before, h.db.Dump(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
	h := newHouse(t)
	user := h.user(500, "")
	h.asked(user)
	if _, err := h.cards.Requests.Make(t.Context(),
		requests.Ask{
			Tenant: tenant, User: user.EcosystemID, Product: "standard", By: boss,
			Key: key(t, "request-card", string(user.EcosystemID)+"k1", "another body")}); !errors.Is(err,
		idempotency.ErrKeyReused) {
		t.Errorf("another body under the same key: %v", err)
	}
}

func TestCommandsOfStrangersAndMistypedOnes(t *testing.T) {
	h := newHouse(t)
	user := h.user(600, "+"+ashaWA)
	request := h.asked(user)
	p := &phones{}
	h.sends(p)
	h.says(ashaWA, "APPROVE "+string(request.Code))
	if told := h.sends(p); len(told) != 0 {
		t.Errorf("a stranger is answered: %+v", told)
	}
	if kept := h.commands(); len(kept) != 1 || kept[0].IsFromWhitelistedAdmin ||
		kept[0].ProcessedStatus != cardsmodel.InboundIgnored || kept[0].ParsedCommand.Request != string(request.Code) {
		t.Errorf("%+v", kept)
	}
	h.says(ashaWA, "2 kilo chawal")
	for range 2 {
		h.says(ravi, "approve")
	}
	h.says(ravi, "approve 01a1fbae-3de3-707d-9ea6-000000009999") // there is no such request
	if told := h.sends(p); len(told) != 1 || !strings.HasPrefix(told[0].text, "I did not understand") {
		t.Errorf("%+v", told)
	}
	h.now = h.now.Add(time.Minute)
	h.says(ravi, "REJECT "+string(request.Code)[:7])
	if told := h.sends(p); len(told) != 1 {
		t.Errorf("a minute later: %+v", told)
	}
	if kept := h.commands(); len(kept) != 5 {
		t.Errorf("%+v", kept)
	}
	if r, err := h.cards.Requests.Get(t.Context(), user.EcosystemID, request.RequestID); err != nil ||
		r.Status != cardsmodel.RequestPending {
		t.Errorf("%+v, %v", r, err)
	}
	h.says(ravi, "  *reject*: "+command.Show(request.Code)+" income too low")
	if r, err := h.cards.Requests.Get(t.Context(), user.EcosystemID, request.RequestID); err != nil ||
		r.Status != cardsmodel.RequestRejected || r.Decision.Reason != "income too low" {
		t.Errorf("%+v, %v", r, err)
	}
	if told := h.sends(p); len(told) != 2 {
		t.Errorf("%+v", told)
	}
}

func TestNobodyAnswersAndTheRequestExpires(t *testing.T) {
	h := newHouse(t)
	user := h.user(600, "+"+ashaWA)
	request := h.asked(user)
	p := &phones{}
	h.sends(p)
	h.now = h.now.Add(48*time.Hour - time.Second)
	if done, err := h.cards.Requests.Expire(t.Context()); err != nil || done.Expired != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	h.now = h.now.Add(2 * time.Second)
	if waiting, err := h.cards.Requests.Waiting(t.Context()); err != nil || waiting.Pending != 1 ||
		waiting.Overdue != time.Second || waiting.Oldest != 48*time.Hour+time.Second {
		t.Errorf("%+v, %v", waiting, err)
	}
	h.says(ravi, "approve "+string(request.Code)) // too late, and before the schedule
	if told := h.sends(p); len(told) != 1 || !strings.Contains(told[0].text, "expired on 2026-11-23 12:00") {
		t.Errorf("%+v", told)
	}
	if err := h.cards.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := h.cards.Requests.Get(t.Context(), user.EcosystemID, request.RequestID)
	if err != nil || r.Status != cardsmodel.RequestRejected || r.Decision.By != cardsmodel.BySystem ||
		r.Decision.Reason != cardsmodel.ReasonExpired {
		t.Errorf("%+v, %v", r, err)
	}
	if tracker, err := h.cards.Requests.Approval(t.Context(), request.RequestID); err != nil ||
		tracker.ApprovalStatus != cardsmodel.ApprovalExpired {
		t.Errorf("%+v, %v", tracker, err)
	}
	if told := h.sends(p); len(told) != 1 || told[0].template != cardsmodel.NotifyExpired || told[0].to != ashaWA {
		t.Errorf("%+v", told)
	}
	if got := h.records(); !slices.Equal(got, []string{"card-request.expired"}) {
		t.Errorf("audit records: %v", got)
	}
	h.says(meena, "approve "+string(request.Code))
	if told := h.sends(p); len(told) != 1 || !strings.Contains(told[0].text, "समय-सीमा") {
		t.Errorf("%+v", told)
	}
	if h.read(user.EcosystemID).PendingRequestID != "" {
		t.Error("the user has a pending request still")
	}
}

// One that cannot be expired holds up no other, and a run ends before the function's time is over.
func TestManyExpireOldestFirstOverConsecutiveRuns(t *testing.T) {
	h := newHouse(t)
	p, err := h.cards.Programs.Get(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	p.Admins = nil
	if _, err := h.cards.Programs.Set(t.Context(), p, boss); err != nil {
		t.Fatal(err)
	}
	for range 230 {
		h.now = h.now.Add(time.Second)
		h.asked(h.user(600, ""))
	}
	h.now = h.now.Add(48*time.Hour + time.Second)
	h.breakFirst()
	for range 2 { // the second finds the broken one alone
		done, err := h.cards.Requests.Expire(t.Context())
		if done.Failed != 1 || done.Expired != 229 && (done.Expired != 0 || err == nil) {
			t.Errorf("%+v, %v", done, err)
		}
	}
}

// The tier of a request follows from the policy as it is, and a tenant's word cannot mean both.
func TestThePolicyOfTheMomentCounts(t *testing.T) {
	h := newHouse(t)
	user := h.user(750, "")
	p := program()
	p.Version, p.Policy.HighFrom = 1, 900
	if _, err := h.cards.Programs.Set(t.Context(), p, boss); err != nil {
		t.Fatal(err)
	}
	if request := h.asked(user); request.Status != cardsmodel.RequestPending ||
		request.TierAtRequest != cardsmodel.TierMedium || h.read(user.EcosystemID).Tier != cardsmodel.TierMedium {
		t.Errorf("%+v", request)
	}
	for _, word := range []string{"réchazar", "नामं\u091c\u093cूर", "REJECT"} {
		p.Version, p.Policy.ApproveWords = 2, []string{word}
		if _, err := h.cards.Programs.Set(t.Context(), p, boss); !errors.Is(err, programs.ErrSettings) {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// An answer that is read after the window has closed counts. The admin cannot be told so any more, so that a person has
// to see it.
func TestAnAnswerThatIsReadLateIsNotDroppedInSilence(t *testing.T) {
	h := newHouse(t)
	request := h.asked(h.user(600, "+"+ashaWA))
	h.sends(&phones{})
	answers := h.log(
		tap(ravi, "wamid.LATE", command.Payload(command.Approve, request.RequestID), questionTo("ravi", request),
			h.now))
	h.now = h.now.Add(30 * time.Hour)
	for range 2 {
		if err := h.receive(t.Context(), answers...); err != nil {
			t.Fatal(err)
		}
	}
	decided, err := h.cards.Requests.Get(t.Context(), request.EcosystemID, request.RequestID)
	if err != nil || decided.Status != cardsmodel.RequestApproved {
		t.Errorf("%+v, %v", decided, err)
	}
	talk, err := h.rooms.Inbox.CurrentConversation(t.Context(), wt.Phone, ravi)
	if err != nil || talk.NeedsPersonSince != model.At(h.now) {
		t.Errorf("%+v, %v", talk, err)
	}
}
