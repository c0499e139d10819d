package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// These tests pass numbers from one person to another, and look at what every domain makes of it.

const (
	numberX = "919876543210" // Asha's, until she moves
	numberY = "919876543299" // Asha's, after that
)

// moves has WhatsApp tell that somebody has changed their number.
func (c *credit) moves(from, to string) {
	c.t.Helper()
	c.must(c.receive(c.t.Context(), c.moved(from, to)))
}

// moved returns the log's entries of the notice that somebody has changed their number.
func (c *credit) moved(from, to string) []model.WebhookEvent {
	c.t.Helper()
	c.said++
	at := c.now.Add(time.Duration(c.said)*time.Second - time.Minute)
	return c.logged(
		wt.Body(wt.Messages(nil, wt.Message(from, fmt.Sprintf("wamid.moves.%d", c.said), "system", at, wt.Object{
			"system": wt.Object{"type": "user_changed_number", "wa_id": to},
		}))))
}

// The shop writes a debt down for somebody who has never written, they change their number, and a message about the
// debt opens the conversation before the notice of the change is read. The debt stays theirs.
func TestADebtOfSomebodyWhoHasNeverWrittenFollowsThem(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	named := model.At(c.now.Add(-time.Minute))
	want(t, c.answered(owner, "+100 98765 43210 tea")[owner], "for +919876543210. Owes ₹100")
	notice := c.moved(numberX, numberY)
	_, err := c.rooms.Accept(t.Context(), sending.Outgoing{
		Tenant: "demo", Phone: wt.Phone, Customer: numberX, SentBy: "khata", NamedAt: named,
		Content: content.Template{Name: "khata_reminder", Language: "en"},
	}, idempotency.Request{})
	c.must(err)
	c.must(c.receive(t.Context(), notice))
	c.answered(numberX, "hello") // somebody else has the number
	shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
	c.must(err)
	for number, owed := range map[string]string{numberX: "0", numberY: "100"} {
		account, err := c.khata.Account(t.Context(), shop, "+"+number)
		c.must(err)
		if b, _, err := c.khata.Owed(t.Context(), creditStore, account); err != nil || b.String() != owed {
			t.Errorf("%s owes %s, %v", number, b, err)
		}
	}
}

func TestASaleToANumberIsThePersonsWhoHasItNow(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)

	want(t, c.answered(owner, "+100 98765 43210 tea")[owner], "for +919876543210. Owes ₹100")
	want(t, c.answered(numberX, "kitna baaki hai")[numberX], "₹100")
	c.moves(numberX, numberY)
	want(t, c.answered(owner, "+500 98765 43210 rice")[owner], "for +919876543210. Owes ₹500")
	want(t, c.answered(numberY, "kitna baaki hai")[numberX], "₹100") // her conversation keeps its key
	stranger := ""
	for to, said := range c.answered(numberX, "kitna baaki hai") {
		want(t, said, "₹500")
		stranger = to
	}
	if stranger == "" || stranger == numberX {
		t.Fatalf("the stranger is answered as %q", stranger)
	}
	want(t, c.answered(owner, "-100 98765 43299 cash")[owner], "+919876543299 paid ₹100. Owes ₹0")
	want(t, c.answered(owner, "-1 0091 98765 43299")[owner], "keeps no advances")

	shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
	c.must(err)
	for _, text := range []string{
		"+91 98765 43210", "0091 98765-43210", "098765 43210", "98765 43210", "919876543210"} {
		account, err := c.khata.Account(t.Context(), shop, text)
		c.must(err)
		if b, err := c.khata.Ledger.Balance(t.Context(), creditStore, account); err != nil ||
			b.OutstandingBalance.String() != "500" {
			t.Errorf("%q is %q, who owes %s, %v", text, account, b.OutstandingBalance, err)
		}
		shown, err := c.khata.Shown(t.Context(), shop, account)
		c.must(err)
		if shown(account) != "+"+numberX {
			t.Errorf("%q is shown as %q", account, shown(account))
		}
	}
	for _, text := range []string{"Asha.919876543210", numberX + "~1", "12345", "", "@asha"} {
		if account, err := c.khata.Account(t.Context(), shop, text); err == nil {
			t.Errorf("%q is %q", text, account)
		}
	}
}

