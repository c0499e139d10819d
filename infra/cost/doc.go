// Package cost measures what each flow costs in DynamoDB units and round trips. The golden file makes every change of
// cost visible in review.
package cost

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed testdata/cost.golden
var report string

// Units returns the write and read units of a flow in the golden file. It returns an error for an unknown flow.
func Units(flow string) (write, read float64, err error) {
	_, after, found := strings.Cut("\n"+report, "\n"+flow+"\n")
	if found {
		_, err = fmt.Sscanf(after, "  %f write units, %f read units", &write, &read)
	}
	if !found || err != nil {
		return 0, 0, fmt.Errorf("the cost report has no flow %q", flow)
	}
	return write, read, nil
}

// UnitsOn returns the part of a flow's units that goes to tables whose names begin with a prefix, and to their indexes.
func UnitsOn(flow, prefix string) (write, read float64, err error) {
	return unitsOf(flow, func(table string) bool { return strings.HasPrefix(table, prefix) })
}

// UnitsAt returns the part of a flow's units that goes to one table, without its indexes, or to one table/index.
func UnitsAt(flow, name string) (write, read float64, err error) {
	return unitsOf(flow, func(table string) bool { return table == name })
}

// Stored returns how many bytes a flow leaves in tables whose names begin with a prefix, and in their indexes.
func Stored(flow, prefix string) (bytes float64, err error) {
	all, err := lines(flow)
	if err != nil {
		return 0, err
	}
	for _, line := range all {
		if line.kind == "store" && strings.HasPrefix(line.table, prefix) {
			bytes += line.amount
		}
	}
	if bytes == 0 {
		return 0, fmt.Errorf("the cost report does not say what %q stores in %s", flow, prefix)
	}
	return bytes, nil
}

func unitsOf(flow string, counts func(table string) bool) (write, read float64, err error) {
	all, err := lines(flow)
	if err != nil {
		return 0, 0, err
	}
	for _, line := range all {
		switch {
		case !counts(line.table):
		case line.kind == "write":
			write += line.amount
		case line.kind == "read":
			read += line.amount
		}
	}
	return write, read, nil
}

// line is a line of a flow in the report.
type line struct {
	kind   string // write, read or store
	amount float64
	table  string
}

// lines returns a flow's lines, without that of its total.
func lines(flow string) (all []line, err error) {
	if _, _, err = Units(flow); err != nil {
		return nil, err
	}
	_, after, _ := strings.Cut("\n"+report, "\n"+flow+"\n")
	text, _, _ := strings.Cut(after, "\n\n")
	for row := range strings.Lines(text) {
		var one line
		if n, _ := fmt.Sscan(row, &one.kind, &one.amount, &one.table); n == 3 {
			all = append(all, one)
		}
	}
	return all, nil
}
