package number_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/number"
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

const phone = "106540352242922"

// world is an account of AWS whose tables are on a real engine.
type world struct {
	t        *testing.T
	account  *awstest.AWS
	endpoint string
	stage    tables.Stage
}

func newWorld(t *testing.T, stage tables.Stage) *world {
	t.Helper()
	account := awstest.New(t)
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	if err := engine.CreateTables(t.Context(), engine.Client(e.Endpoint),
		[]tables.Table{tables.Messages, tables.AuditLogs}, stage); err != nil {
		t.Fatal(err)
	}
	account.Engine = e.Endpoint
	return &world{t, account, e.Endpoint, stage}
}

func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := number.Run(t.Context(), args, &out)
	return out.String(), err
}

// db is the stage's tables, as a function has them.
func (w *world) db() *dynamo.Client {
	return dynamo.Wrap(engine.Client(w.endpoint), w.stage)
}

func (w *world) owner() model.TenantID {
	w.t.Helper()
	owner, err := (messaging.New(messaging.Config{DB: w.db()})).TenantOf(w.t.Context(), phone)
	if err != nil {
		w.t.Fatal(err)
	}
	return owner
}

func (w *world) records() []model.AuditLog {
	w.t.Helper()
	store := &audit.Log{DB: w.db()}
	records, _, err := store.List(w.t.Context(), audit.Target{Type: tenancy.TargetNumber, ID: phone}, 100, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return records
}

func TestATenantGetsANumberAndLosesItAndTheRecordSaysWhoDidIt(t *testing.T) {
	w := newWorld(t, tables.Prod)
	acme := []string{"-stage", "prod", "-phone", phone, "-tenant", "acme"}
	for _, c := range []struct {
		args   []string
		says   string
		refuse string
		owner  model.TenantID
	}{
		{[]string{"-waba", "102290129340398", "-reason", "contract 7"},
			phone + " is acme's; who may see it: make operator STAGE=prod TENANT=acme EMAIL=…\n", "", "acme"},
		{nil, phone + " is acme's already\n", "", "acme"},
		{[]string{"-coexistence", "on", "-marketing-messages", "on"}, phone + " is acme's;", "", "acme"},
		{[]string{"-coexistence", "on", "-marketing-messages", "off"}, phone + " is acme's;", "", "acme"},
		{[]string{"-coexistence", "on"}, phone + " is acme's already\n", "", "acme"},
		{[]string{"-tenant", "bazaar"}, "",
			"is acme's, or was last, and its conversations still are: to take both from them, say ARGS=-move", "acme"},
		{[]string{"-tenant", "bazaar", "-remove"}, "", phone + " is not bazaar's, but acme's", "acme"},
		{[]string{"-tenant", "bazaar", "-move"}, phone + " is bazaar's;", "", "bazaar"},
		{[]string{"-tenant", "bazaar", "-remove"}, phone + " was taken from bazaar, and is nobody's", "", ""},
		{[]string{"-tenant", "bazaar", "-remove"}, phone + " is nobody's already\n", "", ""},
	} {
		out, err := run(t, append(slices.Clone(acme), c.args...)...)
		if !strings.HasPrefix(out, c.says) || (err != nil) != (c.refuse != "") ||
			err != nil && (!strings.Contains(err.Error(), c.refuse) || out != "") {
			t.Errorf("%q: %v: %s", c.args, err, out)
		}
		if got := w.owner(); got != c.owner {
			t.Errorf("%q: the number is %q's", c.args, got)
		}
	}
	records := w.records()
	if len(records) != 5 {
		t.Fatalf("%d records", len(records))
	}
	for _, r := range records {
		if r.AdminEcosystemID != "arn:aws:iam::111122223333:user/somebody" || r.RequestID != "make number" ||
			r.Timestamp == "" {
			t.Errorf("%+v", r)
		}
	}
	if first := records[4]; first.Reason != "contract 7" || first.Action != "number.give" ||
		string(first.NewValue) == "{}" || records[3].Reason != "none given" {
		t.Errorf("%+v", first)
	}
	set := records[2]
	if !strings.Contains(string(set.PreviousValue), `"marketingMessages":true`) ||
		strings.Contains(string(set.NewValue), "marketing") ||
		!strings.Contains(string(set.NewValue), `"coexistence":true`) {
		t.Errorf("from %s to %s", set.PreviousValue, set.NewValue)
	}
	var number model.Phone
	if err := w.db().Get(t.Context(), tables.Messages, keys.Phone(phone), &number); err != nil || !number.Coexistence ||
		number.MarketingMessages {
		t.Errorf("%+v, %v", number, err)
	}
}

func TestWhatCannotBeIsRefusedBeforeAnythingIsAsked(t *testing.T) {
	account := awstest.New(t)
	account.WantWrongUse(t, func(t *testing.T, args ...string) (string, error) {
		return run(t, append([]string{"-stage", "prod", "-phone", phone, "-tenant", "acme"}, args...)...)
	}, [][]string{
		{"-stage", ""}, {"-stage", "live"}, {"-phone", ""}, {"-phone", "+15550783881"}, {"-phone", "me"},
		{"-phone", ".."}, {"-phone", "1234"},
		{"-tenant", ""}, {"-tenant", "a#b"}, {"-tenant", "a b"}, {"-waba", "acme"}, {"-remove", "-move"},
		{"-remove", "-waba", "1"}, {"more"},
		{"-remove", "-coexistence", "on"}, {"-coexistence", "yes"}, {"-marketing-messages", "1"},
	})
}

func TestARefusalOfAWSIsOneLineAndChangesNothing(t *testing.T) {
	for operation, want := range map[string]string{
		"GetCallerIdentity":  "ask AWS who we are: AccessDeniedException: no",
		"BatchGetItem":       "change the number: AccessDeniedException: no",
		"TransactWriteItems": "change the number: AccessDeniedException: no",
	} {
		w := newWorld(t, tables.Prod)
		w.account.Refuse[operation] = "AccessDeniedException:no\nand much more"
		if _, err := run(t, "-stage", "prod", "-phone", phone, "-tenant", "acme"); err == nil || err.Error() != want {
			t.Errorf("%s: %v", operation, err)
		}
		if w.owner() != "" || len(w.records()) != 0 {
			t.Errorf("%s: something was written", operation)
		}
	}
	newWorld(t, tables.Staging)
	if _, err := run(t, "-stage", "prod", "-phone", phone, "-tenant", "acme"); err == nil ||
		!strings.HasPrefix(err.Error(), "the tables of prod are not there: deploy first") {
		t.Errorf("nothing deployed: %v", err)
	}
}

func TestTheLocalCloudsNumbersAreGivenToo(t *testing.T) {
	w := newWorld(t, tables.Dev)
	dir := t.TempDir()
	t.Setenv("LOCAL_DIR", dir)
	if _, err := run(t, "-stage", "local", "-phone", phone, "-tenant", "acme"); err == nil ||
		!strings.Contains(err.Error(), "start it with make run") {
		t.Errorf("none runs: %v", err)
	}
	addresses, _ := json.Marshal(map[string]string{"dynamodb": w.endpoint})
	if err := os.WriteFile(filepath.Join(dir, "addresses.json"), addresses, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, "-stage", "local", "-phone", phone, "-tenant", "acme")
	if err != nil || w.owner() != "acme" || len(w.account.Asked) != 0 {
		t.Errorf("%v: %s, asked AWS %v", err, out, w.account.Asked)
	}
	if records := w.records(); len(records) != 1 || records[0].AdminEcosystemID != "operator command" {
		t.Errorf("%+v", records)
	}
}

func TestATenantGetsANumberThatSendsSMS(t *testing.T) {
	w := newWorld(t, tables.Prod)
	const sender = "+447700900444"
	acme := []string{"-stage", "prod", "-sender", sender, "-tenant", "acme"}
	for _, c := range []struct {
		args         []string
		says, refuse string
		owner        model.TenantID
	}{
		{nil, sender + " is acme's\n", "", "acme"},
		{nil, sender + " is acme's already\n", "", "acme"},
		{[]string{"-tenant", "bazaar"}, "", "to take it from them, say ARGS=-move", "acme"},
		{[]string{"-tenant", "bazaar", "-remove"}, "", sender + " is not bazaar's, but acme's", "acme"},
		{[]string{"-tenant", "bazaar", "-move"}, sender + " is bazaar's\n", "", "bazaar"},
		{[]string{"-tenant", "bazaar", "-remove"}, sender + " was taken from bazaar", "", ""},
		{[]string{"-remove"}, sender + " is nobody's already\n", "", ""},
		{[]string{"-phone", phone}, "", "and no -phone", ""},
		{[]string{"-sender", "447700900444"}, "", "E.164", ""},
		{[]string{"-waba", "1020"}, "", "-sender goes with none of", ""},
	} {
		out, err := run(t, append(slices.Clone(acme), c.args...)...)
		if !strings.HasPrefix(out, c.says) || (err != nil) != (c.refuse != "") ||
			err != nil && (!strings.Contains(err.Error(), c.refuse) || out != "") {
			t.Errorf("%q: %v: %s", c.args, err, out)
		}
		var is model.Sender
		err = w.db().Get(t.Context(), tables.Messages, keys.Sender(sender), &is)
		if err != nil || is.TenantID != c.owner {
			t.Errorf("%q: the number is %q's: %v", c.args, is.TenantID, err)
		}
	}
	records, _, err := (&audit.Log{DB: w.db()}).List(t.Context(), audit.Target{Type: tenancy.TargetNumber, ID: sender},
		100, "")
	if err != nil || len(records) != 3 {
		t.Errorf("%d records, %v", len(records), err)
	}
}
