package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestACommandEndsWithTwoWhenCalledWronglyAndWithOneWhenItFails(t *testing.T) {
	t.Setenv("HAATLINE_TOKEN", "")
	for _, c := range []struct {
		args    []string
		code    int
		problem string
	}{
		{nil, 2, "usage:"},
		{[]string{"docter"}, 2, "usage:"},
		{[]string{"doctor", "-stage", "nowhere"}, 2, "haatline: -stage"},
		{[]string{"doctor", "-stage"}, 2,
			"haatline: doctor: -stage needs a value: what to examine: dev, staging or prod, or local"},
		{[]string{"doctor", "-stage", "-waba", "1"}, 2, "haatline: doctor: -stage needs a value:"},
		{[]string{"operator", "-stage", "-email", "you@acme.example", "-tenant", "acme", "-platform"}, 2,
			"haatline: operator: -stage needs a value: dev, staging or prod"},
		{[]string{"doctor", "-stage", ""}, 2, `haatline: -stage "" is not one of dev, staging, prod, local`},
		{[]string{"doctor", "-no-such-flag"}, 2, "haatline: doctor:"},
		{[]string{"operator", "-stage", "prod", "-email", "x"}, 2, "haatline: -email"},
		{[]string{"number", "-stage", "prod", "-phone", "+15550783881", "-tenant", "acme"}, 2,
			`haatline: -phone "+15550783881"`},
		{[]string{"sign-in", "-stage", "local"}, 2, "haatline: -stage"},
		{[]string{"redrive", "-stage", "local"}, 2, "haatline: -stage"},
		{[]string{"export"}, 2, "haatline: export:"},
		{[]string{"export", "-api", "https://api.example"}, 1, "haatline: there is no token"},
		{[]string{"context", "-c", "stage=prd", "--all"}, 2, `haatline: stage "prd" is not one of dev, staging, prod`},
		{[]string{"context", "-c", "stage=prod"}, 2, "haatline: defaultTenant has no value"},
		{[]string{"context", "-c", "defautTenant=acme"}, 2, `haatline: context: nothing reads "defautTenant"`},
		{[]string{"context", "-c", "stage"}, 2, `haatline: context: "stage" is not name=value`},
		{[]string{"context", "-c"}, 2, "haatline: context: -c is followed by"},
		{[]string{"context", "--context=domainPrefix=My Shop"}, 2, "haatline: domainPrefix"},
		{[]string{"context", "-c", "stage=prod", "-c", "defaultTenant=acme", "--require-approval", "never"}, 0, ""},
		{[]string{"doctor", "-h"}, 0, ""},
		{[]string{"help"}, 0, ""},
	} {
		var out, problems bytes.Buffer
		code := program.Run(t.Context(), c.args, &out, &problems)
		if code != c.code || !strings.HasPrefix(problems.String(), c.problem) || (c.code == 0) == (out.Len() == 0) {
			t.Errorf("%q: %d, %q, %q", c.args, code, out.String(), problems.String())
		}
		if c.code == 1 && strings.Count(problems.String(), "\n") != 1 {
			t.Errorf("%q says more than one line: %s", c.args, problems.String())
		}
	}
}

// A laptop without an account of AWS, and one whose profile has signed out.
func TestWithoutCredentialsEveryCommandSaysSoInOneLine(t *testing.T) {
	for _, name := range []string{
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION",
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte("[profile acme]\nregion = ap-south-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CONFIG_FILE", config)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
	for profile, want := range map[string]string{
		"": "haatline: no AWS credentials: put them into the environment",
		"acme": "haatline: the profile acme gives none; where it signs in: aws sso login --profile acme (no AWS " +
			"credentials",
	} {
		t.Setenv("AWS_PROFILE", profile)
		for _, args := range [][]string{
			{"operator", "-stage", "prod", "-email", "you@acme.example", "-tenant", "acme"},
			{"number", "-stage", "prod", "-phone", "106540352242922", "-tenant", "acme"}, {"sign-in", "-stage", "prod"},
			{"export", "-stage", "prod"},
		} {
			var out, problems bytes.Buffer
			if code := program.Run(t.Context(), args, &out, &problems); code != 1 ||
				!strings.HasPrefix(problems.String(), want) || strings.Count(problems.String(), "\n") != 1 ||
				out.Len() > 0 {
				t.Errorf("%q with profile %q: %d, %s", args, profile, code, problems.String())
			}
		}
	}
}
