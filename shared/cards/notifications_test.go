package cards_test

import (
	"errors"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/notifications"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// notified makes a request of which one admin is told, and returns the notification.
func (h *house) notified() cardsmodel.Notification {
	h.t.Helper()
	p := program()
	p.Version, p.Admins = 1, p.Admins[:1]
	if _, err := h.cards.Programs.Set(h.t.Context(), p, boss); err != nil {
		h.t.Fatal(err)
	}
	h.asked(h.user(600, ""))
	return h.notification()
}

func (h *house) notification() cardsmodel.Notification {
	h.t.Helper()
	all := h.notifications()
	if len(all) != 1 {
		h.t.Fatalf("%d notifications", len(all))
	}
	return all[0]
}

func TestANotificationGoesAsFarAsItsMessage(t *testing.T) {
	h := newHouse(t)
	if n := h.notified(); n.DeliveryStatus != cardsmodel.NotificationPending || n.OutboxEventID == "" {
		t.Errorf("%+v", n)
	}
	h.sends(&phones{})
	if n := h.notification(); n.DeliveryStatus != cardsmodel.NotificationSent || n.WPPMessageID != "wamid.OUT1" ||
		n.SentAt == "" {
		t.Errorf("%+v", n)
	}
	for _, status := range []string{"read", "delivered", "sent", "read"} { // in whatever order they come
		h.status("wamid.OUT1", status, ravi, nil)
	}
	if n := h.notification(); n.DeliveryStatus != cardsmodel.NotificationRead || n.DeliveredAt == "" {
		t.Errorf("%+v", n)
	}
	h.status("wamid.OUT1", "failed", ravi, failure(131026)) // after it was read
	if n := h.notification(); n.DeliveryStatus != cardsmodel.NotificationRead {
		t.Errorf("%+v", n)
	}
}

func failure(code int) wt.Object {
	return wt.Object{"errors": wt.List{wt.Object{"code": code, "title": "no"}}}
}

func TestAFailedNotificationIsSentAgainWithLongerAndLongerWaits(t *testing.T) {
	h := newHouse(t)
	h.notified()
	p := &phones{}
	for i, wait := range []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 0} {
		if sent := h.sends(p); len(sent) != 1 {
			t.Fatalf("attempt %d: %+v", i, sent)
		}
		h.status(string(h.notification().WPPMessageID), "failed", ravi, failure(131000))
		n := h.notification()
		if want := model.At(h.now.Add(wait)); n.DeliveryStatus != cardsmodel.NotificationFailed || n.RetryCount != i ||
			wait > 0 && n.NextRetryAt != want || wait == 0 && n.NextRetryAt != "" {
			t.Fatalf("attempt %d: %+v", i, n)
		}
		if wait == 0 {
			break
		}
		h.now = h.now.Add(wait - time.Second)
		if again, err := h.cards.Notifications.Retry(t.Context()); again != 0 || err != nil {
			t.Errorf("before it is due: %d, %v", again, err)
		}
		h.now = h.now.Add(2 * time.Second)
		if due, _, err := h.cards.Notifications.List(t.Context(), notifications.Filter{Tenant: tenant, Due: true}, 10,
			""); err != nil || len(due) != 1 {
			t.Errorf("%+v, %v", due, err)
		}
		if again, err := h.cards.Notifications.Retry(t.Context()); again != 1 || err != nil {
			t.Errorf("when it is due: %d, %v", again, err)
		}
	}
	// by hand
	if _, err := h.cards.Notifications.Resend(t.Context(), h.notification().NotificationID, boss); err != nil {
		t.Error(err)
	}
	if sent := h.sends(p); len(sent) != 1 {
		t.Errorf("%+v", sent)
	}
}

