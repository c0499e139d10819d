package cards_test

import (
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/messaging/sending"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// movesTo has WhatsApp tell that somebody has changed their number.
func (h *house) movesTo(from, to string) {
	h.t.Helper()
	h.posts++
	h.takes(wt.Message(from, "wamid.MOVES"+from, "system", h.now,
		wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": to}}))
}

func TestAnAdminsNumberThatPassesOnDecidesNothing(t *testing.T) {
	h := newHouse(t)
	user := h.user(600, "+"+ashaWA)
	h.says(ravi, "hello") // so that WhatsApp tells when the number changes hands
	h.now = h.now.Add(time.Hour)
	h.movesTo(ravi, "919811111999")
	h.now = h.now.Add(time.Hour)

	request := h.asked(user)
	for _, one := range h.sends(&phones{}) {
		if one.to == ravi || one.to == "919811111999" {
			t.Errorf("%s is asked", one.to)
		}
	}
	for _, from := range []string{ravi, "919811111999"} {
		h.taps(from, command.Payload(command.Approve, request.RequestID), "wamid.ASKED")
		h.says(from, "APPROVE "+string(request.Code))
	}
	if got, err := h.cards.Requests.Get(t.Context(), user.EcosystemID, request.RequestID); err != nil ||
		got.Status != cardsmodel.RequestPending {
		t.Fatalf("%+v, %v", got, err)
	}

	p, err := h.cards.Programs.Get(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	suspended, err := h.cards.Programs.Suspended(t.Context(), p)
	if err != nil || !suspended["ravi"] || suspended["meena"] || suspended["joao"] {
		t.Errorf("%v, %v", suspended, err)
	}
	for range 2 {
		if p, err = h.cards.Programs.Confirm(t.Context(), tenant, "ravi", boss); err != nil || p.Version != 2 {
			t.Fatalf("%+v, %v", p, err)
		}
	}
	h.says(ravi, "APPROVE "+string(request.Code))
	if got, err := h.cards.Requests.Get(t.Context(), user.EcosystemID, request.RequestID); err != nil ||
		got.Status != cardsmodel.RequestApproved {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAUserStaysTheSamePersonWhenTheirNumberPassesOn(t *testing.T) {
	const newNumber = "919876543999"
	h := newHouse(t)
	user := h.user(600, "+"+ashaWA)
	h.says(ashaWA, "hello")
	h.now = h.now.Add(time.Hour)
	h.movesTo(ashaWA, newNumber)
	h.now = h.now.Add(time.Hour)
	h.says(ashaWA, "who is this?") // somebody else has the number now

	request := h.asked(user)
	h.says(meena, "APPROVE "+string(request.Code))
	told := false
	for _, one := range h.sends(&phones{}) {
		if one.to == ashaWA {
			t.Errorf("a stranger gets %+v", one)
		}
		told = told || one.to == newNumber && one.template == cardsmodel.NotifyApproved
	}
	if !told {
		t.Error("the user is not told on the new number")
	}

	other := h.user(600, "+"+ashaWA) // the new person on the number
	if other.PersonKey == user.PersonKey {
		t.Errorf("two people are %q", other.PersonKey)
	}
	_, err := h.rooms.Erase(t.Context(),
		erasure.Request{
			Tenant: tenant, Phone: wt.Phone, Customer: other.PersonKey, By: audit.Actor{Subject: "boss"},
			Reason: "asked"})
	if err != nil {
		t.Fatal(err)
	}
	if got := h.read(other.EcosystemID); got.ErasedAt == "" {
		t.Errorf("not erased: %+v", got)
	}
	if got := h.read(user.EcosystemID); got.ErasedAt != "" || got.PhoneE164 == "" {
		t.Errorf("the erasure of another person erases %+v", got)
	}
}

func TestANotificationToANumberThatHasPassedOnMeanwhileHasFailed(t *testing.T) {
	h := newHouse(t)
	user := h.user(600, "+"+ashaWA)
	h.says(ravi, "hello") // so that WhatsApp tells when the number changes hands
	h.asked(user)
	h.now = h.now.Add(time.Hour)
	h.movesTo(ravi, "919811111999")
	for _, one := range h.sends(&phones{}) {
		if one.to == ravi || one.to == "919811111999" {
			t.Errorf("%s is asked", one.to)
		}
	}
	failed := 0
	for _, n := range h.notifications() {
		if gone := n.DeliveryStatus == cardsmodel.NotificationFailed; gone != (n.RecipientPhone == "+"+ravi) {
			t.Errorf("the notification to %s is %s", n.RecipientPhone, n.DeliveryStatus)
		} else if gone {
			failed++
			if !strings.Contains(n.LastError, sending.PassedOn) || n.NextRetryAt != "" {
				t.Errorf("%q, next %q", n.LastError, n.NextRetryAt)
			}
		}
	}
	if failed != 1 {
		t.Errorf("%d notifications have failed", failed)
	}
}
