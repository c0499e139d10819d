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
