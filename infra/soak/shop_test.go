package soak

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// shopPhone is the business's second number. It is a store's: the same people order there, buy on credit and pay.
const shopPhone = "106540352242999"

const catalogue = `product_id,name,name_local,category,brand,unit,pack_size,price,stock,keywords
RICE-1,Kolam Rice (loose),कोलम चावल (खुला),Rice,,kg,,62,8000,chawal
DAL-1,Tur Dal,तुअर दाल,Pulses,,kg,,160,5000,arhar
SALT-1,Catch Salt,कैच नमक,Salt,Catch,packet,1 kg,27,5000,namak
`

// kirana is the store, with what really happened in it.
type kirana struct {
	store     commercemodel.Store
	owner     *customer   // who has the shop's own number at the beginning
	number    *number     // the shop's own number
	authority *authority  // of the shop's own number
	people    []*customer // who have an authority, and who have got their numbers
	numbers   []*number   // that they have, or had
	said      []*saying
	meant     []*intention
	bought    map[model.Name]*purchase
	// since when the shop is known to have heard of a change of identifiers, by the notice's id
	known    map[string]time.Time
	happened map[string]time.Time // when the change was, by the notice's id
	waiting  []events.DynamoDBEventRecord
	past     []events.DynamoDBEventRecord
	accounts map[model.Name]*customer // whose accounts were, when their customers were erased
	erased   map[*customer]time.Time
}

// saying is a message to the shop's number.
type saying struct {
	id             string
	by             *customer
	group          bool
	at             time.Time
	word           int     // +1 asks to stop, -1 to start
	orders         bool    // it asks for goods
	kind           string  // of a change of another message; "" for any other
	changes        *saying // the message that it changes
	marker         string  // a text that nothing else holds
	plain          bool    // it is a text or a picture that means nothing to the shop
	number, userID string  // that it shows
	seen           time.Time
}

// intention is an entry that somebody wants to have in a ledger. Its amount is nobody else's.
type intention struct {
	what     string
	of       *customer // whose ledger
	amount   decimal.Decimal
	delta    decimal.Decimal // what it adds
	by       *customer       // who has written it in the chat; nil for a caller of the API
	at       time.Time
	group    bool
	accepted bool       // the caller was told so
	refused  bool       // the caller was told so
	reverses model.Name // the entry that it takes back
	message  string     // that asks for it
	asked    *saying    // the customer's message, of a payment that the shop confirms
	yes      []*saying  // the taps that say yes to the question
}

// purchase is an order, as it was seen first, and what it came to.
type purchase struct {
	of      *customer
	version int64
	order   commercemodel.Order
}

func emptyShop() *kirana {
	return &kirana{
		bought: map[model.Name]*purchase{}, known: map[string]time.Time{}, happened: map[string]time.Time{},
		accounts: map[model.Name]*customer{}, erased: map[*customer]time.Time{},
	}
}

