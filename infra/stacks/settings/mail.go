package settings

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Mail says for which domains emails come in. The zero value says none.
type Mail struct {
	Domains []string // jobs.acme.example
	// RuleSet is the rule set of Amazon SES that is active in the account and takes the rule; "" for one of the
	// stage's own, which somebody has to make the active one.
	RuleSet string
}

// mostMailDomains is how many recipients SES takes in one rule.
const mostMailDomains = 100

// ruleSetForm is the form of a rule set's name.
var ruleSetForm = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$`)

// parseMail parses the context values mailDomains and mailRuleSet.
func parseMail(text func(name string) string) (Mail, error) {
	m := Mail{RuleSet: text("mailRuleSet")}
	if domains := text("mailDomains"); domains != "" {
		m.Domains = strings.Split(domains, ",")
	}
	for i, domain := range m.Domains {
		if len(domain) > 253 || !hostForm.MatchString(domain) || slices.Contains(m.Domains[:i], domain) {
			return Mail{}, fmt.Errorf(
				"mailDomains: %q is no domain such as jobs.acme.example, in small letters and once", domain)
		}
	}
	switch {
	case len(m.Domains) > mostMailDomains:
		return Mail{}, fmt.Errorf("mailDomains: at most %d", mostMailDomains)
	case m.RuleSet != "" && len(m.Domains) == 0:
		return Mail{}, errors.New("mailRuleSet: it takes a rule only together with mailDomains")
	case m.RuleSet != "" && !ruleSetForm.MatchString(m.RuleSet):
		return Mail{}, fmt.Errorf("mailRuleSet: %q is no name of a rule set of Amazon SES", m.RuleSet)
	}
	return m, nil
}
