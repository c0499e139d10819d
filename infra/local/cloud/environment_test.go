package cloud

import (
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/topology"
)

func configured(env map[string]string) Config {
	var environ []string
	for name, value := range env {
		environ = append(environ, name+"="+value)
	}
	return Config{
		Getenv: func(name string) string { return env[name] }, Environ: environ, Functions: topology.Functions}
}

func TestASecretMayBeAReferenceToAVariable(t *testing.T) {
	c := configured(map[string]string{"WHATSAPP_ACCESS_TOKEN": "env:META_TOKEN", "META_TOKEN": "EAAG"})
	if err := c.checkSecrets(); err != nil {
		t.Error(err)
	}
	if value := c.Setting("WHATSAPP_ACCESS_TOKEN", ""); value != "EAAG" {
		t.Errorf("is %q", value)
	}
}

func TestAReferenceThatLeadsNowhereIsOneLineBeforeAnythingIsBuilt(t *testing.T) {
	for value, says := range map[string]string{
		"env:META_TOKEN":                "WHATSAPP_ACCESS_TOKEN refers to META_TOKEN, which is not set",
		"secretsmanager:haatline/token": "WHATSAPP_ACCESS_TOKEN refers to AWS Secrets Manager",
	} {
		_, err := Start(t.Context(), configured(map[string]string{"WHATSAPP_ACCESS_TOKEN": value}))
		if err == nil || !strings.HasPrefix(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// A number may have a token of its own, and only what sends gets to see it.
func TestTokensOfNumbersReachWhatSends(t *testing.T) {
	c := configured(map[string]string{"WHATSAPP_ACCESS_TOKEN_SHOP2": "EAAG", "HOME": "/root"})
	for _, function := range topology.Functions {
		variables := c.environment(function, "", "", "", "")
		if got := slices.Contains(variables, "WHATSAPP_ACCESS_TOKEN_SHOP2=EAAG"); got != function.Numbers {
			t.Errorf("%s sees it: %t", function.Name, got)
		}
		if slices.Contains(variables, "HOME=/root") {
			t.Errorf("%s sees what is none of its business", function.Name)
		}
	}
}
