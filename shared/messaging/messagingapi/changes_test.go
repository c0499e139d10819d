package messagingapi

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content/contenttest"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// call is a way to call an operation about Asha, who has written to the shop.
type call struct {
	name    string
	prepare func(w *world) (id string) // fills {eventId}
	path    string
	query   url.Values
	key     string // where a repetition would do its work twice
	body    string
	// contentType is that of the body; "" for JSON.
	contentType string
	// platform says that a platform operator calls it.
	platform bool
}

// changes returns the calls as the walkers make them.
func changes() map[string][]apitest.Change {
	all := map[string][]apitest.Change{}
	for operation, ways := range calls() {
		for _, c := range ways {
			all[operation] = append(all[operation], apitest.Change{Name: c.name, Seed: c.seed})
		}
	}
	return all
}

func (c call) seed(t testing.TB, db *dynamotest.DB) request {
	return c.requestIn(worldOn(t, db, db.Client))
}

// requestIn fills the tables and returns the request.
func (c call) requestIn(w *world) request {
	w.ours(shop, number, waba)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA1", "2 kg rice chahiye", minutesAgo(1)))
	r := request{By: operator(shop), Path: strings.ReplaceAll(c.path, "{eventId}", c.prepare(w)), Query: c.query,
		Body: c.body}
	if c.platform {
		r.By = apitest.PlatformOperator()
	}
	r.Headers = map[string]string{}
	if c.key != "" {
		r.Headers["idempotency-key"] = c.key
	}
	if c.contentType != "" {
		r.Headers["content-type"] = c.contentType
	}
	return r
}

// traces has Asha leave what a customer can: a conversation that took in another, aliases, an entry of the log that she
// shares with Ravi, a photo, and in the outbox a sent message, a dead letter, and one that waits.
func traces(w *world) string {
	merged(w)
	w.db.Seed(w.t, tables.Messages, model.PaymentOrder{
		PK: keys.PaymentOrder(number, "R1").Partition, ItemType: model.ItemPaymentOrder, ReferenceID: "R1",
		TenantID: shop, CustomerPhone: asha, Status: "unconfirmed",
		CreatedAt: model.At(minutesAgo(4)), PhoneNumberID: number, FromPK: keys.PaymentOrdersOf(shop, number),
		ReceivedAt: model.At(minutesAgo(4)), Version: 1,
	})
	w.hasRefund("refund-1", "R1", number, asha)
	w.hasNotes(number, asha)
	w.hasBlocked(number, asha)
	w.hasCampaign("campaign-1", model.CampaignCompleted,
		belongings{tenant: shop, phone: number, waba: waba, customer: asha}, "Diwali")
	w.db.Seed(w.t, tables.Messages, model.Group{
		PK: keys.Group("group-1").Partition, ItemType: model.ItemGroup, GroupID: "group-1", WABAMetaID: waba,
		PhoneNumberID: number, Version: 1,
		Participants: []model.Participant{{ID: asha, Order: "2026"}, {ID: "918888888888", Order: "2026"}},
	})
	w.db.Seed(w.t, tables.Messages, model.Call{
		PK: keys.Call("wacid.1").Partition, ItemType: model.ItemCall, CallID: "wacid.1", From: asha,
		PhoneNumberID: number, CustomerID: asha,
		FromPK: keys.CallsOf(number, asha), ReceivedAt: model.At(minutesAgo(4)), Version: 1,
	})
	w.receives(number, waba, wt.Contact("918888888888", "Ravi"),
		wt.Text("918888888888", "wamid.RAVI1", "hi", minutesAgo(3)),
		wt.Message(asha, "wamid.ASHA2", "image", minutesAgo(2),
			wt.Object{"image": wt.Object{"id": "media-2", "mime_type": "image/jpeg"}}))
	sent(w, takes("wamid.OUT1"), refuses, nil)
	return ""
}

