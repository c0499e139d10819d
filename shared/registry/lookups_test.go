package registry_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/beside"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lookup"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// companyPhone is the number of a company of the same business.
const companyPhone = model.PhoneNumberID("206540352242933")

// desk is a business with a store and a company, each at a number of its own.
type desk struct {
	*credit
	looks *lookup.Desk
}

// newDesk returns the business in which Asha has bought rice on credit at the store and asked for a card.
func newDesk(t *testing.T) *desk {
	t.Helper()
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(companyPhone).Partition, ItemType: model.ItemPhone, PhoneNumberID: companyPhone,
		TenantID: "demo", WABAMetaID: wt.WABA, DisplayPhoneNumber: "2", CompanyID: "ci-1"})
	d := &desk{credit: creditOn(t, db, db.Client)}
	d.looks = registry.Lookups(d.rooms)
	db.Seed(t, tables.CardUsers,
		cardsmodel.Program{EcosystemID: keys.CardProgram("demo").Partition, TenantID: "demo", PhoneNumberID: wt.Phone},
		cardsmodel.User{EcosystemID: "U1", TenantID: "demo", PhoneE164: "+" + numberX, PersonKey: numberX})
	d.must(db.Put(t.Context(), dynamo.Put{Table: tables.CardUsers, If: dynamo.Unconditional, Item: dynamo.Item{
		"ecosystemId": dynamo.S(keys.CardPhone("demo", numberX).Partition), "leadsTo": dynamo.S("U1")}}))
	db.Seed(t, tables.CardRequests, cardsmodel.Request{
		EcosystemID: "U1", RequestID: "R1", ProductID: "GOLD", Status: cardsmodel.RequestPending, TenantID: "demo",
		CreatedAtRequestID: "R1", TenantStatus: "demo", TenantTier: "demo", TierAtRequest: "gold", IdempotencyKey: "k"})
	d.must(d.sells(t.Context(), "sale", "100"))
	_, err := d.orders(t.Context(), "order", "2")
	d.must(err)
	return d
}

// writes has somebody write to the company. It returns their key there.
func (d *desk) writes(message wt.Object, from string) model.CustomerID {
	d.t.Helper()
	contacts := wt.List{wt.Contact(from, "Somebody")}
	if message["from"] == nil {
		contacts = nil // somebody who hides their number shows it nowhere
	}
	body := wt.Body(wt.Messages(contacts, message))
	d.must(d.receive(d.t.Context(), d.logged(bytes.ReplaceAll(body, []byte(wt.Phone), []byte(companyPhone)))))
	key, err := d.rooms.Contacts.WhoHad(d.t.Context(), companyPhone, model.CustomerID(from), model.At(d.now))
	d.must(err)
	return key
}

func (d *desk) text(from string) wt.Object {
	d.said++
	return wt.Text(from, fmt.Sprint("wamid.company.", d.said), "where is my order", d.now.Add(time.Duration(d.said)*
		time.Second-time.Minute))
}

// movesAt has the company's number, or the store's, learn that somebody has changed their number.
func (d *desk) movesAt(phone model.PhoneNumberID) {
	d.t.Helper()
	d.said++
	body := wt.Body(wt.Messages(nil, wt.Message(numberX, fmt.Sprint("wamid.moves.", d.said), "system",
		d.now.Add(time.Duration(d.said)*time.Second-time.Minute),
		wt.Object{"system": wt.Object{"type": "user_changed_number", "wa_id": numberY}})))
	d.must(d.receive(d.t.Context(), d.logged(bytes.ReplaceAll(body, []byte(wt.Phone), []byte(phone)))))
}

// told returns what all lookups tell somebody who has a conversation with the company.
func (d *desk) told(customer model.CustomerID) string {
	d.t.Helper()
	all := ""
	for _, l := range d.looks.All {
		text, err := d.looks.Look(d.t.Context(), lookup.Asked{
			Name: l.Name, Tenant: "demo", Phone: companyPhone, Customer: customer, Language: "en"})
		d.must(err)
		all += text + "|"
	}
	return all
}

