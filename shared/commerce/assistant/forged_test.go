package assistant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/assistant"
	catalogues "github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A button that a person has sent makes no order, whatever it says and brings back.
func TestAButtonOfAPersonMakesNoOrder(t *testing.T) {
	h := newHouse(t, nil)
	h.say("2 kg kolam rice")
	yes, genuine := h.button("Yes")
	sent, err := h.rooms.Accept(t.Context(), sending.Outgoing{Tenant: tenant, Phone: wt.Phone, Customer: asha, SentBy: "somebody", Content: content.Buttons{
		Frame: content.Frame{Body: "Shall I send you the offers?"}, Buttons: []content.Button{{ID: yes, Title: "Yes"}},
	}}, idempotency.Request{})
	h.must(err)
	tap := func(id, under string) {
		h.t.Helper()
		events := h.logged(wt.Body(wt.Messages(nil, wt.Tap(asha, id, yes, "Yes", under, h.now))))
		h.must(h.receive(t.Context(), events[len(events)-1:]))
	}
	tap("wamid.forged", string(sent.MessageID))
	tap("wamid.nowhere", "wamid.NONE")
	if got := h.orders(); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	var stored model.Message
	h.must(h.db.Get(t.Context(), tables.Messages, keys.Message("wamid.forged"), &stored)) // people see it
	tap("wamid.genuine", genuine)
	if got := h.orders(); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// Customers of a store whose catalogue cannot be read are handed to a person.
func TestACatalogueThatCannotBeReadIsForAPerson(t *testing.T) {
	h := newHouse(t, nil)
	h.shop.Assistant.Reader = func(context.Context, commercemodel.Store) (assistant.Reader, error) {
		return nil, catalogues.ErrTooLarge
	}
	if said := h.say("2 kg rice"); !strings.Contains(said, "Somebody of Rao Kirana") {
		t.Errorf("%q", said)
	}
	if said := h.say("hello?"); said != "" {
		t.Errorf("after that %q", said)
	}
}
