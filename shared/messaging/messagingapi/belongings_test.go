package messagingapi

import (
	"reflect"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/subscriptions"
	"github.com/haatline/haatline/shared/messaging/webhooks"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// belongings are what a tenant has, as somebody may have come to know it.
type belongings struct {
	tenant, phone, waba, customer, conversation, wamid, queued,
	dead, waiting, logged, replay, group, groupID, grouped, media, reference, arrival, asked, paid, refund,
	code, spare, campaign, catalogue, flow, purge, home, office string
}

// hasFile stores the record of a file. One with a name is in the bucket.
func (w *world) hasFile(id model.MediaID, phone model.PhoneNumberID, name string) {
	w.t.Helper()
	record := model.Media{
		PK: keys.Media(id).Partition, ItemType: model.ItemMedia, MediaID: id, PhoneNumberID: phone, Filename: name}
	if name != "" {
		record.S3Key, record.DetectedType, record.ContentLength, record.UploadedAt = "k/"+string(id), "image/png", 7,
			model.At(minutesAgo(1))
		record.Look = &model.Look{Width: 400, Height: 300, Thumbnail: "image/jpeg"}
	}
	w.db.Seed(w.t, tables.Messages, record)
}

// verifies gives an account secrets of its own.
func (w *world) verifies(waba model.WABAID) {
	w.t.Helper()
	err := w.rooms.Webhooks.Put(w.t.Context(), waba, webhooks.Secrets{AppSecret: "env:WEBHOOK_SECRET"}, true)
	if err != nil {
		w.t.Fatal(err)
	}
}

// emptyTenant has nothing.
const emptyTenant = "empty"

// isTenant stores a tenant.
func (w *world) isTenant(id model.TenantID, name string, phones ...model.PhoneNumberID) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Tenant{
		PK: keys.Tenant(id).Partition, ItemType: model.ItemTenant, TenantID: id, DisplayName: name,
		FromPK: keys.Tenants, CreatedAt: model.At(noon), ReceivedAt: model.At(noon), PhoneNumberIDs: phones,
	})
}

