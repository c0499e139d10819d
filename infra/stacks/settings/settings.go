// Package settings reads and checks what a deployment can configure. It does so before anything is built and without
// the CDK, which is slow to start.
package settings

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/openai"
	variables "github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Options is a deployment's configuration. Build is the folder with the built functions. The rest comes from the CDK
// context (-c name=value, or the context in cdk.json).
type Options struct {
	Stage tables.Stage
	Build string
	// Config holds the functions' plain variables. Outside dev, empty values are not set.
	Config map[string]string
	// Reserved is the concurrency reserved per function. By default nothing is reserved, because a new account may have
	// only ten in all.
	Reserved map[string]int
	// Parallel is how many batches per stream shard a function processes at once. A new table has about four shards, so
	// one batch per shard leaves the webhook room if the account may run only ten functions at once.
	Parallel map[string]int
	// Traced lists the functions whose invocations Lambda traces. Lambda traces one run a second and a share of the
	// others, and each trace costs money: a quiet stage would pay for nearly all of its runs. So by default it is none.
	Traced []string
	// Unprotected lists the stacks that were never created successfully. They are not protected against deletion yet.
	Unprotected []string
	// WebhookRate is how many webhook requests per second are accepted. Meta repeats refused ones later. APIRate is how
	// many requests per second each route of the API accepts, of all tenants together. It is lower, because operators
	// are people, and a program that loops must not crowd out the webhook.
	WebhookRate, APIRate int
	// Domain is the API's own domain. Without it the API has the address that AWS gives it.
	Domain Domain
	// Console says whether there is a console, and at which domain.
	Console Console
	// WarmWrites is how many write units a second a table and each of its indexes are ready for at once, by the table's
	// id. A table without a value grows with its load, from 4,000.
	WarmWrites map[string]int
	// DomainPrefix is the domain name of the sign-in pages, unique in its region. Without it there are no pages.
	DomainPrefix string
	// CallbackURLs are the addresses to which the sign-in pages may send a person back.
	CallbackURLs []string
	// Origins are the origins of the web pages that may call the API. Without any, no page may.
	Origins []string
	// Without lists the domains whose functions are not deployed, because nobody uses them.
	Without []string
	// Live says that there is a live channel, by which open programs are told that something has changed.
	Live bool
	// SealedTokens says that there is a key of KMS that encrypts the access tokens of single numbers.
	SealedTokens bool
	// Memberships says that Cognito asks the function pre-token, before it makes a token, for whom a person works.
	Memberships bool
	// Analytics is the database to which the orders of stores are copied.
	Analytics Analytics
	// Mail says for which domains emails come in.
	Mail Mail
	// EUM says by which topic AWS End User Messaging tells of WhatsApp.
	EUM EUM
	// Models are the language models that projects may choose.
	Models models.Models
	// AlarmEmail is the address that receives alarms. It may be empty; the topic accepts further subscriptions.
	AlarmEmail string
}

// configDefaults returns the plain variables that have a default. All others must be set. There is no default tenant
// outside dev, because guessing who owns unclaimed numbers would be dangerous.
func configDefaults(stage tables.Stage) map[string]string {
	// Meta repeats a webhook for seven days. One more day is the margin.
	defaults := map[string]string{"WHATSAPP_GRAPH_URL": names.GraphURL, "WEBHOOK_MAX_AGE": "192h", "SMS_SENDER": "",
		"SES_CONFIGURATION": "", "TENANT_RATE": "20", "FUNCTION_HOSTS": "", topology.EventBus: "", "MODELS": "",
		"MODEL_URL": "https://api.openai.com/v1", "MODEL_DAY_LIMIT": "5"}
	if stage == tables.Dev {
		defaults["DEFAULT_TENANT"] = "demo"
	}
	return defaults
}

