package doctor_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/cloud"
)

// runLocally makes the fixture that of a local cloud which runs in a folder, with secrets from the environment.
func (w *fixture) runLocally() (dir string) {
	w.t.Helper()
	dir = w.t.TempDir()
	engine := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		item := map[string]any{}
		if ref := w.localRef; ref != "" && strings.Contains(string(asked), "PHONE#"+phone) {
			item["Item"] = map[string]any{"accessTokenRef": map[string]string{"S": ref}}
		}
		answer.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_ = json.NewEncoder(answer).Encode(item)
	}))
	w.t.Cleanup(engine.Close)
	addresses, err := json.Marshal(cloud.Addresses{HTTP: w.api.URL, WhatsApp: w.meta.URL, DynamoDB: engine.URL})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "addresses.json"), addresses, 0o600); err != nil {
		w.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"LOCAL_DIR": dir, "WHATSAPP_APP_SECRET": appSecret, "WHATSAPP_VERIFY_TOKEN": verifyToken,
		"WHATSAPP_ACCESS_TOKEN": accessToken, "WHATSAPP_GRAPH_URL": "",
	} {
		w.t.Setenv(name, value)
	}
	return dir
}

func TestALocalCloudIsExaminedWithoutAWS(t *testing.T) {
	w := newFixture(t)
	w.runLocally()
	report, err := w.examine("-stage", "local", "-graph-url", "")
	if err != nil || len(w.aws.Asked) > 0 {
		t.Errorf("%v; AWS was asked %v", err, w.aws.Asked)
	}
	has(t, report, "ok       local cloud: runs at "+w.api.URL+", WhatsApp at "+w.meta.URL+"/v23.0",
		"-        AWS: there is none", "18 ok, 0 missing, 0 warnings, 0 unknown")

	w.account(`{"subscribed":false}`)
	report, err = w.examine("-stage", "local", "-graph-url", "")
	if err == nil {
		t.Error("nothing is missing")
	}
	has(t, report, `curl -X POST -H "Authorization: Bearer $WHATSAPP_ACCESS_TOKEN" `+w.meta.URL)

	w.api.verifyToken = "another"
	report, _ = w.examine("-stage", "local", "-graph-url", "")
	has(t, report, "→ give doctor the same WHATSAPP_VERIFY_TOKEN as make run")
}

func TestALocalCloudThatDoesNotRunIsMissing(t *testing.T) {
	w := newFixture(t)
	dir := w.runLocally()
	if err := os.Remove(filepath.Join(dir, "addresses.json")); err != nil {
		t.Fatal(err)
	}
	report, err := w.examine("-stage", "local", "-graph-url", "")
	if err == nil || strings.Contains(report, "ok  ") {
		t.Errorf("%v", err)
	}
	has(t, report, "MISSING  local cloud: none runs in "+dir, "make run",
		"not looked at, because of the above: API, API without a token, clocks, webhook handshake",
		"0 ok, 1 missing, 0 warnings, 0 unknown")
	t.Setenv("HTTP_PORT", "many")
	report, _ = w.examine("-stage", "local", "-graph-url", "")
	has(t, report, "MISSING  local cloud: HTTP_PORT is no port")
}

func TestALocalCloudThatWasKilledIsOneThingMissing(t *testing.T) {
	w := newFixture(t)
	w.runLocally()
	w.api.Close()
	w.meta.Close()
	report, err := w.examine("-stage", "local", "-graph-url", "")
	if err == nil {
		t.Error("nothing is missing")
	}
	has(t, report, "any more: no answer from 127.0.0.1", "0 ok, 1 missing, 0 warnings, 0 unknown")
}

// If make run and the doctor have different secrets, Meta cannot help.
func TestAWrongSecretOnALaptopIsOneThingMissing(t *testing.T) {
	for variable, value := range map[string]string{
		"WHATSAPP_APP_SECRET": "00112233445566778899aabbccddeeff", "WHATSAPP_VERIFY_TOKEN": "another",
		"WHATSAPP_ACCESS_TOKEN": "EAAJanother",
	} {
		w := newFixture(t)
		w.runLocally()
		t.Setenv(variable, value)
		report, err := w.examine("-stage", "local", "-graph-url", "")
		if err == nil || strings.Contains(report, "Meta's dashboard") || strings.Contains(report, "business settings") {
			t.Errorf("%s: %v in:\n%s", variable, err, report)
		}
		has(t, report, "→ give doctor the same "+variable+" as make run", "1 missing, 0 warnings, 0 unknown")
	}
}

func TestTheTokenOfANumberIsFoundInTheEnvironmentOnALaptop(t *testing.T) {
	const about, variable = "own token of 15550783881 (" + phone + ")", "WHATSAPP_ACCESS_TOKEN_ACME"
	for _, c := range []struct{ ref, value, want string }{
		{"env:" + variable, accessToken, "ok       " + about + ": of the app Simulated App"},
		{"env:" + variable, "", "MISSING  " + about + ": " + variable + " is not set here"},
		{"env:" + variable, "EAAJanother", "→ give doctor the same " + variable + " as make run"},
		{"env:HOME", "", "MISSING  " + about + ": the functions cannot read it where accessTokenRef says: env:HOME"},
		{"secretsmanager:" + ownSecret, "", "set accessTokenRef on the number's item to env:WHATSAPP_ACCESS_TOKEN_"},
	} {
		w := newFixture(t)
		w.localRef = c.ref
		w.runLocally()
		t.Setenv(variable, c.value)
		report, _ := w.examine("-stage", "local", "-graph-url", "")
		has(t, report, c.want)
	}
}
