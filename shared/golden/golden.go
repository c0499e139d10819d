// Package golden compares what a test found with a file that somebody has read and committed. go test -update writes
// the files of a package anew.
package golden

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Updating reports whether the test was asked to write its golden files. A test that compares by a rule of its own asks
// this and calls Write.
func Updating() bool { return *update }

// Compare fails the test where got differs from the golden file. With -update it writes the file first.
func Compare(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		Write(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs from what was found (-update writes it anew; read the difference before you "+
			"commit it):\n%s", file, diff)
	}
}

// CompareJSON compares JSON with a golden file that holds it indented, with sorted keys.
func CompareJSON(t testing.TB, file string, got []byte) {
	t.Helper()
	Compare(t, file, indented(t, got))
}

// indented returns JSON in the form of the golden files. Numbers stay as they were written.
func indented(t testing.TB, text []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	again, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(again) + "\n"
}

// Write writes a golden file and the folder it lies in.
func Write(t testing.TB, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
