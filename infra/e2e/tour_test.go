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

// expected is what each command of the README's tour must print, in order. A command without a line here fails the
// test, and so does a line without a command.
var expected = []struct{ starts, prints string }{
	{"shop=$(haat /v1/stores", ""}, {"run=", ""}, {"asha=", ""}, {"chat=", ""},
	{`make say PHONE=106540352242923 FROM=$asha TEXT="2 kg chawal`, "it is in the inbox"},
	{`await "$chat/messages?limit=1"`, "chawal mein kya chahiye?"},
	{`make say PHONE=106540352242923 FROM=$asha BUTTON=`, "it is in the inbox"},
	{`await "/v1/stores/$shop/sessions/$asha"`, `"pendingConfirmation":true`},
	{`make say PHONE=106540352242923 FROM=$asha TEXT="haan"`, "it is in the inbox"},
	{"order=$(await", ""},
	{"for state in confirmed", `"status":"delivered"`},
	{`await "/v1/stores/$shop/metrics`, `"totalRevenue":"`},
	{"khata=", ""},
	{`make say PHONE=106540352242923 FROM=919844444444 TEXT="+500`, "it is in the inbox"},
	{"await $khata", `"balance":"500.00"`},
	{`make say PHONE=106540352242923 FROM=$asha TEXT="mera kitna`, "it is in the inbox"},
	{`await "$chat/messages?limit=9"`, "₹500"},
	{`make say PHONE=106540352242923 FROM=$asha TEXT="200 bhej`, "it is in the inbox"},
	{`await "/v1/conversations/106540352242923:919844444444/messages`, "have paid ₹200"},
	{`await "/v1/conversations/106540352242923:919844444444/messages`, `"status":"read"`},
	{`make say PHONE=106540352242923 FROM=919844444444 BUTTON=`, "it is in the inbox"},
	{"await $khata", `"balance":"300.00"`},
	{`haat "$khata/statement`, `"closing":"300.00"`},
	{"make reconcile STAGE=local", ": 0 findings"},
	{"chat=", ""},
	{"make say FROM=$asha TEXT=", "it is in the inbox"},
	{"await $chat", `"unreadCount":1`},
	{"haat $chat/read", ""},
	{"haat $chat/messages/text", `"status":"queued"`},
	{`await "$chat/messages`, `"delivery":{"status":"read"`},
	{"haat /v1/conversations/106540352242922:9198764$run/messages/text", "urn:haatline:problem:window-closed"},
	{"haat /v1/conversations/106540352242922:9198764$run/messages/template", `"status":"queued"`},
	{"curl -sS http://127.0.0.1:3001/simulator/faults", ""},
	{"failed=$(haat $chat/messages/text", ""},
	{"await /v1/outbox/$failed", "WhatsApp error 131026"},
	{"haat /v1/outbox/$failed/replay", `"status":"queued"`},
	{`await "$chat/messages`, `"delivery":{"status":"read"`},
	{"version=", ""},
	{"haat /v1/cards/program -X PUT", `"version":`},
	{"user=$(haat /v1/cards/users", ""},
	{"request=$(haat /v1/cards/users/$user/requests", ""},
	{`await "/v1/cards/notifications`, `.approval_request.ravi"`},
	{"make say FROM=919811111111 BUTTON=Approve", "it is in the inbox"},
	{"await /v1/cards/users/$user/cards", `"limit":"10000.00"`},
	{"make say FROM=919822222222 BUTTON=Reject", "it is in the inbox"},
	{`await "/v1/conversations/106540352242922:919822222222/messages`, "Nothing changed: Ravi approved this request"},
	{"haat '/v1/cards/audit-records", `"action":"card-request.approved"`},
	{"phone=", ""},
	{"make number STAGE=local", "demo"},
	{"curl -sS http://127.0.0.1:3001/simulator/numbers", ""},
	{"haat /v1/companies", `"id":"jobs-`},
	{"project=", ""},
	{"haat $project -X PUT", `"version":1`},
	{"printf 'id,question", `"entries":1`},
	{"haat $project/conversations", `"status":"processing"`},
	{"talk=", ""},
	{"await $talk", `"status":"initial_message_sent"`},
	{"make say PHONE=$phone FROM=$asha TEXT=", "it is in the inbox"},
	{"await $talk", "I am the automatic assistant of Haat Jobs"},
	{"make say PHONE=$phone FROM=$asha TEXT=", "it is in the inbox"},
	{"await $talk", `"sources":["order_state"]`},
	{"make say PHONE=$phone FROM=$asha TEXT=", "it is in the inbox"},
	{"await $talk", `"handOverReason":"requested"`},
	{"haat $talk/messages", `"status":"with_person"`},
	{"haat $talk/hand-back", `"status":"awaiting_reply"`},
	{`haat $project/conversations -H "Idempotency-Key: e$run`, `"status":"processing"`},
	{"await $project/recipients/asha$run@example.com", `"channel":"email"`},
	{"make say EMAIL=asha$run@example.com", "is on its way"},
	{"await $project/recipients/asha$run@example.com", "I am the automatic assistant of Haat Jobs"},
	{"version=", ""},
	{"haat '/v1/community-settings?tenantId=demo' -X PUT", `"open":true`},
	{"meera=", ""},
	{"kabir=", ""},
	{"market=", ""},
	{"as $kabir /communities/$market/join", `"state":"joined"`},
	{"room=", ""},
	{"asked=", ""},
	{"as $meera /group-chats/$room/requests/$asked/accept", `"status":"accepted"`},
	{"as $meera /chats/group/$room/messages", `"content":"Kolam is 60 a kilo today."`},
	{"told $kabir", `"type":"mention"`},
	{"link=", ""}, {"curl -sS -X PUT", ""}, {"file=", ""}, {"sent=", ""},
	{`curl -sS "$(as $kabir`, "Kolam is 60"},
	{"as $kabir /chats/group/$room/presence", `"repeatAfterSeconds":5`},
	{"as $kabir /me/chats", `"unread":2`},
	{"make say FROM=$asha NAME=Asha GROUP=rice$run", "it is in the inbox"},
	{"haat /v1/community-bridges/$market", `"leftOut":0`},
	{"make say FROM=$asha NAME=Asha GROUP=rice$run", "it is in the inbox"},
	{"for _ in", ""},
	{"as $meera /chats/group/$room/messages", `"content":"52 a kilo."`},
	{"await /v1/conversations/106540352242922:rice$run/messages", "*meera*"},
	{"haat $chat/messages/order-details", `"status":"queued"`},
	{"paid=", ""},
	{`await "$chat/messages?limit=1"`, `"delivery":{"status":"read"`},
	{"make pay PHONE=106540352242922", ": captured"},
	{"await $paid", `"status":"completed"`},
	{"campaign=", ""},
	{"printf", ""},
	{"haat $campaign/files", `"added":2`},
	{"haat $campaign/estimate", `"recipients":2`},
	{"haat $campaign/start", `"status":"running"`},
	{"await $campaign", `"sent":2`},
	{"haat $campaign/recipients", `"outcome":"`},
	{"haat $chat/erase", `"complete":true`},
	{"haat $chat/audit", `"action":"customer.erase"`},
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

// The tour is pasted at once, and again on the data that it has left.
func TestTheReadmesTour(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.Demo = true })
	definitions, lines := commands(readme(t, r.root))
	if len(lines) != len(expected) {
		t.Fatalf("the README has %d commands, the test knows %d", len(lines), len(expected))
	}
	here := strings.NewReplacer(
		"http://127.0.0.1:3000", r.Addresses.HTTP, "http://127.0.0.1:3001", r.Addresses.WhatsApp, ".local/token",
		r.dir+"/token",
	)
	pasted := definitions
	for i, line := range lines {
		if !strings.HasPrefix(line, expected[i].starts) {
			t.Fatalf("command %d is %q, not %q…", i, line, expected[i].starts)
		}
		pasted += line + "\necho " + between + "\n"
	}
	for _, time := range []string{"the first time", "again"} {
		printed := strings.Split(shell(t, r, here.Replace(pasted)), between)
		if len(printed) != len(lines)+1 {
			t.Fatalf("%s: %d of %d commands ran:\n%s", time, len(printed)-1, len(lines), printed)
		}
		for i, line := range lines {
			if !strings.Contains(printed[i], expected[i].prints) {
				t.Errorf("%s: %s\nprints %s\nwithout %s", time, line, printed[i], expected[i].prints)
			}
		}
	}
}

// between is printed behind what each command prints.
const between = "=== next"

// shell runs a script that is pasted: each command could read what comes after it.
func shell(t *testing.T, r *running, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
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
