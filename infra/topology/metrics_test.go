package topology

import (
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/telemetry"
)

func TestEveryMetricHasItsOwnName(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if m.Unit == "" || seen[m.Name] {
			t.Errorf("%+v", m)
		}
		seen[m.Name] = true
	}
	for _, alarm := range Alarms(nil) {
		if !seen[alarm.Metric.Name] || alarm.Says == "" {
			t.Errorf("an alarm on a metric that no function writes: %+v", alarm)
		}
	}
}

// CloudWatch charges for each series. A domain's metric has one for its alarm; without an alarm the logs are enough.
func TestADomainsMetricThatCloudWatchKeepsHasAnAlarm(t *testing.T) {
	all := map[string][]telemetry.Metric{} // by domain
	for _, domain := range domains {
		for _, f := range domain.Functions {
			all[domain.Name] = append(all[domain.Name], f.Metrics...)
		}
		for _, needs := range domain.Shared {
			all[domain.Name] = append(all[domain.Name], needs.Metrics...)
		}
	}
	for _, f := range shared {
		all[messagingDomain.Name] = append(all[messagingDomain.Name], f.Metrics...)
	}
	for _, domain := range domains {
		for _, m := range all[domain.Name] {
			watched := slices.ContainsFunc(domain.Alarms, func(a Alarm) bool { return a.Metric == m })
			// the stacks have the alarms on the metrics of messaging
			if m.Series != telemetry.LogOnly && !watched && !slices.Contains(all[messagingDomain.Name], m) {
				t.Errorf("%s: CloudWatch keeps %s, and no alarm of the domain watches it", domain.Name, m.Name)
			}
		}
	}
}
