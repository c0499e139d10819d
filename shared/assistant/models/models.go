// Package models says which language models a deployment allows. The people who run it name them, because they pay for
// them, and because an address that a tenant could choose would lead into their network. A project chooses one of them.
package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/prompt"
)

// The services that are asked.
const (
	Bedrock = "bedrock" // Amazon Bedrock
	OpenAI  = "openai"  // the Responses API, of OpenAI or of another server
)

// Services are all of them.
var Services = []string{Bedrock, OpenAI}

// Model is a model that may be asked, with what it costs.
type Model struct {
	Service string
	ID      string
	Price   budget.Price
}

// Models are the models that a deployment allows.
type Models []Model

// ErrList means that a list of models cannot be used. The error says why.
var ErrList = errors.New("the list of models cannot be used")

// Parse reads a list of models with commas between them: bedrock:amazon.nova-lite-v1:0,openai:gpt-4o-mini. A model that
// the list of prices does not know has its price behind it, in US dollars for a million tokens of the prompt and of the
// answer: openai:qwen3=0/0. A price that is given comes before the list's. It returns ErrList.
func Parse(text string) (Models, error) {
	var all Models
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		m, err := parse(part)
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", ErrList, part, err)
		}
		if _, twice := all.Find(m.Service, m.ID); twice {
			return nil, fmt.Errorf("%w: %q is there twice", ErrList, part)
		}
		all = append(all, m)
	}
	return all, nil
}

func parse(part string) (m Model, err error) {
	name, price, priced := strings.Cut(part, "=")
	service, id, found := strings.Cut(name, ":")
	if !found || id == "" || !slices.Contains(Services, service) || strings.ContainsAny(id, " \t*?") {
		return m, fmt.Errorf("it is no model of %s, such as openai:gpt-4o-mini", strings.Join(Services, " or "))
	}
	m = Model{Service: service, ID: id}
	if !priced {
		m.Price, err = budget.PriceOf(id, nil)
		return m, err
	}
	prompt, completion, found := strings.Cut(price, "/")
	if m.Price.Prompt, err = Dollars(prompt); err == nil && found {
		m.Price.Completion, err = Dollars(completion)
	}
	if err != nil || !found {
		return m, errors.New("its price is two amounts of US dollars, such as 0.15/0.60")
	}
	return m, nil
}

// mostDigits bounds what an amount of money looks like.
const mostDigits = 20

// Dollars parses an amount of US dollars, which is not negative.
func Dollars(text string) (decimal.Decimal, error) {
	amount, err := decimal.NewFromString(text)
	if err != nil || amount.IsNegative() || len(text) > mostDigits || strings.ContainsAny(text, "eE") {
		return decimal.Zero, fmt.Errorf("%q is no amount of US dollars, such as 2.50", text)
	}
	return amount, nil
}

// Limit parses the most that models may cost. An empty text returns 0, which is no limit.
func Limit(text string) (decimal.Decimal, error) {
	if text == "" {
		return decimal.Zero, nil
	}
	return Dollars(text)
}

// Question says how a model is asked.
type Question struct {
	Model       string
	Temperature *float64 // nil for the model's own
	MaxTokens   int      // of an answer
}

// Client returns what asks a model of a service.
type Client func(Question) prompt.Model

// Find returns a model of a service by its id.
func (all Models) Find(service, id string) (Model, bool) {
	at := slices.IndexFunc(all, func(m Model) bool { return m.Service == service && m.ID == id })
	if at < 0 {
		return Model{}, false
	}
	return all[at], true
}

// Name names a model of a service: openai:gpt-4o-mini.
func Name(service, id string) string { return service + ":" + id }

// Names returns the names of the models.
func (all Models) Names() (names []string) {
	for _, m := range all {
		names = append(names, Name(m.Service, m.ID))
	}
	return names
}
