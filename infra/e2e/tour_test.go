package e2e

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
)

// expected is what each command of the README's tour must print, in order. A command without a line here fails the test,
// and so does a line without a command.
var expected = []struct{ starts, prints string }{
	{"make say FROM=919876543210 TEXT=\"2 kg", "it is in the inbox"},
	{"haat /v1/conversations", `"unreadCount":1`},
	{"haat /v1/conversations/106540352242922:919876543210/read", ""},
	{"haat /v1/conversations/106540352242922:919876543210/messages/text", `"status":"queued"`},
	{"await /v1/conversations/106540352242922:919876543210/messages", `"delivery":{"status":"read"`},
	{"haat /v1/conversations/106540352242922:917777777777/messages/text", "urn:haatline:problem:window-closed"},
	{"haat /v1/conversations/106540352242922:917777777777/messages/template", `"status":"queued"`},
	{"curl -sS http://127.0.0.1:3001/simulator/faults", ""},
	{"haat /v1/conversations/106540352242922:919876543210/messages/text", `"status":"queued"`},
	{"await '/v1/outbox?state=dead_letter'", "WhatsApp error 131026"},
	{"haat /v1/outbox/$(haat", `"status":"queued"`},
	{"printf ", ""},
	{"begun=$(haat /v1/numbers/106540352242922/media", ""},
	{"file=$(echo", ""},
	{"curl -sS -T .local/menu.pdf", ""},
	{"haat /v1/numbers/106540352242922/media/$file -X PUT", `"contentType":"application/pdf"`},
	{"await /v1/media/$file", `"filename":"Menu.pdf"`},
	{"haat /v1/conversations/106540352242922:919876543210/messages/document", `"status":"queued"`},
	{"make say FROM=919876543210 TEXT=STOP", "it is in the inbox"},
	{"haat /v1/conversations/106540352242922:919876543210", `"optedOutAt":"20`},
	{"await '/v1/webhook-events?kind=status&limit=2&wabaId=102290129340398'", `"processedAt":"20`},
	{"haat /v1/conversations/106540352242922:919876543210/erase", `"complete":true`},
	{"haat /v1/conversations/106540352242922:919876543210/audit", `"action":"customer.erase"`},
	{"haat /v1/cards/program -X PUT", `"version":1`},
	{"user=$(haat /v1/cards/users", ""},
	{"haat /v1/cards/users/$user/requests", `"status":"pending"`},
	{"await '/v1/cards/notifications?state=read'", `.approval_request.ravi"`},
	{"make say FROM=919811111111 BUTTON=Approve", "it is in the inbox"},
	{"await /v1/cards/users/$user/cards", `"limit":"10000.00"`},
	{"make say FROM=919822222222 BUTTON=Reject", "it is in the inbox"},
	{"await /v1/conversations/106540352242922:919822222222/messages", "Nothing changed: Ravi approved this request"},
	{"haat /v1/cards/audit-records?actor=admin:ravi", `"action":"card-request.approved"`},
	{"haat /v1/cards/program -X PUT", `"approvalSeconds":`},
	{"haat /v1/cards/users/$user/requests", `"status":"pending"`},
	{"await /v1/cards/users/$user/requests", `"reason":"expired"`},
	{"shop=$(haat /v1/stores", ""},
	{`make say PHONE=106540352242923 FROM=919876543212 TEXT="2 kg chawal`, "it is in the inbox"},
	{`await "/v1/stores/$shop/sessions/919876543212"`, `"questions":["chawal"]`},
	{"said", "Kaun sa chawal?"},
	{`make say PHONE=106540352242923 FROM=919876543212 BUTTON=`, "it is in the inbox"},
	{`await "/v1/stores/$shop/sessions/919876543212"`, `"pendingConfirmation":true`},
	{`make say PHONE=106540352242923 FROM=919876543212 TEXT="haan"`, "it is in the inbox"},
	{`await "/v1/stores/$shop/orders?status=pending"`, `"total":"151.00"`},
	{"order=$(haat", ""},
	{"for state in confirmed", `"status":"delivered"`},
	{`await "/v1/stores/$shop/metrics`, `"totalRevenue":"151.00"`},
	{"haat /v1/stores/$shop/products/RICE-1", `"stockQuantity":"78"`},
	{"haat /v1/stores/$shop/catalogue", "product_id,name,name_local"},
	{"khata=", ""},
	{`make say PHONE=106540352242923 FROM=919844444444 TEXT="+500`, "it is in the inbox"},
	{"await $khata", `"balance":"500.00"`},
	{`make say PHONE=106540352242923 FROM=919876543212 TEXT="mera kitna`, "it is in the inbox"},
	{`await "/v1/conversations/106540352242923:919876543212/messages`, "₹500"},
	{`make say PHONE=106540352242923 FROM=919876543212 TEXT="200 bhej`, "it is in the inbox"},
	{`await "/v1/conversations/106540352242923:919844444444/messages`, "have paid ₹200"},
	{`make say PHONE=106540352242923 FROM=919844444444 BUTTON=`, "it is in the inbox"},
	{"await $khata", `"balance":"300.00"`},
	{`haat "$khata/statement`, `"closing":"300.00"`},
	{"make reconcile STAGE=local", "1 ledgers with 2 entries, 0 orders on credit and 2 idempotency records: 0 findings"},
}