// Names returns the names of the context values that are read.
func Names() []string {
	known := []string{
		"stage", "domainPrefix", "callbackUrls", "corsOrigins", "alarmEmail", "reservedConcurrency", "parallelism",
		"tracing", "unprotected", "messagesADay", "webhookRate", "apiRate", "without", "analytics", "apiDomain",
		"apiCertificate", "webAcl", "console", "consoleDomain", "consoleCertificate", "warmWrites", "mailDomains",
		"mailRuleSet", "live", "memberships", "tokens", "eumTopic",
	}
	for _, function := range topology.Functions {
		for _, variable := range function.Config {
			known = append(known, contextName(variable))
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// Read reads the context. Its error is one line that names the wrong context value.
func Read(build string, context func(name string) any) (Options, error) {
	stage, err := ParseStage(context("stage"))
	if err != nil {
		return Options{}, err
	}
	options := Options{Stage: stage, Build: build}
	text := func(name string) string {
		if value := context(name); value != nil {
			return fmt.Sprint(value)
		}
		return ""
	}
	if options.Config, err = readConfig(stage, context); err != nil {
		return Options{}, err
	}
	if options.Models, err = models.Parse(options.Config["MODELS"]); err != nil {
		return Options{}, fmt.Errorf("models: %w", err)
	}
	options.DomainPrefix, options.AlarmEmail = text("domainPrefix"), text("alarmEmail")
	if err := options.check(); err != nil {
		return Options{}, err
	}
	if options.Domain, err = parseDomain(text); err != nil {
		return Options{}, err
	}
	if options.Console, err = parseConsole(text, options); err != nil {
		return Options{}, err
	}
	if options.Mail, err = parseMail(text); err != nil {
		return Options{}, err
	}
	if options.EUM, err = parseEUM(text("eumTopic")); err != nil {
		return Options{}, err
	}
	if options.Without, err = parseWithout(text("without")); err != nil {
		return Options{}, err
	}
	if err := options.readSwitches(text); err != nil {
		return Options{}, err
	}
	if options.Analytics, err = parseAnalytics(text("analytics")); err != nil {
		return Options{}, err
	}
	options.CallbackURLs = []string{names.CallbackURL}
	if urls := text("callbackUrls"); urls != "" {
		options.CallbackURLs = strings.Split(urls, ",")
	}
	if options.Origins, err = parseOrigins(text("corsOrigins")); err != nil {
		return Options{}, err
	}
	if options.Reserved, err = parseCounts("reservedConcurrency", text("reservedConcurrency"), unlimited,
		anyFunction); err != nil {
		return Options{}, err
	}
	if options.Parallel, err = parseCounts("parallelism", text("parallelism"), mostParallel, readsStreams); err != nil {
		return Options{}, err
	}
	if err := options.readRates(text); err != nil {
		return Options{}, err
	}
	if options.WarmWrites, err = parseWarmWrites(text("warmWrites")); err != nil {
		return Options{}, err
	}
	if options.Traced, err = parseTraced(text("tracing")); err != nil {
		return Options{}, err
	}
	options.Unprotected, err = parseUnprotected(text("unprotected"))
	return options, err
}

// readConfig returns the values of the functions' variables that a deployment may set.
func readConfig(stage tables.Stage, context func(name string) any) (map[string]string, error) {
	config, defaults := map[string]string{}, configDefaults(stage)
	for _, function := range topology.Functions {
		for _, variable := range function.Config {
			value, known := defaults[variable]
			if given := context(contextName(variable)); given != nil {
				value, known = fmt.Sprint(given), true
			}
			if !known {
				return nil, fmt.Errorf(
					"%s has no value: pass -c %s=… (DEPLOY.md says what it is)", contextName(variable),
					contextName(variable))
			}
			config[variable] = value
		}
	}
	return config, nil
}

// parseTraced returns the names of the functions that write trace segments.
func parseTraced(text string) ([]string, error) {
	all := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	for _, name := range all {
		if !slices.ContainsFunc(topology.Functions,
			func(f topology.Function) bool { return f.Name == name && f.Traced }) {
			return nil, fmt.Errorf(
				"tracing: %q is no function that writes trace segments (-c tracing=messaging-api,outbox, or -c "+
					"tracing= for none)", name)
		}
	}
	return all, nil
}

// parseUnprotected returns the names of the stacks that may be deleted.
func parseUnprotected(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	all := strings.Split(text, ",")
	for _, name := range all {
		if !slices.Contains(names.Stacks, name) {
			return nil, fmt.Errorf("unprotected: %q is none of the stacks %s", name, strings.Join(names.Stacks, ", "))
		}
	}
	return all, nil
}

const (
	unlimited    = 1_000_000
	mostParallel = 10 // Lambda's maximum
)

func anyFunction(topology.Function) bool    { return true }
func readsStreams(f topology.Function) bool { return len(f.Streams) > 0 }

// Parallelism returns how many batches per shard a function processes at once. The default is one.
func (o Options) Parallelism(function topology.Function) int {
	return max(o.Parallel[function.Name], 1)
}

// ParseStage parses the context value "stage"; the default is dev. It accepts only the three known stages, so that a
// typo does not create another deployment.
func ParseStage(context any) (tables.Stage, error) {
	if context == nil {
		return tables.Dev, nil
	}
	name, _ := context.(string)
	if stage := tables.Stage(name); slices.Contains(names.Stages, stage) {
		return stage, nil
	}
	return "", fmt.Errorf("stage %q is not one of dev, staging, prod (-c stage=…)", fmt.Sprint(context))
}

// domainForm is the form of a domain name that Cognito accepts.
var domainForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`)

// busForm is the form of an event bus's name: no ARN, because a bus of another account has to allow it.
var busForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,256}$`)

// check finds errors that AWS would only report after minutes, with half of the deployment made.
func (o Options) check() error {
	if _, err := variables.Tenant(o.Config["DEFAULT_TENANT"]); err != nil {
		return fmt.Errorf("defaultTenant: %w", err)
	}
	if err := whatsapp.CheckURL(o.Config["WHATSAPP_GRAPH_URL"]); err != nil {
		return fmt.Errorf("whatsappGraphUrl: %w", err)
	}
	if _, err := variables.Count(o.Config["TENANT_RATE"]); err != nil {
		return fmt.Errorf("tenantRate: %w", err)
	}
	if _, err := variables.Hosts(o.Config["FUNCTION_HOSTS"]); err != nil {
		return fmt.Errorf("functionHosts: %w", err)
	}
	if bus := o.Config[topology.EventBus]; bus != "" && !busForm.MatchString(bus) {
		return fmt.Errorf("eventBus: %q is not the name of an event bus of this account and region (-c eventBus=haat)",
			bus)
	}
	if err := openai.CheckURL(o.Config["MODEL_URL"]); err != nil {
		return fmt.Errorf("modelUrl: %w", err)
	}
	if _, err := models.Limit(o.Config["MODEL_DAY_LIMIT"]); err != nil {
		return fmt.Errorf("modelDayLimit: %w", err)
	}
	if _, err := variables.Duration(o.Config["WEBHOOK_MAX_AGE"]); err != nil {
		return fmt.Errorf("webhookMaxAge: %w", err)
	}
	if p := o.DomainPrefix; p != "" &&
		(!domainForm.MatchString(p) || strings.Contains(p, "aws") || strings.Contains(p, "amazon") ||
			strings.Contains(p, "cognito")) {
		return fmt.Errorf(
			"domainPrefix: %q is not up to 63 small letters, digits and dashes without the words aws, amazon "+
				"and cognito", p)
	}
	if o.AlarmEmail != "" && !strings.Contains(o.AlarmEmail, "@") {
		return fmt.Errorf("alarmEmail: %q is no mail address", o.AlarmEmail)
	}
	return nil
}

// parseCounts parses numbers per function, such as "webhook=50,outbox=20".
func parseCounts(name, text string, most int, of func(topology.Function) bool) (map[string]int, error) {
	counts := map[string]int{}
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		function, number, _ := strings.Cut(part, "=")
		count, err := strconv.Atoi(number)
		known := slices.ContainsFunc(topology.Functions,
			func(f topology.Function) bool { return f.Name == function && of(f) })
		if err != nil || count < 1 || count > most || !known {
			return nil, fmt.Errorf("%s: %q is not function=number (-c %s=inbound=4,outbox=10)", name, part, name)
		}
		counts[function] = count
	}
	return counts, nil
}

// parseWithout returns the domains to leave out: "cards" or "" for none.
func parseWithout(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	domains := strings.Split(text, ",")
	for _, domain := range domains {
		if !slices.Contains(topology.Optional(), domain) {
			return nil, fmt.Errorf("without=%s: there is no such domain to leave out; there are %s", domain,
				strings.Join(topology.Optional(), ", "))
		}
	}
	return domains, nil
}

// parseOrigins parses origins such as "https://desk.example,http://localhost:5173". It accepts no patterns: each page
// that may use a person's token must be named.
func parseOrigins(text string) ([]string, error) {
	var origins []string
	for origin := range strings.SplitSeq(text, ",") {
		if origin == "" {
			continue
		}
		address, err := url.Parse(origin)
		if err != nil || !isOrigin(address, origin) {
			return nil, fmt.Errorf(
				"corsOrigins: %q is no origin such as https://desk.example (plain http for localhost only)", origin)
		}
		origins = append(origins, origin)
	}
	return origins, nil
}

// asBrowsersWrite reports whether an address writes its host and port as browsers do. API Gateway compares texts, so
// another spelling would never match.
func asBrowsersWrite(address *url.URL) bool {
	standard := map[string]string{"https": "443", "http": "80"}[address.Scheme]
	ascii := strings.IndexFunc(address.Host, func(r rune) bool { return r > unicode.MaxASCII }) < 0
	return ascii && address.Port() != standard && !strings.HasSuffix(address.Host, ":")
}

// contextName returns the context value that sets a variable: whatsappGraphUrl for WHATSAPP_GRAPH_URL.
func contextName(variable string) string {
	var b strings.Builder
	for i, word := range strings.Split(strings.ToLower(variable), "_") {
		if i > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}

// Built returns the folder of a built function. It returns an error if the program is missing, because the deployed
// function could not run.
func (o Options) Built(function topology.Function) (string, error) {
	dir := filepath.Join(o.Build, function.Name)
	program := filepath.Join(dir, "bootstrap")
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("%s is missing: run make build first", program)
	}
	return dir, nil
}

// BuiltConsole returns the folder of the built console, or an error if it is missing.
func (o Options) BuiltConsole() (string, error) {
	dir := filepath.Join(o.Build, "console")
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return "", fmt.Errorf("%s is missing: run make build first", filepath.Join(dir, "index.html"))
	}
	return dir, nil
}

// isOrigin reports whether a text is an origin as browsers write it, and its address is secure: https, or this
// machine's.
func isOrigin(address *url.URL, text string) bool {
	here := address.Hostname() == "localhost" || address.Hostname() == "127.0.0.1"
	secure := address.Scheme == "https" || address.Scheme == "http" && here
	return secure && asBrowsersWrite(address) && text == address.Scheme+"://"+address.Host &&
		text == strings.ToLower(text) &&
		address.Hostname() != "" && !strings.Contains(text, "*")
}
