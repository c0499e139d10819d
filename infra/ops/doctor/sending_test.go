package doctor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const ownSecret = "haatline/prod/numbers/" + phone

// holds puts an item into a table.
func (w *fixture) holds(table tables.Table, key keys.Key, item map[string]any) {
	name := table.Name(tables.Prod)
	held := w.aws.Tables[name]
	held.Items = map[string]map[string]any{key.Partition: item}
	w.aws.Tables[name] = held
}

func stoppedFor(d time.Duration) func(*fixture) {
	return func(w *fixture) {
		until := fmt.Sprint(time.Now().Add(d).UnixMilli())
		w.holds(tables.OutboxSequences, keys.OutboxSequence(keys.OutboxSequenceID("phone:"+phone)),
			map[string]any{"stoppedTo": map[string]string{"N": until}})
	}
}

func TestASenderThatIsStoppedIsAWarning(t *testing.T) {
	for _, c := range []trouble{
		{"stopped", stoppedFor(time.Hour), nil, []string{
			"warning  sending: sending from 15550783881 (" + phone + ") is stopped until " +
				time.Now().Add(time.Hour).UTC().Format("2006-01-02"),
			"WhatsApp refused the number or its token; it is tried again by itself then",
			"/aws/lambda/haatline-outbox-prod",
		}, true},
		{"stopped once", stoppedFor(-time.Minute), nil, []string{"ok       sending: none of 1 numbers is stopped"},
			true},
		{"not to be seen",
			func(w *fixture) { w.aws.Refuse["GetItem"] = "AccessDeniedException:no" }, nil,
			[]string{"unknown  sending: AccessDeniedException: no",
				"dynamodb:GetItem on " + tables.OutboxSequences.Name(tables.Prod)}, false},
		{"no table", func(w *fixture) { delete(w.aws.Tables, tables.OutboxSequences.Name(tables.Prod)) }, nil,
			[]string{"MISSING  table " + tables.OutboxSequences.Name(tables.Prod),
				"not looked at, because of the above: sending"}, false},
	} {
		t.Run(c.name, c.run)
	}
}

func TestTheTokenOfANumberIsCheckedAsTheCommonOne(t *testing.T) {
	own := func(ref, value string) func(*fixture) {
		return func(w *fixture) {
			w.holds(tables.Messages, keys.Phone(model.PhoneNumberID(phone)),
				map[string]any{"accessTokenRef": map[string]string{"S": ref}})
			if value != "" {
				w.aws.Secrets[ownSecret] = awstest.Secret{Value: value, Versions: 1}
			}
		}
	}
	const about = "own token of 15550783881 (" + phone + ")"
	for _, c := range []trouble{
		{"as it should be", own("secretsmanager:"+ownSecret, accessToken), nil,
			[]string{"ok       " + about + ": of the app Simulated App",
				"ok       " + about + " (permissions): whatsapp_business_messaging"}, true},
		{"one of several in a secret",
			own("secretsmanager:"+ownSecret+"#"+phone, `{"`+phone+`":"`+accessToken+` ","another":"EAAJanother"}`), nil,
			[]string{"ok       " + about + ": of the app Simulated App"}, true},
		{"none of several in a secret", own("secretsmanager:"+ownSecret+"#"+phone, `{"another":"EAAJanother"}`), nil,
			[]string{"MISSING  " + about + ": " + ownSecret + " holds no text under " + phone,
				"under " + phone + ", beside those of other numbers"}, false},
		{"another's", own("secretsmanager:"+ownSecret, "EAAJanother"), nil,
			[]string{"MISSING  " + about + ": Meta says (190)", "--secret-id " + ownSecret}, false},
		{"no secret", own("secretsmanager:"+ownSecret, ""), nil,
			[]string{"MISSING  " + about + ": " + ownSecret + " is not there",
				"aws secretsmanager create-secret --name " + ownSecret}, false},
		{"an empty secret", own("secretsmanager:"+ownSecret, " "), nil,
			[]string{"MISSING  " + about + ": " + ownSecret + " holds no text"}, false},
		{"a secret the outbox may not read", own("secretsmanager:somewhere/else", ""), nil,
			[]string{"MISSING  " + about + ": the outbox may not read somewhere/else", "haatline/prod/numbers/"},
			false},
		{"encrypted by the stage's key", own("kms:QUFBQQ==", ""), nil,
			[]string{"ok       " + about + ": it is encrypted by the stage's key"}, true},
		{"a variable", own("env:WHATSAPP_ACCESS_TOKEN_ACME", ""), nil,
			[]string{"MISSING  " + about + ": the functions cannot read it", "secretsmanager:haatline/prod/numbers/"},
			false},
		{"the token itself", own(accessToken, ""), nil,
			[]string{"MISSING  " + about + ": accessTokenRef is no reference"}, false},
	} {
		t.Run(c.name, c.run)
	}
}
