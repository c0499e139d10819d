package faq

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/spreadsheet"
)

// columns are those of a list as a file, in this order where it is written.
var columns = []string{"id", "question", "answer", "language"}

// maxFile bounds a file, in bytes.
const maxFile = 16 << 20

// Read reads a list from a CSV file with the columns id, question, answer and, if it likes, language, in any order.
// Its error names the lines that are wrong.
func Read(r io.Reader) ([]Entry, error) {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	file := csv.NewReader(limited)
	head, err := file.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	at := map[string]int{}
	for i, name := range head {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	for _, name := range columns[:3] {
		if _, has := at[name]; !has {
			return nil, fmt.Errorf("%w: there is no column %s", ErrInvalid, name)
		}
	}
	var entries []Entry
	var lines []int
	for {
		row, err := file.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		line, _ := file.FieldPos(0)
		cell := func(name string) string { return spreadsheet.Unescape(row[at[name]]) }
		e := Entry{ID: strings.TrimSpace(cell("id")), Question: cell("question"), Answer: cell("answer")}
		if _, has := at["language"]; has {
			e.Language = strings.TrimSpace(cell("language"))
		}
		entries, lines = append(entries, e), append(lines, line)
		if len(entries) > MaxEntries || limited.N == 0 {
			return nil, fmt.Errorf("%w: it is too long: %d entries and %d MB are the most", ErrInvalid, MaxEntries,
				maxFile>>20)
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: it has no entries", ErrInvalid)
	}
	return entries, check(entries, func(i int) string { return fmt.Sprintf("line %d", lines[i]) })
}

// Write writes a list as Read reads it. No cell is a formula of a spreadsheet.
func Write(w io.Writer, entries []Entry) error {
	rows := [][]string{slices.Clone(columns)}
	for _, e := range entries {
		rows = append(rows, []string{
			spreadsheet.Escape(e.ID), spreadsheet.Escape(e.Question), spreadsheet.Escape(e.Answer),
			spreadsheet.Escape(e.Language)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