// handsOver has Meta hold a file for a number.
func (w *world) handsOver(id model.MediaID, phone model.PhoneNumberID) {
	w.t.Helper()
	uploads, err := dynamo.Value(map[model.PhoneNumberID]model.Upload{
		phone: {ID: "1166846181421424", ExpiresAt: model.At(minutesAgo(-30 * 24 * 60))}})
	if err == nil {
		err = w.db.Update(w.t.Context(), dynamo.Update{
			Table: tables.Messages, Key: keys.Media(id), Do: "SET uploads = :uploads", If: dynamo.IfPresent,
			Values: dynamo.Item{":uploads": uploads},
		})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// hasPaymentOrder stores an order of which only a payment tells.
func (w *world) hasPaymentOrder(reference model.Name, tenant model.TenantID, phone model.PhoneNumberID,
	transaction string) {
	w.t.Helper()
	at := model.At(minutesAgo(4))
	w.db.Seed(w.t, tables.Messages, model.PaymentOrder{
		PK: keys.PaymentOrder(phone, reference).Partition, ItemType: model.ItemPaymentOrder,
		ReferenceID: string(reference), TenantID: tenant, Status: "unconfirmed",
		TransactionID: transaction, CreatedAt: at, PhoneNumberID: phone, FromPK: keys.PaymentOrdersOf(tenant, phone),
		ReceivedAt: at, Version: 1,
	})
}

// asksToPay stores an order that a message has asked to be paid.
func (w *world) asksToPay(reference model.Name, tenant model.TenantID, phone model.PhoneNumberID) {
	w.t.Helper()
	at := model.At(minutesAgo(4))
	w.db.Seed(w.t, tables.Messages, model.PaymentOrder{
		PK: keys.PaymentOrder(phone, reference).Partition, ItemType: model.ItemPaymentOrder, OrderID: string(reference),
		ReferenceID: string(reference), TenantID: tenant, Status: "pending", PaymentStatus: "pending", CreatedAt: at,
		PhoneNumberID: phone, FromPK: keys.PaymentOrdersOf(tenant, phone), ReceivedAt: at, Version: 1,
	})
}

func (w *world) orderOf(reference model.Name, phone model.PhoneNumberID) (order model.PaymentOrder) {
	w.t.Helper()
	if err := w.rooms.DB.Get(w.t.Context(), tables.Messages, keys.PaymentOrder(phone, reference), &order); err != nil {
		w.t.Fatal(err)
	}
	return order
}

// isPaid stores an order that a message has asked to be paid, and that is.
func (w *world) isPaid(reference model.Name, tenant model.TenantID, phone model.PhoneNumberID) {
	w.t.Helper()
	w.asksToPay(reference, tenant, phone)
	order := w.orderOf(reference, phone)
	amount := model.Amount{Decimal: decimal.NewFromInt(1000)}
	order.TotalAmount, order.PaidAmount, order.PaidCurrency, order.ConfigName = amount, &amount, "INR", "upi-main"
	order.Status, order.PaymentStatus = "completed", "captured"
	w.db.Seed(w.t, tables.Messages, order)
}

// hasRefund stores a refund of an order.
func (w *world) hasRefund(id, reference model.Name, phone model.PhoneNumberID, customer model.CustomerID) {
	w.t.Helper()
	order := w.orderOf(reference, phone)
	amount := model.Amount{Decimal: decimal.NewFromInt(2)}
	if order.Refunds == nil {
		order.Refunds = map[model.Name]string{}
	}
	order.Refunds[id], order.Refunding = "", &amount
	w.db.Seed(w.t, tables.Messages, order, model.Refund{
		PK: keys.Refund(id).Partition, ItemType: model.ItemRefund, RefundID: id, OrderID: order.OrderID,
		TenantID: order.TenantID, CustomerPhone: string(customer), Amount: amount, Currency: "INR", Status: "pending",
		CreatedAt: model.At(minutesAgo(3)), PhoneNumberID: phone, ReferenceID: string(reference),
		ConfigName: "upi-main", Version: 1})
}

// paysBy stores a payment configuration that Meta has. One whose name ends in -pg is of the payment gateway that the
// name begins with.
func (w *world) paysBy(name model.Name, tenant model.TenantID, waba model.WABAID) {
	w.t.Helper()
	c := model.PaymentConfig{
		PK: keys.PaymentConfig(tenant, name).Partition, ItemType: model.ItemPaymentConfig, TenantID: tenant,
		ConfigName: name, Type: "UPI", Status: "active", UPIID: "shop@bank", MCC: "5411", PurposeCode: "00",
		WABAID: waba, Version: 1}
	if provider, _, is := strings.Cut(string(name), "-pg"); is {
		c.Type, c.UPIID, c.Provider = "PG", "", provider
	}
	w.db.Seed(w.t, tables.Messages, c)
}

// hasCode stores a QR code that Meta has.
func (w *world) hasCode(phone model.PhoneNumberID, name model.Name, text string) {
	w.t.Helper()
	w.entry(phone, numbers.KindQRCodes, name, "", `{"code":"`+string(name)+`","prefilledMessage":"`+text+`"}`)
}

// hasBlocked stores that Meta has blocked a person.
func (w *world) hasBlocked(phone model.PhoneNumberID, who model.CustomerID) {
	w.t.Helper()
	w.entry(phone, numbers.KindBlocked, keys.Blocked(phone, who), who, `{"blocked":true,"waId":"`+string(who)+`"}`)
}

// hasNotes stores two notes about a customer.
func (w *world) hasNotes(phone model.PhoneNumberID, customer model.CustomerID) {
	w.t.Helper()
	for _, id := range []model.Name{"n1", "n2"} {
		w.db.Seed(w.t, tables.Messages, model.Note{
			PK: keys.Note(phone, customer, id).Partition, ItemType: model.ItemNote, NoteID: id, PhoneNumberID: phone,
			ConversationPK: keys.NotesOf(phone, customer), ReceivedAt: model.At(minutesAgo(4)), WrittenBy: "SECRET",
			Text: "SECRET call after six", Version: 1})
	}
}

// hasDraft stores the draft of an answer to a customer.
func (w *world) hasDraft(phone model.PhoneNumberID, customer model.CustomerID) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Draft{
		PK: keys.Draft(phone, customer).Partition, ItemType: model.ItemDraft, PhoneNumberID: phone,
		Text: "SECRET Your rice is", WrittenBy: "SECRET", ChangedAt: model.At(minutesAgo(4)), Version: 7})
}

