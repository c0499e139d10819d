package topology

import "testing"

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
