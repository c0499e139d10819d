package registry_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/issued"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/messaging/search"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/messaging/texting"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// These tests compare what is exported of a person with what their erasure removes and changes.

const (
	secondPhone = model.PhoneNumberID("106540352242999") // another number of the tenant
	raviSecret  = "RAVI-SECRET"                          // what another customer says and is called
)

// lives has Asha leave something in every domain, and Ravi beside her.
func (c *credit) lives() {
	c.t.Helper()
	owner := messagingtest.Registered("demo", c.rooms.Wordings())
	owner.PhoneNumberIDs = []model.PhoneNumberID{wt.Phone, secondPhone}
	c.db.Seed(c.t, tables.Messages, model.Phone{
		PK: keys.Phone(secondPhone).Partition, ItemType: "PHONE", PhoneNumberID: secondPhone, TenantID: "demo",
		WABAMetaID: wt.WABA, DisplayPhoneNumber: "2",
	}, owner)
	c.tells()
	c.answered(ravis, raviSecret)
	c.must(c.receive(c.t.Context(), c.logged(wt.Body(wt.Messages(nil,
		wt.Message(asha, "wamid.uid", "system", c.now.Add(-2*time.Second), wt.Object{
			"system": wt.Object{"type": "user_changed_user_id", "previous_user_id": "IN.77001", "user_id": "IN.77004"},
		}),
		wt.Message(asha, "wamid.photo", "image", c.now.Add(-time.Second),
			wt.Object{"image": wt.Object{"id": "media-1", "mime_type": "image/jpeg"}}))))))
	look, err := dynamo.Value(model.Look{Width: 900, Height: 1200, Thumbnail: "image/jpeg"})
	c.must(err)
	for _, key := range []keys.Key{keys.Media("media-1"), keys.Message("wamid.photo")} { // the photo was fetched
		c.must(c.rooms.DB.Update(c.t.Context(), dynamo.Update{
			Table: tables.Messages, Key: key, Do: "SET contentLength = :size, look = :look", If: dynamo.IfPresent,
			Values: dynamo.Item{":size": dynamo.N(7000), ":look": look}}))
	}
	of, err := c.rooms.FindCustomer(c.t.Context(), wt.Phone, asha)
	c.must(err)
	_, err = c.rooms.Teamwork.PutNote(c.t.Context(), of, "n1", teamwork.NoteFacts{Text: "Call after six."}, "meera")
	c.must(err)
	_, err = c.rooms.Teamwork.PutDraft(c.t.Context(), of, "Your rice is", "meera", 0)
	c.must(err)
	c.shops()
	c.holdsCards()
	c.fillsIn()
	c.isTexted()
	c.converses()
	c.gathers()
	c.must(c.relay(&posts{}).Sweep(c.t.Context()))
	c.now = c.now.Add(10 * time.Minute)
	c.tells()
	c.answered(asha, "2 kg rice") // a question, so that there is a session
}

// shops has Asha order, with a reminder of what she owes.
func (c *credit) shops() {
	c.t.Helper()
	_, err := c.orders(c.t.Context(), "open", "5")
	c.must(err)
	c.now = c.now.Add(time.Minute)
	c.must(c.relay(&posts{}).Sweep(c.t.Context()))
	shop, err := c.khata.Shops.Shop(c.t.Context(), creditStore)
	c.must(err)
	account, err := c.khata.Account(c.t.Context(), shop, "+"+asha)
	c.must(err)
	b, err := c.khata.Ledger.Balance(c.t.Context(), creditStore, account)
	c.must(err)
	id := keys.ReminderID(creditStore, b.CustomerPhone, string(khatamodel.Once), c.now.Truncate(24*time.Hour))
	key := keys.Reminder(id)
	c.db.Seed(c.t, tables.PaymentReminders, khatamodel.Reminder{
		PK: key.Partition, SK: key.Sort, ReminderID: id, StoreID: creditStore, CustomerPhone: b.CustomerPhone,
		TenantID: "demo", Status: "sent", ScheduledAt: model.At(c.now), GSI1PK: keys.StoreScope(creditStore),
		GSI1SK: keys.ReminderStatus("sent", model.At(c.now)),
	})
	err = c.db.Update(c.t.Context(), dynamo.Update{
		Table: tables.CustomerBalances, Key: ledger.BalanceRef(creditStore, b.CustomerPhone).Key,
		Do: "SET customer_name = :name", If: dynamo.IfPresent, Values: dynamo.Item{":name": dynamo.S("Asha Rao")},
	})
	c.must(err)
}

