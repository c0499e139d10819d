package nlu_test

import (
	"math/rand"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/phrasings"
)

// Messages whose words are dropped, doubled, cut and mixed between shops are read without a fault.
func TestTornMessagesAreRead(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	var words []string
	for _, shop := range shops {
		messages, err := phrasings.ReadMessages(filepath.Join("testdata", shop+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			words = append(words, strings.Fields(m.Text)...)
		}
	}
	for _, shop := range shops[:20] {
		x := index(t, shop)
		for range 150 {
			var torn []string
			for range 1 + random.Intn(14) {
				w := []rune(words[random.Intn(len(words))])
				torn = append(torn, string(w[:1+random.Intn(len(w))]))
			}
			x.Read(strings.Join(torn, " "))
		}
	}
}
