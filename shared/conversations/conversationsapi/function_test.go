package conversationsapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/conversations/calling"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const aSecret = "a secret that only the two of us know"

// setsFunction sets the project with a function, and returns the answer.
func (w *world) setsFunction(version int, function string) answer {
	w.t.Helper()
	return w.do(http.MethodPut, project, "", fmt.Sprintf(`{"name":"Clarify CV","allowedChannels":["whatsapp"],`+
		`"opening":{"text":"Is it up to date?"},"function":%s,"version":%d}`, function, version))
}

func TestAProjectsFunctionIsCheckedAndItsSecretNeverShown(t *testing.T) {
	w := firm(t)
	w.domain.FunctionHosts = []string{"api.acme.example"}
	const good = `"name":"submit","url":"https://api.acme.example/hook"`
	for name, c := range map[string]struct{ function, says string }{
		"no secret":     {`{` + good + `}`, "secret"},
		"a short one":   {`{` + good + `,"secret":"short"}`, "secret"},
		"another host":  {`{"name":"submit","url":"https://other.example/","secret":"` + aSecret + `"}`, "host"},
		"an address":    {`{"name":"submit","url":"https://10.0.0.1/","secret":"` + aSecret + `"}`, "host"},
		"without https": {`{"name":"submit","url":"http://api.acme.example/","secret":"` + aSecret + `"}`, "https"},
		"a user": {`{"name":"submit","url":"https://a:b@api.acme.example/","secret":"` + aSecret + `"}`,
			"user"},
		"a name that is taken": {`{"name":"order_state","url":"https://api.acme.example/","secret":"` + aSecret +
			`"}`, "another meaning"},
		"no schema": {`{` + good + `,"secret":"` + aSecret + `","parameters":{"type":"text"}}`, "parameters"},
		"a schema that refers": {`{` + good + `,"secret":"` + aSecret +
			`","parameters":{"type":"object","$ref":"https://other.example"}}`, "refer"},
		"a long schema": {`{` + good + `,"secret":"` + aSecret + `","parameters":{"type":"object","description":"` +
			strings.Repeat("x", 1024) + `"}}`, "1024"},
	} {
		if a := w.setsFunction(1, c.function); a.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(a.Body, c.says) || strings.Contains(a.Body, aSecret) {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	a := w.setsFunction(1, `{`+good+`,"secret":"`+aSecret+`","parameters":{"type":"object"}}`)
	if a.Want(t, http.StatusOK); strings.Contains(a.Body, aSecret) || !strings.Contains(a.Body, `"submit"`) {
		t.Error(a.Body)
	}
	w.setsFunction(2, `{"name":"submit","url":"https://api.acme.example/v2"}`).Want(t, http.StatusOK)
	if f := w.function(); w.opened(f) != aSecret || f.URL != "https://api.acme.example/v2" {
		t.Errorf("%+v", f)
	}
	if a := w.do(http.MethodGet, company+"/projects", "", ""); strings.Contains(a.Body, aSecret) {
		t.Error(a.Body)
	}
	w.projectIs(3, "") // without a function
	w.setsFunction(4, `{`+good+`}`).WantProblem(t, http.StatusUnprocessableEntity)
	w.domain.FunctionHosts = nil
	w.setsFunction(4, `{`+good+`,"secret":"`+aSecret+`"}`).WantProblem(t, http.StatusUnprocessableEntity)
}

// function returns the project's function as it is stored.
func (w *world) function() conversationsmodel.Function {
	w.t.Helper()
	p, err := w.domain.Companies.Project(w.t.Context(), "ci-1", "pi-1")
	w.must(err)
	return *p.Function
}

// opened returns the secret of the project's function, as what calls it has it.
func (w *world) opened(f conversationsmodel.Function) string {
	w.t.Helper()
	secret, err := w.domain.Companies.SecretOf(w.t.Context(), conversationsmodel.Conversation{
		TenantID: model.TenantID(apitest.TenantOf("1")), CompanyID: "ci-1", ProjectID: "pi-1"}, f)
	w.must(err)
	return string(secret)
}

// Nothing in the table has the secret. A request that is repeated changes nothing, and a change keeps it.
func TestAFunctionsSecretIsStoredSealed(t *testing.T) {
	w := firm(t)
	w.domain.FunctionHosts = []string{"api.acme.example"}
	const good = `"name":"submit","url":"https://api.acme.example/hook"`
	const withSecret = `{` + good + `,"secret":"` + aSecret + `"}`
	w.setsFunction(1, withSecret).Want(t, http.StatusOK)
	sealed := w.function().Secret
	if text := fmt.Sprint(w.db.Items(t, tables.Conversations)); strings.Contains(text, aSecret) {
		t.Error(text)
	}
	a := w.setsFunction(1, withSecret)
	if a.Want(t, http.StatusOK); w.function().Secret != sealed || !strings.Contains(a.Body, `"version":2`) {
		t.Errorf("repeated: %s %q", a.Body, w.function().Secret)
	}
	w.setsFunction(2, `{"name":"submit","url":"https://api.acme.example/v2"}`).Want(t, http.StatusOK)
	if w.function().Secret != sealed {
		t.Error("a change without a secret seals it again")
	}
	const another = "another secret, which has come after it"
	w.setsFunction(3, `{`+good+`,"secret":"`+another+`"}`).Want(t, http.StatusOK)
	if f := w.function(); w.opened(f) != another || strings.Contains(f.Secret, another) {
		t.Errorf("%+v", f)
	}
	if _, err := w.domain.Companies.SecretOf(t.Context(), conversationsmodel.Conversation{
		TenantID: "other", CompanyID: "ci-1", ProjectID: "pi-1"}, w.function()); err == nil {
		t.Error("it opens for another tenant")
	}
}

// A release before this one has stored it in clear.
func TestASecretInClearIsSealedWithTheNextChange(t *testing.T) {
	w := firm(t)
	w.domain.FunctionHosts = []string{"api.acme.example"}
	p, err := w.domain.Companies.Project(t.Context(), "ci-1", "pi-1")
	w.must(err)
	p.Function = &conversationsmodel.Function{
		Name: "submit", URL: "https://api.acme.example/hook", Secret: aSecret}
	w.db.Seed(t, tables.Conversations, p)
	if w.opened(w.function()) != aSecret {
		t.Error("it does not work any more")
	}
	w.setsFunction(1, `{"name":"submit","url":"https://api.acme.example/v2"}`).Want(t, http.StatusOK)
	if f := w.function(); f.Secret == aSecret || w.opened(f) != aSecret {
		t.Errorf("%+v", f)
	}
}

func TestAnErasureTakesTheCallOfAFunction(t *testing.T) {
	w := firm(t)
	w.domain.FunctionHosts = []string{"api.acme.example"}
	w.setsFunction(1, `{"name":"submit","url":"https://api.acme.example/hook","secret":"`+aSecret+`"}`)
	w.says(w.text(asha, "wamid.1", "hello"))
	w.begins(asha, "r1", "").Want(t, http.StatusAccepted)
	calls := calling.Calling{Talks: w.domain.Talks, Companies: w.domain.Companies, Outbox: w.rooms.Outbox()}
	_, err := w.domain.Talks.Change(t.Context(), w.stored(asha, "r1").Key(),
		func(c *conversationsmodel.Conversation) (bool, error) {
			writes, may, err := calls.Queue(t.Context(), c, "wamid.1")
			if err == nil {
				err = w.db.Transact(t.Context(), writes)
			}
			return may, err
		})
	w.must(err)
	if c := w.talk(asha, "r1"); c.FunctionCall != "submit" || c.FunctionDoneAt != "" {
		t.Errorf("%+v", c)
	}
	calling := func() (n int) {
		for _, item := range w.db.Items(t, tables.Outbox) {
			if dynamo.Text(item, "entityType") == keys.EntityCall {
				n++
			}
		}
		return n
	}
	if calling() != 1 {
		t.Fatalf("%d calls", calling())
	}
	_, err = w.rooms.Erase(t.Context(), erasure.Request{
		Tenant: model.TenantID(apitest.TenantOf("1")), Phone: wt.Phone, Customer: asha,
		By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	w.must(err)
	if calling() != 0 {
		t.Error("the call is still there")
	}
}
