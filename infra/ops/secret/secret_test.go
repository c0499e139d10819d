package secret_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/secret"
)

const id = "haatline/prod/whatsapp"

func run(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := secret.Run(t.Context(), append([]string{"-stage", "prod"}, args...), strings.NewReader(in), &out, &out)
	return out.String(), err
}

func holds(t *testing.T, account *awstest.AWS, want map[string]string) {
	t.Helper()
	var got map[string]string
	if err := json.Unmarshal([]byte(account.Secrets[id].Value), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAValueIsPutBesideTheOthers(t *testing.T) {
	account := awstest.New(t)
	account.Secrets[id] = awstest.Secret{Value: `{"unused":"x"}`}
	for name, value := range map[string]string{"WHATSAPP_APP_SECRET": "first", "WHATSAPP_VERIFY_TOKEN": "second"} {
		out, err := run(t, " "+value+"\n", "-name", name)
		if err != nil || strings.Contains(out, value) || !strings.Contains(out, name+" is in "+id) {
			t.Errorf("%v: %s", err, out)
		}
	}
	holds(t, account, map[string]string{"WHATSAPP_APP_SECRET": "first", "WHATSAPP_VERIFY_TOKEN": "second"})
	if out, err := run(t, "", "-name", "WHATSAPP_APP_SECRET", "-show"); err != nil || out != "first\n" {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := run(t, "", "-name", "WHATSAPP_ACCESS_TOKEN", "-show"); err == nil {
		t.Error("a value that is not there is shown")
	}
}

// A deployment that had a secret for each value has its values again after one command.
func TestTheValuesOfAnOlderDeploymentAreTakenOver(t *testing.T) {
	account := awstest.New(t)
	account.Secrets[id] = awstest.Secret{Value: `{"WHATSAPP_VERIFY_TOKEN":"newer"}`}
	account.Secrets["haatline/prod/whatsapp-app-secret"] = awstest.Secret{Value: "app\n"}
	account.Secrets["haatline/prod/whatsapp-verify-token"] = awstest.Secret{Value: "older"}
	out, err := run(t, "", "-take-over")
	if err != nil || !strings.Contains(out, "delete-secret --secret-id haatline/prod/whatsapp-app-secret") ||
		!strings.Contains(out, "WHATSAPP_ACCESS_TOKEN is nowhere") {
		t.Errorf("%v: %s", err, out)
	}
	holds(t, account, map[string]string{"WHATSAPP_APP_SECRET": "app", "WHATSAPP_VERIFY_TOKEN": "newer"})
}

func TestWhatCannotBeIsRefusedInOneLine(t *testing.T) {
	account := awstest.New(t)
	if _, err := run(t, "x", "-name", "WHATSAPP_APP_SECRET"); err == nil ||
		!strings.Contains(err.Error(), "deploy first") {
		t.Errorf("nothing deployed: %v", err)
	}
	account.Secrets[id] = awstest.Secret{Value: `the bare value`}
	if _, err := run(t, "x", "-name", "WHATSAPP_APP_SECRET"); err == nil ||
		strings.Contains(err.Error(), "bare value") {
		t.Errorf("no JSON: %v", err)
	}
	account.Secrets[id] = awstest.Secret{Value: `{}`}
	if _, err := run(t, " \n", "-name", "WHATSAPP_APP_SECRET"); err == nil {
		t.Error("an empty value is taken")
	}
	awstest.New(t).WantWrongUse(t, func(t *testing.T, args ...string) (string, error) { return run(t, "x", args...) },
		[][]string{
			{"-name", "PASSWORD"}, {}, {"-stage", "local", "-name", "WHATSAPP_APP_SECRET"},
		})
}

// The keys of cursors are in a secret of their own, so that nobody's change of one loses the other.
func TestTheKeysOfCursorsAreRotatedInTheirOwnSecret(t *testing.T) {
	account := awstest.New(t)
	const cursors = "haatline/prod/cursors"
	account.Secrets[id] = awstest.Secret{Value: `{"WHATSAPP_APP_SECRET":"first"}`}
	account.Secrets[cursors] = awstest.Secret{Value: `{"CURSOR_KEYS":"old"}`}
	if out, err := run(t, "new,old\n", "-name", "CURSOR_KEYS"); err != nil ||
		!strings.Contains(out, "CURSOR_KEYS is in "+cursors) {
		t.Errorf("%v: %s", err, out)
	}
	if got := account.Secrets[cursors].Value; got != `{"CURSOR_KEYS":"new,old"}` {
		t.Error(got)
	}
	holds(t, account, map[string]string{"WHATSAPP_APP_SECRET": "first"})
	if out, err := run(t, "", "-name", "CURSOR_KEYS", "-show"); err != nil || out != "new,old\n" {
		t.Errorf("%v: %s", err, out)
	}
}