func TestWhatWouldFailAgainOrIsDecidedIsNotSentAgain(t *testing.T) {
	h := newHouse(t)
	h.notified()
	h.sends(&phones{refuse: refusedBy(131026)})
	n := h.notification()
	if n.DeliveryStatus != cardsmodel.NotificationFailed || n.NextRetryAt != "" || n.LastError == "" {
		t.Errorf("%+v", n)
	}
	request, err := h.cards.Requests.Approval(t.Context(), n.RelatedEntityID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.cards.Requests.Decide(t.Context(),
		requests.Answer{
			Tenant: tenant, Request: request.RequestID, Outcome: cardsmodel.ApprovalRejected, At: model.At(noon),
			By: boss}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.cards.Notifications.Resend(t.Context(), n.NotificationID, boss); !errors.Is(err,
		notifications.ErrNotRetryable) {
		t.Errorf("%v", err)
	}
}

// An admin who has opted out is not written to; the request stands, and the others are asked.
func TestAMessageThatCannotBeSentKeepsNothingFromHappening(t *testing.T) {
	h := newHouse(t)
	h.says(ravi, "STOP")
	h.asked(h.user(600, ""))
	failed := 0
	for _, n := range h.notifications() {
		if n.DeliveryStatus == cardsmodel.NotificationFailed && n.LastError != "" && n.RecipientPhone == "+"+ravi {
			failed++
		}
	}
	if sent := h.sends(&phones{}); failed != 1 || len(sent) != 2 {
		t.Errorf("%d failed, %+v", failed, sent)
	}
}

// A number that has passed to another tenant must not be sent from.
func TestNothingIsSentFromAnothersNumber(t *testing.T) {
	h := newHouse(t)
	user := h.user(600, "")
	h.db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(wt.Phone).Partition, ItemType: "PHONE", PhoneNumberID: wt.Phone, TenantID: "somebody-else"})
	h.asked(user)
	for _, n := range h.notifications() {
		if n.DeliveryStatus != cardsmodel.NotificationFailed || n.LastError == "" {
			t.Errorf("%+v", n)
		}
	}
	if sent := h.sends(&phones{}); len(sent) != 0 {
		t.Errorf("%+v", sent)
	}
}

// A dead letter is sent again once: by the notification, or by a replay from the outbox.
func TestANotificationAndItsDeadLetterAreNotBothSentAgain(t *testing.T) {
	for name, replay := range map[string]bool{"resent": false, "replayed": true} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.notified()
			h.sends(&phones{refuse: refusedBy(131026)})
			n := h.notification()
			again := func() error {
				_, err := h.cards.Notifications.Resend(t.Context(), n.NotificationID, boss)
				return err
			}
			if !replay {
				if err := again(); err != nil {
					t.Fatal(err)
				}
			}
			_, err := h.rooms.ReplayDeadLetter(t.Context(), sending.Replay{EventID: n.OutboxEventID, SentBy: "boss"})
			if (err == nil) != replay {
				t.Errorf("replay: %v", err)
			}
			if replay {
				if err := again(); !errors.Is(err, notifications.ErrNotRetryable) {
					t.Errorf("resend: %v", err)
				}
			}
			if sent := h.sends(&phones{}); len(sent) != 1 {
				t.Errorf("%+v", sent)
			}
			if n := h.notification(); n.DeliveryStatus != cardsmodel.NotificationSent {
				t.Errorf("%+v", n)
			}
		})
	}
}

func TestARemovedAdminIsNotWrittenToAgain(t *testing.T) {
	h := newHouse(t)
	h.notified()
	h.sends(&phones{refuse: refusedBy(131026)})
	p := program()
	p.Version, p.Admins = 2, p.Admins[1:2]
	if _, err := h.cards.Programs.Set(t.Context(), p, boss); err != nil {
		t.Fatal(err)
	}
	if _, err := h.cards.Notifications.Resend(t.Context(), h.notification().NotificationID, boss); !errors.Is(err,
		notifications.ErrNotRetryable) {
		t.Errorf("%v", err)
	}
}

func TestATemplateIsFilledWithWhatWhatsAppTakes(t *testing.T) {
	h := newHouse(t)
	user, err := h.cards.Users.Create(t.Context(),
		users.New{Tenant: tenant, Name: " Asha\n\t Rao     junior ", Score: 600}, idempotency.Request{}, boss)
	if err != nil {
		t.Fatal(err)
	}
	h.asked(user)
	for _, n := range h.notifications() {
		if n.Parameters[0] != "Asha Rao junior" {
			t.Errorf("%q", n.Parameters)
		}
	}
}
