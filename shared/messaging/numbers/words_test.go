package numbers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
)

// The names of the parameters of a telephone system are the business's own, whatever they look like.
func TestNamesOfTheBusinesssOwnStayAsTheyAre(t *testing.T) {
	const ours = `{"sip":{"servers":[{"hostname":"a.example","requestUriUserParams":{"trunkGroup":"A","x_y":"B"}}]}}`
	const metas = `{"sip":{"servers":[{"hostname":"a.example","request_uri_user_params":{"trunkGroup":"A","x_y":"B"}}]}}`
	if got := string(renamed([]byte(ours), snake)); got != metas {
		t.Error(got)
	}
	if got := string(renamed([]byte(metas), camel)); got != ours {
		t.Error(got)
	}
}

// A password of a telephone system is not kept, even if Meta says it.
func TestAPasswordOfATelephoneSystemIsNotKept(t *testing.T) {
	const said = `{"sip":{"servers":[{"hostname":"a.example","sip_user_password":"secret"}]}}`
	if got := string(renamed([]byte(said), camel)); got != `{"sip":{"servers":[{"hostname":"a.example"}]}}` {
		t.Error(got)
	}
}

func TestAParameterMoreThanIsWantedIsADifference(t *testing.T) {
	server := func(params string) model.Document {
		return model.Document(`{"sip":{"servers":[{"port":1,"requestUriUserParams":` + params + `}]}}`)
	}
	const at = "sip.servers[0].requestUriUserParams."
	for name, c := range map[string]struct {
		wanted, has string
		want        []Difference
	}{
		"the same": {`{"a":"1"}`, `{"a":"1"}`, nil},
		"another":  {`{"a":"1"}`, `{"a":"2"}`, []Difference{{at + "a", []byte(`"1"`), []byte(`"2"`)}}},
		"one more": {`{"a":"1"}`, `{"a":"1","b":"2"}`, []Difference{{at + "b", nil, []byte(`"2"`)}}},
		"one less": {`{"a":"1"}`, `{}`, []Difference{{at + "a", []byte(`"1"`), nil}}},
	} {
		if diff := cmp.Diff(c.want, Differences(server(c.wanted), server(c.has))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