// isNamed stores that a note about a customer names the operator.
func (w *world) isNamed(phone model.PhoneNumberID, customer model.CustomerID) {
	w.t.Helper()
	subject := model.Name(operator(string(shop)).Subject)
	w.db.Seed(w.t, tables.Messages, model.Note{
		PK: keys.Note(phone, customer, "n1").Partition, ItemType: model.ItemNote, NoteID: "n1", PhoneNumberID: phone,
		ConversationPK: keys.NotesOf(phone, customer), ReceivedAt: model.At(minutesAgo(4)), WrittenBy: "SECRET",
		Text: "SECRET call after six", Mentions: []string{string(subject)}, Version: 1})
	w.db.Seed(w.t, tables.Messages, model.Mention{
		PK: keys.Mention(phone, subject, customer).Partition, ItemType: model.ItemMention, NoteID: "n1",
		ConversationPK: keys.MentionsOf(phone, subject), ReceivedAt: model.At(minutesAgo(4)), PhoneNumberID: phone,
		CustomerID: customer, Subject: string(subject)})
}

// hasQuickReplies stores two quick replies of a tenant.
func (w *world) hasQuickReplies(tenant model.TenantID) {
	w.t.Helper()
	for _, shortcut := range []model.Name{"hours", "bye"} {
		w.db.Seed(w.t, tables.Messages, model.QuickReply{
			PK: keys.QuickReply(tenant, shortcut).Partition, ItemType: model.ItemQuickReply, TenantID: tenant,
			Shortcut: shortcut, Text: "SECRET {{name|friend}}", ChangedAt: model.At(minutesAgo(4)), Version: 1})
	}
}

// hasSubscriptions stores who outside is told events of a tenant: three, of which one is disabled.
func (w *world) hasSubscriptions(tenant model.TenantID) {
	w.t.Helper()
	ids := []model.Name{"bye", "erp", "off"}
	for _, id := range ids {
		sub := model.EventSubscription{
			PK: keys.EventSubscription(tenant, id).Partition, ItemType: model.ItemEventSubscription, TenantID: tenant,
			SubscriptionID: id, Description: "SECRET", URL: "https://" + string(id) + ".example.com/SECRET",
			Kinds: []string{"message.received"}, Secret: "sealed:former", SecretPrint: "former",
			CreatedAt: model.At(minutesAgo(4)), UpdatedAt: model.At(minutesAgo(4)), Version: 1}
		if id == "off" {
			sub.DisabledAt, sub.DisabledBecause = model.At(minutesAgo(3)), "failing"
		}
		w.db.Seed(w.t, tables.Messages, sub)
	}
	list, err := dynamo.Value(ids)
	if err == nil {
		err = w.db.Update(w.t.Context(), dynamo.Update{
			Table: tables.Messages, Key: keys.Tenant(tenant), If: dynamo.Unconditional,
			Do:     "SET subscriptionIds = :list, tenantId = :tenant, itemType = :type",
			Values: dynamo.Item{":list": list, ":tenant": dynamo.S(tenant), ":type": dynamo.S(model.ItemTenant)}})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// toldInVain stores what a subscription could not be told.
func (w *world) toldInVain(tenant model.TenantID, subscription model.Name, webhooks ...string) {
	w.t.Helper()
	for _, id := range webhooks {
		event, put, err := (&outbox.Outbox{DB: w.rooms.DB, Now: func() time.Time { return minutesAgo(4) }}).Loose(
			w.t.Context(), outbox.Draft{
				Type: subscriptions.EventDeliver, Tenant: tenant, EntityType: keys.EntityDelivery,
				EntityID: keys.DeliveryEntity(subscription, id), Payload: model.Document(`{"subscription":"` +
					string(subscription) + `","id":"` + id + `","kind":"message.received","at":"` +
					string(model.At(noon)) + `","data":{"messageId":"wamid.SECRET"}}`)})
		if err != nil {
			w.t.Fatal(err)
		}
		event.Status, event.FailedAt, event.FailureCode = model.OutboxDeadLetter, model.At(minutesAgo(2)), "500"
		event.CreatedAtEventID, event.AttentionPK = dynamo.Text(put.Item, tables.SortCreatedAtEventID),
			string(tenant)+"#"+string(model.OutboxDeadLetter)
		w.db.Seed(w.t, tables.Outbox, event)
	}
}

// hasPushDevices stores two browsers in which one of a tenant's people is notified.
func (w *world) hasPushDevices(tenant model.TenantID, subject model.Name) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.Member{
		PK: keys.Member(subject, tenant).Partition, ItemType: model.ItemMember, Subject: subject, TenantID: tenant,
		FromPK: keys.TenantsOf(subject), ReceivedAt: model.At(minutesAgo(9))})
	for _, id := range []model.Name{"laptop", "phone"} {
		w.db.Seed(w.t, tables.Messages, model.PushDevice{
			PK: keys.PushDevice(tenant, subject, id).Partition, ItemType: model.ItemPushDevice, TenantID: tenant,
			Subject: subject, DeviceID: id, Endpoint: "https://push.example.com/SECRET", P256dh: pushPublic,
			Auth: "zqbxT6JKstKSY9JKibZLSQ", Wants: []string{"mine"}, Language: "en", CreatedAt: model.At(minutesAgo(9)),
			ChangedAt: model.At(minutesAgo(9)), Version: 1})
	}
}