// holdsCards has Asha ask for a card, get one, and ask again.
func (c *credit) holdsCards() {
	c.t.Helper()
	cards, ctx := registry.Cards(c.rooms), c.t.Context()
	by := changes.By{Via: cardsmodel.ViaAPI, Decides: true, Actor: audit.Actor{Subject: "boss"}}
	_, err := cards.Programs.Set(ctx, cardsmodel.Program{
		TenantID: "demo", PhoneNumberID: wt.Phone, Language: "en", Policy: policy.Default(),
		Admins: []cardsmodel.Admin{{ID: "meena", Name: "Meena", Phone: "+" + owner}},
	}, by)
	c.must(err)
	for number, name := range map[string]string{asha: "Asha", ravis: raviSecret} {
		key := func(name string) idempotency.Request { return request(c.t, number+name) }
		user, err := cards.Users.Create(ctx, users.New{
			Tenant: "demo", FirebaseUID: model.Name("uid-" + number), Phone: "+" + number, Name: name, Language: "en",
			Role: cardsmodel.RoleUser, Score: 950,
		}, idempotency.Request{}, by)
		c.must(err)
		approved, err := cards.Requests.Make(ctx,
			requests.Ask{Tenant: "demo", User: user.EcosystemID, Product: "standard", By: by, Key: key("first")})
		c.must(err)
		_, err = cards.Issued.Transact(ctx, issued.Move{
			Tenant: "demo", User: user.EcosystemID, Card: approved.RequestID, Type: cardsmodel.Purchase,
			Amount: rupees("10"), Merchant: "shop", Key: key("purchase"), By: by,
		})
		c.must(err)
		_, err = cards.Users.ChangeScore(ctx, user.EcosystemID,
			users.ScoreChange{Value: 500, Reason: "late", Source: cardsmodel.ScoreByAdmin}, key("score"), by)
		c.must(err)
		_, err = cards.Requests.Make(ctx,
			requests.Ask{Tenant: "demo", User: user.EcosystemID, Product: "standard", By: by, Key: key("second")})
		c.must(err)
		c.db.Seed(c.t, tables.WhatsAppInbound, cardsmodel.Inbound{
			MessageID: model.Name("command-" + number), SenderPhone: "+" + number, SenderName: name,
			RawBody: "APPROVE 1", ProcessedStatus: "ignored", ReceivedAt: model.At(c.now), TenantID: "demo",
			ReceivedAtMessageID: keys.Joined(model.At(c.now), "command-"+number),
		})
	}
}

