package cards_test

import (
	"testing"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// An admin's tap decides a request only under the message that asked this admin about this request.
func TestATapDecidesOnlyWhatAsked(t *testing.T) {
	for name, c := range map[string]struct {
		under func(h *house, asked, other cardsmodel.Request, yes string) model.MessageID
		want  cardsmodel.RequestStatus
	}{
		"the question itself": {func(_ *house, asked, _ cardsmodel.Request, _ string) model.MessageID {
			return questionTo("ravi", asked)
		}, cardsmodel.RequestApproved},
		"the question, sent by now": {func(h *house, asked, _ cardsmodel.Request, _ string) model.MessageID {
			h.sends(&phones{})
			answered, err := h.rooms.Inbox.Message(h.t.Context(), questionTo("ravi", asked))
			if err != nil || answered.QueuedID == "" {
				h.t.Fatalf("%+v, %v", answered, err)
			}
			return model.MessageID(answered.PK[len("MSG#"):])
		}, cardsmodel.RequestApproved},
		"an operator's button": {func(h *house, _, _ cardsmodel.Request, yes string) model.MessageID {
			return h.operatorAsks(ravi, "919811111111", yes)
		}, cardsmodel.RequestPending},
		"the question to another admin": {func(_ *house, asked, _ cardsmodel.Request, _ string) model.MessageID {
			return questionTo("meena", asked)
		}, cardsmodel.RequestPending},
		"the question about another request": {func(_ *house, _, other cardsmodel.Request, _ string) model.MessageID {
			return questionTo("ravi", other)
		}, cardsmodel.RequestPending},
		"a message that is not there": {
			func(*house, cardsmodel.Request, cardsmodel.Request, string) model.MessageID {
				return "wamid.NONE"
			}, cardsmodel.RequestPending},
		"no message": {
			func(*house, cardsmodel.Request, cardsmodel.Request, string) model.MessageID {
				return ""
			}, cardsmodel.RequestPending},
		"what the admin has written": {func(h *house, _, _ cardsmodel.Request, _ string) model.MessageID {
			return model.MessageID(h.says(ravi, "hello"))
		}, cardsmodel.RequestPending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			request, other := h.asked(h.user(600, "+"+ashaWA)), h.asked(h.user(600, "+919876543211"))
			yes := command.Payload(command.Approve, request.RequestID)
			h.taps(ravi, yes, c.under(h, request, other, yes))
			if got, err := h.cards.Requests.Get(t.Context(), request.EcosystemID, request.RequestID); err != nil ||
				got.Status != c.want {
				t.Errorf("%+v, %v", got, err)
			}
			if kept := h.commands(); (len(kept) > 0) != (c.want == cardsmodel.RequestApproved) {
				t.Errorf("%+v", kept)
			}
		})
	}
}

// operatorAsks has an operator send a button, as the messages API does, and returns the message's id.
func (h *house) operatorAsks(from string, to model.CustomerID, id string) model.MessageID {
	h.t.Helper()
	h.says(from, "hello")
	out := sending.Outgoing{Tenant: tenant, Phone: wt.Phone, Customer: to, SentBy: "somebody", Content: content.Buttons{
		Frame: content.Frame{Body: "Shall I send it?"}, Buttons: []content.Button{{ID: id, Title: "Yes, send it"}},
	}}
	found, err := h.db.BatchGet(h.t.Context(), h.rooms.Refs(out))
	if err != nil {
		h.t.Fatal(err)
	}
	prepared, err := h.rooms.Prepare(h.t.Context(), out, found)
	if err == nil {
		err = dynamo.Conflict(h.db.Transact(h.t.Context(), prepared.Writes))
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return prepared.MessageID
}
