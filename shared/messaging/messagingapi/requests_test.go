package messagingapi

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/whatsapp/content/contenttest"
)

// contents are the components of a template.
const contents = `[{"type":"BODY","text":"Your bill is ready."}]`

// reaching are, by operation, the requests that name somebody's things. An operation that is not here has not been
// thought about.
func reaching() map[string]func(b belongings) []request {
	conversation := func(path, body string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: "/v1/conversations/" + b.conversation + path, Body: body}}
		}
	}
	paths := func(of func(b belongings) []string) func(b belongings) []request {
		return func(b belongings) []request {
			var requests []request
			for _, path := range of(b) {
				requests = append(requests, request{Path: path})
			}
			return requests
		}
	}
	ofTenant := func(path string) func(b belongings) []request {
		return paths(func(b belongings) []string { return []string{"/v1/tenants/" + b.tenant + path} })
	}
	ofAccount := func(path string) func(b belongings) []request {
		return paths(func(b belongings) []string { return []string{"/v1/webhook-configurations/" + b.waba + path} })
	}
	ofNumber := func(path, body string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + path, Body: body}}
		}
	}
	once := func(last, path, body string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.spare + last + path, Body: body}}
		}
	}
	ofPerson := paths(func(b belongings) []string {
		return []string{"/v1/numbers/" + b.phone + "/blocked/" + b.customer}
	})
	all := map[string]func(b belongings) []request{
		"get-number-settings": ofNumber("/settings", ""), "sync-number-settings": ofNumber("/settings/sync", `{"kinds":["profile","state"]}`),
		"put-number-profile": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/settings/profile",
				Body: `{"about":"Open from 9 to 21","websites":["https://haat.example"],"vertical":"GROCERY"}`}}
		},
		"put-number-components": ofNumber("/settings/components",
			`{"enableWelcomeMessage":true,"prompts":["I would like to order"]}`),
		"put-number-calling":    ofNumber("/settings/calling", `{"status":"DISABLED"}`),
		"put-number-commerce":   ofNumber("/settings/commerce", `{"isCatalogVisible":true,"isCartEnabled":true}`),
		"put-number-encryption": ofNumber("/settings/encryption", putKey),
		"register-number":       once("1", "/register", `{"pin":"123456"}`),
		"deregister-number":     once("2", "/deregister", ""),
		"set-number-pin":        once("3", "/pin", `{"pin":"123456"}`),
		"request-number-code":   once("4", "/request-code", `{"codeMethod":"sms","language":"en_US"}`),
		"verify-number-code":    once("5", "/verify-code", `{"code":"123-456"}`),
		"request-number-name":   once("6", "/name", `{"newDisplayName":"Haat"}`),
		"list-qr-codes":         ofNumber("/qr-codes", ""), "list-blocked-people": ofNumber("/blocked", ""),
		"get-blocked-person": ofPerson, "block-person": ofPerson, "unblock-person": ofPerson,
		"get-qr-code": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/qr-codes/" + b.code}
		}),
		"create-qr-code": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/qr-codes",
				Headers: map[string]string{"idempotency-key": "k1"}, Body: `{"prefilledMessage":"Table 1"}`}}
		},
		"change-qr-code": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/qr-codes/" + b.code,
				Body: `{"prefilledMessage":"Table 2"}`}}
		},
		"delete-qr-code": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/qr-codes/" + b.code + "-second"}
		}),
		"list-conversations": func(b belongings) []request {
			return []request{
				{Path: "/v1/conversations", Query: url.Values{"phoneNumberId": {b.phone}}},
				{Path: "/v1/conversations", Query: url.Values{"phoneNumberId": {b.phone}, "unread": {"true"}}},
				{Path: "/v1/conversations", Query: url.Values{"assignee": {"none"}, "state": {"open"}}},
				{Path: "/v1/conversations", Query: url.Values{"phoneNumberId": {b.phone}, "waitingForReply": {"true"}}},
				{Path: "/v1/conversations"},
			}
		},
		"get-changes": func(b belongings) []request {
			since := url.Values{"after": {"2026-11-21T11:00:00Z"}}
			return []request{
				{Path: "/v1/changes", Query: url.Values{"phoneNumberId": {b.phone}}},
				{Path: "/v1/changes", Query: since}}
		},
		"search": func(b belongings) []request {
			asks := func(q, kind string) request {
				return request{Path: "/v1/search",
					Query: url.Values{"q": {q}, "kind": {kind}, "phoneNumberId": {b.phone}}}
			}
			return []request{
				asks("asha", "conversation"), asks(b.customer, "conversation"), asks("2 kg", "message"),
				asks("a", "note"), {Path: "/v1/search", Query: url.Values{"q": {"91"}}}}
		},
		"count-conversations": func(b belongings) []request {
			return []request{
				{Path: "/v1/conversation-counts", Query: url.Values{"phoneNumberId": {b.phone}}},
				{Path: "/v1/conversation-counts"}}
		},
		"get-me":                   func(belongings) []request { return []request{{Path: "/v1/me"}} },
		"get-conversation":         conversation("", ""),
		"get-conversation-person":  conversation("/person", ""),
		"mark-conversation-read":   conversation("/read", ""),
		setPresence:                conversation("/presence", `{"state":"typing"}`),
		"mark-conversation-unread": conversation("/unread", ""),
		"archive-conversation":     conversation("/archive", ""),
		"change-conversation-work": conversation("/work",
			`{"assignee":"me","state":"resolved","priority":"high","labels":["vip"]}`),
		"unarchive-conversation": conversation("/unarchive", ""),
		"acknowledge-identity":   conversation("/acknowledge-identity", ""),
		"erase-customer":         conversation("/erase", `{"reason":"asked for it"}`),
		"erase-person": func(b belongings) []request {
			return []request{{Path: "/v1/erasures", Body: personOf(b, asha)}}
		},
		"export-person": func(b belongings) []request {
			return []request{{Path: "/v1/exports", Body: personOf(b, b.customer)}}
		},
		"list-erasures":        conversation("/audit", ""),
		"record-export":        ofTenant("/exports"),
		"get-sms-registration": ofTenant("/sms"),
		"list-arrivals": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/arrivals", Query: url.Values{"outcome": {"held"}}}}
		},
		"get-suppression":  ofTenant("/suppressions/" + gone),
		"lift-suppression": ofTenant("/suppressions/" + gone + "/lift"),
		"list-all-payment-orders": func(belongings) []request {
			return []request{{Path: "/v1/payment-orders", Query: url.Values{"paymentStatus": {"captured"}}}}
		},
		"list-all-messages": func(belongings) []request {
			return []request{{Path: "/v1/messages", Query: url.Values{"direction": {"inbound"}}}}
		},
		"get-response-times": func(b belongings) []request {
			return []request{{Path: "/v1/response-times",
				Query: url.Values{"phoneNumberId": {b.phone}, "from": {"2026-11-20"}, "to": {"2026-11-21"}}}}
		},
		"count-response-times": func(b belongings) []request {
			return []request{{Path: "/v1/response-time-counts",
				Body: `{"phoneNumberId":"` + b.phone + `","from":"2026-11-20","to":"2026-11-21"}`}}
		},
		"export-analytics": func(b belongings) []request {
			return []request{{Path: "/v1/analytics/export",
				Query: url.Values{"wabaId": {b.waba}, "from": {"2026-11-20"}, "to": {"2026-11-21"}}}}
		},
		"list-webhook-configurations": func(belongings) []request {
			return []request{{Path: "/v1/webhook-configurations"}}
		},
		"get-webhook-configuration": ofAccount(""), "delete-webhook-configuration": ofAccount(""),
		"subscribe-webhooks": ofAccount("/subscribe"), "unsubscribe-webhooks": ofAccount("/unsubscribe"),
		"test-webhooks": ofAccount("/test"),
		"put-webhook-configuration": func(b belongings) []request {
			return []request{{Path: "/v1/webhook-configurations/" + b.waba,
				Body: `{"appSecret":"secretsmanager:haatline/dev/webhooks/a#APP_SECRET","enabled":true}`}}
		},
		"rotate-webhook-secrets": func(b belongings) []request {
			return []request{{Path: "/v1/webhook-configurations/" + b.waba + "/rotate",
				Body: `{"appSecret":"secretsmanager:haatline/dev/webhooks/b#APP_SECRET"}`}}
		},
		"get-analytics": func(b belongings) []request {
			return []request{{Path: "/v1/analytics",
				Query: url.Values{"wabaId": {b.waba}, "from": {"2026-11-20"}, "to": {"2026-11-21"}}}}
		},
		"count-analytics": func(b belongings) []request {
			return []request{{Path: "/v1/analytics-counts",
				Body: `{"wabaId":"` + b.waba + `","from":"2026-11-20","to":"2026-11-21"}`}}
		},
		"read-analytics": func(b belongings) []request {
			return []request{{Path: "/v1/analytics-reads",
				Body: `{"wabaId":"` + b.waba + `","from":"2026-11-20","to":"2026-11-21"}`}}
		},
		"get-analytics-read": func(b belongings) []request {
			return []request{{Path: "/v1/analytics-reads", Query: url.Values{"wabaId": {b.waba}}}}
		},
		"get-tenant-usage": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/usage", Query: url.Values{"month": {"2026-11"}}}}
		},
		"ping":               func(belongings) []request { return []request{{Path: "/v1/ping"}} },
		"get-media-types":    func(belongings) []request { return []request{{Path: "/v1/media-types"}} },
		"get-infrastructure": func(belongings) []request { return []request{{Path: "/v1/infrastructure"}} },
		"put-media-types": func(belongings) []request {
			return []request{{Path: "/v1/media-types", Body: `{"items":[{"contentType":"image/png","maxBytes":1000}]}`}}
		},
		"put-infrastructure": func(belongings) []request {
			return []request{{Path: "/v1/infrastructure", Body: `{"vpcEndpoint":"vpce-0a1b2c3d4e5f67890"}`}}
		},
		"list-tenants": func(belongings) []request { return []request{{Path: "/v1/tenants"}} },
		"get-tenant":   ofTenant(""), "get-tenant-belongings": ofTenant("/belongings"),
		"enable-tenant": ofTenant("/enable"), "delete-tenant": func(belongings) []request {
			return []request{{Path: "/v1/tenants/" + emptyTenant}}
		},
		"change-tenant": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant, Body: `{"displayName":"Sharma Kirana"}`}}
		},
		"put-number-provider": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/provider",
				Body: `{"awsPhoneNumberId":"phone-number-id-976c72a7"}`}}
		},
		"put-unanswered-sends": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/unanswered-sends", Body: `{"policy":"park"}`}}
		},
		"put-assignment": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/assignment",
				Body: `{"rule":"round_robin","colleagues":["me"]}`}}
		},
		"create-tenant": func(b belongings) []request {
			return []request{{Path: "/v1/tenants", Body: `{"tenantId":"new-` + b.tenant + `"}`}}
		},
		"disable-tenant": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/disable", Body: `{"reason":"has not paid"}`}}
		},
		"list-people":     ofTenant("/people"),
		"list-colleagues": ofTenant("/colleagues"),
		"put-person": func(b belongings) []request {
			return []request{
				{Path: "/v1/tenants/" + b.tenant + "/people/" + colleagueOf(b.tenant), Body: `{"roles":["operator"]}`}}
		},
		"get-person": paths(func(b belongings) []string {
			return []string{"/v1/tenants/" + b.tenant + "/people/" + colleagueOf(b.tenant)}
		}),
		"end-person": ofTenant("/people/nobody-who-works-there/end"),
		"choose-tenant": paths(func(b belongings) []string {
			return []string{"/v1/me/tenants/" + b.tenant + "/choose"}
		}),
		"put-sms-registration": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/sms", Body: `{"sender":"HAATLN"}`}}
		},
		"list-numbers": func(b belongings) []request {
			return []request{{Path: "/v1/numbers", Query: url.Values{"tenantId": {b.tenant}}}, {Path: "/v1/numbers"}}
		},
		"list-calls": conversation("/calls", ""), "list-flow-responses": conversation("/flow-responses", ""),
		"list-addresses": conversation("/addresses", ""),
		"list-notes":     conversation("/notes", ""),
		"get-note": paths(func(b belongings) []string {
			return []string{"/v1/conversations/" + b.conversation + "/notes/n1"}
		}),
		"get-quick-reply": ofTenant("/quick-replies/hours"),
		"put-note": func(b belongings) []request {
			return []request{
				{Path: "/v1/conversations/" + b.conversation + "/notes/n3", Body: `{"text":"Call after six."}`},
				{Path: "/v1/conversations/" + b.conversation + "/notes/n1",
					Body: `{"text":"Call after seven.","mentions":["me"]}`}}
		},
		"get-draft":    conversation("/draft", ""),
		"put-draft":    conversation("/draft", `{"text":"Your rice is","version":0}`),
		"delete-draft": conversation("/draft", ""),
		"see-mentions": conversation("/mentions-seen", ""),
		"delete-note": paths(func(b belongings) []string {
			return []string{"/v1/conversations/" + b.conversation + "/notes/n2"}
		}),
		"get-event-kinds":           ofTenant("/event-kinds"),
		"list-event-subscriptions":  ofTenant("/event-subscriptions"),
		"get-event-subscription":    ofTenant("/event-subscriptions/erp"),
		"list-event-deliveries":     ofTenant("/event-subscriptions/erp/deliveries"),
		"delete-event-subscription": ofTenant("/event-subscriptions/bye"),
		"test-event-subscription":   ofTenant("/event-subscriptions/erp/test"),
		"put-event-subscription": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/event-subscriptions/n8n",
				Body: `{"url":"https://n8n.example.com/hook","kinds":["message.received"]}`}}
		},
		"rotate-event-subscription-secret": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/event-subscriptions/erp/rotate-secret",
				Body: `{"secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`}}
		},
		"replay-event-deliveries": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/event-subscriptions/erp/replays",
				Body: `{"reason":"it works again"}`}}
		},
		"list-quick-replies": ofTenant("/quick-replies"),
		"list-filters":       ofTenant("/filters"),
		"get-filter":         ofTenant("/filters/vip"),
		"put-filter": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/filters/vip", Body: `{"label":"vip"}`}}
		},
		"delete-filter": ofTenant("/filters/mine"),

		"list-push-devices": ofTenant("/push-devices"),
		"get-push-device":   ofTenant("/push-devices/laptop"),
		"make-push-key":     ofTenant("/push-key"),
		"put-push-device": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/push-devices/tablet", Body: pushBody}}
		},
		"delete-push-device": ofTenant("/push-devices/phone"),
		"put-quick-reply": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/quick-replies/thanks", Body: `{"text":"Thank you!"}`}}
		},
		"delete-quick-reply": ofTenant("/quick-replies/bye"),
		"fill-quick-reply": paths(func(b belongings) []string {
			return []string{"/v1/conversations/" + b.conversation + "/quick-replies/hours"}
		}),
		"get-address": paths(func(b belongings) []string {
			return []string{"/v1/conversations/" + b.conversation + "/addresses/" + b.home}
		}),
		"put-address": func(b belongings) []request {
			return []request{
				{Path: "/v1/conversations/" + b.conversation + "/addresses/home",
					Body: `{"name":"Asha","address":"12, MG Road","city":"Pune","postalCode":"411001"}`},
				{Path: "/v1/conversations/" + b.conversation + "/addresses/" + b.home,
					Body: `{"address":"14, MG Road"}`}}
		},
		"make-default-address": paths(func(b belongings) []string {
			return []string{"/v1/conversations/" + b.conversation + "/addresses/" + b.home + "/default"}
		}),
		"delete-address": paths(func(b belongings) []string {
			return []string{"/v1/conversations/" + b.conversation + "/addresses/" + b.office}
		}),
		"list-payment-orders": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/payment-orders"}
		}),
		"cancel-payment-order": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/payment-orders/" + b.asked + "/cancel"}
		}),
		"look-up-payment-order": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/payment-orders/" + b.asked + "/look-up"}
		}),
		"get-payment-order": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/payment-orders/" + b.reference}
		}),
		"list-payment-configurations":        ofTenant("/payment-configurations"),
		"get-payment-configuration":          ofTenant("/payment-configurations/upi-main"),
		"validate-payment-configuration":     ofTenant("/payment-configurations/upi-main/validate"),
		"make-default-payment-configuration": ofTenant("/payment-configurations/upi-main/make-default"),
		"delete-payment-configuration":       ofTenant("/payment-configurations/upi-second"),
		"put-payment-webhook-secret": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/payment-configurations/razorpay-pg/webhook-secret",
				Body: `{"secret":"secretsmanager:haatline/dev/webhooks/razorpay#WEBHOOK_SECRET"}`}}
		},
		"put-payment-configuration": func(b belongings) []request {
			return []request{{Path: "/v1/tenants/" + b.tenant + "/payment-configurations/upi-main",
				Body: `{"type":"upi","wabaId":"` + b.waba + `","upiId":"shop@bank","mcc":"5411","purposeCode":"00"}`}}
		},
		"create-refund": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/payment-orders/" + b.paid + "/refunds",
				Headers: map[string]string{"idempotency-key": "k1"}, Body: `{"amount":"1.50","reason":"damaged"}`}}
		},
		"list-refunds": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/payment-orders/" + b.paid + "/refunds"}
		}),
		"get-refund": paths(func(b belongings) []string {
			return []string{"/v1/numbers/" + b.phone + "/payment-orders/" + b.paid + "/refunds/" + b.refund}
		}),
		"get-arrival": paths(func(b belongings) []string { return []string{"/v1/arrivals/" + b.arrival} }),
		"get-media":   paths(func(b belongings) []string { return []string{"/v1/media/" + b.media} }),
		"fetch-media": paths(func(b belongings) []string { return []string{"/v1/media/" + b.media + "/fetch"} }),
		"begin-upload": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/media", Body: `{"contentType":"image/png","size":7}`}}
		},
		"upload-media": func(b belongings) []request {
			return []request{{Path: "/v1/numbers/" + b.phone + "/media/" + b.media, Body: `{"filename":"menu.png"}`}}
		},
		"list-templates": func(b belongings) []request {
			return []request{{Path: "/v1/templates", Query: url.Values{"wabaId": {b.waba}}}}
		},
		"get-template": paths(func(b belongings) []string { return []string{"/v1/templates/" + b.waba + ":offer:en"} }),
		"sync-templates": func(b belongings) []request {
			return []request{{Path: "/v1/template-syncs", Body: `{"wabaId":"` + b.waba + `"}`}}
		},
		"diff-template": paths(func(b belongings) []string {
			return []string{"/v1/templates/" + b.waba + ":offer:en/diff"}
		}),
		"create-template": func(b belongings) []request {
			return []request{{Path: "/v1/templates", Body: `{"wabaId":"` + b.waba +
				`","name":"ready","language":"en","category":"UTILITY","components":` + contents + `}`}}
		},
		"search-template-library": func(b belongings) []request {
			return []request{{Path: "/v1/library-template-searches", Body: `{"wabaId":"` + b.waba +
				`","topic":"ORDER_MANAGEMENT","language":"en_US"}`}}
		},
		"list-library-templates": func(b belongings) []request {
			return []request{{Path: "/v1/library-templates", Query: url.Values{"wabaId": {b.waba}, "text": {"bill"}}}}
		},
		"get-template-library-search": func(b belongings) []request {
			return []request{{Path: "/v1/library-template-searches", Query: url.Values{
				"wabaId": {b.waba}, "text": {"bill"}}}}
		},
		"create-template-from-library": func(b belongings) []request {
			return []request{{Path: "/v1/library-templates", Body: `{"wabaId":"` + b.waba +
				`","library":"delivery_update_1","name":"on_its_way","language":"en_US","category":"UTILITY",` + fillsIn}}
		},
		"edit-template": func(b belongings) []request {
			return []request{{Path: "/v1/templates/" + b.waba + ":reminder:en", Body: `{"components":` + contents + `}`}}
		},
		"delete-template": paths(func(b belongings) []string {
			return []string{"/v1/templates/" + b.waba + ":old:en"}
		}),
		"delete-templates": func(b belongings) []request {
			return []request{{Path: "/v1/template-deletions", Body: `{"wabaId":"` + b.waba + `","name":"older"}`}}
		},
		"resume-number": paths(func(b belongings) []string { return []string{"/v1/numbers/" + b.phone + "/resume"} }),
		"list-audit-records": func(b belongings) []request {
			var requests []request
			for name, value := range map[string]string{
				"conversationId": b.conversation, "outboxEventId": b.dead, "webhookEventId": b.logged,
				"tenantId": b.tenant, "outboxReplayId": b.replay, "webhookEventPurgeId": b.purge,
			} {
				requests = append(requests, request{Path: "/v1/audit-records", Query: url.Values{name: {value}}})
			}
			return append(requests, request{Path: "/v1/audit-records", Query: url.Values{"actor": {"somebody"}}},
				request{Path: "/v1/audit-records", Query: url.Values{"actor": {"me"}}})
		},
		"list-messages": conversation("/messages", ""),
		"show-typing":   conversation("/messages/typing", ""),
		"get-message": paths(func(b belongings) []string {
			return []string{"/v1/messages/" + b.wamid, "/v1/messages/" + b.queued}
		}),
		"get-outbox-event": paths(func(b belongings) []string {
			return []string{"/v1/outbox/" + b.dead, "/v1/outbox/" + b.waiting}
		}),
		"replay-outbox-event": paths(func(b belongings) []string {
			return []string{"/v1/outbox/" + b.dead + "/replay"}
		}),
		"dismiss-outbox-event": func(b belongings) []request {
			return []request{{Path: "/v1/outbox/" + b.dead + "/dismiss", Body: `{"reason":"nobody needs it"}`}}
		},
		"replay-outbox-events": func(b belongings) []request {
			return []request{{Path: "/v1/outbox-replays", Body: `{"tenantId":"` + b.tenant + `"}`}}
		},
		"continue-outbox-replay": paths(func(b belongings) []string {
			return []string{"/v1/outbox-replays/" + b.replay + "/continue"}
		}),
		"get-outbox-replay": paths(func(b belongings) []string {
			return []string{"/v1/outbox-replays/" + b.replay}
		}),
		"get-idempotency-record": func(b belongings) []request {
			return []request{{Path: records, Query: keyOf(b.tenant)}}
		},
		"get-webhook-event": paths(func(b belongings) []string {
			return []string{"/v1/webhook-events/" + b.logged}
		}),
		"replay-webhook-event": paths(func(b belongings) []string {
			return []string{"/v1/webhook-events/" + b.logged + "/replay"}
		}),
		"purge-webhook-events": func(b belongings) []request {
			return []request{{Path: purgesPath, Body: `{"tenantId":"` + b.tenant + `","wabaId":"` + b.waba +
				`","kind":"flow","reason":"no longer needed"}`}}
		},
		"continue-webhook-event-purge": paths(func(b belongings) []string {
			return []string{purgesPath + "/" + b.purge + "/continue"}
		}),
		"get-webhook-event-purge": paths(func(b belongings) []string { return []string{purgesPath + "/" + b.purge} }),
		"list-outbox-events": func(b belongings) []request {
			return []request{
				{Path: "/v1/outbox", Query: url.Values{"tenantId": {b.tenant}}},
				{Path: "/v1/outbox", Query: url.Values{"tenantId": {b.tenant}, "state": {"failed"}}},
				{Path: "/v1/outbox", Query: url.Values{"tenantId": {b.tenant}, "state": {"pending"}}},
				{Path: "/v1/outbox"},
			}
		},
		"list-webhook-events": func(b belongings) []request {
			return []request{
				{Path: "/v1/webhook-events", Query: url.Values{"wabaId": {b.waba}}},
				{Path: "/v1/webhook-events", Query: url.Values{"wabaId": {b.waba}, "kind": {"status"}}},
				{Path: "/v1/webhook-events", Query: url.Values{"wabaId": {b.waba}, "failed": {"true"}}},
				{Path: "/v1/webhook-events", Query: url.Values{"wabaId": {b.waba}, "retrying": {"true"}}},
				{Path: "/v1/webhook-events", Query: url.Values{"messageId": {b.wamid}}},
				{Path: "/v1/webhook-events", OfOwnTenant: true},
			}
		},
	}
	for operation, sample := range samples() {
		all[operation] = func(b belongings) []request {
			conversation, named := b.conversation, b.wamid
			if pins(sample) {
				conversation, named = b.group, b.grouped
			}
			return []request{
				{Path: "/v1/conversations/" + conversation + "/messages/" + sample.Kind,
					Body: strings.ReplaceAll(sample.Body, contenttest.Target, named)}}
		}
	}
	campaignRequests(all)
	maps.Copy(all, catalogueRequests())
	maps.Copy(all, groupRequests())
	maps.Copy(all, callRequests())
	maps.Copy(all, flowRequests())
	also := func(kind string, body func(b belongings) string) {
		plain := all[sendPrefix+kind]
		all[sendPrefix+kind] = func(b belongings) []request {
			return append(plain(b),
				request{Path: "/v1/conversations/" + b.conversation + "/messages/" + kind, Body: body(b)})
		}
	}
	also("text", func(b belongings) string { return `{"body":"hello","replyTo":"` + b.wamid + `"}` })
	also("image", func(b belongings) string { return `{"mediaId":"` + b.media + `"}` })
	return all
}

// samples returns a sample of each kind of message, by the operation that sends it.
func samples() map[string]contenttest.Sample {
	all := map[string]contenttest.Sample{}
	for _, sample := range slices.Backward(slices.Concat(contenttest.Samples, contenttest.Templates)) {
		all[sendPrefix+sample.Kind] = sample
	}
	return all
}

// pins reports whether a message goes to a group only.
func pins(sample contenttest.Sample) bool { return sample.Kind == "pin" || sample.Kind == "unpin" }

// personOf returns the body of a request for the export or the erasure of a person.
func personOf(b belongings, address string) string {
	return fmt.Sprintf(`{"tenantId":%q,"address":"+%s","reason":"asked for it"}`, b.tenant, address)
}
