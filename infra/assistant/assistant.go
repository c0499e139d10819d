// Package assistant measures how well a company's list of questions and answers is found by what people write.
package assistant

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/haatline/haatline/infra/labelled"
	"github.com/haatline/haatline/shared/faq"
)

// question is a line of a file of labelled questions. An empty entry says that no entry answers it, so that a person
// has to.
type question struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	Text  string `json:"text"`
	Entry string `json:"entry"`
}

// score counts questions by what became of them. asked counts those after which the person is asked which of some
// entries they mean, and the right one is among them. inVain counts those after which it is not among them, or after
// which there is none. An abstention is right if no entry answers the question.
type score struct{ right, wrong, asked, inVain, abstained int }

func (s score) all() int { return s.right + s.wrong + s.asked + s.inVain + s.abstained }

func (s score) add(o score) score {
	return score{
		s.right + o.right, s.wrong + o.wrong, s.asked + o.asked, s.inVain + o.inVain, s.abstained + o.abstained}
}

func (s score) String() string {
	return fmt.Sprintf("right %d of %d, wrong %d, asked %d, asked in vain %d, abstained %d", s.right, s.all(), s.wrong,
		s.asked, s.inVain, s.abstained)
}

// Run answers each question of a file from a list, and prints those that are not answered right, what became of each
// class, and last how many are right and how many are answered wrong.
func Run(_ context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("assistant", flag.ContinueOnError)
	list := flags.String("faq", "", "the company's questions and answers, a CSV file: id, question, answer, language")
	file := flags.String("file", "", `the labelled questions, one JSON object a line: id, class, text, entry`)
	if err := flags.Parse(args); err != nil {
		return err
	}
	index, err := openList(*list)
	if err != nil {
		return err
	}
	questions, err := labelled.Read[question](*file)
	if err != nil {
		return err
	}
	classes := map[string]score{}
	var total score
	for _, q := range questions {
		got, said := judge(index, q)
		if got.right == 0 {
			fmt.Fprintf(out, "%s (%s) %q: %s, want %q\n", q.ID, q.Class, q.Text, said, q.Entry)
		}
		classes[q.Class], total = classes[q.Class].add(got), total.add(got)
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		fmt.Fprintf(out, "%-16s %s\n", class, classes[class])
	}
	fmt.Fprintf(out, "%-16s %s\n", "all", total)
	_, err = fmt.Fprintf(out, "right %d of %d, wrong %d\n", total.right, total.all(), total.wrong)
	return err
}

// judge answers a question and returns what became of it, and what was said.
func judge(index *faq.Index, q question) (score, string) {
	found := index.Search(q.Text, "", shown)
	near := faq.Near(found)
	switch {
	case len(found) > 0 && found[0].Sure && found[0].ID == q.Entry:
		return score{right: 1}, ""
	case len(found) > 0 && found[0].Sure:
		return score{wrong: 1}, fmt.Sprintf("%q at %.2f", found[0].ID, found[0].Score)
	case slices.ContainsFunc(near, func(f faq.Found) bool { return f.ID == q.Entry }):
		return score{asked: 1}, "asks " + ids(near)
	case len(near) > 0:
		return score{inVain: 1}, "asks " + ids(near)
	case q.Entry == "":
		return score{right: 1}, ""
	case len(found) == 0:
		return score{abstained: 1}, "nothing"
	}
	return score{abstained: 1}, fmt.Sprintf("not sure of %q at %.2f", found[0].ID, found[0].Score)
}

// shown is how many entries are looked at.
const shown = 3

func ids(found []faq.Found) string {
	var all []string
	for _, f := range found {
		all = append(all, fmt.Sprintf("%q at %.2f", f.ID, f.Score))
	}
	return strings.Join(all, ", ")
}

func openList(name string) (*faq.Index, error) {
	if name == "" {
		return nil, errors.New("which list? make assistant FAQ=faq.csv FILE=questions.jsonl")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	entries, err := faq.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return faq.New(entries)
}
