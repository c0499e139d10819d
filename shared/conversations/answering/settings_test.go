package answering_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/conversations/answering"
	"github.com/haatline/haatline/shared/model"
)

func TestWhatMayBeLookedUpIsNamedOnceAndKnown(t *testing.T) {
	for config, says := range map[string]string{
		`{"assistant":"rules","lookups":["order_state","khata_balance","card_request"]}`: "",
		`{"assistant":"rules","lookups":[]}`:                                             "",
		`{"assistant":"rules","lookups":["salary"]}`:                                     `lookups: "salary" is none of`,
		`{"assistant":"rules","lookups":["order_state","order_state"]}`:                  `"order_state" is none of`,
		`{"assistant":"rules","lookups":"order_state"}`:                                  "another type",
		`{"assistant":"oracle"}`:                                                         `no assistant "oracle"`,

		`{"assistant":"openai","model":"gpt-4o-mini","temperature":0.2,"maxTokens":500,` +
			`"limits":{"day":{"usd":"2.50"},"month":{"usd":40},"conversation":{"tokens":20000}}}`: "",
		`{"assistant":"openai"}`:                                                      `model: "" of openai is none`,
		`{"assistant":"openai","model":"gpt-5"}`:                                      `"gpt-5" of openai is none`,
		`{"assistant":"bedrock","model":"gpt-4o-mini"}`:                               `of bedrock is none`,
		`{"assistant":"openai","model":"gpt-4o-mini","temperature":3}`:                "temperature: 0 to 2",
		`{"assistant":"openai","model":"gpt-4o-mini","maxTokens":90000}`:              "maxTokens",
		`{"assistant":"openai","model":"gpt-4o-mini","limits":{"day":{"usd":-1}}}`:    "another type",
		`{"assistant":"openai","model":"gpt-4o-mini","limits":{"day":{"tokens":-1}}}`: "not negative",
	} {
		err := answering.Check(model.Document(config), []string{"openai:gpt-4o-mini"})
		if (err == nil) != (says == "") || err != nil && !(errors.Is(err, answering.ErrSettings) &&
			strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", config, err)
		}
	}
}