// commands are the lines of the README's sh blocks, with the definitions that precede them.
func commands(text string) (definitions string, lines []string) {
	for i, block := range strings.Split(text, "```sh\n") {
		if i == 0 {
			continue
		}
		body, _, _ := strings.Cut(block, "```")
		for line := range strings.Lines(body) {
			if line = strings.TrimSpace(line); strings.Contains(line, "() {") {
				definitions += line + "\n"
			} else if line != "" {
				lines = append(lines, line)
			}
		}
	}
	return definitions, lines
}

// The tour is pasted at once: nobody looks again where something was not there yet.
func TestTheReadmesTour(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.Demo = true })
	definitions, lines := commands(readme(t, r.root))
	if len(lines) != len(expected) {
		t.Fatalf("the README has %d commands, the test knows %d", len(lines), len(expected))
	}
	here := strings.NewReplacer(
		"http://127.0.0.1:3000", r.Addresses.HTTP, "http://127.0.0.1:3001", r.Addresses.WhatsApp, ".local/token", r.dir+"/token", ".local/menu.pdf", r.dir+"/menu.pdf",
		`"approvalSeconds":60`, `"approvalSeconds":1`,
	)
	ticking, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { // a minute is long for a test
		for ticking.Err() == nil {
			_, _ = r.Trigger(ticking, "approvals-sweep")
			time.Sleep(time.Second)
		}
	}()
	pasted := definitions
	for i, line := range lines {
		if !strings.HasPrefix(line, expected[i].starts) {
			t.Fatalf("command %d is %q, not %q…", i, line, expected[i].starts)
		}
		pasted += line + "\necho " + between + "\n"
	}
	printed := strings.Split(shell(t, r, here.Replace(pasted)), between)
	if len(printed) != len(lines)+1 {
		t.Fatalf("%d of %d commands ran:\n%s", len(printed)-1, len(lines), printed)
	}
	for i, line := range lines {
		if !strings.Contains(printed[i], expected[i].prints) {
			t.Errorf("%s\nprints %s\nwithout %s", line, printed[i], expected[i].prints)
		}
	}
}

// between is printed behind what each command prints.
const between = "=== next"

// shell runs a script that is pasted: each command could read what comes after it.
func shell(t *testing.T, r *running, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // the README waits for ever
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-s")
	cmd.Stdin, cmd.WaitDelay = strings.NewReader(script), time.Second
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "LOCAL_DIR="+r.dir, "MAKEFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
	return string(out)
}
