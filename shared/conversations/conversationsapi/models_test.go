package conversationsapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/spending"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// A project may choose the models that the deployment allows, and no others.
func TestAProjectChoosesAModelThatIsAllowed(t *testing.T) {
	w := firm(t)
	w.domain.Models, w.domain.FunctionHosts = []string{"openai:gpt-4o-mini"}, []string{"api.acme.example"}
	sets := func(version int, config, function string) answer {
		return w.do(http.MethodPut, project, "", fmt.Sprintf(`{"name":"Clarify CV","allowedChannels":["whatsapp"],`+
			`"opening":{"text":"Is it up to date?"},"aiConfig":%s,"function":%s,"version":%d}`, config, function, version))
	}
	const hook = `{"name":"book","url":"https://api.acme.example/hook","secret":"` + aSecret + `","when":"asked"%s}`
	for name, c := range map[string]struct{ config, function, says string }{
		"another model":   {`{"assistant":"openai","model":"gpt-5"}`, "null", `\"gpt-5\" of openai is none of those`},
		"another service": {`{"assistant":"bedrock","model":"gpt-4o-mini"}`, "null", "of bedrock is none of those"},
		"no model":        {`{"assistant":"openai"}`, "null", `\"\" of openai is none of those`},
		"an address":      {`{"assistant":"https://10.0.0.1/","model":"gpt-4o-mini"}`, "null", "there is no assistant"},
		"too hot":         {`{"assistant":"openai","model":"gpt-4o-mini","temperature":9}`, "null", "temperature"},
		"a function without a description": {`{"assistant":"openai","model":"gpt-4o-mini"}`, fmt.Sprintf(hook, ""),
			"description"},
	} {
		if a := sets(1, c.config, c.function); a.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(a.Body, c.says) {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	a := sets(1, `{"assistant":"openai","model":"gpt-4o-mini","limits":{"day":{"usd":2}}}`,
		fmt.Sprintf(hook, `,"description":"Books a visit."`))
	if a.Want(t, http.StatusOK); !strings.Contains(a.Body, `"when":"asked"`) || strings.Contains(a.Body, aSecret) {
		t.Error(a.Body)
	}
}

func TestACompanySeesWhatModelsHaveTaken(t *testing.T) {
	w := firm(t)
	w.domain.Models = []string{"openai:gpt-4o-mini"}
	s, month := &spending.Spending{DB: w.domain.DB}, string(spending.Month(w.domain.Now()))
	_, _, err := s.Reserve(t.Context(), []spending.Counter{spending.OfPeriod("demo",
		keys.Spent("ci-1", model.Name(month)), w.domain.Now().Add(spending.KeepsMonths), budget.Limit{})},
		budget.Amount{Tokens: 900, Money: decimal.RequireFromString("0.00127")})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"":                         `"period":"` + month + `","tokens":900,"usd":"0.00127","models":["openai:gpt-4o-mini"]`,
		"?period=" + month:         `"tokens":900`,
		"?period=" + month + "-01": `"tokens":`, "?period=2020-01": `"tokens":0,"usd":"0"`,
	} {
		a := w.do(http.MethodGet, "/v1/companies/ci-1/model-spending"+query, "", "")
		if a.Want(t, http.StatusOK); !strings.Contains(a.Body, want) {
			t.Errorf("%s: %s", query, a.Body)
		}
	}
	w.do(http.MethodGet, "/v1/companies/ci-1/model-spending?period=now", "", "").
		Want(t, http.StatusUnprocessableEntity)
}
