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
	} {
		err := answering.Check(model.Document(config))
		if (err == nil) != (says == "") || err != nil && !(errors.Is(err, answering.ErrSettings) &&
			strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", config, err)
		}
	}
}
