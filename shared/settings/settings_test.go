package settings_test

import (
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/settings"
)

func TestSettingsAreParsedAndChecked(t *testing.T) {
	for text, good := range map[string]bool{
		"": true, "demo": true, "a#b": false, " ": false, "demo\n": false, strings.Repeat("a", 5000): false} {
		if id, err := settings.Tenant(text); (err == nil) != good || good && string(id) != text {
			t.Errorf("tenant %.20q: %q, %v", text, id, err)
		}
	}
	for text, want := range map[string]int{"": 0, "20": 20, "-1": -1, "2.5": -1, "many": -1} {
		if n, err := settings.Count(text); (err == nil) != (want >= 0) || want >= 0 && n != want {
			t.Errorf("count %q: %d, %v", text, n, err)
		}
	}
	for text, want := range map[string]time.Duration{
		"": 0, "192h": 192 * time.Hour, "8 days": -1, "192": -1, "-1h": -1} {
		if length, err := settings.Duration(text); (err == nil) != (want >= 0) || want >= 0 && length != want {
			t.Errorf("duration %q: %s, %v", text, length, err)
		}
	}
	for text, want := range map[string]int{
		"": 0, "api.acme.example": 1, "a.example,b.example:8443": 2, "https://a.example": -1, "a.example/x": -1,
		"a.example,": -1, "*.example": -1, "u@a.example": -1, "a.example, b.example": -1} {
		if hosts, err := settings.Hosts(text); (err == nil) != (want >= 0) || want >= 0 && len(hosts) != want {
			t.Errorf("hosts %q: %q, %v", text, hosts, err)
		}
	}
}

// A process that started with a wrong setting would fail on every message.
func TestAWrongSettingStopsTheProcessWithALogLine(t *testing.T) {
	if os.Getenv("CHECKS") != "" {
		logger := slog.New(slog.NewJSONHandler(os.Stderr, nil))
		settings.Check(logger, "WEBHOOK_MAX_AGE", nil)
		_, err := settings.Duration("a week")
		settings.Check(logger, "WEBHOOK_MAX_AGE", err)
		return // Check did not end the process
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "CHECKS=1")
	said, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.ExitCode() != 1 || strings.Count(string(said), "\n") != 1 ||
		!strings.Contains(string(said), `"variable":"WEBHOOK_MAX_AGE"`) || !strings.Contains(string(said), "a week") {
		t.Errorf("%v: %s", err, said)
	}
}
