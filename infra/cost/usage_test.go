package cost

import (
	"testing"

	"github.com/haatline/haatline/shared/messaging/analytics"
)

// The usage of a tenant says what its messages took. It says so by the same figures.
func TestTheUsageOfATenantCountsAsTheReportDoes(t *testing.T) {
	for flow, says := range map[string]struct{ units, bytes float64 }{
		"an inbound text of a known customer":      {analytics.UnitsOfReceived, analytics.BytesOfReceived},
		"an outbound text with its three statuses": {analytics.UnitsOfSent, analytics.BytesOfSent},
	} {
		units, _, err := Units(flow)
		bytes, err2 := Stored(flow, "base-")
		if err != nil || err2 != nil || units != says.units || bytes != says.bytes {
			t.Errorf("%s: %v units and %v bytes, and the usage says %+v; %v, %v", flow, units, bytes, says, err, err2)
		}
	}
}
