package building_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/building"
)

func TestTheMakefileCompilesWithTheSameFlags(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^export GOFLAGS +:= (.*)$`).FindSubmatch(text)
	if line == nil {
		t.Fatal("the Makefile sets no GOFLAGS")
	}
	got, want := strings.Fields(string(line[1])), building.Flags()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the Makefile compiles with %q, the builders with %q", got, want)
	}
}
