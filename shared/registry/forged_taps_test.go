package registry_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const stranger = "919822222222"

// question is a button that a domain has sent to somebody.
type question struct {
	to, button string
	under      string // the message
}

// questions has two domains ask: the shop asks the customer for a yes, and the credit book asks the owner about a
// payment.
func (c *credit) questions() (order, payment question) {
	c.t.Helper()
	c.answered(owner, "+500 98765 43210 rice")
	asked := c.answered(asha, "paid 200")
	payment = question{to: owner, button: asked[owner+" Yes, write it down"]}
	shown := c.answered(asha, "2 kg rice")
	order = question{to: asha, button: shown[asha+" Yes, place it"]}
	for _, q := range []*question{&order, &payment} {
		if q.under = c.under(q.to, q.button); q.button == "" || q.under == "" {
			c.t.Fatalf("nobody was asked: %v %v", asked, shown)
		}
	}
	return order, payment
}

// written is what the domains have written because of what they were told.
func (c *credit) written() map[string]map[string]map[string]any {
	all := c.db.Dump(c.t)
	maps.DeleteFunc(all, func(id string, _ map[string]map[string]any) bool {
		return id != tables.Orders.ID && id != tables.KhataTransactions.ID && id != tables.CustomerBalances.ID
	})
	return all
}

// taps are the ways in which an answer comes back, each with what it brings back.
var taps = map[string]func(id string) (kind string, content wt.Object){
	"a button": func(id string) (string, wt.Object) {
		return "interactive",
			wt.Object{"interactive": wt.Object{
				"type": "button_reply", "button_reply": wt.Object{"id": id, "title": "Yes"}}}
	},
	"a row": func(id string) (string, wt.Object) {
		return "interactive",
			wt.Object{"interactive": wt.Object{"type": "list_reply", "list_reply": wt.Object{"id": id, "title": "Yes"}}}
	},
	"a quick reply": func(id string) (string, wt.Object) {
		return "button", wt.Object{"button": wt.Object{"payload": id, "text": "Yes"}}
	},
	"a flow": func(id string) (string, wt.Object) {
		return "interactive", wt.Object{"interactive": wt.Object{"type": "nfm_reply", "nfm_reply": wt.Object{
			"name": "flow", "body": "Sent", "response_json": fmt.Sprintf(`{"flow_token":%q,"id":%q}`, id, id),
		}}}
	},
	"a text": func(id string) (string, wt.Object) { return "text", wt.Object{"text": wt.Object{"body": id}} },
}

// answers has somebody answer with an id, in one of the ways, under a message. In a group if group is set.
func (c *credit) answers(way, from, id, under string, group bool) {
	c.t.Helper()
	c.must(c.receive(c.t.Context(), c.tap(way, from, id, under, group)))
}

// tap returns the logged entry of such an answer.
func (c *credit) tap(way, from, id, under string, group bool) []model.WebhookEvent {
	c.t.Helper()
	c.said++
	kind, more := taps[way](id)
	if under != "" {
		more["context"] = wt.Object{"id": under}
	}
	if group {
		more["group_id"] = "Y2FwaV9ncm91cDox"
	}
	message := wt.Message(from, fmt.Sprint("wamid.answer.", c.said), kind,
		c.now.Add(time.Duration(c.said)*time.Second-time.Minute), more)
	return c.logged(wt.Body(wt.Messages(wt.List{wt.Contact(from, "Somebody")}, message)))
}

// operatorAsks has an operator send somebody a button with an id, and returns the message.
func (c *credit) operatorAsks(to, id string) string {
	c.t.Helper()
	c.answered(to, "hello")
	sent, err := c.rooms.Accept(c.t.Context(),
		sending.Outgoing{
			Tenant: "demo", Phone: wt.Phone, Customer: model.CustomerID(to), SentBy: "somebody",
			Content: content.Buttons{
				Frame: content.Frame{Body: "Shall I send it?"}, Buttons: []content.Button{{ID: id, Title: "Yes"}},
			}}, idempotency.Request{})
	c.must(err)
	return string(sent.MessageID)
}

