package main

import (
	"bytes"
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
		{[]string{"doctor", "-no-such-flag"}, 2, "haatline: doctor:"},
		{[]string{"operator", "-stage", "prod", "-email", "x"}, 2, "haatline: -email"},
		{[]string{"sign-in", "-stage", "local"}, 2, "haatline: -stage"},
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
		code := run(t.Context(), c.args, &out, &problems)
		if code != c.code || !strings.HasPrefix(problems.String(), c.problem) || (c.code == 0) == (out.Len() == 0) {
			t.Errorf("%q: %d, %q, %q", c.args, code, out.String(), problems.String())
		}
		if c.code == 1 && strings.Count(problems.String(), "\n") != 1 {
			t.Errorf("%q says more than one line: %s", c.args, problems.String())
		}
	}
}
