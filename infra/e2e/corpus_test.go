package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/corpus"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A body leads to the same tables whether Meta posts it or AWS End User Messaging tells of it by SNS, and also if it
// comes twice, in any order.
func TestTheCorpusByAWSGivesTheSameTables(t *testing.T) {
	t.Parallel()
	first, then := ownCorpus(t)
	began := time.Now().Add(-time.Second)
	var ways sync.WaitGroup
	var found [2]map[string]any
	for i, way := range []struct {
		path string
		args []string
	}{{"/webhooks/whatsapp", nil}, {cloud.NoticesPath, []string{"-aws"}}} {
		r := start(t, t.TempDir(), func(c *cloud.Config) { c.InMemory = true })
		ways.Go(func() {
			for _, dir := range []string{first, then} {
				var out bytes.Buffer
				args := slices.Concat(way.args, []string{
					"-dir", dir, "-url", r.Addresses.HTTP + way.path, "-secret", "local-app-secret",
					"-dynamodb", r.Addresses.DynamoDB, "-rounds", "2", "-shuffle", "7"})
				if err := corpus.Run(t.Context(), args, &out); err != nil {
					t.Errorf("%s: %v\n%s", way.path, err, out.String())
				}
			}
			found[i] = r.settled(t, began)
		})
	}
	ways.Wait()
	if len(found[0]) < 20 {
		t.Errorf("%d items", len(found[0]))
	}
	if diff := cmp.Diff(found[0], found[1]); diff != "" {
		t.Errorf("the tables by Meta (-) and by AWS (+):\n%s", diff)
	}
}

// settled returns what is in the tables once nothing changes any more. What only says when something was done is left
// out, and so are bodies without entries, of which AWS has nothing to tell.
func (r *running) settled(t *testing.T, began time.Time) map[string]any {
	t.Helper()
	items := r.items(t, began)
	for quiet, deadline := 0, time.Now().Add(time.Minute); quiet < 5 && time.Now().Before(deadline); {
		time.Sleep(200 * time.Millisecond)
		next := r.items(t, began)
		if quiet++; !cmp.Equal(items, next) {
			quiet = 0
		}
		items = next
	}
	return items
}