// fillsIn has Asha and Ravi call, fill in forms, pay, be blocked, and be in a group.
func (c *credit) fillsIn() {
	c.t.Helper()
	at := model.At(c.now)
	for number, text := range map[model.CustomerID]string{asha: "Asha", ravis: raviSecret} {
		id := model.Name("of." + number)
		c.db.Seed(c.t, tables.Messages,
			model.Call{
				PK: keys.Call(id).Partition, ItemType: model.ItemCall, CallID: string(id), From: text,
				PhoneNumberID: wt.Phone, CustomerID: number, FromPK: keys.CallsOf(wt.Phone, number), ReceivedAt: at,
				Version: 1,
			},
			model.FlowResponse{
				PK: keys.FlowResponse("flow", id).Partition, ItemType: model.ItemFlowResponse, FlowID: "flow",
				ResponseID: string(id), CustomerPhone: string(number), Data: model.Document(`{"size":1}`),
				CreatedAt: at, CompletedAt: at, PhoneNumberID: wt.Phone,
			},
			model.Address{
				PK: keys.Address(number, id).Partition, ItemType: model.ItemAddress, CustomerPhone: string(number),
				AddressID: string(id), Address: text, CreatedAt: at, PhoneNumberID: wt.Phone,
			},
			model.PaymentOrder{
				PK: keys.PaymentOrder(wt.Phone, id).Partition, ItemType: model.ItemPaymentOrder, TenantID: "demo",
				ReferenceID: string(id), CustomerPhone: string(number), Status: "completed", CreatedAt: at,
				PhoneNumberID: wt.Phone, FromPK: keys.PaymentOrdersOf("demo", wt.Phone), ReceivedAt: at, Version: 1,
			},
			model.Refund{
				PK: keys.Refund(id).Partition, ItemType: model.ItemRefund, RefundID: id, OrderID: string(id),
				TenantID: "demo", CustomerPhone: string(number), Currency: "INR", Status: "completed", CreatedAt: at,
				PhoneNumberID: wt.Phone, ReferenceID: string(id), ConfigName: "upi-main", Version: 1,
			},
			model.NumberSetting{
				PK:       keys.NumberEntry(wt.Phone, "blocked", keys.Blocked(wt.Phone, number)).Partition,
				ItemType: model.ItemNumberSetting, PhoneNumberID: wt.Phone, Kind: "blocked",
				Name: keys.Blocked(wt.Phone, number), CustomerID: number,
				FromPK: keys.NumberEntriesOf(wt.Phone, "blocked"), ReceivedAt: at,
				SettingState: model.SettingState{Meta: model.Document(`{"blocked":true}`), Version: 1},
			},
			model.NumberSetting{
				PK:       keys.NumberEntry(wt.Phone, "call_permission", keys.Blocked(wt.Phone, number)).Partition,
				ItemType: model.ItemNumberSetting, PhoneNumberID: wt.Phone, Kind: "call_permission",
				Name: keys.Blocked(wt.Phone, number), CustomerID: number,
				FromPK: keys.NumberEntriesOf(wt.Phone, "call_permission"), ReceivedAt: at,
				SettingState: model.SettingState{
					Meta: model.Document(`{"permission":{"status":"permanent"}}`), Version: 1},
			})
	}
	c.db.Seed(c.t, tables.Messages,
		model.Campaign{
			PK: keys.Campaign("campaign-1").Partition, ItemType: model.ItemCampaign, CampaignID: "campaign-1",
			TenantID: "demo", PhoneNumberID: wt.Phone, Name: "Offers", Status: model.CampaignDraft, Version: 1,
			TotalRecipients: 2, CreatedAt: at, Lists: []model.CampaignList{
				{ID: "list-1", Source: "file", Recipients: 2, AddedAt: at}},
		},
		model.CampaignPart{
			PK: keys.CampaignPart("campaign-1", "list-1", 0).Partition, ItemType: model.ItemCampaignPart, Version: 1,
			Columns: []string{"name"}, Recipients: []model.CampaignRecipient{
				{To: asha, Values: []string{"Asha"}}, {To: ravis, Values: []string{raviSecret}}},
		})
	c.db.Seed(c.t, tables.Messages, model.Group{
		PK: keys.Group("group-1").Partition, ItemType: model.ItemGroup, GroupID: "group-1", Name: "Offers",
		WABAMetaID: wt.WABA, PhoneNumberID: wt.Phone, Version: 1,
		Participants: []model.Participant{{ID: asha, Order: "2026"}, {ID: ravis, Order: "2026"}},
		JoinRequests: []model.JoinRequest{
			{ID: "join-1", CustomerID: asha, Order: "2026"}, {ID: "join-2", CustomerID: ravis, Order: "2026"}},
	})
}

// isTexted has Asha and Ravi get texts by SMS.
func (c *credit) isTexted() {
	c.t.Helper()
	for number, body := range map[model.CustomerID]string{asha: "You owe 70.", ravis: raviSecret} {
		for range 2 {
			found, err := c.db.BatchGet(c.t.Context(), texting.Refs("demo", number, "+"+string(number)))
			c.must(err)
			_, writes, err := c.rooms.Texting.Prepare(c.t.Context(), texting.Text{
				Tenant: "demo", Customer: number, Phone: wt.Phone, To: "+" + string(number),
				Wording: "payment_reminder_sms", Language: "en", Body: body}, found)
			c.must(err)
			c.must(c.db.Transact(c.t.Context(), writes))
		}
	}
}

