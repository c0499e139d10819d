package corpus_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/haatline/haatline/infra/local/corpus"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/eum/notices"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

const secret = "local-app-secret" // the samples are signed with it

// webhook answers signed bodies with 200, or with 500 if they contain the word refuse.
type webhook struct {
	t      *testing.T
	mu     sync.Mutex
	bodies []string
}

func newWebhook(t *testing.T) (*webhook, string) {
	t.Setenv("LOCAL_DIR", t.TempDir()) // ignore a cloud that runs here
	w := &webhook{t: t}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	return w, server.URL
}

func (h *webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		h.t.Error(err)
	}
	if !whatsapp.VerifySignature([]string{secret}, r.Header.Get("X-Hub-Signature-256"), raw) {
		h.t.Errorf("bad signature of %s", raw)
	}
	h.mu.Lock()
	h.bodies = append(h.bodies, string(raw))
	h.mu.Unlock()
	if bytes.Contains(raw, []byte("refuse")) {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// folder writes files and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func messages(list string) string {
	return `{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"messages","value":{"messages":[` +
		list + `]}}]}]}`
}

func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := corpus.Run(t.Context(), append([]string{"-secret", secret}, args...), &out)
	return out.String(), err
}

func TestEveryBodyIsPostedAsItIsAndCounted(t *testing.T) {
	hook, url := newWebhook(t)
	spaced := messages(` {"id":"a", "type":"text", "text":{"body":"caf\u00e9 \/"}},{"type":"image"}`)
	dir := folder(t, map[string]string{
		"a.json": spaced,
		"b/c.json": `{"entry":[{"changes":[{"field":"messages","value":{"statuses":[{"id":"s","status":"read"},` +
			`{"id":"s"}]}},{"field":"account_update","value":{"event":"X"}}]}]}`,
		"b/d.json": `{"object":"whatsapp_business_account","entry":{}}`,
		"b/e.json": `{"entry":[{"changes":[{"field":"smb_message_echoes","value":{"message_echoes":[{"id":"e",` +
			`"type":"text"}]}},{"value":{}}]}]}`,
		"b/send.json":  `{"messaging_product":"whatsapp","to":"1"}`,
		"b/list.json":  `[]`,
		"b/other.json": `not json`,
		"README.md":    `not looked at`,
	})
	out, err := run(t, "-dir", dir, "-url", url)
	if err != nil {
		t.Fatal(err)
	}
	if len(hook.bodies) != 4 || hook.bodies[0] != spaced {
		t.Errorf("posted %q", hook.bodies)
	}
	for _, line := range []string{
		"200  a.json  1 message image, 1 message text\n",
		"200  b/c.json  1 account_update, 1 status read, 1 status without a status\n",
		"200  b/d.json  nothing in it\n",
		"200  b/e.json  1 a change without a field, 1 echo text\n",
		"skipped b/send.json: no webhook body: neither object nor entry\n",
		"skipped b/list.json: not a JSON object\n",
		"skipped b/other.json: not JSON\n",
		"4 bodies posted 4 times, 3 files skipped",
		"in all: 1 a change without a field, 1 account_update, 1 echo text, 1 message image, 1 message text, 1 " +
			"status read",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
}

func TestABodyThatIsRefusedIsAnError(t *testing.T) {
	_, url := newWebhook(t)
	dir := folder(t, map[string]string{"a.json": messages(`{"id":"a"}`), "b.json": messages(`{"id":"refuse"}`)})
	out, err := run(t, "-dir", dir, "-url", url)
	if err == nil || err.Error() != "1 of 2 bodies were not answered 200" || !strings.Contains(out, "500  b.json") {
		t.Errorf("error %v\n%s", err, out)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	if _, err := run(t, "-dir", dir, "-url", gone.URL); err == nil {
		t.Error("nobody answered, and that is no error")
	}
}

func TestWhatCannotBeRun(t *testing.T) {
	_, url := newWebhook(t)
	for complaint, args := range map[string][]string{
		"names no folder":    {},
		"at least 1":         {"-dir", ".", "-rounds", "0"},
		"no webhook bodies":  {"-dir", folder(t, map[string]string{"a.json": "{}"}), "-url", url},
		"no such file":       {"-dir", filepath.Join(t.TempDir(), "none"), "-url", url},
		"flag provided but ": {"-directory", "."},
	} {
		if _, err := run(t, args...); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("error %v, want one about %q", err, complaint)
		}
	}
}

func TestRoundsRepeatAndAShuffleCanBeRepeated(t *testing.T) {
	files := map[string]string{}
	for name := range strings.SplitSeq("abcdefgh", "") {
		files[name+".json"] = messages(`{"id":"` + name + `"}`)
	}
	dir := folder(t, files)
	order := func(args ...string) []string {
		hook, url := newWebhook(t)
		if out, err := run(t, append(args, "-dir", dir, "-url", url)...); err != nil {
			t.Fatal(err, out)
		}
		return hook.bodies
	}
	first, again, other := order("-rounds", "2", "-shuffle", "7"), order("-rounds", "2", "-shuffle", "7"),
		order("-rounds", "2", "-shuffle", "8")
	if len(first) != 16 || !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Errorf("orders %v, %v, %v", first, again, other)
	}
	if slices.Equal(first[:8], first[8:]) {
		t.Error("the rounds have one order")
	}
	if crowd := order("-rounds", "3", "-clients", "4"); len(crowd) != 24 {
		t.Errorf("%d bodies posted by four clients", len(crowd))
	}
}