func (d *desk) tells(what string, customer model.CustomerID, everything bool) {
	d.t.Helper()
	told := d.told(customer)
	for _, part := range []string{
		"Rao Kirana: Your order ", "You owe Rao Kirana ₹100.", "Your request for GOLD is being"} {
		if strings.Contains(told, part) != everything {
			d.t.Errorf("%s: %q, and %q is there: %t", what, told, part, !everything)
		}
	}
	shown, values := d.besides(customer)
	want := "card_requests: GOLD pending|khata: Rao Kirana owes 100.00|orders: confirmed 120.00 next preparing|"
	if (shown == want) != everything || everything != (values["owed"] == "₹100" && values["order_total"] == "₹120" &&
		values["order_status"] != "" && values["order_number"] != "") {
		d.t.Errorf("%s: beside the conversation is %q with %v", what, shown, values)
	}
}

// besides returns what all domains show the shop's people of somebody who has a conversation with the company, and what
// fills their texts.
func (d *desk) besides(customer model.CustomerID) (said string, values map[string]string) {
	d.t.Helper()
	p, known, err := d.rooms.PersonOf(d.t.Context(), "demo", companyPhone, customer, "en")
	d.must(err)
	if !known {
		return "", nil
	}
	values = map[string]string{}
	shown, failed := beside.Read(d.t.Context(), d.rooms.Beside(), p)
	for _, section := range d.rooms.Beside() {
		d.must(failed[section.Name])
		for name, value := range shown[section.Name].Values {
			if !slices.Contains(section.Values, name) {
				d.t.Errorf("%s does not say that it knows %s", section.Name, name)
			}
			values[name] = value
		}
		for _, e := range shown[section.Name].Entries {
			switch section.Name {
			case "orders":
				said += fmt.Sprintf("orders: %s %s next %s|", e.Status, e.Amount.StringFixed(2), e.Next[0])
			case "khata":
				said += fmt.Sprintf("khata: %s %s %s|", e.Title, e.Status, e.Amount.StringFixed(2))
			case "card_requests":
				said += fmt.Sprintf("card_requests: %s %s|", e.Title, e.Status)
			}
		}
	}
	return said, values
}

// Rows of the inbox show who has open orders and who owes, and the inbox is filtered by that.
func TestRowsAreMarkedByWhatTheShopKeeps(t *testing.T) {
	d := newDesk(t)
	shop, err := d.rooms.Number(t.Context(), wt.Phone)
	d.must(err)
	company, err := d.rooms.Number(t.Context(), companyPhone)
	d.must(err)
	want := map[string]string{"open_orders": "1", "owed": "100.00"}
	for _, mark := range d.rooms.Marks() {
		marked, err := mark.Of(t.Context(), shop, []model.CustomerID{numberX, numberY})
		d.must(err)
		if len(marked) != 1 || marked[numberX] != want[mark.Name] || want[mark.Name] == "" {
			t.Errorf("%s: %v", mark.Name, marked)
		}
		delete(want, mark.Name)
		page, next, err := mark.Page(t.Context(), shop, 1, "")
		d.must(err)
		if len(page) != 1 || page[0] != numberX {
			t.Errorf("%s: %v", mark.Name, page)
		}
		if next != "" {
			if page, next, err = mark.Page(t.Context(), shop, 1, next); err != nil || len(page) != 0 || next != "" {
				t.Errorf("%s goes on with %v, %s, %v", mark.Name, page, next, err)
			}
		}
		none, err := mark.Of(t.Context(), company, []model.CustomerID{numberX})
		d.must(err)
		if page, _, err := mark.Page(t.Context(), company, 9, ""); err != nil || len(page)+len(none) > 0 {
			t.Errorf("%s at a number without a store: %v, %v, %v", mark.Name, none, page, err)
		}
	}
	if len(want) > 0 {
		t.Errorf("nobody marks %v", want)
	}
}

