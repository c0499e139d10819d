package shared_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/haatline/haatline/"

// registry is where domains join, one line each. Functions open it.
const registry = "shared/registry"

// apiFunction wires what the functions of the API share. Only they import it.
const apiFunction = "shared/apifunction"

// domains each own their tables. They meet in the registry and nowhere else: what it imports, and what is not below, is
// a domain.
var domains = registered()

func registered() []string {
	out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, module+registry).Output()
	if err != nil {
		panic(err)
	}
	return slices.DeleteFunc(own(strings.Fields(string(out))),
		func(path string) bool { _, below := mayImport[path]; return below })
}

// mayImport says what a package below the domains may import of the project. Dependencies point one way: functions →
// domains → rooms (export → erasure → delivery, accounts → sending → templates, inbox → contacts → tenancy →
// webhooklog) → outbox, dynamo, whatsapp → tables, keys → model.
var mayImport = map[string][]string{
	"shared/model":             {"shared/problem", "shared/sorting"},
	"shared/tables":            {},
	"shared/keys":              {"shared/model"},
	"shared/identity":          {"shared/model", "shared/sorting"},
	"shared/mail":              {"shared/mailaddress"},
	"shared/mailaddress":       {},
	"shared/mail/ses":          {"shared/awsenv"},
	"shared/mail/notices":      {"shared/mailaddress"},
	"shared/sms/texted":        {"shared/phonenumber"},
	"shared/eum":               {"shared/awsenv", "shared/lanes", "shared/whatsapp"},
	"shared/eum/notices":       {"shared/whatsapp"},
	"shared/mail/received":     {"shared/mail", "shared/mailaddress"},
	"shared/lanes":             {},
	"shared/language":          {"shared/lazy"},
	"shared/optout":            {"shared/language"},
	"shared/lazy":              {},
	"shared/sorting":           {},
	"shared/faq":               {"shared/language", "shared/lazy", "shared/spreadsheet"},
	"shared/spreadsheet":       {},
	"shared/assistant":         {"shared/faq", "shared/language", "shared/phonenumber"},
	"shared/assistant/prompt":  {"shared/assistant"},
	"shared/assistant/openai":  {"shared/assistant", "shared/assistant/prompt"},
	"shared/assistant/bedrock": {"shared/assistant", "shared/assistant/prompt"},
	"shared/assistant/budget":  {"shared/assistant"},
	"shared/assistant/models":  {"shared/assistant/budget", "shared/assistant/prompt"},
	"shared/assistant/spending": {
		"shared/assistant", "shared/assistant/budget", "shared/dynamo", "shared/keys", "shared/model",
		"shared/tables"},
	"shared/assistant/callback": {"shared/assistant", "shared/outward"},
	"shared/assistant/schema":   {"shared/assistant", "shared/assistant/prompt"},
	"shared/assistant/policy":   {"shared/assistant", "shared/language", "shared/optout"},
	"shared/assistant/rules":    {"shared/assistant", "shared/faq", "shared/language", "shared/model"},
	"shared/phonenumber":        {},
	"shared/awsenv":             {},
	"shared/outward":            {},
	"shared/standardwebhooks":   {"shared/outward"},
	"shared/webpush":            {"shared/outward"},
	"shared/webpush/posting":    {"shared/outward", "shared/webpush"},
	"shared/eventbus":           {"shared/awsenv"},
	"shared/publishing":         {"shared/dynamo", "shared/keys", "shared/model", "shared/outbox"},
	"shared/messaging/subscriptions": {
		"shared/dynamo", "shared/keys", "shared/model", "shared/outbox", "shared/outward", "shared/problem",
		"shared/publishing", "shared/sealing", "shared/standardwebhooks", "shared/tables", "shared/tenancy"},
	"shared/invocation": {},
	"shared/sdkhttp":    {"shared/invocation"},
	"shared/dynamo": {
		"shared/awsenv", "shared/keys", "shared/model", "shared/problem", "shared/sdkhttp", "shared/tables",
		"shared/telemetry"},
	"shared/outbox": {
		"shared/dynamo", "shared/keys", "shared/lazy", "shared/model", "shared/problem", "shared/sorting",
		"shared/tables", "shared/telemetry"},
	"shared/audit":              {"shared/dynamo", "shared/keys", "shared/model", "shared/tables"},
	"shared/people":             {"shared/dynamo", "shared/keys", "shared/model", "shared/problem", "shared/tables"},
	"shared/whatsapp":           {"shared/lazy"},
	"shared/paygate":            {"shared/whatsapp"},
	"shared/whatsapp/content":   {"shared/lazy", "shared/whatsapp"},
	"shared/whatsapp/flowcheck": {"shared/lazy", "shared/problem"},
	"shared/whatsapp/templatecheck": {
		"shared/lazy", "shared/problem"},
	"shared/secrets":           {"shared/awsenv", "shared/invocation", "shared/sealing"},
	"shared/sealing":           {},
	"shared/sessiontoken":      {"shared/model"},
	"shared/live":              {"shared/awsenv", "shared/model", "shared/telemetry"},
	"shared/live/admission":    {"shared/live", "shared/sessiontoken"},
	"shared/settings":          {"shared/model"},
	"shared/telemetry":         {},
	"shared/stream":            {"shared/dynamo", "shared/lanes", "shared/telemetry"},
	"shared/telemetry/tracing": {"shared/telemetry"},
	"shared/httpapi":           {"shared/lazy", "shared/model", "shared/problem", "shared/sealing", "shared/telemetry"},
	"shared/problem":           {},
	"shared/operations": {
		"shared/audit", "shared/dynamo", "shared/httpapi", "shared/idempotency", "shared/model", "shared/people",
		"shared/ratelimit"},
	"shared/idempotency": {
		"shared/dynamo", "shared/keys", "shared/model", "shared/problem", "shared/tables"},
	"shared/ratelimit": {"shared/dynamo", "shared/keys", "shared/model", "shared/tables"},
	"shared/tombstone": {"shared/dynamo", "shared/keys", "shared/model", "shared/tables"},
	"shared/webhooklog": {
		"shared/dynamo", "shared/keys", "shared/lanes", "shared/model", "shared/sorting", "shared/stream",
		"shared/tables", "shared/telemetry", "shared/whatsapp"},
	"shared/inbound":   {"shared/dynamo", "shared/identity", "shared/keys", "shared/model", "shared/whatsapp"},
	"shared/objects":   {"shared/awsenv"},
	"shared/pdf":       {},
	"shared/recording": {},
	"shared/thumbnail": {},
	"shared/slip":      {"shared/pdf"},
	"shared/sms":       {"shared/awsenv", "shared/lazy"},
	"shared/wake":      {"shared/awsenv"},
	"shared/dispatch": {
		"shared/dynamo", "shared/keys", "shared/lanes", "shared/model", "shared/outbox", "shared/stream",
		"shared/telemetry/tracing"},
	"shared/messaging/media": {
		"shared/dynamo", "shared/keys", "shared/model", "shared/outbox", "shared/tables", "shared/tenancy",
		"shared/tombstone"},
	"shared/messaging/media/uploading": {
		"shared/dynamo", "shared/keys", "shared/messaging/media", "shared/model", "shared/objects", "shared/problem",
		"shared/tables"},
	"shared/messaging/media/fetching": {
		"shared/dynamo", "shared/keys", "shared/messaging/media", "shared/messaging/media/uploading", "shared/model",
		"shared/objects", "shared/outbox", "shared/problem", "shared/recording", "shared/tables", "shared/telemetry",
		"shared/thumbnail", "shared/tombstone", "shared/whatsapp"},
	"shared/messaging/awsclient": {
		"shared/eum", "shared/messaging/media", "shared/model", "shared/objects", "shared/whatsapp"},
	"shared/messaging/metaclient": {"shared/model", "shared/secrets", "shared/settings", "shared/whatsapp"},
	"shared/messaging/contacts": {
		"shared/dynamo", "shared/identity", "shared/keys", "shared/model", "shared/outbox", "shared/phonenumber",
		"shared/problem", "shared/sorting", "shared/tables", "shared/tenancy", "shared/whatsapp"},
	"shared/messaging/inbox": {
		"shared/dynamo", "shared/identity", "shared/inbound", "shared/keys", "shared/lanes",
		"shared/messaging/contacts", "shared/messaging/hints", "shared/messaging/media", "shared/model",
		"shared/optout", "shared/problem", "shared/publishing", "shared/sorting", "shared/stream", "shared/tables",
		"shared/telemetry", "shared/tenancy", "shared/tombstone", "shared/webhooklog", "shared/whatsapp"},
	"shared/messaging/templates": {
		"shared/dynamo", "shared/keys", "shared/lanes", "shared/lazy", "shared/model", "shared/outbox",
		"shared/problem", "shared/sorting", "shared/tables", "shared/telemetry", "shared/tenancy", "shared/webhooklog",
		"shared/whatsapp"},
	"shared/messaging/templates/writing": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/keys", "shared/messaging/templates", "shared/model", "shared/outbox", "shared/problem",
		"shared/tables", "shared/tenancy", "shared/whatsapp", "shared/whatsapp/templatecheck"},
	"shared/messaging/templates/library": {
		"shared/dynamo", "shared/keys", "shared/messaging/asking", "shared/messaging/templates", "shared/model",
		"shared/outbox", "shared/tables", "shared/tenancy", "shared/whatsapp"},
	"shared/messaging/accounts": {
		"shared/dynamo", "shared/keys", "shared/messaging/sending", "shared/model", "shared/outbox", "shared/tables",
		"shared/telemetry", "shared/tenancy", "shared/webhooklog", "shared/whatsapp"},
	"shared/messaging/answers": {
		"shared/dynamo", "shared/identity", "shared/inbound", "shared/keys", "shared/messaging/contacts",
		"shared/model", "shared/problem", "shared/tables", "shared/whatsapp"},
	"shared/messaging/hints": {"shared/lanes", "shared/live", "shared/model"},
	"shared/messaging/assigning": {
		"shared/dynamo", "shared/inbound", "shared/keys", "shared/messaging/inbox", "shared/model", "shared/outbox",
		"shared/tenancy"},
	"shared/messaging/teamwork": {
		"shared/dynamo", "shared/keys", "shared/lazy", "shared/messaging/contacts", "shared/messaging/inbox",
		"shared/model", "shared/problem", "shared/tables"},
	"shared/messaging/forms": {
		"shared/dynamo", "shared/keys", "shared/model", "shared/tables", "shared/whatsapp"},
	"shared/whatsapp/flowcrypt":          {},
	"shared/whatsapp/prices":             {"shared/lazy", "shared/model"},
	"shared/messaging/campaigns/filling": {"shared/lazy", "shared/model", "shared/whatsapp/content"},
	"shared/messaging/campaigns/recipients": {
		"shared/messaging/campaigns/filling", "shared/model", "shared/phonenumber", "shared/problem",
		"shared/spreadsheet"},
	"shared/messaging/campaigns": {
		"shared/dynamo", "shared/idempotency", "shared/keys", "shared/lanes", "shared/messaging/campaigns/filling",
		"shared/messaging/campaigns/recipients", "shared/messaging/contacts", "shared/messaging/inbox",
		"shared/messaging/sending",
		"shared/messaging/templates", "shared/model", "shared/outbox", "shared/problem", "shared/ratelimit",
		"shared/tables", "shared/tenancy", "shared/whatsapp/content", "shared/whatsapp/prices"},
	"shared/messaging/calls": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/idempotency", "shared/keys", "shared/messaging/contacts", "shared/messaging/inbox",
		"shared/messaging/sending", "shared/model", "shared/outbox", "shared/problem", "shared/tables",
		"shared/tenancy", "shared/tombstone", "shared/webhooklog", "shared/whatsapp", "shared/whatsapp/content"},
	"shared/messaging/groups": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/idempotency", "shared/keys", "shared/model", "shared/objects", "shared/outbox",
		"shared/problem", "shared/tables", "shared/tenancy", "shared/tombstone", "shared/webhooklog",
		"shared/whatsapp"},
	"shared/messaging/payments": {
		"shared/dynamo", "shared/idempotency", "shared/keys", "shared/messaging/asking", "shared/model",
		"shared/outbox", "shared/paygate", "shared/problem", "shared/publishing", "shared/tables",
		"shared/tenancy", "shared/webhooklog", "shared/whatsapp", "shared/whatsapp/content"},
	"shared/messaging/sending": {
		"shared/audit", "shared/dynamo", "shared/idempotency", "shared/keys", "shared/lanes",
		"shared/messaging/contacts", "shared/messaging/inbox", "shared/messaging/payments",
		"shared/messaging/templates", "shared/model", "shared/outbox", "shared/problem", "shared/tables",
		"shared/telemetry", "shared/tenancy", "shared/tombstone",
		"shared/whatsapp", "shared/whatsapp/content"},
	"shared/messaging/analytics": {
		"shared/dynamo", "shared/keys", "shared/messaging/asking", "shared/model", "shared/outbox", "shared/problem",
		"shared/tables", "shared/tenancy", "shared/whatsapp"},
	"shared/messaging/purging": {
		"shared/audit", "shared/dynamo", "shared/idempotency", "shared/model", "shared/webhooklog", "shared/whatsapp"},
	"shared/messaging/asking": {"shared/model", "shared/outbox", "shared/whatsapp"},
	"shared/messaging/gateways": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/keys", "shared/model", "shared/outbox", "shared/paygate",
		"shared/problem", "shared/tables", "shared/tenancy", "shared/whatsapp"},
	"shared/messaging/gateways/verifying": {
		"shared/dynamo", "shared/keys", "shared/model", "shared/secrets", "shared/tables"},
	"shared/messaging/catalogues": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/keys", "shared/lanes", "shared/model", "shared/outbox", "shared/problem",
		"shared/tables", "shared/tenancy", "shared/whatsapp"},
	"shared/messaging/flows": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/keys", "shared/model", "shared/objects", "shared/outbox", "shared/problem",
		"shared/tables", "shared/tenancy", "shared/webhooklog", "shared/whatsapp", "shared/whatsapp/flowcheck"},
	"shared/messaging/numbers": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/idempotency", "shared/keys", "shared/lazy", "shared/mailaddress", "shared/model",
		"shared/outbox", "shared/problem", "shared/sealing", "shared/tables", "shared/whatsapp"},
	"shared/messaging/webhooks": {
		"shared/messaging/asking",
		"shared/dynamo", "shared/keys", "shared/model", "shared/outbox", "shared/problem", "shared/tables",
		"shared/tenancy", "shared/whatsapp"},
	"shared/messaging/webhooks/verifying": {
		"shared/dynamo", "shared/keys", "shared/model", "shared/secrets", "shared/tables", "shared/whatsapp"},
	"shared/messaging/texting": {
		"shared/dynamo", "shared/keys", "shared/messaging/contacts", "shared/messaging/inbox",
		"shared/messaging/sending", "shared/messaging/suppression", "shared/model", "shared/outbox", "shared/problem",
		"shared/sms", "shared/tables", "shared/tenancy", "shared/whatsapp"},
	"shared/messaging/mailing": {
		"shared/dynamo", "shared/keys", "shared/messaging/contacts", "shared/messaging/sending",
		"shared/messaging/suppression", "shared/model", "shared/outbox", "shared/problem"},
	"shared/messaging/suppression": {"shared/dynamo", "shared/keys", "shared/model", "shared/problem", "shared/tables"},
	"shared/messaging/arrivals": {
		"shared/dynamo", "shared/inbound", "shared/keys", "shared/messaging/suppression", "shared/model",
		"shared/optout", "shared/outbox", "shared/stream", "shared/tables", "shared/webhooklog", "shared/whatsapp"},
	"shared/messaging/arrivals/taking": {
		"shared/dynamo", "shared/messaging/arrivals", "shared/model", "shared/sms/texted", "shared/tenancy",
		"shared/webhooklog"},
	"shared/messaging/arrivals/collecting": {
		"shared/dynamo", "shared/mail/notices", "shared/mail/received", "shared/messaging/arrivals",
		"shared/messaging/media", "shared/model", "shared/objects", "shared/webhooklog"},
	"shared/messaging/mailing/posting": {
		"shared/dynamo", "shared/keys", "shared/mail", "shared/mail/notices", "shared/mail/ses",
		"shared/messaging/mailing", "shared/messaging/sending", "shared/messaging/suppression", "shared/model",
		"shared/outbox"},
	"shared/messaging/papers": {
		"shared/dynamo", "shared/idempotency", "shared/keys", "shared/messaging/contacts", "shared/messaging/inbox",
		"shared/messaging/media",
		"shared/messaging/sending", "shared/model", "shared/objects", "shared/outbox", "shared/tables",
		"shared/whatsapp/content"},
	"shared/messaging/delivery": {
		"shared/dynamo", "shared/identity", "shared/keys", "shared/lanes", "shared/messaging/inbox",
		"shared/messaging/sending", "shared/model", "shared/outbox", "shared/problem", "shared/stream", "shared/tables",
		"shared/telemetry", "shared/tombstone", "shared/webhooklog", "shared/whatsapp"},
	"shared/lookup": {"shared/messaging/contacts", "shared/model"},
	"shared/beside": {"shared/lookup", "shared/model"},
	"shared/domain": {
		"shared/beside", "shared/erasure", "shared/export", "shared/inbound", "shared/lookup",
		"shared/messaging/campaigns", "shared/messaging/contacts", "shared/messaging/forms", "shared/messaging/sending",
		"shared/model", "shared/outbox", "shared/publishing", "shared/sms", "shared/tenancy", "shared/webhooklog",
		"shared/whatsapp"},
	"shared/erasure": {
		"shared/audit", "shared/dynamo", "shared/keys", "shared/messaging/contacts", "shared/messaging/inbox",
		"shared/model", "shared/outbox", "shared/problem"},
	"shared/export": {
		"shared/dynamo", "shared/erasure", "shared/keys", "shared/messaging/contacts", "shared/model",
		"shared/sorting", "shared/tables"},
	"shared/tenancy": {
		"shared/audit", "shared/dynamo", "shared/keys", "shared/lazy", "shared/model", "shared/outbox",
		"shared/problem", "shared/stream", "shared/tables", "shared/webhooklog", "shared/whatsapp"},
}

