package owner

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// shown returns a command as the file of sayings writes it.
func shown(c command) string {
	switch c.what {
	case move:
		return strings.TrimSpace(fmt.Sprintf("move %s %s", c.to, c.number))
	case change:
		return "change " + c.number
	case soldOut:
		return "soldout " + c.goods
	case back:
		return "back " + c.goods
	case price:
		return fmt.Sprintf("price %s %s", c.amount, c.goods)
	case stock:
		return fmt.Sprintf("stock %s %s", c.amount, c.goods)
	case closeToday:
		return "close today"
	case closeTomorrow:
		return "close tomorrow"
	case openAgain:
		return "open"
	case setHours:
		return fmt.Sprintf("hours %s-%s", c.hours.Open, c.hours.Close)
	case list:
		return "list"
	case day:
		return "day"
	case nothing:
		return "nothing"
	}
	return fmt.Sprint("other ", c.what)
}

func TestWhatOwnersWriteIsUnderstood(t *testing.T) {
	text, err := os.ReadFile("testdata/sayings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if want, said, is := strings.Cut(strings.TrimSpace(line), " | "); is {
			if got := shown(parse(said)); got != want {
				t.Errorf("%q: %s, want %s", said, got, want)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"paneer 400 kar do", "amul doodh 500 ml ka rate 30", "subah 7 se raat 10 khuli",
		"- 1 kg", "ORD-AB12CD 5 kg", "geeta ka 50 maaf kar do", "no \xff today"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := parse(text)
		if (c.what == price || c.what == stock) && (!c.amount.IsPositive() || c.goods == "") {
			t.Errorf("%q: %+v", text, c)
		}
	})
}