// opens furnishes the store, without faults.
func (w *simulation) opens(t testing.TB) {
	w.shop = emptyShop()
	s := w.shop
	s.authority = w.gives("Owner", "918800000000")
	s.number, s.owner = s.authority.number, s.authority.first()
	rooms := w.open(w.db.Client)
	w.db.Seed(t, tables.Messages,
		model.Phone{
			PK: keys.Phone(shopPhone).Partition, ItemType: model.ItemPhone, PhoneNumberID: shopPhone, TenantID: tenant,
			WABAMetaID: model.WABAID(w.waba)},
		model.Account{
			PK: keys.Account(model.WABAID(w.waba)).Partition, ItemType: model.ItemAccount,
			WABAMetaID: model.WABAID(w.waba), TemplatesSyncedAt: model.At(began.AddDate(1, 0, 0)), Version: 1})
	for _, own := range rooms.Templates() {
		for _, language := range own.Languages {
			w.db.Seed(t, tables.Messages, model.Template{
				PK: keys.TemplateMeta(model.WABAID(w.waba), model.Name(own.Name),
					model.Name(language)).Partition,
				ItemType:   model.ItemTemplateMeta,
				WABAMetaID: model.WABAID(w.waba), TemplateName: own.Name, Language: language, Status: "APPROVED",
				Category: "UTILITY", Version: 1,
			})
		}
	}
	credit := &commercemodel.Credit{
		Overpayment: true, Commands: true, Reminders: true, ReminderFrequency: "daily", ReminderChannel: "whatsapp",
		ReminderTime: "10:00", VPA: "shop@bank", Quiet: true}
	if w.rng.IntN(2) == 0 {
		credit.DefaultLimit = &model.Amount{Decimal: decimal.New(3000, 0)}
	}
	shop := registry.Commerce(rooms)
	store, err := shop.Stores.Create(t.Context(), commercemodel.Store{
		TenantID: tenant, Name: "Rao Kirana", Status: commercemodel.StoreActive,
		PhoneNumberIDs: []model.PhoneNumberID{shopPhone},
		ContactInfo:    commercemodel.ContactInfo{WhatsApp: "+" + s.number.id},
		Settings: commercemodel.Settings{
			Assistant: true,
			Confirmation: []commercemodel.Confirmation{
				commercemodel.ConfirmAutomatic, commercemodel.ConfirmByShop}[w.rng.IntN(2)],
			PaymentMethods: []string{orders.OnCredit, "cod"}, TimeZone: "Asia/Kolkata", Currency: "INR",
			Languages: []string{"en"}, Credit: credit,
		},
	}, "soak", idempotency.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shop.Catalogue.Import(t.Context(), store, []byte(catalogue), true); err != nil {
		t.Fatal(err)
	}
	s.store = store
}

// at returns one change of a webhook body about a number of the business.
func at(phone, field string, value wt.Object) wt.Object {
	value["messaging_product"] = "whatsapp"
	value["metadata"] = wt.Object{"display_phone_number": wt.Display, "phone_number_id": phone}
	return wt.Change(field, value)
}

// noticeToShop tells the shop's number of a change of identifiers, as WhatsApp tells every number of a business.
func (w *simulation) noticeToShop(c *customer, id, from string, at0 time.Time, system wt.Object) {
	body := wt.Message(from, id+".shop", "system", at0, wt.Object{"system": system})
	if from == "" {
		delete(body, "from")
	}
	c.told = append(c.told, id+".shop")
	w.shop.happened[id+".shop"] = at0
	late := 0
	if w.rng.IntN(2) == 0 {
		late = w.rng.IntN(10)
	}
	w.deliverLate(at(shopPhone, "messages", wt.Object{"messages": wt.List{body}}), late)
}

// isClear reports whether the shop knows of every change that tells who somebody is: theirs, and those of the people
// who had their identifiers before.
func (w *simulation) isClear(c *customer) bool {
	who := append([]*customer{c}, c.number.all...)
	if held := w.holding(c); held != nil {
		who = append(who, held.all...)
	}
	for _, one := range who {
		for _, notice := range one.told {
			if _, known := w.shop.known[notice]; !known {
				return false
			}
		}
	}
	return len(w.takenFor(c)) == 0
}

// isNamed reports whether a customer's number names them to the shop: they have written from it. The shop cannot tell
// who had a number that nobody has written from, if several notices about it come late and in another order.
func (w *simulation) isNamed(c *customer) bool {
	if c.shows == aUserID {
		return true // they keep their number
	}
	wrote := slices.ContainsFunc(w.shop.said, func(said *saying) bool { return w.tellsWho(said, c) })
	return wrote && c.shows != mixed && w.isClear(c)
}

// tellsWho reports whether the shop knows a customer by something that they have written. An erasure makes the shop
// forget what they wrote before.
func (w *simulation) tellsWho(said *saying, c *customer) bool {
	return said.by == c && !said.group && !said.seen.IsZero() && said.at.After(w.shop.erased[c])
}

// namesOf returns the names by which the shop may be told of a customer: their number, or, of those who show different
// identifiers, each that they have written from. It returns none for who is not named.
func (w *simulation) namesOf(c *customer) (names []string) {
	if w.isNamed(c) {
		return []string{"+" + c.number.id}
	}
	if c.shows != mixed || !w.isClear(c) {
		return nil
	}
	for _, said := range w.shop.said {
		if !w.tellsWho(said, c) {
			continue
		}
		if said.number == c.number.id {
			names = append(names, "+"+said.number)
		}
		if said.userID == c.userID {
			names = append(names, said.userID)
		}
	}
	return names
}

// named returns a customer whom the shop may be told of, and their names: the given one, or else another.
func (w *simulation) named(c *customer) (*customer, []string) {
	at := slices.Index(w.customers, c)
	for i := range w.customers {
		other := w.customers[(at+i)%len(w.customers)]
		if names := w.namesOf(other); len(names) > 0 {
			return other, names
		}
	}
	return c, nil
}

// tellsShop has somebody write to the shop's number.
func (w *simulation) tellsShop(c *customer, kind string, content wt.Object) *saying {
	withNumber, withUserID := c.shows == aNumber || c.shows == both, c.shows == aUserID || c.shows == both
	if c.shows == mixed {
		which := w.rng.IntN(3)
		withNumber, withUserID = which != 0, which != 1
	}
	return w.writesAs(c, withNumber, withUserID, kind, content)
}

// writesAs has somebody write to the shop's number, and show some of their identifiers.
func (w *simulation) writesAs(c *customer, withNumber, withUserID bool, kind string, content wt.Object) *saying {
	if w.clock().Before(c.quiet) {
		w.advance(c.quiet.Sub(w.clock()))
	}
	contact, sender := w.contactOf(c, withNumber, withUserID)
	said := &saying{id: fmt.Sprintf("wamid.shop.%d", w.ids.Add(1)), by: c, at: w.clock()}
	w.shop.said = append(w.shop.said, said)
	if withNumber {
		said.number = c.number.id
	}
	if withUserID {
		said.userID = c.userID
	}
	if _, inGroup := content["group_id"]; inGroup {
		said.group = true
	}
	body := wt.Message("", said.id, kind, said.at, content)
	delete(body, "from")
	for name, value := range sender {
		body[name] = value
	}
	w.deliver(at(shopPhone, "messages", wt.Object{"contacts": wt.List{contact}, "messages": wt.List{body}}))
	return said
}

// findSeen notes what the shop has heard by now, and which orders have changed.
func (w *simulation) findSeen() {
	s := w.shop
	stored := w.storedMessages()
	isStored := func(id string) bool { return dynamo.Text(stored[id], "direction") != "" }
	for _, c := range slices.Concat(s.people, w.customers) {
		for _, id := range c.told {
			if _, known := s.known[id]; !known && isStored(id) {
				s.known[id] = w.clock().Add(skew)
			}
		}
	}
	processed := w.processedEntries()
	for _, said := range s.said { // what is stored may still have to be reacted to
		entry := dynamo.Text(stored[said.id], "eventId")
		if said.seen.IsZero() && len(w.pending[webhooklog.Inbound]) == 0 && isStored(said.id) && processed[entry] {
			said.seen = w.clock().Add(skew)
		}
	}
	w.findOrders()
	w.checkLimits()
}

// processedEntries returns which entries of the log are processed.
func (w *simulation) processedEntries() map[string]bool {
	all := map[string]bool{}
	for _, item := range w.items(tables.Messages) {
		if textOf(item, "itemType") == model.ItemWebhookEvent && textOf(item, "processedAt") != "" {
			all[textOf(item, "eventId")] = true
		}
	}
	return all
}

// findOrders brings the changes of orders to their stream.
func (w *simulation) findOrders() {
	for _, item := range w.items(tables.Orders) {
		var order commercemodel.Order
		unmarshal(w.t, item, &order)
		seen := w.shop.bought[order.ID]
		if seen == nil {
			seen = &purchase{of: w.called(order.CustomerName)}
			w.shop.bought[order.ID] = seen
		}
		if seen.version != order.Version {
			seen.version, seen.order = order.Version, order
			record := dynamotest.Records(w.t, []dynamo.Item{item})[0]
			w.shop.waiting = append(w.shop.waiting, record)
		}
	}
}

// called returns the person with a name.
func (w *simulation) called(name string) *customer {
	for _, c := range w.customers {
		if "Person "+c.name == name || c.name == name {
			return c
		}
	}
	for _, c := range w.shop.people {
		if "Person "+c.name == name || c.name == name {
			return c
		}
	}
	return nil
}

// follow brings changes of orders to the function that follows them, in batches, some of them twice. What it reports
// comes again.
func (w *simulation) follow(all bool, random func(int) int) {
	s := w.shop
	w.mu.Lock()
	n := len(s.waiting)
	if !all && n > 0 {
		n = random(n) + 1
	}
	batch := append([]events.DynamoDBEventRecord{}, s.waiting[:n]...)
	s.waiting = s.waiting[n:]
	if len(s.past) > 0 && random(3) == 0 {
		batch = append(batch, s.past[random(len(s.past))])
	}
	w.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	for i := range batch {
		batch[i].Change.SequenceNumber = fmt.Sprint(1000 + i)
	}
	response, err := registry.Commerce(w.rooms()).Following(silent, nil).Handle(w.t.Context(),
		events.DynamoDBEvent{Records: batch})
	reported := map[string]bool{}
	for _, failure := range response.BatchItemFailures {
		reported[failure.ItemIdentifier] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, record := range batch {
		if err != nil || reported[record.Change.SequenceNumber] {
			s.waiting = append(s.waiting, record)
		} else {
			s.past = append(s.past, record)
		}
	}
}
