package messagingapi

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/campaigns"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// campaignsAsked are the ends of the ids of campaigns that the operations of that name change.
var campaignsAsked = []string{
	"-start", "-pause", "-resume", "-cancel", "-count", "-delete", "-schedule", "-change", "-remove", "-file",
	"-audience"}

// statusFor returns the state of the campaign that an operation changes.
func statusFor(end string) model.CampaignStatus {
	switch end {
	case "-pause", "-cancel":
		return model.CampaignRunning
	case "-resume":
		return model.CampaignPaused
	case "-count":
		return model.CampaignCompleted
	}
	return model.CampaignDraft
}

// hasCampaign stores a campaign with two recipients. Of one that has begun, both have got the message.
func (w *world) hasCampaign(id model.Name, status model.CampaignStatus, b belongings, text string) {
	w.t.Helper()
	c := model.Campaign{
		PK: keys.Campaign(id).Partition, ItemType: model.ItemCampaign, CampaignID: id,
		TenantID: model.TenantID(b.tenant), PhoneNumberID: model.PhoneNumberID(b.phone),
		WABAMetaID: model.WABAID(b.waba), Name: text, TemplateName: "offer", Status: status, CreatedBy: "asha",
		CreatedAt: model.At(minutesAgo(30)), TotalRecipients: 2, Version: 1, Problem: text,
		Variants: []model.Document{campaigns.Variant(content.Template{
			Name: "offer", Language: "en", Body: []content.TemplateParameter{{Text: "{{name|" + text + "}}"}}})},
		Lists: []model.CampaignList{{
			ID: "list-1", Source: "file", Recipients: 2, Columns: []string{"name"}, AddedAt: model.At(minutesAgo(29))}},
	}
	part := model.CampaignPart{
		PK: keys.CampaignPart(id, "list-1", 0).Partition, ItemType: model.ItemCampaignPart, Columns: []string{"name"},
		Version: 1, TTL: 9999999999,
		Recipients: []model.CampaignRecipient{
			{To: model.CustomerID(b.customer), Values: []string{text}}, {To: "919812345678"}},
	}
	if status != model.CampaignDraft {
		c.StartedAt, c.Run, c.Part = model.At(minutesAgo(20)), 1, 1
	}
	w.db.Seed(w.t, tables.Messages, c, part)
	for _, end := range []string{"1", "2"} {
		w.db.Seed(w.t, tables.Messages, model.Message{
			PK:       keys.Message(model.MessageID("wamid." + string(id) + end)).Partition,
			ItemType: model.ItemMessage, Direction: model.Outbound, CampaignID: string(id), Type: "template",
			ConversationPK: keys.Conversation(c.PhoneNumberID, "919812345678").Partition, TextBody: text,
			SentAt: model.At(minutesAgo(19)), ReceivedAt: model.At(minutesAgo(19)), DeliveryStatus: model.Sent,
			DeliveryRank: 1, InboxPK: b.phone})
	}
}

// campaigned prepares the campaign that an operation changes, by the end of its id.
func campaigned(end string) func(w *world) string {
	return func(w *world) string {
		w.hasCampaign(model.Name("campaign-1"+end), statusFor(end),
			belongings{tenant: shop, phone: number, waba: waba, customer: asha}, "Diwali")
		return ""
	}
}

// onCampaigns are the requests of the operations on campaigns, by operation: the end of the campaign's id, what
// follows it in the path, a key, and a body.
var onCampaigns = map[string]struct{ end, path, key, body string }{
	"get-campaign":    {},
	"change-campaign": {end: "-change", body: campaignFacts},
	"delete-campaign": {end: "-delete"},
	"copy-campaign":   {path: "/copy", key: "k1", body: `{"name":"Again"}`},
	"schedule-campaign": {end: "-schedule", path: "/schedule",
		body: `{"at":"2026-11-22T09:00:00Z"}`},
	"start-campaign":           {end: "-start", path: "/start"},
	"pause-campaign":           {end: "-pause", path: "/pause"},
	"resume-campaign":          {end: "-resume", path: "/resume"},
	"cancel-campaign":          {end: "-cancel", path: "/cancel"},
	"count-campaign":           {end: "-count", path: "/count"},
	"add-campaign-file":        {end: "-file", path: "/files", key: "k1", body: "to,name\n919800000001,Meena\n"},
	"add-campaign-audience":    {end: "-audience", path: "/audiences", key: "k1", body: `{"kind":"label","label":"vip"}`},
	"remove-campaign-list":     {end: "-remove", path: "/lists/list-1"},
	"list-campaign-recipients": {path: "/recipients"},
	"list-campaign-messages":   {path: "/messages"},
	"estimate-campaign":        {path: "/estimate"},
}

const campaignFacts = `{"name":"Diwali","templates":[{"name":"offer","language":"en",` +
	`"body":[{"text":"{{name|friend}}"}]}],"hours":{"from":"09:00","to":"20:00","timeZone":"Asia/Kolkata"}}`

// campaignRequests are the requests that reach the campaigns of a tenant.
func campaignRequests(all map[string]func(belongings) []request) {
	for operation, of := range onCampaigns {
		all[operation] = func(b belongings) []request {
			r := request{Path: "/v1/campaigns/" + b.campaign + of.end + of.path, Body: of.body,
				Headers: map[string]string{}}
			if of.key != "" {
				r.Headers["idempotency-key"] = of.key
			}
			if operation == "add-campaign-file" {
				r.Headers["content-type"] = "text/csv"
			}
			return []request{r}
		}
	}
	all["create-campaign"] = func(b belongings) []request {
		return []request{{Path: "/v1/campaigns", Headers: map[string]string{"idempotency-key": "k1"},
			Body: strings.Replace(campaignFacts, "{", `{"phoneNumberId":"`+b.phone+`",`, 1)}}
	}
	all["list-campaigns"] = func(b belongings) []request {
		return []request{{Path: "/v1/campaigns", Query: map[string][]string{"tenantId": {b.tenant}}}}
	}
}

// campaignCalls are the ways to call the operations that change campaigns.
func campaignCalls(all map[string][]call) {
	for operation, of := range onCampaigns {
		if slices.Contains([]string{"", "/recipients", "/messages", "/estimate"}, of.path) && of.end == "" {
			continue
		}
		c := call{name: "one that may", prepare: campaigned(of.end), key: of.key, body: of.body,
			path: "/v1/campaigns/campaign-1" + of.end + of.path}
		if operation == "add-campaign-file" {
			c.contentType = "text/csv"
		}
		all[operation] = []call{c}
	}
	all["create-campaign"] = []call{{name: "a new one", prepare: func(*world) string { return "" }, key: "k1",
		path: "/v1/campaigns", body: strings.Replace(campaignFacts, "{", `{"phoneNumberId":"`+number+`",`, 1)}}
}