// isAPI reports whether a package holds a domain's API operations: shared/messaging/messagingapi. It may import its
// domain, what is below the domain, and what all APIs share; only functions import it.
func isAPI(name string) bool {
	domain := path.Dir(name)
	return slices.Contains(domains, domain) && path.Base(name) == path.Base(domain)+"api"
}

// isRoom reports whether a package is a room of a domain of several rooms: shared/cards/policy. It may import what is
// below the domain and its domain's other rooms; only its domain, and the domain's API, import it.
func isRoom(name string) bool {
	domain := path.Dir(name)
	_, below := mayImport[name]
	return slices.Contains(domains, domain) && !below && !isAPI(name) && !slices.Contains(forTests, name)
}

// drivers bring a service outside to a room, with a library that weighs much. Only the function that stands beside one
// may hold it.
var drivers = map[string]string{"shared/commerce/analytics/postgres": "functions/orders"}

// layouts are rooms that weigh much, such as those that lay out the papers of a domain, or answer turns. Beside the
// domain's API, only the functions that work in the background may import them.
var layouts = []string{"shared/khata/paper", "shared/khata/paycode", "shared/commerce/invoicepaper",
	"shared/conversations/answering", "shared/conversations/calling", "shared/conversations/asking",
	"shared/commerce/asking", "shared/community/access"}

