package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/eventually"
)

// ops runs the built command for whoever has deployed haatline, beside the running cloud.
func (r *running) ops(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(shared.dir, "ops"), args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "LOCAL_DIR="+r.dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String() + stderr.String(), err
}

// All is well with a cloud that has just started, and what is wrong at Meta is said with what to do about it.
func TestTheDoctorSeesWhatIsMissing(t *testing.T) {
	r := start(t, t.TempDir())
	if report, err := r.ops(t, "doctor", "-stage", "local"); err != nil ||
		!strings.Contains(report, " 0 missing, 0 warnings, 0 unknown") {
		t.Errorf("%v\n%s", err, report)
	}
	// Whoever asks what is wrong makes nothing wrong: what it posted is not among what nobody understands.
	var events struct{ Items []json.RawMessage }
	r.get(t, "/v1/webhook-events?kind=unknown&wabaId=unknown", &events, func() bool { return true })
	if len(events.Items) != 0 {
		t.Errorf("the doctor left %s", events.Items)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, r.Addresses.WhatsApp+"/simulator/account",
		strings.NewReader(`{"subscribed":false,"status":"PENDING"}`))
	if err != nil {
		t.Fatal(err)
	}
	do(t, request)
	report, err := r.ops(t, "doctor", "-stage", "local")
	if err == nil || strings.Count(report, "MISSING") != 2 || !strings.Contains(report, "subscribed_apps") {
		t.Errorf("%v\n%s", err, report)
	}
}

// Nothing goes out from a number whose token is refused, for a while, and nobody has read the log.
func TestTheDoctorSeesThatASenderIsStopped(t *testing.T) {
	r := start(t, t.TempDir())
	r.simulate(t, "/say", `{"from":"919876500001","text":"2 kg rice"}`)
	var list inbox
	r.get(t, "/v1/conversations", &list, func() bool { return len(list.Conversations) == 1 })
	r.giveToken(t, "106540352242922", "env:WHATSAPP_ACCESS_TOKEN_ACME")
	r.simulate(t, "/faults", `{"fail":{"code":190,"http":401}}`)
	r.want(t, http.StatusAccepted, http.MethodPost, "/v1/conversations/106540352242922:919876500001/messages/text",
		`{"body":"Ready."}`)
	report, stopped := "", "(106540352242922) is stopped until "
	for deadline := time.Now().Add(eventually.Limit); time.Now().Before(deadline) &&
		!strings.Contains(report, stopped); {
		report, _ = r.ops(t, "doctor", "-stage", "local")
	}
	if !strings.Contains(report, stopped) || !strings.Contains(report, "WHATSAPP_ACCESS_TOKEN_ACME is not set here") {
		t.Error(report)
	}
}

// The export holds all there is: a conversation, its messages both ways, and the log entries.
func TestTheExportHoldsEverything(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir())
	r.simulate(t, "/say", `{"from":"919876500001","text":"2 kg rice"}`)
	var list inbox
	r.get(t, "/v1/conversations", &list, func() bool { return len(list.Conversations) == 1 })
	const path = "/v1/conversations/106540352242922:919876500001/messages"
	r.want(t, http.StatusAccepted, http.MethodPost, path+"/text", `{"body":"Ready in ten minutes."}`)
	var page timeline
	r.get(t, path, &page,
		func() bool { return page.Messages[0].Delivery != nil && page.Messages[0].Delivery.Status == "read" })
	out, err := r.ops(t, "export", "-stage", "local")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kinds := map[string]int{}
	for lines := bufio.NewScanner(strings.NewReader(out)); lines.Scan(); {
		var line struct{ Kind string }
		if json.Unmarshal(lines.Bytes(), &line) == nil {
			kinds[line.Kind]++
		}
	}
	if kinds["conversation"] != 1 || kinds["message"] != 2 || kinds["webhookEvent"] != 4 || kinds["end"] != 1 ||
		!strings.Contains(out, "2 kg rice") || !strings.Contains(out, "Ready in ten minutes.") {
		t.Errorf("%v\n%s", kinds, out)
	}
}