// pushPublic is the public key of a browser.
const pushPublic = "BNNL5ZaTfK81qhXOx23-wewhigUeFb632jN6LvRWCFH1ubQr77FE_9qV1FuojuRmHP42zmf34rXgW80OvUVDgTk"

const pushBody = `{"endpoint":"https://push.example.com/1","keys":{"publicKey":"` + pushPublic +
	`","secret":"zqbxT6JKstKSY9JKibZLSQ"},"wants":["mine","needs_person"]}`

// hasFilters stores two filters of a person.
func (w *world) hasFilters(tenant model.TenantID, subject model.Name) {
	w.t.Helper()
	w.db.Seed(w.t, tables.Messages, model.SavedFilters{
		PK: keys.SavedFilters(tenant, subject).Partition, ItemType: model.ItemFilters, Subject: string(subject),
		Filters: []model.SavedFilter{{Name: "mine", Assignee: "me"}, {Name: "vip", Label: "SECRET"}}, Version: 1})
}

func (w *world) entry(phone model.PhoneNumberID, kind, name model.Name, who model.CustomerID, has string) {
	w.db.Seed(w.t, tables.Messages, model.NumberSetting{
		PK: keys.NumberEntry(phone, kind, name).Partition, ItemType: model.ItemNumberSetting, PhoneNumberID: phone,
		Kind: kind, Name: name, CustomerID: who, FromPK: keys.NumberEntriesOf(phone, kind),
		ReceivedAt: model.At(minutesAgo(4)), SettingState: model.SettingState{
			SyncStatus: model.SettingSynced, Meta: model.Document(has), ReadAt: model.At(minutesAgo(4)), Version: 1}})
}

