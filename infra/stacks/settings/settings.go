// Package settings owns what a deployment may choose, and reads it from the context: before anything is built, and
// without the CDK, which takes its time.
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
	variables "github.com/haatline/haatline/shared/settings"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Options are what a deployment may choose. Build is the folder with the built functions, the rest comes from the CDK
// context (-c name=value, or the context in cdk.json).
type Options struct {
	Stage tables.Stage
	Build string
	// Config holds the functions' plain variables; outside dev, one with an empty value is not set.
	Config map[string]string
	// Reserved is how much concurrency is set aside for a function. A new account may have ten in all, so by default
	// nothing is.
	Reserved map[string]int
	// Parallel is how many batches of one shard of a stream a function works at, at once. A table that is new has about four
	// shards, so one for each leaves the webhook room where the account may run ten functions at once.
	Parallel map[string]int
	// Traced are the functions whose runs Lambda traces. Every trace is charged, so by default it is the one whose way leads out
	// of AWS.
	Traced []string
	// Unprotected are the stacks that have never stood, and are not protected from deletion before they do.
	Unprotected []string
	// WebhookRate is how many bodies a second the platform may post; more are refused for a moment, and posted again.
	WebhookRate int
	// DomainPrefix is the name of the sign-in pages' domain, unique in its region; without it there are no pages.
	DomainPrefix string
	// CallbackURLs are where the sign-in pages may send a person back to.
	CallbackURLs []string
	// Origins are those of the web pages that may call the API; without any, no page may.
	Origins []string
	// AlarmEmail is who hears of alarms; without it, whoever subscribes to the topic.
	AlarmEmail string
}

// configDefaults are the plain variables with a value for whoever says nothing. A variable that is not here has to be
// said: outside dev, whose numbers are theirs that nobody has claimed is nothing to guess.
func configDefaults(stage tables.Stage) map[string]string {
	// The platform posts again for seven days; a day is the margin.
	defaults := map[string]string{"WHATSAPP_GRAPH_URL": names.GraphURL, "WEBHOOK_MAX_AGE": "192h"}
	if stage == tables.Dev {
		defaults["DEFAULT_TENANT"] = "demo"
	}
	return defaults
}

