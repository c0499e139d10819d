package conversationsapi

import (
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// sampled puts there what the sample events name: the company ci-aaa-001 of the tenant demo, and its project.
func sampled(t *testing.T) *world {
	w := newWorld(t)
	const phone = "106540352242922"
	w.db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo",
		DisplayPhoneNumber: "44 7588 713814"})
	_, err := w.domain.Companies.Create(t.Context(), conversationsmodel.Company{
		Company: "ci-aaa-001", TenantID: "demo", CompanyName: "Cucumber Recruitment", Active: true,
		ChannelConfig: model.Document(`{"company_whatsapp_number":"+447588713814"}`)})
	w.must(err)
	_, err = w.domain.Companies.SetProject(t.Context(), conversationsmodel.Project{
		Company: "ci-aaa-001", Project: "pi-aaa-001", ProjectName: "Clarify CV",
		ProjectStatus: conversationsmodel.ProjectActive, AllowedChannels: []model.Channel{model.ChannelWhatsApp},
		Opening: conversationsmodel.Opening{
			Template: "clarify_cv", Language: "en_GB", Parameters: []string{"{first_name}", "{data.job_ref}"}},
	}, 0)
	w.must(err)
	return w
}

func TestSampleEventsAreAnswered(t *testing.T) {
	cases := map[string]func(t *testing.T, a answer){
		"list-companies": func(t *testing.T, a answer) {
			var list companyListOutput
			a.Want(t, http.StatusOK, &list.Body)
			if len(list.Body.Items) != 1 || list.Body.Items[0].PhoneNumberID != "106540352242922" {
				t.Errorf("lists %+v", list.Body)
			}
		},
		"begin-conversation": func(t *testing.T, a answer) {
			var begun talkShown
			a.Want(t, http.StatusAccepted, &begun)
			if begun.ID != "ci-aaa-001#pi-aaa-001#req123#447123456789" || begun.Status != "processing" {
				t.Errorf("begun %+v", begun)
			}
		},
		"list-company-conversations": func(t *testing.T, a answer) { a.Want(t, http.StatusOK) },
		"no-such-operation":          func(t *testing.T, a answer) { a.WantProblem(t, http.StatusNotFound) },
	}
	samples := dynamotest.Samples[events.APIGatewayV2HTTPRequest](t, "conversations-api", cases)
	for name, check := range cases {
		t.Run(name, func(t *testing.T) {
			w := sampled(t)
			response, err := w.server.Handler(t.Context(), samples[name])
			w.must(err)
			check(t, answer{Status: response.StatusCode, Headers: response.Headers, Body: response.Body})
		})
	}
}
