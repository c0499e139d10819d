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

func unitsOf(flow string, counts func(table string) bool) (write, read float64, err error) {
	if _, _, err = Units(flow); err != nil {
		return 0, 0, err
	}
	_, after, _ := strings.Cut("\n"+report, "\n"+flow+"\n")
	lines, _, _ := strings.Cut(after, "\n\n")
	for line := range strings.Lines(lines) {
		var kind, table string
		var units float64
		if n, _ := fmt.Sscan(line, &kind, &units, &table); n < 3 || !counts(table) {
			continue // the flow's total, or another table
		}
		switch kind {
		case "write":
			write += units
		case "read":
			read += units
		}
	}
	return write, read, nil
}
