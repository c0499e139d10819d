package answering

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/models"
	"github.com/haatline/haatline/shared/assistant/policy"
	"github.com/haatline/haatline/shared/model"
)

// ErrSettings means that a project's ai_config cannot be used. The error says why.
var ErrSettings = errors.New("the assistant's settings cannot be used")

// Rules is the assistant that needs no network and no key.
const Rules = "rules"

// Settings are what a project's ai_config says of its assistant. Other members stay as they are, and mean nothing.
type Settings struct {
	Assistant    string   `json:"assistant"` // rules, bedrock or openai; "" for none
	Instructions string   `json:"instructions"`
	Languages    []string `json:"languages"` // en, hi, hi-Latn; the usual one first
	Topics       []string `json:"topics"`    // a message with one goes to a person
	TimeZone     string   `json:"timeZone"`  // of the hours; UTC if there is none
	Hours        []struct {
		Days     []string `json:"days"` // monday, …
		From, To string   // 15:04
	} `json:"hours"`
	Country string             `json:"country"` // whose national phone numbers are understood
	Lookups []assistant.Lookup `json:"lookups"` // what may be looked up of the person
	Slots   []struct {
		Name     string            `json:"name"`
		Kind     assistant.Kind    `json:"kind"`
		Question map[string]string `json:"question"` // by language
		Options  []string          `json:"options"`
		Optional bool              `json:"optional"`
	} `json:"slots"`

	Model       string   `json:"model"`       // that bedrock or openai answers with
	Temperature *float64 `json:"temperature"` // of the model; nil for its own
	MaxTokens   int      `json:"maxTokens"`   // of an answer; 0 for the usual ones
	Limits      struct { // what the model may take
		Conversation, Day, Month Limit // of the conversation, and of the company
	} `json:"limits"`
}

// Limit is what a scope may take: tokens, and US dollars. A limit of zero is none.
type Limit struct {
	Tokens int64 `json:"tokens"`
	USD    usd   `json:"usd"`
}

// usd is an amount of US dollars, as a number or a text of JSON.
type usd struct{ decimal.Decimal }

// UnmarshalJSON reads an amount, which is not negative.
func (u *usd) UnmarshalJSON(text []byte) (err error) {
	u.Decimal, err = models.Dollars(strings.Trim(string(text), `"`))
	return err
}

// Budget returns the limits.
func (s Settings) Budget() budget.Limits {
	amount := func(l Limit) budget.Amount { return budget.Amount{Tokens: l.Tokens, Money: l.USD.Decimal} }
	return budget.Limits{
		Conversation: amount(s.Limits.Conversation), Day: amount(s.Limits.Day), Company: amount(s.Limits.Month)}
}

// days are the days of the week by their names.
var days = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

// ReadSettings returns the settings in an ai_config. An error wraps ErrSettings.
func ReadSettings(config model.Document) (s Settings, err error) {
	if len(config) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(config, &s); err != nil {
		return s, fmt.Errorf("%w: a member has another type than it should", ErrSettings)
	}
	return s, nil
}

// kinds are the kinds of slots. A conversation keeps no files yet.
var kinds = slices.DeleteFunc(slices.Clone(assistant.Kinds), func(k assistant.Kind) bool { return k == assistant.File })