// moment finds times. What follows one in an order says when something was logged, and its place in its body.
var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z(?: \d{19,})?`)

func (r *running) items(t *testing.T, began time.Time) map[string]any {
	t.Helper()
	client, all := engine.Client(r.Addresses.DynamoDB), map[string]any{}
	for _, table := range tables.All() {
		pages := dynamodb.NewScanPaginator(client,
			&dynamodb.ScanInput{TableName: aws.String(table.Name(tables.Dev)), ConsistentRead: aws.Bool(true)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Error(err)
				return nil
			}
			for _, item := range page.Items {
				var plain map[string]any
				if err := attributevalue.UnmarshalMap(item, &plain); err != nil {
					t.Error(err)
				}
				if plain["processingError"] == "no entry" {
					continue
				}
				key := fmt.Sprint(table.ID, " ", plain[table.Partition.Name], " ", plain[table.Sort.Name])
				all[key] = timeless(plain, began)
			}
		}
	}
	return all
}

// timeless returns a value without the times since the test began, and without what follows from the order in which
// events came in: AWS tells of the entries of a body one by one, and a queue keeps no order.
func timeless(value any, began time.Time) any {
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			value[name] = timeless(part, began)
		}
		for _, name := range []string{
			"ttl", "arrival", "position", "sweptTo", "callbackToken", "retryCount", "nextRetryAt",
			"nextRetryAt#eventId"} {
			delete(value, name)
		}
		for _, name := range []string{"alsoLogged", "deliveryStatusHistory"} {
			if list, is := value[name].([]any); is {
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
	case []any:
		for i, part := range value {
			value[i] = timeless(part, began)
		}
	case string:
		return moment.ReplaceAllStringFunc(value, func(found string) string {
			text, _, ordered := strings.Cut(found, " ")
			if at, err := time.Parse(time.RFC3339Nano, text); err == nil && at.After(began) {
				text = "now"
			}
			if ordered {
				text += " in some place"
			}
			return text
		})
	}
	return value
}

// ownCorpus returns two folders of bodies of many kinds, with the samples of the webhook's events. The second one is
// about people who have written in the first: of a choice of others nothing is recorded, so that the order would count.
func ownCorpus(t *testing.T) (first, then string) {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	first, then = t.TempDir(), t.TempDir()
	samples, err := filepath.Glob(filepath.Join(root, "events", "webhook", "*.json"))
	if err != nil || len(samples) == 0 {
		t.Fatal(samples, err)
	}
	write := func(dir, name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, sample := range samples {
		text, err := os.ReadFile(sample)
		if err != nil {
			t.Fatal(err)
		}
		write(first, filepath.Base(sample), text)
	}
	const asha, ravi = "919876500041", "919876500042"
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	later := func(minutes int) time.Time { return at.Add(time.Duration(minutes) * time.Minute) }
	contacts := wt.List{wt.Contact(asha, "Asha"), wt.Contact(ravi, "Ravi")}
	write(first, "texts.json", wt.Body(wt.Messages(contacts, wt.Text(asha, "wamid.c1", "हाँ, 2 kg <&>", at),
		wt.Text(ravi, "wamid.c2", "hello", later(1)))))
	for name, body := range map[string][]byte{
		"a picture": wt.Body(wt.Messages(contacts, wt.Message(asha, "wamid.c3", "image", later(2),
			wt.Object{"image": wt.Object{"id": "4711", "mime_type": "image/jpeg", "sha256": "x", "caption": "this"}}))),
		"a reaction": wt.Body(wt.Messages(contacts, wt.Message(asha, "wamid.c4", "reaction", later(3),
			wt.Object{"reaction": wt.Object{"message_id": "wamid.c1", "emoji": "🙏"}}))),
		"a place": wt.Body(wt.Messages(contacts, wt.Message(ravi, "wamid.c5", "location", later(4),
			wt.Object{"location": wt.Object{"latitude": 18.52, "longitude": 73.85}}))),
		"an edit": wt.Body(wt.Messages(contacts, wt.Message(asha, "wamid.c6", "edit", later(5), wt.Object{
			"edit": wt.Object{"original_message_id": "wamid.c1", "message": wt.Object{
				"type": "text", "text": wt.Object{"body": "3 kg"}}}}))),
		"a new kind": wt.Body(wt.Messages(contacts, wt.Message(asha, "wamid.c7", "hologram", later(6),
			wt.Object{"hologram": wt.Object{"depth": 3}}))),
		"statuses": wt.Body(wt.Statuses(wt.Status("wamid.c8", "sent", asha, later(7), nil)),
			wt.Statuses(wt.Status("wamid.c8", "delivered", asha, later(8), nil)),
			wt.Statuses(wt.Status("wamid.c8", "read", asha, later(9), nil))),
		"a failure": wt.Body(wt.Statuses(wt.Status("wamid.c9", "failed", ravi, later(7), wt.Object{
			"errors": wt.List{wt.Object{"code": 131026, "title": "Message undeliverable"}}}))),
		"a call":          wt.Body(wt.Calls(wt.Call("wacid.c1", asha, "connect", later(10), nil))),
		"a template":      wt.BodyAt(at, wt.TemplateStatus("order_ready", "en", "APPROVED")),
		"a preference":    wt.Body(wt.Preference(asha, "stop", later(11))),
		"quality":         wt.BodyAt(at, wt.QualityUpdate("FLAGGED", "TIER_1K")),
		"a name":          wt.BodyAt(at, wt.NameUpdate("APPROVED", "Asha Kirana")),
		"a wrong shape":   wt.Body(wt.Object{"field": "messages", "value": 7}),
		"no changes":      wt.Body(),
		"an unknown news": wt.Body(wt.Change("something_new", wt.Object{"a": 1})),
		"a large one": wt.Body(wt.Messages(contacts, wt.Text(ravi, "wamid.c10", strings.Repeat("long ", 30_000),
			later(12)))),
		"several entries": bytes.Replace(wt.Body(wt.Messages(contacts, wt.Text(asha, "wamid.c11", "one", later(13)))),
			[]byte(`"entry":[`), []byte(`"entry":[7,{"id":"1","changes":[{"field":"messages","value":null}]},`), 1),
	} {
		write(then, name+".json", body)
	}
	return first, then
}
