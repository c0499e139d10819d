package dynamotest

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/engine"
)

// Samples reads a function's sample events, by case. It fails the test when the files and the test's cases are not the
// same: a sample nobody runs drifts.
func Samples[E, C any](t testing.TB, function string, cases map[string]C) map[string]E {
	t.Helper()
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root, "events", function, "*"))
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]E{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var event E
		if err := json.Unmarshal(text, &event); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		samples[strings.TrimSuffix(filepath.Base(path), ".json")] = event
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(cases)), slices.Sorted(maps.Keys(samples))); diff != "" {
		t.Errorf("cases, and the files under events/%s:\n%s", function, diff)
	}
	return samples
}
