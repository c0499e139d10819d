package conversationsapi

import (
	"net/url"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
)

// noKey is a request without a key.
var noKey idempotency.Request

// requested asks for a conversation with the person of a tenant.
func (w *world) requested(b belongings, id string) opening.Request {
	return opening.Request{
		Tenant: model.TenantID(b.tenant), Company: model.Name(b.company), Project: model.Name(b.project),
		ID: model.Name(id), Channel: model.ChannelWhatsApp, Tel: model.Name(b.recipient),
		FirstName: apitest.SecretOf(b.tenant[len(b.tenant)-1:]), Consent: true,
	}
}

func TestTheAPI(t *testing.T) {
	apitest.Walk(t, apitest.API[belongings]{
		Tables: apiTables,
		Register: func() func(client *dynamo.Client, newID func() string) *apitest.Server {
			return func(client *dynamo.Client, newID func() string) *apitest.Server {
				return worldWith(nil, nil, client, newID).server
			}
		},
		Furnish: func(t testing.TB, db *dynamotest.DB, digit string) belongings {
			return worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea"+digit+"-%012d")).furnish(digit)
		},
		Absent:   of("9"),
		Requests: reaching(),
		Lists: func(b belongings) []request {
			one := func(path string) request {
				return request{Path: path, Query: url.Values{"limit": {"1"}}}
			}
			all := one("/v1/companies")
			all.Query.Set("tenantId", b.tenant)
			company := "/v1/companies/" + b.company
			person := company + "/recipients/" + b.recipient
			return []request{
				all, one(company + "/projects"), one(company + "/conversations"),
				one(company + "/addresses/whatsapp/conversations"), one(person + "/conversations"),
				one(person + "/states/processing"), one(person + "/tasks/open"), one(person + "/channels/whatsapp"),
			}
		},
		Last: []string{
			"hand-over-company-conversation", "hand-back-company-conversation", "complete-company-conversation",
			"set-project", "set-company"},
		Roles:   roles(),
		Changes: changes(),
	})
}

const questionsCSV = "id,question,answer,language\npay,What is the pay?,It is ₹18000.,en\n"

// reaching returns, by operation, the requests that name what somebody has.
func reaching() map[string]func(b belongings) []request {
	at := func(path func(b belongings) string, body string) func(b belongings) []request {
		return func(b belongings) []request {
			r := request{Path: path(b), Headers: map[string]string{"idempotency-key": "key of " + path(b)}}
			r.Body = body
			if body == questionsCSV {
				r.Headers["content-type"] = "text/csv"
			}
			return []request{r}
		}
	}
	company := func(rest string) func(b belongings) string {
		return func(b belongings) string { return "/v1/companies/" + b.company + rest }
	}
	project := func(rest string) func(b belongings) string {
		return func(b belongings) string { return company("/projects/" + b.project + rest)(b) }
	}
	person := func(rest string) func(b belongings) string {
		return func(b belongings) string { return company("/recipients/" + b.recipient + rest)(b) }
	}
	talk := func(rest string) func(b belongings) string {
		return func(b belongings) string {
			return project("/recipients/" + b.recipient + "/conversations/" + b.request + rest)(b)
		}
	}
	ofTenant := func(path, body string) func(b belongings) []request {
		return func(b belongings) []request {
			return []request{{Path: path, Query: url.Values{"tenantId": {b.tenant}}, Body: body}}
		}
	}
	return map[string]func(b belongings) []request{
		"list-companies": ofTenant("/v1/companies", ""),
		"create-company": func(b belongings) []request { // an id is one company's of all tenants
			return ofTenant("/v1/companies", `{"id":"ci-new-`+b.phone[len(b.phone)-1:]+`","name":"New Company"}`)(b)
		},
		"get-company": at(company(""), ""),
		"set-company": func(b belongings) []request {
			return []request{{Path: company("")(b), Body: `{"name":"Cucumber Recruitment","channelConfig":` +
				`{"company_whatsapp_number":"` + b.number + `"},"version":1}`}}
		},
		"list-projects": at(company("/projects"), ""), "get-project": at(project(""), ""),
		"set-project": at(project(""), `{"name":"Clarify CV","allowedChannels":["whatsapp","sms"],`+
			`"opening":{"template":"clarify_cv","language":"en_GB","parameters":["{first_name}","{data.job_ref}"]},`+
			`"aiConfig":{"assistant":"rules","languages":["en"],"lookups":["order_state"]},`+
			`"rules":{"initialMessage":true},"version":1}`),
		"get-model-spending": at(company("/model-spending"), ""),
		"get-questions":      at(project("/questions"), ""),
		"set-questions":      at(project("/questions"), questionsCSV),
		"begin-conversation": func(b belongings) []request {
			r := at(project("/conversations"), `{"requestId":"req-new","channel":"whatsapp","recipient":{"tel":"`+
				b.recipient+`"},"consent":true}`)(b)
			return r
		},
		"begin-conversations": at(project("/conversation-batches"), `{"csv":"request_id,channel,tel,consent,data.job_ref`+
			`\nreq-b1,whatsapp,+919876500001,yes,JR1\nreq-b2,whatsapp,+919876500002,no,JR2"}`),
		"get-company-conversation":       at(talk(""), ""),
		"answer-company-conversation":    at(talk("/messages"), `{"text":"Thank you. We will call you."}`),
		"complete-company-conversation":  at(talk("/complete"), ""),
		"hand-over-company-conversation": at(talk("/hand-over"), `{"reason":"a question about pay"}`),
		"hand-back-company-conversation": at(talk("/hand-back"), ""),
		"list-company-conversations":     at(company("/conversations"), ""),
		"list-conversations-by-address":  at(company("/addresses/whatsapp/conversations"), ""),
		"list-conversations-with":        at(person("/conversations"), ""),
		"list-conversations-by-state":    at(person("/states/processing"), ""),
		"list-conversations-by-task":     at(person("/tasks/open"), ""),
		"list-conversations-by-channel":  at(person("/channels/whatsapp"), ""),
	}
}

var reads = []string{
	"list-companies", "get-company", "get-model-spending", "list-projects", "get-project", "get-questions",
	"get-company-conversation",
	"list-company-conversations", "list-conversations-by-address", "list-conversations-with",
	"list-conversations-by-state", "list-conversations-by-task", "list-conversations-by-channel",
}

var sends = []string{
	"begin-conversation", "begin-conversations", "answer-company-conversation", "complete-company-conversation",
	"hand-over-company-conversation", "hand-back-company-conversation",
}

var manages = []string{"create-company", "set-company", "set-project", "set-questions"}

// roles returns, by group of a role, the operations that it may call.
func roles() map[string][]string {
	all := slices.Concat(reads, sends, manages)
	works := slices.Concat(reads, sends)
	return map[string][]string{
		"": {}, "operators": {}, "Administrator": {}, "cardholder": {}, "cashier": {},
		"auditor": reads, "operator": works, "supervisor": works, "owner": all, "administrator": all,
	}
}

// changes returns, by operation that changes something, the ways to call it.
func changes() map[string][]apitest.Change {
	all := map[string][]apitest.Change{}
	for _, operation := range slices.Concat(sends, manages) {
		all[operation] = []apitest.Change{{Seed: func(t testing.TB, db *dynamotest.DB) request {
			b := worldWith(t, db, db.Client, dynamotest.IDs("01a1fbae-3de3-707d-9ea1-%012d")).furnish("1")
			r := reaching()[operation](b)[0]
			r.By = apitest.Operator(b.tenant)
			return r
		}}}
	}
	return all
}
