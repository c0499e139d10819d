package chat

import (
	"os"
	"strings"
	"testing"
)

func TestWhatCustomersWriteAboutPayingIsUnderstood(t *testing.T) {
	text, err := os.ReadFile("testdata/claims.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		want, said, is := strings.Cut(strings.TrimSpace(line), " | ")
		if !is {
			continue
		}
		got := "none"
		if c, ok := ParseClaim(said); ok {
			got = c.Amount.String()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}
