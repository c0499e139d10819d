package stacks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/tables"
)

// Options are what a deployment may choose. Build is the folder with the built functions, the rest comes from the CDK
// context (-c name=value, or the context in cdk.json).
type Options struct {
	Stage tables.Stage
	Build string
	// Config holds the functions' plain variables; one with an empty value is not set.
	Config map[string]string
	// Reserved is how much concurrency is set aside for a function. A new account may have ten in all, so by default
	// nothing is.
	Reserved map[string]int
	// DomainPrefix is the name of the sign-in pages' domain, unique in its region; without it there are no pages.
	DomainPrefix string
	// CallbackURLs are where the sign-in pages may send a person back to.
	CallbackURLs []string
	// AlarmEmail is who hears of alarms; without it, whoever subscribes to the topic.
	AlarmEmail string
}

// configDefaults are the plain variables with a value for whoever says nothing. A variable that is not here has to be
// said.
var configDefaults = map[string]string{
	"WHATSAPP_GRAPH_URL": "https://graph.facebook.com/v23.0",
	"DEFAULT_TENANT":     "",
}

// ReadOptions reads the context. It returns an error of one line that names the context value that is wrong.
func ReadOptions(build string, context func(name string) any) (Options, error) {
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
			value, known := configDefaults[variable]
			if context(contextName(variable)) != nil {
				value, known = text(contextName(variable)), true
			}
			if !known {
				return Options{}, fmt.Errorf("%s has no value (-c %s=…)", variable, contextName(variable))
			}
			options.Config[variable] = value
		}
	}
	options.DomainPrefix, options.AlarmEmail = text("domainPrefix"), text("alarmEmail")
	options.CallbackURLs = []string{"http://localhost:3000/callback"}
	if urls := text("callbackUrls"); urls != "" {
		options.CallbackURLs = strings.Split(urls, ",")
	}
	options.Reserved, err = parseReserved(text("reservedConcurrency"))
	return options, err
}

// parseReserved reads "webhook=50,outbox=20".
func parseReserved(text string) (map[string]int, error) {
	reserved := map[string]int{}
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		name, number, _ := strings.Cut(part, "=")
		count, err := strconv.Atoi(number)
		known := slices.ContainsFunc(topology.Functions, func(f topology.Function) bool { return f.Name == name })
		if err != nil || count < 1 || !known {
			return nil, fmt.Errorf("reservedConcurrency: %q is not function=number (-c reservedConcurrency=webhook=50,outbox=20)", part)
		}
		reserved[name] = count
	}
	return reserved, nil
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

// built is the folder of a built function. A template without its program would deploy nothing that runs, so a missing
// one is an error.
func (o Options) built(function topology.Function) (string, error) {
	dir := filepath.Join(o.Build, function.Name)
	program := filepath.Join(dir, "bootstrap")
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("%s is missing: run make build first", program)
	}
	return dir, nil
}
