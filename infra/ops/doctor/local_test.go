package doctor_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/cloud"
)

// runLocally makes the world that of a local cloud which runs in a folder, with secrets from the environment.
func (w *world) runLocally() (dir string) {
	w.t.Helper()
	dir = w.t.TempDir()
	addresses, err := json.Marshal(cloud.Addresses{HTTP: w.api.URL, WhatsApp: w.meta.URL})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "addresses.json"), addresses, 0o600); err != nil {
		w.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"LOCAL_DIR": dir, "WHATSAPP_APP_SECRET": appSecret, "WHATSAPP_VERIFY_TOKEN": verifyToken, "WHATSAPP_ACCESS_TOKEN": accessToken, "WHATSAPP_GRAPH_URL": "",
	} {
		w.t.Setenv(name, value)
	}
	return dir
}

func TestALocalCloudIsExaminedWithoutAWS(t *testing.T) {
	w := newWorld(t)
	w.runLocally()
	report, err := w.examine("-stage", "local", "-graph-url", "")
	if err != nil || len(w.aws.Asked) > 0 {
		t.Errorf("%v; AWS was asked %v", err, w.aws.Asked)
	}
	has(t, report, "ok       local cloud: runs at "+w.api.URL+", WhatsApp at "+w.meta.URL+"/v23.0", "-        AWS: there is none", "14 ok, 0 missing, 0 warnings, 0 unknown")

	w.account(`{"subscribed":false}`)
	report, err = w.examine("-stage", "local", "-graph-url", "")
	if err == nil {
		t.Error("nothing is missing")
	}
	has(t, report, `curl -X POST -H "Authorization: Bearer $WHATSAPP_ACCESS_TOKEN" `+w.meta.URL)

	w.api.verifyToken = "another"
	report, _ = w.examine("-stage", "local", "-graph-url", "")
	has(t, report, "run this with the same WHATSAPP_VERIFY_TOKEN as make run")
}

func TestALocalCloudThatDoesNotRunIsMissing(t *testing.T) {
	w := newWorld(t)
	dir := w.runLocally()
	if err := os.Remove(filepath.Join(dir, "addresses.json")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HTTP_PORT", "1")
	t.Setenv("WHATSAPP_PORT", "1")
	report, err := w.examine("-stage", "local", "-graph-url", "")
	if err == nil || strings.Contains(report, "ok  ") {
		t.Errorf("%v", err)
	}
	has(t, report, "MISSING  local cloud: none runs in "+dir, "make run", "MISSING  API: no answer from 127.0.0.1:1")
	t.Setenv("HTTP_PORT", "many")
	report, _ = w.examine("-stage", "local", "-graph-url", "")
	has(t, report, "MISSING  local cloud: HTTP_PORT is no port")
}
