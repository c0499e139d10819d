package wording

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

// A language has every text, each with what is filled in, and none that nobody says.
func TestEveryLanguageIsComplete(t *testing.T) {
	fills := func(text string) []string {
		all := placeholder.Get().FindAllString(text, -1)
		slices.Sort(all)
		return slices.Compact(all)
	}
	for _, key := range Keys() {
		for _, language := range Languages {
			text := Default(key, language)
			if !slices.Equal(fills(text), fills(Default(key, English))) {
				t.Errorf("%s in %s fills in %q", key, language, fills(text))
			}
			if fault := Check(key, language, text); fault != "" {
				t.Errorf("%s in %s: %s", key, language, fault)
			}
			if strings.Contains(key, "button.") && utf8.RuneCountInString(text) > 20 {
				t.Errorf("%s in %s has %d characters", key, language, utf8.RuneCountInString(text))
			}
		}
	}
	for _, l := range others {
		for key := range l.texts() {
			if Default(key, English) == "" {
				t.Errorf("nobody says %s, which %s has", key, l.tag)
			}
		}
		if l.script == nil || len(l.asks) == 0 || slices.Contains(Standard, l.tag) {
			t.Errorf("%+v", l.tag)
		}
	}
}

func TestInWhichLanguageACustomerIsAnswered(t *testing.T) {
	for _, c := range []struct {
		speaks        []string
		written, text string
		want          string
	}{
		{[]string{"mr", "en"}, "hi", "दोन किलो तांदूळ द्या", "mr"},
		{[]string{"mr", "en"}, "en", "2 kg rice please", "en"},
		{[]string{"mr"}, "hi-Latn", "do kilo chawal", "mr"}, {[]string{"en", "mr"}, "mixed", "2 kg तांदूळ", "mr"},
		{[]string{"hi", "mr"}, "hi", "दो किलो चावल", "hi"}, {[]string{"en", "hi"}, "hi", "दो किलो चावल", "hi"},
	} {
		if have := Language(commercemodel.Settings{Languages: c.speaks}, c.written, c.text); have != c.want {
			t.Errorf("%q in %s: %s, want %s", c.text, c.speaks, have, c.want)
		}
	}
}