// furnish gives a tenant two conversations and a group, a message of either side in each, a dead letter, waiting
// events, and a log. Everything a person wrote, or is called, holds the word SECRET and the digit.
func (w *world) furnish(digit string) belongings {
	w.t.Helper()
	b := belongings{
		tenant: "tenant-" + digit, phone: "70000000000000" + digit, waba: "80000000000000" + digit,
		customer: "91900000000000" + digit, wamid: "wamid.IN" + digit, groupID: groupOf(digit),
	}
	b.conversation = b.phone + ":" + b.customer
	b.group, b.grouped = b.phone+":"+groupOf(digit), "wamid.GROUPED"+digit
	w.ours(b.tenant, b.phone, b.waba)
	w.ours(b.tenant, "71000000000000"+digit, b.waba) // a second one, for a second page
	w.bounced(model.TenantID(b.tenant))
	for _, subject := range []string{operator(b.tenant).Subject, colleagueOf(b.tenant)} { // two, for a second page
		w.works(model.Name(subject), model.TenantID(b.tenant))
	}
	text := "SECRET" + digit
	w.isTenant(model.TenantID(b.tenant), text, model.PhoneNumberID(b.phone))
	w.isTenant(emptyTenant, "Empty")
	w.verifies(model.WABAID(b.waba))
	w.verifies(model.WABAID("81000000000000" + digit))
	for _, id := range []string{"wacid.1" + digit, "wacid.2" + digit} {
		w.db.Seed(w.t, tables.Messages, model.Call{
			PK: keys.Call(model.Name(id)).Partition, ItemType: model.ItemCall, CallID: id, From: text,
			PhoneNumberID: model.PhoneNumberID(b.phone), CustomerID: model.CustomerID(b.customer),
			FromPK:     keys.CallsOf(model.PhoneNumberID(b.phone), model.CustomerID(b.customer)),
			ReceivedAt: model.At(minutesAgo(4)), Version: 1,
		})
	}
	w.hasNotes(model.PhoneNumberID(b.phone), model.CustomerID(b.customer))
	w.hasDraft(model.PhoneNumberID(b.phone), model.CustomerID(b.customer))
	w.hasQuickReplies(model.TenantID(b.tenant))
	w.hasSubscriptions(model.TenantID(b.tenant))
	for _, person := range []*caller{operator(b.tenant), platformOperator()} { // each has their own
		w.hasFilters(model.TenantID(b.tenant), model.Name(person.Subject))
		w.hasPushDevices(model.TenantID(b.tenant), model.Name(person.Subject))
	}
	b.home, b.office = "wamid.form1"+digit, "wamid.form2"+digit
	for _, id := range []string{b.home, b.office} { // two of each, for a second page
		w.db.Seed(w.t, tables.Messages, model.FlowResponse{
			PK: keys.FlowResponse("flow", model.Name(id)).Partition, ItemType: model.ItemFlowResponse, FlowID: "flow",
			ResponseID: id, CustomerPhone: b.customer,
			Data: model.Document(`{"a":"` + text + `"}`), CompletedAt: model.At(minutesAgo(4)),
			CreatedAt: model.At(minutesAgo(4)), PhoneNumberID: model.PhoneNumberID(b.phone),
		}, model.Address{
			PK: keys.Address(model.CustomerID(b.customer), model.Name(id)).Partition, ItemType: model.ItemAddress,
			CustomerPhone: b.customer, AddressID: id,
			Address: text, CreatedAt: model.At(minutesAgo(4)), PhoneNumberID: model.PhoneNumberID(b.phone), Version: 1,
		})
	}
	for _, act := range []string{"reject", "terminate"} {
		w.hasCall(model.Name("wacid."+act+b.phone), model.PhoneNumberID(b.phone), model.CustomerID(b.customer))
	}
	w.mayCall(model.PhoneNumberID(b.phone), model.CustomerID(b.customer))
	for _, of := range onGroups { // each with a group of its own
		w.hasGroup(model.Name(b.groupID+of.end), model.PhoneNumberID(b.phone), model.WABAID(b.waba), text,
			model.CustomerID(b.customer))
	}
	b.reference = "R1-" + digit
	for _, reference := range []string{b.reference, "R2-" + digit} {
		w.hasPaymentOrder(model.Name(reference), model.TenantID(b.tenant), model.PhoneNumberID(b.phone), text)
	}
	b.asked = "ASKED-" + digit
	w.asksToPay(model.Name(b.asked), model.TenantID(b.tenant), model.PhoneNumberID(b.phone))
	b.paid, b.refund = "PAID-"+digit, "refund-"+digit
	w.isPaid(model.Name(b.paid), model.TenantID(b.tenant), model.PhoneNumberID(b.phone))
	for _, id := range []string{b.refund, b.refund + "-second"} {
		w.hasRefund(model.Name(id), model.Name(b.paid), model.PhoneNumberID(b.phone), "")
	}
	for _, name := range []model.Name{"upi-main", "upi-second", "razorpay-pg"} {
		w.paysBy(name, model.TenantID(b.tenant), model.WABAID(b.waba))
	}
	b.code, b.spare = "code-"+digit, "7200000000000"+digit
	for _, name := range []string{b.code, b.code + "-second"} { // two, for a second page
		w.hasCode(model.PhoneNumberID(b.phone), model.Name(name), text)
	}
	for _, who := range []string{b.customer, "91800000000000" + digit} {
		w.hasBlocked(model.PhoneNumberID(b.phone), model.CustomerID(who))
	}
	for _, last := range []string{"1", "2", "3", "4", "5", "6"} { // what is done once, each with a number of its own
		w.ours(b.tenant, b.spare+last, b.waba)
	}
	b.campaign = "campaign-" + digit
	for _, id := range append([]string{""}, campaignsAsked...) {
		w.hasCampaign(model.Name(b.campaign+id), statusFor(id), b, text)
	}
	b.catalogue = "90000000000000" + digit
	w.hasCatalogues(b, text)
	b.flow = "70000000000000" + digit
	w.hasFlows(b, text)
	w.hasSearched(model.WABAID(b.waba), text)
	w.hasRecord(b.tenant, sending.Accepted{MessageID: "wamid.KEYED"})
	b.arrival = "email.a" + digit
	w.hasArrival(model.TenantID(b.tenant), model.EventID(b.arrival), text)
	w.hasArrival(model.TenantID(b.tenant), model.EventID(b.arrival+"-second"), text)
	b.media = "media-" + digit
	w.hasFile(model.MediaID(b.media), model.PhoneNumberID(b.phone), text)
	w.handsOver(model.MediaID(b.media), model.PhoneNumberID(b.phone))
	for i, name := range []string{"offer", "reminder", "old", "older"} { // several, for a second page
		w.db.Seed(w.t, tables.Messages, model.Template{
			PK:       keys.TemplateMeta(model.WABAID(b.waba), model.Name(name), "en").Partition,
			ItemType: model.ItemTemplateMeta, WABAMetaID: model.WABAID(b.waba),
			TemplateName: name, Language: "en", Status: "APPROVED", Reason: text, Version: 1,
			TemplateID: "57227919845242" + string(rune('0'+i)), Category: "UTILITY",
		})
	}
	w.receives(b.phone, b.waba, wt.Contact("91800000000000"+digit, text),
		wt.Text("91800000000000"+digit, "wamid.OTHER"+digit, text, minutesAgo(9)))
	for _, id := range []string{"wamid.FIRST" + digit, b.grouped} { // two, for a second page
		w.receives(b.phone, b.waba, wt.Contact("91800000000000"+digit, text),
			wt.Message("91800000000000"+digit, id, "text", minutesAgo(8),
				wt.Object{"group_id": groupOf(digit), "text": wt.Object{"body": text}}))
	}
	event := w.receives(b.phone, b.waba, wt.Contact(b.customer, text),
		wt.Text(b.customer, b.wamid, text, minutesAgo(5)))
	b.logged = string(event.EventID)
	if err := w.rooms.MarkFailed(w.t.Context(), event.EventID, model.WABAID(b.waba), text); err != nil {
		w.t.Fatal(err)
	}
	send := func(customer string) sending.Accepted {
		w.t.Helper()
		accepted, err := w.rooms.Accept(w.t.Context(), sending.Outgoing{
			Tenant: model.TenantID(b.tenant), Phone: model.PhoneNumberID(b.phone), Customer: model.CustomerID(customer),
			SentBy: text, Content: content.Text{Body: text},
		}, idempotency.Request{})
		if err != nil {
			w.t.Fatal(err)
		}
		return accepted
	}
	for _, customer := range []string{"91800000000000" + digit, b.customer} {
		b.dead = send(customer).OutboxEventID
		w.relays(b.dead, refuses)
	}
	waiting := send(b.customer)
	replay, err := w.rooms.BeginReplay(w.t.Context(), sending.ReplayRequest{
		Tenant: model.TenantID(b.tenant), Filter: sending.ReplayFilter{Code: "none"}, By: audit.Actor{Subject: text},
		Reason: text,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	b.replay, b.purge = replay.ID, w.hasPurge(b.tenant, b.waba, text)
	b.queued, b.waiting = string(waiting.MessageID), waiting.OutboxEventID
	return b
}

// groupOf is the id of a tenant's group.
func groupOf(digit string) string { return "12036300000000000" + digit + "-group" }

// all are the values by which a belonging can be told.
func (b belongings) all(digit string) []string {
	values := []string{"SECRET" + digit}
	v := reflect.ValueOf(b)
	for i := range v.NumField() {
		values = append(values, v.Field(i).String())
	}
	return values
}

// nothing are names of things that are not there, of the same forms.
func nothing() belongings {
	return belongings{
		code: "code-9", spare: "72000000000009", catalogue: "900000000000009",
		flow:   "700000000000009",
		tenant: "tenant-9", phone: "700000000000009", waba: "800000000000009", customer: "919000000000009",
		conversation: "700000000000009:919000000000009", wamid: "wamid.IN9", queued: "queued-999",
		dead: strings.Repeat("9", 32) + "-0000000001", waiting: strings.Repeat("9", 32) + "-0000000002",
		logged: strings.Repeat("9", 32), replay: "queued-998", purge: "queued-997",
		group: "700000000000009:" + groupOf("9"), grouped: "wamid.GROUPED9", groupID: groupOf("9"), media: "media-9",
		reference: "R1-9", arrival: "email.a9", asked: "ASKED-9", paid: "PAID-9", refund: "refund-9",
		campaign: "campaign-9", home: "home-9", office: "office-9",
	}
}