// Names are the context values that are read.
func Names() []string {
	known := []string{"stage", "domainPrefix", "callbackUrls", "corsOrigins", "alarmEmail", "reservedConcurrency", "parallelism", "tracing", "unprotected", "webhookRate"}
	for _, function := range topology.Functions {
		for _, variable := range function.Config {
			known = append(known, contextName(variable))
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// Read reads the context. It returns an error of one line that names the context value that is wrong.
func Read(build string, context func(name string) any) (Options, error) {
	stage, err := ParseStage(context("stage"))
	if err != nil {
		return Options{}, err
	}
	options := Options{Stage: stage, Build: build, Config: map[string]string{}}
	text := func(name string) string {
		if value := context(name); value != nil {
			return fmt.Sprint(value)
		}
		return ""
	}
	for _, function := range topology.Functions {
		for _, variable := range function.Config {
			value, known := configDefaults(stage)[variable]
			if context(contextName(variable)) != nil {
				value, known = text(contextName(variable)), true
			}
			if !known {
				return Options{}, fmt.Errorf("%s has no value: pass -c %s=… (the README says what it is)", contextName(variable), contextName(variable))
			}
			options.Config[variable] = value
		}
	}
	options.DomainPrefix, options.AlarmEmail = text("domainPrefix"), text("alarmEmail")
	if err := options.check(); err != nil {
		return Options{}, err
	}
	options.CallbackURLs = []string{names.CallbackURL}
	if urls := text("callbackUrls"); urls != "" {
		options.CallbackURLs = strings.Split(urls, ",")
	}
	if options.Origins, err = parseOrigins(text("corsOrigins")); err != nil {
		return Options{}, err
	}
	reserved, parallel, unprotected := text("reservedConcurrency"), text("parallelism"), text("unprotected")
	if options.Reserved, err = parseCounts("reservedConcurrency", reserved, unlimited, anyFunction); err != nil {
		return Options{}, err
	}
	if options.Parallel, err = parseCounts("parallelism", parallel, mostParallel, readsStreams); err != nil {
		return Options{}, err
	}
	options.WebhookRate = defaultWebhookRate
	if rate := text("webhookRate"); rate != "" {
		if options.WebhookRate, err = strconv.Atoi(rate); err != nil || options.WebhookRate < authorizedAtLeast || options.WebhookRate > 10_000 {
			return Options{}, fmt.Errorf("webhookRate: %q is no number from %d to 10000", rate, authorizedAtLeast)
		}
	}
	options.Traced = []string{"outbox"}
	if context("tracing") != nil {
		options.Traced = strings.FieldsFunc(text("tracing"), func(r rune) bool { return r == ',' })
	}
	for _, name := range options.Traced {
		if !slices.ContainsFunc(topology.Functions, func(f topology.Function) bool { return f.Name == name && f.Traced }) {
			return Options{}, fmt.Errorf("tracing: %q is no function that writes trace segments (-c tracing=api,outbox, or -c tracing= for none)", name)
		}
	}
	if unprotected != "" {
		options.Unprotected = strings.Split(unprotected, ",")
	}
	for _, name := range options.Unprotected {
		if !slices.Contains(names.Stacks, name) {
			return Options{}, fmt.Errorf("unprotected: %q is none of the stacks %s", name, strings.Join(names.Stacks, ", "))
		}
	}
	return options, nil
}

const (
	// defaultWebhookRate is enough for 100,000 messages with their statuses in an hour; at less than authorizedAtLeast the
	// operators' own requests would be as many.
	defaultWebhookRate, authorizedAtLeast = 50, 30

	unlimited    = 1_000_000
	mostParallel = 10 // what Lambda takes
)

func anyFunction(topology.Function) bool    { return true }
func readsStreams(f topology.Function) bool { return len(f.Streams) > 0 }

// Parallelism is how many batches of one shard a function works at, at once: one where nobody says more.
func (o Options) Parallelism(function topology.Function) int {
	return max(o.Parallel[function.Name], 1)
}

// ParseStage reads the context value "stage": dev where there is none. A misspelt stage must not become a stack of its
// own, so only the three known ones pass.
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

// domainForm is what Cognito takes.
var domainForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`)

// check finds now what AWS would say after minutes, with half of the deployment made.
func (o Options) check() error {
	if _, err := variables.Tenant(o.Config["DEFAULT_TENANT"]); err != nil {
		return fmt.Errorf("defaultTenant: %w", err)
	}
	if err := whatsapp.CheckURL(o.Config["WHATSAPP_GRAPH_URL"]); err != nil {
		return fmt.Errorf("whatsappGraphUrl: %w", err)
	}
	if _, err := variables.Duration(o.Config["WEBHOOK_MAX_AGE"]); err != nil {
		return fmt.Errorf("webhookMaxAge: %w", err)
	}
	if p := o.DomainPrefix; p != "" && (!domainForm.MatchString(p) || strings.Contains(p, "aws") || strings.Contains(p, "amazon") || strings.Contains(p, "cognito")) {
		return fmt.Errorf("domainPrefix: %q is not up to 63 small letters, digits and dashes without the words aws, amazon and cognito", p)
	}
	if o.AlarmEmail != "" && !strings.Contains(o.AlarmEmail, "@") {
		return fmt.Errorf("alarmEmail: %q is no mail address", o.AlarmEmail)
	}
	return nil
}

// parseCounts reads "webhook=50,outbox=20": numbers of some functions.
func parseCounts(name, text string, most int, of func(topology.Function) bool) (map[string]int, error) {
	counts := map[string]int{}
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		function, number, _ := strings.Cut(part, "=")
		count, err := strconv.Atoi(number)
		known := slices.ContainsFunc(topology.Functions, func(f topology.Function) bool { return f.Name == function && of(f) })
		if err != nil || count < 1 || count > most || !known {
			return nil, fmt.Errorf("%s: %q is not function=number (-c %s=inbound=4,outbox=10)", name, part, name)
		}
		counts[function] = count
	}
	return counts, nil
}

// parseOrigins reads "https://desk.example,http://localhost:5173": origins as a browser names them. A pattern is none: what a
// page may read with a person's token is said page by page.
func parseOrigins(text string) ([]string, error) {
	var origins []string
	for origin := range strings.SplitSeq(text, ",") {
		if origin == "" {
			continue
		}
		address, err := url.Parse(origin)
		secure := err == nil && (address.Scheme == "https" || address.Scheme == "http" && (address.Hostname() == "localhost" || address.Hostname() == "127.0.0.1"))
		if !secure || !asBrowsersWrite(address) || origin != address.Scheme+"://"+address.Host || origin != strings.ToLower(origin) || address.Hostname() == "" || strings.Contains(origin, "*") {
			return nil, fmt.Errorf("corsOrigins: %q is no origin such as https://desk.example (plain http for localhost only)", origin)
		}
		origins = append(origins, origin)
	}
	return origins, nil
}

// asBrowsersWrite reports whether an address names its host and port as a browser does: the gateway compares texts, and another
// spelling would only never match.
func asBrowsersWrite(address *url.URL) bool {
	standard := map[string]string{"https": "443", "http": "80"}[address.Scheme]
	ascii := strings.IndexFunc(address.Host, func(r rune) bool { return r > unicode.MaxASCII }) < 0
	return ascii && address.Port() != standard && !strings.HasSuffix(address.Host, ":")
}

// contextName is the context value that sets a variable: whatsappGraphUrl for WHATSAPP_GRAPH_URL.
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

// Built is the folder of a built function. A template without its program would deploy nothing that runs, so a missing
// one is an error.
func (o Options) Built(function topology.Function) (string, error) {
	dir := filepath.Join(o.Build, function.Name)
	program := filepath.Join(dir, "bootstrap")
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("%s is missing: run make build first", program)
	}
	return dir, nil
}