func TestDistinctRenamesSharedIdsWithinTheirFile(t *testing.T) {
	hook, url := newWebhook(t)
	dir := folder(t, map[string]string{
		"a.json": messages(
			`{"id":"wamid.x\/=","text":{"body":"say \"wamid.x\""}},{"id":"mine","context":{"id":"wamid.x/="}}`),
		"b.json": messages(`{"id":"r","reaction":{"message_id":"wamid.x\u002f="}}, {"id":"wamid.x/="}`),
		"c.json": messages(`{"id":"n","context":{"id":"wamid.x/="}}`),
	})
	if out, err := run(t, "-dir", dir, "-url", url, "-distinct"); err != nil {
		t.Fatal(err, out)
	}
	for i, want := range []string{
		messages(`{"id":"wamid.x/=.1","text":{"body":"say \"wamid.x\""}},{"id":"mine","context":{"id":"wamid.x/=.1"}}`),
		messages(`{"id":"r","reaction":{"message_id":"wamid.x/=.2"}}, {"id":"wamid.x/=.2"}`),
		messages(`{"id":"n","context":{"id":"wamid.x/="}}`), // only refers to it
	} {
		if hook.bodies[i] != want {
			t.Errorf("posted %s\n  want %s", hook.bodies[i], want)
		}
	}
}