// The account of a number is joined into the one of its owner's user id. After the owner's erasure, the number is
// somebody else's, or that of a person of whom nothing is known any more.
func TestAfterAnErasureANumberLeadsToNoAccountOfTheErased(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	want(t, c.answered(owner, "+100 98765 43210 tea")[owner], "Owes ₹100")
	c.must(c.receive(t.Context(),
		c.logged(wt.Body(wt.Messages(nil, wt.Message(numberX, "wamid.uid", "system", c.now.Add(-time.Minute), wt.Object{
			"system": wt.Object{"type": "user_changed_user_id", "previous_user_id": "IN.77001", "user_id": "IN.77004"},
		}))))))
	c.now = c.now.Add(time.Minute)
	c.must(c.relay(&posts{}).Sweep(t.Context()))
	want(t, c.answered(owner, "+50 98765 43210 milk")[owner], "Owes ₹150")
	done, err := c.rooms.Erase(t.Context(), erasure.Request{
		Tenant: "demo", Phone: wt.Phone, Customer: "IN.77001", Reason: "asked", By: audit.Actor{Subject: "somebody"},
	})
	if err != nil || done.CompletedAt == "" {
		t.Fatalf("%+v %v", done, err)
	}
	want(t, c.answered(owner, "+20 98765 43210 salt")[owner], "Owes ₹20")
	for account, owed := range map[model.Name]string{"IN.77001": "150", "+" + numberX: "20"} {
		if b, err := c.khata.Ledger.Balance(t.Context(), creditStore, account); err != nil ||
			b.OutstandingBalance.String() != owed {
			t.Errorf("%s owes %s, %v", account, b.OutstandingBalance, err)
		}
	}
}

// Somebody whom the shop has written down, and who has never written, is erased by their number. What is kept of them
// later is erased by the same call.
func TestAPersonWithoutAConversationIsErased(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	name := func(text string) {
		t.Helper()
		err := db.Update(t.Context(), dynamo.Update{
			Table: tables.CustomerBalances, Key: keys.KhataBalance(creditStore, "+"+numberX),
			Do: "SET customer_name = :name",
			If: dynamo.IfPresent, Values: dynamo.Item{":name": dynamo.S(text)},
		})
		c.must(err)
	}
	want(t, c.answered(owner, "+100 98765 43210 tea")[owner], "Owes ₹100")
	request := erasure.Request{
		Tenant: "demo", Phone: wt.Phone, Customer: numberX, Reason: "asked", By: audit.Actor{Subject: "somebody"}}
	if _, err := c.rooms.Erase(t.Context(), request); !errors.Is(err, inbox.ErrNoConversation) {
		t.Fatal(err)
	}
	request.Unwritten = true
	for round, text := range []string{"Asha Rao", "Asha R."} {
		name(text)
		done, err := c.rooms.Erase(t.Context(), request)
		if err != nil || done.CompletedAt == "" || done.Counts["khataAccounts"] != 1+round {
			t.Fatalf("%+v %v", done, err)
		}
		b, err := c.khata.Ledger.Balance(t.Context(), creditStore, "+"+numberX)
		if err != nil || b.CustomerName != "" || b.OutstandingBalance.String() != "100" {
			t.Errorf("%q owes %s, %v", b.CustomerName, b.OutstandingBalance, err)
		}
	}
}

// A command names the person who had the number when it was written, however late it is read.
func TestACommandThatIsReadLateNamesThePersonOfThen(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(asha, "hello")
	late := c.says(owner, "+100 98765 43210 tea")
	c.moves(asha, numberY)
	c.answered(asha, "hello") // somebody else has the number
	c.must(c.receive(t.Context(), late))
	for number, owed := range map[string]string{asha: "0", numberY: "100"} {
		shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
		c.must(err)
		account, err := c.khata.Account(t.Context(), shop, "+"+number)
		c.must(err)
		if b, _, err := c.khata.Owed(t.Context(), creditStore, account); err != nil || b.String() != owed {
			t.Errorf("%s owes %s, %v", number, b, err)
		}
	}
}

