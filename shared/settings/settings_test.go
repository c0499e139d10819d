package settings_test

import (
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/settings"
)

func TestWhatAVariableMayHold(t *testing.T) {
	for text, good := range map[string]bool{"": true, "demo": true, "a#b": false, " ": false, "demo\n": false, strings.Repeat("a", 5000): false} {
		if id, err := settings.Tenant(text); (err == nil) != good || good && string(id) != text {
			t.Errorf("tenant %.20q: %q, %v", text, id, err)
		}
	}
	for text, want := range map[string]time.Duration{"": 0, "192h": 192 * time.Hour, "8 days": -1, "192": -1, "-1h": -1} {
		if length, err := settings.Duration(text); (err == nil) != (want >= 0) || want >= 0 && length != want {
			t.Errorf("duration %q: %s, %v", text, length, err)
		}
	}
}
