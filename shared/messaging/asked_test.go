package messaging_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// asks returns a domain's send of a message that asks about something. It stores the accepted message in accepted.
func (r *round) asks(customer model.CustomerID, about string, accepted *sending.Accepted) operation {
	return func(ctx context.Context, s *messaging.Domain) (err error) {
		*accepted, err = s.Accept(ctx, sending.Outgoing{
			Tenant: "demo", Phone: r.phone, Customer: customer, SentBy: "shop", Purpose: model.AskOf("shop", about),
			Content: content.Template{Name: "hello_world", Language: "en_US"},
		}, idempotency.Request{})
		return err
	}
}

// asked returns what the message under which a customer taps asks about, as a domain sees it.
func (r *round) asked(number, userID, name string, under model.MessageID, domain string) string {
	r.t.Helper()
	m := wt.Tap(number, r.id(name), "yes", "Yes", string(under), ago(4))
	if m["from_user_id"] = userID; number == "" {
		delete(m, "from")
	}
	if userID == "" {
		delete(m, "from_user_id")
	}
	about := "not seen"
	sees := inbound.Subscription{
		Domain: domain, Wants: func(m inbound.Message) bool { return m.Choice != nil },
		React: func(ctx context.Context, m inbound.Message) (bool, error) {
			reference, is, err := m.Asked(ctx, domain)
			switch about = reference; {
			case errors.Is(err, dynamo.ErrStuck):
				about, err = "not known yet", nil
			case !is:
				about = "nothing"
			}
			return is, err
		}}
	r.said++
	event := model.WebhookEvent{
		EventID: model.EventID(r.id(fmt.Sprint("e", r.said))), EventType: whatsapp.KindMessage, PhoneNumberID: r.phone,
		ReceivedAt: model.At(noon), Payload: wt.Encode(wt.Messages(nil, m)["value"]),
	}
	r.first(func(ctx context.Context, s *messaging.Domain) error { return s.MessageReader(sees).Apply(ctx, event) })
	return about
}

// A tap has authority under the message that asked, in its conversation, for the domain that sent it. Merged
// conversations are one.
func TestATapAnswersTheMessageThatAsked(t *testing.T) {
	r := roundOn(t, raceDB(t), 1)
	r.twoConversations()
	var toYounger, toOlder, ofAPerson sending.Accepted
	r.first(r.asks("IN.1", "17", &toYounger), r.asks(numberA, "18", &toOlder), r.sends(numberA, &ofAPerson))
	check := func(want, number, userID, name string, under model.MessageID, domain string) {
		t.Helper()
		if got := r.asked(number, userID, name, under, domain); got != want {
			t.Errorf("%s is asked about %q, want %q", name, got, want)
		}
	}
	check("17", "", "IN.1", "its own", toYounger.MessageID, "shop")
	check("18", numberA, "", "the other's own", toOlder.MessageID, "shop")
	check("nothing", numberA, "", "another conversation", toYounger.MessageID, "shop")
	check("nothing", numberB, "", "a stranger", toOlder.MessageID, "shop")
	check("nothing", numberA, "", "another domain", toOlder.MessageID, "cards")
	check("nothing", numberA, "", "a person's message", ofAPerson.MessageID, "shop")
	check("nothing", numberA, "", "an inbound message", model.MessageID(r.id("m1")), "shop")
	check("not known yet", numberA, "", "no message", "wamid.NONE", "shop")
	r.first(r.merges())
	check("17", numberA, "", "after the merge, by the number", toYounger.MessageID, "shop")
	check("18", "", "IN.1", "after the merge, by the user id", toOlder.MessageID, "shop")
}