func TestAuthorityEndsWithTheNumber(t *testing.T) {
	const newNumber = "919811111199"
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	want(t, c.answered(owner, "+100 98765 43210 tea")[owner], "Owes ₹100")
	c.moves(owner, newNumber)
	for _, from := range []string{owner, newNumber} { // a stranger, and the one who gave the number up
		for to, said := range c.answered(from, "+500 98765 43210 rice") {
			if strings.Contains(said, "Written") {
				t.Errorf("%s is told %q", to, said)
			}
		}
	}
	for to, said := range c.answered(asha, "paid 100") {
		if to != asha {
			t.Errorf("%s is asked %q", to, said)
		}
	}
	if got := c.owes(); got != "100.00" {
		t.Errorf("owes %s", got)
	}

	// The tenant sees it: the conversation with the person who had the number waits for a person.
	if c.relays(contacts.EventRekey) == 0 {
		t.Error("no domain is told that the number has passed on")
	}
	if talk, err := c.rooms.CurrentConversation(t.Context(), wt.Phone, owner); err != nil ||
		talk.NeedsPersonSince == "" {
		t.Errorf("%+v, %v", talk, err)
	}
	store := c.store()
	if suspended, err := c.shop.NumberSuspended(t.Context(), store); err != nil || !suspended {
		t.Errorf("suspended: %v, %v", suspended, err)
	}
	_, err := c.shop.ConfirmNumber(t.Context(), store.ID) // somebody has looked who has it
	c.must(err)
	again, err := c.shop.ConfirmNumber(t.Context(), store.ID)
	if suspended, _ := c.shop.NumberSuspended(t.Context(), again); err != nil || suspended ||
		again.Version != store.Version+1 {
		t.Errorf("%+v, %v", again, err)
	}
	for to, said := range c.answered(owner, "-100 98765 43210") { // it was written before, and is read late
		if strings.Contains(said, "Owes") {
			t.Errorf("%s is told %q", to, said)
		}
	}
	c.now = c.now.Add(2 * time.Minute)
	written := false
	for _, said := range c.answered(owner, "-100 98765 43210") {
		written = written || strings.Contains(said, "Owes ₹0 now")
	}
	if !written {
		t.Error("a confirmed number may not write")
	}

	// A person on a number that somebody gave up is a customer like any other.
	c.moves(asha, numberY)
	asked := false
	for _, said := range c.answered(asha, "2 kg rice") {
		asked = asked || strings.Contains(said, "Shall I place it?")
	}
	if !asked {
		t.Error("the new person on the number is not answered")
	}
}

func TestNobodyIsAnsweredInAGroup(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	want(t, c.answered(asha, "2 kg rice")[asha], "Shall I place it?")
	for _, text := range []string{"2 kg rice", "haan", "yes", "kitna baaki hai", "paid 100", "STOP"} {
		c.said++
		message := wt.Message(asha, fmt.Sprintf("wamid.group.%d", c.said), "text", c.now.Add(-time.Second),
			wt.Object{"group_id": "Y2FwaV9ncm91cDox", "text": wt.Object{"body": text}})
		before := c.sent()
		c.must(c.receive(t.Context(), c.logged(wt.Body(wt.Messages(wt.List{wt.Contact(asha, "Asha Rao")}, message)))))
		if after := c.sent(); len(after) != len(before) {
			t.Errorf("%q in a group is answered", text)
		}
	}
	if found := c.db.Items(t, tables.Orders); len(found) != 0 {
		t.Errorf("ordered in a group: %v", found)
	}
}

// writesAs has somebody write who shows a number, a user id, or both.
func (c *credit) writesAs(number, userID, text string) {
	c.t.Helper()
	c.said++
	contact, more := wt.Contact(number, "Asha Rao"), wt.Object{"text": wt.Object{"body": text}}
	if userID != "" {
		contact["user_id"], more["from_user_id"] = userID, userID
	}
	message := wt.Message(number, fmt.Sprintf("wamid.as.%d", c.said), "text",
		c.now.Add(time.Duration(c.said)*time.Second-time.Minute), more)
	if number == "" {
		delete(contact, "wa_id")
		delete(message, "from")
	}
	c.must(c.receive(c.t.Context(), c.logged(wt.Body(wt.Messages(wt.List{contact}, message)))))
}