// background are the functions that work in the background.
var background = []string{"functions/slow-lane", "functions/models", "functions/reminders"}

// forTests are packages that no deployed code may hold.
var forTests = []string{
	"shared/engine", "shared/eventually", "shared/dynamotest", "shared/golden", "shared/recorded",
	"shared/objects/objectstest", "shared/slip/sliptest",
	"shared/httpapi/apitest", "shared/whatsapp/whatsapptest", "shared/whatsapp/content/contenttest",
	"shared/eum/eumtest",
	"shared/messaging/messagingtest", "shared/assistant/assistanttest", "shared/commerce/analytics/pgtest"}

// listed is a package as go list describes it, without its tests.
type listed struct {
	ImportPath    string
	Imports, Deps []string
}

// packages are those of the project by their path in it.
func packages(t *testing.T) map[string]listed {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps", module+"functions/...",
		module+"shared/...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, stderr.Bytes())
	}
	all := map[string]listed{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(p.ImportPath, module)] = p
	}
	for _, known := range []string{"functions/webhook", "functions/messaging-api", "shared/model", "shared/messaging"} {
		if len(all[known].Imports) == 0 {
			t.Fatalf("go list does not know %s: the rules would hold for nothing", known)
		}
	}
	return all
}

// own are the imports of the project itself.
func own(imports []string) []string {
	var paths []string
	for _, path := range imports {
		if path, ok := strings.CutPrefix(path, module); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// wrongImports are the imports of a package that point the wrong way.
func wrongImports(name string, imports []string) []string {
	allowed, below := mayImport[name]
	var wrong []string
	for _, imported := range own(imports) {
		_, isBelow := mayImport[imported]
		right := false
		switch {
		case below:
			right = slices.Contains(allowed, imported)
		case slices.Contains(domains, name):
			right = isBelow && imported != "shared/httpapi" && imported != "shared/operations" ||
				isRoom(imported) && path.Dir(imported) == name
		case isRoom(name):
			right = isBelow && imported != "shared/httpapi" && imported != "shared/operations" ||
				isRoom(imported) && path.Dir(imported) == path.Dir(name)
		case drivers[name] != "":
			right = isBelow && imported != "shared/httpapi" && imported != "shared/operations" ||
				isRoom(imported) && strings.HasPrefix(name, path.Dir(imported)+"/")
		case slices.Contains(forTests, name):
			// what it helps to test
			right = isBelow || slices.Contains(forTests, imported) || path.Dir(name) == imported
		case isAPI(name):
			right = isBelow ||
				strings.HasPrefix(imported+"/", path.Dir(name)+"/") && !slices.Contains(forTests, imported)
		case name == apiFunction:
			right = isBelow || imported == registry || imported == "shared/messaging"
		case name == registry:
			right = isBelow && imported != "shared/httpapi" || slices.Contains(domains, imported)
		case strings.HasPrefix(name, "functions/"):
			right = isBelow || slices.Contains(domains, imported) || isAPI(imported) || imported == registry ||
				drivers[imported] == name || slices.Contains(background, name) && slices.Contains(layouts, imported) ||
				imported == apiFunction && strings.HasSuffix(name, "-api")
		}
		if !right {
			wrong = append(wrong, imported)
		}
	}
	return wrong
}

func TestDependenciesPointOneWay(t *testing.T) {
	for path, p := range packages(t) {
		for _, imported := range wrongImports(path, p.Imports) {
			t.Errorf("%s imports %s", path, imported)
		}
	}
}

func TestARuleThatIsBrokenIsSeen(t *testing.T) {
	for path, imported := range map[string]string{
		"shared/model":                       "shared/keys",
		"shared/keys":                        "shared/tables",
		"shared/whatsapp":                    "shared/dynamo",
		"shared/dynamo":                      "shared/outbox",
		"shared/outbox":                      "shared/messaging",
		"shared/messaging":                   "shared/khata",
		"shared/registry":                    "shared/httpapi",
		"shared/webhooklog":                  "shared/messaging/inbox",
		"shared/messaging/contacts":          "shared/messaging/inbox",
		"shared/tombstone":                   "shared/webhooklog",
		"shared/dynamotest":                  "infra/local",
		"shared/telemetry":                   "functions/messaging-api",
		"functions/webhook":                  "functions/messaging-api",
		"functions/inbound":                  "infra/topology",
		"functions/status":                   "shared/dynamotest",
		"functions/slow-lane":                "shared/commerce/analytics/postgres",
		"shared/commerce":                    "shared/commerce/analytics/postgres",
		"shared/commerce/analytics/postgres": "shared/commerce",
		"shared/not-known-yet":               "shared/model",
	} {
		if wrong := wrongImports(path, []string{"fmt", module + imported}); !slices.Equal(wrong, []string{imported}) {
			t.Errorf("%s may import %s", path, imported)
		}
	}
}

// A new package says where it belongs before anything may depend on it.
func TestEveryPackageHasAPlace(t *testing.T) {
	all := packages(t)
	for path := range all {
		_, below := mayImport[path]
		if strings.HasPrefix(path, "shared/") && path != registry && path != apiFunction && !below &&
			!slices.Contains(domains, path) && !isAPI(path) && !isRoom(path) && drivers[path] == "" &&
			!slices.Contains(forTests, path) {
			t.Errorf("%s is neither a domain, nor below the domains, nor for tests", path)
		}
	}
	for path := range mayImport {
		if all[path].ImportPath == "" {
			t.Errorf("%s has a place and is not there", path)
		}
	}
}

func TestDomainsDoNotKnowEachOther(t *testing.T) {
	all := packages(t)
	for _, domain := range domains {
		for _, other := range domains {
			if domain != other && slices.Contains(all[domain].Deps, module+other) {
				t.Errorf("%s depends on %s", domain, other)
			}
		}
	}
}

func TestNothingDeployedHoldsTestsOrInfrastructure(t *testing.T) {
	for path, p := range packages(t) {
		if slices.Contains(forTests, path) {
			continue
		}
		for _, held := range own(p.Deps) {
			if strings.HasPrefix(held, "infra/") || slices.Contains(forTests, held) {
				t.Errorf("%s holds %s", path, held)
			}
		}
		if slices.Contains(p.Deps, "testing") {
			t.Errorf("%s holds the testing package", path)
		}
	}
}

func TestADriverIsHeldByItsFunctionAlone(t *testing.T) {
	all := packages(t)
	for driver, function := range drivers {
		if !slices.Contains(all[function].Deps, module+driver) {
			t.Errorf("%s does not hold %s", function, driver)
		}
		for path, p := range all {
			if path != function && !slices.Contains(forTests, path) && slices.Contains(p.Deps, module+driver) {
				t.Errorf("%s holds %s", path, driver)
			}
		}
	}
}

// Functions that run for every message start in milliseconds: what these weigh is weighed at every cold start.
func TestTheFunctionsOfTheMessageLoopCarryNothingHeavy(t *testing.T) {
	all := packages(t)
	for _, function := range messageLoop {
		if all[function].ImportPath == "" {
			t.Errorf("there is no %s", function)
		}
		for _, held := range all[function].Deps {
			for _, heavy := range []string{
				"github.com/danielgtaylor/huma", "github.com/aws/aws-sdk-go-v2/config",
				"github.com/aws/aws-xray-sdk-go/v2/xray",
				"google.golang.org/grpc", "github.com/jackc/pgx/v5", "github.com/go-text/typesetting",
				"github.com/aws/aws-cdk-go", "pgregory.net/rapid",
				"github.com/aws/aws-sdk-go-v2/service/bedrockruntime", "github.com/aws/aws-sdk-go-v2/service/sesv2",
				"github.com/emersion/go-message", "golang.org/x/net/html", "golang.org/x/crypto",
				"github.com/golang-jwt/jwt",
			} {
				if held == heavy || strings.HasPrefix(held, heavy+"/") {
					t.Errorf("%s holds %s", function, held)
				}
			}
		}
	}
}

// forAnybody are packages that help people who do not use haatline. They and their tests import nothing of the project.
var forAnybody = []string{"infra/local/lambda", "infra/local/whatsappsim"}

func TestPackagesForAnybodyImportNothingOfTheProject(t *testing.T) {
	for _, path := range forAnybody {
		const imports = `{{range .Imports}}{{.}} {{end}}{{range .TestImports}}{{.}} {{end}}{{range ` +
			`.XTestImports}}{{.}} {{end}}`
		out, err := exec.CommandContext(t.Context(), "go", "list", "-f", imports, module+path).Output()
		if err != nil {
			t.Fatalf("go list %s: %v", path, err)
		}
		for _, imported := range own(strings.Fields(string(out))) {
			if imported != path {
				t.Errorf("%s or its tests import %s", path, imported)
			}
		}
	}
}