// exports reads the whole export of a person, by pages.
func exports(t *testing.T, rooms *messaging.Domain, limit int, at ...export.Named) (all []export.Record) {
	t.Helper()
	after := ""
	for pages := 0; ; pages++ {
		records, next, err := rooms.Exports.Page(t.Context(), export.Person{Tenant: "demo", At: at}, after, limit,
			func() bool { return pages%3 > 0 })
		if err != nil || len(records) > limit {
			t.Fatalf("a page of %d: %v", len(records), err)
		}
		if all = append(all, records...); next == "" {
			return all
		}
		after = next
	}
}

var ashaEverywhere = []export.Named{{Phone: wt.Phone, Customer: asha}, {Phone: secondPhone, Customer: asha},
	{Phone: model.ByEmail, Customer: ashaMail}}

func TestAnExportHoldsWhatAnErasureReaches(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.lives()
	records := exports(t, c.rooms, 100, ashaEverywhere...)
	for _, limit := range []int{1, 7} {
		if diff := cmp.Diff(records, exports(t, c.rooms, limit, ashaEverywhere...)); diff != "" {
			t.Fatalf("by pages of %d:\n%s", limit, diff)
		}
	}
	kinds := map[string]int{}
	for _, r := range records {
		kinds[r.Kind]++
		if strings.Contains(string(r.Data), raviSecret) || strings.Contains(string(r.Data), `"token"`) {
			t.Errorf("%s holds what is another's, or a secret: %s", r.Kind, r.Data)
		}
	}
	for _, exporter := range c.rooms.Exports.Exporters {
		for _, list := range exporter.Lists {
			if kinds[list.Kind] == 0 {
				t.Errorf("the history has no %s", list.Kind)
			}
		}
	}

	later := c.rooms.With(func(config *messaging.Config) {
		config.Now = func() time.Time { return c.now.Add(time.Hour) }
	})
	later.Search.Sizes = search.Sizes{Least: 1, Most: 500, Segment: 64 << 10}
	c.must(later.Search.Gather(t.Context(), wt.Phone))
	before := stored(t, db)
	for _, named := range ashaEverywhere {
		done, err := c.rooms.Erase(t.Context(), erasure.Request{
			Tenant: "demo", Phone: named.Phone, Customer: named.Customer, Reason: "asked",
			By: audit.Actor{Subject: "somebody"}, Unwritten: true, OpenOrders: erasure.CancelOrders,
		})
		if err != nil || done.CompletedAt == "" {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	c.compares(records, before, stored(t, db))
	for _, r := range exports(t, c.rooms, 100, ashaEverywhere...) {
		if !slices.Contains([]string{"khataBalance", "khataEntry"}, r.Kind) { // the books, which are kept
			t.Errorf("after the erasure there is a %s: %s", r.Kind, r.Data)
		}
	}
}

// tableItems are the items of tables, by the tables' ids and the items' keys.
type tableItems map[string]map[string]dynamo.Item

func stored(t *testing.T, db *dynamotest.DB) tableItems {
	t.Helper()
	all := tableItems{}
	for _, table := range tables.All() {
		all[table.ID] = map[string]dynamo.Item{}
		for _, item := range db.Items(t, table) {
			all[table.ID][keyIn(table, item)] = item
		}
	}
	return all
}

func keyIn(table tables.Table, item dynamo.Item) string {
	return dynamo.Text(item, table.Partition.Name) + " " + dynamo.Text(item, table.Sort.Name)
}

// compares checks that whatever is removed or changed was exported with its value, or is left out for a reason. Each
// reason has something that it leaves out.
func (c *credit) compares(records []export.Record, before, after tableItems) {
	c.t.Helper()
	var objects []map[string]any
	for _, r := range records {
		objects = append(objects, nested(decoded(c.t, r.Data))...)
	}
	leftOut, used := c.rooms.Exports.LeftOut(), map[int]bool{}
	for _, table := range tables.All() {
		for key, was := range before[table.ID] {
			exported := find(objects, table, was)
			for name, value := range was {
				if reflect.DeepEqual(value, after[table.ID][key][name]) {
					continue
				}
				if slices.ContainsFunc(exported, func(o map[string]any) bool {
					return reflect.DeepEqual(o[name], plain(c.t, value))
				}) {
					continue
				}
				i := slices.IndexFunc(leftOut, func(l export.LeftOut) bool { return l.Covers(table, was, name) })
				if used[i] = true; i < 0 {
					c.t.Errorf("%s %s: %s is erased and was not exported: %v", table.ID, key, name, plain(c.t, value))
				}
			}
		}
	}
	for i, l := range leftOut {
		if !used[i] {
			c.t.Errorf("nothing that is erased is %q", l.What)
		}
		if l.Why == "" {
			c.t.Errorf("nobody says why %q is left out", l.What)
		}
	}
}

// find returns the objects that have the key of an item.
func find(objects []map[string]any, table tables.Table, item dynamo.Item) (found []map[string]any) {
	for _, o := range objects {
		same := func(name string) bool { return name == "" || o[name] == any(dynamo.Text(item, name)) }
		if same(table.Partition.Name) && same(table.Sort.Name) {
			found = append(found, o)
		}
	}
	return found
}

// nested returns an object and those in it.
func nested(value any) (all []map[string]any) {
	switch v := value.(type) {
	case map[string]any:
		all = append(all, v)
		for _, member := range v {
			all = append(all, nested(member)...)
		}
	case []any:
		for _, member := range v {
			all = append(all, nested(member)...)
		}
	}
	return all
}

// plain returns a stored value as an export shows it.
func plain(t testing.TB, value dynamo.AttributeValue) any {
	t.Helper()
	var document model.Document
	if err := document.UnmarshalDynamoDBAttributeValue(value); err != nil {
		t.Fatal(err)
	}
	return decoded(t, json.RawMessage(document))
}

func decoded(t testing.TB, text json.RawMessage) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", text, err))
	}
	return value
}

