package cards_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/publishing"
	"github.com/haatline/haatline/shared/tables"
)

// by is who does something by the API.
var by = changes.By{Via: cardsmodel.ViaAPI, Actor: audit.Actor{Subject: "0192-user", Name: "Ravi"}}

// A decision is published with the decision, once, where somebody listens, and names nobody.
func TestADecisionIsPublishedWhereSomebodyListens(t *testing.T) {
	for heard, want := range map[bool]int{true: 1, false: 0} {
		h := newHouse(t)
		for range 2 {
			if err := h.cards.Programs.MarkSubscribed(t.Context(), tenant, heard); err != nil {
				t.Fatal(err)
			}
		}
		request := h.asked(h.user(600, "+"+ashaWA))
		for range 2 { // the request is repeated
			_, err := h.cards.Requests.Decide(t.Context(), requests.Answer{
				Tenant: tenant, Request: request.RequestID, Outcome: cardsmodel.ApprovalApproved, At: model.At(h.now),
				By: by})
			if err != nil {
				t.Fatal(err)
			}
		}
		var told []string
		for _, item := range h.db.Items(t, tables.Outbox) {
			if dynamo.Text(item, "eventType") != publishing.EventPublish {
				continue
			}
			var event model.OutboxEvent
			if err := dynamo.Unmarshal(item, &event); err != nil {
				t.Fatal(err)
			}
			told = append(told, string(event.Payload))
		}
		if len(told) != want {
			t.Errorf("heard %t: %v", heard, told)
		}
		for _, text := range told {
			if strings.Contains(text, ashaWA) || strings.Contains(text, "Asha") || !strings.Contains(text,
				fmt.Sprintf(`"requestId":%q`, request.RequestID)) || !strings.Contains(text, `"status":"approved"`) {
				t.Error(text)
			}
		}
	}
}

// A change of the program, such as other admins, keeps that somebody listens.
func TestAProgramThatIsChangedStillPublishes(t *testing.T) {
	h := newHouse(t)
	if err := h.cards.Programs.MarkSubscribed(t.Context(), tenant, true); err != nil {
		t.Fatal(err)
	}
	now, err := h.cards.Programs.Get(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	next := program()
	next.Version, next.Language = now.Version, "hi"
	if set, err := h.cards.Programs.Set(t.Context(), next, by); err != nil || !set.Subscribed {
		t.Errorf("%+v %v", set, err)
	}
}
