package conversations

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// score counts the conversations that went right.
type score struct{ right, all int }

func (s score) with(right bool) score {
	s.all++
	if right {
		s.right++
	}
	return s
}

// Run plays each conversation, prints those that went wrong with what was expected, then how many were right, by class
// and in all.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("conversations", flag.ContinueOnError)
	catalogue := flags.String("catalogue", "", "the shop's catalogue, a CSV file")
	file := flags.String("file", "", "the labelled conversations, one JSON object a line")
	only := flags.String("only", "", "the ids of those to play, with commas between them; all without it")
	show := flags.Bool("show", false, "print every conversation")
	if err := flags.Parse(args); err != nil {
		return err
	}
	records, err := ReadRecords(*file)
	if err != nil {
		return err
	}
	goods, err := readCatalogue(*catalogue)
	if err != nil {
		return err
	}
	h, err := open(ctx, goods)
	if err != nil {
		return err
	}
	defer h.engine.Stop()
	for _, person := range []string{"919700099998", owner} {
		if err := h.say(ctx, person, text("hello")); err != nil {
			return err
		}
	}
	classes := map[string]score{}
	var total score
	for i, r := range records {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), r.ID) {
			continue
		}
		t := newTalk(h, r, i)
		t.play(ctx)
		right := len(t.misses) == 0
		total, classes[r.Class] = total.with(right), classes[r.Class].with(right)
		report(out, t, *show)
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		fmt.Fprintf(out, "%-16s %d of %d\n", class, classes[class].right, classes[class].all)
	}
	_, err = fmt.Fprintf(out, "right %d of %d\n", total.right, total.all)
	return err
}

// report prints a conversation that went wrong.
func report(out io.Writer, t *talk, show bool) {
	if !show && len(t.misses) == 0 {
		return
	}
	outcome := "right"
	if len(t.misses) > 0 {
		outcome = "MISSED"
	}
	fmt.Fprintf(out, "%s (%s) %s\n", t.record.ID, t.record.Class, outcome)
	if show {
		fmt.Fprintln(out, strings.Join(t.transcript, "\n"))
	}
	for _, miss := range t.misses {
		fmt.Fprintln(out, "  !", miss)
	}
}

// readCatalogue returns a catalogue whose stock is not counted.
func readCatalogue(file string) ([]byte, error) {
	given, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(given)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read catalogue %s: %w", file, err)
	}
	if len(rows) == 0 {
		return nil, errors.New("the catalogue is empty")
	}
	if at := slices.Index(rows[0], "stock"); at >= 0 {
		for _, row := range rows[1:] {
			row[at] = ""
		}
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