// relays has the outbox deliver what waits of a type.
func (c *credit) relays(eventType string) (delivered int) {
	c.t.Helper()
	for _, item := range c.db.Items(c.t, tables.Outbox) {
		var event model.OutboxEvent
		c.must(dynamo.Unmarshal(item, &event))
		if event.EventType == eventType && event.Status == model.OutboxPending {
			c.must(relayOf(c.rooms, nil).Deliver(c.t.Context(), event))
			delivered++
		}
	}
	return delivered
}

func TestTwoConversationsOfOnePersonAreOneAccount(t *testing.T) {
	const userID = "IN.1234567890"
	for name, first := range map[string]func(c *credit){
		"the user id has a conversation, the number has one": func(c *credit) {
			c.writesAs("", userID, "hello")
			c.writesAs(asha, "", "2 kg rice")
		},
		"the number has a conversation, the user id has one": func(c *credit) {
			c.writesAs(asha, "", "2 kg rice")
			c.writesAs("", userID, "hello")
		},
		"nobody has written from the number": func(c *credit) { c.writesAs("", userID, "2 kg rice") },
	} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, tables.All()...)
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			first(c)
			shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
			c.must(err)
			sell := func(text, amount string) {
				t.Helper()
				account, err := c.khata.Account(t.Context(), shop, text)
				c.must(err)
				request, err := ledger.Request(shop, idempotency.API, text+amount, nil)
				c.must(err)
				_, err = c.khata.Ledger.Add(t.Context(), shop,
					ledger.Draft{Customer: account, Type: khatamodel.CreditSale, Amount: rupees(amount), By: "clerk"},
					request)
				c.must(err)
			}
			sell("+"+asha, "400")
			sell(userID, "300")

			// The message that shows that both are one person goes on with the basket.
			c.writesAs(asha, userID, "yes")
			if found := c.db.Items(t, tables.Orders); len(found) != 1 {
				t.Errorf("%d orders", len(found))
			}
			if c.relays(contacts.EventRekey) == 0 {
				t.Fatal("no domain is told")
			}
			var b khatamodel.Balance
			for _, text := range []string{"+" + asha, userID} {
				account, err := c.khata.Account(t.Context(), shop, text)
				c.must(err)
				b, err = c.khata.Ledger.Balance(t.Context(), creditStore, account)
				if err != nil || b.OutstandingBalance.String() != "700" {
					t.Errorf("%s owes %s, %v", text, b.OutstandingBalance, err)
				}
			}
			owing := 0
			rows, err := c.khata.Ledger.Largest(t.Context(), creditStore, 10, "")
			c.must(err)
			for _, b := range rows {
				if b.OutstandingBalance.IsPositive() {
					owing++
				}
			}
			if owing != 1 {
				t.Errorf("%d accounts owe", owing)
			}
			c.owes() // the books hold
			if newest, err := c.shop.Orders.Latest(t.Context(), creditStore, b.CustomerPhone); err != nil ||
				newest.ID == "" {
				t.Errorf("the newest order: %+v, %v", newest, err)
			}

			// Somebody who named the person by the other key before writes into the account that goes on.
			for _, account := range []model.Name{"+" + asha, userID} {
				request, err := ledger.Request(shop, idempotency.API, "late "+string(account), nil)
				c.must(err)
				_, err = c.khata.Ledger.Add(t.Context(), shop,
					ledger.Draft{Customer: account, Type: khatamodel.CreditSale, Amount: rupees("50"), By: "clerk"},
					request)
				c.must(err)
			}
			if _, err := c.khata.Ledger.Balance(t.Context(), creditStore, "+"+asha); err != nil {
				t.Error(err)
			}
			b, err = c.khata.Ledger.Balance(t.Context(), creditStore, userID)
			if err != nil || b.OutstandingBalance.String() != "800" {
				t.Errorf("owes %s, %v", b.OutstandingBalance, err)
			}
			c.owes()
		})
	}
}