func TestAPersonIsToldWhatIsTheirsAtAnotherNumber(t *testing.T) {
	d := newDesk(t)
	key := d.writes(d.text(numberX), numberX)
	d.tells("she has never written to the store", key, true)
	d.answered(numberX, "hello")
	d.tells("she has written to both", key, true)
	d.tells("somebody else", d.writes(d.text(numberY), numberY), false)
	d.tells("nobody", "919876500000", false)
	text, err := d.looks.Look(t.Context(), lookup.Asked{Name: "order_state", Tenant: "demo", Customer: key})
	if err != nil || text != "" {
		t.Errorf("who has no WhatsApp number is told %q, %v", text, err)
	}
	text, err = d.looks.Look(t.Context(), lookup.Asked{
		Name: "khata_balance", Tenant: "other", Phone: companyPhone, Customer: key, Language: "en"})
	if err != nil || text != "" {
		t.Errorf("another business tells %q, %v", text, err)
	}
	text, err = d.looks.Look(t.Context(), lookup.Asked{
		Name: "khata_balance", Tenant: "demo", Phone: companyPhone, Customer: key, Language: "hi-Latn"})
	if err != nil || text != "Rao Kirana mein aapka baaki ₹100 hai." {
		t.Errorf("%q, %v", text, err)
	}
}

// Each number of the business learns by itself that a person has moved. In between, nobody is told what is another's.
func TestANumberThatHasPassedOnTellsNobodyWhatIsAnothers(t *testing.T) {
	d := newDesk(t)
	d.answered(numberX, "hello")
	asha := d.writes(d.text(numberX), numberX)
	d.movesAt(companyPhone)
	stranger := d.writes(d.text(numberX), numberX)
	if stranger == asha {
		t.Fatal("the number is still hers")
	}
	d.tells("the stranger, whom the store does not know", stranger, false)
	d.tells("Asha, whose new number the store does not know", asha, false)
	d.movesAt(wt.Phone)
	d.tells("Asha, once the store knows her number", asha, true)
	d.tells("the stranger, once the store knows that she has moved", stranger, false)
}

// A number that somebody else has got, and of which no notice tells, has another user id.
func TestAnotherUserIDTellsPeopleApart(t *testing.T) {
	d := newDesk(t)
	said := d.text(numberX)
	said["from_user_id"] = "IN.7"
	d.must(d.receive(t.Context(), d.logged(wt.Body(wt.Messages(wt.List{wt.Contact(numberX, "Asha")}, said)))))
	again := d.text(numberX)
	again["from_user_id"] = "IN.8"
	d.tells("another user id", d.writes(again, numberX), false)
	d = newDesk(t)
	said, again = d.text(numberX), d.text(numberX)
	said["from_user_id"], again["from_user_id"] = "IN.7", "IN.7"
	d.must(d.receive(t.Context(), d.logged(wt.Body(wt.Messages(wt.List{wt.Contact(numberX, "Asha")}, said)))))
	d.tells("the same user id", d.writes(again, numberX), true)
}

// Somebody who hides their number is known to the store once they show it to the company, and not before.
func TestWhoHidesTheirNumberIsToldOnceTheyShowIt(t *testing.T) {
	d := newDesk(t)
	hidden := d.text(numberX)
	delete(hidden, "from")
	hidden["from_user_id"] = "IN.7"
	key := d.writes(hidden, "IN.7")
	d.tells("who hides their number", key, false)
	shown := d.text(numberX)
	shown["from_user_id"] = "IN.7"
	d.tells("who shows it", d.writes(shown, numberX), true)
	d.tells("by the key from before", key, true)
	other := d.text(numberY)
	other["from_user_id"] = "IN.8"
	d.tells("somebody else, with a number and a user id of their own", d.writes(other, numberY), false)
}

// Two identifiers of a person at the company that lead to two people at the store lead to nobody there.
func TestIdentifiersThatLeadToTwoPeopleTellNothing(t *testing.T) {
	d := newDesk(t)
	d.answered(numberX, "hello")
	stranger := d.text(numberY)
	stranger["from_user_id"] = "IN.7"
	d.must(d.receive(t.Context(), d.logged(wt.Body(wt.Messages(wt.List{wt.Contact(numberY, "Ravi")}, stranger)))))
	both := d.text(numberX)
	both["from_user_id"] = "IN.7"
	want(t, d.answered(owner, "+70 98765 43299 tea")[owner], "Owes ₹70") // Ravi's
	if told := d.told(d.writes(both, numberX)); told != "|||" {
		t.Errorf("whose user id is another person's at the store: %q", told)
	}
}
