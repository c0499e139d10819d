package cards_test

import (
	"errors"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/notifications"
)

// A failure of the first message, which Meta reports again, says nothing of the second.
func TestALateFailureOfAnEarlierMessageIsNoNews(t *testing.T) {
	h := newHouse(t)
	id := h.notified().NotificationID
	p := &phones{}
	h.sends(p)
	h.status("wamid.OUT1", "failed", ravi, failure(131000))
	if _, err := h.cards.Notifications.Resend(t.Context(), id, boss); err != nil {
		t.Fatal(err)
	}
	for _, taken := range []int{1, 2} { // before and after WhatsApp has taken the second
		h.status("wamid.OUT1", "failed", ravi, failure(131000))
		if n := h.notification(); n.DeliveryStatus == cardsmodel.NotificationFailed || p.taken.Len() != taken {
			t.Errorf("%d taken: %+v", p.taken.Len(), n)
		}
		h.sends(p)
	}
	h.status("wamid.OUT2", "failed", ravi, failure(131000))
	if n := h.notification(); n.DeliveryStatus != cardsmodel.NotificationFailed || n.RetryCount != 1 ||
		n.WPPMessageID != "wamid.OUT2" {
		t.Errorf("%+v", n)
	}
}

func TestARepeatedResendHasTheResultOfTheFirst(t *testing.T) {
	h := newHouse(t)
	id := h.notified().NotificationID
	p := &phones{refuse: refusedBy(131026)}
	h.sends(p)
	p.refuse = nil
	for range 2 {
		if n, err := h.cards.Notifications.Resend(t.Context(), id, boss); err != nil || n.RetryCount != 1 ||
			n.DeliveryStatus != cardsmodel.NotificationPending {
			t.Errorf("%+v, %v", n, err)
		}
	}
	if again := h.sends(p); len(again) != 1 {
		t.Errorf("%+v", again)
	}
	if _, err := h.cards.Notifications.Resend(t.Context(), id, boss); !errors.Is(err, notifications.ErrNotRetryable) {
		t.Errorf("what WhatsApp has taken: %v", err)
	}
}

func TestAQuestionThatIsDecidedMeanwhileLeavesTheQueue(t *testing.T) {
	h := newHouse(t)
	n := h.notified()
	p := &phones{}
	h.sends(p)
	h.status("wamid.OUT1", "failed", ravi, failure(131000))
	request, err := h.cards.Requests.Get(t.Context(), n.EcosystemID, n.RelatedEntityID)
	if err != nil {
		t.Fatal(err)
	}
	h.says(ravi, "approve "+string(request.Code))
	h.sends(p)
	h.now = h.now.Add(6 * time.Minute)
	for range 2 {
		if _, err := h.cards.Notifications.Retry(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := h.notification(); n.DeliveryStatus != cardsmodel.NotificationFailed || n.NextRetryAt != "" {
		t.Errorf("%+v", n)
	}
	if again := h.sends(p); len(again) != 0 {
		t.Errorf("%+v", again)
	}
}
