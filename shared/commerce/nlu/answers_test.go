package nlu_test

import (
	"os"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

// What is no yes is never read as one, and nineteen of twenty that are one are.
func TestOnlyAYesConfirms(t *testing.T) {
	text, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	x := index(t, "bharat")
	all, confirmed := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		want, said, _ := strings.Cut(line, "|")
		reply, intent := nlu.ReplyOf(said, nil), x.Read(said).Intent
		if want != "yes" {
			if reply == nlu.Yes || intent == nlu.Confirm {
				t.Errorf("%q is read as a yes: %s, %s", said, reply, intent)
			}
			continue
		}
		if all++; reply == nlu.Yes {
			confirmed++
			continue
		}
		t.Logf("%q is no yes: %s", said, reply)
	}
	if 20*confirmed < 19*all {
		t.Errorf("%d of %d are read as a yes", confirmed, all)
	}
}
