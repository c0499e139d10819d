package settings_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/stacks/settings"
)

func TestDomainsOfEmailAreCheckedBeforeAnythingIsMade(t *testing.T) {
	for name, c := range map[string]struct{ domains, set, wrong string }{
		"none":                    {},
		"one":                     {"jobs.acme.example", "", ""},
		"two, and a rule set":     {"jobs.acme.example,shop.acme.example", "acme_1", ""},
		"twice the same":          {"jobs.acme.example,jobs.acme.example", "", "mailDomains"},
		"an address":              {"jobs@acme.example", "", "mailDomains"},
		"an empty one":            {"jobs.acme.example,", "", "mailDomains"},
		"a line break":            {"jobs.acme.example\n", "", "mailDomains"},
		"a rule set alone":        {"", "acme", "mailRuleSet"},
		"a rule set that is none": {"jobs.acme.example", "acme rules", "mailRuleSet"},
		"too many for one rule":   {strings.Repeat("a", 20) + manyDomains(), "", "mailDomains"},
		"in large letters":        {"JOBS.acme.example", "", "mailDomains"},
	} {
		given := map[string]any{"stage": "prod", "defaultTenant": ""}
		for key, value := range map[string]string{"mailDomains": c.domains, "mailRuleSet": c.set} {
			if value != "" {
				given[key] = value
			}
		}
		options, err := settings.Read("build", func(name string) any { return given[name] })
		if c.wrong == "" {
			if err != nil || strings.Join(options.Mail.Domains, ",") != c.domains || options.Mail.RuleSet != c.set {
				t.Errorf("%s: %+v, %v", name, options.Mail, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.wrong) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; it should name %s in one line", name, err, c.wrong)
		}
	}
}

// manyDomains returns more domains than a rule takes.
func manyDomains() string {
	all := ""
	for n := range 101 {
		all += ".example,a" + strings.Repeat("b", n)
	}
	return all + ".example"
}
