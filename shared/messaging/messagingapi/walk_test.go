package messagingapi

import (
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/people"
)

func TestTheAPI(t *testing.T) {
	apitest.Walk(t, apitest.API[belongings]{
		Tables:   apiTables,
		Register: register,
		Furnish: func(t testing.TB, db *dynamotest.DB, digit string) belongings {
			w := worldWith(t, db, db.Client, dynamotest.IDs("queued-"+digit+"-%03d"))
			b := w.furnish(digit)
			w.toldInVain(model.TenantID(b.tenant), "erp", "evt_1"+digit, "evt_2"+digit) // two, for a second page
			return b
		},
		Absent:   nothing(),
		Requests: reaching(),
		Lists: func(b belongings) []request {
			one := url.Values{"limit": {"1"}}
			return []request{
				{Path: "/v1/conversations", Query: one},
				{Path: "/v1/search", Query: url.Values{"limit": {"1"}, "q": {"91"}}},
				{Path: "/v1/conversations/" + b.conversation + "/messages", Query: one},
				{Path: "/v1/outbox", Query: one}, {Path: "/v1/conversations/" + b.conversation + "/calls", Query: one},
				{Path: "/v1/conversations/" + b.conversation + "/flow-responses", Query: one},
				{Path: "/v1/conversations/" + b.conversation + "/addresses", Query: one},
				{Path: "/v1/conversations/" + b.conversation + "/notes", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/quick-replies", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/colleagues", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/filters", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/push-devices", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/event-subscriptions", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/event-subscriptions/erp/deliveries", Query: one},
				{Path: "/v1/groups", Query: url.Values{"limit": {"1"}, "phoneNumberId": {b.phone}}},
				{Path: "/v1/groups/" + b.groupID + "/join-requests", Query: one},
				{Path: "/v1/groups/" + b.groupID + "/group-messages", Query: one},
				{Path: "/v1/templates", Query: url.Values{"limit": {"1"}, "wabaId": {b.waba}}},
				{Path: "/v1/webhook-events", Query: one},
				{Path: "/v1/numbers/" + b.phone + "/payment-orders", Query: one},
				{Path: "/v1/numbers/" + b.phone + "/payment-orders/" + b.paid + "/refunds", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/people", Query: one},
				{Path: "/v1/tenants/" + b.tenant + "/payment-configurations", Query: one},
				{Path: "/v1/webhook-configurations", Query: one},
				{Path: "/v1/messages", Query: url.Values{"limit": {"1"}, "direction": {"inbound"}}},
				{Path: "/v1/payment-orders", Query: url.Values{"limit": {"1"}, "paymentStatus": {"captured"}}},
				{Path: "/v1/numbers/" + b.phone + "/qr-codes", Query: one},
				{Path: "/v1/numbers/" + b.phone + "/blocked", Query: one},
				{Path: "/v1/campaigns", Query: url.Values{"limit": {"1"}, "tenantId": {b.tenant}}},
				{Path: "/v1/campaigns/" + b.campaign + "/recipients", Query: one},
				{Path: "/v1/campaigns/" + b.campaign + "/messages", Query: one},
				{Path: "/v1/catalogues", Query: url.Values{"limit": {"1"}, "wabaId": {b.waba}}},
				{Path: "/v1/catalogues/" + b.catalogue + "/products", Query: one},
				{Path: "/v1/library-templates",
					Query: url.Values{"limit": {"1"}, "wabaId": {b.waba}, "text": {"bill"}}},
				{Path: "/v1/flows", Query: url.Values{"limit": {"1"}, "wabaId": {b.waba}}},
				{Path: "/v1/tenants/" + b.tenant + "/arrivals",
					Query: url.Values{"limit": {"1"}, "outcome": {"held"}}},
				{Path: "/v1/exports", Method: http.MethodPost, Query: one, Body: personOf(b, b.customer)},
			}
		},
		OnePage: []string{"list-tenants", "list-numbers", "list-erasures", "list-audit-records"},
		Last: []string{
			"delete-webhook-configuration",
			"replay-outbox-event", "replay-outbox-events", "replay-webhook-event", "erase-customer",
			"erase-person"},
		PlatformMay: []string{"record-export", "put-person", "end-person"},
		Once: map[string]int{
			"delete-tenant": http.StatusNotFound, "delete-campaign": http.StatusNotFound,
			"remove-campaign-list": http.StatusNotFound, "delete-webhook-configuration": http.StatusNotFound},
		Roles:   roles(),
		Changes: changes(),
	})
}

// register registers the operations once, because their description takes longer than a request, and wires what is
// behind them anew for each client.
func register() func(client *dynamo.Client, newID func() string) *apitest.Server {
	mux := http.NewServeMux()
	o := &service{Registry: &operations.Registry{API: httpapi.New(mux, API), Log: slog.New(slog.DiscardHandler)}}
	o.register()
	return func(client *dynamo.Client, newID func() string) *apitest.Server {
		now := func() time.Time { return noon }
		o.rooms = messaging.New(messaging.Config{
			DB: client, Now: now, NewID: newID, NewToken: func() string { return "token" }})
		o.rooms.NumberSettings.Vault, o.rooms.EventSubscriptions.Vault, o.rooms.Pushes.Vault = vault{}, vault{}, vault{}
		o.rooms.Pushes.NewKeys = samePushKeys
		o.bucket = objectstest.Bucket(now)
		o.outbox = &outbox.Outbox{DB: client, Now: now}
		o.Audit = &audit.Log{DB: client, Now: now, NewID: newID}
		o.People = &people.Directory{DB: client, Now: now}
		return &apitest.Server{API: o.API, Handler: httpapi.NewHandler(apitest.Cursors().On(mux), API)}
	}
}

// roles returns, by group of a role, the operations that it may call.
func roles() map[string][]string {
	reads := []string{
		"get-me", "choose-tenant", "list-tenants", "get-tenant", "ping", "get-media-types", "get-analytics",
		"export-analytics", "get-response-times", "count-response-times", "get-tenant-usage", "count-analytics",
		"read-analytics", "get-analytics-read",
		"get-idempotency-record", "list-conversations",
		"count-conversations", "get-conversation", "get-conversation-person", "list-colleagues",
		"get-changes", "search",
		"list-messages", "get-message",
		"record-export", "list-numbers", "list-templates", "get-template", "diff-template",
		"list-calls", "list-flow-responses",
		"list-addresses", "get-address", "list-notes", "get-note", "get-draft",
		"list-quick-replies", "get-quick-reply", "fill-quick-reply",
		"list-filters", "get-filter", "list-push-devices", "get-push-device",
		"list-payment-orders", "get-payment-order",
		"list-refunds", "get-refund", "get-media",
		"get-arrival", "list-arrivals", "get-number-settings", "list-qr-codes", "get-qr-code",
		"list-blocked-people", "get-blocked-person", "list-campaigns", "get-campaign",
		"list-campaign-recipients", "list-campaign-messages", "estimate-campaign",
		"list-catalogues", "get-catalogue", "list-catalogue-products", "get-catalogue-product",
		"list-flows", "get-flow", "get-flow-json", "get-flow-read", "list-library-templates",
		"get-template-library-search"}
	reads = slices.Concat(reads, groupReads, []string{"get-call-permission", "get-missed-call-answer"})
	answers := append(slices.Concat(reads, groupAnswers), "reject-call", "terminate-call", "look-up-call-permission",
		"mark-conversation-read", "mark-conversation-unread",
		"archive-conversation", "unarchive-conversation", "change-conversation-work", "acknowledge-identity",
		"put-address", "make-default-address", "delete-address",
		"put-note", "delete-note", "see-mentions", "put-draft", "delete-draft",
		"put-quick-reply", "delete-quick-reply", "put-filter", "delete-filter",
		"make-push-key", "put-push-device", "delete-push-device",
		"cancel-payment-order", "look-up-payment-order", "show-typing", setPresence,
		"sync-number-settings", "read-catalogues", "sync-catalogue", "read-flows", "preview-flow",
		"fetch-flow-json", "count-flow",
		"block-person", "unblock-person",
		"sync-templates", "search-template-library", "fetch-media", "begin-upload", "upload-media")
	answers = slices.AppendSeq(answers, maps.Keys(samples()))
	outboxes := []string{"list-outbox-events", "get-outbox-event", "get-outbox-replay", "get-sms-registration",
		"get-suppression"}
	campaigning := []string{
		"create-campaign", "change-campaign", "delete-campaign", "copy-campaign", "schedule-campaign", "start-campaign",
		"pause-campaign", "resume-campaign", "cancel-campaign", "count-campaign", "add-campaign-file",
		"add-campaign-audience", "remove-campaign-list"}
	everybody := []string{"get-me", "choose-tenant", "list-tenants", "get-tenant", "ping"}
	log := []string{"list-webhook-events", "get-webhook-event", "get-webhook-event-purge"}
	may := map[string][]string{
		"":           everybody,
		"cashier":    everybody,
		"cardholder": everybody,
		"owner":      slices.Concat(answers, campaigning),
		"operator":   answers,
		"supervisor": slices.Concat(answers, campaigning, outboxes, log, []string{
			"replay-outbox-event", "replay-outbox-events", "replay-event-deliveries", "continue-outbox-replay",
			"dismiss-outbox-event", "resume-number",
		}),
		"auditor":       slices.Concat(reads, outboxes, log, []string{"list-audit-records", "list-erasures"}),
		"operators":     everybody,
		"Administrator": everybody,
	}
	may["administrator"] = slices.Concat(may["supervisor"], groupManages,
		[]string{"put-missed-call-answer", "delete-missed-call-answer", "put-unanswered-sends",
			"put-assignment"},
		[]string{"get-event-kinds", "list-event-subscriptions", "get-event-subscription", "put-event-subscription",
			"delete-event-subscription", "rotate-event-subscription-secret", "test-event-subscription",
			"list-event-deliveries"},
		[]string{"list-payment-configurations", "get-payment-configuration", "put-payment-configuration",
			"validate-payment-configuration", "make-default-payment-configuration", "delete-payment-configuration",
			"create-refund", "replay-webhook-event",
			"purge-webhook-events", "continue-webhook-event-purge", "erase-customer", "erase-person", "export-person",
			"list-audit-records",
			"list-erasures", "change-tenant", "get-tenant-belongings", "put-sms-registration",
			"lift-suppression", "list-people", "get-person",
			"link-catalogue", "unlink-catalogue", "create-catalogue-product", "change-catalogue-product",
			"delete-catalogue-product", "create-flow", "change-flow", "put-flow-json", "publish-flow",
			"deprecate-flow", "delete-flow", "put-number-encryption",
			"put-number-profile", "put-number-components", "put-number-calling", "put-number-commerce",
			"register-number", "deregister-number", "set-number-pin", "request-number-code", "verify-number-code",
			"request-number-name", "create-qr-code", "change-qr-code", "delete-qr-code",
			"put-person", "end-person", "create-template", "create-template-from-library",
			"edit-template", "delete-template", "delete-templates"})
	return may
}