// Somebody who has never written is exported by their number, like they are erased.
func TestAPersonWithoutAConversationIsExported(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+100 98765 43210 tea")
	kinds := map[string]int{}
	for _, r := range exports(t, c.rooms, 2, ashaEverywhere...) {
		kinds[r.Kind]++
	}
	if diff := cmp.Diff(map[string]int{"khataBalance": 1, "khataEntry": 1, "told": 1}, kinds); diff != "" {
		t.Error(diff)
	}
}

// What is kept of two people who have had a number at different times is exported to each alone.
func TestAnExportEndsWhereTheNumberPassesOn(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(numberX, "it was Asha")
	c.moves(numberX, numberY)
	c.now = c.now.Add(time.Minute)
	c.answered(numberX, "it was the next one")
	for address, theirs := range map[model.CustomerID]string{numberX: "it was the next one", numberY: "it was Asha"} {
		key, err := c.rooms.Named(t.Context(), []model.PhoneNumberID{wt.Phone}, "", "+"+string(address))
		c.must(err)
		var said []string
		for _, r := range exports(t, c.rooms, 100, export.Named{Phone: wt.Phone, Customer: key}) {
			if text, _ := decoded(t, r.Data).(map[string]any)["textBody"].(string); r.Kind == "message" &&
				strings.HasPrefix(text, "it was") {
				said = append(said, text)
			}
		}
		if len(said) != 1 || said[0] != theirs {
			t.Errorf("%s: %q", address, said)
		}
	}
}

func TestEveryDomainThatErasesExports(t *testing.T) {
	rooms := registry.Open(messaging.Config{})
	exporters := map[string]export.Exporter{}
	for _, exporter := range rooms.Exports.Exporters {
		exporters[exporter.Domain] = exporter
	}
	kinds := map[string]bool{}
	for _, eraser := range rooms.Erasers {
		if len(exporters[eraser.Domain].Lists) == 0 {
			t.Errorf("%s erases and does not export", eraser.Domain)
		}
		for _, list := range exporters[eraser.Domain].Lists {
			if kinds[list.Kind] {
				t.Errorf("there are two lists of %s", list.Kind)
			}
			kinds[list.Kind] = true
		}
	}
	if len(exporters) != len(registry.Names()) {
		t.Errorf("%d of %v export", len(exporters), registry.Names())
	}
}
