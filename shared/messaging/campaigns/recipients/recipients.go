// Package recipients reads files with the recipients of a campaign, line by line. What is wrong with a line is said,
// and the others are read.
package recipients

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/messaging/campaigns/filling"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/spreadsheet"
)

// The limits of a file.
const (
	MaxLines   = 100_000
	maxColumns = 20
	maxCell    = 1024 // bytes
	maxRow     = 2048 // bytes of all values of a line
)

// ErrFile means that a file cannot be read as a whole.
var ErrFile = errors.New("the file cannot be read")

// numberColumns are the names of a column with phone numbers or user ids. The first one that a file has counts.
var numberColumns = []string{"to", "phone", "number", "tel", "mobile", "whatsapp", "phone number", "mobile number"}

// File is what a file holds.
type File struct {
	Columns    []string // of the values, as filling.Column returns them
	Recipients []model.CampaignRecipient
	Wrong      []Line // lines that cannot be used, in order
	Repeated   int    // lines with a number that an earlier line has
}

// Line is a line that cannot be used. It does not hold what stands there.
type Line struct {
	Number int
	Why    string
}

// Read reads a file of CSV. Its first line names the columns. It may be UTF-8 or UTF-16, with or without a byte-order
// mark, and its cells may be separated by commas, semicolons or tabs. country is the one whose national numbers are
// understood; "" for none. Read returns ErrFile.
func Read(file []byte, country string) (File, error) {
	text, err := decoded(file)
	if err != nil {
		return File{}, err
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord, reader.LazyQuotes, reader.ReuseRecord = -1, true, true
	reader.Comma = separatorOf(text)
	header, err := reader.Read()
	if err != nil {
		return File{}, wrong("it has no line with the names of the columns")
	}
	columns, at, err := columnsOf(header)
	if err != nil {
		return File{}, err
	}
	found := File{Columns: slices.Delete(slices.Clone(columns), at, at+1)}
	seen := map[model.CustomerID]bool{}
	for lines := 0; ; lines++ {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if lines == MaxLines {
			return File{}, wrong("it has more than %d lines", MaxLines)
		}
		number, _ := reader.FieldPos(0)
		if err != nil {
			var broken *csv.ParseError
			if errors.As(err, &broken) {
				number = broken.StartLine
			}
			found.Wrong = append(found.Wrong, Line{number, "it is no line of CSV"})
			continue
		}
		recipient, why := recipientOf(cells, len(columns), at, country)
		switch {
		case why != "":
			found.Wrong = append(found.Wrong, Line{number, why})
		case seen[recipient.To]:
			found.Repeated++
		default:
			seen[recipient.To] = true
			found.Recipients = append(found.Recipients, recipient)
		}
	}
}

// recipientOf returns the recipient of a line, or why there is none.
func recipientOf(cells []string, columns, at int, country string) (r model.CampaignRecipient, why string) {
	if len(cells) > columns {
		return r, "it has more cells than there are columns"
	}
	if at >= len(cells) {
		return r, "it has no number"
	}
	if r.To, why = Identifier(cells[at], country); why != "" {
		return r, why
	}
	bytes := 0
	for i, cell := range cells {
		if i == at {
			continue
		}
		value := strings.TrimSpace(spreadsheet.Unescape(cell))
		if bytes += len(value); len(value) > maxCell || bytes > maxRow {
			return r, fmt.Sprintf("a cell has more than %d bytes, or all cells more than %d", maxCell, maxRow)
		}
		if !utf8.ValidString(value) {
			return r, "it is neither UTF-8 nor UTF-16"
		}
		r.Values = append(r.Values, strings.Clone(value))
	}
	return r, ""
}

// Identifier returns the customer that a cell names, by a phone number or a user id, or why it names none.
func Identifier(cell, country string) (id model.CustomerID, why string) {
	cell = strings.TrimSpace(spreadsheet.Unescape(strings.TrimSpace(cell)))
	if cell == "" {
		return "", "it has no number"
	}
	if digits, err := phonenumber.Parse(cell, country); err == nil {
		return model.CustomerID(digits), ""
	}
	if strings.Contains(cell, ".") && !strings.ContainsAny(cell, "+ eE") || isUserID(cell) {
		if id, err := model.ParseCustomer(cell); err == nil && isUserID(string(id)) {
			return id, ""
		}
	}
	return "", "it has neither a phone number with its country code nor a user id"
}

// isUserID reports whether a text is a user id of Meta's: a country, a dot, and what follows.
func isUserID(text string) bool {
	country, rest, dotted := strings.Cut(text, ".")
	return dotted && len(country) == 2 && rest != "" && phonenumber.IsCountry(country)
}

// columnsOf returns the columns of a header, and the place of the one with the numbers.
func columnsOf(header []string) (columns []string, at int, err error) {
	if len(header) > maxColumns {
		return nil, 0, wrong("it has more than %d columns", maxColumns)
	}
	for _, name := range header {
		column := filling.Column(spreadsheet.Unescape(strings.TrimSpace(name)))
		switch {
		case column == "" || len(column) > 64 || strings.ContainsAny(column, "{}|"):
			return nil, 0, wrong("a column has no name, or one that is too long or holds a brace or a bar")
		case slices.Contains(columns, column):
			return nil, 0, wrong("two columns have the same name")
		}
		columns = append(columns, strings.Clone(column))
	}
	for _, name := range numberColumns {
		if at = slices.Index(columns, name); at >= 0 {
			return columns, at, nil
		}
	}
	return nil, 0, wrong("it has no column with the numbers: call it to or phone")
}

// separatorOf returns what separates the cells of the first line.
func separatorOf(text string) rune {
	header, _, _ := strings.Cut(text, "\n")
	best := ','
	for _, separator := range ";\t" {
		if strings.Count(header, string(separator)) > strings.Count(header, string(best)) {
			best = separator
		}
	}
	return best
}

// decoded returns a file as a text without a byte-order mark.
func decoded(file []byte) (string, error) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(file, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(file, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	case bytes.Contains(file[:min(len(file), 64)], []byte{0}):
		return "", wrong("it is neither UTF-8 nor UTF-16 with a byte-order mark")
	default:
		return strings.TrimPrefix(string(file), "\ufeff"), nil
	}
	if len(file)%2 != 0 {
		return "", wrong("it ends within a character")
	}
	units := make([]uint16, 0, len(file)/2)
	for i := 2; i < len(file); i += 2 {
		units = append(units, order.Uint16(file[i:]))
	}
	return string(utf16.Decode(units)), nil
}

func wrong(why string, values ...any) error { return problem.Wrong(ErrFile, "body", why, values...) }
