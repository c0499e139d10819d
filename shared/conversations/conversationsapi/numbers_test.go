package conversationsapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// firmIs sets the firm. addresses are those of its channelConfig.
func (w *world) firmIs(version int, name, addresses string) answer {
	w.t.Helper()
	return w.do(http.MethodPut, company, "", fmt.Sprintf(
		`{"name":%q,"active":true,"channelConfig":{%s},"version":%d}`, name, addresses, version))
}

// moves gives the firm's numbers to the second tenant.
func (w *world) moves() {
	w.t.Helper()
	to := model.TenantID(apitest.TenantOf("2"))
	by := audit.Actor{Subject: "operator command", RequestID: "test"}
	_, err := w.rooms.GiveSender(w.t.Context(), tenancy.SenderChange{
		Number: ownSender, Tenant: to, Move: true, By: by, Reason: "test"})
	w.must(err)
	_, err = w.rooms.GiveNumber(w.t.Context(), tenancy.NumberChange{
		Phone: wt.Phone, Tenant: to, Move: true, By: by, Reason: "test"})
	w.must(err)
}

// A number that sends SMS has one tenant, and serves one company of it.
func TestANumberThatSendsSMSServesOneCompany(t *testing.T) {
	w := firm(t)
	const other, theirs = "+447700900445", "+447700900446"
	w.db.Seed(t, tables.Messages, model.Sender{PK: keys.Sender(other).Partition, ItemType: model.ItemSender,
		TenantID: model.TenantID(apitest.TenantOf("1"))}, model.Sender{PK: keys.Sender(theirs).Partition,
		ItemType: model.ItemSender, TenantID: model.TenantID(apitest.TenantOf("2"))})
	create := func(id, sender string) answer {
		t.Helper()
		return w.do(http.MethodPost, "/v1/companies", "", `{"id":"`+id+`","name":"Cucumber","channelConfig":`+
			`{"company_sms_number":"`+sender+`"}}`)
	}
	for sender, why := range map[string]string{
		ownSender: "serves another company", theirs: "not a number of the tenant", "+447700900499": "not a number of"} {
		p := create("ci-2", sender).WantProblem(t, http.StatusUnprocessableEntity)
		if got := fmt.Sprint(p.Errors); !strings.Contains(got, why) || !strings.Contains(got, "company_sms_number") {
			t.Errorf("%s: %s", sender, got)
		}
	}
	create("ci-2", other).Want(t, http.StatusCreated)
	// a company that gives its number up leaves it to others
	w.firmIs(1, "Cucumber", `"company_whatsapp_number":"+`+wt.Display+`"`).Want(t, http.StatusOK)
	create("ci-3", ownSender).Want(t, http.StatusCreated)
	var is model.Sender
	w.must(w.db.Get(t.Context(), tables.Messages, keys.Sender(ownSender), &is))
	if is.CompanyID != "ci-3" {
		t.Errorf("%+v", is)
	}
}

// A company whose numbers have moved to another tenant can be changed, writes nothing from them, and takes nothing from
// whom they serve now.
func TestACompanyWhoseNumbersHaveMovedCanBeChanged(t *testing.T) {
	w := firm(t)
	const tel = "447123456789"
	bySMS := func(id string) answer {
		t.Helper()
		return w.do(http.MethodPost, project+"/conversations", id, `{"requestId":"`+id+`","channel":"sms",`+
			`"recipient":{"tel":"+`+tel+`"},"consent":true}`)
	}
	bySMS("r1").Want(t, http.StatusAccepted)
	w.moves()
	both := `"company_whatsapp_number":"+` + wt.Display + `","company_sms_number":"` + ownSender + `"`
	_, err := w.domain.Companies.Create(t.Context(), conversationsmodel.Company{
		Company: "ci-2", TenantID: model.TenantID(apitest.TenantOf("2")), CompanyName: "Melon",
		ChannelConfig: model.Document("{" + both + "}")})
	w.must(err)
	w.firmIs(1, "Gherkin", both).Want(t, http.StatusOK)
	for what, a := range map[string]answer{
		"an opening by SMS": bySMS("r2"), "an opening by WhatsApp": w.begins(asha, "r3", ""),
		"an answer by SMS": w.do(http.MethodPost, talkAt(tel, "r1")+"/messages", "k", `{"text":"Hello?"}`),
	} {
		if p := a.WantProblem(t, http.StatusConflict); !strings.HasSuffix(p.Type, "no-company-address") {
			t.Errorf("%s is refused as %s", what, p.Type)
		}
	}
	w.firmIs(2, "Gherkin", "").Want(t, http.StatusOK)
	var phone model.Phone
	var sender model.Sender
	w.must(w.db.Get(t.Context(), tables.Messages, keys.Phone(wt.Phone), &phone))
	w.must(w.db.Get(t.Context(), tables.Messages, keys.Sender(ownSender), &sender))
	if phone.CompanyID != "ci-2" || sender.CompanyID != "ci-2" {
		t.Errorf("%+v %+v", phone, sender)
	}
	w.firmIs(3, "Gherkin", both).WantProblem(t, http.StatusUnprocessableEntity)
}