// An id of a domain's button does nothing but under the message that asked, from the person who was asked, in their own
// conversation. Whoever sends it, in whatever form, under whatever message: nothing is ordered and nothing is written.
func TestAForgedAnswerDoesNothing(t *testing.T) {
	messages := map[string]func(c *credit, from string, q, other question) string{
		"nothing":             func(*credit, string, question, question) string { return "" },
		"a message of nobody": func(*credit, string, question, question) string { return "wamid.NONE" },
		"an operator's message": func(c *credit, from string, q, _ question) string {
			return c.operatorAsks(from, q.button)
		},
		"another domain's": func(_ *credit, _ string, _, other question) string { return other.under },
		"the question":     func(_ *credit, _ string, q, _ question) string { return q.under },
		"a message of their own": func(c *credit, from string, _, _ question) string {
			c.answered(from, "hello")
			return fmt.Sprintf("wamid.%s.%d", from, c.said)
		},
		"the question, in a group": func(_ *credit, _ string, q, _ question) string { return q.under },
	}
	for place, under := range messages {
		for _, from := range []string{asha, owner, stranger} {
			t.Run(fmt.Sprint(from, " under ", place), func(t *testing.T) {
				t.Parallel()
				db := dynamotest.Start(t, tables.All()...)
				seedCredit(t, db)
				c := creditOn(t, db, db.Client)
				order, payment := c.questions()
				for _, q := range [][2]question{{order, payment}, {payment, order}} {
					named := under(c, from, q[0], q[1])
					before := c.written()
					for way := range taps {
						group := place == "the question, in a group"
						if way == "a text" && from == asha ||
							from == q[0].to && place == "the question" && way != "a flow" {
							continue // the assistant reads what a customer says, and the last is the answer itself
						}
						err := c.receive(c.t.Context(), c.tap(way, from, q[0].button, named, group))
						if err != nil && !(named == "wamid.NONE" && errors.Is(err, dynamo.ErrStuck)) {
							t.Fatal(err)
						}
						if diff := cmp.Diff(before, c.written()); diff != "" {
							t.Fatalf("%s with %s does something:\n%s", way, q[0].button, diff)
						}
					}
				}
				c.now = c.now.Add(2 * time.Minute) // their messages of this minute are counted
				for _, q := range []question{payment, order} {
					before := c.written()
					c.answers("a button", q.to, q.button, q.under, false)
					if cmp.Equal(before, c.written()) {
						t.Errorf("the answer to %s itself does nothing", q.button)
					}
				}
			})
		}
	}
}

// The answer to a send may be lost, and a tap may be read before the status that tells WhatsApp's id of the question.
func TestATapWaitsForItsQuestionToBecomeKnown(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	_, payment := c.questions()
	before := c.written()
	early := c.tap("a quick reply", owner, payment.button, "wamid.LATE", false)
	if err := c.receive(t.Context(), early); !errors.Is(err, dynamo.ErrStuck) || !cmp.Equal(before, c.written()) {
		t.Fatalf("before its question is known: %v", err)
	}

	c.now = c.now.Add(11 * time.Minute)
	if err := c.receive(t.Context(), early); err != nil || !cmp.Equal(before, c.written()) {
		t.Fatalf("its question did not become known: %v", err)
	}

	later := c.tap("a quick reply", owner, payment.button, "wamid.LATE", false)
	if err := c.receive(t.Context(), later); !errors.Is(err, dynamo.ErrStuck) {
		t.Fatal(err)
	}
	var known dynamo.Item
	for _, item := range c.db.Items(t, tables.Messages) {
		if dynamo.Text(item, keys.PK) == keys.Message(model.MessageID(payment.under)).Partition {
			known = item
		}
	}
	if known == nil {
		t.Fatal("the question is not stored")
	}
	known[keys.PK] = dynamo.S(keys.Message("wamid.LATE").Partition)
	c.must(c.db.Put(t.Context(), dynamo.Put{Table: tables.Messages, Item: known, If: dynamo.IfAbsent}))
	if err := c.receive(t.Context(), later); err != nil || cmp.Equal(before, c.written()) {
		t.Fatalf("after its question is known: %v", err)
	}
}
