package settings_test

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/stacks/settings"
)

const (
	here  = "arn:aws:acm:ap-south-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	there = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	acl   = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/front/01234567-89ab-cdef-0123-456789abcdef"
)

var (
	regional         = strings.Replace(acl, "global", "regional", 1)
	certificateOfIAM = strings.Replace(here, ":acm:", ":iam:", 1)
)

func TestADomainIsCheckedBeforeAnythingIsMade(t *testing.T) {
	for name, c := range map[string]struct{ domain, certificate, acl, wrong string }{
		"none":                       {},
		"a domain":                   {"api.acme.example", here, "", ""},
		"behind a web ACL":           {"api.acme.example", there, acl, ""},
		"no certificate":             {"api.acme.example", "", "", "apiCertificate"},
		"a certificate alone":        {"", here, "", "apiDomain"},
		"a web ACL alone":            {"", "", acl, "apiDomain"},
		"an address":                 {"https://api.acme.example", here, "", "apiDomain"},
		"capital letters":            {"API.acme.example", here, "", "apiDomain"},
		"one label":                  {"localhost", here, "", "apiDomain"},
		"a wildcard":                 {"*.acme.example", here, "", "apiDomain"},
		"a line break":               {"api.acme.example\n", here, "", "apiDomain"},
		"CloudFront's certificate":   {"api.acme.example", here, acl, "us-east-1"},
		"a web ACL of the region's":  {"api.acme.example", there, regional, "webAcl"},
		"something else's ARN":       {"api.acme.example", certificateOfIAM, "", "apiCertificate"},
		"a domain that is very long": {strings.Repeat("a.", 130) + "example", here, "", "apiDomain"},
	} {
		t.Run(name, func(t *testing.T) {
			given := map[string]any{"stage": "prod", "defaultTenant": ""}
			for key, value := range map[string]string{
				"apiDomain": c.domain, "apiCertificate": c.certificate, "webAcl": c.acl} {
				if value != "" {
					given[key] = value
				}
			}
			options, err := settings.Read("build", func(name string) any { return given[name] })
			if c.wrong == "" {
				if want := (settings.Domain{Name: c.domain, Certificate: c.certificate, WebACL: c.acl}); err != nil ||
					options.Domain != want {
					t.Errorf("%+v, %v", options.Domain, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.wrong) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v; it should name %s in one line", err, c.wrong)
			}
		})
	}
}
