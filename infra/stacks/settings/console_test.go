package settings_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/stacks/settings"
)

func TestThereIsAConsoleWherePeopleCanSignIn(t *testing.T) {
	const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	own := map[string]any{
		"domainPrefix": "acme-line", "consoleDomain": "desk.acme.example", "consoleCertificate": certificate}
	read := func(context map[string]any) (settings.Console, error) {
		options, err := settings.Read("build", func(name string) any { return context[name] })
		return options.Console, err
	}
	for _, c := range []struct {
		context map[string]any
		want    settings.Console
	}{
		{nil, settings.Console{}},
		{map[string]any{"console": "off"}, settings.Console{}},
		{map[string]any{"domainPrefix": "acme-line"}, settings.Console{On: true}},
		{map[string]any{"domainPrefix": "acme-line", "console": "on"}, settings.Console{On: true}},
		{map[string]any{"domainPrefix": "acme-line", "console": "off"}, settings.Console{}},
		{own, settings.Console{On: true, Domain: "desk.acme.example", Certificate: certificate}},
	} {
		if got, err := read(c.context); err != nil || got != c.want {
			t.Errorf("%v: %+v, %v", c.context, got, err)
		}
	}
	for _, wrong := range []struct {
		names   string
		changes map[string]any
	}{
		{"console", map[string]any{"console": "yes"}},
		{"console", map[string]any{"console": "on", "domainPrefix": nil}},
		{"consoleDomain", map[string]any{"console": "off"}},
		{"consoleDomain", map[string]any{"domainPrefix": nil}},
		{"consoleDomain", map[string]any{"consoleDomain": "https://desk.acme.example"}},
		{"consoleDomain", map[string]any{"consoleDomain": nil}},
		{"consoleDomain", map[string]any{"apiDomain": "desk.acme.example", "apiCertificate": certificate}},
		{"consoleCertificate", map[string]any{"consoleCertificate": nil}},
		{"consoleCertificate", map[string]any{
			"consoleCertificate": strings.Replace(certificate, "us-east-1", "ap-south-1", 1)}},
	} {
		context := maps.Clone(own)
		maps.Copy(context, wrong.changes)
		if _, err := read(context); err == nil || !strings.HasPrefix(err.Error(), wrong.names) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v", wrong.changes, err)
		}
	}
}