// Whatever call fails while the domains follow a merge, the books, the orders and the baskets end alike.
func TestFollowingAMergeSurvivesEveryCrashPoint(t *testing.T) {
	const userID = "IN.1234567890"
	var event model.OutboxEvent
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(),
		Seed: func(t testing.TB, db *dynamotest.DB) {
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			c.writesAs("", userID, "hello")
			c.writesAs(asha, "", "2 kg rice")
			c.writesAs(asha, "", "yes")
			c.writesAs(asha, "", "1 kg rice")
			shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
			c.must(err)
			for _, account := range []model.Name{"+" + asha, userID} {
				request, err := ledger.Request(shop, idempotency.API, "sale "+string(account), nil)
				c.must(err)
				_, err = c.khata.Ledger.Add(t.Context(), shop,
					ledger.Draft{Customer: account, Type: khatamodel.CreditSale, Amount: rupees("50"), By: "clerk"},
					request)
				c.must(err)
			}
			c.must(c.rooms.Sight(t.Context(), wt.Phone, model.OrderOf(model.At(c.now), 0),
				[]model.CustomerID{asha, userID}))
			for _, item := range db.Items(t, tables.Outbox) {
				if dynamo.Text(item, "eventType") == contacts.EventRekey {
					c.must(dynamo.Unmarshal(item, &event))
				}
			}
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			_, err := creditOn(t, nil, client).rooms.Handlers(nil)[contacts.EventRekey].Send(ctx, event)
			return err
		},
	})
	if event.EventID == "" {
		t.Fatal("no domain is told")
	}
	t.Logf("%d crash points", points)
}

// The outbox event of a merge holds the person's identifiers. It is erased with the person.
func TestAnErasureReachesWhatTheOutboxKeepsOfAMerge(t *testing.T) {
	const userID = "IN.1234567890"
	for _, relayed := range []bool{false, true} {
		db := dynamotest.Start(t,
			tables.All()...)
		seedCredit(t, db)
		c := creditOn(t, db, db.Client)
		c.writesAs("", userID, "hello")
		c.writesAs(asha, "", "hello")
		c.writesAs(asha, userID, "hello")
		if relayed && c.relays(contacts.EventRekey) == 0 {
			t.Fatal("no event")
		}
		for range 5 {
			done, err := c.rooms.Erase(t.Context(),
				erasure.Request{
					Tenant: "demo", Phone: wt.Phone, Customer: userID, By: audit.Actor{Subject: "boss"},
					Reason: "asked"})
			c.must(err)
			if done.CompletedAt != "" {
				break
			}
		}
		for _, table := range []tables.Table{tables.Outbox, tables.OutboxSequences} {
			for _, item := range db.Items(t, table) {
				text := fmt.Sprintf("%v", item)
				if strings.Contains(text, userID) || strings.Contains(text, asha) {
					t.Errorf("relayed %v: %s keeps %s", relayed, table.ID, text)
				}
			}
		}
	}
}

// A message that has waited is not sent to a number that somebody else has by now.
func TestAMessageThatHasWaitedReachesNobodyElse(t *testing.T) {
	for name, moved := range map[string]bool{"the customer has the number still": false, "it has passed on": true} {
		t.Run(name, func(t *testing.T) {
			db := dynamotest.Start(t, tables.All()...)
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			c.must(c.receive(t.Context(), c.says(asha, "hello")))
			accepted, err := c.rooms.Accept(t.Context(), sending.Outgoing{
				Tenant: "demo", Phone: wt.Phone, Customer: asha, SentBy: "somebody",
				Content: content.Text{Body: "You owe us 500."},
			}, idempotency.Request{})
			c.must(err)
			if moved {
				c.moves(asha, numberY)
			}
			c.now = c.now.Add(time.Minute)
			c.must(c.relay(&posts{}).Sweep(t.Context()))
			event, err := c.rooms.Outbox().Get(t.Context(), accepted.OutboxEventID)
			c.must(err)
			want := map[bool]model.OutboxStatus{false: model.OutboxSent, true: model.OutboxCancelled}[moved]
			if event.Status != want || moved && event.LastError != sending.PassedOn {
				t.Errorf("%+v", event)
			}
		})
	}
}
