package phrasings

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

// score counts the messages that were understood.
type score struct{ right, all int }

// Run prints each message that was not understood, then how many were, by intent, by language and in all.
func Run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("phrasings", flag.ContinueOnError)
	catalogue := flags.String("catalogue", "", "the shop's catalogue, a CSV file")
	file := flags.String("file", "", "the labelled messages, one JSON object a line")
	if err := flags.Parse(args); err != nil {
		return err
	}
	products, err := ReadCatalogue(*catalogue)
	if err != nil {
		return err
	}
	messages, err := ReadMessages(*file)
	if err != nil {
		return err
	}
	index := nlu.NewIndex(products)
	byIntent, byLanguage := map[string]score{}, map[string]score{}
	var total score
	for _, m := range messages {
		given := Given(index.Read(m.Text))
		right := Right(m.Expect, given)
		if !right {
			fmt.Fprintf(out, "%s %q\n  expected %s\n  given    %s\n", m.ID, m.Text, written(m.Expect), written(given))
		}
		total = total.with(right)
		byIntent[string(m.Expect.Intent)] = byIntent[string(m.Expect.Intent)].with(right)
		byLanguage[m.Language] = byLanguage[m.Language].with(right)
	}
	for _, by := range []map[string]score{byIntent, byLanguage} {
		for _, name := range slices.Sorted(maps.Keys(by)) {
			fmt.Fprintf(out, "%-15s %d of %d\n", name, by[name].right, by[name].all)
		}
	}
	_, err = fmt.Fprintf(out, "right %d of %d\n", total.right, total.all)
	return err
}

func (s score) with(right bool) score {
	s.all++
	if right {
		s.right++
	}
	return s
}

func written(e Expect) string {
	text, err := json.Marshal(e)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