// calls returns, by operation that changes something, the ways to call it.
func calls() map[string][]call {
	unread := func(*world) string { return "" }
	asked := func(w *world) string { w.asksToPay("R9", shop, number); return "" }
	paid := func(w *world) string { w.isPaid("R9", shop, number); return "" }
	payable := func(w *world) string { w.isTenant(shop, "Shop", number); w.paysBy("upi-main", shop, waba); return "" }
	gateway := func(name model.Name, secret string) func(w *world) string {
		return func(w *world) string {
			w.isTenant(shop, "Shop", number)
			w.paysBy(name, shop, waba)
			c, err := w.rooms.Gateways.Get(w.t.Context(), shop, name)
			if err == nil {
				err = w.rooms.Gateways.PutWebhookSecret(w.t.Context(), c, secret)
			}
			if err != nil {
				w.t.Fatal(err)
			}
			return ""
		}
	}
	const webhookSecret = "/v1/tenants/" + shop + "/payment-configurations/razorpay-pg/webhook-secret"
	const configuration = "/v1/tenants/" + shop + "/payment-configurations/upi-main"
	verified := func(w *world) string { w.verifies(waba); return "" }
	tenant := func(w *world) string { w.isTenant(shop, "Shop", number); return "" }
	template := func(w *world) string {
		w.db.Seed(w.t, tables.Messages, model.Template{
			PK: keys.TemplateMeta(waba, "ready", "en").Partition, ItemType: model.ItemTemplateMeta, WABAMetaID: waba,
			TemplateName: "ready", Language: "en", Status: "APPROVED", TemplateID: "572279198452421", Version: 1,
			Category: "UTILITY"})
		return ""
	}
	marked := func(mark string) func(w *world) string {
		return func(w *world) string {
			w.post(operator(shop), toAsha+"/"+mark, nil).Want(w.t, http.StatusNoContent)
			return ""
		}
	}
	deadReceipt := func(w *world) string {
		w.post(operator(shop), toAsha+"/read", nil).Want(w.t, http.StatusNoContent)
		id := slices.Collect(maps.Keys(w.sendings()))[0]
		w.relays(id, refuses)
		return id
	}
	coded := func(w *world) string { w.hasCode(number, "code-1", "Table 1"); return "" }
	noted := func(w *world) string { w.hasNotes(number, asha); return unread(w) }
	drafted := func(w *world) string { w.hasDraft(number, asha); return unread(w) }
	named := func(w *world) string { w.isNamed(number, asha); return unread(w) }
	subscribing := func(w *world) string { w.hasSubscriptions(shop); return unread(w) }
	replying := func(w *world) string { w.hasQuickReplies(shop); return unread(w) }
	filtering := func(w *world) string {
		w.hasFilters(shop, model.Name(operator(shop).Subject))
		return unread(w)
	}
	pushed := func(w *world) string {
		for _, subject := range []string{operator(shop).Subject, "asks"} {
			w.hasPushDevices(shop, model.Name(subject))
		}
		return unread(w)
	}
	const devices = "/v1/tenants/" + shop + "/push-devices"
	const erp, eventSecret = "/v1/tenants/" + shop + "/event-subscriptions/erp",
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	const hours = "/v1/tenants/" + shop + "/quick-replies/hours"
	lives := func(w *world) string {
		for _, id := range []string{"a", "b"} {
			w.db.Seed(w.t, tables.Messages, model.Address{
				PK: keys.Address(asha, model.Name(id)).Partition, ItemType: model.ItemAddress, CustomerPhone: asha,
				AddressID: id, Address: "MG Road", CreatedAt: model.At(noon), PhoneNumberID: number,
				IsDefault: id == "b", Version: 1})
		}
		return unread(w)
	}
	photo := func(w *world) string {
		w.hasFile("photo-1", number, "photo")
		w.db.Seed(w.t, tables.Messages, model.Media{
			PK: keys.Media("photo-1").Partition, ItemType: model.ItemMedia, MediaID: "photo-1", PhoneNumberID: number,
			ContentType: "image/png", ContentLength: 7, UploadedBy: "user-1", S3Key: "files/shop/photo-1"})
		return ""
	}
	const settings, codes, block = "/v1/numbers/" + number + "/settings", "/v1/numbers/" + number + "/qr-codes",
		"/v1/numbers/" + number + "/blocked/" + asha
	all := map[string][]call{
		"sync-number-settings": {{name: "all of them", prepare: unread, path: settings + "/sync", body: `{}`},
			{name: "the lists", prepare: unread, path: settings + "/sync", body: `{"kinds":["qr_codes","blocked"]}`}},
		"put-number-profile": {{name: "a first one, with a photo", prepare: photo, path: settings + "/profile",
			body: `{"about":"Open","photo":"photo-1"}`}},
		"put-number-components": {{name: "first ones", prepare: unread, path: settings + "/components",
			body: `{"enableWelcomeMessage":false,"commands":[{"commandName":"a","commandDescription":"b"}]}`}},
		"put-number-calling": {{name: "with hours", prepare: unread, path: settings + "/calling",
			body: `{"status":"ENABLED","sip":{"status":"ENABLED","servers":[{"hostname":"sip.shop.example","port":5061,` +
				`"requestUriUserParams":{"tgrp":"a"}}]},"callHours":{"status":"ENABLED","timezoneId":"Asia/Kolkata",` +
				`"weeklyOperatingHours":[{"dayOfWeek":"MONDAY","openTime":"0900","closeTime":"2100"}]}}`}},
		"put-number-commerce": {{name: "first ones", prepare: unread, path: settings + "/commerce",
			body: `{"isCatalogVisible":true,"isCartEnabled":false}`}},
		"put-number-encryption": {{name: "a first one", prepare: unread, path: settings + "/encryption", body: putKey}},
		"register-number": {{name: "with a PIN", prepare: unread, path: "/v1/numbers/" + number + "/register",
			body: `{"pin":"123456"}`}},
		"deregister-number": {{name: "one", prepare: unread, path: "/v1/numbers/" + number + "/deregister"}},
		"set-number-pin": {{name: "another", prepare: unread, path: "/v1/numbers/" + number + "/pin",
			body: `{"pin":"654321"}`}},
		"request-number-code": {{name: "by a call", prepare: unread, path: "/v1/numbers/" + number + "/request-code",
			body: `{"codeMethod":"voice","language":"hi"}`}},
		"verify-number-code": {{name: "a code", prepare: unread, path: "/v1/numbers/" + number + "/verify-code",
			body: `{"code":"123456"}`}},
		"request-number-name": {{name: "a name", prepare: unread, path: "/v1/numbers/" + number + "/name",
			body: `{"newDisplayName":"Haat"}`}},
		"create-qr-code": {{name: "one", prepare: unread, path: codes, key: "k1", body: `{"prefilledMessage":"Hi"}`}},
		"change-qr-code": {{name: "another message", prepare: coded, path: codes + "/code-1",
			body: `{"prefilledMessage":"Hi"}`}},
		"delete-qr-code": {{name: "one that Meta has", prepare: coded, path: codes + "/code-1"}},
		"block-person":   {{name: "who has written", prepare: unread, path: block}},
		"unblock-person": {{name: "who is blocked", prepare: func(w *world) string {
			w.hasBlocked(number, asha)
			return ""
		}, path: block}},
		"put-address": {
			{name: "a new one", prepare: unread, path: toAsha + "/addresses/home", body: `{"address":"12, MG Road"}`},
			{name: "another text", prepare: lives, path: toAsha + "/addresses/a", body: `{"address":"14, MG Road"}`}},
		"put-note": {
			{name: "one that names a colleague", prepare: unread, path: toAsha + "/notes/n1",
				body: `{"text":"@me","mentions":["me"]}`},
			{name: "one that names nobody any more", prepare: named, path: toAsha + "/notes/n1", body: `{"text":"x"}`},
			{name: "a new one", prepare: unread, path: toAsha + "/notes/n1", body: `{"text":"Call after six."}`},
			{name: "another text", prepare: noted, path: toAsha + "/notes/n1", body: `{"text":"Call after seven."}`}},
		"delete-note": {{name: "one", prepare: noted, path: toAsha + "/notes/n1"},
			{name: "one that names a colleague", prepare: named, path: toAsha + "/notes/n1"}},
		"put-draft": {
			{name: "a new one", prepare: unread, path: toAsha + "/draft", body: `{"text":"Your rice","version":0}`},
			{name: "a colleague's", prepare: drafted, path: toAsha + "/draft", body: `{"text":"Your tea","version":7}`}},
		"delete-draft": {{name: "one", prepare: drafted, path: toAsha + "/draft"}},
		"see-mentions": {{name: "those of the caller", prepare: named, path: toAsha + "/mentions-seen"}},
		"put-event-subscription": {
			{name: "the first one", prepare: unread, path: erp, body: `{"url":"https://erp.example.com/",` +
				`"kinds":["message.received"],"secret":"` + eventSecret + `"}`},
			{name: "another address", prepare: subscribing, path: erp, body: `{"url":"https://other.example.com/",` +
				`"kinds":["message.received","message.failed"]}`},
			{name: "enabled again", prepare: subscribing, path: "/v1/tenants/" + shop + "/event-subscriptions/off",
				body: `{"url":"https://off.example.com/","kinds":["message.received"]}`}},
		"delete-event-subscription": {{name: "one of several", prepare: subscribing, path: erp}},
		"rotate-event-subscription-secret": {{name: "by a given one", prepare: subscribing,
			path: erp + "/rotate-secret", body: `{"secret":"` + eventSecret + `"}`}},
		"test-event-subscription": {{name: "one", prepare: subscribing, path: erp + "/test", key: "k1"}},
		"replay-event-deliveries": {{name: "all of them", prepare: func(w *world) string {
			id := subscribing(w)
			w.toldInVain(shop, "erp", "evt_1", "evt_2")
			return id
		}, path: erp + "/replays", key: "k1", body: `{}`}},
		"put-quick-reply": {
			{name: "a new one", prepare: unread, path: hours, body: `{"text":"From 9 to 9."}`},
			{name: "another text", prepare: replying, path: hours, body: `{"text":"From 9 to 10."}`}},
		"delete-quick-reply": {{name: "one", prepare: replying, path: hours}},
		"put-filter": {
			{name: "the first one", prepare: unread, path: "/v1/tenants/" + shop + "/filters/vip", body: `{"label":"vip"}`},
			{name: "another one", prepare: filtering, path: "/v1/tenants/" + shop + "/filters/late",
				body: `{"waitingForReply":true}`}},
		"delete-filter": {{name: "one", prepare: filtering, path: "/v1/tenants/" + shop + "/filters/vip"}},
		"make-push-key": {{name: "the first time", prepare: unread, path: "/v1/tenants/" + shop + "/push-key"}},
		"put-push-device": {
			{name: "another one", prepare: pushed, path: devices + "/tablet", body: pushBody},
			{name: "other wants", prepare: pushed, path: devices + "/phone", body: pushBody}},
		"delete-push-device":   {{name: "one", prepare: pushed, path: devices + "/phone"}},
		"make-default-address": {{name: "in place of another", prepare: lives, path: toAsha + "/addresses/a/default"}},
		"delete-address":       {{name: "the default", prepare: lives, path: toAsha + "/addresses/b"}},
		"mark-conversation-read": {
			{name: "unread", prepare: unread, path: toAsha + "/read"},
			{name: "read already", prepare: marked("read"), path: toAsha + "/read"},
		},
		"mark-conversation-unread": {
			{name: "unread already", prepare: unread, path: toAsha + "/unread"},
			{name: "read", prepare: marked("read"), path: toAsha + "/unread"},
		},
		setPresence: {{name: "typing", prepare: unread, path: toAsha + "/presence", body: `{"state":"typing"}`}},
		"erase-customer": {
			{name: "with all that a customer can leave, by another name", prepare: traces,
				path: "/v1/conversations/" + number + ":IN.77/erase", body: `{"reason":"asked for it"}`},
			{name: "erased already", prepare: func(w *world) string {
				w.post(operator(shop), toAsha+"/erase", wt.Object{"reason": "asked for it"}).Want(w.t, http.StatusOK)
				return ""
			}, path: toAsha + "/erase", body: `{"reason":"again"}`},
		},
		"erase-person": {
			{name: "with all that a customer can leave", prepare: traces, path: "/v1/erasures",
				body: `{"address":"+` + asha + `","reason":"asked for it"}`},
			{name: "who has never written", prepare: unread, path: "/v1/erasures",
				body: `{"address":"+919811111177","reason":"asked for it"}`},
		},
		"export-person": {
			{name: "with all that a customer can leave", prepare: traces, path: "/v1/exports",
				body: `{"address":"+` + asha + `","reason":"asked for it"}`},
		},
		"fetch-media": {
			{name: "a file that is not here",
				prepare: func(w *world) string { w.hasFile("photo", number, ""); return "" },
				path:    "/v1/media/photo/fetch"}},
		"begin-upload": {
			{name: "a picture", prepare: unread, path: "/v1/numbers/" + number + "/media",
				body: `{"contentType":"image/png","size":7}`}},
		"upload-media": {
			{name: "a file under its link",
				prepare: func(w *world) string { w.puts("menu", "image/png", png); return "" },
				path:    "/v1/numbers/" + number + "/media/menu", body: `{"filename":"menu.png"}`},
			{name: "a file of a message",
				prepare: func(w *world) string { w.hasFile("photo", number, "a.png"); return "" },
				path:    "/v1/numbers/" + number + "/media/photo", body: `{}`},
		},
		"resume-number": {
			{name: "a stopped one",
				prepare: func(w *world) string { w.stops(); return "" }, path: "/v1/numbers/" + number + "/resume"}},
		"sync-templates": {
			{name: "never listed", prepare: unread, path: "/v1/template-syncs", body: `{"wabaId":"` + waba + `"}`}},
		"create-template": {
			{name: "a new one", prepare: unread, path: "/v1/templates", body: `{"wabaId":"` + waba +
				`","name":"ready","language":"en","category":"UTILITY","components":` + contents + `}`},
		},
		"search-template-library": {{name: "never asked", prepare: unread, path: "/v1/library-template-searches",
			body: `{"wabaId":"` + waba + `","text":"delivery"}`}},
		"create-template-from-library": {
			{name: "a new one", prepare: unread, path: "/v1/library-templates", body: `{"wabaId":"` + waba +
				`","library":"delivery_update_1","name":"ready","language":"en_US","category":"UTILITY",` + fillsIn},
		},
		"edit-template": {{name: "an approved one", prepare: template, path: "/v1/templates/" + waba + ":ready:en",
			body: `{"components":` + contents + `}`}},
		"delete-template": {{name: "an approved one", prepare: template,
			path: "/v1/templates/" + waba + ":ready:en"}},
		"delete-templates": {{name: "in one language", prepare: template, path: "/v1/template-deletions",
			body: `{"wabaId":"` + waba + `","name":"ready"}`}},
		"put-number-provider": {{name: "at AWS", prepare: unread, path: "/v1/numbers/" + number + "/provider",
			platform: true, body: `{"awsPhoneNumberId":"phone-number-id-976c72a7"}`}},
		"put-unanswered-sends": {{name: "for a person", prepare: unread, body: `{"policy":"park"}`,
			path: "/v1/numbers/" + number + "/unanswered-sends"}},
		"put-assignment": {{name: "in turn", prepare: unread, body: `{"rule":"round_robin","colleagues":["me"]}`,
			path: "/v1/numbers/" + number + "/assignment"}},
		"create-tenant": {{name: "a new one", prepare: unread, path: "/v1/tenants", platform: true,
			body: `{"tenantId":"sharma","displayName":"Sharma Kirana"}`}},
		"put-webhook-configuration": {{name: "a new one", prepare: unread, platform: true,
			path: "/v1/webhook-configurations/" + waba, body: `{"appSecret":"env:WEBHOOK_SECRET","enabled":true}`}},
		"rotate-webhook-secrets": {{name: "the app's", prepare: verified, platform: true,
			path: "/v1/webhook-configurations/" + waba + "/rotate", body: `{"appSecret":"env:WEBHOOK_SECRET_2"}`}},
		"delete-webhook-configuration": {{name: "one that is there", prepare: verified, platform: true,
			path: "/v1/webhook-configurations/" + waba}},
		"subscribe-webhooks": {{name: "never asked", prepare: verified, platform: true,
			path: "/v1/webhook-configurations/" + waba + "/subscribe"}},
		"unsubscribe-webhooks": {{name: "never asked", prepare: verified, platform: true,
			path: "/v1/webhook-configurations/" + waba + "/unsubscribe"}},
		"test-webhooks": {{name: "never asked", prepare: verified, platform: true,
			path: "/v1/webhook-configurations/" + waba + "/test"}},
		"cancel-payment-order": {{name: "one that waits", prepare: asked,
			path: "/v1/numbers/" + number + "/payment-orders/R9/cancel"}},
		"look-up-payment-order": {{name: "one that waits", prepare: asked,
			path: "/v1/numbers/" + number + "/payment-orders/R9/look-up"}},
		"count-response-times": {{name: "two days", prepare: unread, path: "/v1/response-time-counts",
			body: `{"phoneNumberId":"` + number + `","from":"2026-11-20","to":"2026-11-21"}`}},
		"count-analytics": {{name: "two days", prepare: unread, path: "/v1/analytics-counts",
			body: `{"wabaId":"` + waba + `","from":"2026-11-20","to":"2026-11-21"}`}},
		"read-analytics": {{name: "two days", prepare: unread, path: "/v1/analytics-reads",
			body: `{"wabaId":"` + waba + `","from":"2026-11-20","to":"2026-11-21"}`}},
		"put-payment-configuration": {
			{name: "a new one", prepare: tenant, path: configuration,
				body: `{"type":"upi","wabaId":"` + waba + `","upiId":"shop@bank","mcc":"5411","purposeCode":"00"}`},
			{name: "another provider", prepare: payable, path: configuration,
				body: `{"type":"upi","wabaId":"` + waba + `","upiId":"shop@other","mcc":"5411","purposeCode":"00"}`}},
		"put-payment-webhook-secret": {
			{name: "the first one", prepare: gateway("razorpay-pg", ""), platform: true,
				path: webhookSecret, body: `{"secret":"env:WEBHOOK_RAZORPAY"}`},
			{name: "another one", prepare: gateway("razorpay-pg", "env:WEBHOOK_BEFORE"), platform: true,
				path: webhookSecret, body: `{"secret":"env:WEBHOOK_RAZORPAY"}`},
			{name: "none any more", prepare: gateway("razorpay-pg", "env:WEBHOOK_BEFORE"), platform: true,
				path: webhookSecret, body: `{"secret":""}`}},
		"validate-payment-configuration": {{name: "one that is there", prepare: payable,
			path: configuration + "/validate"}},
		"make-default-payment-configuration": {{name: "one that is there", prepare: payable,
			path: configuration + "/make-default"}},
		"delete-payment-configuration": {{name: "one that is there", prepare: payable, path: configuration}},
		"create-refund": {{name: "of a paid order", prepare: paid, key: "k1",
			path: "/v1/numbers/" + number + "/payment-orders/R9/refunds", body: `{"amount":"1.50","reason":"damaged"}`}},
		"put-media-types": {{name: "fewer", prepare: unread, path: "/v1/media-types", platform: true,
			body: `{"items":[{"contentType":"image/png","maxBytes":1000}]}`}},
		"put-infrastructure": {{name: "both", prepare: unread, path: "/v1/infrastructure", platform: true,
			body: `{"vpcEndpoint":"vpce-1","serviceLinkedRole":"arn:aws:iam::1:role/r"}`}},
		"change-tenant": {{name: "with and without", prepare: tenant, path: "/v1/tenants/" + shop,
			body: `{"displayName":"","mcc":"5411"}`}},
		"disable-tenant": {{name: "an active one", prepare: tenant, path: "/v1/tenants/" + shop + "/disable",
			body: `{"reason":"has not paid"}`, platform: true}},
		"enable-tenant": {{name: "a disabled one", prepare: func(w *world) string {
			tenant(w)
			if _, err := w.rooms.Tenants.Disable(w.t.Context(), shop, "somebody"); err != nil {
				w.t.Fatal(err)
			}
			return ""
		}, path: "/v1/tenants/" + shop + "/enable", platform: true}},
		"delete-tenant": {{name: "an empty one", prepare: func(w *world) string {
			w.isTenant(emptyTenant, "Empty")
			return ""
		}, path: "/v1/tenants/" + emptyTenant, platform: true}},
		"put-sms-registration": {{name: "of a tenant", prepare: unread, path: "/v1/tenants/" + shop + "/sms",
			body: `{"sender":"HAATLN","entityId":"1201159041234567890"}`}},
		"put-person": {
			{name: "a new one", prepare: func(w *world) string { w.person("meena"); return "" },
				path: "/v1/tenants/" + shop + "/people/meena", body: `{"roles":["operator"]}`},
			{name: "with other roles", prepare: func(w *world) string { w.works("meena", shop); return "" },
				path: "/v1/tenants/" + shop + "/people/meena", body: `{"roles":["supervisor"]}`},
		},
		"end-person": {{name: "the only tenant",
			prepare: func(w *world) string { w.works("meena", shop); return "" },
			path:    "/v1/tenants/" + shop + "/people/meena/end"}},
		"choose-tenant": {{name: "one's own", prepare: func(w *world) string {
			for _, subject := range []string{operator(shop).Subject, "asks"} {
				w.works(model.Name(subject), shop)
			}
			return ""
		}, path: "/v1/me/tenants/" + shop + "/choose"}},
		"lift-suppression": {{name: "of an address that did not work", prepare: func(w *world) string {
			w.bounced(shop)
			return ""
		}, path: "/v1/tenants/" + shop + "/suppressions/" + gone + "/lift"}},
		"record-export":        {{name: "of a tenant", prepare: unread, path: "/v1/tenants/" + shop + "/exports"}},
		"archive-conversation": {{name: "in the inbox", prepare: unread, path: toAsha + "/archive"}},
		"change-conversation-work": {{name: "all of it", prepare: unread, path: toAsha + "/work",
			body: `{"assignee":"me","state":"waiting","priority":"urgent","labels":["vip","rice"]}`}},
		"acknowledge-identity": {{name: "changed", prepare: func(w *world) string {
			w.receives(number, waba, wt.Contact(asha, "Asha"), newIdentity("wamid.NEWKEY", "hash-2"))
			return ""
		}, path: toAsha + "/acknowledge-identity"}},
		"unarchive-conversation": {{name: "in the archive", prepare: marked("archive"), path: toAsha + "/unarchive"}},
		"send-text": {
			{name: "first", prepare: unread, path: sendPath, key: "k1", body: `{"body":"hello"}`},
			{name: "as an answer, in line behind another", prepare: func(w *world) string { sent(w, nil); return "" },
				path: sendPath, key: "k1", body: `{"body":"hello","replyTo":"wamid.ASHA1"}`},
			{name: "into a conversation that was merged", prepare: func(w *world) string { merged(w); return "" },
				path: "/v1/conversations/" + number + ":IN.77/messages/text", key: "k1", body: `{"body":"hello"}`},
		},
		"send-template": {
			{name: "into a conversation", prepare: unread, path: templating, key: "k1",
				body: `{"name":"offer","language":"en","body":[{"text":"Asha"}]}`},
			{name: "to a customer never seen", prepare: unread,
				path: "/v1/conversations/" + number + ":917777777777/messages/template",
				key:  "k1", body: `{"name":"offer","language":"en"}`},
		},
		"replay-outbox-event": {
			{name: "a message",
				prepare: func(w *world) string { return sent(w, refuses)[0].OutboxEventID },
				path:    "/v1/outbox/{eventId}/replay", key: "k1"},
			{name: "a read receipt", prepare: deadReceipt, path: "/v1/outbox/{eventId}/replay", key: "k1"},
		},
		"dismiss-outbox-event": {
			{name: "a dead letter",
				prepare: func(w *world) string { return sent(w, refuses)[0].OutboxEventID },
				path:    "/v1/outbox/{eventId}/dismiss", body: `{"reason":"the customer called"}`},
		},
		"replay-outbox-events": {
			{name: "a page of them",
				prepare: func(w *world) string { laterDead(w, refuses, refuses, nil); return "" },
				path:    "/v1/outbox-replays", key: "k1", body: `{"code":"131026"}`},
		},
		"continue-outbox-replay": {
			{name: "one that was left off", prepare: func(w *world) string {
				laterDead(w, refuses)
				return leftOff(w)
			}, path: "/v1/outbox-replays/{eventId}/continue"},
		},
		"replay-webhook-event": {
			{name: "a processed one", path: "/v1/webhook-events/{eventId}/replay", prepare: func(w *world) string {
				event := w.logs(waba, "messages",
					wt.Object{"metadata": metadata(number), "messages": wt.List{wt.Text(asha, "wamid.1", "hi", noon)}})
				if err := w.rooms.MarkProcessed(w.t.Context(), event.EventID); err != nil {
					w.t.Fatal(err)
				}
				return string(event.EventID)
			}},
		},
		"purge-webhook-events": {{name: "old ones", prepare: oldEntries, path: purgesPath, key: "k1", body: purgeAll}},
		"continue-webhook-event-purge": {{name: "one that was left off", prepare: leftPurge,
			path: purgesPath + "/{eventId}/continue"}},
		"show-typing": {
			{name: "to somebody who waits", prepare: unread, path: toAsha + "/messages/typing", key: "k1"},
			{name: "with nothing unread", prepare: marked("read"), path: toAsha + "/messages/typing", key: "k1"},
		},
	}
	campaignCalls(all)
	maps.Copy(all, catalogueCalls())
	maps.Copy(all, groupCalls())
	maps.Copy(all, callCalls())
	maps.Copy(all, flowCalls())
	for operation, sample := range samples() {
		if all[operation] == nil {
			all[operation] = []call{sends(sample)}
		}
	}
	return all
}

// sends returns the call that sends a sample.
func sends(sample contenttest.Sample) call {
	c := call{name: "into a conversation", path: toAsha + "/messages/" + sample.Kind, key: "k1", body: sample.Body,
		prepare: func(*world) string { return "" }}
	if pins(sample) {
		c.path = "/v1/conversations/" + number + ":" + groupOf("1") + "/messages/" + sample.Kind
		c.prepare = func(w *world) string {
			w.receives(number, waba, wt.Contact(asha, "Asha"),
				wt.Message(asha, "wamid.GROUPED", "text", minutesAgo(1),
					wt.Object{"group_id": groupOf("1"), "text": wt.Object{"body": "hi all"}}))
			return ""
		}
		c.body = strings.ReplaceAll(sample.Body, contenttest.Target, "wamid.GROUPED")
	}
	return c
}