// Check returns why an ai_config cannot be used in a deployment that allows some models, by their names. The error
// wraps ErrSettings.
func Check(config model.Document, allowed []string) error {
	s, err := ReadSettings(config)
	if err != nil || s.Assistant == "" {
		return err
	}
	if err := s.checkModel(allowed); err != nil {
		return err
	}
	rules, err := s.policy()
	if err != nil {
		return err
	}
	if err := rules.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrSettings, err)
	}
	for i, name := range s.Lookups {
		if !slices.Contains(assistant.Lookups, name) || slices.Contains(s.Lookups[:i], name) {
			return fmt.Errorf("%w: lookups: %q is none of %v, or is there twice", ErrSettings, name, assistant.Lookups)
		}
	}
	seen := map[string]bool{}
	for i, slot := range s.Slots {
		switch {
		case i >= assistant.MaxSlots || len(slot.Options) > assistant.MaxOptions:
			return fmt.Errorf("%w: at most %d slots, each with at most %d options", ErrSettings, assistant.MaxSlots,
				assistant.MaxOptions)
		case strings.TrimSpace(slot.Name) == "" || seen[slot.Name]:
			return fmt.Errorf("%w: slot %d: a name that no other slot has", ErrSettings, i+1)
		case !slices.Contains(kinds, slot.Kind):
			return fmt.Errorf("%w: slot %d: the kind is one of %v", ErrSettings, i+1, kinds)
		case (slot.Kind == assistant.Choice) != (len(slot.Options) > 0):
			return fmt.Errorf("%w: slot %d: a choice has options, and nothing else has", ErrSettings, i+1)
		}
		seen[slot.Name] = true
	}
	return nil
}

// Bounds of what is said of a model.
const (
	mostTemperature = 2
	mostTokens      = 8000 // of an answer
)

// checkModel returns why the assistant, or its model, cannot be used.
func (s Settings) checkModel(allowed []string) error {
	if s.Assistant == Rules {
		return nil
	}
	if !slices.Contains(models.Services, s.Assistant) {
		return fmt.Errorf("%w: there is no assistant %q; there are %s, %s", ErrSettings, s.Assistant, Rules,
			strings.Join(models.Services, ", "))
	}
	if !slices.Contains(allowed, models.Name(s.Assistant, s.Model)) {
		return fmt.Errorf("%w: model: %q of %s is none of those that may be used here: %v", ErrSettings, s.Model,
			s.Assistant, allowed)
	}
	if t := s.Temperature; t != nil && (*t < 0 || *t > mostTemperature) {
		return fmt.Errorf("%w: temperature: 0 to %d", ErrSettings, mostTemperature)
	}
	if s.MaxTokens < 0 || s.MaxTokens > mostTokens {
		return fmt.Errorf("%w: maxTokens: at most %d", ErrSettings, mostTokens)
	}
	for _, limit := range s.Budget().All() {
		if limit.Most.Tokens < 0 {
			return fmt.Errorf("%w: limits: a number of tokens is not negative", ErrSettings)
		}
	}
	return nil
}

// AsksModel reports whether a language model answers.
func (s Settings) AsksModel() bool { return slices.Contains(models.Services, s.Assistant) }

// known reports whether there is such an assistant.
func (s Settings) known() bool { return s.Assistant == Rules || s.AsksModel() }

// policy returns the owner's rules.
func (s Settings) policy() (p policy.Policy, err error) {
	p = policy.Policy{Topics: s.Topics, Languages: s.Languages}
	if s.TimeZone != "" {
		if p.Zone, err = time.LoadLocation(s.TimeZone); err != nil {
			return p, fmt.Errorf("%w: timeZone: not a time zone, such as Asia/Kolkata", ErrSettings)
		}
	}
	for i, hours := range s.Hours {
		of := policy.Hours{From: hours.From, To: hours.To}
		for _, name := range hours.Days {
			day, known := days[strings.ToLower(name)]
			if !known {
				return p, fmt.Errorf("%w: hours %d: days are monday to sunday", ErrSettings, i+1)
			}
			of.Days = append(of.Days, day)
		}
		p.Hours = append(p.Hours, of)
	}
	return p, nil
}

func (s Settings) slots() []assistant.Slot {
	all := make([]assistant.Slot, len(s.Slots))
	for i, slot := range s.Slots {
		all[i] = assistant.Slot{
			Name: slot.Name, Kind: slot.Kind, Question: slot.Question, Options: slot.Options, Optional: slot.Optional}
	}
	return all
}
