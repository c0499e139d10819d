package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failing is a test that notes whether it has failed.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Errorf(form string, _ ...any) { f.said += form }

func TestWhatDiffersFromTheCommittedFileFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "x.golden")
	Write(t, file, "one\n")
	for got, differs := range map[string]bool{"one\n": false, "two\n": true, "": true} {
		f := &failing{TB: t}
		Compare(f, file, got)
		if (f.said != "") != differs {
			t.Errorf("%q fails: %t", got, f.said != "")
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "one\n" {
		t.Errorf("a comparison left %q, %v", text, err)
	}
}

func TestUpdateWritesTheFileAndThenItIsTheSame(t *testing.T) {
	*update = true
	t.Cleanup(func() { *update = false })
	file := filepath.Join(t.TempDir(), "testdata", "x.json")
	CompareJSON(t, file, []byte(`{"b":1.50,"a":[]}`))
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "{\n  \"a\"") ||
		!strings.Contains(string(text), "1.50") {
		t.Errorf("%s, %v", text, err)
	}
}