// startEngine starts an engine with the messages table. It returns its address, and what puts entities into the table.
func startEngine(t *testing.T) (endpoint string, put func(entities ...any)) {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	running, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Stop)
	client := engine.Client(running.Endpoint)
	if err := engine.CreateTables(t.Context(), client, []tables.Table{tables.Messages}, tables.Dev); err != nil {
		t.Fatal(err)
	}
	return running.Endpoint, func(entities ...any) {
		t.Helper()
		for _, entity := range entities {
			item, err := dynamo.Marshal(entity)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.PutItem(t.Context(),
				&dynamodb.PutItemInput{
					TableName: aws.String(tables.Messages.Name(tables.Dev)), Item: item}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestTheOutcomeIsLookedUp(t *testing.T) {
	_, url := newWebhook(t)
	endpoint, put := startEngine(t)
	const nine = "2026-11-21T09:00:00.000Z"
	// each body is logged as the webhook does, and then marked
	log := func(raw string, change func(e *model.WebhookEvent)) {
		t.Helper()
		entries, err := whatsapp.DecodeWebhook([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			event := model.WebhookEvent{
				PK: "WEBHOOK#" + entry.ID, ItemType: model.ItemWebhookEvent, EventType: entry.Kind,
				WebhookEventType: "1#" + entry.Kind, ReceivedAt: nine}
			change(&event)
			put(event)
		}
	}
	processed := func(e *model.WebhookEvent) { e.ProcessedAt = nine }
	refused := func(e *model.WebhookEvent) { e.ProcessingError = "cannot be used: messages[1]: no usable id" }
	text := messages(`{"id":"here","type":"text"},{"type":"no id"}`)
	news := `{"entry":[{"changes":[{"field":"news","value":{"a":1}},{"field":"account_update",` +
		`"value":{"event":"X"}}]}],"object":"whatsapp_business_account"}`
	strange := messages(`{"id":"strange","type":"hologram"},{"id":"edit","type":"edit"}`)
	empty := `{"object":"whatsapp_business_account","entry":[]}`
	calls := `{"entry":[{"changes":[{"field":"calls","value":{"calls":[{"id":"call","event":"connect"}],` +
		`"statuses":[{"id":"call","type":"call","status":"RINGING"},{"id":"here","status":"read"}]}}]}],` +
		`"object":"whatsapp_business_account"}`
	log(calls, processed)
	log(text, refused)
	log(news, processed)
	log(strange, processed)
	log(empty, func(e *model.WebhookEvent) { e.ProcessingError = "no entry" })
	here := model.Message{
		PK: "MSG#here", ItemType: model.ItemMessage, Direction: model.Inbound, ReceivedAt: nine, Type: "text",
		Preview: "Hello", ConversationPK: "CONV#1#old"}
	put(here, model.Call{
		PK: "CALL#call", ItemType: model.ItemCall, CallID: "call", FromPK: "CALLS#1#2", ReceivedAt: nine},
		model.Message{
			PK: "MSG#strange", ItemType: model.ItemMessage, Direction: model.Inbound, ReceivedAt: nine,
			Type: "hologram", Preview: "[hologram]", ConversationPK: "CONV#1#2"},
		model.Message{PK: "MSG#edit", ItemType: model.ItemMessage, ReceivedAt: nine, AttachedTo: "MSG#here"},
		model.Conversation{
			PK: "CONV#1#old", ItemType: model.ItemConversation, ReceivedAt: nine, MergedInto: "CONV#1#2"},
		model.Conversation{PK: "CONV#1#2", ItemType: model.ItemConversation, ReceivedAt: nine, UnreadCount: 2})

	files := map[string]string{"a.json": text, "b.json": news, "c.json": strange, "d.json": empty, "f.json": calls}
	out, err := run(t, "-dir", folder(t, files), "-url", url, "-dynamodb", endpoint)
	for _, line := range []string{
		"4 of 4 messages, statuses and calls found; logged events: 0 not processed, 2 parked",
		"not judged, because they have no id: 1; ids that stand in several bodies, and count once: 1",
		"call connect      1           0     0\n", "status RINGING    1           0     0\n",
		"of a.json (message): cannot be used: messages[1]: no usable id\n",
		"message text      1           0     0\n", "message no id     0           0     1\n",
		"message hologram  0           1     0\n", "message edit      1           0     0\n",
		"news              0           1     0\n", "account_update    1           0     0\n",
		"no entry          0           0     1\n",
	} {
		if err != nil || !strings.Contains(out, line) {
			t.Errorf("error %v, no %q in\n%s", err, line, out)
		}
	}

	status := model.StatusUpdate{Status: "read", Timestamp: nine}
	here.DeliveryStatusHistory = []model.StatusUpdate{status, status}
	here.Versions = []model.Version{{MessagePK: "MSG#edit"}, {MessagePK: "MSG#edit"}}
	here.Reactions = []model.Reaction{{MessagePK: "MSG#r"}, {MessagePK: "MSG#r"}}
	put(here, model.Conversation{PK: "CONV#1#2", ItemType: model.ItemConversation, ReceivedAt: nine, UnreadCount: 3})
	files["e.json"] = messages(`{"id":"here"},{"id":"lost"}`)
	out, err = run(t, "-dir", folder(t, files), "-url", url, "-dynamodb", endpoint, "-wait", "300ms")
	for _, line := range []string{
		"not found: lost\n", "of e.json (message)\n", "4 of 5 messages", "doubled: the status read of MSG#here\n",
		"doubled: the change MSG#edit of MSG#here\n",
		"doubled: the reaction MSG#r to MSG#here\n", "doubled: CONV#1#2 has 3 unread messages of 2\n",
	} {
		if err == nil || !strings.Contains(err.Error(), "4 doubled") || !strings.Contains(out, line) {
			t.Errorf("error %v, no %q in\n%s", err, line, out)
		}
	}
}

// The samples show what a function receives: a body in an event, the handshake, and refused requests.
func TestTheSamplesOfTheWebhooksEventsArePosted(t *testing.T) {
	hook, url := newWebhook(t)
	var out bytes.Buffer
	err := corpus.Run(t.Context(), []string{"-secret", secret, "-dir", "../../../events/webhook", "-url", url}, &out)
	for _, line := range []string{
		"200  text-message.json  1 message text\n", "skipped handshake.json: a sample of a GET",
		"skipped forged.json: a sample with a signature",
		"5 bodies posted 5 times, 2 files skipped",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is not in\n%s", line, out.String())
		}
	}
	if len(hook.bodies) != 5 || !strings.HasPrefix(hook.bodies[0], `{"object":"whatsapp_business_account"`) {
		t.Errorf("%v, posted %q", err, hook.bodies)
	}
}

// AWS tells of each entry by itself, as it is written.
func TestBodiesAreWrappedAsAWSTellsOfThem(t *testing.T) {
	hook, url := newWebhook(t)
	first, second := `{"id":"7","changes":[{"field":"messages","value":{`+
		`"metadata":{"phone_number_id":"106540352242922"},"messages":[{"id":"a","type":"text","text":{"body":"caf\u00e9 \/ <&>"}}]}}]}`, ` 7`
	dir := folder(t, map[string]string{
		"a.json": `{"object":"whatsapp_business_account","entry":[` + first + `,` + second + `]}`,
		"b.json": `{"object":"whatsapp_business_account","entry":[]}`,
		"c.json": `{"object":"whatsapp_business_account","entry":{}}`,
	})
	out, err := run(t, "-dir", dir, "-url", url, "-aws")
	if err != nil {
		t.Fatal(err)
	}
	if len(hook.bodies) != 2 || strings.Count(out, "no entry of which AWS could tell") != 2 {
		t.Fatalf("posted %q\n%s", hook.bodies, out)
	}
	for i, want := range []string{first, strings.TrimSpace(second)} {
		entry, is := notices.Entry([]byte(hook.bodies[i]))
		if !is || string(entry) != want || !strings.Contains(hook.bodies[i], `"Type":"Notification"`) {
			t.Errorf("posted %s", hook.bodies[i])
		}
	}
	if !strings.Contains(hook.bodies[0], `phone-number-id/00000000000000000106540352242922`) {
		t.Errorf("the notice does not name the number: %s", hook.bodies[0])
	}
}
